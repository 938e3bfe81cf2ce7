// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fgraph.h"
#include "instance.h"

#define PREFIX	"fgraph-"

static int tracing = -1, instances = -1, instance = -1;
static char name[64];
static pid_t guard;
static int guard_pipe;

static int write_at(int dir, const char *file, const char *text, int flags)
{
	int fd = openat(dir, file, O_WRONLY | O_CLOEXEC | flags);
	int error = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		error = errno;
	/* A filter takes effect when its file is closed. */
	if (close(fd) && !error)
		error = errno;
	return error;
}

int try_write(const char *file, const char *text, int flags)
{
	return write_at(instance, file, text, flags);
}

void write_instance(const char *file, const char *text)
{
	int error = try_write(file, text, 0);

	if (error == ENOENT)
		die("this kernel has no %s in an instance: fgraph(1) says what it needs", file);
	if (error == ENOSPC)
		die("%s: all slots of fgraph are in use: function_tracers lists their users",
		    file);
	if (error)
		die("cannot write \"%s\" to %s of the instance: %s", text, file,
		    strerror(error));
}

const char *kernel_complaint(void)
{
	char *log = read_instance("error_log"), *line, *last = NULL;

	for (line = log ? strtok(log, "\n") : NULL; line; line = strtok(NULL, "\n"))
		if (strstr(line, "error: "))
			last = strstr(line, "error: ") + strlen("error: ");
	return last ?: "";
}

int open_instance(const char *file, int flags)
{
	return openat(instance, file, flags | O_CLOEXEC);
}

bool instance_has(const char *file)
{
	return !faccessat(instance, file, F_OK, 0);
}

char *read_instance(const char *file)
{
	return read_file(instance, file);
}

/* When a process started, in ticks since boot, or 0 if there is none */
static unsigned long long start_of(pid_t pid)
{
	unsigned long long start = 0;
	char path[32], *text, *end;
	int i;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	text = read_file(AT_FDCWD, path);
	if (!text)
		return 0;
	/* The name may contain spaces and parentheses. The start is the 22nd field. */
	end = strrchr(text, ')');
	for (i = 2; end && i < 22; i++)
		end = strchr(end + 1, ' ');
	if (end)
		start = strtoull(end, NULL, 10);
	free(text);
	return start;
}

/* Stop the trace of an instance, and remove it. Return 0 or an error number. */
static int clear_instance(const char *which)
{
	int dir = openat(instances, which, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return errno == ENOENT ? 0 : errno;
	write_at(dir, "tracing_on", "0", 0);
	write_at(dir, "current_tracer", "nop", 0);
	close(dir);
	return unlinkat(instances, which, AT_REMOVEDIR) && errno != ENOENT ? errno : 0;
}

/* Remove the instances whose owners do not run any more. */
static void clear_dead_instances(void)
{
	int fd = dup(instances);
	DIR *dir = fdopendir(fd);
	unsigned long long start;
	struct dirent *entry;
	int pid;

	while (dir && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, PREFIX "%d-%llu", &pid, &start) == 2 &&
		    start_of(pid) != start)
			clear_instance(entry->d_name);
	}
	if (dir)
		closedir(dir);
}

/* The end of a pipe that only the owner writes to: it ended. */
static void guard_instance(int fd)
{
	struct timespec wait = { .tv_nsec = 50000000 };
	char byte;
	int i;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	/* The owner may still be closing its files. */
	for (i = 0; i < 100 && clear_instance(name) == EBUSY; i++)
		nanosleep(&wait, NULL);
	_exit(0);
}

static void start_guard(void)
{
	int fds[2], fd, null;
	sigset_t signals;

	if (pipe2(fds, O_CLOEXEC))
		die("cannot create a pipe: %s", strerror(errno));
	guard = fork();
	if (guard < 0)
		die("cannot start the process that removes the instance: %s",
		    strerror(errno));
	guard_pipe = fds[1];
	if (guard) {
		close(fds[0]);
		return;
	}
	/* No signal of the terminal reaches it, and it keeps no file of the caller open. */
	setsid();
	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	prctl(PR_SET_NAME, "fgraph-guard");
	null = open("/dev/null", O_RDWR);
	for (fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	close(guard_pipe);
	if (chdir("/"))
		_exit(1);
	guard_instance(fds[0]);
}

/* Where tracefs is mounted, or NULL */
static const char *find_tracefs(void)
{
	FILE *mounts = setmntent("/proc/mounts", "r");
	struct mntent *entry = NULL;
	const char *found = NULL;

	while (mounts && !found && (entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "tracefs"))
			found = copy_text(entry->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return found;
}

static void open_tracefs(void)
{
	const char *path = find_tracefs();

	if (!path)
		die("tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
	tracing = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (tracing >= 0)
		instances = openat(tracing, "instances",
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (instances < 0 && errno == ENOENT)
		die("this kernel has no instances of tracing: it needs CONFIG_TRACING");
	if (instances < 0)
		die("cannot open %s: %s%s", path, strerror(errno),
		    errno == EACCES || errno == EPERM ? ": run fgraph as root" : "");
}

void create_instance(void)
{
	open_tracefs();
	clear_dead_instances();
	snprintf(name, sizeof(name), PREFIX "%d-%llu", getpid(), start_of(getpid()));
	start_guard();
	atexit(remove_instance);
	if (mkdirat(instances, name, 0700))
		die("cannot create an instance of tracing: %s%s", strerror(errno),
		    errno == EACCES || errno == EPERM ? ": run fgraph as root" : "");
	instance = openat(instances, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (instance < 0)
		die("cannot open the instance of tracing: %s", strerror(errno));
}

void remove_instance(void)
{
	int status;

	if (!guard)
		return;
	close(instance);
	close(guard_pipe);
	if (waitpid(guard, &status, 0) != guard || !WIFEXITED(status))
		clear_instance(name);
	guard = 0;
}

unsigned long long traced_calls(void)
{
	char *text = read_file(tracing, "function_tracers"), *at = NULL;
	unsigned long long calls = 0;

	if (text)
		at = strstr(text, name);
	if (at)
		sscanf(at + strlen(name), "%*s%*s%*s%llu", &calls);
	free(text);
	return calls;
}

const char *own_pids(void)
{
	return print_text("%d %d", getpid(), guard);
}
