// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "line.h"
#include "syscall.h"
#include "util.h"
#include "work.h"

/* A work item that waits */
struct item {
	struct item	*next;
	char		address[20];
	struct client	client;
};

static struct item *items;

static struct item **find_item(const char *address)
{
	struct item **at = &items;

	while (*at && strcmp((*at)->address, address))
		at = &(*at)->next;
	return at;
}

/*
 * Return the thread of the command for which a task works: a worker's client, or else itself. The
 * client of a worker that worked before the trace began is not known.
 */
static struct client client_of(const struct task *task)
{
	struct client client = task->client;

	if (!task->is_worker && strncmp(task->name, "kworker", strlen("kworker"))) {
		client.tid = task->pid;
		snprintf(client.name, sizeof(client.name), "%s", task->name);
	}
	return client;
}

static void queue_work(struct task *task, const char *address)
{
	struct client client = client_of(task);
	struct item *item;

	if (!client.tid || *find_item(address))
		return;
	item = allocate(sizeof(*item));
	snprintf(item->address, sizeof(item->address), "%s", address);
	item->client = client;
	item->next = items;
	items = item;
}

static void begin_work(struct task *task, const char *address)
{
	struct item **at = find_item(address), *item = *at;

	task->is_worker = true;
	memset(&task->client, 0, sizeof(task->client));
	if (!item)
		return;
	task->client = item->client;
	*at = item->next;
	free(item);
}

/* A worker creates a task that executes a program, such as modprobe. */
static void add_child(const struct task *task, pid_t pid)
{
	static char unknown[] = UNKNOWN_TASK;
	struct line line = { .pid = pid, .task = unknown };
	struct task *child;

	if (!task->is_worker)
		return;
	child = find_task(&line);
	child->is_worker = true;
	child->client = task->client;
}

/* Use an event that names a work item, or not if it is another one. */
static bool use_item_event(struct task *task, const struct line *line, const char *form,
			   void (*use)(struct task *task, const char *address))
{
	char address[20];

	if (sscanf(line->ret, form, address) != 1)
		return false;
	use(task, address);
	return true;
}

bool use_work_event(struct task *task, const struct line *line)
{
	if (is_event(line, "sched_process_fork:")) {
		/* The last field is child_pid. */
		add_child(task, atoi(strrchr(line->ret, '=') + 1));
		return true;
	}
	return use_item_event(task, line, "workqueue_queue_work: work struct=%19[0-9a-f]",
			      queue_work) ||
	       use_item_event(task, line, "workqueue_execute_start: work struct %19[0-9a-f]",
			      begin_work);
}

bool is_of_command(const struct task *task, const struct call *root)
{
	return !task->is_worker || (task->client.tid && !syscall_name(root));
}
