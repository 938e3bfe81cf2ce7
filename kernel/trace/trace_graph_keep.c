// SPDX-License-Identifier: GPL-2.0
/*
 * Record only the calls that rules keep: those that failed or were slow.
 *
 *	entry of a call:  graph_hold_call() -> held entry, on the shadow stack
 *	return of a call: graph_return_held_call() -> nothing, or events
 *
 * A held entry contains the data of an entry event. If a rule keeps the call at
 * its return, the entries of the open calls that enclose it are written first, the
 * outermost first, then the call itself. An entry that was written is marked, and the
 * return of its call is also written. So the trace contains paths that lead to kept calls:
 *
 *	a() {			held, written when c() returned
 *	  b();			held, dropped
 *	  c();			held, kept: one event
 *	}			written because the entry was written
 *
 * A path begins where an interrupt began. The interrupted calls are not callers.
 *
 * An entry that was written is lost when the buffer is cleared or swapped, or when
 * newer events overwrite it. So each CPU's part of the buffer has a generation. It
 * changes when the part is cleared or swapped, and when half of it was written. An entry
 * of an older generation counts as not written. It is written again, marked as repeated,
 * before the next kept call in it.
 */
#include <linux/percpu.h>
#include <linux/slab.h>

#include "trace_graph.h"
#include "trace_graph_action.h"
#include "trace_graph_held.h"
#include "trace_graph_keep.h"
#include "trace_graph_leaf.h"
#include "trace_graph_record.h"
#include "trace_graph_scope.h"
#include "trace_graph_tracepoint.h"
#include "trace_graph_verdict.h"

#include <trace/events/fgraph.h>

/* The generation of a part of the buffer; &trace_graph_keep.generation adds to it. */
struct graph_keep_cpu {
	atomic_t		generation;
	/* ring_buffer_nr_touched_pages() when the generation began */
	size_t			first_page;
};

/* Entry */

static int graph_hold_call(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record);

	if (!ftrace_trace_task(tr))
		return 0;
	if (record & GRAPH_HOLD_OPTIONS)
		return graph_hold_call_options(tr, call, record, NULL);
	return graph_hold_plain_call(tr, call, record & GRAPH_RECORD_ARGS);
}

/* Variant of graph_hold_call() for expression rules, so plain rules avoid the lookup. */
static int graph_hold_call_tests(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record);
	const struct graph_tested *tested;

	if (!ftrace_trace_task(tr))
		return 0;
	tested = graph_find_tested(tr, call->func);
	if (tested || record & GRAPH_HOLD_OPTIONS)
		return graph_hold_call_options(tr, call, record, tested);
	return graph_hold_plain_call(tr, call, record & GRAPH_RECORD_ARGS);
}

/* Generations */

/*
 * A writer records one return, and the entries that it needs. It writes all of them to one
 * buffer, even if a snapshot swaps the buffers at the same time.
 */
struct graph_writer {
	struct trace_array	*tr;
	struct trace_buffer	*buffer;
	u32			generation;
	bool			sleep_time;
};

/*
 * Find the buffer and its generation, which changes before and after a swap. So they
 * belong together.
 */
static void graph_begin_writing(struct graph_writer *w)
{
	const struct trace_graph_keep *keep = &w->tr->graph_keep;

	do {
		w->generation = atomic_read(&keep->generation);
		smp_rmb();	/* pairs with trace_graph_new_generation() */
		w->buffer = READ_ONCE(w->tr->array_buffer.buffer);
		smp_rmb();	/* pairs with trace_graph_new_generation() */
	} while (w->generation != atomic_read(&keep->generation));
}

/*
 * Return the generation of the part of a CPU. Begin the next one if half of the part was
 * written in the last one. If two CPUs do this at once, a generation is skipped.
 */
static u32 graph_generation(const struct graph_writer *w, unsigned int cpu)
{
	struct graph_keep_cpu *part = per_cpu_ptr(w->tr->graph_keep.cpu, cpu);
	size_t page = ring_buffer_nr_touched_pages(w->buffer, cpu);

	/* After a swap of buffers, page may be less than first_page. */
	if (page - READ_ONCE(part->first_page) >= ring_buffer_nr_pages(w->buffer, cpu) / 2) {
		WRITE_ONCE(part->first_page, page);
		atomic_inc(&part->generation);
	}
	return w->generation + atomic_read(&part->generation);
}

/* Return true if the entry was written, and is in the current generation. */
static bool graph_is_written(const struct graph_writer *w, const struct held_entry *held)
{
	return held->flags & HELD_WRITTEN &&
		held->generation == graph_generation(w, held->cpu);
}

/* Events */

/* Write the held entry of a call. Return false if the buffer does not take it. */
static bool graph_write_entry(const struct graph_writer *w,
			      const struct ftrace_ret_stack *head,
			      struct held_entry *held, unsigned int trace_ctx)
{
	int cpu = smp_processor_id();
	u32 generation = graph_generation(w, cpu);
	struct graph_parts parts;

	graph_get_held_parts(w->tr, held, head->times.calltime, &parts);
	parts.flags |= GRAPH_ALONE | (held->flags & HELD_WRITTEN);
	if (!trace_graph_write_entry(w->buffer, head->func, held->depth, &parts, 0,
				     trace_ctx))
		return false;

	/* If the generation has changed since then, the entry may be lost. */
	held->generation = generation;
	held->cpu = cpu;
	held->flags |= HELD_WRITTEN;
	return true;
}

/* Write the return of @call. @parts contains the parts of its entry, or none. */
static void graph_write_return(const struct graph_writer *w, int type,
			       struct fgraph_call *call, const struct held_entry *held,
			       struct graph_parts *parts)
{
	const struct fgraph_core_call *core = fgraph_core_call(call);
	unsigned long names[GRAPH_RESULT_ROOM] __uninitialized;

	parts->calltime = fgraph_calltime(call, w->sleep_time);
	parts->rettime = __fgraph_rettime(call);
	parts->slept = core->stack->slept - core->head->times.slept;
	parts->flags |= GRAPH_ALONE;
	if (parts->slept)
		parts->flags |= GRAPH_WITH_SLEPT;
	if (call->task->overrun != held->overrun)
		parts->flags |= GRAPH_MISSED;
	graph_add_held_result(w->tr, parts, call, held, names);
	trace_graph_write_return(w->buffer, type, call, parts, trace_graph_ctx(call));
}

/* Write the return of a call whose entry was written. */
static void graph_write_exit(const struct graph_writer *w, struct fgraph_call *call,
			     const struct held_entry *held)
{
	struct graph_parts parts = { };

	graph_write_return(w, TRACE_GRAPH_RET, call, held, &parts);
}

/* Write both the entry and the return of a call. */
static void graph_write_call(const struct graph_writer *w, struct fgraph_call *call,
			     const struct held_entry *held)
{
	struct graph_parts parts;

	graph_get_held_parts(w->tr, held, __fgraph_calltime(call), &parts);
	graph_write_return(w, TRACE_GRAPH_CALL, call, held, &parts);
}

/* Return */

/*
 * Count the callers of @call, from the innermost to the outermost one whose entry must
 * be written. A caller without a held entry was entered without rules.
 */
static unsigned int graph_count_unwritten(const struct graph_writer *w,
					  const struct fgraph_call *call,
					  const struct held_entry *held)
{
	unsigned int i, unwritten = 0;
	struct fgraph_caller caller;
	u8 level = held->level;

	fgraph_first_caller(call, &caller);
	for (i = 1; fgraph_next_caller(&caller); i++) {
		const struct held_entry *outer = caller.data;

		if (!outer || outer->flags & HELD_LEAF)
			continue;
		/* An interrupt began here. */
		if (outer->level < level)
			break;
		level = outer->level;
		if (!graph_is_written(w, outer))
			unwritten = i;
	}
	return unwritten;
}

/* Write the entries of the innermost @nr callers of @call, the outermost first. */
static bool graph_write_callers(const struct graph_writer *w, struct fgraph_call *call,
				unsigned int nr)
{
	struct fgraph_caller caller;
	struct held_entry *outer;
	unsigned int i;

	for (; nr; nr--) {
		fgraph_first_caller(call, &caller);
		for (i = 0; i < nr; i++)
			fgraph_next_caller(&caller);
		outer = caller.data;
		if (outer && !(outer->flags & HELD_LEAF) &&
		    !graph_write_entry(w, caller.head, outer, trace_graph_ctx(call)))
			return false;
	}
	return true;
}

/* Write a kept call, after its callers. If they cannot be written, do not write the call. */
static void graph_write_kept(const struct graph_writer *w, struct fgraph_call *call,
			     struct held_entry *held)
{
	unsigned int unwritten = graph_count_unwritten(w, call, held);

	if (!graph_write_callers(w, call, unwritten))
		return;

	if (!(held->flags & HELD_WRITTEN)) {
		graph_write_call(w, call, held);
		return;
	}
	/* If the entry of a caller was written again, the entries in it must also be. */
	if ((!unwritten && graph_is_written(w, held)) ||
	    graph_write_entry(w, fgraph_core_call(call)->head, held,
			      trace_graph_ctx(call)))
		graph_write_exit(w, call, held);
}

/* Return the actions of the expressions that keep the call, or 0 if none does. */
static unsigned int graph_judge_values(const struct graph_rules *rules,
				       struct fgraph_call *call,
				       const struct held_entry *held, bool sleep_time)
{
	struct graph_parts parts __uninitialized;
	struct graph_operands v = {
		.call		= call,
		.sleep_time	= sleep_time,
	};

	graph_get_parts(&parts, held->flags & HELD_PARTS, held->nr_args, held->words,
			held->words + held->nr_words);
	v.args = parts.args;
	v.nr_args = parts.nr_args;
	v.names = parts.names;
	v.nr_names = parts.nr_names;
	return graph_test_values(rules, &v);
}

/*
 * Handle the return of a call that is kept, or whose entry was written. @actions are those of
 * the rules that keep it, or 0.
 */
static noinline void graph_return_written(struct trace_array *tr,
					  struct fgraph_call *call,
					  struct held_entry *held, unsigned int actions,
					  bool sleep_time)
{
	struct graph_writer w = { .tr = tr, .sleep_time = sleep_time };

	graph_begin_writing(&w);
	if (actions)
		graph_write_kept(&w, call, held);
	else if (graph_is_written(&w, held))
		graph_write_exit(&w, call, held);
	if (actions && trace_kept_enabled())
		graph_trace_kept(call, held, sleep_time);
	if (unlikely(actions & ~BIT(GRAPH_ONLY_KEEP)))
		graph_act(tr, w.buffer, call, actions);
}

/* Decide whether to keep a call that may be kept. @rules may be NULL. */
static noinline void graph_return_candidate(struct trace_array *tr, struct fgraph_call *call,
					    struct held_entry *held,
					    const struct graph_rules *rules)
{
	bool sleep_time = !(READ_ONCE(tr->graph_record) & GRAPH_RECORD_NO_SLEEP);
	unsigned int actions = 0;

	if (held->flags & HELD_LEAF) {
		graph_return_held_leaf(tr, call, held);
		return;
	}
	if (rules)
		actions = graph_judge_result(rules, call, sleep_time);
	if ((!actions && !(held->flags & (HELD_WRITTEN | HELD_TESTED))) ||
	    trace_graph_is_disabled(tr))
		return;
	if (rules && held->flags & HELD_TESTED && (!actions || rules->acts))
		actions |= graph_judge_values(rules, call, held, sleep_time);
	if (actions || held->flags & HELD_WRITTEN)
		graph_return_written(tr, call, held, actions, sleep_time);
}

/*
 * Handle the return of a held call. Most calls are not kept: they need few registers here,
 * and their types are not looked up.
 */
static void graph_return_held_call(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct held_entry *held = __fgraph_retrieve_words(call);
	struct trace_array *tr = gops->private;
	const struct graph_rules *rules;

	/* The call was entered without rules, or is a call of set_graph_notrace. */
	if (unlikely(!held)) {
		trace_graph_return(gops, call);
		return;
	}

	if (unlikely(call->task->state))
		trace_graph_leave_scope(call);

	/* RCU may not be watching: rcu_dereference() would warn */
	rules = rcu_dereference_raw(tr->graph_keep.rules);
	if (unlikely(held->flags & (HELD_WRITTEN | HELD_TESTED | HELD_LEAF)) ||
	    (rules && graph_may_keep(rules, call)))
		graph_return_candidate(tr, call, held, rules);
}

/* Rules */

/**
 * trace_graph_new_generation - write entries again before the next kept call
 * @tr:		the instance, whose buffer was cleared, swapped or resized
 *
 * Call this before and after a swap, see graph_begin_writing().
 *
 * Context: any.
 */
void trace_graph_new_generation(struct trace_array *tr)
{
	/* A reader of the new generation sees a swap that was made before ... */
	smp_mb__before_atomic();
	atomic_inc(&tr->graph_keep.generation);
	/* ... and a reader of a later swap sees the new generation. */
	smp_mb__after_atomic();
}

/* Use @retfunc. A held call needs it at its return, so wait before the first one. */
static void use_retfunc(struct fgraph_ops *gops, fgraph_retfunc_t retfunc)
{
	WRITE_ONCE(gops->retfunc, retfunc);
	fgraph_synchronize();
}

/**
 * trace_graph_use_callbacks - choose the callbacks of the tracer of an instance
 * @tr:		the instance
 *
 * After rules were in force, open calls may have a held entry. So the callback at the
 * return stays until the tracer stops. It also handles calls of the option funcgraph-leaf.
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_use_callbacks(struct trace_array *tr)
{
	const struct graph_rules *rules = graph_locked_rules(tr), *shows = graph_locked_shows(tr);
	/* To show members at the return, the arguments are held. */
	bool holds = tr->graph_record & GRAPH_RECORD_LEAF || (shows && shows->any_result);
	struct fgraph_ops *gops = tr->gops;
	/* tracing_thresh records returns only. Before its registration, a user has no epoch. */
	bool leaves = !rules && holds && !tr->graph_scope.thresh && gops->epoch;

	if (rules && gops->retfunc != graph_return_held_call)
		use_retfunc(gops, graph_return_held_call);
	else if (leaves && gops->retfunc == trace_graph_return)
		use_retfunc(gops, graph_return_leaf);

	if (leaves && trace_graph_use_leaves(tr, true)) {
		WRITE_ONCE(gops->entryfunc, graph_enter_leaf);
		return;
	}
	if (!rules)
		WRITE_ONCE(gops->entryfunc, trace_graph_entry);
	else
		WRITE_ONCE(gops->entryfunc,
			   *rules->exprs ? graph_hold_call_tests : graph_hold_call);
	trace_graph_use_leaves(tr, false);
}

/**
 * trace_graph_alloc_keep - allocate the memory that an instance with rules needs
 * @tr:		the instance
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: 0 on success, or -ENOMEM.
 */
int trace_graph_alloc_keep(struct trace_array *tr)
{
	if (!tr->graph_keep.cpu)
		tr->graph_keep.cpu = alloc_percpu(struct graph_keep_cpu);
	return tr->graph_keep.cpu ? 0 : -ENOMEM;
}
