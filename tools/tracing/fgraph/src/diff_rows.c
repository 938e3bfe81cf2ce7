// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "diff_rows.h"
#include "explain.h"
#include "options.h"
#include "root.h"
#include "stream.h"
#include "text.h"
#include "util.h"

/* How many rows there are at most about what the calls do where the runs part */
#define MAX_INNER	16

static struct row *add_row(struct rows *rows, unsigned int depth, char *good, char *bad)
{
	rows->list = reallocate(rows->list, (rows->count + 1) * sizeof(*rows->list));
	rows->list[rows->count] = (struct row){ .depth = depth, .good = good, .bad = bad };
	return &rows->list[rows->count++];
}

bool is_same_row(const struct row *row)
{
	return row->good && row->bad && !strcmp(row->good, row->bad);
}

void free_rows(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++) {
		free(rows->list[i].good);
		free(rows->list[i].bad);
	}
	free(rows->list);
}

/* Describe a call as why does, with its result or without. NULL if there is no call. */
static char *describe(const struct forest *forest, size_t nr, bool has_result)
{
	struct call *call;
	struct text text;
	FILE *out;

	if (nr == NO_CALL)
		return NULL;
	call = copy_node(forest->nodes + nr);
	out = open_text(&text);
	if (forest->nodes[nr].is_described) {
		fputs(text_of(forest->nodes[nr].args), out);
	} else {
		fputs(call->func, out);
		print_args(out, call->args);
	}
	if (has_result)
		print_result(out, call);
	free_call(call);
	return close_text(&text);
}

struct row describe_pair(const struct runs *runs, struct pair root)
{
	return (struct row){
		.good	= describe(runs->good, root.good, true),
		.bad	= describe(runs->bad, root.bad, true),
	};
}

/* The value of an argument: the text that it stands for, or what follows the name */
static char *copy_value(const char *arg, size_t length)
{
	const char *begin = memchr(arg, '"', length);
	const char *end = begin ? memrchr(arg, '"', length) : NULL;

	if (end > begin)
		return print_text("%.*s", (int)(end - begin), begin);
	begin = memchr(arg, '=', length) ?: arg;
	return print_text("%.*s", (int)(arg + length - begin), begin);
}

/* Return true if the first arguments differ and were not seen yet. Add them to @seen. */
static bool is_new_difference(const char *good, const char *bad, char **seen)
{
	char *good_value = copy_value(good, strcspn(good, ","));
	char *bad_value = copy_value(bad, strcspn(bad, ","));
	char *values = print_text("\n%s\n%s\n", good_value, bad_value), *longer;
	bool is_new = strcmp(good_value, bad_value) && !strstr(*seen, values);

	if (is_new) {
		longer = print_text("%s%s", *seen, values);
		free(*seen);
		*seen = longer;
	}
	free(good_value);
	free(bad_value);
	free(values);
	return is_new;
}

/* Return true if two texts of a call have arguments that differ as none in @seen. */
static bool have_new_difference(const char *good, const char *bad, char **seen)
{
	bool found = false, differ = strcmp(good, bad), any = false;

	while (good && bad) {
		any |= strncmp(good, bad, strcspn(good, ",") + 1);
		found |= is_new_difference(good, bad, seen);
		good = strchr(good, ',');
		bad = strchr(bad, ',');
		good += !!good;
		bad += !!bad;
	}
	/* The difference may be in a text with a comma. */
	return found || good || bad || (differ && !any);
}

/* Add a name to the row of those that enclose the next row, or begin such a row. */
static void add_name(struct rows *rows, bool in_row, unsigned int depth, const char *name)
{
	struct row *row = in_row ? &rows->list[rows->count - 1] : add_row(rows, depth, NULL, NULL);
	char *longer = print_text("%s%s%s", row->good ?: "", row->good ? " → " : "", name);

	free(row->good);
	free(row->bad);
	row->good = longer;
	row->bad = copy_text(longer);
}

/*
 * Add the calls that enclose the last one. Those with equal arguments, or that differ as an outer
 * one does, are names in a row. Return the depth of the last one.
 */
static unsigned int add_enclosing(struct rows *rows, const struct runs *runs,
				  const struct pairs *path)
{
	char *seen = copy_text(""), *good, *bad;
	unsigned int depth = 0;
	bool in_row = false;
	size_t i;

	for (i = 0; i + 1 < path->count; i++) {
		good = describe(runs->good, path->list[i].good, false);
		bad = describe(runs->bad, path->list[i].bad, false);
		if (have_new_difference(good, bad, &seen) || !i || options.verbose) {
			add_row(rows, depth++, good, bad);
			in_row = false;
			continue;
		}
		add_name(rows, in_row, depth, text_of(good_node(runs, path->list[i])->func));
		depth += !in_row;
		in_row = true;
		free(good);
		free(bad);
	}
	free(seen);
	return depth;
}

/* A call that failed, with those in it that returned the error */
static char *describe_failing(const struct forest *forest, size_t nr)
{
	struct call *call = copy_call(forest, nr);
	struct text text;
	char *chain;

	print_chain(open_text(&text), call, true);
	chain = close_text(&text);
	chain[strcspn(chain, "\n")] = '\0';
	free_call(call);
	return chain;
}

/* A call of one run, of a function that the other run does not call at all. Frees the text. */
static char *add_note(const struct runs *runs, const struct forest *other,
		      const struct node *node, char *text)
{
	char *longer;

	if (!have_other_kernels(runs) || has_function(other, node))
		return text;
	longer = print_text("%s  (nowhere in the other trace)", text);
	free(text);
	return longer;
}

/* A call that one run alone makes */
static void add_lone_row(struct rows *rows, const struct runs *runs, struct pair pair,
			 unsigned int depth)
{
	const struct node *node = good_node(runs, pair) ?: bad_node(runs, pair);
	const struct forest *own = pair.bad == NO_CALL ? runs->good : runs->bad;
	const struct forest *other = pair.bad == NO_CALL ? runs->bad : runs->good;
	char *text;

	if (own == runs->bad && node->error)
		text = describe_failing(own, pair.bad);
	else
		text = describe(own, node - own->nodes, true);
	text = add_note(runs, other, node, text);
	add_row(rows, depth, own == runs->good ? text : NULL, own == runs->bad ? text : NULL);
}

/* A call without a result decides nothing. */
static bool is_shown(const struct runs *runs, struct pair pair)
{
	const struct node *good = good_node(runs, pair), *bad = bad_node(runs, pair);

	if (is_both(pair))
		return compare_results(runs, pair) != SAME;
	return (good ?: bad)->ret && !(good ?: bad)->is_chance;
}

/* Add the calls in the calls where the runs part, as far as they differ. */
static void add_inner(struct rows *rows, const struct runs *runs, struct pair part,
		      unsigned int depth)
{
	struct pairs inner = pair_inner(runs, part);
	size_t i, end = rows->count + (options.verbose ? inner.count : MAX_INNER);

	for (i = 0; i < inner.count && rows->count < end; i++) {
		struct pair pair = inner.list[i];

		if (!is_shown(runs, pair))
			continue;
		if (!is_both(pair))
			add_lone_row(rows, runs, pair, depth);
		else
			add_row(rows, depth, describe(runs->good, pair.good, true),
				describe(runs->bad, pair.bad, true));
	}
	if (i < inner.count)
		add_row(rows, depth, copy_text("…"), copy_text("…"));
	free(inner.list);
}

struct rows explain_difference(const struct runs *runs, const struct difference *difference,
			       struct pair *part)
{
	struct rows rows = { NULL, 0 };
	unsigned int depth;
	struct pairs path;

	*part = difference->root;
	if (!is_both(*part)) {
		add_row(&rows, 0, describe(runs->good, part->good, true),
			describe(runs->bad, part->bad, true))->is_part = true;
		if (part->bad != NO_CALL && bad_node(runs, *part)->error &&
		    bad_node(runs, *part)->size > 1)
			add_row(&rows, 1, NULL, describe_failing(runs->bad, part->bad));
		return rows;
	}
	path = find_part(runs, difference->root);
	*part = path.list[path.count - 1];
	depth = add_enclosing(&rows, runs, &path);
	add_row(&rows, depth, describe(runs->good, part->good, true),
		describe(runs->bad, part->bad, true))->is_part = true;
	add_inner(&rows, runs, *part, depth + 1);
	free(path.list);
	return rows;
}
