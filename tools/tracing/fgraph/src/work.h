/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work that a command queued, and that a worker of the kernel does. A work item that runs while a
 * command runs may be another one's, so events of workqueues have to show who queued it.
 */
#ifndef FGRAPH_WORK_H
#define FGRAPH_WORK_H

#include <stdbool.h>

struct call;
struct line;
struct task;

/**
 * use_work_event - use an event of a workqueue, or of a fork
 * @task:	the task of the event
 * @line:	any event
 *
 * Return: true if it is such an event.
 */
bool use_work_event(struct task *task, const struct line *line);

/**
 * is_of_command - is this call a part of what the command does?
 * @task:	its task
 * @root:	a root
 *
 * Return: false if the task is a worker, and no event shows that the command queued what it does,
 * or if the kernel started a program in the task. True in a trace without these events.
 */
bool is_of_command(const struct task *task, const struct call *root);

#endif
