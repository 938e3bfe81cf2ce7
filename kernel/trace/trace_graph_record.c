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

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_output.h"

/* ring_buffer_event_data(), inlined for events without an extended time stamp */
static __always_inline void *trace_graph_event_data(struct ring_buffer_event *event)
{
	if (unlikely(event->type_len > RINGBUF_TYPE_DATA_TYPE_LEN_MAX))
		return ring_buffer_event_data(event);
	/* The first word of a long event is its length. */
	return event->array + !event->type_len;
}

/*
 * Do the work of trace_buffer_lock_reserve() and ring_buffer_event_data(). This is
 * inlined because the function graph tracer writes more events than other tracers.
 */
static __always_inline struct ring_buffer_event *
trace_graph_reserve(struct trace_buffer *buffer, int type, size_t size,
		    unsigned int trace_ctx, void *pentry)
{
	struct ring_buffer_event *event;
	struct trace_entry **entry = pentry;

	event = ring_buffer_lock_reserve(buffer, size);
	if (event) {
		*entry = trace_graph_event_data(event);
		tracing_generic_entry_update(*entry, type, trace_ctx);
	}
	return event;
}

static __always_inline void
trace_graph_commit(struct trace_event_call *call, struct trace_buffer *buffer,
		   struct ring_buffer_event *event, void *entry)
{
	if (likely(!(call->flags & TRACE_EVENT_FL_FILTERED)) ||
	    !call_filter_check_discard(call, entry, buffer, event))
		trace_buffer_unlock_commit_nostack(buffer, event);
}

/* Return the context of @call. All instances that record the call share it. */
static __always_inline unsigned int trace_graph_ctx(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);

	/*
	 * Bit 31 marks a context as computed. Contexts do not use this bit, and events
	 * do not store it.
	 */
	if (!core->trace_ctx)
		core->trace_ctx = trace_graph_callback_ctx(tracing_gen_ctx()) | BIT(31);
	return core->trace_ctx;
}

/* Bits in tr->graph_record: the options that the callbacks depend on */
#define GRAPH_RECORD_NO_IRQS	BIT(0)
#define GRAPH_RECORD_ARGS	BIT(1)
#define GRAPH_RECORD_RETADDR	BIT(2)
#define GRAPH_RECORD_NO_SLEEP	BIT(3)
/* tr->graph_scope restricts what is recorded. */
#define GRAPH_RECORD_SCOPE	BIT(4)

/* The bits that matter at entry, and the bits that require the slow path at return */
#define GRAPH_RECORD_ENTRY \
	(GRAPH_RECORD_NO_IRQS | GRAPH_RECORD_ARGS | GRAPH_RECORD_RETADDR | \
	 GRAPH_RECORD_SCOPE)
#define GRAPH_RECORD_RETURN \
	(GRAPH_RECORD_NO_SLEEP | GRAPH_RECORD_SCOPE)

/* The numbers of argument registers and of words on the stack to record */
struct graph_arg_counts {
	unsigned long	regs;
	unsigned long	stack;
};

/* Return the signature of the called function. All users of the call share it. */
static __always_inline const char *trace_graph_signature(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);

	if (!core->sig)
		core->sig = fgraph_find_text(call->func);
	return core->sig;
}

static __always_inline struct graph_arg_counts
trace_graph_count_args(struct fgraph_call *call, u32 record)
{
	struct graph_arg_counts nr = { };
	const char *sig;

	if (!(record & GRAPH_RECORD_ARGS))
		return nr;

	sig = trace_graph_signature(call);
	nr.regs = min_t(unsigned long, fgraph_sig_regs(sig), FTRACE_ARG_REGS);
	nr.stack = min_t(unsigned long, fgraph_sig_stack(sig),
			 TRACE_GRAPH_MAX_ARGS - nr.regs);
	return nr;
}

/* Copy the arguments into an event. Return true on success. */
static __always_inline bool
trace_graph_read_args(const struct fgraph_call *call, void *args,
		      struct graph_arg_counts nr)
{
	return !(nr.regs + nr.stack) ||
		!fgraph_copy_args(call, args, nr.regs, nr.stack);
}

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

/* Record the entry of @call, with the details that @record selects. */
static __always_inline int
__trace_graph_entry(struct trace_array *tr, struct fgraph_call *call,
		    u32 record, unsigned int trace_ctx)
{
	struct graph_arg_counts nr = trace_graph_count_args(call, record);
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ftrace_graph_ent_entry *entry;
	struct ring_buffer_event *event;

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

/* Record the entry of @call. Return 1 if the return must be recorded, too. */
int trace_graph_record_entry(struct trace_array *tr, struct fgraph_call *call,
			     unsigned int trace_ctx)
{
	__fgraph_take_calltime(call);
	return __trace_graph_entry(tr, call, 0, trace_ctx);
}

static inline bool ftrace_graph_ignore_irqs(const struct fgraph_call *call)
{
	if (call->task->state & TRACE_GRAPH_FL_IRQ)
		return false;

	return in_hardirq();
}

/* fgraph disables preemption around callbacks, and guards them against recursion. */
static bool trace_graph_is_disabled(struct trace_array *tr)
{
	return atomic_read(&this_cpu_ptr(tr->array_buffer.data)->disabled);
}

static __always_inline int
__trace_graph_accept(struct trace_array *tr, struct fgraph_call *call, u32 record)
{
	if (record & GRAPH_RECORD_NO_IRQS && ftrace_graph_ignore_irqs(call))
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

/* The verdict on a call. The core of fgraph only tests whether it is 0. */
enum graph_verdict {
	GRAPH_REFUSE,
	GRAPH_WANT_RETURN,
	GRAPH_RECORD,
};

/* Apply set_graph_notrace, set_graph_function and max_graph_depth. */
static noinline enum graph_verdict
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

/* This handles options that are off by default, so it is not inlined. */
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
	if (unlikely(fgraph_may_be_wide(call->func)))
		trace_graph_wide_return(tr, call, calltime, rettime, trace_ctx);
	else
		__trace_graph_return(tr, call, calltime, rettime, trace_ctx, false);
}

/* Record the return of @call. All tracers of @tr share its option sleep-time. */
void trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call,
			       unsigned int trace_ctx)
{
	bool sleep_time = !(READ_ONCE(tr->graph_record) & GRAPH_RECORD_NO_SLEEP);

	__trace_graph_record_return(tr, call, fgraph_calltime(call, sleep_time),
				    __fgraph_rettime(call), trace_ctx);
}

/*
 * Record the return of @call unless the call took less than tracing_thresh. With
 * GRAPH_RECORD_NO_SLEEP, the time that the task slept does not count.
 */
static noinline void
trace_graph_return_options(struct trace_array *tr, struct fgraph_call *call,
			   u32 record)
{
	u64 calltime = fgraph_calltime(call, !(record & GRAPH_RECORD_NO_SLEEP));
	u64 rettime = __fgraph_rettime(call);

	if (rettime - calltime >= tr->graph_scope.thresh)
		__trace_graph_record_return(tr, call, calltime, rettime,
					    trace_graph_ctx(call));
}

/*
 * Update the state of the task when @call returns. Return true if @call is of a
 * function in set_graph_notrace, so that its return must not be recorded.
 */
static noinline bool trace_graph_leave_scope(struct fgraph_call *call)
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

	if (unlikely(record & GRAPH_RECORD_RETURN))
		trace_graph_return_options(tr, call, record);
	else
		__trace_graph_record_return(tr, call,
					    fgraph_core_call(call)->head->times.calltime,
					    __fgraph_rettime(call),
					    trace_graph_ctx(call));
}

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

/* Use the hash of signatures while the arguments of each call are recorded. */
static void trace_graph_want_signatures(struct trace_array *tr, bool want)
{
	if (want == tr->graph_signatures)
		return;

	tr->graph_signatures = want;
	if (want)
		fgraph_signatures_get();
	else
		fgraph_signatures_put();
}

/* Needs trace_types_lock, which protects the pointers to the hashes. */
static u32 trace_graph_scope_bit(const struct trace_array *tr)
{
	const struct trace_graph_scope *scope = &tr->graph_scope;

	if (!ftrace_hash_empty(rcu_access_pointer(scope->filter_hash)) ||
	    !ftrace_hash_empty(rcu_access_pointer(scope->notrace_hash)) ||
	    scope->max_depth || scope->thresh)
		return GRAPH_RECORD_SCOPE;
	return 0;
}

/**
 * trace_graph_use_scope - update the callbacks after a change of tr->graph_scope
 * @tr:		the instance
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_use_scope(struct trace_array *tr)
{
	u32 record = tr->graph_record & ~GRAPH_RECORD_SCOPE;

	WRITE_ONCE(tr->graph_record, record | trace_graph_scope_bit(tr));
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
	u32 record = trace_graph_scope_bit(tr);

	if (!(flags & TRACE_GRAPH_PRINT_IRQS))
		record |= GRAPH_RECORD_NO_IRQS;
	if (flags & TRACE_GRAPH_PRINT_ARGS)
		record |= GRAPH_RECORD_ARGS;
	if (flags & TRACE_GRAPH_PRINT_RETADDR)
		record |= GRAPH_RECORD_RETADDR;
	if (!(flags & TRACE_GRAPH_SLEEP_TIME))
		record |= GRAPH_RECORD_NO_SLEEP;

	WRITE_ONCE(tr->graph_record, record);
	trace_graph_want_signatures(tr, tr->gops && record & GRAPH_RECORD_ARGS);
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
	unregister_ftrace_graph(tr->gops);
	trace_graph_want_signatures(tr, false);
	kfree(tr->gops);
	tr->gops = NULL;
}

/* For KUnit tests, which use the tracer in an instance of their own */
EXPORT_SYMBOL_FGRAPH_KUNIT(tracing_set_tracer);
EXPORT_SYMBOL_FGRAPH_KUNIT(trace_set_options);
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_trace_open);
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_trace_close);
EXPORT_SYMBOL_FGRAPH_KUNIT(trace_find_next_entry_inc);
EXPORT_SYMBOL_FGRAPH_KUNIT(print_trace_line);
