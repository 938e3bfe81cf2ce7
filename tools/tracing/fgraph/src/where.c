// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph where: the source lines of addresses.
 *
 *	# fgraph where do_one_initcall+0x141
 *	do_one_initcall+0x141: do_one_initcall init/main.c:1272 → trace_initcall_finish [inlined]
 *	include/trace/events/initcall.h:48
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fgraph.h"
#include "options.h"
#include "place.h"
#include "source.h"
#include "symbol.h"
#include "util.h"

static const char *table_file;

/* Print the function first, then those that were inlined, down to the innermost one. */
static bool print_places(const char *where, const char *func, struct places places)
{
	/* The compiler may know the function of an instruction, but no line. */
	bool is_known = places.nr > 1 || (places.nr && places.all->line);
	size_t i = is_known ? places.nr : 0;

	printf("%s:%s", where, is_known ? "" : " not known");
	while (i--) {
		const struct place *place = &places.all[i];

		printf(" %s%s", place->func ?: func, place->func ? " [inlined]" : "");
		print_place(stdout, place);
		fputs(i ? " →" : "", stdout);
	}
	putchar('\n');
	free(places.all);
	return is_known;
}

/* An address in a table is SECTION+0xOFFSET; in the table of a kernel, 0xOFFSET. */
static bool show_in_table(const struct table *table, const char *where)
{
	const char *plus = strrchr(where, '+');
	char *section = plus ? print_text("%.*s", (int)(plus - where), where) : copy_text("");
	const char *number = plus ? plus + 1 : where;
	uint64_t offset;
	char *end;
	bool found;

	offset = strtoull(number, &end, 0);
	if (end == number || *end)
		die("%s: with -t, an address is OFFSET or SECTION+OFFSET", where);
	found = print_places(where, "code", find_places(table, section, offset));
	free(section);
	return found;
}

static bool show_in_kernel(const char *where)
{
	char *text = copy_text(where);
	struct spot spot;
	bool found;

	if (!parse_spot(text, &spot))
		die("%s: an address is FUNCTION+0xOFFSET[/0xSIZE], perhaps with [MODULE] after it",
		    where);
	found = print_places(where, spot.name, find_source(&spot, false));
	free(text);
	return found;
}

static void check_where(void)
{
	if (!options.cmd)
		die("an address is needed: see fgraph where --help");
}

static int run_where(void)
{
	struct table *table = NULL;
	const char *error;
	bool all = true;
	char **where;

	if (table_file) {
		table = open_table(table_file, &error);
		if (!table)
			die("%s: %s", table_file, error);
	} else if (!has_source_lines()) {
		die_without_lines();
	}
	for (where = options.cmd; *where; where++)
		all &= table ? show_in_table(table, *where) : show_in_kernel(*where);
	close_table(table);
	return all ? 0 : 1;
}

static const struct option_row table_option = {
	't', "table", "FILE", "use this table of source lines", .text = &table_file,
};

static const struct option_row *const where_options[] = { &table_option, NULL };

const struct command where_command = {
	.name		= "where",
	.options	= where_options,
	.operands	= " ADDRESS...",
	.check		= check_where,
	.run		= run_where,
};
