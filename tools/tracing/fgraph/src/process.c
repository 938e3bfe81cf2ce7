// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "process.h"
#include "tracefs.h"
#include "util.h"

/* Their directories in /proc. They do not become those of another process with the same ID. */
static int *processes;
static unsigned int process_count;

void open_processes(const char *pids)
{
	char *copy = copy_text(pids), *pid, *rest, *path;
	int fd;

	for (pid = strtok_r(copy, ",", &rest); pid; pid = strtok_r(NULL, ",", &rest)) {
		path = print_text("/proc/%u", parse_number('p', pid));
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			die("-p %s: no such process", pid);
		processes = realloc(processes, (process_count + 1) * sizeof(*processes));
		if (!processes)
			die("out of memory");
		processes[process_count++] = fd;
		free(path);
	}
	free(copy);
	if (!process_count)
		die("-p needs process IDs, with a comma between them");
}

/* Add a process ID to a list. */
static void add_to_list(char **list, const char *pid)
{
	char *longer = print_text("%s%s ", *list, pid);

	free(*list);
	*list = longer;
}

char *list_threads(void)
{
	char *list = copy_text("");
	struct dirent *entry;
	unsigned int i;
	DIR *dir;

	for (i = 0; i < process_count; i++) {
		dir = fdopendir(openat(processes[i], "task", O_RDONLY | O_CLOEXEC));
		while (dir && (entry = readdir(dir)))
			if (entry->d_name[0] != '.')
				add_to_list(&list, entry->d_name);
		if (dir)
			closedir(dir);
	}
	return list;
}

/* Return true if a process is a worker of the kernel, or the one that creates workers. */
static bool is_worker(const char *pid)
{
	char *path = print_text("/proc/%s/comm", pid), *name = read_file(AT_FDCWD, path);
	bool found = name && (!strncmp(name, "kworker/", strlen("kworker/")) ||
			      !strcmp(name, "kthreadd\n"));

	free(name);
	free(path);
	return found;
}

char *list_workers(void)
{
	char *list = copy_text("");
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name) && is_worker(entry->d_name))
			add_to_list(&list, entry->d_name);
	if (dir)
		closedir(dir);
	return list;
}

/* Return false once the process exited or is a zombie, even if its ID is used again. */
static bool process_runs(int dir)
{
	char *text = read_file(dir, "stat"), *state;
	bool runs = false;

	state = text ? strrchr(text, ')') : NULL;
	if (state)
		runs = !strchr("ZX", state[2]);
	free(text);
	return runs;
}

bool one_runs(void)
{
	unsigned int i;

	for (i = 0; i < process_count; i++)
		if (process_runs(processes[i]))
			return true;
	return false;
}
