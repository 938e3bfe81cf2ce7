// SPDX-License-Identifier: GPL-2.0
/*
 * The members of structs that only a module has.
 *
 * Each object of a module describes all structs that its functions lead to, and the linker
 * does not merge the strings of a module. vmlinux has most of them, too. The kernel searches
 * the strings of the module first, then its own.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "relocate.h"
#include "util.h"
#include "../../include/linux/fgraph_members_format.h"
#include "../../include/linux/fgraph_sig_format.h"

/* The strings of a section, sorted, without duplicates */
struct table {
	struct file *file;
	const char **strings;
	size_t nr, room;
};

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_table(struct table *table)
{
	size_t nr = 0;

	if (table->nr)
		qsort(table->strings, table->nr, sizeof(*table->strings), compare_strings);
	for (size_t i = 0; i < table->nr; i++) {
		if (!nr || strcmp(table->strings[i], table->strings[nr - 1]))
			table->strings[nr++] = table->strings[i];
	}
	table->nr = nr;
}

/* Reads the section of a file. A file without the section has an empty table. */
static struct table read_table(const char *name)
{
	struct table table = { .file = open_elf(name) };
	struct section *section = find_section(table.file, FGRAPH_MEMBERS_SECTION);
	struct cursor cursor;

	if (!section || !section->header.sh_size)
		return table;
	cursor = open_cursor(section, 0);
	while (cursor.pos < cursor.end) {
		const char *string = read_string(&cursor);

		/* A linker may pad the strings with zeroes. */
		if (!*string)
			continue;
		grow(table.strings, table.nr, table.room);
		table.strings[table.nr++] = string;
	}
	sort_table(&table);
	return table;
}

static void close_table(struct table *table)
{
	free(table->strings);
	close_elf(table->file);
}

/* Return: the length of the mark and the key at the start of a string. */
static size_t key_length(const struct table *table, const char *string)
{
	unsigned char count = strlen(string) > 2 ? string[2] : 0;
	size_t length = 3;

	if (count < FGRAPH_FIRST_COMMON)
		length += count - '0';
	if (*string != FGRAPH_MEMBERS_MARK || count < '0' || strlen(string) < length)
		die("%s: %s contains a string without a key", table->file->name,
		    FGRAPH_MEMBERS_SECTION);
	return length;
}

/* The strings of one key, which are adjacent */
struct group {
	const char **strings;
	size_t nr;
};

/* Return: the strings at @first and after it that have the same key as @key. */
static struct group group_at(const struct table *table, size_t first, const char *key,
			     size_t length)
{
	struct group group = { .strings = table->strings + first };

	while (first + group.nr < table->nr && !strncmp(group.strings[group.nr], key, length))
		group.nr++;
	return group;
}

struct key {
	const char *string;
	size_t length;
};

static bool is_below_key(const void *element, const void *key)
{
	const struct key *k = key;

	return strncmp(*(const char *const *)element, k->string, k->length) < 0;
}

static struct group find_group(const struct table *table, const char *string, size_t length)
{
	struct key key = { string, length };
	size_t first = count_below(&key, table->strings, table->nr, sizeof(*table->strings),
				   is_below_key);

	return group_at(table, first, string, length);
}

static bool are_equal(const struct group *a, const struct group *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++) {
		if (strcmp(a->strings[i], b->strings[i]))
			return false;
	}
	return true;
}

struct output {
	char *bytes;
	size_t size, room;
};

static void add_group(struct output *output, const struct group *group)
{
	for (size_t i = 0; i < group->nr; i++) {
		size_t size = strlen(group->strings[i]) + 1;

		grow_by(output->bytes, output->size, output->room, size);
		memcpy(output->bytes + output->size, group->strings[i], size);
		output->size += size;
	}
}

/*
 * Adds the strings of a module, except those of a key for which vmlinux has the same strings.
 * If only some of them are the same, all are added, because the kernel must see that the name
 * is ambiguous in the module.
 */
static void add_own(struct output *output, const struct table *module,
		    const struct table *kernel)
{
	struct group own, same;

	for (size_t i = 0; i < module->nr; i += own.nr) {
		size_t length = key_length(module, module->strings[i]);

		own = group_at(module, i, module->strings[i], length);
		same = find_group(kernel, module->strings[i], length);
		if (!are_equal(&own, &same))
			add_group(output, &own);
	}
}

/**
 * write_module_members - write the members that only a module has
 * @output:	the file to write, the new content of the section of the module. It is empty if
 *		no string is left.
 * @name:	the module
 * @kernel:	vmlinux; NULL to remove only duplicates
 *
 * Return: 0.
 */
int write_module_members(const char *output, const char *name, const char *kernel)
{
	struct table module = read_table(name), vmlinux = { 0 };
	struct output own = { 0 };

	if (kernel)
		vmlinux = read_table(kernel);
	add_own(&own, &module, &vmlinux);
	write_bytes(output, O_WRONLY | O_CREAT | O_TRUNC, 0, own.bytes, own.size);
	free(own.bytes);
	if (kernel)
		close_table(&vmlinux);
	close_table(&module);
	return 0;
}
