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
 * struct message - a message in the log of the kernel
 * @next:	the next one
 * @time_us:	when it was logged, in the clock of the trace
 * @text:	the message
 */
struct message {
	struct message		*next;
	unsigned long long	time_us;
	char			*text;
};

/**
 * add_message - remember a message
 * @task:	the task that was running
 * @line:	the event of the message, which may come before the lines of the call
 */
void add_message(struct task *task, const struct line *line);

/**
 * next_message - find the messages of a system call
 * @task:	the task
 * @root:	the system call, which is complete
 * @previous:	a message, or NULL for the first one
 *
 * Return: the next message, or NULL.
 */
const struct message *next_message(const struct task *task, const struct call *root,
				   const struct message *previous);

/* Forget the messages up to the end of a system call. */
void forget_messages(struct task *task, const struct call *root);

/* Forget all messages of a task. */
void free_messages(struct task *task);

#endif
