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
#include "trace_graph_keep.h"
#include "trace_graph_record.h"
#include "trace_graph_scope.h"
#include "trace_graph_verdict.h"

/* The generation of a part of the buffer; &trace_graph_keep.generation adds to it. */
struct graph_keep_cpu {
	atomic_t		generation;
	/* ring_buffer_nr_touched_pages() when the generation began */
	size_t			first_page;
};

/*
 * An entry on the shadow stack: the parts of an entry event, see trace_graph_event.h.
 * @generation and @cpu are valid after the entry was written: the generation of the part
 * of the buffer that contains it.
 */
struct held_entry {
	u32			generation;
	/* &fgraph_task.overrun at the entry */
	u32			overrun;
	u16			cpu;
	/* The flags of the event, HELD_PARTS and GRAPH_REPEATED, and HELD_* */
	u8			flags;
	u8			nr_args;
	u8			nr_words;
	/* interrupt_context_level() at the entry */
	u8			level : 2;
	/* &trace_array.clock_id at the entry */
	u8			clock : 6;
	/* &fgraph_call.depth */
	u16			depth;
	unsigned long		words[];
};

#define HELD_PARTS		(GRAPH_WITH_RETADDR | GRAPH_WITH_TIME | GRAPH_WITH_NAMES)
/* The entry was written. If it is written again, it is repeated. */
#define HELD_WRITTEN		GRAPH_REPEATED
/* The next flags do not belong to events of entries. An expression may keep the call. */
#define HELD_TESTED		BIT(2)
/* The arguments, or their names, are held for an expression. No event contains them. */
#define HELD_HIDDEN_ARGS	BIT(3)
#define HELD_HIDDEN_NAMES	BIT(5)

#define HELD_WORDS		(sizeof(struct held_entry) / sizeof(long))
#define HELD_MAX_ARGS \
	(FGRAPH_MAX_DATA_WORDS - HELD_WORDS - GRAPH_U64_WORDS - 1)

static_assert(!((HELD_PARTS | HELD_WRITTEN) &
		(HELD_TESTED | HELD_HIDDEN_ARGS | HELD_HIDDEN_NAMES)));

/* Rules on values need the arguments. */
static_assert(GRAPH_EXPR_ARG_WORDS <= HELD_MAX_ARGS);

/* Entry */

/* Hold the return address, and the time if the clock is not trace_clock_local(). */
static noinline void graph_hold_extras(struct trace_array *tr, struct fgraph_call *call,
				       struct held_entry *held, u32 record)
{
	unsigned long *words = held->words + held->nr_args;
	u64 time;

	if (record & GRAPH_RECORD_RETADDR) {
		*words++ = fgraph_return_address(call);
		held->flags |= GRAPH_WITH_RETADDR;
	}
	if (record & GRAPH_RECORD_CLOCK) {
		time = ring_buffer_time_stamp(tr->array_buffer.buffer);
		memcpy(words, &time, sizeof(time));
		held->flags |= GRAPH_WITH_TIME;
	}
}

/* Reserve a held entry of @words words, and fill in the fields that do not depend on options. */
static __always_inline struct held_entry *
graph_reserve_held(struct fgraph_call *call, unsigned int nr_words, unsigned int nr_args)
{
	struct held_entry *held = __fgraph_reserve_words(call, HELD_WORDS + nr_words);

	if (unlikely(!held))
		return NULL;

	__fgraph_take_calltime(call);
	held->overrun = call->task->overrun;
	held->flags = 0;
	held->nr_args = nr_args;
	held->nr_words = nr_words;
	held->level = fgraph_call_level(call);
	held->clock = 0;
	held->depth = call->depth;
	return held;
}

/* Return the clock of a time that is read next. */
static __always_inline unsigned int graph_begin_clock(const struct trace_array *tr, u32 record)
{
	unsigned int clock = 0;

	if (unlikely(record & GRAPH_RECORD_CLOCK)) {
		clock = READ_ONCE(tr->clock_id);
		/* Pairs with smp_wmb() in tracing_set_clock(): the time is not older. */
		smp_rmb();
	}
	return clock;
}

/* Hold a call with names of its arguments. Return NULL if there is no room for arguments. */
static noinline struct held_entry *
graph_hold_built_call(struct trace_array *tr, struct fgraph_call *call, u32 record,
		      struct graph_arg_counts nr, u32 plan)
{
	unsigned int clock = graph_begin_clock(tr, record), room = fgraph_room(call);
	struct graph_built_entry built __uninitialized;
	struct held_entry *held;

	if (room <= HELD_WORDS ||
	    !graph_build_entry(tr, call, record, nr, plan, room - HELD_WORDS, &built))
		return NULL;
	held = graph_reserve_held(call, graph_count_words(&built.parts),
				  built.parts.nr_args);
	if (!held)
		return NULL;
	held->flags = built.parts.flags;
	held->clock = clock;
	graph_put_parts(held->words, &built.parts);
	return held;
}

/* Hold a call with its arguments. Return NULL if there is no room for them. */
static __always_inline struct held_entry *
graph_hold_words(struct trace_array *tr, struct fgraph_call *call, u32 record,
		 struct graph_arg_counts nr)
{
	unsigned int clock = graph_begin_clock(tr, record), words;
	struct held_entry *held;

	/* Few functions have more words. Their arguments print as unknown. */
	if (unlikely(nr.regs + nr.stack > HELD_MAX_ARGS))
		nr = (struct graph_arg_counts){ };
	words = nr.regs + nr.stack;
	if (record & GRAPH_RECORD_RETADDR)
		words++;
	if (record & GRAPH_RECORD_CLOCK)
		words += GRAPH_U64_WORDS;

	held = graph_reserve_held(call, words, nr.regs + nr.stack);
	if (unlikely(!held))
		return NULL;
	if (unlikely(!trace_graph_read_args(call, held->words, nr))) {
		held->nr_words -= held->nr_args;
		held->nr_args = 0;
	}
	if (unlikely(record & (GRAPH_RECORD_RETADDR | GRAPH_RECORD_CLOCK))) {
		held->clock = clock;
		graph_hold_extras(tr, call, held, record);
	}
	return held;
}

/* Mark a call that an expression may keep. @record selects what an event may contain. */
static void graph_mark_tested(struct held_entry *held, u32 record)
{
	held->flags |= HELD_TESTED;
	if (!(record & GRAPH_RECORD_ARGS))
		held->flags |= HELD_HIDDEN_ARGS;
	if (!(record & GRAPH_RECORD_NAMES))
		held->flags |= HELD_HIDDEN_NAMES;
}

/*
 * Hold a call with options. @tested is not NULL if an expression names the function: then hold
 * all values that it compares.
 */
static noinline int graph_hold_call_options(struct trace_array *tr,
					    struct fgraph_call *call, u32 record,
					    const struct graph_tested *tested)
{
	enum graph_entry_verdict verdict = GRAPH_RECORD;
	struct graph_arg_counts nr, wanted;
	struct held_entry *held = NULL;
	u32 plan;

	if (record & GRAPH_RECORD_SCOPE)
		verdict = trace_graph_enter_scope(tr, call);
	/* A call of set_graph_notrace holds nothing, and needs its return. */
	if (verdict != GRAPH_RECORD)
		return verdict;

	if (record & GRAPH_RECORD_NO_IRQS && trace_graph_ignore_irqs(call))
		goto refuse;
	nr = wanted = trace_graph_count_args(call, record);
	plan = trace_graph_plan(call, record);
	if (tested) {
		wanted = (struct graph_arg_counts){ tested->regs, tested->stack };
		plan = plan ? graph_merge_plans(tested->names, plan) : tested->names;
	}
	if (tested || graph_plan_args(plan))
		held = graph_hold_built_call(tr, call, record, wanted, plan);
	if (!held)
		held = graph_hold_words(tr, call, record, nr);
	if (!held)
		goto refuse;
	if (tested)
		graph_mark_tested(held, record);
	return 1;
refuse:
	ftrace_graph_addr_finish(call);
	return 0;
}

/* Options at the entry that the fast path does not handle */
#define GRAPH_HOLD_OPTIONS \
	(GRAPH_RECORD_NO_IRQS | GRAPH_RECORD_RETADDR | GRAPH_RECORD_SCOPE | \
	 GRAPH_RECORD_CLOCK | GRAPH_RECORD_NAMES)

static __always_inline int graph_hold_plain_call(struct trace_array *tr,
						 struct fgraph_call *call, u32 record)
{
	return !!graph_hold_words(tr, call, record, trace_graph_count_args(call, record));
}

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

/*
 * Find the parts of the held entry. Leave out those that are held for an expression only. The
 * time is unknown if the clock of the buffer has changed.
 */
static void graph_get_held_parts(const struct graph_writer *w, const struct held_entry *held,
				 u64 calltime, struct graph_parts *parts)
{
	graph_get_parts(parts, held->flags & HELD_PARTS, held->nr_args, held->words,
			held->words + held->nr_words);
	if (held->flags & HELD_HIDDEN_ARGS)
		parts->nr_args = 0;
	if (held->flags & (HELD_HIDDEN_ARGS | HELD_HIDDEN_NAMES)) {
		parts->flags &= ~GRAPH_WITH_NAMES;
		parts->nr_names = 0;
	}
	if (held->clock != w->tr->clock_id) {
		parts->flags &= ~GRAPH_WITH_TIME;
	} else if (!(parts->flags & GRAPH_WITH_TIME)) {
		parts->flags |= GRAPH_WITH_TIME;
		parts->time = calltime;
	}
}

/* Write the held entry of a call. Return false if the buffer does not take it. */
static bool graph_write_entry(const struct graph_writer *w,
			      const struct ftrace_ret_stack *head,
			      struct held_entry *held, unsigned int trace_ctx)
{
	int cpu = smp_processor_id();
	u32 generation = graph_generation(w, cpu);
	struct graph_parts parts;

	graph_get_held_parts(w, held, head->times.calltime, &parts);
	parts.flags |= GRAPH_ALONE | (held->flags & HELD_WRITTEN);
	if (!trace_graph_write_entry(w->buffer, head->func, held->depth, &parts, trace_ctx))
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
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;

	parts->calltime = fgraph_calltime(call, w->sleep_time);
	parts->rettime = __fgraph_rettime(call);
	parts->slept = core->stack->slept - core->head->times.slept;
	parts->flags |= GRAPH_ALONE;
	if (parts->slept)
		parts->flags |= GRAPH_WITH_SLEPT;
	if (call->task->overrun != held->overrun)
		parts->flags |= GRAPH_MISSED;
	graph_add_result(parts, call,
			 trace_graph_return_plan(call, READ_ONCE(w->tr->graph_record)), name);
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

	graph_get_held_parts(w, held, __fgraph_calltime(call), &parts);
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

		if (!outer)
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
	unsigned int i;

	for (; nr; nr--) {
		fgraph_first_caller(call, &caller);
		for (i = 0; i < nr; i++)
			fgraph_next_caller(&caller);
		if (caller.data &&
		    !graph_write_entry(w, caller.head, caller.data, trace_graph_ctx(call)))
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
	if (unlikely(held->flags & (HELD_WRITTEN | HELD_TESTED)) ||
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

/**
 * trace_graph_use_callbacks - choose the callbacks of the tracer of an instance
 * @tr:		the instance
 *
 * After rules were in force, open calls may have a held entry. So the callback at the
 * return stays until the tracer stops.
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_use_callbacks(struct trace_array *tr)
{
	const struct graph_rules *rules = graph_locked_rules(tr);
	struct fgraph_ops *gops = tr->gops;

	if (!rules) {
		WRITE_ONCE(gops->entryfunc, trace_graph_entry);
		return;
	}
	if (gops->retfunc != graph_return_held_call) {
		WRITE_ONCE(gops->retfunc, graph_return_held_call);
		/* A held call needs this callback at its return, so wait before the first one. */
		fgraph_synchronize();
	}
	WRITE_ONCE(gops->entryfunc, *rules->exprs ? graph_hold_call_tests : graph_hold_call);
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
