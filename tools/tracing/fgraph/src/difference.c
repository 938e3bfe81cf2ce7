// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "difference.h"
#include "util.h"

static bool is_chance(const struct runs *runs, struct pair root)
{
	const struct node *good = good_node(runs, root), *bad = bad_node(runs, root);

	return !is_both(root) && ((good && good->is_chance) || (bad && bad->is_chance));
}

static bool are_equal(const struct runs *runs, struct pair root)
{
	const struct node *good = good_node(runs, root), *bad = bad_node(runs, root);

	return good && bad && good->key == bad->key && good->value == bad->value;
}

/* Return NR_WEIGHTS if the calls do not differ. */
static enum weight weigh(const struct runs *runs, struct pair root)
{
	enum contrast contrast;

	if (is_chance(runs, root))
		return NR_WEIGHTS;
	if (root.good == NO_CALL)
		return bad_node(runs, root)->error ? FAILS_ALONE : MINOR;
	if (root.bad == NO_CALL)
		return MINOR;
	contrast = compare_results(runs, root);
	if (contrast == OTHER_ERROR)
		return bad_node(runs, root)->error ? FAILS : OTHER_RESULT;
	if (contrast == OTHER_OUTCOME)
		return OTHER_RESULT;
	return contrast == OTHER_VALUE || have_other_args(runs, root) ? MINOR : NR_WEIGHTS;
}

static void add_difference(struct differences *differences, const struct difference *difference)
{
	/* The room is a power of two. */
	if (!(differences->count & (differences->count - 1)))
		differences->list = reallocate(differences->list,
					       2 * (differences->count ?: 1) *
					       sizeof(*differences->list));
	differences->list[differences->count++] = *difference;
}

static void compare_strands(const struct runs *runs, struct pair strands,
			    struct differences *differences)
{
	struct difference difference = { .strands = strands };
	struct pairs roots = pair_roots(runs, strands);
	size_t i;

	for (i = 0; i < roots.count; i++) {
		difference.root = roots.list[i];
		difference.weight = weigh(runs, difference.root);
		if (difference.weight < NR_WEIGHTS)
			add_difference(differences, &difference);
		else if (are_equal(runs, difference.root))
			difference.before++;
		else
			differences->chance++;
	}
	differences->equal += difference.before;
	free(roots.list);
}

/* The order of the list is kept otherwise. */
static void sort_by_weight(struct differences *differences)
{
	struct difference *sorted = allocate((differences->count + 1) * sizeof(*sorted));
	size_t i, nr = 0;
	int weight;

	for (weight = 0; weight < NR_WEIGHTS; weight++)
		for (i = 0; i < differences->count; i++)
			if ((int)differences->list[i].weight == weight)
				sorted[nr++] = differences->list[i];
	free(differences->list);
	differences->list = sorted;
}

struct differences find_differences(const struct runs *runs)
{
	struct pairs strands = pair_strands(runs);
	struct differences differences = { .list = NULL };
	size_t i;

	for (i = 0; i < strands.count; i++)
		compare_strands(runs, strands.list[i], &differences);
	free(strands.list);
	sort_by_weight(&differences);
	return differences;
}
