// SPDX-License-Identifier: GPL-2.0
/*
 * Most lists are nearly equal: what they begin and end with is removed first. The rest is
 * divided at the elements that are once in each list. What remains is small, and gets an exact
 * answer; the elements of a part that is not small are taken as they come.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "util.h"

/* The exact answer takes a byte for each pair of elements. */
#define MAX_PAIRS	(4 << 20)

/**
 * struct anchor - an element that is once in each list
 * @key:	its key
 * @a:		where it is in the first list
 * @b:		where it is in the second one
 * @in_a:	how often it is there, 2 for more
 * @in_b:	the same
 * @before:	the anchor before it in the longest chain of anchors that ends with it
 */
struct anchor {
	unsigned long long	key;
	size_t			a, b;
	unsigned char		in_a, in_b;
	struct anchor		*before;
};

/* A table of anchors by their keys; its size is a power of two. */
struct table {
	struct anchor	*rows;
	size_t		mask;
};

static struct anchor *find_anchor(const struct table *table, unsigned long long key)
{
	size_t i = key * 0x9e3779b97f4a7c15ull >> 20;

	for (; ; i++) {
		struct anchor *row = &table->rows[i & table->mask];

		if ((!row->in_a && !row->in_b) || row->key == key)
			return row;
	}
}

static struct table count_keys(struct span a, struct span b)
{
	size_t size = 1, i;
	struct anchor *row;
	struct table table;

	while (size < 2 * (a.end - a.begin + b.end - b.begin))
		size *= 2;
	table = (struct table){ allocate(size * sizeof(*table.rows)), size - 1 };
	for (i = a.begin; i < a.end; i++) {
		row = find_anchor(&table, a.keys[i]);
		row->key = a.keys[i];
		row->a = i;
		row->in_a += row->in_a < 2;
	}
	for (i = b.begin; i < b.end; i++) {
		row = find_anchor(&table, b.keys[i]);
		row->key = b.keys[i];
		row->b = i;
		row->in_b += row->in_b < 2;
	}
	return table;
}

/*
 * The longest chain of anchors in which both places grow, by patience sorting: tops[i] ends the
 * best chain of i + 1 anchors. Return its last anchor.
 */
static struct anchor *find_chain(const struct table *table, struct span a)
{
	struct anchor **tops = allocate((a.end - a.begin) * sizeof(*tops) + 1), *row, *last;
	size_t nr = 0, i, low, high, middle;

	for (i = a.begin; i < a.end; i++) {
		row = find_anchor(table, a.keys[i]);
		if (row->in_a != 1 || row->in_b != 1)
			continue;
		for (low = 0, high = nr; low < high; ) {
			middle = (low + high) / 2;
			if (tops[middle]->b < row->b)
				low = middle + 1;
			else
				high = middle;
		}
		row->before = low ? tops[low - 1] : NULL;
		tops[low] = row;
		nr += low == nr;
	}
	last = nr ? tops[nr - 1] : NULL;
	free(tops);
	return last;
}

/* The next step through two lists: over a pair, or over an element of one of them */
enum step { PAIR, OVER_A, OVER_B, EITHER };

/*
 * For each place in the lists, find the step to a longest common subsequence of what follows.
 * @rows and @columns are the lengths of the lists.
 */
static unsigned char *find_steps(struct span a, struct span b, size_t rows, size_t columns)
{
	unsigned int *below = allocate((columns + 1) * sizeof(*below));
	unsigned int *row = allocate((columns + 1) * sizeof(*row)), *swapped;
	unsigned char *steps = allocate(rows * columns + 1), *step;
	size_t i, j;

	for (i = rows; i-- > 0; ) {
		for (j = columns; j-- > 0; ) {
			step = &steps[i * columns + j];
			if (a.keys[a.begin + i] == b.keys[b.begin + j])
				*step = PAIR;
			else if (below[j] == row[j + 1])
				*step = EITHER;
			else
				*step = below[j] > row[j + 1] ? OVER_A : OVER_B;
			row[j] = *step == PAIR ? below[j + 1] + 1 :
				 *step == OVER_B ? row[j + 1] : below[j];
		}
		swapped = below;
		below = row;
		row = swapped;
	}
	free(row);
	free(below);
	return steps;
}

static void align_exactly(struct span a, struct span b, size_t *partners)
{
	size_t rows = a.end - a.begin, columns = b.end - b.begin, i = 0, j = 0;
	unsigned char *steps = find_steps(a, b, rows, columns);

	while (i < rows && j < columns) {
		enum step step = steps[i * columns + j];

		/* Elements at the same place are more likely to be a pair. */
		if (step == EITHER)
			step = i <= j ? OVER_A : OVER_B;
		if (step == PAIR)
			partners[a.begin + i] = b.begin + j;
		i += step != OVER_B;
		j += step != OVER_A;
	}
	free(steps);
}

/* How far an element may be from its partner, and how many may be without one in a row */
#define WINDOW		64

/*
 * Each element gets the next one that has its key, if that is near. After many without one, there
 * is something else in the second list, which is skipped.
 */
static void align_roughly(struct span a, struct span b, size_t *partners)
{
	size_t i, j = b.begin, near, misses = 0;

	for (i = a.begin; i < a.end; i++) {
		for (near = j; near < b.end && near < j + WINDOW; near++)
			if (a.keys[i] == b.keys[near])
				break;
		if (near < b.end && near < j + WINDOW) {
			partners[i] = near;
			j = near + 1;
			misses = 0;
		} else if (++misses == WINDOW && j + WINDOW < b.end) {
			i -= WINDOW;
			j += WINDOW;
			misses = 0;
		}
	}
}

static void align_without_anchors(struct span a, struct span b, size_t *partners)
{
	if ((a.end - a.begin) * (b.end - b.begin) <= MAX_PAIRS)
		align_exactly(a, b, partners);
	else
		align_roughly(a, b, partners);
}

static void strip(struct span *a, struct span *b, size_t *partners)
{
	while (a->begin < a->end && b->begin < b->end &&
	       a->keys[a->begin] == b->keys[b->begin])
		partners[a->begin++] = b->begin++;
	while (a->begin < a->end && b->begin < b->end &&
	       a->keys[a->end - 1] == b->keys[b->end - 1])
		partners[--a->end] = --b->end;
}

void align(struct span a, struct span b, size_t *partners)
{
	struct anchor *anchor;
	struct table table;

	strip(&a, &b, partners);
	if (a.begin == a.end || b.begin == b.end)
		return;
	if ((a.end - a.begin) * (b.end - b.begin) <= MAX_PAIRS) {
		align_exactly(a, b, partners);
		return;
	}
	table = count_keys(a, b);
	/* The chain goes backwards: what is behind its anchor is aligned, then what is before. */
	for (anchor = find_chain(&table, a); anchor; anchor = anchor->before) {
		partners[anchor->a] = anchor->b;
		align_without_anchors((struct span){ a.keys, anchor->a + 1, a.end },
				      (struct span){ b.keys, anchor->b + 1, b.end }, partners);
		a.end = anchor->a;
		b.end = anchor->b;
	}
	align_without_anchors(a, b, partners);
	free(table.rows);
}
