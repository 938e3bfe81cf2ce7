/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of results, from a list of prototypes as in function_signatures.
 */
#ifndef FGRAPH_PLUGIN_PROTOTYPE_H
#define FGRAPH_PLUGIN_PROTOTYPE_H

#include <stdbool.h>

enum result_kind {
	RESULT_UNKNOWN,
	RESULT_NONE,
	RESULT_BOOL,
	RESULT_SIGNED,
	RESULT_UNSIGNED,
	RESULT_POINTER,
};

/* A result has @bytes, or the size of a word if this is 0. */
struct result_type {
	enum result_kind	kind;
	unsigned int		bytes;
};

/* Read the list in a file. Return false and print why if it cannot be read. */
bool read_prototypes(const char *file);

/*
 * The type of the result of a function. It is unknown if the list has no such function, if it
 * has two with different types, or if the type is not one of C or of a pointer.
 */
struct result_type find_result_type(const char *func);

void free_prototypes(void);

#endif
