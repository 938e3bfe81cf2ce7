/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the recorders of calls share:
 *
 *	trace_graph_record.c	records each entry and each return
 *	trace_graph_keep.c	records calls when they return, if rules keep them
 *	trace_graph_leaf.c	records a call that contains no other in one event
 *
 * These functions are inlined into the callbacks of fgraph, which run at each traced
 * call.
 */
#ifndef _KERNEL_TRACE_GRAPH_RECORD_H
#define _KERNEL_TRACE_GRAPH_RECORD_H

#include "fgraph_internal.h"
#include "trace_graph.h"
#include "trace_graph_event.h"
#include "trace_graph_func.h"
#include "trace_graph_member.h"
#include "trace_graph_name.h"
#include "trace_graph_scope.h"

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
/* The clock of the buffer is not trace_clock_local(). */
#define GRAPH_RECORD_CLOCK	BIT(5)

#define GRAPH_RECORD_NAMES	BIT(6)
/* A call that is a leaf is recorded in one event. */
#define GRAPH_RECORD_LEAF	BIT(7)
/* Members are recorded, see set_graph_show. */
#define GRAPH_RECORD_SHOW	BIT(8)

/* The bits that depend on other files than those of options */
#define GRAPH_RECORD_STATE \
	(GRAPH_RECORD_SCOPE | GRAPH_RECORD_CLOCK | GRAPH_RECORD_SHOW)

/* The bits that matter at entry, and the bits that require the slow path at return */
#define GRAPH_RECORD_ENTRY \
	(GRAPH_RECORD_NO_IRQS | GRAPH_RECORD_ARGS | GRAPH_RECORD_RETADDR | \
	 GRAPH_RECORD_SCOPE | GRAPH_RECORD_NAMES | GRAPH_RECORD_SHOW)
#define GRAPH_RECORD_RETURN \
	(GRAPH_RECORD_NO_SLEEP | GRAPH_RECORD_SCOPE | GRAPH_RECORD_NAMES)

/* Return the record of the called function, at its entry. All users of the call share it. */
static __always_inline const struct graph_func *trace_graph_func(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);

	if (!core->info)
		core->info = graph_find_func(call->func);
	return core->info;
}

static __always_inline struct graph_arg_counts
trace_graph_count_args(struct fgraph_call *call, u32 record)
{
	if (!(record & GRAPH_RECORD_ARGS))
		return (struct graph_arg_counts){ };
	return graph_count_args(trace_graph_func(call), call->func);
}

static __always_inline u32 graph_func_plan(const struct graph_func *func)
{
	return func ? func->plan : 0;
}

/* Return the plan of the names to record at the entry of @call, or 0. */
static __always_inline u32 trace_graph_plan(struct fgraph_call *call, u32 record)
{
	return unlikely(record & GRAPH_RECORD_NAMES) ?
		graph_func_plan(trace_graph_func(call)) : 0;
}

/* Return the plan of the name to record at the return of @call, or 0. */
static __always_inline u32 trace_graph_return_plan(const struct fgraph_call *call, u32 record)
{
	return unlikely(record & GRAPH_RECORD_NAMES) ?
		graph_func_plan(graph_find_func(call->func)) : 0;
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

/**
 * struct graph_built_entry - the entry of a call, before it is recorded or held
 * @parts:	the parts
 * @args:	their arguments
 * @names:	members, then the names of arguments
 *
 * Most entries are built where they are recorded or held. An entry with names is built
 * here first, because the size of names is not known before they are read.
 */
struct graph_built_entry {
	struct graph_parts	parts;
	unsigned long		args[TRACE_GRAPH_MAX_ARGS];
	unsigned long		names[GRAPH_MEMBERS_WORDS + GRAPH_ARG_NAMES_WORDS];
};

/* The verdict on a call. The core of fgraph only tests whether it is 0. */
enum graph_entry_verdict {
	GRAPH_REFUSE,
	GRAPH_WANT_RETURN,
	GRAPH_RECORD,
};

/* trace_graph_record.c */
bool graph_build_entry(struct trace_array *tr, const struct fgraph_call *call, u32 record,
		       struct graph_arg_counts nr, u32 plan,
		       const struct graph_member_list *members, unsigned int max_words,
		       struct graph_built_entry *built);
void trace_graph_record_options(struct trace_array *tr, struct fgraph_call *call, u32 record);
void graph_add_result(struct graph_parts *parts, const struct fgraph_call *call, u32 plan,
		      unsigned long *name);
enum graph_entry_verdict trace_graph_enter_scope(struct trace_array *tr,
						 struct fgraph_call *call);
bool trace_graph_leave_scope(struct fgraph_call *call);

#endif /* _KERNEL_TRACE_GRAPH_RECORD_H */
