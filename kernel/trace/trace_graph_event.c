// SPDX-License-Identifier: GPL-2.0
/*
 * The events of calls with all of their parts, see trace_graph_event.h: writing and
 * reading. trace_graph_record.c writes events without other parts than arguments itself,
 * because these are most events of a trace.
 */
#include "fgraph_sig.h"
#include "trace_graph_event.h"
#include "trace_graph_name.h"

static size_t parts_bytes(const struct graph_parts *parts)
{
	return graph_count_words(parts) * sizeof(long);
}

/**
 * graph_count_words - return the size of parts
 * @parts:	the parts
 *
 * Context: any.
 * Return: the number of words that graph_put_parts() writes.
 */
unsigned int graph_count_words(const struct graph_parts *parts)
{
	unsigned int words = parts->nr_args;

	words += !!(parts->flags & GRAPH_WITH_RETADDR);
	words += !!(parts->flags & GRAPH_WITH_HIGH);
	if (parts->flags & GRAPH_WITH_TIME)
		words += GRAPH_U64_WORDS;
	if (parts->flags & GRAPH_WITH_SLEPT)
		words += GRAPH_U64_WORDS;
	if (parts->flags & GRAPH_WITH_NAMES)
		words += parts->nr_names + parts->nr_result_name;
	return words;
}

static void *put_bytes(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return to + bytes;
}

/* Most parts are a few words, for which a call of memcpy() costs more than this loop. */
static void *put_words(void *to, const void *from, unsigned int nr)
{
	for (; nr; nr--, to += sizeof(long), from += sizeof(long)) {
		memcpy(to, from, sizeof(long));
		/* The compiler would make one memcpy() of the loop. */
		barrier();
	}
	return to;
}

/**
 * graph_put_parts - write the parts of an event
 * @to:		room for graph_count_words(), not always aligned
 * @parts:	the parts
 *
 * Context: any.
 */
void graph_put_parts(void *to, const struct graph_parts *parts)
{
	to = put_words(to, parts->args, parts->nr_args);
	if (parts->flags & GRAPH_WITH_RETADDR)
		to = put_bytes(to, &parts->retaddr, sizeof(parts->retaddr));
	if (parts->flags & GRAPH_WITH_TIME)
		to = put_bytes(to, &parts->time, sizeof(parts->time));
	if (parts->flags & GRAPH_WITH_HIGH)
		to = put_bytes(to, &parts->high, sizeof(parts->high));
	if (parts->flags & GRAPH_WITH_SLEPT)
		to = put_bytes(to, &parts->slept, sizeof(parts->slept));
	if (!(parts->flags & GRAPH_WITH_NAMES))
		return;
	to = put_words(to, parts->names, parts->nr_names);
	put_words(to, parts->result_name, parts->nr_result_name);
}

/* Copy @bytes of an event to @to, or zeros if the event ends before. Return what follows. */
static const void *get_bytes(void *to, const void *from, const void *end, size_t bytes)
{
	if ((size_t)(end - from) < bytes) {
		memset(to, 0, bytes);
		return end;
	}
	memcpy(to, from, bytes);
	return from + bytes;
}

/**
 * graph_get_other_parts - find the parts of an event that follow the arguments
 * @parts:	the parts, set by graph_get_parts()
 * @from:	the first of them, not always aligned
 * @end:	the end of the event
 *
 * Context: any.
 */
void graph_get_other_parts(struct graph_parts *parts, const void *from, const void *end)
{
	if (parts->flags & GRAPH_WITH_RETADDR)
		from = get_bytes(&parts->retaddr, from, end, sizeof(parts->retaddr));
	if (parts->flags & GRAPH_WITH_TIME)
		from = get_bytes(&parts->time, from, end, sizeof(parts->time));
	if (parts->flags & GRAPH_WITH_HIGH)
		from = get_bytes(&parts->high, from, end, sizeof(parts->high));
	if (parts->flags & GRAPH_WITH_SLEPT)
		from = get_bytes(&parts->slept, from, end, sizeof(parts->slept));
	if (!(parts->flags & GRAPH_WITH_NAMES))
		return;
	parts->names = from;
	parts->nr_names = min_t(size_t, (end - from) / sizeof(long), GRAPH_NAMES_WORDS);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_get_other_parts);

/**
 * trace_graph_write_entry - write the entry of a call
 * @buffer:	the buffer
 * @func:	the function
 * @depth:	&fgraph_call.depth
 * @parts:	the parts
 * @time:	the time of the event, see ring_buffer_lock_reserve_time(); or 0
 * @trace_ctx:	the context of the event
 *
 * Context: any, with preemption disabled.
 * Return: false if the buffer does not take it.
 */
bool trace_graph_write_entry(struct trace_buffer *buffer, unsigned long func,
			     unsigned int depth, const struct graph_parts *parts,
			     u64 time, unsigned int trace_ctx)
{
	struct ftrace_graph_ent_entry *entry;
	struct ring_buffer_event *event;

	event = trace_graph_reserve(buffer, TRACE_GRAPH_ENT,
				    sizeof(*entry) + parts_bytes(parts), time, trace_ctx,
				    &entry);
	if (!event)
		return false;
	entry->graph_ent.func		= func;
	entry->graph_ent.depth		= depth;
	entry->graph_ent.flags		= parts->flags;
	entry->graph_ent.nr_args	= parts->nr_args;
	graph_put_parts(entry->args, parts);
	trace_graph_commit(&event_funcgraph_entry, buffer, event, entry);
	return true;
}

/**
 * trace_graph_write_return - write the return of a call
 * @buffer:	the buffer
 * @type:	TRACE_GRAPH_RET, or TRACE_GRAPH_CALL if @parts contains the entry
 * @call:	the call
 * @parts:	the times and the parts
 * @trace_ctx:	the context of the event
 *
 * Context: any, with preemption disabled.
 */
void trace_graph_write_return(struct trace_buffer *buffer, int type,
			      const struct fgraph_call *call, const struct graph_parts *parts,
			      unsigned int trace_ctx)
{
	struct ftrace_graph_ret_entry *entry;
	struct ring_buffer_event *event;

	static_assert(sizeof(struct ftrace_graph_call_entry) == sizeof(*entry));
	event = trace_graph_reserve(buffer, type, sizeof(*entry) + parts_bytes(parts),
				    parts->rettime, trace_ctx, &entry);
	if (!event)
		return;
	entry->ret.func		= call->func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry->ret.retval	= call->retregs[0];
#endif
	entry->ret.depth	= call->depth;
	entry->ret.flags	= parts->flags;
	entry->ret.nr_args	= parts->nr_args;
	entry->ret.overrun	= call->task->overrun;
	entry->ret.calltime	= parts->calltime;
	entry->ret.rettime	= parts->rettime;
	graph_put_parts(entry->words, parts);
	trace_graph_commit(type == TRACE_GRAPH_RET ? &event_funcgraph_exit :
			   &event_funcgraph_call, buffer, event, entry);
}
