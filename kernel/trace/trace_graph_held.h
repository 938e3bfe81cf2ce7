/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Held entries: entries of calls that wait on the shadow stack, see trace_graph_held.c.
 */
#ifndef _KERNEL_TRACE_GRAPH_HELD_H
#define _KERNEL_TRACE_GRAPH_HELD_H

#include "trace_graph_event.h"
#include "trace_graph_record.h"

struct graph_tested;

/*
 * An entry on the shadow stack: the parts of an entry event, see trace_graph_event.h.
 * @generation and @cpu are valid after the entry was written: the generation of the part
 * of the buffer that contains it.
 */
struct held_entry {
	union {
		u32		generation;
		/* With HELD_LEAF: the entry was recorded */
		u32		recorded;
	};
	/* &fgraph_task.overrun at the entry */
	u32			overrun;
	union {
		u16		cpu;
		/* With HELD_LEAF: the call returns */
		u16		closed;
	};
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
/* The call is recorded by trace_graph_leaf.c. */
#define HELD_LEAF		BIT(7)

#define HELD_WORDS		(sizeof(struct held_entry) / sizeof(long))
#define HELD_MAX_ARGS \
	(FGRAPH_MAX_DATA_WORDS - HELD_WORDS - GRAPH_U64_WORDS - 1)

static_assert(!((HELD_PARTS | HELD_WRITTEN) &
		(HELD_TESTED | HELD_HIDDEN_ARGS | HELD_HIDDEN_NAMES | HELD_LEAF)));

void graph_hold_extras(struct trace_array *tr, struct fgraph_call *call,
		       struct held_entry *held, u32 record);
int graph_hold_call_options(struct trace_array *tr, struct fgraph_call *call, u32 record,
			    const struct graph_tested *tested);
void graph_add_held_result(const struct trace_array *tr, struct graph_parts *parts,
			   const struct fgraph_call *call, const struct held_entry *held,
			   unsigned long *names);
void graph_get_held_parts(const struct trace_array *tr, const struct held_entry *held,
			  u64 calltime, struct graph_parts *parts);

/*
 * Reserve a held entry with @nr_words words, and fill in the fields that do not depend on
 * options.
 */
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

/* Options at the entry that the fast path does not handle */
#define GRAPH_HOLD_OPTIONS \
	(GRAPH_RECORD_NO_IRQS | GRAPH_RECORD_RETADDR | GRAPH_RECORD_SCOPE | \
	 GRAPH_RECORD_CLOCK | GRAPH_RECORD_NAMES | GRAPH_RECORD_SHOW)

static __always_inline int graph_hold_plain_call(struct trace_array *tr,
						 struct fgraph_call *call, u32 record)
{
	return !!graph_hold_words(tr, call, record, trace_graph_count_args(call, record));
}

#endif /* _KERNEL_TRACE_GRAPH_HELD_H */
