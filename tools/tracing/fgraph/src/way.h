/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way of a call through a function: the statements that it came to, see probe.h.
 */
#ifndef FGRAPH_WAY_H
#define FGRAPH_WAY_H

#include <stdbool.h>
#include <stddef.h>

struct call;
struct line;
struct task;

/**
 * enum reached - whether a call came to a statement
 * @NOT:	it did not
 * @DOUBTFUL:	it came to its code, but the statement did not begin
 * @BEGUN:	the statement began
 */
enum reached { NOT, DOUBTFUL, BEGUN };

/**
 * struct step - a step on a way
 * @number:	the number of the statement
 * @reached:	DOUBTFUL or BEGUN
 */
struct step {
	unsigned int	number;
	enum reached	reached;
};

/**
 * struct way - the way of a call
 * @next:	the one of the call that encloses it, or that returned before it
 * @begin_us:	when the call began, in the clock of the trace
 * @end_us:	when it returned
 * @error:	what it returned, such as -22
 * @reached:	what is known about each line, by number
 * @doubtful:	the number of the doubtful line that the call is in, see reach()
 * @steps:	the statements, in the order in which they began
 * @nr:		how many
 * @room:	for how many there is memory
 * @is_cut:	there were more at the begin
 */
struct way {
	struct way		*next;
	unsigned long long	begin_us;
	unsigned long long	end_us;
	int			error;
	enum reached		*reached;
	unsigned int		doubtful;
	struct step		*steps;
	size_t			nr, room;
	bool			is_cut;
};

/**
 * add_way_event - use an event of a probe
 * @task:	the thread
 * @line:	an event
 *
 * Return: false if it is an event of another kind.
 */
bool add_way_event(struct task *task, const struct line *line);

/**
 * find_way - find the way of a call
 * @task:	the thread
 * @call:	a call of the function with the probes, which returned an error
 *
 * Return: the way, or NULL if it was not recorded.
 */
struct way *find_way(const struct task *task, const struct call *call);

/* Forget the ways of a thread. */
void free_ways(struct task *task);

#endif
