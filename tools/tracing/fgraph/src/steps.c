// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "chain.h"
#include "options.h"
#include "quote.h"
#include "source.h"
#include "steps.h"
#include "symbol.h"
#include "text.h"
#include "util.h"

/**
 * struct step - a function on the way
 * @func:	its name
 * @place:	where in it the next function is called, or of the last function, where it is
 *		defined; its file is "" if that is not known
 * @inlined:	it was inlined into the function before it
 * @unrecorded:	it is not in the trace
 */
struct step {
	char		*func;
	struct place	place;
	bool		inlined;
	bool		unrecorded;
};

struct steps {
	struct step	*all;
	size_t		nr;
};

static struct step *add_step(struct steps *steps, const char *func)
{
	steps->all = realloc(steps->all, (steps->nr + 1) * sizeof(*steps->all));
	if (!steps->all)
		die("out of memory");
	steps->all[steps->nr] = (struct step){ .func = copy_text(func), .place.file = "" };
	return &steps->all[steps->nr++];
}

static void free_steps(struct steps *steps)
{
	while (steps->nr)
		free(steps->all[--steps->nr].func);
	free(steps->all);
}

/* The name of a function, with its module, as in a trace */
static char *name_of(const struct spot *spot)
{
	return spot->module ? print_text("%s [%s]", spot->name, spot->module) :
			      copy_text(spot->name);
}

/*
 * Add where @inner is called. A call at the end of a function may leave no return address in
 * it: @inner then returns to the caller of @outer, and no place is known.
 */
static void add_caller(struct steps *steps, const struct call *outer, const struct call *inner)
{
	char *caller = inner->caller ? copy_text(inner->caller) : NULL, *name = NULL;
	struct places places = { };
	struct step *step;
	struct spot spot;
	size_t i;

	if (caller && !(outer->caller && !strcmp(caller, outer->caller)) &&
	    parse_spot(caller, &spot)) {
		name = name_of(&spot);
		places = find_source(&spot, true);
	}
	step = add_step(steps, outer->func);
	if (name && strcmp(name, outer->func)) {
		step = add_step(steps, name);
		step->unrecorded = true;
	}
	for (i = places.nr; i--;) {
		if (places.all[i].func) {
			step = add_step(steps, places.all[i].func);
			step->inlined = true;
		}
		step->place = places.all[i];
	}
	free(places.all);
	free(name);
	free(caller);
}

/* Add the last function, and where it is defined. */
static void add_last(struct steps *steps, const struct call *call)
{
	size_t length = strcspn(call->func, " ");
	char *text = print_text("%.*s+0x0%s", (int)length, call->func, call->func + length);
	struct step *step = add_step(steps, call->func);
	struct places places;
	struct spot spot;

	if (parse_spot(text, &spot)) {
		places = find_source(&spot, false);
		if (places.nr)
			step->place = places.definition;
		free(places.all);
	}
	free(text);
}

/* The compiler inlines the body of a system call into the function that is its entry. */
static bool is_body(const struct step *step)
{
	return step->inlined && (!strncmp(step->func, "__se_", strlen("__se_")) ||
				 !strncmp(step->func, "__do_", strlen("__do_")));
}

static void drop_entry(struct steps *steps)
{
	size_t nr = 0;

	while (nr + 1 < steps->nr && is_body(&steps->all[nr + 1]))
		free(steps->all[nr++].func);
	if (!nr)
		return;
	steps->nr -= nr;
	memmove(steps->all, steps->all + nr, steps->nr * sizeof(*steps->all));
	steps->all->inlined = false;
}

/* Return false if no place is known. */
static bool find_steps(const struct call *root, struct steps *steps)
{
	const struct call *call = root, *inner;
	size_t i;

	memset(steps, 0, sizeof(*steps));
	if (!find_origin(root, root->error) || !has_source_lines())
		return false;
	for (; (inner = find_origin(call, call->error)); call = inner)
		add_caller(steps, call, inner);
	add_last(steps, call);
	drop_entry(steps);
	for (i = 0; i < steps->nr; i++)
		if (*steps->all[i].place.file)
			return true;
	free_steps(steps);
	return false;
}

void print_steps(FILE *out, const struct call *root)
{
	struct steps steps;
	size_t i;

	if (!find_steps(root, &steps))
		return;
	fputs("  lines: ", out);
	for (i = 0; i < steps.nr; i++) {
		const struct step *step = &steps.all[i];
		bool is_last = i + 1 == steps.nr;

		fprintf(out, "%s%s%s", step->func, step->inlined ? " [inlined]" : "",
			step->unrecorded ? " [not recorded]" : "");
		fputs(is_last && *step->place.file ? ", defined in" : "", out);
		print_place(out, &step->place);
		fputs(is_last ? "\n" : " → ", out);
	}
	free_steps(&steps);
}

void print_steps_in_json(FILE *out, const struct call *root)
{
	const char *separator = ",\"lines\":[";
	struct steps steps;
	size_t i;

	if (!find_steps(root, &steps))
		return;
	for (i = 0; i < steps.nr; i++) {
		const struct step *step = &steps.all[i];

		fprintf(out, "%s{\"function\":", separator);
		print_json_string(out, step->func);
		if (*step->place.file) {
			print_json_member(out, "file", step->place.file);
			fprintf(out, ",\"line\":%u", step->place.line);
			fputs(i + 1 == steps.nr ? ",\"definition\":true" : "", out);
		}
		if (step->inlined)
			fputs(",\"inlined\":true", out);
		if (step->unrecorded)
			fputs(",\"recorded\":false", out);
		fputc('}', out);
		separator = ",";
	}
	fputc(']', out);
	free_steps(&steps);
}
