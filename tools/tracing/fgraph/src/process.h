/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes in -p, and the workers of the kernel.
 */
#ifndef FGRAPH_PROCESS_H
#define FGRAPH_PROCESS_H

#include <stdbool.h>

/* Find the processes. Ends the program with a message if one does not run. */
void open_processes(const char *pids);

/* List the threads of these processes, with spaces between them. The caller frees the text. */
char *list_threads(void);

/* List the workers of the kernel, and the task that creates workers. The caller frees the text. */
char *list_workers(void);

/* Return true if one of the processes runs. */
bool one_runs(void);

#endif
