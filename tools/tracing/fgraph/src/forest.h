/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All calls of a recording, in little memory: 48 bytes for each, and each text once.
 */
#ifndef FGRAPH_FOREST_H
#define FGRAPH_FOREST_H

#include <stdbool.h>
#include <sys/types.h>

#include "numbers.h"
#include "recording.h"

/**
 * struct node - a call
 * @size:	how many calls it is, with those in it, which follow it
 * @func:	function: the number of a text
 * @name:	its name as it is compared, see number_function()
 * @args:	arguments, the number of a text
 * @is_described: it is a system call: @args is its description without the result
 * @ret:	result, and members that were read at the return: the number of a text
 * @key:	arguments as they are compared: without what differs from run to run
 * @value:	the result as it is compared
 * @error:	the error that is the result, such as -22, or 0
 * @is_negated:	see struct call
 * @got_error:	see struct call
 * @missed:	see struct call
 * @args_vary:	the arguments differ between runs that should be equal
 * @value_varies: the value of the result does
 * @outcome_varies: whether the call fails does, or whether its result is nothing
 * @other_error: the error in such a run
 * @is_chance:	such a run may lack the call
 * @hash:	of the call and those in it: equal calls have the same
 */
struct node {
	unsigned int		size;
	unsigned int		func, name, args, ret;
	unsigned int		key, value;
	short			error, other_error;
	bool			is_described : 1;
	bool			is_negated : 1;
	bool			got_error : 1;
	bool			missed : 1;
	bool			args_vary : 1;
	bool			value_varies : 1;
	bool			outcome_varies : 1;
	bool			is_chance : 1;
	unsigned long long	hash;
};

/**
 * struct strand - the calls of a thread that no other one encloses
 * @pid:	the thread
 * @name:	its name at its last call
 * @roots:	their numbers
 * @count:	how many there are
 */
struct strand {
	pid_t		pid;
	char		name[16];
	unsigned int	*roots;
	size_t		count;
};

/**
 * struct forest - the calls of a recording
 * @recording:	what the file says about it
 * @nodes:	the calls: a root and those in it, then the next root
 * @count:	how many there are
 * @strands:	the threads, in the order of their first calls
 * @nr_strands:	how many there are
 * @has_name:	whether a call has this name, for the numbers of names up to @nr_names
 * @nr_names:	see @has_name
 */
struct forest {
	struct recording	recording;
	struct node		*nodes;
	size_t			count;
	struct strand		*strands;
	size_t			nr_strands;
	bool			*has_name;
	size_t			nr_names;
};

/* Read a file of record. Ends the program if it is another file. */
struct forest *read_forest(const char *name);

void free_forest(struct forest *forest);

/* A hash of numbers begins with this: FNV-1a, with words */
#define HASH_BEGIN	0xcbf29ce484222325ull

static inline unsigned long long add_to_hash(unsigned long long hash, unsigned long long word)
{
	return (hash ^ word) * 0x100000001b3ull;
}

/**
 * copy_call - make a call of a node
 * @forest:	where it is
 * @nr:		its number
 *
 * Return: the call with those in it, without times. Free it by free_call().
 */
struct call *copy_call(const struct forest *forest, unsigned int nr);

/* The same, without the calls in it */
struct call *copy_node(const struct node *node);

#endif
