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
 */
#include <linux/slab.h>

#include "trace_graph_record.h"
#include "trace_output.h"

/*
 * Reserve an entry event of @size bytes, followed by the arguments. If the arguments
 * cannot be read, reserve an event without arguments, because wrong ones would mislead.
 */
static __always_inline struct ring_buffer_event *
trace_graph_reserve_entry(struct trace_buffer *buffer, int type, size_t size,
			  struct fgraph_call *call, struct graph_arg_counts nr,
			  unsigned int trace_ctx, void *pentry)
{
	size_t bytes = (nr.regs + nr.stack) * sizeof(long);
	struct ring_buffer_event *event;
	void **entry = pentry;

	event = trace_graph_reserve(buffer, type, size + bytes, trace_ctx, entry);
	if (!event || likely(trace_graph_read_args(call, *entry + size, nr)))
		return event;

	ring_buffer_discard_commit(buffer, event);
	return trace_graph_reserve(buffer, type, size, trace_ctx, entry);
}

static noinline int
trace_graph_retaddr_entry(struct trace_buffer *buffer, struct fgraph_call *call,
			  struct graph_arg_counts nr, unsigned int trace_ctx)
{
	struct ftrace_graph_retaddr_ent_entry *entry;
	struct ring_buffer_event *event;

	event = trace_graph_reserve_entry(buffer, TRACE_GRAPH_RETADDR_ENT,
					  sizeof(*entry), call, nr, trace_ctx,
					  &entry);
	if (!event)
		return 0;
	entry->graph_ent.ent.func		= call->func;
	entry->graph_ent.ent.depth		= call->depth;
	entry->graph_ent.retaddr		= fgraph_return_address(call);
	trace_graph_commit(&event_fgraph_retaddr_entry, buffer, event, entry);

	return 1;
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* Record an entry with names. Return false if there are no names to record. */
static noinline bool
trace_graph_named_entry(struct trace_array *tr, struct fgraph_call *call, u32 plan,
			struct graph_arg_counts nr, u32 record, unsigned int trace_ctx)
{
	unsigned long words[TRACE_GRAPH_MAX_ARGS + GRAPH_ARG_NAMES_WORDS] __uninitialized;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	unsigned int nr_args = nr.regs + nr.stack, nr_names;
	struct ftrace_graph_named_ent_entry *entry;
	struct ring_buffer_event *event;

	if (!trace_graph_read_args(call, words, nr))
		return false;
	nr_names = graph_read_arg_names(plan, words, nr_args, words + nr_args,
					GRAPH_ARG_NAMES_WORDS);
	if (!nr_names)
		return false;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_NAMED_ENT, sizeof(*entry) +
				    (nr_args + nr_names) * sizeof(*words),
				    trace_ctx, &entry);
	if (!event)
		return false;
	entry->graph_ent.func	= call->func;
	entry->graph_ent.depth	= call->depth;
	entry->retaddr		= record & GRAPH_RECORD_RETADDR ?
				  fgraph_return_address(call) : 0;
	entry->nr_args		= nr_args;
	fgraph_copy_words(entry->args, words, nr_args + nr_names);
	trace_graph_commit(&event_funcgraph_named_entry, buffer, event, entry);
	return true;
}

/* Record a return with the name of the result. Return false if it has no name. */
static noinline bool
trace_graph_named_return(struct trace_array *tr, const struct fgraph_call *call, u32 plan,
			 u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	unsigned long names[GRAPH_NAME_WORDS] __uninitialized;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ftrace_graph_named_ret_entry *entry;
	struct ring_buffer_event *event;
	unsigned int nr;

	nr = graph_read_result_name(plan, call->retregs[0], names);
	if (!nr)
		return false;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_NAMED_RET,
				    sizeof(*entry) + nr * sizeof(*names), trace_ctx,
				    &entry);
	if (!event)
		return false;
	entry->ret.func		= call->func;
	entry->ret.retval	= call->retregs[0];
	entry->ret.depth	= call->depth;
	entry->ret.overrun	= call->task->overrun;
	entry->ret.calltime	= calltime;
	entry->ret.rettime	= rettime;
	fgraph_copy_words(entry->names, names, nr);
	trace_graph_commit(&event_funcgraph_named_exit, buffer, event, entry);
	return true;
}

/* Read the name of the result of @call. Return the number of words in @name. */
static unsigned int trace_graph_result_name(const struct fgraph_call *call, u32 plan,
					    unsigned long *name)
{
	return graph_read_result_name(plan, call->retregs[0], name);
}
#else
static inline bool
trace_graph_named_entry(struct trace_array *tr, struct fgraph_call *call, u32 plan,
			struct graph_arg_counts nr, u32 record, unsigned int trace_ctx)
{
	return false;
}

static inline bool
trace_graph_named_return(struct trace_array *tr, const struct fgraph_call *call, u32 plan,
			 u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	return false;
}

static inline unsigned int trace_graph_result_name(const struct fgraph_call *call, u32 plan,
						   unsigned long *name)
{
	return 0;
}
#endif

/* Record the entry of @call, with the details that @record selects. */
static __always_inline int
__trace_graph_entry(struct trace_array *tr, struct fgraph_call *call,
		    u32 record, unsigned int trace_ctx)
{
	struct graph_arg_counts nr = trace_graph_count_args(call, record);
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	u32 plan = trace_graph_plan(call, record);
	struct ftrace_graph_ent_entry *entry;
	struct ring_buffer_event *event;

	if (graph_plan_args(plan) &&
	    trace_graph_named_entry(tr, call, plan, nr, record, trace_ctx))
		return 1;
	if (record & GRAPH_RECORD_RETADDR)
		return trace_graph_retaddr_entry(buffer, call, nr, trace_ctx);

	event = trace_graph_reserve_entry(buffer, TRACE_GRAPH_ENT, sizeof(*entry),
					  call, nr, trace_ctx, &entry);
	if (!event)
		return 0;
	entry->graph_ent.func			= call->func;
	entry->graph_ent.depth			= call->depth;
	trace_graph_commit(&event_funcgraph_entry, buffer, event, entry);

	return 1;
}

/* Record the entry of @call. Return 1 if the return must also be recorded. */
int trace_graph_record_entry(struct trace_array *tr, struct fgraph_call *call,
			     unsigned int trace_ctx)
{
	__fgraph_take_calltime(call);
	return __trace_graph_entry(tr, call, 0, trace_ctx);
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

	__fgraph_take_calltime(call);
	return __trace_graph_entry(tr, call, record, trace_graph_ctx(call));
}

/* Apply set_graph_notrace, set_graph_function and max_graph_depth. */
noinline enum graph_verdict
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
	enum graph_verdict verdict = GRAPH_RECORD;

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

static __always_inline void
__trace_graph_return(struct trace_array *tr, const struct fgraph_call *call,
		     u64 calltime, u64 rettime, unsigned int trace_ctx,
		     bool wide)
{
	struct ring_buffer_event *event;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ftrace_graph_ret_entry *entry;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_RET,
				    sizeof(*entry) + (wide ? sizeof(long) : 0),
				    trace_ctx, &entry);
	if (!event)
		return;
	entry->ret.func				= call->func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry->ret.retval			= call->retregs[0];
	if (wide)
		memcpy(entry->retval_high, &call->retregs[1], sizeof(long));
#endif
	entry->ret.depth			= call->depth;
	entry->ret.overrun			= call->task->overrun;
	entry->ret.calltime			= calltime;
	entry->ret.rettime			= rettime;
	trace_graph_commit(&event_funcgraph_exit, buffer, event, entry);
}

/* Record both words of a result. Few results take two, so this is not inlined. */
static noinline void
trace_graph_wide_return(struct trace_array *tr, const struct fgraph_call *call,
			u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	__trace_graph_return(tr, call, calltime, rettime, trace_ctx, true);
}

/*
 * Record the return of a call in which the task changed its CPU. Readers join an entry with
 * the next event of its CPU, if this is a return of the same function. Here, this would be
 * the entry of an earlier call. So record the return as that of a kept call, which readers
 * never join.
 */
static noinline void
trace_graph_moved_return(struct trace_array *tr, const struct fgraph_call *call, u32 plan,
			 u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	unsigned int nr = trace_graph_result_name(call, plan, name);
	struct ftrace_graph_kept_ret_entry *entry;
	struct ring_buffer_event *event;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_KEPT_RET,
				    sizeof(*entry) + nr * sizeof(long), trace_ctx, &entry);
	if (!event)
		return;
	trace_graph_fill_return(entry, call, calltime, rettime);
	entry->slept	= 0;
	entry->flags	= 0;
	memcpy(entry->names, name, nr * sizeof(long));
	trace_graph_commit(&event_funcgraph_kept_exit, buffer, event, entry);
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

	__trace_graph_entry(tr, &call, 0, trace_ctx);
	__trace_graph_return(tr, &call, time, time, trace_ctx, false);
}

/*
 * Record the second word of a result regardless of the options. They may be set when
 * the trace is read, and half of a result cannot be printed.
 */
static __always_inline void
__trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call,
			    u64 calltime, u64 rettime, unsigned int trace_ctx)
{
	if (unlikely(fgraph_may_be_odd(call->func)))
		trace_graph_wide_return(tr, call, calltime, rettime, trace_ctx);
	else
		__trace_graph_return(tr, call, calltime, rettime, trace_ctx, false);
}

/* Record the return of @call. All tracers of @tr share its option sleep-time. */
void trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call,
			       unsigned int trace_ctx)
{
	bool sleep_time = !(READ_ONCE(tr->graph_record) & GRAPH_RECORD_NO_SLEEP);
	u64 calltime = fgraph_calltime(call, sleep_time);

	if (fgraph_call_moved(call))
		trace_graph_moved_return(tr, call, 0, calltime, __fgraph_rettime(call),
					 trace_ctx);
	else
		__trace_graph_record_return(tr, call, calltime, __fgraph_rettime(call),
					    trace_ctx);
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
	u32 plan = trace_graph_plan(call, record);

	if (rettime - calltime < tr->graph_scope.thresh)
		return;
	if (fgraph_call_moved(call))
		trace_graph_moved_return(tr, call, plan, calltime, rettime,
					 trace_graph_ctx(call));
	else if (!graph_plan_result(plan) ||
		 !trace_graph_named_return(tr, call, plan, calltime, rettime,
					   trace_graph_ctx(call)))
		__trace_graph_record_return(tr, call, calltime, rettime,
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

	if (unlikely(record & GRAPH_RECORD_RETURN || fgraph_call_moved(call)))
		trace_graph_return_options(tr, call, record);
	else
		__trace_graph_record_return(tr, call,
					    __fgraph_calltime(call),
					    __fgraph_rettime(call),
					    trace_graph_ctx(call));
}
