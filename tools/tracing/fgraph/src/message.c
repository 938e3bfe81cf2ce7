// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "fgraph.h"
#include "message.h"
#include "text.h"

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

void add_message(struct task *task, const struct line *line)
{
	struct message *message = allocate(sizeof(*message)), **end = &task->messages;

	while (*end)
		end = &(*end)->next;
	message->time_us = line->time_us;
	message->text = copy_text(line->ret + strlen("console: "));
	*end = message;
}

static void free_first_message(struct task *task)
{
	struct message *message = task->messages;

	task->messages = message->next;
	free(message->text);
	free(message);
}

char *describe_messages(struct task *task, const struct call *root)
{
	unsigned long long end = root->end_us ?: root->time_us + root->ns / 1000;
	struct message *message;
	struct text text;
	FILE *out = open_text(&text);

	while ((message = task->messages) && message->time_us <= end) {
		if (message->time_us >= root->time_us)
			fprintf(out, "  kernel: %s\n", message->text);
		free_first_message(task);
	}
	return close_text(&text);
}

void free_messages(struct task *task)
{
	while (task->messages)
		free_first_message(task);
}
