// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "branch.h"
#include "decision.h"
#include "listing.h"
#include "probe.h"
#include "way.h"

/* The decision is one of the last steps. Each step that is looked at reads lines of its file. */
#define MAX_BACK 500

static const struct place *place_of(const struct step *step)
{
	return find_stop(step->number)->places.all;
}

/* Return the next step that certainly begins, or the number of steps. */
static size_t next_certain(const struct way *way, size_t step)
{
	do {
		step++;
	} while (step < way->nr && way->steps[step].reached != BEGUN);
	return step;
}

/*
 * Return true if a function that was inlined returned no error: a check of its result follows the
 * call in the source, and what came next in @there is below the check.
 */
static bool passed_check(const struct places *here, const struct places *there)
{
	const struct place *call = place_at(here, there->nr - 1);
	struct branch check;

	return find_check(&check, call) && check.jumps && there->all->line == check.next;
}

/*
 * Return true if the branch below a condition was taken: it jumps, and neither the condition nor
 * what is below the branch in the source came next.
 */
static bool is_taken(const struct way *way, size_t step, size_t depth,
		     const struct branch *branch)
{
	const struct places *here = &find_stop(way->steps[step].number)->places, *there;
	size_t after = next_certain(way, step);
	unsigned int line;

	if (!branch->jumps)
		return false;
	if (after == way->nr)
		return true;
	there = &find_stop(way->steps[after].number)->places;
	if (there->nr <= depth)
		return !passed_check(here, there);
	line = place_at(there, depth)->line;
	return line != branch->next && line != place_at(here, depth)->line;
}

bool step_names_error(const struct step *step, const char *error)
{
	const struct place *place = place_of(step);
	char *text = copy_source_line(place->file, place->line);
	bool named = text && names_error(text, error);

	free(text);
	return named;
}

/* "return f(x);" decides, "return err;" does not. */
static bool returns_value(const struct step *step)
{
	const struct places *places = &find_stop(step->number)->places;
	char *text = copy_source_line(places->all->file, places->all->line);
	const char *at = text ? text + strspn(text, " ") : "";
	bool found = places->nr == 1 && !strcmp(places->all->file, places->definition.file) &&
		!strncmp(at, "return ", 7) && strchr(at, '(');

	free(text);
	return found;
}

/* Return the step in which a line certainly began, or the number of steps. */
static size_t find_begun(const struct way *way, const struct place *place, unsigned int line)
{
	const struct place wanted = { .file = place->file, .line = line };
	size_t step;

	for (step = 0; step < way->nr; step++)
		if (way->steps[step].reached == BEGUN &&
		    is_same_line(place_of(&way->steps[step]), &wanted))
			break;
	return step;
}

/*
 * Find a condition in a step, or in one that calls the inlined function of the step, whose branch
 * yields the error and was taken.
 */
static bool find_condition(const struct way *way, size_t step, const char *error,
			   struct decision *found)
{
	const struct places *places = &find_stop(way->steps[step].number)->places;
	struct branch branch;
	size_t depth, begun;

	for (depth = places->nr; depth--;) {
		const struct place *place = place_at(places, depth);

		if (!find_branch(&branch, place, error) || !branch.line ||
		    !is_taken(way, step, depth, &branch))
			continue;
		begun = find_begun(way, place, branch.line);
		*found = begun < way->nr ? (struct decision){ .step = begun } :
					   (struct decision){ step, depth, branch.line };
		return true;
	}
	return false;
}

/* The last statement that certainly began and yields the error decides, or the last condition. */
static bool find_certain(const struct way *way, const char *error, struct decision *found)
{
	size_t first = way->nr > MAX_BACK ? way->nr - MAX_BACK : 0, step;
	bool is_last = true;

	for (step = way->nr; step-- > first;) {
		if (way->steps[step].reached != BEGUN)
			continue;
		if (step_names_error(&way->steps[step], error) ||
		    (is_last && returns_value(&way->steps[step]))) {
			found->step = step;
			return true;
		}
		if (find_condition(way, step, error, found))
			return true;
		is_last = false;
	}
	return false;
}

static bool find_doubtful(const struct way *way, const char *error, struct decision *found)
{
	size_t first = way->nr > MAX_BACK ? way->nr - MAX_BACK : 0, step;

	for (step = way->nr; step-- > first;)
		if (way->steps[step].reached == DOUBTFUL &&
		    find_condition(way, step, error, found))
			return true;
	for (step = way->nr; step-- > first;) {
		const struct step *at = &way->steps[step];

		if (at->reached != DOUBTFUL || !step_names_error(at, error) ||
		    is_in_branch(place_of(at), error))
			continue;
		found->step = step;
		return true;
	}
	return false;
}

struct decision find_decision(const struct way *way, const char *error)
{
	struct decision found = { .step = way->nr };

	if (!find_certain(way, error, &found))
		find_doubtful(way, error, &found);
	return found;
}
