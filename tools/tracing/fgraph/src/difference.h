/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls that differ between two runs.
 */
#ifndef FGRAPH_DIFFERENCE_H
#define FGRAPH_DIFFERENCE_H

#include "part.h"

/**
 * enum weight - what a difference says about the failure of the bad run
 * @FAILS:	the system call fails in the bad run, and not with this error in the good one
 * @FAILS_ALONE: it fails, and the good run has no such system call
 * @OTHER_RESULT: it fails in the good run alone, or one of them has nothing as its result
 * @MINOR:	a value differs, or one run lacks the system call
 * @NR_WEIGHTS:	how many there are; also for what does not differ
 */
enum weight { FAILS, FAILS_ALONE, OTHER_RESULT, MINOR, NR_WEIGHTS };

/**
 * struct difference - a system call that differs
 * @strands:	the threads
 * @root:	the system call, in one run or in both
 * @weight:	what it says
 * @before:	how many system calls of the thread are equal before it
 */
struct difference {
	struct pair	strands;
	struct pair	root;
	enum weight	weight;
	size_t		before;
};

/**
 * struct differences - those of two runs
 * @list:	in the order of their weight, then of the trace
 * @count:	how many there are
 * @equal:	how many system calls have equal arguments and results
 * @chance:	how many differ between runs of one side as well
 */
struct differences {
	struct difference	*list;
	size_t			count;
	size_t			equal, chance;
};

/* Find the system calls that differ. */
struct differences find_differences(const struct runs *runs);

#endif
