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

#include "trace_graph_keep.h"
#include "trace_graph_match.h"
#include "trace_graph_record.h"

/* The generation of a part of the buffer; &trace_graph_keep.generation adds to it. */
struct graph_keep_cpu {
	atomic_t		generation;
	/* ring_buffer_nr_touched_pages() when the generation began */
	size_t			first_page;
};

/*
 * An entry on the shadow stack. @generation and @cpu are valid after the entry was
 * written: the generation of the part of the buffer that contains it. The words are the
 * arguments, then optionally the return address, the time, and the names of pointers.
 */
struct held_entry {
	u32			generation;
	/* &fgraph_task.overrun at the entry */
	u32			overrun;
	u16			cpu;
	u8			flags;
	u8			nr_args;
	/* The number of words of names */
	u8			nr_names;
	/* interrupt_context_level() at the entry */
	u8			level : 2;
	/* &trace_array.clock_id at the entry */
	u8			clock : 6;
	/* &fgraph_call.depth */
	u16			depth;
	unsigned long		words[];
};

#define HELD_WRITTEN		BIT(0)
#define HELD_RETADDR		BIT(1)
#define HELD_TIME		BIT(2)
/* An expression may keep the call. */
#define HELD_TESTED		BIT(3)
/* The arguments, or their names, are held for an expression. No event contains them. */
#define HELD_HIDDEN_ARGS	BIT(4)
#define HELD_HIDDEN_NAMES	BIT(5)

#define HELD_WORDS		(sizeof(struct held_entry) / sizeof(long))
#define HELD_TIME_WORDS		(sizeof(u64) / sizeof(long))
#define HELD_MAX_ARGS \
	(FGRAPH_MAX_DATA_WORDS - HELD_WORDS - HELD_TIME_WORDS - 1)

/* Rules on values need the arguments. */
static_assert(GRAPH_EXPR_ARG_WORDS <= HELD_MAX_ARGS);

/* Entry */

/* Hold the return address, and the time if the clock is not trace_clock_local(). */
static noinline void graph_hold_extras(struct trace_array *tr, struct fgraph_call *call,
				       struct held_entry *held, unsigned long *words,
				       u32 record)
{
	u64 time;

	if (record & GRAPH_RECORD_RETADDR) {
		*words++ = fgraph_return_address(call);
		held->flags |= HELD_RETADDR;
	}
	if (record & GRAPH_RECORD_CLOCK) {
		held->clock = READ_ONCE(tr->clock_id);
		/* Pairs with smp_wmb() in tracing_set_clock(): the time is not older. */
		smp_rmb();
		time = ring_buffer_time_stamp(tr->array_buffer.buffer);
		memcpy(words, &time, sizeof(time));
		held->flags |= HELD_TIME;
	}
}

/* Reserve a held entry of @words words, and fill in the fields that do not depend on options. */
static __always_inline struct held_entry *
graph_reserve_held(struct fgraph_call *call, unsigned long words, unsigned int nr_args)
{
	struct held_entry *held = fgraph_reserve_words(call, words);

	if (unlikely(!held))
		return NULL;

	__fgraph_take_calltime(call);
	held->overrun = call->task->overrun;
	held->flags = 0;
	held->nr_args = nr_args;
	held->nr_names = 0;
	held->level = interrupt_context_level();
	held->clock = 0;
	held->depth = call->depth;
	return held;
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* Hold a call with names of its arguments. Return NULL if there is no room for them. */
static noinline struct held_entry *
graph_hold_named_call(struct trace_array *tr, struct fgraph_call *call, u32 record,
		      struct graph_arg_counts nr, u32 plan)
{
	unsigned long words[HELD_MAX_ARGS + GRAPH_ARG_NAMES_WORDS] __uninitialized;
	unsigned int nr_args = nr.regs + nr.stack, nr_names;
	unsigned int before = HELD_WORDS + nr_args;
	unsigned int room = fgraph_room(call);
	struct held_entry *held;

	if (record & GRAPH_RECORD_RETADDR)
		before++;
	if (record & GRAPH_RECORD_CLOCK)
		before += HELD_TIME_WORDS;
	if (nr_args > HELD_MAX_ARGS || room <= before ||
	    !trace_graph_read_args(call, words, nr))
		return NULL;

	nr_names = graph_read_arg_names(plan, words, nr_args, words + nr_args,
					room - before);
	held = graph_reserve_held(call, before + nr_names, nr_args);
	if (!held)
		return NULL;
	fgraph_copy_words(held->words, words, nr_args);
	if (unlikely(record & (GRAPH_RECORD_RETADDR | GRAPH_RECORD_CLOCK)))
		graph_hold_extras(tr, call, held, held->words + nr_args, record);
	held->nr_names = nr_names;
	fgraph_copy_words(held->words + before - HELD_WORDS, words + nr_args, nr_names);
	return held;
}
#else
static inline struct held_entry *
graph_hold_named_call(struct trace_array *tr, struct fgraph_call *call, u32 record,
		      struct graph_arg_counts nr, u32 plan)
{
	return NULL;
}
#endif

/* Hold a call with its arguments. Return NULL if there is no room for them. */
static __always_inline struct held_entry *
graph_hold_words(struct trace_array *tr, struct fgraph_call *call, u32 record,
		 struct graph_arg_counts nr)
{
	unsigned long words = HELD_WORDS + nr.regs + nr.stack;
	struct held_entry *held;

	/* Few functions have more words. Their arguments print as unknown. */
	if (unlikely(nr.regs + nr.stack > HELD_MAX_ARGS)) {
		nr = (struct graph_arg_counts){ };
		words = HELD_WORDS;
	}
	if (record & GRAPH_RECORD_RETADDR)
		words++;
	if (record & GRAPH_RECORD_CLOCK)
		words += HELD_TIME_WORDS;

	held = graph_reserve_held(call, words, nr.regs + nr.stack);
	if (unlikely(!held))
		return NULL;
	if (!trace_graph_read_args(call, held->words, nr))
		held->nr_args = 0;
	if (unlikely(record & (GRAPH_RECORD_RETADDR | GRAPH_RECORD_CLOCK)))
		graph_hold_extras(tr, call, held, held->words + held->nr_args, record);
	return held;
}

static __always_inline int
__graph_hold_call(struct trace_array *tr, struct fgraph_call *call, u32 record)
{
	struct graph_arg_counts nr = trace_graph_count_args(call, record);
	u32 plan = trace_graph_plan(call, record);

	if (record & GRAPH_RECORD_NO_IRQS && trace_graph_ignore_irqs(call))
		return 0;
	if (graph_plan_args(plan) && graph_hold_named_call(tr, call, record, nr, plan))
		return 1;
	return !!graph_hold_words(tr, call, record, nr);
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* Return true if an expression of @tr names @func. Preemption must be disabled. */
static __always_inline bool graph_is_tested(const struct trace_array *tr,
					    unsigned long func)
{
	const struct graph_rules *rules = rcu_dereference_raw(tr->graph_keep.rules);
	struct graph_expr *const *expr;

	if (likely(!graph_may_be_tested(func)) || !rules)
		return false;
	for (expr = rules->exprs; *expr; expr++)
		if (unlikely(graph_find_match(*expr, func)))
			return true;
	return false;
}

/* Return the plan of the names that expressions compare, and the words that they need. */
static u32 graph_plan_tests(const struct trace_array *tr, unsigned long func,
			    struct graph_arg_counts *nr)
{
	const struct graph_rules *rules = rcu_dereference_raw(tr->graph_keep.rules);
	const struct graph_match *match;
	unsigned int i;
	u32 plan = 0;

	*nr = (struct graph_arg_counts){ };
	for (i = 0; rules && rules->exprs[i]; i++) {
		match = graph_find_match(rules->exprs[i], func);
		if (!match)
			continue;
		plan = graph_merge_plans(plan, match->plan);
		*nr = (struct graph_arg_counts){ match->regs, match->stack };
	}
	return plan;
}

/* Hold a call of a function that an expression names, with all values that it compares. */
static noinline int graph_hold_tested_call(struct trace_array *tr, struct fgraph_call *call,
					   u32 record)
{
	struct graph_arg_counts nr;
	u32 plan = graph_plan_tests(tr, call->func, &nr);
	struct held_entry *held;

	if (record & GRAPH_RECORD_NO_IRQS && trace_graph_ignore_irqs(call))
		return 0;
	plan = graph_merge_plans(plan, trace_graph_plan(call, record));
	held = graph_hold_named_call(tr, call, record, nr, plan);
	if (!held)
		held = graph_hold_words(tr, call, record,
					trace_graph_count_args(call, record));
	if (!held)
		return 0;

	held->flags |= HELD_TESTED;
	if (!(record & GRAPH_RECORD_ARGS))
		held->flags |= HELD_HIDDEN_ARGS;
	if (!(record & GRAPH_RECORD_NAMES))
		held->flags |= HELD_HIDDEN_NAMES;
	return 1;
}
#else
static inline bool graph_is_tested(const struct trace_array *tr, unsigned long func)
{
	return false;
}

static inline int graph_hold_tested_call(struct trace_array *tr, struct fgraph_call *call,
					 u32 record)
{
	return 0;
}
#endif

/* A flag in addition to the bits of tr->graph_record: an expression names the function. */
#define GRAPH_HOLD_TESTED	BIT(31)

static noinline int graph_hold_call_options(struct trace_array *tr,
					    struct fgraph_call *call, u32 record)
{
	enum graph_verdict verdict = GRAPH_RECORD;

	if (record & GRAPH_RECORD_SCOPE)
		verdict = trace_graph_enter_scope(tr, call);
	/* A call of set_graph_notrace holds nothing, and needs its return. */
	if (verdict != GRAPH_RECORD)
		return verdict;

	if (record & GRAPH_HOLD_TESTED ? graph_hold_tested_call(tr, call, record) :
					 __graph_hold_call(tr, call, record))
		return 1;

	ftrace_graph_addr_finish(call);
	return 0;
}

/* Options at the entry that the fast path does not handle */
#define GRAPH_HOLD_OPTIONS \
	(GRAPH_RECORD_NO_IRQS | GRAPH_RECORD_RETADDR | GRAPH_RECORD_SCOPE | \
	 GRAPH_RECORD_CLOCK | GRAPH_RECORD_NAMES)

static int graph_hold_call(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record);

	if (!ftrace_trace_task(tr))
		return 0;
	if (record & GRAPH_HOLD_OPTIONS)
		return graph_hold_call_options(tr, call, record);
	return __graph_hold_call(tr, call, record & GRAPH_RECORD_ARGS);
}

/* Variant of graph_hold_call() for expression rules, so plain rules avoid the lookup. */
static int graph_hold_call_tests(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct trace_array *tr = gops->private;
	u32 record = READ_ONCE(tr->graph_record);

	if (!ftrace_trace_task(tr))
		return 0;
	if (graph_is_tested(tr, call->func))
		record |= GRAPH_HOLD_TESTED;
	if (record & (GRAPH_HOLD_OPTIONS | GRAPH_HOLD_TESTED))
		return graph_hold_call_options(tr, call, record);
	return __graph_hold_call(tr, call, record & GRAPH_RECORD_ARGS);
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

/* Return the held time, or 0 if it is from another clock. */
static u64 graph_held_time(const struct trace_array *tr, const struct held_entry *held,
			   u64 calltime)
{
	const unsigned long *words = held->words + held->nr_args;
	u64 time;

	if (held->clock != tr->clock_id)
		return 0;
	if (!(held->flags & HELD_TIME))
		return calltime;
	memcpy(&time, words + !!(held->flags & HELD_RETADDR), sizeof(time));
	return time;
}

static unsigned long graph_held_retaddr(const struct held_entry *held)
{
	return held->flags & HELD_RETADDR ? held->words[held->nr_args] : 0;
}

static const unsigned long *graph_held_names(const struct held_entry *held)
{
	const unsigned long *names = held->words + held->nr_args;

	names += !!(held->flags & HELD_RETADDR);
	if (held->flags & HELD_TIME)
		names += HELD_TIME_WORDS;
	return names;
}

/* Return the number of arguments that an event contains. */
static unsigned int graph_nr_args(const struct held_entry *held)
{
	return held->flags & HELD_HIDDEN_ARGS ? 0 : held->nr_args;
}

/* Return the number of words of arguments and names that an event contains. */
static unsigned int graph_nr_words(const struct held_entry *held)
{
	if (held->flags & (HELD_HIDDEN_ARGS | HELD_HIDDEN_NAMES))
		return graph_nr_args(held);
	return held->nr_args + held->nr_names;
}

/* Copy the arguments and the names to an event. */
static void graph_copy_held_words(const struct held_entry *held, void *words)
{
	unsigned int nr_args = graph_nr_args(held);

	memcpy(words, held->words, nr_args * sizeof(long));
	memcpy(words + nr_args * sizeof(long), graph_held_names(held),
	       (graph_nr_words(held) - nr_args) * sizeof(long));
}

/* Write the held entry of a call. Return false if the buffer does not take it. */
static bool graph_write_entry(const struct graph_writer *w,
			      const struct ftrace_ret_stack *head,
			      struct held_entry *held, unsigned int trace_ctx)
{
	int cpu = smp_processor_id();
	u32 generation = graph_generation(w, cpu);
	size_t words = graph_nr_words(held) * sizeof(long);
	struct ftrace_graph_kept_ent_entry *entry;
	struct ring_buffer_event *event;

	event = trace_graph_reserve(w->buffer, TRACE_GRAPH_KEPT_ENT, sizeof(*entry) + words,
				    trace_ctx, &entry);
	if (!event)
		return false;
	entry->graph_ent.func	= head->func;
	entry->graph_ent.depth	= held->depth;
	entry->flags		= held->flags & HELD_WRITTEN ? TRACE_GRAPH_REPEATED : 0;
	entry->time		= graph_held_time(w->tr, held, head->times.calltime);
	entry->retaddr		= graph_held_retaddr(held);
	entry->nr_args		= graph_nr_args(held);
	graph_copy_held_words(held, entry->args);
	trace_graph_commit(&event_funcgraph_kept_entry, w->buffer, event, entry);

	/* If the generation has changed since then, the entry may be lost. */
	held->generation = generation;
	held->cpu = cpu;
	held->flags |= HELD_WRITTEN;
	return true;
}

static void graph_fill_return(struct ftrace_graph_kept_ret_entry *entry,
			      struct fgraph_call *call, const struct held_entry *held,
			      bool sleep_time)
{
	const struct fgraph_core_call *core = fgraph_core_call(call);

	trace_graph_fill_return(entry, call, fgraph_calltime(call, sleep_time),
				__fgraph_rettime(call));
	entry->slept		= core->stack->slept - core->head->times.slept;
	entry->flags		= call->task->overrun != held->overrun ?
				  TRACE_GRAPH_MISSED : 0;
}

/* Read the name of the result. Return its number of words. */
static unsigned int graph_result_name(const struct graph_writer *w,
				      const struct fgraph_call *call, unsigned long *name)
{
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	u32 plan = trace_graph_plan(call, READ_ONCE(w->tr->graph_record));

	if (graph_plan_result(plan))
		return graph_read_result_name(plan, call->retregs[0], name);
#endif
	return 0;
}

static void graph_write_return(const struct graph_writer *w, struct fgraph_call *call,
			       const struct held_entry *held)
{
	struct ftrace_graph_kept_ret_entry *entry;
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;
	unsigned int nr = graph_result_name(w, call, name);
	struct ring_buffer_event *event;

	event = trace_graph_reserve(w->buffer, TRACE_GRAPH_KEPT_RET,
				    sizeof(*entry) + nr * sizeof(long),
				    trace_graph_ctx(call), &entry);
	if (!event)
		return;
	graph_fill_return(entry, call, held, w->sleep_time);
	memcpy(entry->names, name, nr * sizeof(long));
	trace_graph_commit(&event_funcgraph_kept_exit, w->buffer, event, entry);
}

static void graph_write_call(const struct graph_writer *w, struct fgraph_call *call,
			     const struct held_entry *held)
{
	size_t words = graph_nr_words(held) * sizeof(long);
	struct ftrace_graph_call_entry *entry;
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;
	unsigned int nr = graph_result_name(w, call, name);
	struct ring_buffer_event *event;

	static_assert(offsetof(typeof(*entry), time) ==
		      sizeof(struct ftrace_graph_kept_ret_entry));
	event = trace_graph_reserve(w->buffer, TRACE_GRAPH_CALL,
				    sizeof(*entry) + words + nr * sizeof(long),
				    trace_graph_ctx(call), &entry);
	if (!event)
		return;
	graph_fill_return((struct ftrace_graph_kept_ret_entry *)entry, call, held,
			  w->sleep_time);
	entry->time	= graph_held_time(w->tr, held, __fgraph_calltime(call));
	entry->retaddr	= graph_held_retaddr(held);
	entry->nr_args		= graph_nr_args(held);
	graph_copy_held_words(held, entry->args);
	memcpy((void *)entry->args + words, name, nr * sizeof(long));
	trace_graph_commit(&event_funcgraph_call, w->buffer, event, entry);
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
		graph_write_return(w, call, held);
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* Return the actions of the expressions that keep the call, or 0 if none does. */
static unsigned int graph_test_values(const struct graph_rules *rules,
				      struct fgraph_call *call,
				      const struct held_entry *held, bool sleep_time)
{
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;
	struct graph_operands v = {
		.call		= call,
		.sleep_time	= sleep_time,
		.args		= held->words,
		.nr_args	= held->nr_args,
		.names		= graph_held_names(held),
		.nr_names	= held->nr_names,
		.result_name	= name,
	};
	const struct graph_match *match;
	unsigned int i, actions = 0;

	for (i = 0; rules->exprs[i]; i++) {
		match = graph_find_match(rules->exprs[i], call->func);
		if (!match)
			continue;
		v.nr_result_name = graph_read_result_name(match->plan, call->retregs[0], name);
		if (!graph_run_program(match->program, &v))
			continue;
		actions |= rules->exprs[i]->actions;
		if (!rules->acts)
			break;
	}
	return actions;
}
#else
static inline unsigned int graph_test_values(const struct graph_rules *rules,
					     struct fgraph_call *call,
					     const struct held_entry *held, bool sleep_time)
{
	return 0;
}
#endif

static noinline bool graph_keeps_error(const struct graph_rules *rules,
				       const struct fgraph_call *call)
{
	return test_bit(-graph_result_error(call->func, call->retregs), rules->errors);
}

static noinline bool graph_keeps_null(const struct fgraph_call *call)
{
	return graph_result_is_null(call->func, call->retregs);
}

/*
 * Return true if @call took at least @slow. The clocks of two CPUs may differ. So the time
 * of the return, less the sleep, may be before the time of the entry.
 */
static __always_inline bool graph_keeps_slow(u64 slow, struct fgraph_call *call,
					     bool sleep_time)
{
	u64 duration = __fgraph_rettime(call) - fgraph_calltime(call, sleep_time);

	return (s64)duration >= (s64)slow;
}

/* Return true if a rule that names no function keeps @call. */
static __always_inline bool graph_keeps_call(const struct graph_rules *rules,
					     struct fgraph_call *call, bool sleep_time)
{
	unsigned long result = call->retregs[0];

	if (graph_may_be_error(call->func, result) && graph_keeps_error(rules, call))
		return true;
	if (rules->slow && graph_keeps_slow(rules->slow, call, sleep_time))
		return true;
	return rules->null && !result && graph_keeps_null(call);
}

/* Return the actions of the rules that name no function and keep @call. */
static unsigned int graph_find_actions(const struct graph_rules *rules,
				       struct fgraph_call *call, bool sleep_time)
{
	unsigned int error = -graph_result_error(call->func, call->retregs);
	const struct graph_result_rules *r = rules->results;
	bool is_null = rules->null && graph_keeps_null(call);
	unsigned int i, actions = 0;

	if (test_bit(error, rules->unwanted))
		error = 0;
	for (i = 0; i < GRAPH_NR_ACTIONS; i++, r++)
		if ((error && (r->all_errors || test_bit(error, r->wanted))) ||
		    (r->slow && graph_keeps_slow(r->slow, call, sleep_time)) ||
		    (r->null && is_null))
			actions |= BIT(i);
	return actions;
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
		graph_write_return(&w, call, held);
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

	if (rules && graph_keeps_call(rules, call, sleep_time))
		actions = rules->acts ? graph_find_actions(rules, call, sleep_time) :
					BIT(GRAPH_ONLY_KEEP);
	if ((!actions && !(held->flags & (HELD_WRITTEN | HELD_TESTED))) ||
	    trace_graph_is_disabled(tr))
		return;
	if (rules && held->flags & HELD_TESTED && (!actions || rules->acts))
		actions |= graph_test_values(rules, call, held, sleep_time);
	if (actions || held->flags & HELD_WRITTEN)
		graph_return_written(tr, call, held, actions, sleep_time);
}

/*
 * Handle the return of a held call. Most calls are not kept: they need few registers here,
 * and their types are not looked up.
 */
static void graph_return_held_call(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct held_entry *held = fgraph_retrieve_words(call);
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
	    (rules && unlikely(rules->any_result ||
			       graph_may_be_error(call->func, call->retregs[0]))))
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
	const struct graph_rules *rules =
		rcu_dereference_protected(tr->graph_keep.rules,
					  lockdep_is_held(&trace_types_lock));
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
 * graph_free_rules - free rules that no call uses
 * @rules:	the rules, or NULL
 *
 * Context: may sleep; with trace_types_lock held.
 */
void graph_free_rules(struct graph_rules *rules)
{
	if (rules)
		graph_put_exprs(rules);
	kfree(rules);
}

/**
 * trace_graph_alloc_keep - allocate memory for trace_graph_use_rules()
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

/**
 * trace_graph_use_rules - replace the rules of an instance
 * @tr:		the instance; trace_graph_alloc_keep() must have succeeded
 * @rules:	the rules, which the instance frees, or NULL to record each call
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_use_rules(struct trace_array *tr, struct graph_rules *rules)
{
	struct graph_rules *old;

	old = rcu_replace_pointer(tr->graph_keep.rules, rules,
				  lockdep_is_held(&trace_types_lock));
	if (tr->gops)
		trace_graph_use_callbacks(tr);
	if (old)
		fgraph_synchronize();
	graph_free_rules(old);
}

/**
 * trace_graph_free_keep - free the rules of an instance that is removed
 * @tr:		the instance, whose tracer was stopped
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_free_keep(struct trace_array *tr)
{
	graph_free_rules(rcu_dereference_protected(tr->graph_keep.rules, true));
	free_percpu(tr->graph_keep.cpu);
}
