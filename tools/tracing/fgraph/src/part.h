/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where two runs part: how the calls that are the same in both differ.
 */
#ifndef FGRAPH_PART_H
#define FGRAPH_PART_H

#include <stdbool.h>

#include "pair.h"

/**
 * enum contrast - how much two calls of a function differ
 * @SAME:	they have the same arguments and results
 * @OTHER_VALUE: a value is another one
 * @OTHER_OUTCOME: one returned NULL, false or 0, and the other one something else
 * @OTHER_ERROR: one failed, and the other one did not, or with another error
 */
enum contrast { SAME, OTHER_VALUE, OTHER_OUTCOME, OTHER_ERROR };

/* Compare the results of two calls. */
enum contrast compare_results(const struct runs *runs, struct pair pair);

/* Return true if the arguments of two calls differ. */
bool have_other_args(const struct runs *runs, struct pair pair);

/**
 * find_part - find where two calls part
 * @runs:	the runs
 * @root:	the calls, of which each has a result of its own
 *
 * Return: a path from the calls to two calls of a function in them, from whose own code the
 * difference comes as far as is known. The caller frees the list.
 */
struct pairs find_part(const struct runs *runs, struct pair root);

/* Return true if the runs are of different kernels. */
bool have_other_kernels(const struct runs *runs);

/* Return true if a run has a call of the function of a node. */
bool has_function(const struct forest *forest, const struct node *node);

/**
 * mark_chance - mark what differs between two runs that should be equal
 * @runs:	the runs; @good gets the marks
 */
void mark_chance(const struct runs *runs);

#endif
