// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "util.h"

/* The kernel's stacks are not deeper. A damaged file may be. */
#define MAX_DEPTH	1000

/* True if a result is nothing in the sense of C: NULL, false or 0. */
static bool is_nothing(const struct node *node)
{
	const char *text = text_of(node->value);

	return text && (!strcmp(text, "0") || !strcmp(text, "0x0") || !strcmp(text, "NULL") ||
			!strcmp(text, "false"));
}

static enum contrast compare_values(const struct node *good, const struct node *bad)
{
	if (good->error != bad->error)
		return OTHER_ERROR;
	if (is_nothing(good) != is_nothing(bad))
		return OTHER_OUTCOME;
	return good->value == bad->value ? SAME : OTHER_VALUE;
}

/* Return true if a run of the same side had the error of the other side, or none as well. */
static bool is_known_outcome(const struct node *node, const struct node *other)
{
	return node->outcome_varies && node->other_error == other->error;
}

enum contrast compare_results(const struct runs *runs, struct pair pair)
{
	const struct node *good = good_node(runs, pair), *bad = bad_node(runs, pair);
	enum contrast contrast = compare_values(good, bad);

	if (contrast == OTHER_VALUE && (good->value_varies || bad->value_varies))
		return SAME;
	if (contrast > OTHER_VALUE && (is_known_outcome(good, bad) || is_known_outcome(bad, good)))
		return SAME;
	return contrast;
}

bool have_other_args(const struct runs *runs, struct pair pair)
{
	const struct node *good = good_node(runs, pair), *bad = bad_node(runs, pair);

	return good->key != bad->key && !good->args_vary && !bad->args_vary;
}

static bool passed_error_on(const struct node *call, const struct node *inner)
{
	return call->error && inner->error == call->error && !inner->got_error;
}

/* Return true if one of two calls, of which one may be missing, is where an error came from. */
static bool passed_error(const struct runs *runs, struct pair pair, struct pair inner)
{
	return (inner.good != NO_CALL &&
		passed_error_on(good_node(runs, pair), good_node(runs, inner))) ||
	       (inner.bad != NO_CALL &&
		passed_error_on(bad_node(runs, pair), bad_node(runs, inner)));
}

/*
 * The pair of @inner in which the difference of @pair begins: the last one that returned the
 * error to it; else the first one with another outcome. NO_CALL if it begins in @pair itself, as
 * if only one run has the call that returned the error.
 */
static struct pair choose(const struct runs *runs, struct pair pair, const struct pairs *inner)
{
	struct pair found = { NO_CALL, NO_CALL };
	bool has_error = false;
	size_t i;

	for (i = 0; i < inner->count; i++) {
		struct pair next = inner->list[i];
		enum contrast contrast = is_both(next) ? compare_results(runs, next) : OTHER_ERROR;

		if (contrast == OTHER_ERROR && passed_error(runs, pair, next)) {
			found = is_both(next) ? next : (struct pair){ NO_CALL, NO_CALL };
			has_error = true;
		} else if (contrast >= OTHER_OUTCOME && is_both(next) && !has_error &&
			   !is_both(found)) {
			found = next;
		}
	}
	return found;
}

struct pairs find_part(const struct runs *runs, struct pair root)
{
	struct pairs path = { NULL, 0 }, inner;
	struct pair pair = root;

	while (is_both(pair)) {
		path.list = reallocate(path.list, (path.count + 1) * sizeof(*path.list));
		path.list[path.count++] = pair;
		inner = pair_inner(runs, pair);
		pair = choose(runs, pair, &inner);
		free(inner.list);
	}
	return path;
}

bool have_other_kernels(const struct runs *runs)
{
	const char *good = runs->good->recording.kernel, *bad = runs->bad->recording.kernel;

	return good && bad && strcmp(good, bad);
}

bool has_function(const struct forest *forest, const struct node *node)
{
	return node->name < forest->nr_names && forest->has_name[node->name];
}

static void mark_pairs(const struct runs *runs, struct pairs pairs, unsigned int depth);

static void mark_pair(const struct runs *runs, struct pair pair, unsigned int depth)
{
	struct node *node = runs->good->nodes + pair.good;
	const struct node *other = bad_node(runs, pair);
	enum contrast contrast;

	if (node->hash == other->hash)
		return;
	contrast = compare_values(node, other);
	node->args_vary |= node->key != other->key;
	node->value_varies |= contrast == OTHER_VALUE;
	if (contrast > OTHER_VALUE) {
		node->outcome_varies = true;
		node->other_error = other->error;
	}
	if (depth < MAX_DEPTH)
		mark_pairs(runs, pair_inner(runs, pair), depth + 1);
}

/* Frees the list. */
static void mark_pairs(const struct runs *runs, struct pairs pairs, unsigned int depth)
{
	size_t i;

	for (i = 0; i < pairs.count; i++) {
		if (is_both(pairs.list[i]))
			mark_pair(runs, pairs.list[i], depth);
		else if (pairs.list[i].good != NO_CALL)
			runs->good->nodes[pairs.list[i].good].is_chance = true;
	}
	free(pairs.list);
}

void mark_chance(const struct runs *runs)
{
	struct pairs strands = pair_strands(runs);
	size_t i;

	for (i = 0; i < strands.count; i++)
		if (strands.list[i].good != NO_CALL)
			mark_pairs(runs, pair_roots(runs, strands.list[i]), 0);
	free(strands.list);
}
