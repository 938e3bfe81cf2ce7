// SPDX-License-Identifier: GPL-2.0
/*
 * The file of the report is written beside the file that it replaces, so that this is
 * lost only when there is something in its place, and only its owner can read it: the values
 * in it may be secrets.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "output.h"
#include "util.h"

/* The file that the report replaces, and the file beside it, which is still to be renamed */
static char *target, *volatile beside;

static void __noreturn refuse_file(int error)
{
	die("-o %s: %s", options.file, strerror(error));
}

/* Open a file that is not replaced: a device, a FIFO, or what a link below /dev is about. */
static int open_as_is(int flags)
{
	return open(options.file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0600);
}

/* True if @path is a file, or not there yet, and replaces the file that a link is about. */
static bool is_replaced(const char *path)
{
	struct stat found;

	return path && !stat(path, &found) && S_ISREG(found.st_mode) &&
	       strncmp(options.file, "/dev/", 5) && strncmp(options.file, "/proc/", 6);
}

/* Not all exits keep the report. */
static void remove_beside(void)
{
	if (beside)
		unlink(beside);
}

/* A signal ends the program as without this, but not before the file is removed. */
static void end_by_signal(int signal_number)
{
	remove_beside();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void remove_beside_at_end(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	size_t i;

	atexit(remove_beside);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		if (signal(signals[i], end_by_signal) == SIG_IGN)
			signal(signals[i], SIG_IGN);
}

/* Open a file with a random name. Return its descriptor. */
static int open_beside(void)
{
	int fd;

	beside = print_text("%s.XXXXXX", target);
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0) {
		free(beside);
		beside = NULL;
		refuse_file(errno);
	}
	remove_beside_at_end();
	return fd;
}

/* Another user must not choose which file root replaces. */
static int open_link(const struct stat *link)
{
	if (link->st_uid != geteuid() && link->st_uid)
		die("-o %s: a symbolic link of another user", options.file);
	target = realpath(options.file, NULL);
	return is_replaced(target) ? open_beside() : open_as_is(0);
}

static FILE *open_file(void)
{
	struct stat found;
	int fd;

	if (lstat(options.file, &found) || S_ISREG(found.st_mode)) {
		target = copy_text(options.file);
		fd = open_beside();
	} else if (S_ISLNK(found.st_mode)) {
		fd = open_link(&found);
	} else {
		fd = open_as_is(O_NOFOLLOW);
	}
	if (fd < 0)
		refuse_file(errno);
	return fdopen(fd, "w");
}

void open_report(FILE *otherwise)
{
	options.report = options.file ? open_file() : otherwise;
	if (!options.report)
		refuse_file(errno);
	set_color();
}

void finish_report(void)
{
	if (fflush(options.report) || ferror(options.report))
		die("cannot write the report: %s", strerror(errno ?: EIO));
}

void keep_report(void)
{
	char *renamed = beside;

	if (!renamed)
		return;
	if (rename(renamed, target))
		refuse_file(errno);
	/* A signal may come at any time. */
	beside = NULL;
	free(renamed);
}
