// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph record: keep a trace in a file, for fgraph report.
 *
 *	# fgraph trace, version 1
 *	# kernel: Linux 6.1.0 x86_64
 *	# command: mount -t tmpfs -o bad=1 none /mnt
 *	  lines of the trace
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

#include "fgraph.h"
#include "instance.h"
#include "line.h"
#include "record.h"
#include "syscall.h"

static unsigned long lines;

/* An argument may have several lines. The head has one. */
static void print_in_line(const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, options.report);
}

static void write_head(void)
{
	struct utsname kernel;
	char **arg;

	uname(&kernel);
	fprintf(options.report, TRACE_MAGIC "%d\n# kernel: %s %s %s\n" TRACE_COMMAND, TRACE_VERSION,
		kernel.sysname, kernel.release, kernel.machine);
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
	if (options.rules)
		set_rules(options.rules, "-k");
}

/* " 0)   cat-57   =>    sh-58", with a line of dashes before and after it */
static bool is_between_tasks(const char *text)
{
	const char *at = text + strspn(text, " ");

	if (!strncmp(at, "---", 3))
		return true;
	at += strspn(at, "0123456789");
	return !strncmp(at, ") ", 2) && strstr(at, " => ") && !strchr(at, '|');
}

/* The arguments of each system call are kept, so that the file says all. */
static void write_syscall(const char *text)
{
	char *copy = copy_text(text), *format = NULL;
	struct line line;

	parse_line(copy, &line);
	if (line.func && !line.depth)
		format = copy_syscall_format(line.func);
	if (format)
		fprintf(options.report, TRACE_SYSCALL "%s %s\n", line.func, format);
	free(format);
	free(copy);
}

static void record_add_text(const char *text)
{
	/* The head of the trace, and the lines between tasks, say nothing more. */
	if (*text == '#' || *text == '\0' || is_between_tasks(text))
		return;
	if (strstr(text, "sys_"))
		write_syscall(text);
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
	complain("%lu lines in %s", lines, options.file);
}

const struct command record_command = {
	.name		= "record",
	.options	= "kfupa5dobh",
	.operands	= " CMD [ARG...]",
	.run		= run_trace,
	.write_rules	= record_write_rules,
	.needs_times	= true,
	.add_text	= record_add_text,
	.cmd_ended	= record_cmd_ended,
	.report		= record_report,
};
