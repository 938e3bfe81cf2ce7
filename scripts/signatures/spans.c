// SPDX-License-Identifier: GPL-2.0
/*
 * Spans of addresses, and the search for the spans that contain an address.
 *
 * Spans may overlap, and may be empty. The search bisects them, because an object can
 * have a section for each function.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "spans.h"
#include "util.h"

int compare_addresses(const struct address *a, const struct address *b)
{
	return compare_uints(a->section, b->section) ?: compare_uints(a->offset, b->offset);
}

/* Adds a span. sort_spans() must follow before a search. */
void add_span(struct spans *spans, struct address start, uint64_t length, size_t index)
{
	grow(spans->all, spans->nr, spans->room);
	spans->all[spans->nr++] = (struct span){ start, length, index };
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return compare_addresses(&x->start, &y->start) ?: compare_uints(x->index, y->index);
}

static uint64_t end_of(const struct span *span)
{
	uint64_t end;

	if (__builtin_add_overflow(span->start.offset, span->length, &end))
		return ~0ULL;
	return end;
}

/* Sorts the spans, after all are added and before the first search. */
void sort_spans(struct spans *spans)
{
	if (!spans->nr)
		return;
	qsort(spans->all, spans->nr, sizeof(*spans->all), compare_spans);
	for (size_t i = 0; i < spans->nr; i++) {
		struct span *span = &spans->all[i];

		span->reach = end_of(span);
		if (i && span[-1].start.section == span->start.section &&
		    span[-1].reach > span->reach)
			span->reach = span[-1].reach;
	}
}

static bool span_is_to(const void *span, const void *address)
{
	return compare_addresses(&((const struct span *)span)->start, address) <= 0;
}

/* Return: the number of spans that start at @address or before. */
size_t count_spans_to(const struct spans *spans, struct address address)
{
	return count_below(&address, spans->all, spans->nr, sizeof(*spans->all), span_is_to);
}

/*
 * Return: the next span that contains @address, the highest start first, or NULL. The
 * first call takes count_spans_to() in @left.
 */
const struct span *next_span(const struct spans *spans, struct address address, size_t *left)
{
	while (*left) {
		const struct span *span = &spans->all[--*left];

		/* No span before this one reaches farther. */
		if (span->start.section != address.section || span->reach <= address.offset)
			return NULL;
		if (address.offset - span->start.offset < span->length)
			return span;
	}
	return NULL;
}

/* Return: the lowest index of the spans that contain @address, or 0. */
size_t lowest_span_at(const struct spans *spans, struct address address)
{
	size_t left = count_spans_to(spans, address), lowest = 0;
	const struct span *span;

	while ((span = next_span(spans, address, &left))) {
		if (!lowest || span->index < lowest)
			lowest = span->index;
	}
	return lowest;
}
