// SPDX-License-Identifier: GPL-2.0
/*
 * The records of traced functions: struct graph_func.
 *
 * While the records are in use, the hash of fgraph contains the record of each function as
 * its info, so a call needs no other lookup. If there is no memory, the hash contains none,
 * and each call searches for its signature.
 *
 * A record refers to the text of a signature, which is freed with its module. So fgraph_sig.c
 * calls fgraph_info_changed() when signatures change.
 */
#include "trace_graph_func.h"
#include "trace_graph_name.h"

/* The record of all functions without a signature */
static const struct graph_func graph_unknown_func;

/*
 * Fill in the record of the function at @addr. The module of its signature may be about to
 * be unloaded. Then no function of this module is called, and another module at the same
 * address calls fgraph_info_changed() before its functions are called.
 */
static const void *graph_fill_func(unsigned long addr, void *room)
{
	struct graph_func *func = room;
	struct graph_arg_counts nr;
	struct fgraph_sig sig;
	bool found;

	preempt_disable();
	found = fgraph_find_signature(addr, &sig);
	if (found) {
		nr = graph_count_sig_args(sig.text);
		func->sig = sig.text;
		func->plan = graph_plan_names(addr, &sig);
		func->regs = nr.regs;
		func->stack = nr.stack;
	}
	preempt_enable();
	return found ? func : &graph_unknown_func;
}

static const struct fgraph_info_ops graph_func_ops = {
	.size	= sizeof(struct graph_func),
	.fill	= graph_fill_func,
};

/**
 * graph_find_func - look up the record of a function
 * @addr:	the address of the function, as in fgraph_call::func
 *
 * Context: any, with preemption disabled. The record is valid until preemption is enabled.
 * Return: the record, or NULL if the hash contains none.
 */
const struct graph_func *graph_find_func(unsigned long addr)
{
	const void *info;

	fgraph_look_up_func(addr, &info);
	return info;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_find_func);

/**
 * graph_search_arg_counts - search for the number of arguments of a function
 * @addr:	the address of the function, as in fgraph_call::func
 *
 * This is slow. It is for functions without a record.
 *
 * Context: any, with preemption disabled.
 * Return: the words to record of a call.
 */
struct graph_arg_counts graph_search_arg_counts(unsigned long addr)
{
	struct fgraph_sig sig;

	if (!fgraph_find_signature(addr, &sig))
		return (struct graph_arg_counts){ };
	return graph_count_sig_args(sig.text);
}

/**
 * graph_funcs_get - prepare for lookups of many functions
 *
 * Lookups are fast until graph_funcs_put() has been called the same number of times. If
 * there is no memory, they stay slow.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void graph_funcs_get(void)
{
	fgraph_info_get(&graph_func_ops);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_funcs_get);

/**
 * graph_funcs_put - undo graph_funcs_get()
 *
 * Context: may sleep; takes ftrace_lock.
 */
void graph_funcs_put(void)
{
	fgraph_info_put();
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_funcs_put);
