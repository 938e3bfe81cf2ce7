// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph: asks the function graph tracer a question about a command or a machine.
 *
 *	fgraph.c	the way through a trace
 *	options.c	what the user wants
 *	output.c	the file of the report
 *	recording.c	a file that record kept
 *	why.c, slow.c, top.c, record.c, report.c	the commands
 *	chain.c	from a system call to the function that returned the error
 *	folded.c, json.c, html.c	forms of a report
 *	tracefs.c	the files of tracing
 *	instance.c	an instance of tracing
 *	guard.c		a process that cleans up
 *	command.c	the command that is traced
 *	line.c, call.c	from the lines of the trace to trees of calls
 *	message.c	what the kernel logged
 *	syscall.c, path.c, flags.c	system calls and their arguments
 *	finding.c	what was found out, each once
 *	text.c		how calls are shown
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "command.h"
#include "fgraph.h"
#include "instance.h"
#include "line.h"
#include "record.h"
#include "recording.h"
#include "text.h"
#include "tracefs.h"

/* How often the trace is read, and processes and the time are looked at */
#define INTERVAL_MS	200

/* How often the trace is read before signals and the time are looked at */
#define MAX_READS	256

const struct command *command;
static unsigned long lost;
static bool progress_shown;
static pid_t cmd_pid;

/* Directories of the processes in -p */
static int *processes;
static unsigned int process_count;
static struct timespec began;

/* The signals of the caller, for the command that is traced */
static sigset_t caller_signals;
static sighandler_t caller_children, caller_pipes;

/* Trace */

static void set_option(const char *name, const char *value, bool needed)
{
	char *file = print_text("options/%s", name);

	if (needed || instance_has(file))
		write_instance(file, value);
	free(file);
}

/* A new instance has the options of the top level, so each that matters is set. */
static void set_trace_options(void)
{
	static const char *const off[] = {
		"bin", "hex", "raw", "latency-format", "funcgraph-cpu",
		"funcgraph-irqs", "funcgraph-overhead", "funcgraph-overrun",
		"funcgraph-retaddr", "funcgraph-retval-hex", NULL
	};
	static const char *const on[] = {
		"overwrite", "event-fork", "function-fork", "funcgraph-duration",
		"funcgraph-proc", "funcgraph-retval", "funcgraph-tail", "sleep-time", NULL
	};
	/* Without these, less is shown. */
	static const char *const more[] = {
		"funcgraph-args", "funcgraph-names", "funcgraph-slept", NULL
	};
	size_t i;

	set_option("funcgraph-abstime", command->needs_times ? "1" : "0", true);
	for (i = 0; off[i]; i++)
		set_option(off[i], "0", true);
	for (i = 0; on[i]; i++)
		set_option(on[i], "1", true);
	for (i = 0; more[i]; i++)
		set_option(more[i], "1", false);
}

/*
 * Trace system calls alone. Their functions have a prefix on most architectures. Other
 * functions with such a name are ignored later.
 */
static void limit_to_syscalls(void)
{
	static const char *const globs[] = {
		"__*_sys_*\n", "sys_*\n", "compat_sys_*\n", "!___*\n",
	};
	size_t i;

	for (i = 0; i < sizeof(globs) / sizeof(*globs); i++)
		try_write("set_graph_function", globs[i], O_APPEND);
	/* Functions that write to the kernel log make no system call fail. */
	try_write("set_graph_notrace", "*printk*\n", O_TRUNC);
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
static void trace_events(const char *pids)
{
	if (pids)
		try_write("set_event_pid", pids, O_TRUNC);
	trace_event("syscalls/sys_enter_exit_group", "error_code != 0");
	trace_event("sched/sched_process_exec", NULL);
	trace_event("sched/sched_process_exit", NULL);
	if (command->needs_times)
		trace_messages();
}

/* Open the directories in /proc of the processes in -p. */
static void open_processes(void)
{
	char *copy = copy_text(options.pids), *pid, *rest, *path;
	int fd;

	for (pid = strtok_r(copy, ",", &rest); pid; pid = strtok_r(NULL, ",", &rest)) {
		path = print_text("/proc/%u", parse_number('p', pid));
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			die("-p %s: no such process", pid);
		processes = realloc(processes, (process_count + 1) * sizeof(*processes));
		if (!processes)
			die("out of memory");
		processes[process_count++] = fd;
		free(path);
	}
	free(copy);
	if (!process_count)
		die("-p needs process IDs, with a comma between them");
}

/* The threads of these processes, with spaces between them */
static char *list_threads(void)
{
	char *list = copy_text(""), *longer;
	struct dirent *entry;
	unsigned int i;
	DIR *dir;

	for (i = 0; i < process_count; i++) {
		dir = fdopendir(openat(processes[i], "task", O_RDONLY | O_CLOEXEC));
		while (dir && (entry = readdir(dir))) {
			if (entry->d_name[0] == '.')
				continue;
			longer = print_text("%s%s ", list, entry->d_name);
			free(list);
			list = longer;
		}
		if (dir)
			closedir(dir);
	}
	return list;
}

/* One that ended is not there any more, even if its ID is used again, or is a zombie. */
static bool process_runs(int dir)
{
	char *text = read_file(dir, "stat"), *state;
	bool runs = false;

	state = text ? strrchr(text, ')') : NULL;
	if (state)
		runs = !strchr("ZX", state[2]);
	free(text);
	return runs;
}

static bool one_runs(void)
{
	unsigned int i;

	for (i = 0; i < process_count; i++)
		if (process_runs(processes[i]))
			return true;
	return false;
}

static void start_trace(pid_t cmd)
{
	char *pids = NULL, *size = print_text("%u", options.buffer_kb);

	write_instance("tracing_on", "0");
	set_trace_options();
	write_instance("buffer_size_kb", size);
	limit_to_syscalls();
	if (cmd)
		pids = print_text("%d", cmd);
	else if (options.pids)
		pids = list_threads();
	/* Without an ID, all would be traced. */
	if (pids && !*pids)
		die("-p %s: no such process", options.pids);
	if (pids)
		write_instance("set_ftrace_pid", pids);
	/* A thread that was created meanwhile; its children are traced anyway. */
	if (options.pids)
		try_write("set_ftrace_pid", list_threads(), O_APPEND);
	if (!pids)
		write_instance("set_ftrace_notrace_pid", own_pids());
	trace_events(pids);
	command->write_rules();
	write_instance("current_tracer", "function_graph");
	write_instance("tracing_on", "1");
	clock_gettime(CLOCK_MONOTONIC, &began);
}

/* Return false if the text is no line of a trace. */
static bool use_line(char *text)
{
	struct line line;

	if (command->add_text)
		command->add_text(text);
	parse_line(text, &line);
	if (line.kind == LINE_LOST) {
		lost += line.lost;
		forget_open_calls();
	} else if (line.kind != LINE_OTHER && line.pid && command->add_line) {
		command->add_line(&line);
		use_exec(&line);
		/* The last failure of the command is needed after its end. A file names it last. */
		if (is_event(&line, "sched_process_exit:") && line.pid != cmd_pid &&
		    !options.input)
			free_task(find_task(&line));
	}
	return line.kind != LINE_OTHER;
}

/*
 * Use what the trace contains, but not more than so many reads: a busy machine fills it all
 * the time. The end may be a part of a line.
 */
static void read_trace(int trace, unsigned int reads)
{
	static char buffer[65536];
	static size_t used;
	char *line, *end;
	ssize_t length;

	while (reads-- &&
	       (length = read(trace, buffer + used, sizeof(buffer) - used - 1)) > 0) {
		used += length;
		buffer[used] = '\0';
		for (line = buffer; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			clean_text(line);
			use_line(line);
		}
		used -= line - buffer;
		memmove(buffer, line, used + 1);
		if (used == sizeof(buffer) - 1)
			used = 0;
	}
}

/* Say on a terminal that the trace goes on, and what it costs: each call takes time. */
static void show_progress(void)
{
	static double shown;
	double now = seconds_since(&began);

	if (options.cmd || !isatty(STDERR_FILENO) || now - shown < 1)
		return;
	shown = now;
	fflush(options.report);
	clear_progress();
	fprintf(stderr, "%.0f s, %llu calls traced, %lu events lost", now, traced_calls(),
		lost);
	progress_shown = true;
}

unsigned long lost_events(void)
{
	return lost;
}

void clear_progress(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}

/* The kernel adds the children of a thread to the list, and removes threads that ended. */
static bool one_is_traced(void)
{
	char *pids = read_instance("set_ftrace_pid");
	bool is_traced = pids && strpbrk(pids, "0123456789");

	free(pids);
	return is_traced;
}

static bool is_over(void)
{
	return (options.seconds && seconds_since(&began) >= options.seconds) ||
	       (options.pids && !one_runs());
}

/*
 * A signal to fgraph. The terminal sends ^C to the command, too, which decides what to do.
 * Return true if the trace is over.
 */
static bool use_signal(int fd, pid_t cmd, int *status)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (!cmd)
		return info.ssi_signo != SIGCHLD;
	if (info.ssi_signo == SIGCHLD)
		return waitpid(cmd, status, WNOHANG) == cmd;
	/* The command of another user is in a session of its own, and leads a group of it. */
	if (options.user)
		kill(-cmd, info.ssi_signo);
	else if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP)
		kill(cmd, info.ssi_signo);
	return false;
}

/* Trace until the end. Return the status of the command, as from waitpid(). */
static int trace(int signals, int pipe, pid_t cmd)
{
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN }, { .fd = pipe, .events = POLLIN },
	};
	bool over = false, runs = cmd;
	int status = 0;

	while (!over) {
		poll(fds, 2, INTERVAL_MS);
		if (fds[0].revents && use_signal(signals, runs ? cmd : 0, &status)) {
			over = !runs || !options.follow;
			runs = false;
		}
		read_trace(pipe, MAX_READS);
		show_progress();
		if (cmd && !runs && !one_is_traced())
			over = true;
		/* If nobody reads the report any more, only a command goes on. */
		over = over || is_over() || (fflush(options.report) && !cmd);
	}
	write_instance("tracing_on", "0");
	read_trace(pipe, UINT_MAX);
	return status;
}

/* Report */

static void print_report(int error)
{
	clear_progress();
	command->report();
	if (lost)
		complain("%lu events were lost: a larger buffer may help, -b %u", lost,
			 options.buffer_kb * 4);
	if (error)
		complain("%s: %s", options.cmd[0], strerror(error));
	if (fflush(options.report) || ferror(options.report))
		die("cannot write the report: %s", strerror(errno ?: EIO));
}

void restore_signals(void)
{
	signal(SIGCHLD, caller_children);
	signal(SIGPIPE, caller_pipes);
	sigprocmask(SIG_SETMASK, &caller_signals, NULL);
}

/* End as the command did. */
static int end_as(int status)
{
	struct rlimit none = { };

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	/* The command wrote its core file. */
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	restore_signals();
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static int open_signals(void)
{
	static const int used[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t set;
	int signals;
	size_t i;

	/* If the caller ignores it, the status of the command would be lost. */
	caller_children = signal(SIGCHLD, SIG_DFL);
	caller_pipes = signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	for (i = 0; i < sizeof(used) / sizeof(*used); i++)
		sigaddset(&set, used[i]);
	sigprocmask(SIG_BLOCK, &set, &caller_signals);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		die("cannot wait for signals: signalfd: %s", strerror(errno));
	return signals;
}

/* Use a trace that record kept as if it were going on. */
static int use_recording(void)
{
	static char *cmd[2];
	struct recording recording;

	open_report();
	/* The findings are printed at the end. */
	options.cmd = cmd;
	recording = read_recording(options.input, use_line);
	cmd[0] = recording.command;
	if (recording.pid)
		command->cmd_ended(recording.pid, recording.status);
	print_report(0);
	keep_report();
	complain_about_recording(&recording, true);
	return 0;
}

static int trace_now(void)
{
	int signals = open_signals(), pipe, status, error = 0;
	pid_t cmd = 0;

	if (options.cmd)
		cmd = prepare_cmd(options.cmd, options.user);
	else if (options.pids)
		open_processes();
	cmd_pid = cmd;
	create_instance();
	open_report();
	start_trace(cmd);
	keep_report();
	pipe = open_instance("trace_pipe", O_RDONLY | O_NONBLOCK);
	if (pipe < 0)
		die("cannot open trace_pipe of the instance: %s", strerror(errno));
	if (cmd)
		error = start_cmd();
	status = trace(signals, pipe, cmd);
	if (command->cmd_ended && cmd)
		command->cmd_ended(cmd, status);
	close(pipe);
	print_report(error);
	remove_instance();
	return end_as(status);
}

int run_trace(void)
{
	return options.input ? use_recording() : trace_now();
}

/* If the caller closed one of the first three files, no other file must become it. */
static void open_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct command *const commands[] = {
		&why_command, &slow_command, &top_command, &record_command,
		&report_command,
	};
	size_t i;

	open_standard_files();
	if (argc < 2)
		show_usage(stderr, EXIT_FGRAPH);
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		show_usage(stdout, 0);
	if (!strcmp(argv[1], "--version")) {
		puts("fgraph " FGRAPH_VERSION);
		return 0;
	}
	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i]->name))
			command = commands[i];
	if (!command)
		die("%s: unknown command: see fgraph --help", argv[1]);
	parse_options(argc - 1, argv + 1);
	return command->run();
}
