/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of tracing.
 */
#ifndef FGRAPH_TRACEFS_H
#define FGRAPH_TRACEFS_H

#include <stdbool.h>

/* Find tracefs and open it. End the program with a message if that is not possible. */
void open_tracefs(void);

/* Where tracefs is mounted */
const char *tracefs_path(void);

/* The directory of tracefs */
int tracefs_dir(void);

/**
 * write_file - write to a file of tracing
 * @dir:	its directory
 * @file:	its name
 * @text:	what to write
 * @flags:	O_TRUNC replaces what a filter contains, O_APPEND adds to it
 *
 * Return: 0, or an error number.
 */
int write_file(int dir, const char *file, const char *text, int flags);

/* Return true if a function matches. @text is its name; a module or another line may follow. */
bool function_matches(const char *text, const char *glob);

/* Return true if a function that can be traced matches. */
bool function_exists(const char *glob);

/* Read a file into memory, which the caller frees. Return NULL if that is not possible. */
char *read_file(int dir, const char *file);

#endif
