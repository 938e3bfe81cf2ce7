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

/*
 * Also trace tasks of the kernel, after set_up_instance(): work items and threads of interrupts.
 * With a command, workers are traced, and events that show for whom they work, see work.h.
 */
void add_tasks_of_the_kernel(void);

/* Start the trace. */
void start_instance(void);

#endif
