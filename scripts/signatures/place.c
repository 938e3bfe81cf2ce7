// SPDX-License-Identifier: GPL-2.0
/*
 * The places of the parameters of a function, by the ABI and by DWARF together.
 *
 * DWARF does not describe packed attributes and unnamed bit-fields, which can change
 * the place of a struct. So a call can have several states after each parameter. A
 * state is the numbers of registers and stack words that are taken. A state that
 * contradicts the evidence for any parameter is dropped. A place is known if all
 * remaining states agree on it.
 *
 * If no state remains, the compiler changed the interface of the function, even if the
 * name is the same. As in clones, the place of a parameter is then that in DWARF, or the
 * parameter is optimized out.
 */
#include <stdlib.h>

#include "place.h"
#include "util.h"

/* The result of a comparison of the evidence with a place */
enum found { FOUND_NOTHING, FOUND_THERE, FOUND_ELSEWHERE };

/* Return: true if a piece is a word of @place. */
static bool is_word(const struct file *file, const struct location *piece,
		    const struct place *place, unsigned int word)
{
	if (word < place->nr_registers)
		return piece->kind == (place->by_reference ? LOCATION_AT_REGISTER :
							     LOCATION_REGISTER) &&
		       piece->number ==
		       file->machine->abi.registers[place->first_register + word];
	word -= place->nr_registers;
	return word < place->nr_stack && piece->kind == LOCATION_STACK &&
	       piece->number == (uint64_t)(place->first_stack + word) * file->word;
}

/* Compares the evidence for a parameter with a place. */
static enum found compare_place(const struct file *file, const struct evidence *evidence,
				const struct place *place)
{
	/* DWARF may have any location for a parameter without a size. */
	if (evidence->home || (!place->nr_registers && !place->nr_stack))
		return FOUND_NOTHING;
	/* The function may have copied an argument that was passed by reference. */
	for (unsigned int i = 0; i < evidence->nr; i++) {
		if (!is_word(file, &evidence->pieces[i], place, i))
			return evidence->pieces[i].kind == LOCATION_AT_REGISTER ?
			       FOUND_NOTHING : FOUND_ELSEWHERE;
	}
	return evidence->nr ? FOUND_THERE : FOUND_NOTHING;
}

/* Return: the index of an argument register; abi->nr_registers for any other register. */
static unsigned int find_register(const struct abi *abi, uint64_t number)
{
	unsigned int i = 0;

	while (i < abi->nr_registers && abi->registers[i] != number)
		i++;
	return i;
}

/*
 * Return: the place of a parameter by DWARF alone. Without evidence, the parameter is
 * optimized out. Its place is unknown if no recorded word contains it, if a register
 * contains its address, or if the location is a home.
 */
static struct place evident_place(const struct file *file, const struct evidence *evidence,
				  const struct layout *layout)
{
	const struct location *first = &evidence->pieces[0];
	unsigned int words = DIV_ROUND_UP(layout->size, file->word);
	struct place place = { PLACE_WORDS };

	if (!words)
		return place;
	if (!evidence->nr)
		return (struct place){ PLACE_GONE };
	/* The function may have loaded the address into the register. */
	if (evidence->home || first->kind == LOCATION_AT_REGISTER)
		return (struct place){ PLACE_UNKNOWN };
	if (first->kind == LOCATION_STACK) {
		place.first_stack = first->number / file->word;
		place.nr_stack = words;
	} else {
		place.first_register = find_register(&file->machine->abi, first->number);
		place.nr_registers = words;
	}
	if (place.first_register + place.nr_registers > file->machine->abi.nr_registers ||
	    (place.nr_registers && evidence->nr != place.nr_registers) ||
	    compare_place(file, evidence, &place) != FOUND_THERE)
		return (struct place){ PLACE_UNKNOWN };
	return place;
}

/* If a parameter has more states after it, the places of all parameters are unknown. */
#define MAX_STATES	32

struct state {
	struct call call;
	bool possible;		/* leads to the end without contradicting DWARF */
};

/* The states of a call before each parameter, and after the last parameter */
struct search {
	const struct file *file;
	struct param *params;
	size_t nr_params;
	struct state *states;
	size_t nr_states, room;
	size_t *first;		/* for each parameter, the index of the first state before it */
	size_t nr_starts;	/* if 2, the second assumes that the result is in memory */
};

/*
 * Places parameter @i by one of the guesses.
 * Return: false if DWARF contradicts this place.
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

/* Return: the state among @first to @end that is equal to @call, or NULL. */
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

/* Return: false if there are too many states. */
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

/* Merges the places of a parameter in several states. Different places become unknown. */
static void merge_place(struct place *merged, bool *merges, const struct place *place)
{
	if (*merges && !same_place(merged, place))
		merged->kind = PLACE_UNKNOWN;
	else if (!*merges)
		*merged = *place;
	*merges = true;
}

/*
 * Marks the states that lead to the end as possible, from the last parameter to the first.
 * Return: false if no first state is possible.
 */
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

/* Return: the place of the result in the possible first states. */
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

/* Return: false if DWARF proves that the function does not follow the ABI. */
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

/* Places parameters by DWARF alone. */
void place_by_evidence(const struct file *file, struct param *params, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		params[i].place = evident_place(file, &params[i].evidence,
						&params[i].layout);
}

/*
 * Return: true if all parameters may be on the stack at the entry. DWARF then has only
 * homes, and at least one home is not the register of the ABI.
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
 * place_params - place the parameters and the result of a function
 * @file:	the file, whose machine defines the ABI
 * @result:	the layout of the result
 * @variadic:	the function is variadic
 * @params:	its named parameters; each gets its place
 * @nr:		the number of @params
 * @result_place: gets the place of the result, if the function follows the ABI
 *
 * DWARF has no attribute for a function with all arguments on the stack. Only the
 * location of a parameter shows this.
 *
 * Return: false if the function does not follow the ABI.
 */
bool place_params(const struct file *file, const struct layout *result, bool variadic,
		  struct param *params, size_t nr, struct place *result_place)
{
	struct search search = { .file = file, .params = params, .nr_params = nr };
	bool by_stack = file->machine->abi.by_stack, kept;

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
