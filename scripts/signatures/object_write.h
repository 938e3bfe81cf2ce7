/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes signatures into an object.
 *
 * object.h collects them. The linker joins the tables of all objects to the table that
 * table.h reads.
 */
#ifndef SIGNATURES_OBJECT_WRITE_H
#define SIGNATURES_OBJECT_WRITE_H

#include "elf.h"
#include "text.h"

/* A call site, by a symbol and an addend, and its address */
struct site {
	size_t symbol;
	int64_t addend;
	struct address address;
};

struct entry {
	const struct site *site;
	size_t string;		/* the offset in the section of strings */
};

/* A word of a section that is an address of the object's code */
struct relocated_word {
	size_t offset;
	size_t symbol;		/* and the addend */
	int64_t addend;
};

/* A section that is not loaded, and in which the linker stores addresses */
struct debug_section {
	const char *name;
	unsigned char *content;
	size_t size;
	const struct relocated_word *words;
	size_t nr;
};

/*
 * The signatures of an object: the entries of the table, and their strings. Members of
 * structs are strings, too.
 */
struct signatures {
	struct file *file;
	const struct debug_section *debug;	/* NULL: there is none */
	struct entry *entries;
	size_t nr, room;
	struct strings strings, members;
};

void write_signatures(const struct signatures *signatures);

#endif /* SIGNATURES_OBJECT_WRITE_H */
