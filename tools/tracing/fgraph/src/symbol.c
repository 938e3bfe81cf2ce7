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

static struct symbol *symbols;
static size_t nr_symbols;

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
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
	size_t lines = 0;

	if (!text)
		return;
	for (line = text; *line; line++)
		lines += *line == '\n';
	symbols = allocate((lines + 1) * sizeof(*symbols));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_symbol(line);
	qsort(symbols, nr_symbols, sizeof(*symbols), compare_symbols);
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
static uint64_t symbol_size(size_t i)
{
	size_t next = i;

	while (next < nr_symbols && (symbols[next].address == symbols[i].address ||
				     strcmp(symbols[next].module, symbols[i].module)))
		next++;
	return next < nr_symbols ? symbols[next].address - symbols[i].address : 0;
}

bool find_address(const struct spot *spot, uint64_t *address)
{
	size_t i, nr = 0, nr_sized = 0;
	uint64_t first = 0, sized = 0;

	if (!symbols)
		read_symbols();
	for (i = 0; i < nr_symbols; i++) {
		/* A kernel that hides its addresses shows zeros. */
		if (!symbols[i].address || strcmp(symbols[i].name, spot->name) ||
		    strcmp(symbols[i].module, spot->module ?: ""))
			continue;
		nr++;
		first = symbols[i].address;
		if (spot->size && symbol_size(i) == spot->size) {
			nr_sized++;
			sized = symbols[i].address;
		}
	}
	*address = (nr == 1 ? first : sized) + spot->offset;
	return nr == 1 || nr_sized == 1;
}
