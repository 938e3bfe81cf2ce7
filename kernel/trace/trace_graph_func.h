/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of a traced function: its signature, and what follows from it. The tracer makes
 * it once, because each call needs it.
 */
#ifndef _KERNEL_TRACE_GRAPH_FUNC_H
#define _KERNEL_TRACE_GRAPH_FUNC_H

#include "fgraph_internal.h"
#include "fgraph_sig.h"

/* The maximum number of recorded words of the arguments of a call */
#ifdef CONFIG_FUNCTION_GRAPH_ARGS
#define TRACE_GRAPH_MAX_ARGS	32
#else
#define TRACE_GRAPH_MAX_ARGS	0
#endif

/* The numbers of argument registers and of words on the stack to record */
struct graph_arg_counts {
	unsigned int	regs;
	unsigned int	stack;
};

/**
 * struct graph_func - a traced function
 * @sig:	the text of the signature, or NULL if there is none
 * @plan:	graph_plan_names()
 * @regs:	&graph_arg_counts.regs
 * @stack:	&graph_arg_counts.stack
 *
 * A record is valid until preemption is enabled.
 */
struct graph_func {
	const char	*sig;
	u32		plan;
	u8		regs;
	u8		stack;
};

static_assert(TRACE_GRAPH_MAX_ARGS <= U8_MAX);

static __always_inline struct graph_arg_counts graph_count_sig_args(const char *sig)
{
	struct graph_arg_counts nr;

	nr.regs = min_t(unsigned long, fgraph_sig_regs(sig), FTRACE_ARG_REGS);
	nr.stack = min_t(unsigned long, fgraph_sig_stack(sig),
			 TRACE_GRAPH_MAX_ARGS - nr.regs);
	return nr;
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
const struct graph_func *graph_find_func(unsigned long addr);
struct graph_arg_counts graph_search_arg_counts(unsigned long addr);
void graph_funcs_get(void);
void graph_funcs_put(void);
#else
static inline const struct graph_func *graph_find_func(unsigned long addr)
{
	return NULL;
}

static inline struct graph_arg_counts graph_search_arg_counts(unsigned long addr)
{
	return (struct graph_arg_counts){ };
}

static inline void graph_funcs_get(void) { }
static inline void graph_funcs_put(void) { }
#endif

/* Return the words to record of a call of @addr. @func is what graph_find_func() returned. */
static __always_inline struct graph_arg_counts
graph_count_args(const struct graph_func *func, unsigned long addr)
{
	if (likely(func))
		return (struct graph_arg_counts){ func->regs, func->stack };
	return graph_search_arg_counts(addr);
}

#endif /* _KERNEL_TRACE_GRAPH_FUNC_H */
