/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The scope of a graph tracer: it traces the calls in set_graph_function that are not in
 * set_graph_notrace, up to max_graph_depth. These functions are inlined into the callbacks
 * of fgraph, which run at each traced call.
 */
#ifndef _KERNEL_TRACE_GRAPH_SCOPE_H
#define _KERNEL_TRACE_GRAPH_SCOPE_H

#include <linux/fgraph.h>

#include "trace.h"

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/*
 * Bits of fgraph_task::state, as a graph tracer uses it. They are set while the task
 * is in a call of set_graph_function or set_graph_notrace. The state also stores the
 * depth of this call:
 *
 *	bits 16..31	the call of set_graph_function, valid with
 *			TRACE_GRAPH_FL_GRAPH
 *	bits 32..63	the call of set_graph_notrace, valid with
 *			TRACE_GRAPH_FL_NOTRACE
 */
#define TRACE_GRAPH_FL_GRAPH	BIT(0)
/* The call of set_graph_function is in an interrupt, so also trace interrupts. */
#define TRACE_GRAPH_FL_IRQ	BIT(1)
#define TRACE_GRAPH_FL_NOTRACE	BIT(2)
#define TRACE_GRAPH_DEPTH_SHIFT	16
#define TRACE_GRAPH_NOTRACE_SHIFT	32

#ifdef CONFIG_DYNAMIC_FTRACE
void ftrace_free_graph_scope(struct trace_array *tr);

static inline int ftrace_graph_addr(struct trace_array *tr,
				    struct fgraph_call *call)
{
	unsigned long addr = call->func;
	int ret = 0;
	struct ftrace_hash *hash;

	preempt_disable_notrace();

	/*
	 * Have to open code "rcu_dereference_sched()" because the
	 * function graph tracer can be called when RCU is not
	 * "watching".
	 * Protected with schedule_on_each_cpu(ftrace_sync)
	 */
	hash = rcu_dereference_protected(tr->graph_scope.filter_hash,
					 !preemptible());

	if (ftrace_hash_empty(hash)) {
		ret = 1;
		goto out;
	}

	if (ftrace_lookup_ip(hash, addr)) {

		/*
		 * ftrace_graph_addr_finish() clears the state when this
		 * call returns.
		 */
		call->task->state = TRACE_GRAPH_FL_GRAPH |
				    (u64)call->depth << TRACE_GRAPH_DEPTH_SHIFT;

		/*
		 * If no irqs are to be traced, but a set_graph_function
		 * is set, and called by an interrupt handler, we still
		 * want to trace it.
		 */
		if (in_hardirq())
			call->task->state |= TRACE_GRAPH_FL_IRQ;
		ret = 1;
	}

out:
	preempt_enable_notrace();
	return ret;
}

static inline void ftrace_graph_addr_finish(struct fgraph_call *call)
{
	u64 state = call->task->state;

	if (state & TRACE_GRAPH_FL_GRAPH &&
	    call->depth == state >> TRACE_GRAPH_DEPTH_SHIFT)
		call->task->state = 0;
}

static inline int ftrace_graph_notrace_addr(struct trace_array *tr,
					    unsigned long addr)
{
	int ret = 0;
	struct ftrace_hash *notrace_hash;

	preempt_disable_notrace();

	/*
	 * Have to open code "rcu_dereference_sched()" because the
	 * function graph tracer can be called when RCU is not
	 * "watching".
	 * Protected with schedule_on_each_cpu(ftrace_sync)
	 */
	notrace_hash = rcu_dereference_protected(tr->graph_scope.notrace_hash,
						 !preemptible());

	if (!ftrace_hash_empty(notrace_hash) &&
	    ftrace_lookup_ip(notrace_hash, addr))
		ret = 1;

	preempt_enable_notrace();
	return ret;
}
#else
static inline void ftrace_free_graph_scope(struct trace_array *tr) { }

static inline int ftrace_graph_addr(struct trace_array *tr,
				    struct fgraph_call *call)
{
	return 1;
}

static inline int ftrace_graph_notrace_addr(struct trace_array *tr,
					    unsigned long addr)
{
	return 0;
}

static inline void ftrace_graph_addr_finish(struct fgraph_call *call)
{ }
#endif /* CONFIG_DYNAMIC_FTRACE */

static inline bool ftrace_graph_ignore_func(struct trace_array *tr,
					    struct fgraph_call *call)
{
	unsigned int max_depth = READ_ONCE(tr->graph_scope.max_depth);

	if (max_depth && call->depth >= max_depth)
		return true;

	/*
	 * Trace it when it is-nested-in or is a function enabled. A callback
	 * that refuses the call after this must call
	 * ftrace_graph_addr_finish().
	 */
	return !(call->task->state & TRACE_GRAPH_FL_GRAPH ||
		 ftrace_graph_addr(tr, call));
}

#else /* CONFIG_FUNCTION_GRAPH_TRACER */
static inline void ftrace_free_graph_scope(struct trace_array *tr) { }
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _KERNEL_TRACE_GRAPH_SCOPE_H */
