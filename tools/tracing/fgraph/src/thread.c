// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "thread.h"
#include "tracefs.h"
#include "util.h"

#define BUCKETS	1024

/**
 * struct thread - a thread whose process is known
 * @next:	another one
 * @tid:	its ID
 * @pid:	its process
 */
struct thread {
	struct thread	*next;
	pid_t		tid;
	pid_t		pid;
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

bool is_known_thread(pid_t tid)
{
	return *find_link(tid);
}

/* Read what the kernel knows now. A later look at another thread finds it here. */
static void read_processes(void)
{
	char *text = read_file(tracefs_dir(), "saved_tgids"), *line, *rest;
	int tid, pid;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		if (sscanf(line, "%d %d", &tid, &pid) == 2 && pid)
			set_process(tid, pid);
	free(text);
}

pid_t process_of(pid_t tid)
{
	struct thread *thread = *find_link(tid);

	if (!thread && options.live) {
		read_processes();
		/* What the kernel does not know now is not asked for again. */
		if (!*find_link(tid))
			set_process(tid, tid);
		thread = *find_link(tid);
	}
	return thread ? thread->pid : tid;
}
