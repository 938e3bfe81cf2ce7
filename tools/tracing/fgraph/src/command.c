// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "fgraph.h"

/* The process reads a byte from the first pipe, and writes an error to the second one. */
static int start[2], failed[2];

static bool is_executable(const char *file)
{
	struct stat stat_of_file;

	return !access(file, X_OK) && !stat(file, &stat_of_file) &&
	       S_ISREG(stat_of_file.st_mode);
}

/*
 * Find the file of a command, as execvp() does. The process then executes this file: the
 * attempts in other directories would be failures in the trace.
 */
static const char *find_cmd(const char *cmd)
{
	const char *path = getenv("PATH") ?: "/bin:/usr/bin", *end;
	char *file;

	if (strchr(cmd, '/')) {
		if (!access(cmd, F_OK) || errno != ENOENT)
			return cmd;
		goto missing;
	}
	for (; ; path = end + 1) {
		end = strchrnul(path, ':');
		file = print_text("%.*s/%s", (int)(end - path) ?: 1,
				  end == path ? "." : path, cmd);
		if (is_executable(file))
			return file;
		free(file);
		if (!*end)
			break;
	}
missing:
	fprintf(stderr, "fgraph: %s: command not found\n", cmd);
	exit(EXIT_NOT_FOUND);
}

static const struct passwd *find_user(const char *name)
{
	const struct passwd *user = getpwnam(name);

	if (!user)
		die("-u %s: no such user", name);
	return user;
}

static void change_user(const struct passwd *user)
{
	if (initgroups(user->pw_name, user->pw_gid) || setgid(user->pw_gid) ||
	    setuid(user->pw_uid)) {
		complain("-u %s: %s", user->pw_name, strerror(errno));
		_exit(EXIT_FGRAPH);
	}
}

/* Let the shell execute a file that has no header, like execvp(). */
static void exec_script(const char *file, char **cmd)
{
	char **script;
	size_t count;

	for (count = 0; cmd[count]; count++)
		;
	script = allocate((count + 2) * sizeof(*script));
	script[0] = "sh";
	script[1] = (char *)file;
	memcpy(script + 2, cmd + 1, count * sizeof(*script));
	execv("/bin/sh", script);
}

/* The process of the command has the signals of the caller. */
static void exec_cmd(const char *file, char **cmd)
{
	char byte;

	close(start[1]);
	if (read(start[0], &byte, 1) != 1)
		_exit(EXIT_FGRAPH);
	restore_signals();
	execv(file, cmd);
	if (errno == ENOEXEC)
		exec_script(file, cmd);
	if (write(failed[1], &errno, sizeof(errno)) < 0)
		_exit(EXIT_FGRAPH);
	_exit(EXIT_NO_EXEC);
}

pid_t prepare_cmd(char **cmd, const char *name)
{
	const struct passwd *user = name ? find_user(name) : NULL;
	const char *file = find_cmd(cmd[0]);
	pid_t pid;

	if (pipe2(start, O_CLOEXEC) || pipe2(failed, O_CLOEXEC))
		die("cannot create a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		die("cannot start %s: %s", cmd[0], strerror(errno));
	if (!pid) {
		if (user)
			change_user(user);
		exec_cmd(file, cmd);
	}
	close(start[0]);
	close(failed[1]);
	return pid;
}

int start_cmd(void)
{
	int error = EPIPE;

	if (write(start[1], "", 1) != 1)
		return error;
	/* The pipe ends when the command is executed. */
	if (read(failed[0], &error, sizeof(error)) != sizeof(error))
		return 0;
	return error;
}
