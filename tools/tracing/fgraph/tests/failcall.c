// SPDX-License-Identifier: GPL-2.0
/*
 * failcall: lists system calls that fail, a line each: NAME ERROR FUNCTION...
 * failcall NAME...: makes these system calls fail, each in a process of its own, and prints
 * the process: NAME PID.
 *
 * FUNCTION is the function that finds the error, as the source of the kernel says. If the
 * compiler inlines it, the next one is the innermost that can be traced.
 */
#define _FILE_OFFSET_BITS 64
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failcall/failcall.h"
#include "failcall/paths.h"
#include "failcall/files.h"
#include "failcall/events.h"
#include "failcall/memory.h"
#include "failcall/mounts.h"
#include "failcall/tasks.h"
#include "failcall/ipc.h"
#include "failcall/kernel.h"
#include "failcall/sockets.h"

static void list(void)
{
	const struct failing_call *call;

	for (call = __start_calls; call < __stop_calls; call++)
		if (!access(call->needs, F_OK))
			printf("%s %s\n", call->name, call->text);
}

static int fail(const struct failing_call *call)
{
	long ret;

	if (call->is_nobody && (setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
				setresuid(65534, 65534, 65534)))
		return 2;
	errno = 0;
	ret = call->fail();
	if (ret != -1 || errno != call->error) {
		fprintf(stderr, "failcall %s: %ld (%s) in place of %s\n", call->name, ret,
			strerror(errno), strerror(call->error));
		return 1;
	}
	return 0;
}

static int fail_in_child(const char *name)
{
	const struct failing_call *call = __start_calls;
	int status;
	pid_t pid;

	while (call < __stop_calls && strcmp(call->name, name))
		call++;
	if (call == __stop_calls)
		return 2;
	pid = fork();
	if (!pid)
		_exit(fail(call));
	printf("%s %d\n", name, pid);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int main(int argc, char **argv)
{
	int i, status = 0;

	if (argc < 2)
		list();
	for (i = 1; i < argc; i++)
		status |= fail_in_child(argv[i]);
	return status;
}
