// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments of functions in the function tracer, for its option func-args.
 *
 * The signature of a function contains the number of words to record. A function
 * without a signature is recorded without arguments.
 */
#include "fgraph_internal.h"
#include "trace.h"
#include "trace_graph_func.h"
#include "trace_graph_symbol.h"
#include "trace_graph_value.h"

/*
 * Read the arguments from the registers that the hook of the function tracer passes. An
 * arch defines these macros if its hook of fgraph passes another struct. The place of the
 * arguments on the stack is NULL if it is not known.
 */
#ifndef ftrace_full_regs_copy_args
#define ftrace_full_regs_copy_args	ftrace_regs_copy_args
#define ftrace_full_regs_stack_args	ftrace_regs_stack_args
#endif

/*
 * Copy the arguments of a call to @words, at least those in registers. Return the number
 * of words.
 */
static unsigned int read_function_args(unsigned long *words, unsigned long ip,
				       const struct ftrace_regs *fregs)
{
	const unsigned long *stack;
	struct graph_arg_counts nr;

	if (!fregs)
		return 0;

	nr = graph_count_args(graph_find_func(ip), ip);
	ftrace_full_regs_copy_args(fregs, words, nr.regs);
	stack = ftrace_full_regs_stack_args(fregs);
	if (!stack || fgraph_copy_stack(words + nr.regs, stack, nr.stack))
		return nr.regs;
	return nr.regs + nr.stack;
}

/**
 * trace_function_with_args - record the call of a function with its arguments
 * @tr:		the instance
 * @ip:		the address of the function
 * @parent_ip:	the address that the function returns to
 * @fregs:	the registers, as the callback of an ftrace_ops got them; without
 *		CONFIG_DYNAMIC_FTRACE_WITH_ARGS, the ftrace_ops must have
 *		FTRACE_OPS_FL_SAVE_REGS
 * @trace_ctx:	the context of the call
 *
 * Context: any; preemption must be disabled.
 */
void trace_function_with_args(struct trace_array *tr, unsigned long ip,
			      unsigned long parent_ip,
			      const struct ftrace_regs *fregs, unsigned int trace_ctx)
{
	unsigned long words[TRACE_GRAPH_MAX_ARGS];
	unsigned int nr = read_function_args(words, ip, fregs);

	trace_function_words(tr, ip, parent_ip, trace_ctx, words, nr);
}

/**
 * print_function_args - print the arguments of a function in parentheses
 * @iter:	the iterator at the event
 * @entry:	the event
 *
 * Without the option func-args, print nothing.
 */
void print_function_args(struct trace_iterator *iter, const struct ftrace_entry *entry)
{
	unsigned int nr = (iter->ent_size - sizeof(*entry)) / sizeof(long);
	unsigned long words[TRACE_GRAPH_MAX_ARGS];
	struct graph_words args = { .words = words, .iter = iter };

	if (!function_tracer_shows_args())
		return;

	nr = min_t(unsigned int, nr, TRACE_GRAPH_MAX_ARGS);
	memcpy(words, entry->args, nr * sizeof(long));
	args.nr = nr;
	print_graph_args(&iter->seq, graph_func_is_there(iter, entry->ip) ? entry->ip : 0,
			 &args);
}
