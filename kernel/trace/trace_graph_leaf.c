// SPDX-License-Identifier: GPL-2.0
/*
 * The option funcgraph-leaf: one event for a call in which no other call is recorded.
 *
 *	entry of a call:  graph_enter_leaf() -> held entry, on the shadow stack
 *	return of a call: graph_return_leaf() -> one event, or a return event
 *
 * A trace must contain a call that is open, and other events must be between the entry and the
 * return of the call that they belong to. So the entry of an open call is recorded when
 *
 *	- another call begins in it,
 *	- its task is switched out,
 *	- another event is recorded in the same buffer on its CPU,
 *	- the trace is read, tracing_on is cleared, or a snapshot is taken.
 *
 * At most one entry of a task waits: that of its innermost open call. An interrupt between the
 * entryfunc and the end of the frame does not find this call. All of the above run on the CPU
 * of the task, but an interrupt can do them at any instruction of graph_return_leaf(). So the
 * return of a call first closes it, then looks whether its entry was recorded.
 */
#include <linux/smp.h>

#include <trace/events/sched.h>

#include "fgraph_internal.h"
#include "trace_graph.h"
#include "trace_graph_event.h"
#include "trace_graph_held.h"
#include "trace_graph_leaf.h"
#include "trace_graph_record.h"
#include "trace_graph_scope.h"

DEFINE_STATIC_KEY_FALSE(graph_leaves_wait);

/* Record a held entry with all of its parts. Return false if the buffer does not take it. */
static noinline bool record_entry_parts(struct trace_array *tr, unsigned long func,
					u64 calltime, const struct held_entry *held,
					unsigned int trace_ctx)
{
	struct graph_parts parts __uninitialized;

	graph_get_held_parts(tr, held, calltime, &parts);
	/* The event itself has this time. */
	if (!(held->flags & GRAPH_WITH_TIME))
		parts.flags &= ~GRAPH_WITH_TIME;
	return trace_graph_write_entry(tr->array_buffer.buffer, func, held->depth, &parts,
				       calltime, trace_ctx);
}

/* Record a held entry that has only arguments. */
static __always_inline bool record_entry(struct trace_array *tr, unsigned long func,
					 u64 calltime, const struct held_entry *held,
					 unsigned int trace_ctx)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	unsigned int nr_args = held->nr_args;
	struct ftrace_graph_ent_entry *entry;
	struct ring_buffer_event *event;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_ENT,
				    sizeof(*entry) + nr_args * sizeof(long), calltime,
				    trace_ctx, &entry);
	if (!event)
		return false;
	entry->graph_ent.func = func;
	graph_set_depth(&entry->graph_ent.depth, held->depth, 0, nr_args);
	if (nr_args)
		memcpy(entry->args, held->words, nr_args * sizeof(long));
	trace_graph_commit(&event_funcgraph_entry, buffer, event, entry);
	return true;
}

/* Record the entry of an open call, unless it was recorded or the call returns. */
static noinline void record_waiting_entry(struct trace_array *tr,
					  const struct ftrace_ret_stack *head,
					  struct held_entry *held, unsigned int trace_ctx)
{
	u64 calltime = head->times.calltime;
	bool done;

	if (READ_ONCE(held->closed) || xchg(&held->recorded, 1))
		return;
	if (likely(held->flags == HELD_LEAF))
		done = record_entry(tr, head->func, calltime, held, trace_ctx);
	else
		done = record_entry_parts(tr, head->func, calltime, held, trace_ctx);
	/* A return without an entry would be wrong. */
	if (unlikely(!done))
		WRITE_ONCE(held->recorded, 0);
}

/* Record the entry of the open call that encloses @call, if it waits. */
static __always_inline void record_caller(struct trace_array *tr, struct fgraph_ops *gops,
					  struct fgraph_call *call)
{
	struct fgraph_caller caller;
	struct held_entry *held;

	if (!fgraph_find_open_call(gops, &caller))
		return;
	held = caller.data;
	if (held && held->flags & HELD_LEAF && !READ_ONCE(held->recorded))
		record_waiting_entry(tr, caller.head, held, trace_graph_ctx(call));
}

/**
 * graph_enter_leaf - the entryfunc with the option funcgraph-leaf
 * @gops:	the user
 * @call:	the call
 *
 * Context: any, NMI included, with preemption disabled.
 * Return: non-zero to accept the call.
 */
int graph_enter_leaf(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record);
	struct held_entry *held;
	int ret = 1;

	if (!ftrace_trace_task(tr) || trace_graph_is_disabled(tr) ||
	    READ_ONCE(tr->buffer_disabled))
		return 0;
	if (unlikely(record & GRAPH_HOLD_OPTIONS))
		ret = graph_hold_call_options(tr, call, record, NULL);
	else
		graph_hold_plain_call(tr, call, record & GRAPH_RECORD_ARGS);
	held = __fgraph_retrieve_words(call);
	if (likely(held)) {
		held->flags |= HELD_LEAF;
		held->recorded = 0;
		held->closed = 0;
	} else if (!ret || !(record & GRAPH_HOLD_OPTIONS)) {
		return 0;
	}
	/*
	 * A call of set_graph_notrace holds nothing, and needs its return. It hides its caller
	 * from others. An outermost call has no caller.
	 */
	if (call->depth)
		record_caller(tr, gops, call);
	return 1;
}

/*
 * Record a call with all parts of its entry and of its return, or the return alone if the
 * entry was recorded.
 */
static noinline void record_leaf_parts(struct trace_array *tr, struct fgraph_call *call,
				       const struct held_entry *held, u32 record)
{
	unsigned long names[GRAPH_RESULT_ROOM] __uninitialized;
	struct graph_parts parts = { };
	int type = TRACE_GRAPH_RET;

	if (!READ_ONCE(held->recorded)) {
		graph_get_held_parts(tr, held, __fgraph_calltime(call), &parts);
		type = TRACE_GRAPH_CALL;
	} else if (fgraph_call_moved(call)) {
		parts.flags |= GRAPH_ALONE;
	}
	parts.calltime = fgraph_calltime(call, !(record & GRAPH_RECORD_NO_SLEEP));
	parts.rettime = __fgraph_rettime(call);
	graph_add_held_result(tr, &parts, call, held, names);
	trace_graph_write_return(tr->array_buffer.buffer, type, call, &parts,
				 trace_graph_ctx(call));
}

/* Record a call that has only arguments, in the clock of its times. */
static __always_inline void record_leaf(struct trace_array *tr, struct fgraph_call *call,
					const struct held_entry *held)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ftrace_graph_call_entry *entry;
	unsigned int nr_args = held->nr_args;
	u64 rettime = __fgraph_rettime(call);
	struct ring_buffer_event *event;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_CALL,
				    sizeof(*entry) + nr_args * sizeof(long), rettime,
				    trace_graph_ctx(call), &entry);
	if (!event)
		return;
	entry->ret.func		= call->func;
	entry->ret.retval	= call->retregs[0];
	graph_set_depth(&entry->ret.depth, call->depth, 0, nr_args);
	entry->ret.overrun	= call->task->overrun;
	entry->ret.calltime	= __fgraph_calltime(call);
	entry->ret.rettime	= rettime;
	if (nr_args)
		memcpy(entry->words, held->words, nr_args * sizeof(long));
	trace_graph_commit(&event_funcgraph_call, buffer, event, entry);
}

/**
 * graph_return_held_leaf - handle the return of a call that graph_enter_leaf() accepted
 * @tr:		the instance
 * @call:	the call
 * @held:	its entry
 *
 * Context: in the retfunc, after the scope was left.
 */
void graph_return_held_leaf(struct trace_array *tr, struct fgraph_call *call,
			    struct held_entry *held)
{
	u32 record = READ_ONCE(tr->graph_record);

	if (trace_graph_is_disabled(tr))
		return;
	WRITE_ONCE(held->closed, 1);
	/* An interrupt before this records the entry. One after this does not. */
	barrier();
	if (READ_ONCE(held->recorded) && !(record & GRAPH_RECORD_SHOW))
		trace_graph_record_options(tr, call, record);
	else if (likely(held->flags == HELD_LEAF && !fgraph_may_be_odd(call->func) &&
			!(record & (GRAPH_RECORD_RETURN | GRAPH_RECORD_CLOCK |
				    GRAPH_RECORD_SHOW))))
		record_leaf(tr, call, held);
	else
		record_leaf_parts(tr, call, held, record);
}

/**
 * graph_return_leaf - the retfunc with the option funcgraph-leaf, without rules
 * @gops:	the user
 * @call:	the call
 *
 * Context: any, NMI included, with preemption disabled.
 */
void graph_return_leaf(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct held_entry *held = __fgraph_retrieve_words(call);

	/* The call was entered without the option, or is a call of set_graph_notrace. */
	if (unlikely(!held)) {
		trace_graph_return(gops, call);
		return;
	}
	if (unlikely(call->task->state))
		trace_graph_leave_scope(call);
	graph_return_held_leaf(gops->private, call, held);
}

/* Open calls */

/*
 * Record the open call of the current task. Preemption must be disabled. So the user stays
 * registered, see trace_graph_use_leaves().
 */
static void record_open_call(struct trace_array *tr)
{
	struct fgraph_caller caller;
	struct held_entry *held;

	/* Pairs with smp_store_release() in trace_graph_use_leaves(): tr->gops is not older. */
	if (!smp_load_acquire(&tr->graph_leaves) || !fgraph_find_open_call(tr->gops, &caller))
		return;
	held = caller.data;
	if (held && held->flags & HELD_LEAF && !READ_ONCE(held->recorded))
		record_waiting_entry(tr, caller.head, held, tracing_gen_ctx());
}

static void record_before_switch(void *tr, bool preempt, struct task_struct *prev,
				 struct task_struct *next, unsigned int prev_state)
{
	record_open_call(tr);
}

static void record_on_cpu(void *tr)
{
	record_open_call(tr);
}

/* See trace_graph_record_open_calls(). @tr must stay: a file of it is open. */
void __trace_graph_record_open_calls(struct trace_array *tr)
{
	if (READ_ONCE(tr->graph_leaves))
		on_each_cpu(record_on_cpu, tr, true);
}

/* The instances with the option, in any order. Protected by trace_types_lock. */
static struct trace_array *leaf_instances[FGRAPH_MAX_USERS];

/* See trace_graph_record_open_call(). */
void __trace_graph_record_open_call(struct trace_buffer *buffer)
{
	struct trace_array *tr;
	int i;

	preempt_disable_notrace();
	for (i = 0; i < ARRAY_SIZE(leaf_instances); i++) {
		tr = READ_ONCE(leaf_instances[i]);
		if (tr && tr->array_buffer.buffer == buffer)
			record_open_call(tr);
	}
	preempt_enable_notrace();
}

/* Replace an instance in the list. */
static bool replace_instance(struct trace_array *old, struct trace_array *new)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(leaf_instances); i++) {
		if (leaf_instances[i] == old) {
			WRITE_ONCE(leaf_instances[i], new);
			return true;
		}
	}
	return false;
}

/**
 * trace_graph_use_leaves - begin or end to record leaves in one event
 * @tr:		the instance, whose tracer has registered
 * @use:	true to begin
 *
 * When it ends, the entries of open calls are recorded. The entryfunc is no longer
 * graph_enter_leaf() then.
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: true if leaves are recorded in one event.
 */
bool trace_graph_use_leaves(struct trace_array *tr, bool use)
{
	if (tr->graph_leaves == use)
		return use;
	if (use) {
		if (!replace_instance(NULL, tr))
			return false;
		if (register_trace_sched_switch(record_before_switch, tr)) {
			replace_instance(tr, NULL);
			return false;
		}
		static_branch_inc(&graph_leaves_wait);
		/* Pairs with smp_load_acquire() in record_open_call(). */
		smp_store_release(&tr->graph_leaves, true);
		return true;
	}
	/* A call whose entry begins to wait has no complete frame yet. */
	fgraph_synchronize();
	__trace_graph_record_open_calls(tr);
	WRITE_ONCE(tr->graph_leaves, false);
	replace_instance(tr, NULL);
	unregister_trace_sched_switch(record_before_switch, tr);
	static_branch_dec(&graph_leaves_wait);
	/* Others may be recording an open call, and need the user of fgraph. */
	fgraph_synchronize();
	return false;
}
