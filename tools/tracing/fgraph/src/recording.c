// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "code.h"
#include "line.h"
#include "record.h"
#include "recording.h"
#include "source.h"
#include "syscall.h"
#include "text.h"
#include "thread.h"
#include "util.h"

/* The first line of the file trace */
#define KERNEL_MAGIC "# tracer: function_graph"

/* A trace that the kernel prints has no end. */
static FILE *open_recording(const char *name, bool *is_complete)
{
	FILE *file = strcmp(name, "-") ? fopen(name, "re") : stdin;
	char *text = NULL;
	size_t room = 0;
	bool has_line;
	int version;

	if (!file)
		die("%s: %s", name, strerror(errno));
	has_line = getline(&text, &room, file) > 0;
	*is_complete = has_line && !strncmp(text, KERNEL_MAGIC, strlen(KERNEL_MAGIC));
	if (!*is_complete && (!has_line || sscanf(text, TRACE_MAGIC "%d", &version) != 1))
		die("%s: this is not a file of fgraph record, and not a trace of function_graph",
		    name);
	if (!*is_complete && version > TRACE_VERSION)
		die("%s: a newer fgraph wrote this file, in version %d: this one reads up to %d",
		    name, version, TRACE_VERSION);
	free(text);
	return file;
}

/* The part of a comment after its name, or NULL if it has another name */
static const char *find_value(const char *text, const char *name)
{
	size_t length = strlen(name);

	return strncmp(text, name, length) ? NULL : text + length;
}

/* If the comment has this name, keep its value. */
static void keep_value(char **kept, const char *text, const char *name)
{
	const char *value = find_value(text, name);

	if (!value)
		return;
	free(*kept);
	*kept = copy_text(value);
}

static void use_comment(struct recording *recording, const char *text)
{
	const char *value;
	char release[128];
	int tid, pid, length;

	keep_value(&recording->kernel, text, TRACE_KERNEL);
	keep_value(&recording->host, text, TRACE_HOST);
	keep_value(&recording->date, text, TRACE_DATE);
	keep_value(&recording->command, text, TRACE_COMMAND);
	value = find_value(text, TRACE_STATUS);
	if (value && (sscanf(value, "%d %d", &recording->status, &recording->pid) != 2 ||
		      recording->pid < 0))
		recording->pid = 0;
	value = find_value(text, TRACE_SYSCALL);
	if (value)
		add_syscall(value);
	value = find_value(text, TRACE_THREAD);
	if (value && sscanf(value, "%d %d", &tid, &pid) == 2 && tid > 0 && pid > 0)
		set_process(tid, pid);
	value = find_value(text, TRACE_NAME);
	if (value && sscanf(value, "%d %n", &tid, &length) == 1 && tid > 0)
		set_task_name(tid, value + length);
	value = find_value(text, TRACE_KERNEL);
	if (value && sscanf(value, "%*s %127s", release) == 1)
		set_release(release);
	value = find_value(text, TRACE_BUILD_ID);
	if (value)
		add_build_id(value);
	value = find_value(text, TRACE_CODE);
	if (value)
		add_code(value);
	/* Only record -k writes where code is. */
	recording->partial |= !!value;
	value = find_value(text, TRACE_LOST);
	if (value)
		recording->lost = strtoul(value, NULL, 10);
	recording->complete = !strcmp(text, TRACE_END);
}

void read_recording(struct recording *recording, const char *name, bool (*use)(char *text))
{
	bool is_complete;
	FILE *file = open_recording(name, &is_complete);
	char *text = NULL;
	size_t room = 0;
	ssize_t length;

	*recording = (struct recording){ .name = name, .command = copy_text("") };
	while ((length = getline(&text, &room, file)) > 0) {
		/* The file ends in the middle of a line. */
		if (text[length - 1] != '\n')
			break;
		text[length - 1] = '\0';
		clean_text(text);
		if (says_nothing(text))
			use_comment(recording, text);
		else if (!use(text))
			recording->damaged++;
	}
	recording->complete |= is_complete;
	free(text);
	fclose(file);
}

/* The recording whose calls are read, and what is done with them */
static struct recording *calls_of;
static void (*use_root)(struct task *task, const struct call *root);

/* Put a line into the trees of calls. */
static bool use_line(char *text)
{
	struct call *root;
	struct task *task;
	struct line line;

	parse_line(text, &line);
	if (line.kind == LINE_OTHER)
		return false;
	if (line.kind == LINE_LOST) {
		forget_open_calls();
		/* The end of the file replaces the sum, if it is there. */
		calls_of->lost += line.lost;
	}
	if (line.pid)
		use_exec(&line);
	if (line.kind == LINE_LOST || line.kind == LINE_EVENT || !line.pid)
		return true;
	task = find_task(&line);
	root = add_line(task, &line);
	if (root) {
		use_root(task, root);
		free_call(root);
	}
	return true;
}

void read_calls(struct recording *recording, const char *name,
		void (*use)(struct task *task, const struct call *root))
{
	calls_of = recording;
	use_root = use;
	read_recording(recording, name, use_line);
}

void complain_about_recording(const struct recording *recording, bool left_out)
{
	if (recording->damaged)
		complain("%s: %lu lines are damaged%s", recording->name, recording->damaged,
			 left_out ? ", and were left out" : "");
	if (!recording->complete)
		complain("%s: the end is missing: the report is about what is there",
			 recording->name);
	if (recording->lost)
		complain("%s: %lu events were lost when it was recorded", recording->name,
			 recording->lost);
}
