/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines of a kernel or a module: for each piece of code, its source lines and the
 * functions that were inlined there.
 *
 * line_program.h reads rows, and inlined.h reads scopes. format.h describes the file
 * that write.h writes.
 */
#ifndef LINES_LINES_H
#define LINES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../signatures/spans.h"

/* A function as the source defines it */
struct origin {
	size_t name;		/* the indexes of two strings */
	size_t file;
	uint32_t line;

	/* For the writer */
	size_t uses;		/* as a function that was inlined */
	size_t index;
};

/* Scope 0 of a piece is its function. Each other one is a function that was inlined. */
struct scope {
	size_t parent;		/* the scope that it was inlined into, always a lower one */
	struct origin *origin;
	size_t call_file;	/* where the source calls it */
	uint32_t call_line;
};

/* From @offset on, the code belongs to this line of this scope. */
struct line {
	uint64_t offset;	/* from the start of the piece */
	size_t scope;
	size_t file;
	uint32_t line;
	bool is_stmt;
};

/* Contiguous code of one function */
struct piece {
	struct address start;
	uint64_t length;
	struct scope *scopes;
	size_t nr_scopes, scopes_room;
	struct line *lines;
	size_t nr_lines, lines_room;
};

/* Things without duplicates */
struct pool {
	void *tree;
	void **all;		/* in the order in which they were added */
	size_t nr, room;
};

struct lines {
	const char *directory;	/* where the compiler ran */
	struct pool strings;	/* of struct pooled */
	struct pool origins;	/* of struct origin */
	struct piece *pieces;	/* by address, once sort_pieces() was called */
	size_t nr_pieces, pieces_room;
};

struct lines *new_lines(void);
void free_lines(struct lines *lines);
size_t intern_string(struct lines *lines, const char *string);
const char *string_at(const struct lines *lines, size_t index);
struct origin *intern_origin(struct lines *lines, size_t name, size_t file, uint32_t line);
struct piece *add_piece(struct lines *lines, struct address start, uint64_t length);
void sort_pieces(struct lines *lines);

#endif /* LINES_LINES_H */
