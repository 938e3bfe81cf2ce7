// SPDX-License-Identifier: GPL-2.0
/*
 * The file of the report. It is written beside the file that it replaces, so that this is
 * lost only when there is something in its place, and only its owner can read it: the values
 * in it may be secrets.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fgraph.h"
#include "record.h"

/* The file that the report replaces, and the file beside it, which is still to be renamed */
static char *target, *beside;

static void __noreturn refuse_file(int error)
{
	die("-o %s: %s", options.file, strerror(error));
}

/* The file behind a link. Another user must not choose which file root replaces. */
static char *find_target(const char *file)
{
	struct stat found;
	char *path;

	if (lstat(file, &found) || !S_ISLNK(found.st_mode))
		return copy_text(file);
	if (found.st_uid != geteuid() && found.st_uid)
		die("-o %s: a symbolic link of another user", file);
	path = realpath(file, NULL);
	if (!path)
		refuse_file(errno);
	return path;
}

/* Not all exits keep the report. */
static void remove_beside(void)
{
	if (beside)
		unlink(beside);
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
	atexit(remove_beside);
	return fd;
}

static FILE *open_file(void)
{
	struct stat found;
	int fd;

	target = find_target(options.file);
	/* A device or a FIFO stays. */
	if (!stat(target, &found) && !S_ISREG(found.st_mode))
		fd = open(target, O_WRONLY | O_CLOEXEC);
	else
		fd = open_beside();
	if (fd < 0)
		refuse_file(errno);
	return fdopen(fd, "w");
}

void open_report(void)
{
	/* The output of a command that is traced goes where it goes without fgraph. */
	options.report = options.cmd && command->run == run_trace ? stderr : stdout;
	if (command == &record_command && !options.file)
		options.file = TRACE_FILE;
	if (options.file)
		options.report = open_file();
	if (!options.report)
		refuse_file(errno);
	set_color();
}

void keep_report(void)
{
	if (!beside)
		return;
	if (rename(beside, target))
		refuse_file(errno);
	free(beside);
	beside = NULL;
}
