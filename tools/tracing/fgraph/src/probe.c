// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "probe.h"
#include "source.h"
#include "symbol.h"
#include "util.h"

/* More take too long to set and to remove. */
#define MAX_STOPS	1000

static struct stop *stops;
static unsigned int nr_stops;

static bool is_same_place(const struct place *a, const struct place *b)
{
	return is_same_line(a, b) && !strcmp(a->func ?: "", b->func ?: "");
}

static bool are_same_places(const struct places *a, const struct places *b)
{
	size_t i;

	for (i = 0; i < a->nr && i < b->nr; i++)
		if (!is_same_place(&a->all[i], &b->all[i]))
			return false;
	return a->nr == b->nr && is_same_place(&a->definition, &b->definition);
}

static void add_stop(const char *func, const struct row *row, bool is_entry)
{
	struct stop *stop;

	if (nr_stops == MAX_STOPS)
		die("%s is too large: it has more than %d places for probes", func, MAX_STOPS);
	if (!stops)
		stops = allocate(MAX_STOPS * sizeof(*stops));
	stop = &stops[nr_stops];
	stop->address = row->offset;
	stop->places = row->places;
	stop->is_stmt = row->is_stmt;
	stop->is_entry = is_entry;
	while (!are_same_places(&stops[stop->same].places, &stop->places))
		stop->same++;
	while (!is_same_line(stops[stop->line].places.all, stop->places.all))
		stop->line++;
	nr_stops++;
}

/* Add the rows of contiguous code. Return false if the table has none. */
static bool add_stops(const char *func, const char *module, uint64_t address, bool is_entry)
{
	struct row *rows;
	size_t nr = list_rows_at(module, address, &rows), i;

	/*
	 * The first probe says where a call begins. Instructions for ftrace may be before it, at
	 * the symbol: the compiler gives them no line.
	 */
	if (nr && is_entry && rows[0].offset < address)
		die("%s: the table of source lines does not contain its entry", func);
	for (i = 0; i < nr; i++)
		add_stop(func, &rows[i], is_entry && !i);
	free(rows);
	return nr;
}

/*
 * The compiler may move code that is hardly executed out of the function. Other functions of
 * this name have such code as well: the definition says whose it is.
 */
static void add_cold_stops(const char *func, const char *module, uint64_t address)
{
	struct places entry = find_source_at(module, address), cold;
	char *name = print_text("%s.cold", func);
	uint64_t *all;
	size_t nr = list_addresses(name, module, &all), i;

	for (i = 0; i < nr; i++) {
		cold = find_source_at(module, all[i]);
		if (cold.nr && entry.nr && is_same_place(&cold.definition, &entry.definition))
			add_stops(func, module, all[i], false);
		free(cold.all);
	}
	free(entry.all);
	free(all);
	free(name);
}

static void probe_stops(const char *func)
{
	unsigned int i, nr = 0, refused = 0;
	int error;

	for (i = 0; i < nr_stops; i++) {
		if (i && stops[i].address == stops[i - 1].address)
			continue;
		error = add_line_probe(stops[i].address, i);
		if (error && stops[i].is_entry)
			die("%s cannot be probed: %s", func, strerror(error));
		refused += !!error;
		nr++;
	}
	if (refused)
		complain("%u of %u places in %s cannot be probed: lines may be missing",
			 refused, nr, func);
}

/* Several functions of the kernel may have this name, so it is named by its address. */
static void probe_return(const char *func, const char *module, uint64_t address)
{
	const struct spot text = { .name = (char *)"_text" };
	uint64_t base;
	char *name;
	int error;

	if (module)
		name = print_text("%s:%s", module, func);
	else if (find_address(&text, &base))
		name = print_text("%s+0x%llx", text.name,
				  (unsigned long long)(address - base));
	else
		die("the kernel hides the addresses of its functions");
	error = add_return_probe(name);
	if (error)
		die("%s cannot be probed: %s", func, strerror(error));
	free(name);
}

static void probe_function(const char *func, const char *module)
{
	uint64_t *all;
	size_t nr = list_addresses(func, module, &all), i;

	if (!nr)
		die("%s: the kernel shows no address of this function", func);
	if (nr > 1 && module)
		die("%s: several functions of %s have this name", func, module);
	for (i = 0; i < nr; i++) {
		if (!add_stops(func, module, all[i], true))
			continue;
		add_cold_stops(func, module, all[i]);
		probe_return(func, module, all[i]);
	}
	free(all);
	if (!nr_stops)
		die("%s: the table of source lines does not contain it", func);
	probe_stops(func);
}

void set_probes(const char *func)
{
	char *name = copy_text(func), *module = strstr(name, " [");

	if (!instance_has_probes())
		die("this kernel lacks CONFIG_KPROBE_EVENTS, which fgraph line needs");
	if (module) {
		*module = '\0';
		module += strlen(" [");
		module[strcspn(module, "]")] = '\0';
	}
	probe_function(name, module);
	enable_probes();
	free(name);
}

unsigned int count_stops(void)
{
	return nr_stops;
}

const struct stop *find_stop(unsigned long number)
{
	return number < nr_stops ? &stops[number] : NULL;
}
