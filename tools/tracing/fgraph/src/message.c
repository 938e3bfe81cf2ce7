// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "message.h"
#include "util.h"

/*
 * How many messages of a task are kept. A thread of the kernel has no system calls. A warning with
 * registers and a stack has some 50.
 */
#define MAX_MESSAGES	64

static void free_first_message(struct task *task)
{
	struct message *message = task->messages;

	task->messages = message->next;
	free(message->text);
	free(message);
}

void add_message(struct task *task, const struct line *line)
{
	struct message *message = allocate(sizeof(*message)), **end = &task->messages;
	unsigned int count = 0;

	while (*end) {
		end = &(*end)->next;
		count++;
	}
	message->time_us = line->time_us;
	message->text = copy_text(line->ret + strlen("console: "));
	*end = message;
	if (count == MAX_MESSAGES)
		free_first_message(task);
}

static unsigned long long end_of(const struct call *root)
{
	return root->end_us ?: root->time_us + root->ns / 1000;
}

const struct message *next_message(const struct task *task, const struct call *root,
				   const struct message *previous)
{
	const struct message *message = previous ? previous->next : task->messages;

	while (message && message->time_us < root->time_us)
		message = message->next;
	return message && message->time_us <= end_of(root) ? message : NULL;
}

void forget_messages(struct task *task, const struct call *root)
{
	while (task->messages && task->messages->time_us <= end_of(root))
		free_first_message(task);
}

void free_messages(struct task *task)
{
	while (task->messages)
		free_first_message(task);
}
