/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of modules that are gone, see trace_graph_gone.c
 */
#ifndef _KERNEL_TRACE_GRAPH_GONE_H
#define _KERNEL_TRACE_GRAPH_GONE_H

#include <linux/types.h>

struct fgraph_sig;
struct module;
struct trace_iterator;
struct trace_seq;

#if defined(CONFIG_MODULES) && defined(CONFIG_FGRAPH_SIGNATURE_READER)
void graph_keep_functions(const struct module *mod, const u64 *since);
bool graph_find_gone_signature(const struct trace_iterator *iter, unsigned long addr,
			       struct fgraph_sig *sig);
bool print_gone_func(struct trace_seq *s, const struct trace_iterator *iter,
		     unsigned long addr);
bool print_gone_retaddr(struct trace_seq *s, const struct trace_iterator *iter,
			unsigned long addr);
#else
static inline void graph_keep_functions(const struct module *mod, const u64 *since)
{
}

static inline bool graph_find_gone_signature(const struct trace_iterator *iter,
					     unsigned long addr, struct fgraph_sig *sig)
{
	return false;
}

static inline bool print_gone_func(struct trace_seq *s, const struct trace_iterator *iter,
				   unsigned long addr)
{
	return false;
}

static inline bool print_gone_retaddr(struct trace_seq *s, const struct trace_iterator *iter,
				      unsigned long addr)
{
	return false;
}
#endif

#endif /* _KERNEL_TRACE_GRAPH_GONE_H */
