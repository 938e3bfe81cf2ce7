// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the functions in a trace.
 *
 * Finding the name of an address and unpacking it takes longer than everything
 * else that is printed of a call, and most calls are of the few functions that
 * came before. So a reader of a trace keeps the last names.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "fgraph_sig.h"
#include "trace.h"

#define GRAPH_SYMBOL_BITS	8

/* One that is longer is looked up each time */
#define GRAPH_SYMBOL_LEN	55

struct graph_symbol {
	unsigned long	addr;
	u8		len;
	char		name[GRAPH_SYMBOL_LEN];
};

struct graph_symbols {
	struct graph_symbol	hash[1 << GRAPH_SYMBOL_BITS];
};

/**
 * alloc_graph_symbols - make room for names
 * @gfp: how to allocate
 *
 * Return: what print_graph_symbol() wants, to be freed by kfree(). NULL will do.
 */
struct graph_symbols *alloc_graph_symbols(gfp_t gfp)
{
	return kzalloc(sizeof(struct graph_symbols), gfp | __GFP_NOWARN);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(alloc_graph_symbols);

/* What a module is called can change while a trace is read: it may be unloaded. */
static bool keeps_its_name(unsigned long addr)
{
	return core_kernel_text(addr);
}

/**
 * print_graph_symbol - print the name of a function
 * @s:		where to
 * @symbols:	names that were printed before, or NULL
 * @addr:	the address of the function
 */
void print_graph_symbol(struct trace_seq *s, struct graph_symbols *symbols,
			unsigned long addr)
{
	struct graph_symbol *symbol;
	int len;

	if (!symbols || !keeps_its_name(addr)) {
		trace_seq_printf(s, "%ps", (void *)addr);
		return;
	}

	symbol = &symbols->hash[hash_long(addr, GRAPH_SYMBOL_BITS)];
	if (symbol->addr != addr) {
		len = snprintf(symbol->name, GRAPH_SYMBOL_LEN, "%ps", (void *)addr);
		symbol->addr = len < GRAPH_SYMBOL_LEN ? addr : 0;
		symbol->len = len;
	}
	if (symbol->addr)
		trace_seq_putmem(s, symbol->name, symbol->len);
	else
		trace_seq_printf(s, "%ps", (void *)addr);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_symbol);
