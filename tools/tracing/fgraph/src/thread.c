// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "text.h"
#include "thread.h"
#include "tracefs.h"
#include "util.h"

#define BUCKETS		1024

/* How often the kernel is asked about a thread */
#define MAX_TRIES	5

/**
 * struct thread - a thread whose process is known
 * @next:	another one
 * @tid:	its ID
 * @pid:	its process
 * @seen:	is_new_thread() was called for it
 */
struct thread {
	struct thread	*next;
	pid_t		tid;
	pid_t		pid;
	bool		seen;
};

static struct thread *threads[BUCKETS];

static struct thread **find_link(pid_t tid)
{
	struct thread **link = &threads[(unsigned int)tid % BUCKETS];

	while (*link && (*link)->tid != tid)
		link = &(*link)->next;
	return link;
}

void set_process(pid_t tid, pid_t pid)
{
	struct thread **link = find_link(tid);

	if (!*link) {
		*link = allocate(sizeof(**link));
		(*link)->tid = tid;
	}
	(*link)->pid = pid;
}

void forget_thread(pid_t tid)
{
	struct thread **link = find_link(tid), *thread = *link;

	if (!thread)
		return;
	*link = thread->next;
	free(thread);
}

static bool is_known_thread(pid_t tid)
{
	return *find_link(tid);
}

/*
 * Copy the rest of the line about a thread, such as "58 57"; NULL if the kernel does not know it.
 * The caller frees it. Other lines may be about threads that ended, whose IDs will be used again.
 */
static char *copy_saved(const char *file, pid_t tid)
{
	char *text = read_file(tracefs_dir(), file), *begin = print_text("\n%d ", tid);
	const char *at = text;
	char *found = NULL;

	if (text && strncmp(text, begin + 1, strlen(begin + 1)))
		at = strstr(text, begin);
	if (at) {
		at += strspn(at, "\n");
		at = strchr(at, ' ') + 1;
		found = print_text("%.*s", (int)strcspn(at, "\n"), at);
	}
	free(begin);
	free(text);
	return found;
}

static void read_process(pid_t tid)
{
	char *text = copy_saved("saved_tgids", tid);
	pid_t pid = text ? atoi(text) : 0;

	if (pid)
		set_process(tid, pid);
	free(text);
}

/* A thread that ended has left its CPU, and then the kernel remembers its name, too. */
char *copy_thread_name(pid_t tid)
{
	char *path = print_text("/proc/%d/comm", tid);
	char *name = read_file(AT_FDCWD, path) ?: copy_saved("saved_cmdlines", tid);

	free(path);
	if (!name)
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	clean_text(name);
	return name;
}

static void look_at_thread(pid_t tid)
{
	char *path = print_text("/proc/%d/status", tid), *text, *at;
	int pid;

	text = read_file(AT_FDCWD, path);
	at = text ? strstr(text, "\nTgid:") : NULL;
	if (at && sscanf(at, "\nTgid:%d", &pid) == 1)
		set_process(tid, pid);
	free(text);
	free(path);
}

/*
 * A thread is in /proc until it dies. The kernel remembers it when it leaves its CPU. Between the
 * two is a moment.
 */
static void find_process(pid_t tid)
{
	unsigned int tries;

	for (tries = 0; tries < MAX_TRIES && !is_known_thread(tid); tries++) {
		usleep(tries * 1000);
		look_at_thread(tid);
		if (!is_known_thread(tid))
			read_process(tid);
	}
	if (!is_known_thread(tid))
		set_process(tid, tid);
}

bool is_new_thread(pid_t tid)
{
	struct thread *thread;
	bool is_new;

	if (!is_known_thread(tid))
		find_process(tid);
	thread = *find_link(tid);
	is_new = !thread->seen;
	thread->seen = true;
	return is_new;
}

pid_t process_of(pid_t tid)
{
	if (options.live && !is_known_thread(tid))
		find_process(tid);
	return is_known_thread(tid) ? (*find_link(tid))->pid : tid;
}
