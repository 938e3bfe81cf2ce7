// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph record: keep a trace in a file, for fgraph report.
 *
 *	# fgraph trace, version 1
 *	# kernel: Linux 6.1.0 x86_64
 *	# host: build7
 *	# date: 2024-03-01T14:05:09+01:00
 *	# command: mount -t tmpfs -o bad=1 none /mnt
 *	  lines of the trace, and comments about what they contain:
 *	# syscall: __x64_sys_mount mount(...)	its arguments
 *	# thread: 58 57				its process, unless it is its first thread
 *	# name: 58 cat				its name, if its lines lack it
 *	# build ID: vmlinux 06a9df0f...		of the kernel or a module, once
 *	# code: vmlinux +0x1b3c6e do_mkdirat+0x6e/0x120
 *						where the code of an address is, with -k
 *	# status: 256 57			of the command, as from waitpid(), and its process
 *	# lost: 0
 *	# end
 *
 * The file contains the text that the kernel prints, because the kernel alone knows the
 * types of values, the names of errors and the symbols at the time of the trace. So the
 * file can be read on any machine. A file that was cut off lacks its end, and can be read up
 * to there.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "call.h"
#include "code.h"
#include "fgraph.h"
#include "instance.h"
#include "line.h"
#include "options.h"
#include "record.h"
#include "session.h"
#include "setup.h"
#include "syscall.h"
#include "thread.h"
#include "util.h"

static unsigned long lines;

/* An argument may have several lines. The head has one. */
static void print_in_line(const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, options.report);
}

/* The time now, with its zone as in ISO 8601: "+01:00", for which strftime() has no form */
static void write_date(void)
{
	time_t now = time(NULL);
	char text[64];
	size_t hours;

	hours = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", localtime(&now)) - 2;
	fprintf(options.report, TRACE_DATE "%.*s:%s\n", (int)hours, text, text + hours);
}

static void write_head(void)
{
	struct utsname kernel;
	char **arg;

	uname(&kernel);
	fprintf(options.report, TRACE_MAGIC "%d\n" TRACE_KERNEL "%s %s %s\n" TRACE_HOST,
		TRACE_VERSION, kernel.sysname, kernel.release, kernel.machine);
	print_in_line(kernel.nodename);
	fputc('\n', options.report);
	write_date();
	fputs(TRACE_COMMAND, options.report);
	for (arg = options.cmd; arg && *arg; arg++) {
		fputs(arg == options.cmd ? "" : " ", options.report);
		print_in_line(*arg);
	}
	fputc('\n', options.report);
}

static void record_write_rules(void)
{
	char *glob;
	int error;

	write_head();
	if (options.glob) {
		/* Without a newline, the kernel parses the glob when nobody waits for it. */
		glob = print_text("%s\n", options.glob);
		error = try_write("set_graph_function", glob, O_TRUNC);
		free(glob);
		if (error)
			die("-f %s: no function that can be traced has this name", options.glob);
	}
	if (options.rules) {
		/* Only why knows which work is that of a command. */
		if (strstr(options.rules, "error") && !options.glob && !options.cmd)
			add_tasks_of_the_kernel();
		set_rules(options.rules, "-k");
	}
}

/* The arguments of a system call are written before its first line. */
static void write_syscall(const char *func)
{
	char *format = copy_syscall_format(func);

	if (format)
		fprintf(options.report, TRACE_SYSCALL "%s %s\n", func, format);
	free(format);
}

/* The process of a thread that is not its first one is written when the thread has begun. */
static void write_thread(const struct line *line)
{
	pid_t tid = line->pid;
	char *name;

	if (!is_new_thread(tid))
		return;
	if (process_of(tid) != tid)
		fprintf(options.report, TRACE_THREAD "%d %d\n", tid, process_of(tid));
	name = strcmp(line->task, UNKNOWN_TASK) ? NULL : copy_thread_name(tid);
	if (name)
		fprintf(options.report, TRACE_NAME "%d %s\n", tid, name);
	free(name);
}

/* Addresses are of no use on another machine. The name of a function is its first one. */
static void write_code(const struct line *line)
{
	size_t length = strcspn(line->func, " ");
	char *entry = print_text("%.*s+0x0%s", (int)length, line->func, line->func + length);

	print_code(options.report, entry);
	if (line->caller)
		print_code(options.report, line->caller);
	free(entry);
}

/* So that the file says all */
static void write_context(const char *text)
{
	char *copy = copy_text(text);
	struct line line;

	parse_line(copy, &line);
	if (line.func && options.rules)
		write_code(&line);
	if (line.func && !line.depth) {
		write_syscall(line.func);
		write_thread(&line);
	} else if (is_event(&line, "sched_process_exit:")) {
		forget_thread(line.pid);
	}
	free(copy);
}

static void record_add_text(const char *text)
{
	if (says_nothing(text))
		return;
	/* To look for this is faster than to parse each line. */
	if (options.glob || options.rules || strstr(text, "sys_") ||
	    strstr(text, "sched_process_exit:"))
		write_context(text);
	lines++;
	fprintf(options.report, "%s\n", text);
}

static void record_cmd_ended(pid_t pid, int status)
{
	fprintf(options.report, TRACE_STATUS "%d %d\n", status, pid);
}

static void record_report(void)
{
	fprintf(options.report, TRACE_LOST "%lu\n" TRACE_END "\n", lost_events());
	if (!options.quiet)
		complain("%lu lines in %s", lines, options.file);
}

/* A whole trace would become much larger. */
static bool record_needs_callers(void)
{
	return options.rules;
}

static const struct question record_question = {
	.needs_times	= true,
	.needs_callers	= record_needs_callers,
	.write_rules	= record_write_rules,
	.add_text	= record_add_text,
	.cmd_ended	= record_cmd_ended,
	.report		= record_report,
};

static void check_record(void)
{
	check_targets();
	if (!options.file)
		options.file = TRACE_FILE;
}

static int run_record(void)
{
	return run_trace(&record_question);
}

/* There may be several rules, each a line. */
static void add_rule(const char *rule)
{
	options.rules = print_text("%s%s\n", options.rules ?: "", rule);
}

static const struct option_row keep_option = {
	'k', "keep", "RULE",
	"keep only calls that RULE of set_graph_keep selects; may be repeated",
	.use = add_rule,
};

static const struct option_row glob_option = {
	'f', "functions", "GLOB",
	"trace functions that match GLOB, and what they call, not system calls",
	.text = &options.glob,
};

static const struct option_row trace_option = {
	'o', "output", "FILE", "write the trace to FILE; default " TRACE_FILE,
	.text = &options.file,
};

static const struct option_row *const record_options[] = {
	&keep_option, &show_option, &glob_option, &user_option, &pid_option, &all_option,
	&follow_option, &duration_option, &trace_option, &buffer_option, NULL
};

const struct command record_command = {
	.name		= "record",
	.options	= record_options,
	.operands	= " CMD [ARG...]",
	.check		= check_record,
	.run		= run_record,
};
