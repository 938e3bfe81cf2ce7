// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
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

/* A statement that names the error is highlighted. */
static void print_line(FILE *out, const struct place *place, size_t depth, const char *error,
		       bool is_doubtful)
{
	char *text = copy_source_line(place->file, place->line), *at;
	bool has_error = text && (at = strstr(text, error)) && at > text && at[-1] == '-';

	indent(out, depth);
	fprintf(out, "%6u%s", place->line, is_doubtful ? "?" : "");
	if (text)
		fprintf(out, "%*s%s%s%s", is_doubtful ? 1 : 2, "", has_error ? bold() : "", text,
			has_error ? plain() : "");
	free(text);
}

/* Place @depth from the function, which has depth 0, to the innermost one that was inlined */
static const struct place *place_at(const struct places *places, size_t depth)
{
	return &places->all[places->nr - 1 - depth];
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
			 const char *error)
{
	size_t common = before ? count_common(before, places) : 1, depth;

	for (depth = common; depth < places->nr; depth++) {
		const struct place *call = place_at(places, depth - 1);

		if (depth > common || !before || before->nr != common ||
		    !is_same_line(before->all, call)) {
			print_line(out, call, depth - 1, error, false);
			fputc('\n', out);
		}
		indent(out, depth);
		fprintf(out, "%s%s [inlined] %s%s\n", dim(), place_at(places, depth)->func,
			place_at(places, depth)->file, plain());
	}
}

static void print_step(FILE *out, const struct places *before, const struct step *step,
		       const char *error)
{
	const struct places *places = places_of(step);

	print_scopes(out, before, places, error);
	print_line(out, places->all, places->nr - 1, error,
		   step->reached == DOUBTFUL);
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

/*
 * Drop what says nothing: a doubtful line that began later, and the end of a function. Equal steps
 * may then follow each other.
 */
static void clean_way(struct way *way)
{
	size_t i, nr = 0;

	for (i = 0; i < way->nr; i++) {
		const struct step *step = &way->steps[i];
		const struct stop *stop = find_stop(step->number);

		if (step->reached == DOUBTFUL &&
		    (way->reached[stop->line] == BEGUN || is_call(way, stop->places.all) ||
		     has_text(stop->places.all, "}")))
			continue;
		if (!nr || way->steps[nr - 1].number != step->number)
			way->steps[nr++] = *step;
	}
	way->nr = nr;
}

static bool has_doubt(const struct way *way)
{
	size_t i;

	for (i = 0; i < way->nr; i++)
		if (way->steps[i].reached == DOUBTFUL)
			return true;
	return false;
}

/* The last statement may be another one than the one that decided what is returned. */
static void print_return(FILE *out, const struct way *way, const struct call *call)
{
	const struct step *last = &way->steps[way->nr - 1];
	const struct places *places = places_of(last);

	if (last->reached == BEGUN && places->nr == 1 && has_text(places->all, "return"))
		fputs("  ", out);
	else
		fprintf(out, "\n%10s", "");
	fprintf(out, "%s← %d (%s)%s\n", bold(), call->error, call->error_name, plain());
	if (has_doubt(way))
		fprintf(out, "%10s%s?: another statement may have come to this code%s\n", "", dim(),
			plain());
}

static void print_way(FILE *out, const struct way *way, const struct call *call)
{
	const struct places *before = NULL;
	size_t at, i;
	struct loop loop;

	for (at = 0; at < way->nr; at += loop.length * loop.times) {
		loop = find_loop(way, at);
		for (i = at; i < at + loop.length; i++) {
			fputs(i ? "\n" : "", out);
			print_step(out, before, &way->steps[i], call->error_name);
			before = places_of(&way->steps[i]);
		}
		if (loop.times > 1)
			fprintf(out, "\n%10s%s(these lines %zu times)%s", "", dim(), loop.times,
				plain());
	}
	print_return(out, way, call);
}

char *describe_way(struct way *way, const struct call *call)
{
	const struct place *definition;
	struct text text;
	FILE *out;

	/* The entry remains. */
	clean_way(way);
	out = open_text(&text);
	definition = &places_of(way->steps)->definition;
	fprintf(out, "  %s%s%s %s\n", bold(), call->func, plain(), definition->file);
	if (way->is_cut)
		fprintf(out, "%10s%s(earlier lines are left out)%s\n", "", dim(), plain());
	print_way(out, way, call);
	return close_text(&text);
}
