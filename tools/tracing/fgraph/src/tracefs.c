// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracefs.h"
#include "util.h"

static const char *path;
static int tracefs = -1;

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

void open_tracefs(void)
{
	path = find_tracefs();
	if (!path)
		die("tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
	tracefs = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (tracefs < 0)
		die("cannot open %s: %s%s", path, strerror(errno),
		    errno == EACCES || errno == EPERM ? ": run fgraph as root" : "");
}

const char *tracefs_path(void)
{
	return path;
}

int tracefs_dir(void)
{
	return tracefs;
}

int write_file(int dir, const char *file, const char *text, int flags)
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

char *read_file(int dir, const char *name)
{
	size_t size = 0, room = 4096;
	char *text = allocate(room);
	ssize_t length = -1;
	int fd;

	fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		while ((length = read(fd, text + size, room - size - 1)) > 0) {
			size += length;
			text[size] = '\0';
			if (room - size < 2048)
				text = realloc(text, room *= 2);
			if (!text)
				die("out of memory");
		}
		close(fd);
	}
	if (length >= 0)
		return text;
	free(text);
	return NULL;
}

bool function_matches(const char *text, const char *glob)
{
	char *name = print_text("%.*s", (int)strcspn(text, "\n "), text);
	bool matches = !fnmatch(glob, name, 0);

	free(name);
	return matches;
}

bool function_exists(const char *glob)
{
	char *functions = read_file(tracefs_dir(), "available_filter_functions"), *at;
	bool found = !functions;

	for (at = functions; at && *at && !found; at += *at == '\n') {
		found = function_matches(at, glob);
		at += strcspn(at, "\n");
	}
	free(functions);
	return found;
}
