// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph line: which lines of a function a call that failed came to.
 *
 *	vfs_parse_fs_param fs/fs_context.c
 *	     127  {
 *	     ...
 *	     145      return invalf(fc, "%s: Unknown parameter '%s'", ...);  <- -22 (EINVAL)
 *
 * The first run finds the function, as fgraph why does. The next one has a probe at each
 * statement of it. Each run is a process of its own, so that nothing of it is left.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fgraph.h"
#include "finding.h"
#include "options.h"
#include "probe.h"
#include "session.h"
#include "signals.h"
#include "source.h"
#include "util.h"
#include "why.h"

/* Longer than the name of a function and its module */
#define MAX_ANSWER	1024

/* Where a run writes its answer to */
static FILE *answers;

static bool is_answered(void)
{
	return find_answer();
}

/* The first run: the answer is the function. Its report is that of the next run. */
static void report_function(void)
{
	const struct finding *answer = find_answer();

	if (answer)
		fputs(answer->origin, answers);
	fflush(answers);
}

static void hide_report(void)
{
	FILE *null = fopen("/dev/null", "w");

	why_question.write_rules();
	if (!null)
		die("cannot open /dev/null: %s", strerror(errno));
	options.report = null;
}

static int find_function(void)
{
	struct question question = why_question;

	options.file = NULL;
	question.write_rules = hide_report;
	question.is_answered = is_answered;
	question.report = report_function;
	return run_trace(&question);
}

/* The next runs: the answer says that a way was found. */
static void report_way(void)
{
	if (!find_answer())
		return;
	why_question.report();
	fputs("found", answers);
	fflush(answers);
}

static void write_rules_and_probes(void)
{
	why_question.write_rules();
	set_probes(options.in);
}

static int find_way(void)
{
	struct question question = why_question;

	question.write_rules = write_rules_and_probes;
	question.is_answered = is_answered;
	question.report = report_way;
	return run_trace(&question);
}

/* The signals that end a run, and what the caller wants to be done with them */
static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
static struct sigaction caller_actions[ARRAY_SIZE(signals)];
static sigset_t caller_mask, passed_on;
static volatile sig_atomic_t interrupted;
/* 0 if there is no run */
static volatile pid_t running;

/* The run gets the signals of a terminal as well as this process does. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	(void)context;
	interrupted = true;
	if (info->si_code <= 0 && running)
		kill(running, sig);
}

/* Without a run, signals are blocked. */
static void pass_signals_on(void)
{
	struct sigaction action = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };
	size_t i;

	sigemptyset(&passed_on);
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &caller_actions[i]);
		/* A caller that ignores it, such as nohup, wants the trace to go on. */
		if (caller_actions[i].sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &action, NULL);
		sigaddset(&passed_on, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &passed_on, &caller_mask);
}

static void restore_caller_signals(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &caller_actions[i], NULL);
	sigprocmask(SIG_SETMASK, &caller_mask, NULL);
}

/* A signal that came when there was no run ends this process. */
static void end_if_signalled(void)
{
	sigset_t pending;

	sigpending(&pending);
	sigandset(&pending, &pending, &passed_on);
	if (!sigisemptyset(&pending))
		restore_caller_signals();
}

/* In the process of a run, which ends with its parent */
static void __noreturn run_and_exit(int (*run)(void), pid_t parent, int pipe)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FGRAPH);
	restore_caller_signals();
	answers = fdopen(pipe, "w");
	if (!answers)
		die("out of memory");
	exit(run());
}

/* Run in a process of its own. Return its answer, which the caller frees. */
static char *run_in_process(int (*run)(void), int *status)
{
	char *answer = allocate(MAX_ANSWER);
	pid_t self = getpid();
	size_t length = 0;
	siginfo_t ended;
	ssize_t count;
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		die("cannot create a pipe: %s", strerror(errno));
	fflush(NULL);
	end_if_signalled();
	running = fork();
	if (running < 0)
		die("cannot start a process: %s", strerror(errno));
	if (!running)
		run_and_exit(run, self, fds[1]);
	close(fds[1]);
	sigprocmask(SIG_UNBLOCK, &passed_on, NULL);
	while ((count = read(fds[0], answer + length, MAX_ANSWER - 1 - length)) > 0)
		length += count;
	close(fds[0]);
	/* Its process ID remains its own until waitpid(). */
	waitid(P_PID, running, &ended, WEXITED | WNOWAIT);
	sigprocmask(SIG_BLOCK, &passed_on, NULL);
	if (waitpid(running, status, 0) != running)
		die("a process was lost: %s", strerror(errno));
	running = 0;
	return answer;
}

/* A signal or a failure of fgraph ends all runs. */
static bool is_last(int status)
{
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM :
				     WEXITSTATUS(status) >= EXIT_FGRAPH;
}

/* Set options.in. If that is not possible, end as the command did. */
static void name_function(void)
{
	int status;

	options.in = run_in_process(find_function, &status);
	/* A signal may come when the function has just been found. A command may ignore it. */
	if (interrupted && (!options.cmd || WIFSIGNALED(status)))
		exit(end_as(status));
	if (*options.in) {
		complain("the error came from %s: %s", options.in,
			 options.cmd ? "running the command again with probes" :
				       "waiting for the next one");
		return;
	}
	if (!is_last(status))
		complain("no failure stands out: select one by -e, -f or --only");
	exit(end_as(status));
}

static int run_line(void)
{
	unsigned int run = 0;
	char *answer;
	int status;

	if (!has_source_lines())
		die_without_lines();
	pass_signals_on();
	options.is_named = options.in;
	if (!options.in)
		name_function();
	do {
		answer = run_in_process(find_way, &status);
		if (*answer || is_last(status))
			break;
	} while (options.cmd && ++run < options.again);
	if (!*answer && !is_last(status))
		complain("no error came from %s this time", options.in);
	return end_as(status);
}

static void set_again(const char *text)
{
	options.again = parse_number('n', text);
}

static const struct option_row in_option = {
	0, "in", "FUNCTION", "show the lines of this function", .text = &options.in,
};

static const struct option_row again_option = {
	'n', "again", "N", "run CMD up to N times until the error comes again; default 1",
	.use = set_again,
};

static const struct option_row source_option = {
	0, "source", "DIR",
	"the source that the kernel was built from; default /lib/modules/RELEASE/source",
	.text = &options.source,
};

static const struct option_row *const line_options[] = {
	&in_option, &again_option, &source_option, &roots_option, &errors_option,
	&functions_option, &only_option, &user_option, &pid_option, &all_option, &follow_option,
	&duration_option, &output_option, &buffer_option, &timestamps_option, &color_option, NULL
};

const struct command line_command = {
	.name		= "line",
	.options	= line_options,
	.operands	= " CMD [ARG...]",
	.check		= check_targets,
	.run		= run_line,
};
