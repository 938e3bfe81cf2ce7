/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An instance of tracing that leaves nothing behind.
 *
 * A process of its own, the guard, waits for the end of a pipe whose other end only this
 * process has. However this process ends, the guard then stops the trace and removes the
 * instance. If the guard is killed too, the next run removes it: the name of an instance
 * contains the process that owns it, and when that process started.
 */
#ifndef FGRAPH_INSTANCE_H
#define FGRAPH_INSTANCE_H

#include <stdbool.h>

/**
 * create_instance - create the instance, and the process that removes it
 *
 * Ends the program with a message if that is not possible.
 */
void create_instance(void);

/* Stop the trace, and remove the instance. */
void remove_instance(void);

/**
 * try_write - write to a file of the instance
 * @file:	its name
 * @text:	what to write
 * @flags:	O_TRUNC replaces what a filter contains, O_APPEND adds to it
 *
 * Return: 0, or an error number.
 */
int try_write(const char *file, const char *text, int flags);

/* Write to a file of the instance. If that fails, end the program with a message. */
void write_instance(const char *file, const char *text);

/* The last complaint of the kernel about a file of the instance, or an empty text. */
const char *kernel_complaint(void);

/* Open a file of the instance. Return a file descriptor, or -1. */
int open_instance(const char *file, int flags);
bool instance_has(const char *file);

/* Read a file of the instance; the caller frees the text. Return NULL if there is none. */
char *read_instance(const char *file);

/* How many calls the instance traced so far */
unsigned long long traced_calls(void);

/* Processes that must not be traced: this one and the guard, with a space between them */
const char *own_pids(void);

#endif
