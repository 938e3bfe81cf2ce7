// SPDX-License-Identifier: GPL-2.0
/* The tables of strings, files and origins in a file of lines */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "path.h"
#include "tables.h"
#include "../signatures/util.h"

/*
 * Return: the directory of the source, or NULL: the one that contains include/linux. Nearly
 * every file of a kernel or a module includes a header from there.
 */
static char *find_root(const struct lines *lines)
{
	static const char headers[] = "/include/linux/";

	for (size_t i = 0; i < lines->strings.nr; i++) {
		const char *path = string_at(lines, i), *end = strstr(path, headers);

		if (end && *path == '/')
			return strndup(path, end - path);
	}
	return NULL;
}

/* Return: the offset of a string, which is added if it is new. Offset 0 is "". */
uint32_t add_string_to(struct tables *tables, const char *text)
{
	size_t offset = tables->string_bytes.nr;

	if (!*text && offset)
		return 0;
	put_bytes(&tables->string_bytes, text, strlen(text) + 1);
	return offset;
}

static uint32_t use_string(struct tables *tables, size_t string)
{
	if (!tables->strings[string])
		tables->strings[string] = add_string_to(tables,
							string_at(tables->lines, string));
	return tables->strings[string];
}

/* Return: the number of a file, which is added if it is new. */
uint16_t use_file(struct tables *tables, size_t string)
{
	const char *path = string_at(tables->lines, string);

	if (!*path || tables->files[string])
		return tables->files[string];
	if (tables->nr_files > UINT16_MAX)
		die("%s: code of more than %u source files", tables->name, UINT16_MAX);
	path = relative_path(path, tables->root, tables->lines->directory);
	put_number(&tables->file_bytes, add_string_to(tables, path));
	return tables->files[string] = tables->nr_files++;
}

/* Begins empty tables. String 0 is "", and file 0 has that name. */
void begin_tables(struct tables *tables, struct lines *lines, const char *name)
{
	size_t nr = lines->strings.nr;

	*tables = (struct tables){ .lines = lines, .name = name, .root = find_root(lines) };
	tables->strings = xcalloc(nr, sizeof(*tables->strings));
	tables->files = xcalloc(nr, sizeof(*tables->files));
	add_string_to(tables, "");
	put_number(&tables->file_bytes, 0);
	tables->nr_files = 1;
}

/* Functions that are inlined most come first. Those that never are have no entry. */
static int compare_uses(const void *a, const void *b)
{
	const struct origin *x = *(const struct origin *const *)a;
	const struct origin *y = *(const struct origin *const *)b;

	return compare_uints(y->uses, x->uses) ?: compare_uints(x->name, y->name) ?:
	       compare_uints(x->file, y->file) ?: compare_uints(x->line, y->line);
}

static void count_uses(struct lines *lines)
{
	for (size_t i = 0; i < lines->nr_pieces; i++) {
		for (size_t j = 1; j < lines->pieces[i].nr_scopes; j++)
			lines->pieces[i].scopes[j].origin->uses++;
	}
}

/* Adds the functions that were inlined. Frequent ones get low numbers, which are short. */
void add_origins(struct tables *tables)
{
	struct pool *pool = &tables->lines->origins;
	struct origin *origin;

	count_uses(tables->lines);
	if (pool->nr)
		qsort(pool->all, pool->nr, sizeof(*pool->all), compare_uses);
	for (size_t i = 0; i < pool->nr; i++) {
		origin = pool->all[i];
		if (!origin->uses)
			break;
		origin->index = tables->nr_origins++;
		if (origin->line > UINT16_MAX)
			origin->line = 0;
		put_number(&tables->origin_bytes, use_string(tables, origin->name));
		put_number(&tables->origin_bytes,
			   use_file(tables, origin->file) | origin->line << 16);
	}
}

void free_tables(struct tables *tables)
{
	free(tables->root);
	free(tables->strings);
	free(tables->files);
}
