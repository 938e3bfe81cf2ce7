// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "finding.h"
#include "message.h"
#include "options.h"
#include "thread.h"
#include "util.h"
#include "way.h"

#define BUCKETS		1024

static struct task *tasks[BUCKETS];

static void find_name(struct task *task)
{
	char *name = copy_thread_name(task->pid) ?: copy_text(UNKNOWN_TASK);

	snprintf(task->name, sizeof(task->name), "%s", name);
	free(name);
}

void set_task_name(pid_t pid, const char *name)
{
	static char unknown[] = UNKNOWN_TASK;
	struct line line = { .pid = pid, .task = unknown };

	snprintf(find_task(&line)->name, sizeof(((struct task *)NULL)->name), "%s", name);
}

struct task *find_task(const struct line *line)
{
	struct task **bucket = &tasks[(unsigned int)line->pid % BUCKETS], *task;

	for (task = *bucket; task; task = task->next)
		if (task->pid == line->pid)
			break;
	if (!task) {
		task = allocate(sizeof(*task));
		task->pid = line->pid;
		task->next = *bucket;
		*bucket = task;
	}
	if (*task->old_name && !strcmp(line->task, task->old_name))
		return task;
	if (strcmp(line->task, UNKNOWN_TASK))
		strncpy(task->name, line->task, sizeof(task->name) - 1);
	else if (!*task->name && options.live)
		find_name(task);
	else if (!*task->name)
		strcpy(task->name, UNKNOWN_TASK);
	return task;
}

/*
 * The error number of "-22 (EINVAL)", or of "0xfffffff4 (ENOMEM)" with 32 or 64 bits. An
 * enumerator has the same form, but its value is not an error number.
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

/* True if @at is in a text of @args. Quotes in a text are escaped. */
static bool is_in_text(const char *args, const char *at)
{
	bool in_text = false;

	for (; args < at; args++) {
		if (*args == '\\' && args[1])
			args++;
		else if (*args == '"')
			in_text = !in_text;
	}
	return in_text;
}

/* True if an argument of a call is the error that it returned: it is not an origin. */
static bool got_error(const struct call *call)
{
	const char *at = call->args;
	char value[16];
	size_t length;

	length = snprintf(value, sizeof(value), "=%d", call->error);
	for (at = at ? strstr(at, value) : NULL; at; at = strstr(at + 1, value))
		if (strchr(", ", at[length]) && !is_in_text(call->args, at))
			return true;
	return false;
}

/*
 * The driver core returns the error of a driver as a positive number, to tell it from its own
 * errors: 22 for EINVAL.
 */
static void find_negated_error(struct call *call)
{
	static const char *const functions[] = {
		"really_probe", "__driver_probe_device", "driver_probe_device", NULL
	};
	int number = atoi(call->ret);
	const struct call *inner;

	if (number <= 0 || !is_in_list(functions, call->func))
		return;
	for (inner = call->last; inner; inner = inner->previous) {
		if (inner->error != -number)
			continue;
		call->error = inner->error;
		strcpy(call->error_name, inner->error_name);
		call->is_negated = true;
		return;
	}
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
	if (line->results)
		call->results = copy_text(line->results);
	call->error = parse_error(call->ret);
	if (call->error)
		sscanf(strchr(call->ret, '('), "(%23[A-Z0-9_]", call->error_name);
	else
		find_negated_error(call);
	call->got_error = call->error && got_error(call);
}

static struct call *add_call(struct task *task, const struct line *line)
{
	struct call *call = allocate(sizeof(*call)), *parent = task->open;

	call->outer = task->open;
	if (parent && line->depth != parent->depth + 1)
		parent = NULL;

	call->func = copy_text(line->func);
	call->args = line->args ? copy_text(line->args) : NULL;
	call->caller = line->caller ? copy_text(line->caller) : NULL;
	call->depth = line->depth;
	call->time_us = line->time_us;
	call->parent = parent;
	call->previous = parent ? parent->last : NULL;
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
		call = call->outer;
	return call && call->depth == line->depth && !strcmp(call->func, line->func) ?
	       call : NULL;
}

/* Remove the last call from the one that encloses it. */
static void remove_last(struct call *parent)
{
	struct call *previous = parent->last->previous;

	parent->last = previous;
	if (previous)
		previous->next = NULL;
	else
		parent->first = NULL;
}

/*
 * Forget the open calls of a task that are as deep, or deeper. Their returns were lost, so
 * nothing is known about them but that they began.
 */
static void close_calls(struct task *task, unsigned int depth)
{
	struct call *call;

	while (task->open && task->open->depth >= depth) {
		call = task->open;
		task->open = call->outer;
		if (call->parent)
			remove_last(call->parent);
		free_call(call);
	}
}

static struct call *add_return(struct task *task, const struct line *line)
{
	struct call *call = find_open(task, line);

	if (!call)
		return NULL;
	close_calls(task, line->depth + 1);
	task->open = call->outer;
	call->end_us = line->time_us;
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

void forget_open_calls(void)
{
	struct task *task;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		for (task = tasks[i]; task; task = task->next) {
			close_calls(task, 0);
			free_ways(task);
		}
	}
}

/* "sched_process_exec: filename=/bin/mount pid=57 old_pid=57" */
void use_exec(const struct line *line)
{
	char *file, *end, *name;
	struct task *task;

	if (!is_event(line, "sched_process_exec: filename="))
		return;
	task = find_task(line);
	file = copy_text(strchr(line->ret, '=') + 1);
	end = strstr(file, " pid=");
	if (end)
		*end = '\0';
	name = strrchr(file, '/');
	strncpy(task->old_name, line->task, sizeof(task->old_name) - 1);
	snprintf(task->name, sizeof(task->name), "%s", name ? name + 1 : file);
	free(file);
}

void free_task(struct task *task)
{
	struct task **at = &tasks[(unsigned int)task->pid % BUCKETS];

	close_calls(task, 0);
	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	free_messages(task);
	free_ways(task);
	set_failure(task, NULL);
	free(task);
}

void free_all_tasks(void)
{
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		while (tasks[i])
			free_task(tasks[i]);
}

struct call *next_call(const struct call *root, const struct call *call)
{
	if (call->first)
		return call->first;
	while (call != root && !call->next)
		call = call->parent;
	return call == root ? NULL : call->next;
}

/* The calls may be nested deeper than a stack allows. */
void free_call(struct call *root)
{
	struct call *call = root, *parent;

	root->parent = NULL;
	while (call) {
		if (call->last) {
			call = call->last;
			continue;
		}
		parent = call->parent;
		if (parent)
			remove_last(parent);
		free(call->func);
		free(call->args);
		free(call->caller);
		free(call->ret);
		free(call->results);
		free(call);
		call = parent;
	}
}

unsigned long long self_ns(const struct call *call)
{
	unsigned long long ns = 0;
	const struct call *inner;

	for (inner = call->first; inner; inner = inner->next)
		ns += inner->ns;
	return call->ns > ns ? call->ns - ns : 0;
}

struct moment moment_of(const struct call *call)
{
	return (struct moment){ .time_us = call->time_us, .ns = call->ns };
}

unsigned long long begin_ns(const struct call *call)
{
	unsigned long long end_ns = call->end_us * 1000;

	return end_ns > call->ns ? end_ns - call->ns : call->time_us * 1000;
}
