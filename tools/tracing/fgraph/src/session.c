// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "boot.h"
#include "call.h"
#include "command.h"
#include "instance.h"
#include "line.h"
#include "options.h"
#include "output.h"
#include "process.h"
#include "progress.h"
#include "recording.h"
#include "session.h"
#include "setup.h"
#include "signals.h"
#include "text.h"
#include "thread.h"
#include "util.h"

/* How often the trace is read, and processes and the time are looked at */
#define INTERVAL_MS	200

/* How often the trace is read before signals and the time are looked at */
#define MAX_READS	256

static const struct question *question;
static unsigned long lost;
static pid_t cmd_pid;
static struct timespec began;

/*
 * A thread that ended may have been the command, whose last failure is needed after its end. A
 * file names it last, so the thread is forgotten when another one has its ID: its trace begins
 * with an event, or outside all calls.
 */
static void forget_ended(const struct line *line)
{
	struct task *task = find_task(line);

	if (task->ended && (line->kind == LINE_EVENT || !line->depth))
		free_task(task);
}

static void end_thread(const struct line *line)
{
	if (line->pid == cmd_pid)
		return;
	forget_thread(line->pid);
	if (options.live)
		free_task(find_task(line));
	else
		find_task(line)->ended = true;
}

/* Return false if the text is not a line of a trace. */
static bool use_line(char *text)
{
	struct line line;

	if (question->add_text)
		question->add_text(text);
	parse_line(text, &line);
	if (line.kind == LINE_LOST) {
		lost += line.lost;
		forget_open_calls();
	} else if (line.kind != LINE_OTHER && line.pid && question->add_line) {
		forget_ended(&line);
		question->add_line(&line);
		use_exec(&line);
		if (is_event(&line, "sched_process_exit:"))
			end_thread(&line);
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
static void report_progress(void)
{
	static double shown;
	double now = seconds_since(&began);
	char *text;

	if (options.cmd || !isatty(STDERR_FILENO) || now - shown < 1)
		return;
	shown = now;
	fflush(options.report);
	text = print_text("%.0f s, %llu calls traced, %lu events lost", now, traced_calls(),
			  lost);
	show_progress(text);
	free(text);
}

unsigned long lost_events(void)
{
	return lost;
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
	if (!options.cmd && question->is_answered && question->is_answered())
		return true;
	return (options.seconds && seconds_since(&began) >= options.seconds) ||
	       (options.pids && !one_runs());
}

/*
 * A signal to fgraph. The terminal also sends ^C to the command, which decides what to do.
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
		report_progress();
		if (cmd && !runs && !one_is_traced())
			over = true;
		/* If nobody reads the report any more, only a command goes on. */
		over = over || is_over() || (fflush(options.report) && !cmd);
	}
	write_instance("tracing_on", "0");
	read_trace(pipe, UINT_MAX);
	return status;
}

static void print_report(int error)
{
	clear_progress();
	question->report();
	if (lost && options.live)
		complain("%lu events were lost: a larger buffer may help, -b %u", lost,
			 options.buffer_kb * 4);
	if (error)
		complain("%s: %s", options.cmd[0], strerror(error));
	finish_report();
}

/* Use a trace that record kept as if it were going on. */
static int use_recording(void)
{
	static char *cmd[2];
	struct recording recording;

	open_report(stdout);
	/* The findings are printed at the end. */
	options.cmd = cmd;
	read_recording(&recording, options.input ?: open_boot_trace(), use_line);
	if (!options.input)
		close_boot_trace();
	cmd[0] = recording.command;
	if (recording.pid)
		question->cmd_ended(recording.pid, recording.status);
	/* A file that was cut off does not say how many. */
	recording.lost = recording.lost ?: lost;
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
		open_processes(options.pids);
	cmd_pid = cmd;
	options.live = true;
	create_instance();
	/* The output of a command that is traced goes where it goes without fgraph. */
	open_report(cmd ? stderr : stdout);
	set_up_instance(cmd, question->needs_times,
			question->needs_callers && question->needs_callers());
	question->write_rules();
	start_instance();
	clock_gettime(CLOCK_MONOTONIC, &began);
	keep_report();
	pipe = open_instance("trace_pipe", O_RDONLY | O_NONBLOCK);
	if (pipe < 0)
		die("cannot open trace_pipe of the instance: %s", strerror(errno));
	/* A script can wait for this line. */
	if (!cmd)
		complain("the trace has begun");
	if (cmd)
		error = start_cmd();
	status = trace(signals, pipe, cmd);
	if (question->cmd_ended && cmd)
		question->cmd_ended(cmd, status);
	close(pipe);
	print_report(error);
	remove_instance();
	return end_as(status);
}

int run_trace(const struct question *the_question)
{
	question = the_question;
	return options.input || options.boot ? use_recording() : trace_now();
}
