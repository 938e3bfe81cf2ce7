// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph slow: which system calls took long, and where their time went.
 *
 *	read(fd=3, ...) = 10			the system call
 *	    20.4 ms   20.1 ms  vfs_read(...)	a function that took long: its duration, how
 *	    20.2 ms   20.1 ms    wait_for(...)	long the task slept in it, its depth
 *
 * A function is shown if it took at least a tenth of the system call.
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "fgraph.h"
#include "finding.h"
#include "instance.h"
#include "line.h"
#include "options.h"
#include "session.h"
#include "stream.h"
#include "root.h"
#include "text.h"
#include "util.h"

/* A function is shown if it took at least one of so many parts of the system call. */
#define SHOWN_PARTS	10

#define TIME_WIDTH	11

/* System calls whose purpose is to wait */
static const char *const waiting[] = {
	"clock_nanosleep", "clock_nanosleep_time32", "epoll_pwait", "epoll_pwait2",
	"epoll_wait", "futex", "futex_time32", "futex_waitv", "io_getevents",
	"io_getevents_time32", "io_pgetevents", "io_pgetevents_time32", "mq_timedreceive",
	"mq_timedreceive_time32", "msgrcv", "nanosleep", "nanosleep_time32", "pause", "poll",
	"ppoll", "ppoll_time32", "pselect6", "pselect6_time32", "restart_syscall",
	"rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time32", "select", "sigsuspend",
	"wait4", "waitid", "waitpid", NULL
};

static unsigned long slow_calls;

static void slow_write_rules(void)
{
	char *rule = print_text("slow:%s\n", options.threshold);
	char *what = print_text("-t %s", options.threshold);

	set_rules(rule, what);
	free(rule);
	free(what);
}

static void print_times(FILE *out, const struct call *call)
{
	print_ns_column(out, TIME_WIDTH, call->ns);
	if (call->slept_ns)
		print_ns_column(out, TIME_WIDTH, call->slept_ns);
	else
		fprintf(out, "%*s", TIME_WIDTH, "");
	fprintf(out, "  %*s", 2 * (call->depth - 1), "");
	print_call(out, call);
	fputc('\n', out);
}

/* Lines about the functions that took long, or NULL */
static char *describe_times(const struct call *root)
{
	const struct call *call;
	struct text text;
	FILE *out;

	if (!root->first)
		return NULL;
	out = open_text(&text);
	fprintf(out, "%s%*s%*s%s\n", dim(), TIME_WIDTH, "duration", TIME_WIDTH, "asleep",
		plain());
	for (call = root->first; call; call = next_call(root, call))
		if (call->ns * SHOWN_PARTS >= root->ns)
			print_times(out, call);
	return close_text(&text);
}

static void use_slow(struct task *task, const struct call *root)
{
	struct moment when = moment_of(root);
	struct where where = where_of(task, &when);
	struct finding *finding;

	if (is_in_list(waiting, root_name(root))) {
		finding = add_finding(copy_text(root_name(root)), &where, NULL, NULL);
	} else {
		slow_calls++;
		finding = add_finding(describe_root(root, true), &where,
				      describe_times(root), NULL);
		if (finding)
			finding->in_full = true;
	}
	if (finding)
		show_finding(finding);
}

static void slow_add_line(const struct line *line)
{
	struct call *root;
	struct task *task;

	task = find_task(line);
	if (line->kind == LINE_EVENT)
		return;
	root = add_line(task, line);
	if (!root)
		return;
	if (is_root(root))
		use_slow(task, root);
	free_call(root);
}

static void slow_report(void)
{
	fprintf(options.report, "fgraph: %lu %s%s took %s or longer\n", slow_calls,
		options.roots ? "call" : "system call", slow_calls == 1 ? "" : "s",
		options.threshold);
	if (!options.cmd)
		print_repeated_findings();
	else
		print_all_findings("System calls whose purpose is to wait:");
}

static const struct question slow_question = {
	.needs_times	= true,
	.write_rules	= slow_write_rules,
	.add_line	= slow_add_line,
	.report		= slow_report,
};

static int run_slow(void)
{
	return run_trace(&slow_question);
}

static const struct option_row threshold_option = {
	't', "time", "TIME",
	"show system calls that took TIME (ns, us, ms, s) or longer; default 1ms",
	.text = &options.threshold,
};

static const struct option_row verbose_option = {
	'v', "verbose", NULL, "show each value", .flag = &options.verbose,
};

static const struct option_row *const slow_options[] = {
	&threshold_option, &roots_option, &show_option, &user_option, &pid_option,
	&all_option, &follow_option, &duration_option, &output_option, &buffer_option,
	&verbose_option, &timestamps_option, &color_option, NULL
};

const struct command slow_command = {
	.name		= "slow",
	.options	= slow_options,
	.operands	= " CMD [ARG...]",
	.check		= check_targets,
	.run		= run_slow,
};
