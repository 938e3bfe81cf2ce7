/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of the addresses in a trace, and whether they may be printed.
 */
#ifndef _KERNEL_TRACE_GRAPH_SYMBOL_H
#define _KERNEL_TRACE_GRAPH_SYMBOL_H

#include <linux/types.h>

struct fgraph_sig;
struct trace_iterator;
struct trace_seq;

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
struct graph_symbols;

struct graph_symbols *alloc_graph_symbols(gfp_t gfp);
void print_graph_symbol(struct trace_seq *s, struct graph_symbols *symbols,
			unsigned long addr);

bool graph_func_has_name(const struct trace_iterator *iter, unsigned long addr);
bool graph_func_is_there(const struct trace_iterator *iter, unsigned long addr);
bool graph_find_signature(const struct trace_iterator *iter, unsigned long addr,
			  struct fgraph_sig *sig);
bool graph_hides_pointers(const struct trace_iterator *iter);
bool graph_hides_word(const struct trace_iterator *iter, unsigned long word);
#else
static inline bool graph_hides_pointers(const struct trace_iterator *iter)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_GRAPH_SYMBOL_H */
