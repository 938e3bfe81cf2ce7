// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "signals.h"
#include "util.h"

/*
 * The process writes a byte to the first pipe when it has found the command, reads a byte from
 * the second one before it executes it, and writes an error to the third one.
 */
static int found[2], start[2], failed[2];

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
	_exit(EXIT_NOT_FOUND);
}

/**
 * struct user - who runs the command
 * @name:	the name, or NULL if the system does not know the ID
 * @uid:	the user ID
 * @gid:	the group ID
 */
struct user {
	const char	*name;
	uid_t		uid;
	gid_t		gid;
};

/* @name is a name or a number, of which the system may know the name. */
static struct user find_user(const char *name)
{
	const struct passwd *entry = getpwnam(name);
	char *end;
	unsigned long uid = strtoul(name, &end, 10);

	if (!entry && (*end || *name < '0' || *name > '9' || uid >= (uid_t)-1))
		die("-u %s: no such user", name);
	if (!entry)
		entry = getpwuid(uid);
	if (!entry)
		return (struct user){ NULL, uid, uid };
	return (struct user){ copy_text(entry->pw_name), entry->pw_uid, entry->pw_gid };
}

static void change_user(const struct user *user)
{
	int error;

	error = user->name ? initgroups(user->name, user->gid) : setgroups(0, NULL);
	if (error || setgid(user->gid) || setuid(user->uid)) {
		complain("-u %s: %s", options.user, strerror(errno));
		_exit(EXIT_FGRAPH);
	}
}

/*
 * Another user must get nothing of the caller's but the first three files: no other file, and
 * no terminal to type on, TIOCSTI.
 */
static void separate(void)
{
	setsid();
	syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC);
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
static void __noreturn exec_cmd(const struct user *user, char **cmd)
{
	const char *file;
	char byte = 0;

	close(start[1]);
	close(found[0]);
	if (user) {
		separate();
		change_user(user);
	}
	/* A program that the user may not execute is not found. */
	file = find_cmd(cmd[0]);
	if (write(found[1], &byte, 1) != 1 || read(start[0], &byte, 1) != 1)
		_exit(EXIT_FGRAPH);
	close(found[1]);
	restore_signals();
	execv(file, cmd);
	if (errno == ENOEXEC)
		exec_script(file, cmd);
	if (write(failed[1], &errno, sizeof(errno)) < 0)
		_exit(EXIT_FGRAPH);
	_exit(EXIT_NO_EXEC);
}

/* Wait until the process found the command. Otherwise, end like the process. */
static void wait_until_found(pid_t pid)
{
	int status;
	char byte;

	if (read(found[0], &byte, 1) == 1)
		return;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		die("the process of the command did not start");
	exit(WEXITSTATUS(status));
}

pid_t prepare_cmd(char **cmd, const char *name)
{
	struct user user;
	pid_t pid;

	if (name)
		user = find_user(name);
	if (pipe2(found, O_CLOEXEC) || pipe2(start, O_CLOEXEC) || pipe2(failed, O_CLOEXEC))
		die("cannot create a pipe: %s", strerror(errno));
	fflush(stderr);
	pid = fork();
	if (pid < 0)
		die("cannot start %s: %s", cmd[0], strerror(errno));
	if (!pid)
		exec_cmd(name ? &user : NULL, cmd);
	close(start[0]);
	close(failed[1]);
	close(found[1]);
	wait_until_found(pid);
	close(found[0]);
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
