// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "signals.h"
#include "util.h"

/* The signals of the caller, for the command that is traced */
static sigset_t caller_signals;
static void (*caller_children)(int signal);
static void (*caller_pipes)(int signal);

int open_signals(void)
{
	static const int used[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction hangup;
	sigset_t set;
	int signals;
	size_t i;

	/* If the caller ignores it, the status of the command would be lost. */
	caller_children = signal(SIGCHLD, SIG_DFL);
	caller_pipes = signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(used); i++)
		sigaddset(&set, used[i]);
	/* A caller that ignores it, such as nohup, wants the trace to go on. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler == SIG_IGN)
		sigdelset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &caller_signals);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		die("cannot wait for signals: signalfd: %s", strerror(errno));
	return signals;
}

void restore_signals(void)
{
	signal(SIGCHLD, caller_children);
	signal(SIGPIPE, caller_pipes);
	sigprocmask(SIG_SETMASK, &caller_signals, NULL);
}

/* End as the command did. */
int end_as(int status)
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
