// SPDX-License-Identifier: GPL-2.0
/*
 * Where the parameters of a function are, by the ABI and by DWARF together.
 *
 * What the ABI makes of a struct can depend on whether it is packed, or has bitfields
 * without a name, which DWARF does not tell. So a call has several states after each
 * parameter: how many registers and how much of the stack are taken. Those that
 * contradict what DWARF says of any parameter are dropped. A place that is not the
 * same in all of the others is not known.
 *
 * If none is left, the compiler changed the interface of the function, whatever its
 * name. Then, as in clones, a parameter is where DWARF says, or gone.
 */
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

/* After more states than that, nothing is known. */
#define MAX_STATES	32

struct state {
	struct call call;
	bool possible;		/* from here to the end, nothing contradicts DWARF */
};

/* The states before each parameter follow those before the one before it. */
struct search {
	const struct file *file;
	struct param *params;
	size_t nr_params;
	struct state *states;
	size_t nr_states, room;
	size_t *first;		/* the index of the first state before a parameter */
	size_t nr_starts;	/* a second state: the result is in memory after all */
};

/*
 * Goes over a parameter, with one of the guesses at what DWARF does not tell.
 * Return: whether DWARF does not say otherwise.
 */
static bool step(const struct search *search, size_t i, int guess, struct call *call,
		 struct place *place)
{
	const struct param *param = &search->params[i];

	*place = place_argument(call, &param->layout, guess);
	return place->kind != PLACE_WORDS ||
	       compare_place(search->file, &param->evidence, place) != FOUND_ELSEWHERE;
}

static bool same_state(const struct call *a, const struct call *b)
{
	return a->registers == b->registers && a->stack == b->stack && a->lost == b->lost;
}

/* Return: a state that is among those from @first to @end, or NULL */
static struct state *find_state(const struct search *search, size_t first, size_t end,
				const struct call *call)
{
	for (size_t i = first; i < end; i++) {
		if (same_state(&search->states[i].call, call))
			return &search->states[i];
	}
	return NULL;
}

static void add_state(struct search *search, size_t first, const struct call *call)
{
	if (find_state(search, first, search->nr_states, call))
		return;
	grow(search->states, search->nr_states, search->room);
	search->states[search->nr_states++] = (struct state){ .call = *call };
}

static void add_starts(struct search *search, const struct layout *result,
		       bool all_on_stack)
{
	struct call call;

	search->nr_states = 0;
	search->first[0] = 0;
	start_call(&call, search->file, result, false, all_on_stack);
	add_state(search, 0, &call);
	if (may_be_in_memory(search->file, result)) {
		start_call(&call, search->file, result, true, all_on_stack);
		add_state(search, 0, &call);
	}
	search->nr_starts = search->nr_states;
}

/* Return: false if there are too many */
static bool find_states(struct search *search)
{
	for (size_t i = 0; i < search->nr_params; i++) {
		size_t end = search->nr_states;

		search->first[i + 1] = end;
		for (size_t from = search->first[i]; from < end; from++) {
			for (int guess = 0; guess < GUESSES; guess++) {
				struct call call = search->states[from].call;
				struct place place;

				if (step(search, i, guess, &call, &place))
					add_state(search, end, &call);
			}
		}
		if (search->nr_states - end > MAX_STATES)
			return false;
	}
	return true;
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->kind == b->kind && a->by_reference == b->by_reference &&
	       a->nr_registers == b->nr_registers && a->nr_stack == b->nr_stack &&
	       (!a->nr_registers || a->first_register == b->first_register) &&
	       (!a->nr_stack || a->first_stack == b->first_stack);
}

/* Takes over the place of a parameter in one of the states. */
static void merge_place(struct place *merged, bool *merges, const struct place *place)
{
	if (*merges && !same_place(merged, place))
		merged->kind = PLACE_UNKNOWN;
	else if (!*merges)
		*merged = *place;
	*merges = true;
}

/* From the last parameter to the first one: what leads to the end is possible. */
static bool merge_states(struct search *search)
{
	for (size_t i = search->first[search->nr_params]; i < search->nr_states; i++)
		search->states[i].possible = true;
	for (size_t i = search->nr_params; i--;) {
		size_t end = search->first[i + 1];
		size_t next_end = i + 2 > search->nr_params ? search->nr_states :
							      search->first[i + 2];
		bool merges = false;

		for (size_t from = search->first[i]; from < end; from++) {
			struct state *state = &search->states[from];

			for (int guess = 0; guess < GUESSES; guess++) {
				struct call call = state->call;
				struct state *next;
				struct place place;

				if (!step(search, i, guess, &call, &place))
					continue;
				next = find_state(search, end, next_end, &call);
				if (!next || !next->possible)
					continue;
				state->possible = true;
				merge_place(&search->params[i].place, &merges, &place);
			}
		}
	}
	return search->states[0].possible ||
	       (search->nr_starts > 1 && search->states[1].possible);
}

/* Where the result is, by the starts that are possible */
static struct place merge_results(const struct search *search, const struct layout *result)
{
	struct place place;

	if (search->nr_starts < 2)
		return place_result(search->file, result, false);
	place = place_result(search->file, result, search->states[1].possible);
	if (search->states[0].possible && search->states[1].possible)
		place.kind = PLACE_UNKNOWN;
	return place;
}

/* Return: whether the ABI has all parameters where DWARF has them. */
static bool place_by_abi(struct search *search, const struct layout *result,
			 bool all_on_stack, struct place *result_place)
{
	bool kept = true;

	add_starts(search, result, all_on_stack);
	if (find_states(search)) {
		kept = merge_states(search);
		*result_place = merge_results(search, result);
		return kept;
	}
	for (size_t i = 0; i < search->nr_params; i++)
		search->params[i].place.kind = PLACE_UNKNOWN;
	*result_place = place_result(search->file, result, false);
	if (search->nr_starts > 1)
		result_place->kind = PLACE_UNKNOWN;
	return true;
}

/**
 * place_by_evidence - find the parameters where DWARF says that they are
 * @file:	of which machine
 * @params:	the parameters; each gets its place
 * @nr:		how many
 */
void place_by_evidence(const struct file *file, struct param *params, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		params[i].place = evident_place(file, &params[i].evidence,
						&params[i].layout);
}

/*
 * Whether DWARF has nothing but homes, and one of them is another register: then all
 * parameters may have been on the stack.
 */
static bool may_be_on_stack(const struct file *file, const struct param *params, size_t nr)
{
	bool moved = false;

	for (size_t i = 0; i < nr; i++) {
		struct evidence evidence = params[i].evidence;

		if (evidence.nr && !evidence.home)
			return false;
		evidence.home = false;
		moved |= compare_place(file, &evidence, &params[i].place) == FOUND_ELSEWHERE;
	}
	return moved;
}

/**
 * place_params - find out where the parameters of a function are
 * @file:	of which machine
 * @result:	what the function returns
 * @variadic:	it has more parameters
 * @params:	those that it names; each gets its place
 * @nr:		how many
 * @result_place: gets the place of the result, if the function keeps to the ABI
 *
 * No attribute tells of functions that take everything on the stack; but DWARF has
 * a parameter there.
 *
 * Return: false if the function does not keep to the ABI.
 */
bool place_params(const struct file *file, const struct layout *result, bool variadic,
		  struct param *params, size_t nr, struct place *result_place)
{
	struct search search = { .file = file, .params = params, .nr_params = nr };
	bool by_stack = calls_by_stack(file), kept;

	search.first = xcalloc(nr + 1, sizeof(*search.first));
	kept = !(by_stack && variadic) && place_by_abi(&search, result, false, result_place);
	if (kept && by_stack && may_be_on_stack(file, params, nr)) {
		for (size_t i = 0; i < nr; i++)
			params[i].place.kind = PLACE_UNKNOWN;
	}
	if (!kept && by_stack)
		kept = place_by_abi(&search, result, true, result_place);
	if (!kept)
		place_by_evidence(file, params, nr);
	free(search.first);
	free(search.states);
	return kept;
}
