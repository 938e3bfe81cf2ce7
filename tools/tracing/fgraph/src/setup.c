// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdlib.h>

#include "instance.h"
#include "options.h"
#include "process.h"
#include "root.h"
#include "setup.h"
#include "util.h"

static void set_option(const char *name, const char *value, bool needed)
{
	char *file = print_text("options/%s", name);

	if (needed || instance_has(file))
		write_instance(file, value);
	free(file);
}

/* A new instance has the options of the top level, so each that matters is set. */
static void set_trace_options(bool times, bool callers)
{
	static const char *const off[] = {
		"bin", "hex", "raw", "latency-format", "funcgraph-cpu",
		"funcgraph-irqs", "funcgraph-overhead", "funcgraph-overrun",
		"funcgraph-retval-hex", NULL
	};
	static const char *const on[] = {
		"overwrite", "event-fork", "function-fork", "funcgraph-duration",
		"funcgraph-proc", "funcgraph-retval", "funcgraph-tail", "sleep-time", NULL
	};
	/* Without these, less is shown. */
	static const char *const more[] = {
		"funcgraph-args", "funcgraph-names", "funcgraph-slept", "record-tgid", NULL
	};
	size_t i;

	set_option("funcgraph-abstime", times ? "1" : "0", true);
	set_option("funcgraph-retaddr", callers ? "1" : "0", true);
	for (i = 0; off[i]; i++)
		set_option(off[i], "0", true);
	for (i = 0; on[i]; i++)
		set_option(on[i], "1", true);
	for (i = 0; more[i]; i++)
		set_option(more[i], "1", false);
}

/*
 * Trace system calls, and the kernel's own one that executes a program. Their functions have a
 * prefix on most architectures. Other functions with such a name are ignored later.
 */
static void limit_to_syscalls(void)
{
	static const char *const globs[] = {
		"__*_sys_*\n", "sys_*\n", "compat_sys_*\n", "!___*\n", "kernel_execve\n",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(globs); i++)
		try_write("set_graph_function", globs[i], O_APPEND);
}

static void add_dispatchers(void)
{
	const char *func;
	size_t i = 0;
	char *line;

	while ((func = name_dispatcher(i++))) {
		line = print_text("%s\n", func);
		try_write("set_graph_function", line, O_APPEND);
		free(line);
	}
}

/* Functions that are called as system calls are not needed then. */
static void limit_to_roots(void)
{
	const char *list = options.roots;
	char *glob, *line;
	int error;

	while ((glob = next_glob(&list))) {
		/* Without a newline, the kernel parses the glob when nobody waits for it. */
		line = print_text("%s\n", glob);
		error = try_write("set_graph_function", line, O_APPEND);
		if (error)
			die("-r %s: no function that can be traced has this name", glob);
		free(line);
		free(glob);
	}
}

static void trace_event(const char *event, const char *filter)
{
	char *file = print_text("events/%s/filter", event);

	if (filter)
		try_write(file, filter, 0);
	free(file);
	file = print_text("events/%s/enable", event);
	try_write(file, "1", 0);
	free(file);
}

/* Programs say what failed on standard error. The kernel may say more in its log. */
static void trace_messages(void)
{
	trace_event("syscalls/sys_enter_write", "fd == 2");
	trace_event("syscalls/sys_enter_writev", "fd == 2");
	trace_event("printk/console", NULL);
}

/*
 * Events say that a process failed, that it executes a program, and that a thread ended.
 * Without them, less is known.
 */
static void trace_events(const char *pids, bool times)
{
	if (pids)
		try_write("set_event_pid", pids, O_TRUNC);
	trace_event("syscalls/sys_enter_exit_group", "error_code != 0");
	trace_event("sched/sched_process_exec", NULL);
	trace_event("sched/sched_process_exit", NULL);
	if (times)
		trace_messages();
}

/* Return the threads to trace, or NULL for all. The caller frees the text. */
static char *list_targets(pid_t cmd)
{
	char *pids = NULL;

	if (cmd)
		pids = print_text("%d", cmd);
	else if (options.pids)
		pids = list_threads();
	/* Without an ID, all would be traced. */
	if (pids && !*pids)
		die("-p %s: no such process", options.pids);
	return pids;
}

static void limit_to_targets(const char *pids)
{
	char *more;

	if (!pids) {
		write_instance("set_ftrace_notrace_pid", own_pids());
		return;
	}
	write_instance("set_ftrace_pid", pids);
	if (!options.pids)
		return;
	/* A thread may have been created meanwhile. Its children are traced anyway. */
	more = list_threads();
	try_write("set_ftrace_pid", more, O_APPEND);
	free(more);
}

void set_up_instance(pid_t cmd, bool times, bool callers)
{
	char *pids = list_targets(cmd), *size = print_text("%u", options.buffer_kb);

	write_instance("tracing_on", "0");
	set_trace_options(times, callers);
	write_instance("buffer_size_kb", size);
	if (options.roots)
		limit_to_roots();
	else
		limit_to_syscalls();
	/* Functions that write to the kernel log make nothing else fail. */
	try_write("set_graph_notrace", "*printk*\n", O_TRUNC);
	if (options.shows)
		show_members(options.shows);
	limit_to_targets(pids);
	trace_events(pids, times);
	if (!instance_has("events/syscalls"))
		complain("this kernel lacks CONFIG_FTRACE_SYSCALLS: arguments are unknown");
	free(size);
	free(pids);
}

/*
 * Trace the workers of the kernel, and those that it will create. What they do for others is
 * ignored later.
 */
static void add_workers(void)
{
	char *pids = list_workers();

	try_write("set_ftrace_pid", pids, O_APPEND);
	try_write("set_event_pid", pids, O_APPEND);
	free(pids);
	/* Early after boot, all hashes of addresses are the same. */
	set_option("hash-ptr", "0", false);
	/* What an interrupt or a softirq queues is not work of the task that it interrupted. */
	trace_event("workqueue/workqueue_queue_work", "!(common_flags & 24)");
	trace_event("workqueue/workqueue_execute_start", NULL);
	trace_event("sched/sched_process_fork", NULL);
}

void add_tasks_of_the_kernel(void)
{
	if (!options.roots)
		add_dispatchers();
	/* --follow waits until no thread is traced. */
	if (options.cmd && !options.follow)
		add_workers();
}

void start_instance(void)
{
	/* A call whose return is traced needs the event that says why it was made. */
	write_instance("tracing_on", "1");
	write_instance("current_tracer", "function_graph");
}
