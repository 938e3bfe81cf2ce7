/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The setup of an instance of tracing: the system calls of which threads it records, with
 * which values and events.
 */
#ifndef FGRAPH_SETUP_H
#define FGRAPH_SETUP_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * set_up_instance - prepare the instance for a trace of the user's targets
 * @cmd:	the process of the command, or 0
 * @times:	the lines of the trace have times, and messages are events
 * @callers:	they have return addresses
 *
 * Ends the program with a message if that is not possible.
 */
void set_up_instance(pid_t cmd, bool times, bool callers);

/* Start the trace. */
void start_instance(void);

#endif
