/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calls and threads of two runs are the same.
 */
#ifndef FGRAPH_PAIR_H
#define FGRAPH_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "forest.h"

/* A call that the other run lacks has no partner. */
#define NO_CALL		((size_t)-1)

/**
 * struct pair - a call in each run
 * @good:	in the good one
 * @bad:	in the bad one
 */
struct pair {
	size_t		good, bad;
};

/**
 * struct pairs - what the runs called, in order
 * @list:	the pairs, of which some are only one call
 * @count:	how many there are
 */
struct pairs {
	struct pair	*list;
	size_t		count;
};

/* The runs */
struct runs {
	struct forest	*good, *bad;
};

static inline const struct node *good_node(const struct runs *runs, struct pair pair)
{
	return pair.good == NO_CALL ? NULL : runs->good->nodes + pair.good;
}

static inline const struct node *bad_node(const struct runs *runs, struct pair pair)
{
	return pair.bad == NO_CALL ? NULL : runs->bad->nodes + pair.bad;
}

static inline bool is_both(struct pair pair)
{
	return pair.good != NO_CALL && pair.bad != NO_CALL;
}

/* Pair the threads of two runs: numbers in struct forest, of which one may be NO_CALL. */
struct pairs pair_strands(const struct runs *runs);

/* Pair the calls of two threads, or those in two calls. The caller frees the list. */
struct pairs pair_roots(const struct runs *runs, struct pair strands);
struct pairs pair_inner(const struct runs *runs, struct pair calls);

#endif
