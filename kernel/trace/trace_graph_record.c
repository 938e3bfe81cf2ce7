// SPDX-License-Identifier: GPL-2.0
/*
 * The recording part of the function graph tracer: the callbacks of fgraph, and the
 * events that they write.
 *
 *	entry of a call:  trace_graph_entry()  -> entry event, with arguments
 *	return of a call: trace_graph_return() -> return event, with the result
 *
 * An event contains only the words that the signature of the function and the options
 * require. The callbacks run at each traced call. So code that the default options do
 * not need is in functions that are not inlined.
 *
 * With parts of trace_functions_graph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/slab.h>

#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_graph_record.h"
#include "trace_graph_scope.h"
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
#include "trace_graph_verdict.h"
#endif

/* Add members and the names of arguments to @built, of at most @max words. */
static void graph_build_names(struct graph_built_entry *built, u32 plan,
			      const struct graph_member_list *members, unsigned int max)
{
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	unsigned int nr = 0, nr_args = built->parts.nr_args;

	if (members && members->nr)
		nr = graph_read_members(members, built->args, nr_args, built->names, max);
	nr += graph_read_arg_names(plan, built->args, nr_args, built->names + nr, max - nr);
	built->parts.nr_names = nr;
	if (nr)
		built->parts.flags |= GRAPH_WITH_NAMES;
#endif
}

/**
 * graph_build_entry - build the entry of a call
 * @tr:		the instance
 * @call:	the call
 * @record:	bits of GRAPH_RECORD_*: the return address and the time
 * @nr:		the numbers of words of arguments
 * @plan:	the plan of the names
 * @members:	the members of arguments to read, or NULL
 * @max_words:	the maximum number of words. Names and members that do not fit are left out.
 * @built:	the entry
 *
 * Context: in the entryfunc.
 * Return: false if the arguments cannot be read, or do not fit.
 */
bool graph_build_entry(struct trace_array *tr, const struct fgraph_call *call, u32 record,
		       struct graph_arg_counts nr, u32 plan,
		       const struct graph_member_list *members, unsigned int max_words,
		       struct graph_built_entry *built)
{
	struct graph_parts *parts = &built->parts;
	unsigned int words;

	*parts = (struct graph_parts){
		.nr_args	= nr.regs + nr.stack,
		.args		= built->args,
		.names		= built->names,
	};
	if (record & GRAPH_RECORD_RETADDR) {
		parts->flags |= GRAPH_WITH_RETADDR;
		parts->retaddr = fgraph_return_address(call);
	}
	if (record & GRAPH_RECORD_CLOCK) {
		parts->flags |= GRAPH_WITH_TIME;
		parts->time = ring_buffer_time_stamp(tr->array_buffer.buffer);
	}
	words = graph_count_words(parts);
	if (words > max_words || !trace_graph_read_args(call, built->args, nr))
		return false;
	graph_build_names(built, plan, members, max_words - words);
	return true;
}

/*
 * Record an entry that has names or members, or whose arguments cannot be read. @members is
 * NULL if no members are shown. @time is that of the entry.
 */
static noinline int
trace_graph_entry_built(struct trace_array *tr, struct fgraph_call *call, u64 time,
			u32 record, struct graph_arg_counts nr, u32 plan,
			const struct graph_member_list *members, unsigned int trace_ctx)
{
	struct graph_built_entry built __uninitialized;

	/* Wrong arguments would mislead, so record none. */
	if (!graph_build_entry(tr, call, record & GRAPH_RECORD_RETADDR, nr, plan, members,
			       U8_MAX, &built))
		graph_build_entry(tr, call, record & GRAPH_RECORD_RETADDR,
				  (struct graph_arg_counts){ }, 0, NULL, U8_MAX, &built);
	if (!(record & GRAPH_RECORD_ARGS))
		built.parts.nr_args = 0;
	return trace_graph_write_entry(tr->array_buffer.buffer, call->func, call->depth,
				       &built.parts, time, trace_ctx);
}

/* Return the members to show of @call, and set @nr to the arguments to read; or return NULL. */
static __always_inline const struct graph_member_list *
trace_graph_find_shown(const struct trace_array *tr, const struct fgraph_call *call, u32 record,
		       struct graph_arg_counts *nr)
{
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	const struct graph_tested *shown;

	if (likely(!(record & GRAPH_RECORD_SHOW)))
		return NULL;
	shown = graph_find_shown(tr, call->func);
	if (!shown)
		return NULL;
	*nr = (struct graph_arg_counts){ shown->regs, shown->stack };
	return &shown->members;
#else
	return NULL;
#endif
}

/* Record the entry of @call at @time, with the details that @record selects. */
static __always_inline int
__trace_graph_entry(struct trace_array *tr, struct fgraph_call *call, u64 time,
		    u32 record, unsigned int trace_ctx)
{
	struct graph_arg_counts nr = trace_graph_count_args(call, record);
	unsigned int nr_args = nr.regs + nr.stack, words = nr_args;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	u32 plan = trace_graph_plan(call, record);
	const struct graph_member_list *members;
	struct ftrace_graph_ent_entry *entry;
	struct ring_buffer_event *event;
	unsigned long retaddr;

	members = trace_graph_find_shown(tr, call, record, &nr);
	if (graph_plan_args(plan) || members)
		return trace_graph_entry_built(tr, call, time, record, nr, plan, members,
					       trace_ctx);
	if (record & GRAPH_RECORD_RETADDR)
		words++;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_ENT,
				    sizeof(*entry) + words * sizeof(long), time, trace_ctx,
				    &entry);
	if (!event)
		return 0;
	if (unlikely(!trace_graph_read_args(call, entry->args, nr))) {
		ring_buffer_discard_commit(buffer, event);
		return trace_graph_entry_built(tr, call, time, record, nr, 0, NULL,
					       trace_ctx);
	}
	entry->graph_ent.func = call->func;
	graph_set_depth(&entry->graph_ent.depth, call->depth, 0, nr_args);
	if (record & GRAPH_RECORD_RETADDR) {
		entry->graph_ent.flags = GRAPH_WITH_RETADDR;
		retaddr = fgraph_return_address(call);
		memcpy(entry->args + nr_args, &retaddr, sizeof(retaddr));
	}
	trace_graph_commit(&event_funcgraph_entry, buffer, event, entry);

	return 1;
}

/* Record the entry of @call. Return 1 if the return must also be recorded. */
int trace_graph_record_entry(struct trace_array *tr, struct fgraph_call *call,
			     unsigned int trace_ctx)
{
	return __trace_graph_entry(tr, call, __fgraph_take_calltime(call), 0, trace_ctx);
}

static __always_inline int
__trace_graph_accept(struct trace_array *tr, struct fgraph_call *call, u32 record)
{
	if (record & GRAPH_RECORD_NO_IRQS && trace_graph_ignore_irqs(call))
		return 0;

	/*
	 * Stop here if tracing_threshold is set. We only write function return
	 * events to the ring buffer.
	 */
	if (record & GRAPH_RECORD_SCOPE && tr->graph_scope.thresh) {
		__fgraph_take_calltime(call);
		return 1;
	}

	if (trace_graph_is_disabled(tr))
		return 0;

	return __trace_graph_entry(tr, call, __fgraph_take_calltime(call), record,
				   trace_graph_ctx(call));
}

/* Apply set_graph_notrace, set_graph_function and max_graph_depth. */
noinline enum graph_entry_verdict
trace_graph_enter_scope(struct trace_array *tr, struct fgraph_call *call)
{
	/* The task is in a call of set_graph_notrace. */
	if (call->task->state & TRACE_GRAPH_FL_NOTRACE)
		return GRAPH_REFUSE;

	if (ftrace_graph_notrace_addr(tr, call->func)) {
		/* trace_graph_leave_scope() clears it when this call returns. */
		call->task->state |= TRACE_GRAPH_FL_NOTRACE |
			(u64)call->depth << TRACE_GRAPH_NOTRACE_SHIFT;
		return GRAPH_WANT_RETURN;
	}

	return ftrace_graph_ignore_func(tr, call) ? GRAPH_REFUSE : GRAPH_RECORD;
}

/* Record an entry with options that are off by default. So this is not inlined. */
static noinline int trace_graph_entry_options(struct trace_array *tr,
					      struct fgraph_call *call,
					      u32 record)
{
	enum graph_entry_verdict verdict = GRAPH_RECORD;

	if (record & GRAPH_RECORD_SCOPE)
		verdict = trace_graph_enter_scope(tr, call);
	if (verdict != GRAPH_RECORD)
		return verdict;

	if (__trace_graph_accept(tr, call, record))
		return 1;

	ftrace_graph_addr_finish(call);
	return 0;
}

int trace_graph_entry(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record) & GRAPH_RECORD_ENTRY;

	if (!ftrace_trace_task(tr))
		return 0;
	if (record)
		return trace_graph_entry_options(tr, call, record);
	return __trace_graph_accept(tr, call, 0);
}

/**
 * graph_add_result - add what belongs to the result to the parts of a return
 * @parts:	the parts
 * @call:	the call
 * @plan:	the plan of the names
 * @name:	room for GRAPH_NAME_WORDS
 *
 * Context: in the retfunc.
 */
void graph_add_result(struct graph_parts *parts, const struct fgraph_call *call, u32 plan,
		      unsigned long *name)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	if (fgraph_may_be_odd(call->func)) {
		parts->flags |= GRAPH_WITH_HIGH;
		parts->high = call->retregs[1];
	}
#endif
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	parts->result_name = name;
	parts->nr_result_name = graph_read_result_name(plan, call->retregs[0], name);
	if (parts->nr_result_name)
		parts->flags |= GRAPH_WITH_NAMES;
#endif
}

/* Record the return of @call with all that its event may contain. */
static noinline void
trace_graph_return_parts(struct trace_array *tr, const struct fgraph_call *call, u32 plan,
			 u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;
	struct graph_parts parts = {
		.calltime	= calltime,
		.rettime	= rettime,
	};

	graph_add_result(&parts, call, plan, name);
	/*
	 * Readers join an entry with the next event of its CPU, if this is a return of the
	 * same function. After the task has changed its CPU, this would be the entry of an
	 * earlier call.
	 */
	if (fgraph_call_moved(call))
		parts.flags |= GRAPH_ALONE;
	trace_graph_write_return(tr->array_buffer.buffer, TRACE_GRAPH_RET, call, &parts,
				 trace_ctx);
}

/* Record the return of @call, whose result is a word without a name. */
static __always_inline void
__trace_graph_return(struct trace_array *tr, const struct fgraph_call *call,
		     u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	struct ring_buffer_event *event;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ftrace_graph_ret_entry *entry;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_RET, sizeof(*entry), rettime,
				    trace_ctx, &entry);
	if (!event)
		return;
	entry->ret.func				= call->func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry->ret.retval			= call->retregs[0];
#endif
	graph_set_depth(&entry->ret.depth, call->depth, 0, 0);
	entry->ret.overrun			= call->task->overrun;
	entry->ret.calltime			= calltime;
	entry->ret.rettime			= rettime;
	trace_graph_commit(&event_funcgraph_exit, buffer, event, entry);
}

/* Record a call of no duration, for a latency tracer: a latency starts or ends there. */
void trace_graph_function(struct trace_array *tr, unsigned long ip,
			  unsigned long parent_ip, unsigned int trace_ctx)
{
	const unsigned long retregs[2] = { };
	struct fgraph_task task = { };
	struct fgraph_call call = {
		.func		= ip,
		.task		= &task,
		.retregs	= retregs,
	};
	u64 time = trace_clock_local();

	__trace_graph_entry(tr, &call, time, 0, trace_ctx);
	__trace_graph_return(tr, &call, time, time, trace_ctx);
}

/*
 * Record the second word of a result regardless of the options. They may be set when
 * the trace is read, and half of a result cannot be printed.
 */
static __always_inline void
__trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call, u32 plan,
			    u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	if (unlikely(fgraph_may_be_odd(call->func) || fgraph_call_moved(call) ||
		     graph_plan_result(plan)))
		trace_graph_return_parts(tr, call, plan, calltime, rettime, trace_ctx);
	else
		__trace_graph_return(tr, call, calltime, rettime, trace_ctx);
}

/* Record the return of @call. All tracers of @tr share its option sleep-time. */
void trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call,
			       unsigned int trace_ctx)
{
	bool sleep_time = !(READ_ONCE(tr->graph_record) & GRAPH_RECORD_NO_SLEEP);

	__trace_graph_record_return(tr, call, 0, fgraph_calltime(call, sleep_time),
				    __fgraph_rettime(call), trace_ctx);
}

/*
 * Record the return of @call, with all options. A call that took less than tracing_thresh
 * is not recorded. With GRAPH_RECORD_NO_SLEEP, the time that the task slept does not
 * count.
 */
static noinline void
trace_graph_return_options(struct trace_array *tr, struct fgraph_call *call,
			   u32 record)
{
	u64 calltime = fgraph_calltime(call, !(record & GRAPH_RECORD_NO_SLEEP));
	u64 rettime = __fgraph_rettime(call);

	if (rettime - calltime < tr->graph_scope.thresh)
		return;
	__trace_graph_record_return(tr, call, trace_graph_return_plan(call, record),
				    calltime, rettime, trace_graph_ctx(call));
}

/* Record the return of @call. @record are the options. */
void trace_graph_record_options(struct trace_array *tr, struct fgraph_call *call, u32 record)
{
	if (unlikely(record & GRAPH_RECORD_RETURN))
		trace_graph_return_options(tr, call, record);
	else
		__trace_graph_record_return(tr, call, 0,
					    __fgraph_calltime(call),
					    __fgraph_rettime(call),
					    trace_graph_ctx(call));
}

/*
 * Update the state of the task when @call returns. Return true if @call is a call of a
 * function in set_graph_notrace, so that its return must not be recorded.
 */
noinline bool trace_graph_leave_scope(struct fgraph_call *call)
{
	u64 state = call->task->state;

	if (state & TRACE_GRAPH_FL_NOTRACE &&
	    call->depth == state >> TRACE_GRAPH_NOTRACE_SHIFT) {
		call->task->state = lower_32_bits(state) & ~TRACE_GRAPH_FL_NOTRACE;
		return true;
	}
	ftrace_graph_addr_finish(call);
	return false;
}

void trace_graph_return(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record);

	if (unlikely(call->task->state) && trace_graph_leave_scope(call))
		return;

	if (trace_graph_is_disabled(tr))
		return;

	trace_graph_record_options(tr, call, record);
}
