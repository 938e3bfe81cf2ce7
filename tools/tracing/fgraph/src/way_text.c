// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "branch.h"
#include "call.h"
#include "decision.h"
#include "listing.h"
#include "probe.h"
#include "stream.h"
#include "text.h"
#include "util.h"
#include "way.h"
#include "way_text.h"

/* A loop with more statements is not folded. */
#define MAX_LOOP	64

static const struct places *places_of(const struct step *step)
{
	return &find_stop(step->number)->places;
}

/* The loop that begins at a step: it has @length steps, and is executed @times times. */
struct loop {
	size_t length, times;
};

static struct loop find_loop(const struct way *way, size_t at)
{
	struct loop loop;

	for (loop.length = 1; loop.length <= MAX_LOOP; loop.length++) {
		size_t size = loop.length * sizeof(*way->steps);

		for (loop.times = 1; at + (loop.times + 1) * loop.length <= way->nr; loop.times++)
			if (memcmp(way->steps + at, way->steps + at + loop.times * loop.length,
				   size))
				break;
		if (loop.times > 1)
			return loop;
	}
	return (struct loop){ 1, 1 };
}

/* How deep a function was inlined is how far its lines are moved to the right. */
static void indent(FILE *out, size_t depth)
{
	fprintf(out, "  %*s", (int)(2 * depth), "");
}

/* The statement that decided which error is returned is highlighted. */
static void print_line(FILE *out, const struct place *place, size_t depth, bool is_doubtful,
		       bool is_decision)
{
	char *text = copy_source_line(place->file, place->line);

	indent(out, depth);
	fprintf(out, "%6u%s", place->line, is_doubtful ? "?" : "");
	if (text)
		fprintf(out, "%*s%s%s%s", is_doubtful ? 1 : 2, "", is_decision ? bold() : "", text,
			is_decision ? plain() : "");
	free(text);
}

/* How many functions of two lines are the same, and are called at the same places */
static size_t count_common(const struct places *a, const struct places *b)
{
	size_t depth;

	for (depth = 1; depth < a->nr && depth < b->nr; depth++)
		if (strcmp(place_at(a, depth)->func, place_at(b, depth)->func) ||
		    !is_same_line(place_at(a, depth - 1), place_at(b, depth - 1)))
			break;
	return depth;
}

/* Print the calls of the functions that were inlined, and that the line before was not in. */
static void print_scopes(FILE *out, const struct places *before, const struct places *places,
			 bool is_doubtful)
{
	size_t common = before ? count_common(before, places) : 1, depth;

	for (depth = common; depth < places->nr; depth++) {
		const struct place *call = place_at(places, depth - 1);

		if (depth > common || !before || before->nr != common ||
		    !is_same_line(before->all, call)) {
			print_line(out, call, depth - 1, is_doubtful, false);
			fputc('\n', out);
		}
		indent(out, depth);
		fprintf(out, "%s%s [inlined] %s%s\n", dim(), place_at(places, depth)->func,
			place_at(places, depth)->file, plain());
	}
}

static void print_step(FILE *out, const struct places *before, const struct step *step,
		       bool is_decision)
{
	const struct places *places = places_of(step);
	bool is_doubtful = step->reached == DOUBTFUL;

	print_scopes(out, before, places, is_doubtful);
	print_line(out, places->all, places->nr - 1, is_doubtful, is_decision);
}

static bool has_text(const struct place *place, const char *begin)
{
	char *text = copy_source_line(place->file, place->line);
	bool found = text && !strncmp(text + strspn(text, " "), begin, strlen(begin));

	free(text);
	return found;
}

/* Return true if a function that was inlined was called in a line. */
static bool is_call(const struct way *way, const struct place *line)
{
	unsigned int i;
	size_t depth;

	for (i = 0; i < count_stops(); i++) {
		const struct places *places = &find_stop(i)->places;

		if (way->reached[find_stop(i)->line] != BEGUN)
			continue;
		for (depth = 1; depth < places->nr; depth++)
			if (is_same_line(place_at(places, depth - 1), line))
				return true;
	}
	return false;
}

/* Return true if a statement of the innermost function of @places began, where it was inlined. */
static bool is_entered(const struct way *way, const struct places *places)
{
	unsigned int i;

	for (i = 0; i < count_stops(); i++) {
		const struct places *other = &find_stop(i)->places;

		if (way->reached[find_stop(i)->line] == BEGUN && other->nr >= places->nr &&
		    count_common(other, places) == places->nr)
			return true;
	}
	return false;
}

/* Return true if code of a statement says nothing, because it is certainly that of another one. */
static bool is_of_another(const struct way *way, const struct stop *stop, const char *error)
{
	const struct place *place = stop->places.all;
	char *text;
	bool other;

	if (way->reached[stop->line] == BEGUN || is_call(way, place) || has_text(place, "}"))
		return true;
	text = copy_source_line(place->file, place->line);
	if (text && names_error(text, error))
		other = false;
	else
		other = (text && names_error(text, NULL)) || !is_entered(way, &stop->places);
	free(text);
	return other;
}

/* Drop doubtful lines that say nothing. Equal steps may then follow each other. */
static void clean_way(struct way *way, const char *error)
{
	size_t i, nr = 0;

	for (i = 0; i < way->nr; i++) {
		const struct step *step = &way->steps[i];

		if (step->reached == DOUBTFUL &&
		    is_of_another(way, find_stop(step->number), error))
			continue;
		if (!nr || way->steps[nr - 1].number != step->number)
			way->steps[nr++] = *step;
	}
	way->nr = nr;
}

/*
 * Once the decision is known, drop doubtful lines of the same error, which share its code, and all
 * of them after a return.
 */
static void drop_twins(struct way *way, struct decision *decision, const char *error)
{
	size_t i, nr = 0, step = decision->step;
	bool has_returned = false;

	if (step == way->nr)
		return;
	for (i = 0; i < way->nr; i++) {
		const struct step *at = &way->steps[i];

		if (i != step && at->reached == DOUBTFUL &&
		    (has_returned || step_names_error(at, error)))
			continue;
		if (i == step) {
			decision->step = nr;
			has_returned = places_of(at)->nr == 1 &&
				has_text(places_of(at)->all, "return");
		}
		way->steps[nr++] = *at;
	}
	way->nr = nr;
}

static bool has_doubt(const struct way *way, const struct decision *decision)
{
	bool doubt = decision->line;
	size_t i;

	for (i = 0; i < way->nr; i++)
		doubt |= way->steps[i].reached == DOUBTFUL;
	return doubt;
}

/* The last statement may be another one than the one that decided what is returned. */
static void print_return(FILE *out, const struct way *way, const struct decision *decision,
			 const struct call *call)
{
	const struct step *last = &way->steps[way->nr - 1];
	const struct places *places = places_of(last);

	if (last->reached == BEGUN && places->nr == 1 && has_text(places->all, "return") &&
	    !(decision->line && decision->step == way->nr - 1))
		fputs("  ", out);
	else
		fprintf(out, "\n%10s", "");
	fprintf(out, "%s← %d (%s)%s\n", bold(), call->error, call->error_name, plain());
	if (has_doubt(way, decision))
		fprintf(out, "%10s%s?: another statement may have come to this code%s\n", "", dim(),
			plain());
}

/* Print a step, and below it the statement that the way does not contain. */
static void print_decided(FILE *out, const struct way *way, const struct decision *decision,
			  const struct places *before, const struct step *step)
{
	const struct places *places = places_of(step);
	struct place decided = { .line = decision->line };
	bool is_decision = decision->step < way->nr &&
		way->steps[decision->step].number == step->number;

	print_step(out, before, step, is_decision && !decision->line);
	if (is_decision && decision->line) {
		decided.file = place_at(places, decision->depth)->file;
		fputc('\n', out);
		print_line(out, &decided, decision->depth, true, true);
	}
}

static void print_way(FILE *out, const struct way *way, const struct decision *decision,
		      const struct call *call)
{
	const struct places *before = NULL;
	size_t at, i;
	struct loop loop;

	for (at = 0; at < way->nr; at += loop.length * loop.times) {
		loop = find_loop(way, at);
		for (i = at; i < at + loop.length; i++) {
			fputs(i ? "\n" : "", out);
			print_decided(out, way, decision, before, &way->steps[i]);
			before = places_of(&way->steps[i]);
		}
		if (loop.times > 1)
			fprintf(out, "\n%10s%s(these lines %zu times)%s", "", dim(), loop.times,
				plain());
	}
	print_return(out, way, decision, call);
}

char *describe_way(struct way *way, const struct call *call)
{
	const struct place *definition;
	struct decision decision;
	struct text text;
	FILE *out;

	/* The entry remains. */
	clean_way(way, call->error_name);
	decision = find_decision(way, call->error_name);
	drop_twins(way, &decision, call->error_name);
	out = open_text(&text);
	definition = &places_of(way->steps)->definition;
	fprintf(out, "  %s%s%s %s\n", bold(), call->func, plain(), definition->file);
	if (way->is_cut)
		fprintf(out, "%10s%s(earlier lines are left out)%s\n", "", dim(), plain());
	print_way(out, way, &decision, call);
	return close_text(&text);
}
