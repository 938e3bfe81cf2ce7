/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signals of this program, and those of its caller.
 */
#ifndef FGRAPH_SIGNALS_H
#define FGRAPH_SIGNALS_H

/* Block the signals that end a trace. Return a descriptor from which they are read. */
int open_signals(void);

/* Let this process have the signals of the caller of fgraph. */
void restore_signals(void);

/* Return the exit status for a status of waitpid(). A signal also ends this process. */
int end_as(int status);

#endif
