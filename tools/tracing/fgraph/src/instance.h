/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An instance of tracing that leaves nothing behind. The guard removes it, however this
 * process ends. If the guard is killed as well, the next run removes it: nobody locks its
 * directory then.
 */
#ifndef FGRAPH_INSTANCE_H
#define FGRAPH_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Replace the rules of set_graph_keep. If the kernel refuses them, end the program with @what
 * and the kernel's complaint.
 */
void set_rules(const char *rules, const char *what);

/* Replace the lines of set_graph_show, in the same way. */
void show_members(const char *lines);

/* Open a file of the instance. Return a file descriptor, or -1. */
int open_instance(const char *file, int flags);
bool instance_has(const char *file);

/* Read a file of the instance; the caller frees the text. Return NULL if there is none. */
char *read_instance(const char *file);

/* Return true if the kernel has events of kernel probes. */
bool instance_has_probes(void);

/* Add a kernel probe, see kprobe.h. Return 0, or an error number. */
int add_line_probe(uint64_t address, unsigned int number);
int add_return_probe(const char *func);

/* Enable the probes that were added. If that fails, end the program with a message. */
void enable_probes(void);

/* How many calls the instance traced so far */
unsigned long long traced_calls(void);

/* Processes that must not be traced: this one and the guard, with a space between them */
const char *own_pids(void);

#endif
