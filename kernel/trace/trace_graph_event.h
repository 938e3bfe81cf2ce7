/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of calls:
 *
 *	funcgraph_entry		the entry of a call
 *	funcgraph_exit		the return of a call
 *	funcgraph_call		both, of a call that was recorded when it returned
 *
 * Each begins with fields that programs know by their names. Other parts follow, in this
 * order. The field flags contains a bit for each of them that is there.
 *
 *	arguments		nr_args words
 *	GRAPH_WITH_RETADDR	a word: the return address of the call
 *	GRAPH_WITH_TIME		u64: the time of the entry, in the clock of the buffer
 *	GRAPH_WITH_HIGH		a word: the second word of the result
 *	GRAPH_WITH_SLEPT	u64: how long the task slept in the call, in ns
 *	GRAPH_WITH_NAMES	the names of pointers, up to the end of the event
 *
 * For example, func(1, 2) of a kept trace, with 64-bit words and without names:
 *
 *	| header | func | depth, flags, nr_args=2 | 1 | 2 | return address | time |
 *	0        8      16                        20  28  36               44     52
 *
 * An entry that waits on the shadow stack has the same parts, see trace_graph_held.c.
 */
#ifndef _KERNEL_TRACE_GRAPH_EVENT_H
#define _KERNEL_TRACE_GRAPH_EVENT_H

#include "trace.h"

#define GRAPH_WITH_RETADDR	BIT(0)
#define GRAPH_WITH_TIME		BIT(1)
#define GRAPH_WITH_HIGH		BIT(2)
#define GRAPH_WITH_SLEPT	BIT(3)
#define GRAPH_WITH_NAMES	BIT(4)
/* All parts but the arguments */
#define GRAPH_PARTS \
	(GRAPH_WITH_RETADDR | GRAPH_WITH_TIME | GRAPH_WITH_HIGH | GRAPH_WITH_SLEPT | \
	 GRAPH_WITH_NAMES)

/* The event does not belong to its neighbours: readers do not join it with one of them. */
#define GRAPH_ALONE		BIT(5)
/* The entry was recorded before. */
#define GRAPH_REPEATED		BIT(6)
/* Calls in the call were missed. */
#define GRAPH_MISSED		BIT(7)

/* The flags that a line shows */
#define GRAPH_MARKS		(GRAPH_REPEATED | GRAPH_MISSED)

#define GRAPH_U64_WORDS		(sizeof(u64) / sizeof(long))

/**
 * struct graph_parts - the parts of an event after its fields, and the times of a return
 * @flags:	the parts that are there, and the other flags of the event
 * @nr_args:	the number of arguments
 * @nr_names:	the number of words in @names
 * @nr_result_name: the number of words in @result_name. When an event is read, @names
 *		contains all names.
 * @args:	the arguments, not always aligned
 * @names:	the names of arguments, not always aligned
 * @result_name: the name of the result
 * @retaddr:	the return address
 * @high:	the second word of the result
 * @time:	the time of the entry, in the clock of the buffer
 * @slept:	how long the task slept
 * @calltime:	for a return: the time of the entry, later by the time that does not count
 * @rettime:	for a return: its time
 */
struct graph_parts {
	u8			flags;
	u8			nr_args;
	u8			nr_names;
	u8			nr_result_name;
	const void		*args;
	const void		*names;
	const void		*result_name;
	unsigned long		retaddr;
	unsigned long		high;
	u64			time;
	u64			slept;
	u64			calltime;
	u64			rettime;
};

unsigned int graph_count_words(const struct graph_parts *parts);
void graph_put_parts(void *to, const struct graph_parts *parts);
void graph_get_other_parts(struct graph_parts *parts, const void *from, const void *end);

/**
 * graph_get_parts - find the parts of an event
 * @parts:	set to them
 * @flags:	the field of the event
 * @nr_args:	the field of the event
 * @from:	the first part, not always aligned
 * @end:	the end of the event
 *
 * If the event is too short, parts that it does not contain are empty.
 *
 * Context: any.
 */
static __always_inline void graph_get_parts(struct graph_parts *parts, u8 flags, u8 nr_args,
					    const void *from, const void *end)
{
	unsigned long nr = (end - from) / sizeof(long);

	parts->flags = flags;
	parts->nr_args = min_t(unsigned long, nr_args, nr);
	parts->nr_names = 0;
	parts->nr_result_name = 0;
	parts->args = from;
	parts->names = NULL;
	parts->retaddr = 0;
	parts->high = 0;
	parts->time = 0;
	parts->slept = 0;
	/* Most events have no other parts. */
	if (unlikely(flags & GRAPH_PARTS))
		graph_get_other_parts(parts, from + parts->nr_args * sizeof(long), end);
}

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
 * inlined because the function graph tracer writes more events than other tracers. @time
 * is a time of trace_clock_local() on this CPU, not in the future; or 0.
 */
static __always_inline struct ring_buffer_event *
trace_graph_reserve(struct trace_buffer *buffer, int type, size_t size, u64 time,
		    unsigned int trace_ctx, void *pentry)
{
	struct ring_buffer_event *event;
	struct trace_entry **entry = pentry;

	event = ring_buffer_lock_reserve_time(buffer, size, time);
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

/*
 * Set the fields depth, flags and nr_args, which follow each other in all events. One store is
 * cheaper than three. @depth points to the first of them, and is aligned like an event.
 */
static __always_inline void graph_set_depth(void *depth, unsigned int value,
					    unsigned int flags, unsigned int nr_args)
{
#ifdef __BIG_ENDIAN
	*(u32 *)depth = value << 16 | flags << 8 | nr_args;
#else
	*(u32 *)depth = value | flags << 16 | nr_args << 24;
#endif
}

bool trace_graph_write_entry(struct trace_buffer *buffer, unsigned long func,
			     unsigned int depth, const struct graph_parts *parts,
			     u64 time, unsigned int trace_ctx);
void trace_graph_write_return(struct trace_buffer *buffer, int type,
			      const struct fgraph_call *call, const struct graph_parts *parts,
			      unsigned int trace_ctx);

#endif /* _KERNEL_TRACE_GRAPH_EVENT_H */
