/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of functions, as trees. The root of a tree is a system call, or the first function
 * of an interrupt that is recorded.
 */
#ifndef FGRAPH_CALL_H
#define FGRAPH_CALL_H

#include <stdbool.h>
#include <sys/types.h>

#include "line.h"

/**
 * struct call - a call that was recorded
 * @parent:	the call that encloses it, or NULL
 * @outer:	the open call at its entry. It encloses this one unless this one is in an
 *		interrupt, whose first functions are not recorded.
 * @first:	the first call in it
 * @last:	the last call in it
 * @previous:	the call before it in @parent
 * @next:	the next call in @parent
 * @depth:	how many calls enclose it
 * @order:	calls that returned earlier have a lower number
 * @func:	function, with its module
 * @args:	arguments, see struct line; NULL if not known
 * @caller:	its return address, see struct line; NULL if not known
 * @ret:	result, NULL if there is none
 * @results:	members that were read at the return, or NULL
 * @error:	the error that is the result, such as -22, or 0
 * @error_name:	its name, such as EINVAL
 * @is_negated:	the result is @error without its sign
 * @got_error:	an argument is this error as well, so that it does not come from this call
 * @time_us:	when it was called, in the clock of the trace, if the trace contains it
 * @end_us:	when it returned, 0 if its return has no line of its own
 * @ns:		duration
 * @slept_ns:	how long the task slept in it
 * @missed:	calls in this one were not recorded
 */
struct call {
	struct call		*parent, *outer, *first, *last, *previous, *next;
	unsigned int		depth;
	unsigned long		order;
	char			*func;
	char			*args;
	char			*caller;
	char			*ret;
	char			*results;
	int			error;
	char			error_name[24];
	bool			is_negated;
	bool			got_error;
	unsigned long long	time_us;
	unsigned long long	end_us;
	unsigned long long	ns;
	unsigned long long	slept_ns;
	bool			missed;
};

/**
 * struct moment - when a call was
 * @time_us:	its begin, in the clock of the trace
 * @ns:		its duration
 */
struct moment {
	unsigned long long	time_us;
	unsigned long long	ns;
};

/* Linux has no larger error number. */
#define MAX_ERRNO	4095

/* The kernel does not know the name of a task that did not sleep yet. */
#define UNKNOWN_TASK	"<...>"

struct finding;
struct message;
struct way;

/**
 * struct client - the thread of a command for which a task of the kernel works
 * @tid:	its ID, 0 if it is not known
 * @name:	its name
 */
struct client {
	pid_t			tid;
	char			name[16];
};

/**
 * struct task - a thread in the trace
 * @next:	another thread
 * @pid:	its ID
 * @name:	its name at its last call
 * @old_name:	its name before it executed a program. The kernel may show it for a while.
 * @open:	the innermost call that did not return yet
 * @is_worker:	it does the work of others, see work.h
 * @client:	for whom it works then
 * @ended:	it ended, as a file says, so its ID may become that of another thread
 * @failure:	what why found out about the failure that may be the reason of what comes next
 * @failed:	when this failure was
 * @failure_rank: its rank, see rank.h
 * @messages:	what the kernel logged, see message.h
 * @open_ways:	the ways of calls that did not return yet, see way.h
 * @ways:	those of calls that returned, in the system call that is open
 * @tracks:	what json wrote about the calls of the thread, and of interrupts in it
 */
struct task {
	struct task		*next;
	pid_t			pid;
	char			name[16];
	char			old_name[16];
	struct call		*open;
	bool			is_worker;
	struct client		client;
	bool			ended;
	struct finding		*failure;
	struct moment		failed;
	int			failure_rank;
	struct message		*messages;
	struct way		*open_ways, *ways;
	struct {
		bool			has_name;
		unsigned long long	end_ns;
	} tracks[2];
};

/**
 * find_task - find the thread of a line, or add it
 * @line:	a line with a task
 */
struct task *find_task(const struct line *line);

/* Name a thread whose lines have no name. */
void set_task_name(pid_t pid, const char *name);

/**
 * add_line - put a line into the tree of calls of its thread
 * @task:	the thread
 * @line:	an entry, a leaf or a return
 *
 * Return: the root if the line completes a tree, or NULL. Free it by free_call().
 */
struct call *add_line(struct task *task, const struct line *line);

/*
 * Forget the calls that did not return yet. After events were lost, what follows may belong
 * to other calls of the same functions.
 */
void forget_open_calls(void);

/* Name a thread by the program that it executes, if a line is the event of that. */
void use_exec(const struct line *line);

/* Forget a thread that ended. */
void free_task(struct task *task);

/* Forget all threads: what follows is another trace. */
void free_all_tasks(void);

/**
 * next_call - the call after this one, of those in @root
 * @root:	where to look
 * @call:	@root, or a call in it
 *
 * A call comes before those in it. Return: NULL at the end.
 */
struct call *next_call(const struct call *root, const struct call *call);

void free_call(struct call *root);

/* When a call was */
struct moment moment_of(const struct call *call);

/* How long a call took outside the calls in it */
unsigned long long self_ns(const struct call *call);

/* When a call began, in the clock of the trace. The lines of the trace have times in us. */
unsigned long long begin_ns(const struct call *call);

#endif
