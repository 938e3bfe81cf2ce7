/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of source lines, which fgraph-lines writes: scripts/lines/format.h describes them.
 * A table is mapped and searched in place. It may be damaged: then nothing is found.
 */
#ifndef FGRAPH_PLACE_H
#define FGRAPH_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct place - a place in the source
 * @func:	the function, if it was inlined into the next place; NULL for the function whose
 *		code it is
 * @file:	path of the file, "" if it is not known
 * @line:	0 if it is not known
 */
struct place {
	const char	*func;
	const char	*file;
	unsigned int	line;
};

/**
 * struct places - what an address is
 * @all:	the innermost function first, then the calls in those that it was inlined into
 * @nr:		how many; 0 if the table does not contain the address
 * @definition:	where the function that has the code is defined
 */
struct places {
	struct place	*all;
	size_t		nr;
	struct place	definition;
};

/* Return place @depth: 0 is that of the function that has the code, the others were inlined. */
const struct place *place_at(const struct places *places, size_t depth);

/* Return true if two places are the same line of a file. */
bool is_same_line(const struct place *a, const struct place *b);

struct table;

/**
 * open_table - map a table
 * @file:	its name
 * @error:	why it cannot be used
 *
 * Return: the table, or NULL.
 */
struct table *open_table(const char *file, const char **error);

void close_table(struct table *table);

/* Return true if a table is of the kernel or module with this build ID, hexadecimal digits. */
bool has_build_id(const struct table *table, const char *id);

/**
 * find_places - find the source lines of an address
 * @table:	the table
 * @section:	name of the section, "" in a kernel
 * @offset:	offset of the address in it; in a kernel, from the symbol _text
 *
 * Return: the places. The caller frees @all.
 */
struct places find_places(const struct table *table, const char *section, uint64_t offset);

/**
 * struct row - code that belongs to a source line
 * @offset:	where it begins, as in find_places(). Several rows may begin there: its code belongs
 *		to the last one.
 * @places:	its source lines. The caller of list_rows() frees its @all.
 * @is_stmt:	a statement of this line begins there. The code of another row continues one.
 */
struct row {
	uint64_t	offset;
	struct places	places;
	bool		is_stmt;
};

/**
 * list_rows - list the rows of a function
 * @table:	the table
 * @section:	as in find_places()
 * @offset:	an address in the contiguous code that is listed
 * @rows:	gets the rows, in the order of their addresses; the caller frees them
 *
 * Return: how many.
 */
size_t list_rows(const struct table *table, const char *section, uint64_t offset,
		 struct row **rows);

#endif
