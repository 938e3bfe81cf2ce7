// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"
#include "util.h"

/* How often the guard tries, each 50 ms */
#define TRIES	100

static pid_t guard;
static int guard_pipe;
static bool (*clean_up)(void);

static void clean_in_time(void)
{
	struct timespec wait = { .tv_nsec = 50000000 };
	int i;

	for (i = 0; i < TRIES && !clean_up(); i++)
		nanosleep(&wait, NULL);
}

static void close_from(unsigned int first, unsigned int last)
{
	if (first <= last)
		syscall(SYS_close_range, first, last, 0);
}

/* The guard keeps no file of the caller open. */
static void close_others(int pipe, int dir)
{
	int low = pipe < dir ? pipe : dir, high = pipe < dir ? dir : pipe;
	int fd, null;

	null = open("/dev/null", O_RDWR);
	for (fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	close_from(3, low - 1);
	close_from(low + 1, high - 1);
	close_from(high + 1, -1);
}

/* No signal of the terminal reaches the guard. */
static void detach(void)
{
	sigset_t signals;

	setsid();
	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	prctl(PR_SET_NAME, "fgraph-guard");
	if (chdir("/"))
		_exit(1);
}

static void wait_for_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
}

void start_guard(bool (*clean)(void), int dir)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		die("cannot create a pipe: %s", strerror(errno));
	clean_up = clean;
	guard = fork();
	if (guard < 0)
		die("cannot start the process that cleans up: %s", strerror(errno));
	if (!guard) {
		close_others(fds[0], dir);
		detach();
		wait_for_end(fds[0]);
		clean_in_time();
		_exit(0);
	}
	close(fds[0]);
	guard_pipe = fds[1];
	atexit(end_guard);
}

void end_guard(void)
{
	int status;

	if (guard <= 0)
		return;
	close(guard_pipe);
	if (waitpid(guard, &status, 0) != guard || !WIFEXITED(status))
		clean_in_time();
	guard = 0;
}

pid_t guard_pid(void)
{
	return guard;
}
