// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"
#include "instance.h"
#include "kprobe.h"
#include "tracefs.h"
#include "util.h"

#define PREFIX	"fgraph-"
#define DIGITS	"0123456789"

/* Nanoseconds since 1970 */
#define MIN_TIME_DIGITS	19

static int instances = -1, instance = -1;
static char name[64];

int try_write(const char *file, const char *text, int flags)
{
	return write_file(instance, file, text, flags);
}

static void __noreturn refuse_write(const char *file, const char *text, int error)
{
	if (error == ENOENT && !strcmp(file, "options/funcgraph-retval"))
		die("this kernel lacks CONFIG_FUNCTION_GRAPH_RETVAL");
	if (error == ENOENT)
		die("this kernel has no %s in an instance: fgraph(1) says what it needs", file);
	if (error == ENOSPC)
		die("%s: all slots of fgraph are in use: function_tracers lists their users",
		    file);
	die("cannot write \"%s\" to %s of the instance: %s", text, file, strerror(error));
}

void write_instance(const char *file, const char *text)
{
	int error = try_write(file, text, 0);

	if (error)
		refuse_write(file, text, error);
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

/* The last complaint about a file in the log, or NULL: it follows the name of the file. */
static char *find_complaint(char *log, const char *file)
{
	char *message = print_text("] %s: ", file), *at = log, *last = NULL;

	while (at && (at = strstr(at, message)))
		last = at += strlen(message);
	free(message);
	return last;
}

/*
 * The last complaint of the kernel about a file of the instance, which the caller frees: a
 * message, and with @place the text that was written, and a mark below the place. What the
 * message is about may be before it.
 */
static char *copy_complaint(const char *file, bool place)
{
	static const char error[] = "error: ", command[] = "\n  Command: ";
	char *log = read_instance("error_log"), *last = find_complaint(log, file), *at, *text;
	int begin, length;

	if (!last)
		return copy_text("");
	at = strstr(last, error);
	if (at)
		memmove(at, at + strlen(error), strlen(at + strlen(error)) + 1);
	length = strcspn(last, "\n");
	text = strstr(last, command);
	if (place && text) {
		begin = strlen(command) - 1;
		text += strlen(command);
		at = text + strcspn(text, "\n");
		at += *at == '\n';
		at += strnlen(at, begin);
		text = print_text("%.*s\n  %.*s\n  %.*s", length, last, (int)strcspn(text, "\n"),
				  text, (int)strcspn(at, "\n"), at);
	} else {
		text = print_text("%.*s", length, last);
	}
	free(log);
	return text;
}

void set_rules(const char *rules, const char *what)
{
	int error = try_write("set_graph_keep", rules, O_TRUNC);

	if (error == EINVAL)
		die("%s: %s", what, copy_complaint("set_graph_keep", !strcmp(what, "-k")));
	if (error)
		refuse_write("set_graph_keep", rules, error);
}

void show_members(const char *lines)
{
	int error = try_write("set_graph_show", lines, O_TRUNC);

	if (error == ENOENT)
		die("--show: this kernel has no set_graph_show");
	if (error == EINVAL)
		die("--show: %s", copy_complaint("set_graph_show", true));
	if (error)
		refuse_write("set_graph_show", lines, error);
}

static int write_probes(int dir, const char *which, const char *value)
{
	char *group = kprobe_group(which), *file = print_text("events/%s/enable", group);
	int error = write_file(dir, file, value, 0);

	free(file);
	free(group);
	return error;
}

/*
 * Stop the trace of an instance, and remove its probes, which are found by its name, and the
 * instance. Return 0 or an error number.
 */
static int clear_instance(const char *which)
{
	int dir = openat(instances, which, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return errno == ENOENT ? 0 : errno;
	write_file(dir, "tracing_on", "0", 0);
	write_file(dir, "current_tracer", "nop", 0);
	if (!write_probes(dir, which, "0"))
		remove_kprobes(instances, which);
	close(dir);
	return unlinkat(instances, which, AT_REMOVEDIR) && errno != ENOENT ? errno : 0;
}

static bool clean_up(void)
{
	return clear_instance(name) != EBUSY;
}

/* fgraph-PID-TIME, see set_name(): nobody else gives such a name. */
static bool is_own_name(const char *instance)
{
	size_t pid, time;

	if (strncmp(instance, PREFIX, strlen(PREFIX)))
		return false;
	instance += strlen(PREFIX);
	pid = strspn(instance, DIGITS);
	if (!pid || instance[pid] != '-')
		return false;
	instance += pid + 1;
	time = strspn(instance, DIGITS);
	return time >= MIN_TIME_DIGITS && !instance[time];
}

/*
 * Remove the instances that nobody locks: their owners do not run any more. This holds for a
 * run in a container as well, which does not know the processes outside.
 */
static void clear_dead_instances(void)
{
	DIR *dir = fdopendir(dup(instances));
	struct dirent *entry;
	int fd;

	while (dir && (entry = readdir(dir))) {
		if (!is_own_name(entry->d_name))
			continue;
		fd = openat(instances, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		/* The lock is held until the instance is removed. */
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
			clear_instance(entry->d_name);
		if (fd >= 0)
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Create the instance and lock it. Return false if another run removed it before that. */
static bool try_create(void)
{
	struct stat found;

	if (mkdirat(instances, name, 0700) && errno != EEXIST)
		die("cannot create an instance of tracing: %s%s", strerror(errno),
		    errno == EACCES || errno == EPERM ? ": run fgraph as root" : "");
	instance = openat(instances, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (instance < 0 && errno != ENOENT)
		die("cannot open the instance of tracing: %s", strerror(errno));
	if (instance < 0)
		return false;
	if (flock(instance, LOCK_EX | LOCK_NB) && errno != EWOULDBLOCK)
		die("cannot lock the instance of tracing: %s", strerror(errno));
	if (!flock(instance, LOCK_EX | LOCK_NB) && !fstatat(instances, name, &found, 0))
		return true;
	close(instance);
	return false;
}

/* A process of another container may have the same ID, so the time is a part of the name. */
static void set_name(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(name, sizeof(name), PREFIX "%d-%010lld%09ld", getpid(), (long long)now.tv_sec,
		 now.tv_nsec);
}

void create_instance(void)
{
	open_tracefs();
	instances = openat(tracefs_dir(), "instances", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (instances < 0)
		die("cannot open %s/instances: %s", tracefs_path(), strerror(errno));
	clear_dead_instances();
	set_name();
	start_guard(clean_up, instances);
	while (!try_create())
		;
}

void remove_instance(void)
{
	close(instance);
	end_guard();
}

bool instance_has_probes(void)
{
	return !faccessat(tracefs_dir(), "kprobe_events", F_OK, 0);
}

int add_line_probe(uint64_t address, unsigned int number)
{
	return add_kprobe_line(name, address, number);
}

int add_return_probe(const char *func)
{
	return add_kprobe_return(name, func);
}

void enable_probes(void)
{
	int error = write_probes(instance, name, "1");

	if (error)
		die("the probes of the instance cannot be enabled: %s", strerror(error));
}

unsigned long long traced_calls(void)
{
	char *text = read_file(tracefs_dir(), "function_tracers"), *at = NULL;
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
	return print_text("%d %d", getpid(), guard_pid());
}
