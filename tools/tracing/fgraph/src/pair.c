// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "align.h"
#include "pair.h"
#include "util.h"

/* A list of calls of one run */
struct calls {
	const struct forest	*forest;
	unsigned int		*numbers;
	size_t			count;
};

/* How equal calls must be to be a pair: in arguments and result, in arguments, in their function */
enum likeness { LIKE_RESULT, LIKE_ARGS, LIKE_FUNC };

static unsigned long long key_of(const struct node *node, enum likeness likeness)
{
	unsigned long long key = add_to_hash(HASH_BEGIN, node->name);

	if (likeness <= LIKE_ARGS)
		key = add_to_hash(key, node->key);
	if (likeness <= LIKE_RESULT)
		key = add_to_hash(key, node->value);
	return key;
}

static struct span make_keys(const struct calls *calls, enum likeness likeness)
{
	unsigned long long *keys = allocate((calls->count + 1) * sizeof(*keys));
	size_t i;

	for (i = 0; i < calls->count; i++)
		keys[i] = key_of(calls->forest->nodes + calls->numbers[i], likeness);
	return (struct span){ keys, 0, calls->count };
}

/* Align what is between the elements that have partners already. */
static void align_gaps(struct span a, struct span b, size_t *partners)
{
	size_t count = a.end, count_b = b.end, i;

	for (i = 0; i <= count; i++) {
		if (i < count && partners[i] == NO_CALL)
			continue;
		a.end = i;
		b.end = i < count ? partners[i] : count_b;
		align(a, b, partners);
		a.begin = i + 1;
		b.begin = b.end + 1;
	}
}

static struct pairs merge(const struct calls *good, const struct calls *bad,
			  const size_t *partners)
{
	struct pairs pairs = { allocate((good->count + bad->count + 1) * sizeof(*pairs.list)), 0 };
	size_t i, j = 0;

	for (i = 0; i < good->count; i++) {
		struct pair pair = { good->numbers[i], NO_CALL };

		if (partners[i] != NO_CALL) {
			while (j < partners[i])
				pairs.list[pairs.count++] =
					(struct pair){ NO_CALL, bad->numbers[j++] };
			pair.bad = bad->numbers[j++];
		}
		pairs.list[pairs.count++] = pair;
	}
	while (j < bad->count)
		pairs.list[pairs.count++] = (struct pair){ NO_CALL, bad->numbers[j++] };
	return pairs;
}

static size_t *make_partners(size_t count)
{
	size_t *partners = allocate((count + 1) * sizeof(*partners)), i;

	for (i = 0; i < count; i++)
		partners[i] = NO_CALL;
	return partners;
}

/* Frees the keys. */
static void align_keys(struct span a, struct span b, size_t *partners)
{
	align_gaps(a, b, partners);
	free((void *)a.keys);
	free((void *)b.keys);
}

static struct pairs pair_calls(const struct calls *good, const struct calls *bad)
{
	size_t *partners = make_partners(good->count);
	struct pairs pairs;
	int likeness;

	for (likeness = LIKE_RESULT; likeness <= LIKE_FUNC; likeness++)
		align_keys(make_keys(good, likeness), make_keys(bad, likeness), partners);
	pairs = merge(good, bad, partners);
	free(partners);
	return pairs;
}

static struct calls list_roots(const struct forest *forest, size_t strand)
{
	if (strand == NO_CALL)
		return (struct calls){ forest, NULL, 0 };
	return (struct calls){ forest, forest->strands[strand].roots,
			       forest->strands[strand].count };
}

struct pairs pair_roots(const struct runs *runs, struct pair strands)
{
	struct calls good = list_roots(runs->good, strands.good);
	struct calls bad = list_roots(runs->bad, strands.bad);

	return pair_calls(&good, &bad);
}

static struct calls list_inner(const struct forest *forest, size_t nr)
{
	const struct node *node = forest->nodes + nr, *inner, *end = node + node->size;
	struct calls calls = { .forest = forest };

	calls.numbers = allocate(node->size * sizeof(*calls.numbers));
	for (inner = node + 1; inner < end; inner += inner->size)
		calls.numbers[calls.count++] = inner - forest->nodes;
	return calls;
}

struct pairs pair_inner(const struct runs *runs, struct pair calls)
{
	struct calls good = list_inner(runs->good, calls.good);
	struct calls bad = list_inner(runs->bad, calls.bad);
	struct pairs pairs = pair_calls(&good, &bad);

	free(good.numbers);
	free(bad.numbers);
	return pairs;
}

/*
 * How equal threads must be: in their name and first system calls, in their name, or in their first
 * system calls. The kernel may show the name that a thread has got later.
 */
enum thread_likeness { LIKE_BEGIN, LIKE_NAME, LIKE_CALLS };

/* So many system calls tell a new process from its parent. */
#define NR_FIRST	3

/* The first process of the command is the same in both runs, whatever it executes. */
#define COMMAND		1

static unsigned long long key_of_strand(const struct forest *forest, const struct strand *strand,
					enum thread_likeness likeness)
{
	unsigned long long key;
	size_t i;

	if (strand->pid == forest->recording.pid)
		return COMMAND;
	key = HASH_BEGIN;
	if (likeness != LIKE_CALLS)
		key = add_to_hash(key, hash_text(strand->name));
	for (i = 0; likeness != LIKE_NAME && i < strand->count && i < NR_FIRST; i++)
		key = add_to_hash(key, forest->nodes[strand->roots[i]].name);
	return key;
}

static unsigned long long *make_strand_keys(const struct forest *forest,
					    enum thread_likeness likeness)
{
	unsigned long long *keys = allocate((forest->nr_strands + 1) * sizeof(*keys));
	size_t i;

	for (i = 0; i < forest->nr_strands; i++)
		keys[i] = key_of_strand(forest, &forest->strands[i], likeness);
	return keys;
}

/* Give each thread without a partner the next one that is as like. Their order may differ. */
static void pair_like_strands(const struct runs *runs, enum thread_likeness likeness,
			      size_t *partners, bool *is_taken)
{
	unsigned long long *good = make_strand_keys(runs->good, likeness);
	unsigned long long *bad = make_strand_keys(runs->bad, likeness);
	size_t i, j;

	for (i = 0; i < runs->good->nr_strands; i++) {
		for (j = 0; partners[i] == NO_CALL && j < runs->bad->nr_strands; j++) {
			if (is_taken[j] || good[i] != bad[j])
				continue;
			partners[i] = j;
			is_taken[j] = true;
		}
	}
	free(good);
	free(bad);
}

struct pairs pair_strands(const struct runs *runs)
{
	size_t count = runs->good->nr_strands, count_bad = runs->bad->nr_strands, i;
	size_t *partners = make_partners(count);
	bool *is_taken = allocate(count_bad + 1);
	struct pairs pairs = { allocate((count + count_bad + 1) * sizeof(*pairs.list)), 0 };
	int likeness;

	for (likeness = LIKE_BEGIN; likeness <= LIKE_CALLS; likeness++)
		pair_like_strands(runs, likeness, partners, is_taken);
	for (i = 0; i < count; i++)
		pairs.list[pairs.count++] = (struct pair){ i, partners[i] };
	for (i = 0; i < count_bad; i++)
		if (!is_taken[i])
			pairs.list[pairs.count++] = (struct pair){ NO_CALL, i };
	free(is_taken);
	free(partners);
	return pairs;
}
