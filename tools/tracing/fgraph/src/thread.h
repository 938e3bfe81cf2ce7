/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which process a thread belongs to. The lines of a trace name threads alone. The kernel
 * remembers the processes of threads that ran while it traced, and record writes them to its
 * file.
 */
#ifndef FGRAPH_THREAD_H
#define FGRAPH_THREAD_H

#include <stdbool.h>
#include <sys/types.h>

/* Return the process of a thread; @tid itself if it is not known. */
pid_t process_of(pid_t tid);

/* Return true the first time that this function is called for a thread of a live trace. */
bool is_new_thread(pid_t tid);

/* Set the process of a thread. */
void set_process(pid_t tid, pid_t pid);

/* The name of a thread of a live trace, which the caller frees; NULL if it is not known */
char *copy_thread_name(pid_t tid);

/* Forget a thread that ended: its ID may become that of another one. */
void forget_thread(pid_t tid);

#endif
