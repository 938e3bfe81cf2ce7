/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the recorders of calls share:
 *
 *	trace_graph_record.c	records each entry and each return
 *	trace_graph_keep.c	records calls when they return, if rules keep them
 *
 * These functions are inlined into the callbacks of fgraph, which run at each traced
 * call.
 */
#ifndef _KERNEL_TRACE_GRAPH_RECORD_H
#define _KERNEL_TRACE_GRAPH_RECORD_H

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_graph_name.h"

/* Inline variant of ring_buffer_event_data(), for events without an extended time stamp */
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
/* The clock of the buffer is not trace_clock_local(). Only trace_graph_keep.c reads it. */
#define GRAPH_RECORD_CLOCK	BIT(5)

#define GRAPH_RECORD_NAMES	BIT(6)

/* The bits that matter at entry, and the bits that require the slow path at return */
#define GRAPH_RECORD_ENTRY \
	(GRAPH_RECORD_NO_IRQS | GRAPH_RECORD_ARGS | GRAPH_RECORD_RETADDR | \
	 GRAPH_RECORD_SCOPE | GRAPH_RECORD_NAMES)
#define GRAPH_RECORD_RETURN \
	(GRAPH_RECORD_NO_SLEEP | GRAPH_RECORD_SCOPE | GRAPH_RECORD_NAMES)

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

static __always_inline struct graph_arg_counts graph_count_sig_args(const char *sig)
{
	struct graph_arg_counts nr;

	nr.regs = min_t(unsigned long, fgraph_sig_regs(sig), FTRACE_ARG_REGS);
	nr.stack = min_t(unsigned long, fgraph_sig_stack(sig),
			 TRACE_GRAPH_MAX_ARGS - nr.regs);
	return nr;
}

static __always_inline struct graph_arg_counts
trace_graph_count_args(struct fgraph_call *call, u32 record)
{
	if (!(record & GRAPH_RECORD_ARGS))
		return (struct graph_arg_counts){ };
	return graph_count_sig_args(trace_graph_signature(call));
}

/* Return the plan of the names to record, or 0. */
static __always_inline u32 trace_graph_plan(const struct fgraph_call *call, u32 record)
{
	return unlikely(record & GRAPH_RECORD_NAMES) ? fgraph_look_up_names(call->func) : 0;
}

/* Copy the arguments into an event. Return true on success. */
static __always_inline bool
trace_graph_read_args(const struct fgraph_call *call, void *args,
		      struct graph_arg_counts nr)
{
	return !(nr.regs + nr.stack) ||
		!fgraph_copy_args(call, args, nr.regs, nr.stack);
}

static inline bool trace_graph_ignore_irqs(const struct fgraph_call *call)
{
	if (call->task->state & TRACE_GRAPH_FL_IRQ)
		return false;

	return in_hardirq();
}

/*
 * Return true if recording is disabled on this CPU. fgraph disables preemption around
 * callbacks, and guards them against recursion.
 */
static inline bool trace_graph_is_disabled(struct trace_array *tr)
{
	return atomic_read(&this_cpu_ptr(tr->array_buffer.data)->disabled);
}

/* Fill in the fields that TRACE_GRAPH_KEPT_RET and TRACE_GRAPH_CALL have in common. */
static __always_inline void
trace_graph_fill_return(struct ftrace_graph_kept_ret_entry *entry,
			const struct fgraph_call *call, u64 calltime, u64 rettime)
{
	entry->ret.func		= call->func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry->ret.retval	= call->retregs[0];
	entry->retval_high	= call->retregs[1];
#else
	entry->retval_high	= 0;
#endif
	entry->ret.depth	= call->depth;
	entry->ret.overrun	= call->task->overrun;
	entry->ret.calltime	= calltime;
	entry->ret.rettime	= rettime;
}

/* The verdict on a call. The core of fgraph only tests whether it is 0. */
enum graph_verdict {
	GRAPH_REFUSE,
	GRAPH_WANT_RETURN,
	GRAPH_RECORD,
};

/* trace_graph_record.c */
enum graph_verdict trace_graph_enter_scope(struct trace_array *tr,
					   struct fgraph_call *call);
bool trace_graph_leave_scope(struct fgraph_call *call);

#endif /* _KERNEL_TRACE_GRAPH_RECORD_H */
