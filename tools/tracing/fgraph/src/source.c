// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "code.h"
#include "options.h"
#include "source.h"
#include "util.h"

/* The table of the kernel or of a module, which was looked for */
struct known {
	struct known	*next;
	char		*name;
	struct table	*table;		/* NULL: there is none */
};

static struct known *tables;
static char *release;

void set_release(const char *name)
{
	free(release);
	release = copy_text(name);
}

static char *find_table_file(const char *name)
{
	struct utsname system;

	if (options.lines_dir)
		return print_text("%s/%s", options.lines_dir, name);
	if (!release && !uname(&system))
		release = copy_text(system.release);
	return print_text("/lib/modules/%s/lines/%s", release ?: "", name);
}

/* If the table of the kernel is missing, too, the kernel was built without tables. */
static void complain_of_missing(const char *name, const char *file)
{
	if (strcmp(name, KERNEL_MODULE) && has_source_lines())
		complain("%s, a table of source lines, is missing: see fgraph-where(1)", file);
}

/* Without the build ID, because a module is not loaded any more, no table can be used. */
static struct table *open_table_of(const char *name)
{
	char *file = find_table_file(name), *id = copy_build_id(name);
	struct table *table;
	const char *error;

	if (!id || access(file, F_OK)) {
		if (id)
			complain_of_missing(name, file);
		free(file);
		free(id);
		return NULL;
	}
	table = open_table(file, &error);
	if (table && !has_build_id(table, id)) {
		close_table(table);
		table = NULL;
		error = "a table of source lines of another build";
	}
	if (!table)
		complain("%s: %s: lines are not shown", file, error);
	free(file);
	free(id);
	return table;
}

static const struct table *find_table(const char *name)
{
	struct known *known;

	for (known = tables; known; known = known->next)
		if (!strcmp(known->name, name))
			return known->table;
	known = allocate(sizeof(*known));
	known->name = copy_text(name);
	known->table = open_table_of(name);
	known->next = tables;
	tables = known;
	return known->table;
}

bool has_source_lines(void)
{
	return find_table(KERNEL_MODULE);
}

void __noreturn die_without_lines(void)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/lib/modules/%s/build/vmlinux",
	};
	char *table = find_table_file(KERNEL_MODULE), *file;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		file = print_text(places[i], release);
		if (!access(file, R_OK))
			die("%s is missing: fgraph-lines -o %s %s makes it", table, table, file);
		free(file);
	}
	die("%s, a table of source lines, is missing: see fgraph-where(1)", table);
}

static struct places find_source_of(struct code *code)
{
	const struct table *table = find_table(code->module);
	struct places places = { };

	if (table)
		places = find_places(table, code->section, code->offset);
	free_code(code);
	return places;
}

struct places find_source(const struct spot *spot, bool is_return)
{
	struct code code;

	if (!find_table(spot->module ?: KERNEL_MODULE) || !find_code(spot, &code))
		return (struct places){ };
	code.offset -= is_return;
	return find_source_of(&code);
}

struct places find_source_at(const char *module, uint64_t address)
{
	struct code code;

	if (!find_code_at(module, address, &code))
		return (struct places){ };
	return find_source_of(&code);
}

size_t list_rows_at(const char *module, uint64_t address, struct row **rows)
{
	const struct table *table = find_table(module ?: KERNEL_MODULE);
	struct code code;
	size_t nr, i;

	*rows = NULL;
	if (!table || !find_code_at(module, address, &code))
		return 0;
	nr = list_rows(table, code.section, code.offset, rows);
	for (i = 0; i < nr; i++)
		(*rows)[i].offset += address - code.offset;
	free_code(&code);
	return nr;
}

void print_place(FILE *out, const struct place *place)
{
	if (*place->file && place->line)
		fprintf(out, " %s:%u", place->file, place->line);
}
