// SPDX-License-Identifier: GPL-2.0
/* The lines of a kernel or a module, in memory */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "../signatures/util.h"

struct pooled {
	char *string;
	size_t index;
};

struct lines *new_lines(void)
{
	return xcalloc(1, sizeof(struct lines));
}

static void free_pooled(void *thing)
{
	free(((struct pooled *)thing)->string);
	free(thing);
}

void free_lines(struct lines *lines)
{
	tdestroy(lines->strings.tree, free_pooled);
	tdestroy(lines->origins.tree, free);
	free(lines->strings.all);
	free(lines->origins.all);
	for (size_t i = 0; i < lines->nr_pieces; i++) {
		free(lines->pieces[i].scopes);
		free(lines->pieces[i].lines);
	}
	free(lines->pieces);
	free(lines);
}

/* Return: the thing that equals @key, or a copy of @key that was added. */
static void *find_or_add(struct pool *pool, const void *key, size_t size,
			 int (*compare)(const void *a, const void *b), bool *is_new)
{
	void **node = tfind(key, &pool->tree, compare), *new;

	*is_new = !node;
	if (node)
		return *node;
	new = memcpy(xrealloc(NULL, 1, size), key, size);
	if (!tsearch(new, &pool->tree, compare))
		die("no memory for a tree");
	grow(pool->all, pool->nr, pool->room);
	pool->all[pool->nr++] = new;
	return new;
}

static int compare_pooled(const void *a, const void *b)
{
	const struct pooled *x = a, *y = b;

	return strcmp(x->string, y->string);
}

/* Return: the index of a string. Equal strings have one index. */
size_t intern_string(struct lines *lines, const char *string)
{
	struct pooled key = { (char *)string, lines->strings.nr }, *found;
	bool is_new;

	found = find_or_add(&lines->strings, &key, sizeof(key), compare_pooled, &is_new);
	if (is_new) {
		found->string = strdup(string);
		if (!found->string)
			die("no memory for a string");
	}
	return found->index;
}

const char *string_at(const struct lines *lines, size_t index)
{
	return ((const struct pooled *)lines->strings.all[index])->string;
}

static int compare_origins(const void *a, const void *b)
{
	const struct origin *x = a, *y = b;

	return compare_uints(x->name, y->name) ?: compare_uints(x->file, y->file) ?:
	       compare_uints(x->line, y->line);
}

/* Return: the origin with these properties. Equal origins are one. */
struct origin *intern_origin(struct lines *lines, size_t name, size_t file, uint32_t line)
{
	struct origin key = { name, file, line };
	bool is_new;

	return find_or_add(&lines->origins, &key, sizeof(key), compare_origins, &is_new);
}

/* Adds an empty piece. The next one can move it. */
struct piece *add_piece(struct lines *lines, struct address start, uint64_t length)
{
	grow(lines->pieces, lines->nr_pieces, lines->pieces_room);
	lines->pieces[lines->nr_pieces] = (struct piece){ start, length };
	return &lines->pieces[lines->nr_pieces++];
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return compare_addresses(&x->start, &y->start);
}

void sort_pieces(struct lines *lines)
{
	if (lines->nr_pieces)
		qsort(lines->pieces, lines->nr_pieces, sizeof(*lines->pieces), compare_pieces);
}
