// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "fgraph.h"

/* Linux has no larger error number. */
#define MAX_ERRNO	4095

#define BUCKETS		1024

static struct task *tasks[BUCKETS];

struct task *find_task(const struct line *line)
{
	struct task **bucket = &tasks[line->pid % BUCKETS], *task;

	for (task = *bucket; task; task = task->next)
		if (task->pid == line->pid)
			break;
	if (!task) {
		task = allocate(sizeof(*task));
		task->pid = line->pid;
		task->next = *bucket;
		*bucket = task;
	}
	strncpy(task->name, line->task, sizeof(task->name) - 1);
	return task;
}

/*
 * The error number of "-22 (EINVAL)", or of "0xfffffff4 (ENOMEM)" with 32 or 64 bits. An
 * enumerator has the same form, but its value is no error number.
 */
static int parse_error(const char *ret)
{
	unsigned long long word;
	long long value;
	char *end;

	word = strtoull(ret, &end, 0);
	if (strncmp(end, " (E", 3))
		return 0;
	value = word;
	if (ret[0] == '0' && word <= 0xffffffff)
		value = (int)word;
	return value < 0 && value >= -MAX_ERRNO ? value : 0;
}

static void set_result(struct call *call, const struct line *line)
{
	static unsigned long order;

	call->order = ++order;
	call->ns = line->ns;
	call->slept_ns = line->slept_ns;
	call->missed = line->missed;
	if (!line->ret)
		return;
	call->ret = copy_text(line->ret);
	call->error = parse_error(call->ret);
	if (call->error)
		sscanf(strchr(call->ret, '('), "(%23[A-Z0-9]", call->error_name);
}

static struct call *add_call(struct task *task, const struct line *line)
{
	struct call *call = allocate(sizeof(*call)), *parent = task->open;

	call->func = copy_text(line->func);
	call->args = line->args ? copy_text(line->args) : NULL;
	call->depth = line->depth;
	call->parent = parent;
	if (parent && parent->last)
		parent->last->next = call;
	else if (parent)
		parent->first = call;
	if (parent)
		parent->last = call;
	return call;
}

/* The open call of the depth and function of @line, or NULL if its entry was lost. */
static struct call *find_open(const struct task *task, const struct line *line)
{
	struct call *call = task->open;

	while (call && call->depth > line->depth)
		call = call->parent;
	return call && call->depth == line->depth && !strcmp(call->func, line->func) ?
	       call : NULL;
}

/* Close the calls that @line cannot be in: their returns were lost. */
static void close_calls(struct task *task, unsigned int depth)
{
	struct call *call = task->open;

	while (call && call->depth >= depth) {
		task->open = call->parent;
		if (!call->parent)
			free_call(call);
		call = task->open;
	}
}

static struct call *add_return(struct task *task, const struct line *line)
{
	struct call *call = find_open(task, line);

	if (!call)
		return NULL;
	task->open = call->parent;
	set_result(call, line);
	return call->parent ? NULL : call;
}

struct call *add_line(struct task *task, const struct line *line)
{
	struct call *call;

	if (line->kind == LINE_RETURN)
		return add_return(task, line);
	if (line->repeated && find_open(task, line))
		return NULL;
	close_calls(task, line->depth);
	call = add_call(task, line);
	if (line->kind == LINE_ENTRY) {
		task->open = call;
		return NULL;
	}
	set_result(call, line);
	return call->parent ? NULL : call;
}

struct call *next_call(const struct call *root, const struct call *call)
{
	if (call->first)
		return call->first;
	while (call != root && !call->next)
		call = call->parent;
	return call == root ? NULL : call->next;
}

void free_call(struct call *root)
{
	struct call *call, *next;

	for (call = root->first; call; call = next) {
		next = call->next;
		free_call(call);
	}
	free(root->func);
	free(root->args);
	free(root->ret);
	free(root);
}
