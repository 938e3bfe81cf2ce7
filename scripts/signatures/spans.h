/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses, and spans of addresses: the code of functions, symbols, sections.
 *
 * elf.h finds the address that a relocation refers to.
 */
#ifndef SIGNATURES_SPANS_H
#define SIGNATURES_SPANS_H

#include <stddef.h>
#include <stdint.h>

/* All sections of an object start at 0, so an address names its section. */
struct address {
	size_t section;		/* 0: none */
	uint64_t offset;
};

struct span {
	struct address start;
	uint64_t length;
	size_t index;		/* a number that the caller chooses, not 0 */
	uint64_t reach;		/* the highest end of the spans up to this one */
};

struct spans {
	struct span *all;
	size_t nr, room;
};

int compare_addresses(const struct address *a, const struct address *b);
void add_span(struct spans *spans, struct address start, uint64_t length, size_t index);
void sort_spans(struct spans *spans);
size_t count_spans_to(const struct spans *spans, struct address address);
const struct span *next_span(const struct spans *spans, struct address address, size_t *left);
size_t lowest_span_at(const struct spans *spans, struct address address);

#endif /* SIGNATURES_SPANS_H */
