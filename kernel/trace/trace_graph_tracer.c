// SPDX-License-Identifier: GPL-2.0
/*
 * The function graph tracer of an instance: it starts and stops, and decides from the options
 * what is recorded of a call.
 */
#include <linux/slab.h>

#include "trace_graph.h"
#include "trace_graph_action.h"
#include "trace_graph_keep.h"
#include "trace_graph_leaf.h"
#include "trace_graph_record.h"

static bool trace_graph_wants_task(struct fgraph_ops *gops,
				   struct task_struct *task)
{
	struct trace_array *tr = gops->private;
	bool ignore;

	preempt_disable_notrace();
	ignore = trace_ignore_this_task(rcu_dereference_sched(tr->function_pids),
					rcu_dereference_sched(tr->function_no_pids),
					task);
	preempt_enable_notrace();
	return !ignore;
}

/*
 * Use the records of functions, or stop using them. They are needed while each call looks
 * up a signature.
 */
static void trace_graph_want_signatures(struct trace_array *tr, bool want)
{
	if (want == tr->graph_signatures)
		return;

	tr->graph_signatures = want;
	if (want)
		graph_funcs_get();
	else
		graph_funcs_put();
}

/*
 * Return the bits that depend on the state of @tr. Needs trace_types_lock, which
 * protects the pointers to the hashes.
 */
static u32 trace_graph_state_bits(const struct trace_array *tr)
{
	const struct trace_graph_scope *scope = &tr->graph_scope;
	/* The first of trace_clocks[] is trace_clock_local(). */
	u32 bits = tr->clock_id ? GRAPH_RECORD_CLOCK : 0;

	if (!ftrace_hash_empty(rcu_access_pointer(scope->filter_hash)) ||
	    !ftrace_hash_empty(rcu_access_pointer(scope->notrace_hash)) ||
	    scope->max_depth || scope->thresh)
		bits |= GRAPH_RECORD_SCOPE;
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	if (rcu_access_pointer(tr->graph_keep.shows))
		bits |= GRAPH_RECORD_SHOW;
#endif
	return bits;
}

/**
 * trace_graph_use_scope - update the callbacks after a change of the scope, the clock or the
 * members to show
 * @tr:		the instance
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_use_scope(struct trace_array *tr)
{
	u32 record = tr->graph_record & ~GRAPH_RECORD_STATE;

	WRITE_ONCE(tr->graph_record, record | trace_graph_state_bits(tr));
	if (tr->gops)
		trace_graph_use_callbacks(tr);
}

/**
 * trace_graph_use_flags - update the callbacks after a change of the options
 * @tr:		the instance
 * @flags:	the options of its tracer, TRACE_GRAPH_*
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_use_flags(struct trace_array *tr, u32 flags)
{
	u32 record = trace_graph_state_bits(tr);

	if (!(flags & TRACE_GRAPH_PRINT_IRQS))
		record |= GRAPH_RECORD_NO_IRQS;
	if (flags & TRACE_GRAPH_PRINT_ARGS)
		record |= GRAPH_RECORD_ARGS;
	if (flags & TRACE_GRAPH_PRINT_RETADDR)
		record |= GRAPH_RECORD_RETADDR;
	if (!(flags & TRACE_GRAPH_SLEEP_TIME))
		record |= GRAPH_RECORD_NO_SLEEP;
	if (flags & TRACE_GRAPH_PRINT_NAMES)
		record |= GRAPH_RECORD_NAMES;
	if (flags & TRACE_GRAPH_LEAF)
		record |= GRAPH_RECORD_LEAF;

	WRITE_ONCE(tr->graph_record, record);
	if (tr->gops)
		trace_graph_use_callbacks(tr);
	trace_graph_want_signatures(tr, tr->gops && record &
				    (GRAPH_RECORD_ARGS | GRAPH_RECORD_NAMES));
}

/**
 * trace_graph_start - start to record calls
 * @tr:		the instance
 * @flags:	the options of its tracer, TRACE_GRAPH_*
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: 0 on success, -ENOMEM, or an error of register_ftrace_graph().
 */
int trace_graph_start(struct trace_array *tr, u32 flags)
{
	struct fgraph_ops *gops;
	int ret;

	/* tr->ops is NULL if its allocation failed when the instance was created. */
	if (!tr->ops)
		return -ENOMEM;

	ret = trace_graph_prepare_actions(tr);
	if (ret)
		return ret;

	gops = kzalloc(sizeof(*gops), GFP_KERNEL);
	if (!gops)
		return -ENOMEM;

	/* Copy tracing_thresh: hwlat changes it while it is the current tracer. */
	if (tr->flags & TRACE_ARRAY_FL_GLOBAL)
		tr->graph_scope.thresh = tracing_thresh;

	gops->name = tr->name ?: "function_graph";
	gops->entryfunc = trace_graph_entry;
	gops->retfunc = trace_graph_return;
	gops->wants_task = trace_graph_wants_task;
	gops->private = tr;
	fgraph_share_filter(gops, tr->ops);
	tr->gops = gops;
	trace_graph_use_flags(tr, flags);

	ret = register_ftrace_graph(gops);
	if (ret) {
		trace_graph_want_signatures(tr, false);
		tr->gops = NULL;
		kfree(gops);
		return ret;
	}

	/* The option funcgraph-leaf needs a registered user. */
	trace_graph_use_callbacks(tr);
	tracing_start_cmdline_record();
	return 0;
}

/**
 * trace_graph_stop - undo trace_graph_start(), even if it failed
 * @tr:		the instance
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_stop(struct trace_array *tr)
{
	if (!tr->gops)
		return;

	tracing_stop_cmdline_record();
	/* Calls that begin until the user has unregistered must not wait. */
	WRITE_ONCE(tr->gops->entryfunc, trace_graph_entry);
	trace_graph_use_leaves(tr, false);
	unregister_ftrace_graph(tr->gops);
	trace_graph_want_signatures(tr, false);
	kfree(tr->gops);
	tr->gops = NULL;
}
