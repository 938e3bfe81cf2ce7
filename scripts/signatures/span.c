// SPDX-License-Identifier: GPL-2.0
/*
 * Spans of addresses, and which of them an address is in. They may overlap, and be
 * empty. With as many functions as sections, looking at each would take minutes.
 */
#include <stdlib.h>

#include "signatures.h"

int compare_addresses(const struct address *a, const struct address *b)
{
	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* @index is what the caller knows it by. */
void add_span(struct spans *spans, struct address start, uint64_t length, size_t index)
{
	grow(spans->all, spans->nr, spans->room);
	spans->all[spans->nr++] = (struct span){ start, length, index };
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return compare_addresses(&x->start, &y->start) ?:
	       (x->index < y->index ? -1 : x->index > y->index);
}

static uint64_t last_of(const struct span *span)
{
	uint64_t last;

	if (__builtin_add_overflow(span->start.offset, span->length, &last))
		return ~0ULL;
	return last;
}

/* When all are added, and before any is looked for */
void sort_spans(struct spans *spans)
{
	if (!spans->nr)
		return;
	qsort(spans->all, spans->nr, sizeof(*spans->all), compare_spans);
	for (size_t i = 0; i < spans->nr; i++) {
		struct span *span = &spans->all[i];

		span->reach = last_of(span);
		if (i && span[-1].start.section == span->start.section &&
		    span[-1].reach > span->reach)
			span->reach = span[-1].reach;
	}
}

/**
 * count_below - bisect a sorted array
 * @key:	what is looked for
 * @array:	the array
 * @nr:		how many elements it has
 * @size:	the size of one
 * @is_below:	whether an element comes before what is looked for
 *
 * Return: how many do.
 */
size_t count_below(const void *key, const void *array, size_t nr, size_t size,
		   below_fn *is_below)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_below((const char *)array + middle * size, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool span_is_to(const void *span, const void *address)
{
	return compare_addresses(&((const struct span *)span)->start, address) <= 0;
}

/* The index in spans->all behind those that start at @address or before it */
size_t count_spans_to(const struct spans *spans, struct address address)
{
	return count_below(&address, spans->all, spans->nr, sizeof(*spans->all), span_is_to);
}

/* Begins a walk over the spans that @address is in */
struct span_walk start_spans(const struct spans *spans, struct address address)
{
	return (struct span_walk){ spans, address, count_spans_to(spans, address) };
}

/* Return: the next one, from the last one that starts there on; NULL: no more */
const struct span *next_span(struct span_walk *walk)
{
	while (walk->left) {
		const struct span *span = &walk->spans->all[--walk->left];

		/* Of those before it, none reaches as far */
		if (span->start.section != walk->address.section ||
		    span->reach <= walk->address.offset)
			return NULL;
		if (walk->address.offset - span->start.offset < span->length)
			return span;
	}
	return NULL;
}
