// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "symbol.h"
#include "tracefs.h"
#include "util.h"

struct symbol {
	uint64_t	address;
	const char	*name;
	const char	*module;	/* "" in the kernel */
};

/* By address, and the same by name */
static struct symbol *symbols, **by_name;
static size_t nr_symbols;

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static int compare_names(const void *a, const void *b)
{
	const struct symbol *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* ffffffff81000000 T _text, perhaps with a tab and [module] */
static void add_symbol(char *line)
{
	struct symbol *symbol = &symbols[nr_symbols];
	char *end, *tab;

	symbol->address = strtoull(line, &end, 16);
	if (*end++ != ' ' || !strchr("tTwW", *end) || *++end != ' ')
		return;
	symbol->name = end + 1;
	symbol->module = "";
	tab = strchr(end, '\t');
	if (tab) {
		*tab++ = '\0';
		tab[strcspn(tab, "]")] = '\0';
		symbol->module = tab + (*tab == '[');
	}
	nr_symbols++;
}

static void read_symbols(void)
{
	char *text = read_file(AT_FDCWD, "/proc/kallsyms"), *line, *rest;
	size_t lines = 0, i;

	if (!text)
		return;
	for (line = text; *line; line++)
		lines += *line == '\n';
	symbols = allocate((lines + 1) * sizeof(*symbols));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_symbol(line);
	qsort(symbols, nr_symbols, sizeof(*symbols), compare_symbols);
	by_name = allocate((nr_symbols + 1) * sizeof(*by_name));
	for (i = 0; i < nr_symbols; i++)
		by_name[i] = &symbols[i];
	qsort(by_name, nr_symbols, sizeof(*by_name), compare_names);
}

/* Return the first of the symbols with a name, in by_name[], or NULL. */
static struct symbol **find_name(const char *name)
{
	const struct symbol key = { .name = name }, *at = &key;
	struct symbol **found = nr_symbols ? bsearch(&at, by_name, nr_symbols, sizeof(*by_name),
						     compare_names) : NULL;

	while (found && found > by_name && !strcmp(found[-1]->name, name))
		found--;
	return found;
}

bool parse_spot(char *text, struct spot *spot)
{
	char *plus = strchr(text, '+'), *end;

	memset(spot, 0, sizeof(*spot));
	if (!plus || plus == text || strncmp(plus, "+0x", 3) || !isxdigit(plus[3]))
		return false;
	*plus++ = '\0';
	spot->name = text;
	spot->offset = strtoull(plus, &end, 16);
	if (!strncmp(end, "/0x", 3))
		spot->size = strtoull(end + 1, &end, 16);
	if (!strncmp(end, " [", 2)) {
		spot->module = end + 2;
		end += strcspn(end, "]");
		if (!*end)
			return false;
		*end++ = '\0';
	}
	return !*end;
}

/* The distance to the next symbol of the same module */
static uint64_t symbol_size(const struct symbol *symbol)
{
	const struct symbol *next = symbol;

	while (next < symbols + nr_symbols && (next->address == symbol->address ||
					       strcmp(next->module, symbol->module)))
		next++;
	return next < symbols + nr_symbols ? next->address - symbol->address : 0;
}

/* The next symbol of this name and module, or NULL. Start with find_name(). */
static struct symbol **find_next(struct symbol **symbol, const char *name, const char *module)
{
	for (; symbol && symbol < by_name + nr_symbols && !strcmp((*symbol)->name, name); symbol++)
		/* A kernel that hides its addresses shows zeros. */
		if ((*symbol)->address && !strcmp((*symbol)->module, module ?: ""))
			return symbol;
	return NULL;
}

bool find_address(const struct spot *spot, uint64_t *address)
{
	uint64_t first = 0, sized = 0;
	size_t nr = 0, nr_sized = 0;
	struct symbol **symbol;

	if (!symbols)
		read_symbols();
	symbol = find_next(find_name(spot->name), spot->name, spot->module);
	for (; symbol; symbol = find_next(symbol + 1, spot->name, spot->module)) {
		nr++;
		first = (*symbol)->address;
		if (spot->size && symbol_size(*symbol) == spot->size) {
			nr_sized++;
			sized = (*symbol)->address;
		}
	}
	*address = (nr == 1 ? first : sized) + spot->offset;
	return nr == 1 || nr_sized == 1;
}

size_t list_addresses(const char *name, const char *module, uint64_t **addresses)
{
	struct symbol **first, **symbol;
	size_t nr = 0;

	if (!symbols)
		read_symbols();
	first = find_next(find_name(name), name, module);
	for (symbol = first; symbol; symbol = find_next(symbol + 1, name, module))
		nr++;
	*addresses = allocate((nr + 1) * sizeof(**addresses));
	nr = 0;
	for (symbol = first; symbol; symbol = find_next(symbol + 1, name, module))
		(*addresses)[nr++] = (*symbol)->address;
	return nr;
}
