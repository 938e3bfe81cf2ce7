/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guard: a process that cleans up, however this process ends. It waits for the end of a
 * pipe whose other end only this process has.
 */
#ifndef FGRAPH_GUARD_H
#define FGRAPH_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * start_guard - start the guard
 * @clean:	what the guard does. Return false if it must be tried again. Files that this
 *		process keeps open may prevent it for a moment.
 * @dir:	the directory that @clean needs
 *
 * Ends the program with a message if that is not possible.
 */
void start_guard(bool (*clean)(void), int dir);

/* Clean up, and end the guard. The second time, do nothing. */
void end_guard(void);

/* The process ID of the guard */
pid_t guard_pid(void);

#endif
