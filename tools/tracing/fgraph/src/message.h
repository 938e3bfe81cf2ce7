/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that the kernel logged while a task was in a system call.
 */
#ifndef FGRAPH_MESSAGE_H
#define FGRAPH_MESSAGE_H

struct call;
struct line;
struct task;

/**
 * add_message - remember a message
 * @task:	the task that was running
 * @line:	the event of the message, which may come before the lines of the call
 */
void add_message(struct task *task, const struct line *line);

/**
 * describe_messages - describe the messages of a system call
 * @task:	the task
 * @root:	the system call, which is complete
 *
 * Return: lines, which the caller frees; "" if there are no messages.
 */
char *describe_messages(struct task *task, const struct call *root);

/* Forget the messages up to the end of a system call. */
void forget_messages(struct task *task, const struct call *root);

/* Forget all messages of a task. */
void free_messages(struct task *task);

#endif
