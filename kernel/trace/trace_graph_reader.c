// SPDX-License-Identifier: GPL-2.0
/*
 * The reader of a trace of the function graph tracer: it joins the entry and the return of
 * a leaf to one line, and knows the place in the calls of each CPU. trace_graph_line.c
 * prints the lines.
 *
 * Function graph tracer.
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/ftrace.h>
#include <linux/slab.h>

#include "trace_graph_event.h"
#include "trace_graph_line.h"
#include "trace_graph_symbol.h"
#include "trace_output.h"

/*
 * The state of a reader: its place in the calls of each CPU. Each event updates the
 * state in the functions below, and the functions that print only read it. A line that
 * does not fit into the buffer is printed again later. So print_graph_function_flags()
 * undoes the update if the line does not fit.
 */

/* Return the pid of the previous task on @cpu, or -1 if it is the same task. */
static pid_t graph_note_task(struct fgraph_data *data, int cpu, pid_t pid)
{
	struct graph_line_state *line;
	pid_t prev;

	if (!data)
		return -1;

	line = &per_cpu_ptr(data->cpu_data, cpu)->line;
	prev = line->last_pid;
	line->last_pid = pid;
	return prev == pid ? -1 : prev;
}

/* Set the open function at @depth to @func, once the line is complete. */
static void set_enter_func(struct fgraph_cpu_data *cpu_data, int depth,
			   unsigned long func)
{
	if (depth >= FTRACE_RETFUNC_DEPTH || WARN_ON_ONCE(depth < 0))
		return;
	cpu_data->enter_depth = depth;
	cpu_data->enter_func = func;
}

/*
 * Update the state at an entry. Comments are printed one level deeper than line.depth,
 * so a leaf, which encloses no comments, sets a smaller depth.
 */
static void graph_note_entry(struct trace_iterator *iter,
			     const struct ftrace_graph_ent *call, bool leaf)
{
	struct fgraph_data *data = iter->private;
	struct fgraph_cpu_data *cpu_data;

	if (!data)
		return;

	cpu_data = per_cpu_ptr(data->cpu_data, iter->cpu);
	cpu_data->line.depth = leaf ? call->depth - 1 : call->depth;
	set_enter_func(cpu_data, call->depth, leaf ? 0 : call->func);
}

/* Update the state at a return. Return true if it matches the open function. */
static bool graph_note_return(struct trace_iterator *iter,
			      const struct ftrace_graph_ret *ret)
{
	struct fgraph_data *data = iter->private;
	struct fgraph_cpu_data *cpu_data;

	if (!data)
		return true;

	cpu_data = per_cpu_ptr(data->cpu_data, iter->cpu);
	cpu_data->line.depth = ret->depth - 1;
	if (ret->depth >= FTRACE_RETFUNC_DEPTH || WARN_ON_ONCE(ret->depth < 0))
		return true;

	set_enter_func(cpu_data, ret->depth, 0);
	return cpu_data->enter_funcs[ret->depth] == ret->func;
}

/*
 * Entry check for irq code
 *
 * returns 1 if
 *  - we are inside irq code
 *  - we just entered irq code
 *
 * returns 0 if
 *  - funcgraph-interrupts option is set
 *  - we are not inside irq code
 */
static int
check_irq_entry(struct trace_iterator *iter, u32 flags,
		unsigned long addr, int depth)
{
	int cpu = iter->cpu;
	int *depth_irq;
	struct fgraph_data *data = iter->private;

	/*
	 * If we are either displaying irqs, or we got called as
	 * a graph event and private data does not exist,
	 * then we bypass the irq check.
	 */
	if ((flags & TRACE_GRAPH_PRINT_IRQS) ||
	    (!data))
		return 0;

	depth_irq = &(per_cpu_ptr(data->cpu_data, cpu)->depth_irq);

	/*
	 * We are inside the irq code
	 */
	if (*depth_irq >= 0)
		return 1;

	if (!graph_enters_irq(addr))
		return 0;

	/*
	 * We are entering irq code.
	 */
	*depth_irq = depth;
	return 1;
}

/*
 * Return check for irq code
 *
 * returns 1 if
 *  - we are inside irq code
 *  - we just left irq code
 *
 * returns 0 if
 *  - funcgraph-interrupts option is set
 *  - we are not inside irq code
 */
static int
check_irq_return(struct trace_iterator *iter, u32 flags, int depth)
{
	int cpu = iter->cpu;
	int *depth_irq;
	struct fgraph_data *data = iter->private;

	/*
	 * If we are either displaying irqs, or we got called as
	 * a graph event and private data does not exist,
	 * then we bypass the irq check.
	 */
	if ((flags & TRACE_GRAPH_PRINT_IRQS) ||
	    (!data))
		return 0;

	depth_irq = &(per_cpu_ptr(data->cpu_data, cpu)->depth_irq);

	/*
	 * We are not inside the irq code.
	 */
	if (*depth_irq == -1)
		return 0;

	/*
	 * We are inside the irq code, and this is returning entry.
	 * Let's not trace it and clear the entry depth, since
	 * we are out of irq code.
	 *
	 * This condition ensures that we 'leave the irq code' once
	 * we are out of the entry depth. Thus protecting us from
	 * the RETURN entry loss.
	 */
	if (*depth_irq >= depth) {
		*depth_irq = -1;
		return 1;
	}

	/*
	 * We are inside the irq code, and this is not the entry.
	 */
	return 1;
}

/* Events */

/* Copy at most @max words of names. Return the number of words. */
static unsigned int copy_names(unsigned long *names, const void *from, unsigned int nr,
			       unsigned int max)
{
	nr = min(nr, max);
	if (unlikely(nr))
		memcpy(names, from, nr * sizeof(long));
	return nr;
}

/* Return the number of words of names before those of the return. */
static unsigned int count_entry_names(const struct graph_entry *entry)
{
	const struct graph_name *name;

	for_each_graph_name(name, entry->names, entry->nr_names)
		if (name->flags & GRAPH_NAME_RESULT)
			return (const unsigned long *)name - entry->names;
	return entry->nr_names;
}

/* Copy an entry. The event may be overwritten when the next event is read. */
static void copy_entry_parts(struct graph_entry *entry, const struct graph_parts *parts)
{
	entry->retaddr = parts->retaddr;
	entry->time = parts->time;
	entry->nr_args = min_t(unsigned int, parts->nr_args, TRACE_GRAPH_MAX_ARGS);
	if (entry->nr_args)
		memcpy(entry->args, parts->args, entry->nr_args * sizeof(long));
	entry->nr_names = copy_names(entry->names, parts->names, parts->nr_names,
				     ARRAY_SIZE(entry->names));
}

/* Copy an entry event of @size bytes. */
static void copy_entry(struct graph_entry *entry, const struct trace_entry *ent,
		       unsigned int size)
{
	const struct ftrace_graph_ent_entry *field = (const void *)ent;
	struct graph_parts parts __uninitialized;

	entry->ent = *ent;
	entry->call = field->graph_ent;
	graph_get_parts(&parts, field->graph_ent.flags, field->graph_ent.nr_args, field->args,
			(const void *)ent + size);
	copy_entry_parts(entry, &parts);
}

/*
 * Copy a return event of @size bytes, or that of a whole call. If @entry is not NULL, set it to
 * the entry of the call.
 */
static __always_inline void copy_return(struct graph_return *ret, struct graph_entry *entry,
			const struct ftrace_graph_ret_entry *field, unsigned int size)
{
	struct graph_parts parts __uninitialized;
	unsigned int nr;

	graph_get_parts(&parts, field->ret.flags, field->ret.nr_args, field->words,
			(const void *)field + size);
	ret->ent = field->ent;
	ret->ret = field->ret;
	ret->slept = parts.slept;
	ret->nr_words = 0;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	ret->words[0] = field->ret.retval;
	ret->words[1] = parts.high;
	ret->nr_words = parts.flags & GRAPH_WITH_HIGH ? 2 : 1;
#endif
	if (!entry) {
		ret->nr_names = copy_names(ret->names, parts.names, parts.nr_names,
					   ARRAY_SIZE(ret->names));
		return;
	}
	entry->ent = field->ent;
	entry->call = (struct ftrace_graph_ent){
		.func	= field->ret.func,
		.depth	= field->ret.depth,
	};
	copy_entry_parts(entry, &parts);
	nr = count_entry_names(entry);
	ret->nr_names = copy_names(ret->names, entry->names + nr, entry->nr_names - nr,
				   ARRAY_SIZE(ret->names));
	entry->nr_names = nr;
}

/* Copy an entry with its names. Most entries have none. */
static void copy_saved_entry(struct graph_entry *to, const struct graph_entry *from)
{
	memcpy(to, from, offsetof(struct graph_entry, names[from->nr_names]));
}

static void copy_saved_return(struct graph_return *to, const struct graph_return *from)
{
	memcpy(to, from, offsetof(struct graph_return, names[from->nr_names]));
}

/*
 * Return true if @ret, the next event of the CPU, is the return of @entry. It is the return
 * of a later call if the events between the two were lost or filtered. The later call began
 * after @entry was recorded. Both times are comparable if the clock of the buffer is
 * trace_clock_local(), and if the time of the call was not reduced by a sleep.
 *
 * Between an entry and a return of another call, a task changes its CPU at least once.
 * Such a return has the flag GRAPH_ALONE.
 */
static bool is_return_of(const struct trace_iterator *iter,
			 const struct graph_entry *entry,
			 const struct graph_return *ret, u32 flags)
{
	if (ret->ent.type != TRACE_GRAPH_RET || ret->ret.flags & GRAPH_ALONE || ret->after_loss ||
	    ret->ent.pid != entry->ent.pid || ret->ret.func != entry->call.func ||
	    ret->ret.depth != entry->call.depth)
		return false;

	return iter->tr->clock_id || !(flags & TRACE_GRAPH_SLEEP_TIME) ||
		(s64)(entry->ts - ret->ret.calltime) >= 0;
}

/* If @curr is a leaf, set @ret to its return, and consume the return event. */
static bool get_return_for_leaf(struct trace_iterator *iter,
				struct graph_entry *curr,
				struct graph_return *ret, u32 flags)
{
	struct fgraph_data *data = iter->private;
	struct ring_buffer_iter *ring_iter = NULL;
	struct ring_buffer_event *event;
	struct ftrace_graph_ret_entry *next;
	unsigned long lost = 0;

	/*
	 * If the previous output failed to write to the seq buffer,
	 * then we just reuse the data from before.
	 */
	if (data && data->failed) {
		copy_saved_return(ret, &data->ret);
	} else {

		ring_iter = trace_buffer_iter(iter, iter->cpu);

		/* First peek to compare current entry and the next one */
		if (ring_iter) {
			event = ring_buffer_iter_peek(ring_iter, NULL);
			lost = ring_buffer_iter_dropped(ring_iter);
		} else {
			/*
			 * We need to consume the current entry to see
			 * the next one.
			 */
			ring_buffer_consume(iter->array_buffer->buffer, iter->cpu,
					    NULL, NULL);
			event = ring_buffer_peek(iter->array_buffer->buffer, iter->cpu,
						 NULL, &lost);
		}

		/*
		 * If the next event is not a return type, then
		 * we only care about what type it is. Otherwise we can
		 * safely copy the entire event.
		 */
		next = event ? ring_buffer_event_data(event) : NULL;
		ret->ent.type = next ? next->ent.type : 0;
		ret->nr_names = 0;
		if (ret->ent.type == TRACE_GRAPH_RET)
			copy_return(ret, NULL, next, ring_buffer_event_length(event));
		ret->after_loss = lost;
	}

	if (!is_return_of(iter, curr, ret, flags))
		return false;

	/* this is a leaf, now advance the iterator */
	if (ring_iter)
		ring_buffer_iter_advance(ring_iter);

	return true;
}

/* Lines */

static void
print_graph_prologue(struct trace_iterator *iter, struct trace_seq *s,
		     int type, unsigned long addr, u32 flags)
{
	pid_t pid = iter->ent->pid;
	pid_t prev_pid = graph_note_task(iter->private, iter->cpu, pid);

	if (prev_pid != -1)
		print_graph_switch(s, iter->cpu, prev_pid, pid);
	if (type && unlikely(graph_enters_irq(addr)))
		print_graph_irq(iter, type, iter->cpu, pid, flags);
	print_graph_columns(iter, s, flags);
}

/*
 * Return true if there is room for the line of an entry without very long names.
 * trace_pipe must consume the entry to see whether it is a leaf, so the line should fit
 * the first time.
 */
static bool graph_entry_has_room(const struct graph_entry *entry,
				 struct trace_seq *s)
{
	return !trace_seq_used(s) ||
		s->seq.size - trace_seq_used(s) >
		512 + 64 * entry->nr_args + 4 * GRAPH_NAME_BYTES * GRAPH_NAMED_ARGS *
		!!entry->nr_names;
}

/*
 * A line that does not fit into an empty page will never fit. Replace it by a message,
 * and continue with the next line. Keep the first @used bytes, which belong to
 * previous lines.
 */
static bool graph_line_is_too_big(struct trace_seq *s, unsigned int used, bool again)
{
	if (likely(!s->full) || s->seq.size < sizeof(s->buffer) || (used && !again))
		return false;
	s->seq.len = used;
	s->full = 0;
	trace_seq_puts(s, "[LINE TOO BIG]\n");
	return true;
}

static enum print_line_t
__print_graph_entry(struct graph_entry *field, struct trace_seq *s,
		    struct trace_iterator *iter, u32 flags)
{
	struct fgraph_data *data = iter->private;
	struct ftrace_graph_ent *call = &field->call;
	unsigned int used = trace_seq_used(s);
	struct graph_return leaf_ret __uninitialized;
	enum print_line_t ret;
	int cpu = iter->cpu;
	bool leaf;

	print_graph_prologue(iter, s, TRACE_GRAPH_ENT, call->func, flags);

	leaf = get_return_for_leaf(iter, field, &leaf_ret, flags);
	graph_note_entry(iter, call, leaf);
	if (leaf)
		ret = print_graph_entry_leaf(iter, field, &leaf_ret, s, flags);
	else
		ret = print_graph_entry_nested(iter, field, s, cpu, flags);
	if (graph_line_is_too_big(s, used, data && data->failed))
		ret = leaf ? TRACE_TYPE_HANDLED : TRACE_TYPE_NO_CONSUME;

	if (data) {
		/*
		 * If we failed to write our output, then we need to make
		 * note of it. Because we already consumed our entry.
		 */
		if (s->full) {
			if (!data->failed) {
				copy_saved_entry(&data->ent, field);
				copy_saved_return(&data->ret, &leaf_ret);
			}
			data->failed = 1;
			data->cpu = cpu;
		} else
			data->failed = 0;
	}

	return ret;
}

static enum print_line_t
print_graph_entry(struct graph_entry *field, struct trace_seq *s,
		  struct trace_iterator *iter, u32 flags)
{
	struct ftrace_graph_ent *call = &field->call;
	struct trace_entry *ent = iter->ent;
	enum print_line_t ret;
	u64 ts = iter->ts;

	if (check_irq_entry(iter, flags, call->func, call->depth))
		return TRACE_TYPE_HANDLED;
	if (!graph_entry_has_room(field, s))
		return TRACE_TYPE_PARTIAL_LINE;

	/* The event may be consumed below, or may already be the next event. */
	iter->ent = &field->ent;
	iter->ts = field->ts;
	ret = __print_graph_entry(field, s, iter, flags);
	iter->ent = ent;
	iter->ts = ts;
	return ret;
}

static enum print_line_t
print_graph_return(struct graph_return *field, struct trace_seq *s,
		   struct trace_entry *ent, struct trace_iterator *iter,
		   u32 flags)
{
	struct ftrace_graph_ret *trace = &field->ret;
	unsigned long long duration = trace->rettime - trace->calltime;
	struct trace_array *tr = iter->tr;
	pid_t pid = ent->pid;
	int cpu = iter->cpu;
	bool func_match;

	if (check_irq_return(iter, flags, trace->depth))
		return TRACE_TYPE_HANDLED;

	func_match = graph_note_return(iter, trace);
	print_graph_prologue(iter, s, 0, 0, flags);

	/* Overhead and duration */
	print_graph_duration(tr, duration, s, flags);

	/* Closing brace */
	print_graph_indent(s, trace->depth);

	print_graph_return_tail(s, iter, field, func_match, flags);

	/* Overrun */
	if (flags & TRACE_GRAPH_PRINT_OVERRUN)
		trace_seq_printf(s, " (Overruns: %u)\n",
				 trace->overrun);

	if (graph_enters_irq(trace->func))
		print_graph_irq(iter, TRACE_GRAPH_RET, cpu, pid, flags);

	return trace_handle_return(s);
}

/*
 * Calls that were recorded when they returned. Each event prints as one line, with the
 * time of its call. No event depends on the next one.
 */

static enum print_line_t
print_graph_kept_entry(struct graph_entry *entry, struct trace_iterator *iter, u32 flags)
{
	unsigned int used = trace_seq_used(&iter->seq);
	enum print_line_t ret;
	u64 ts = iter->ts;

	if (check_irq_entry(iter, flags, entry->call.func, entry->call.depth))
		return TRACE_TYPE_HANDLED;

	iter->ts = entry->time ?: ts;
	print_graph_prologue(iter, &iter->seq, TRACE_GRAPH_ENT, entry->call.func, flags);
	graph_note_entry(iter, &entry->call, false);
	ret = print_graph_entry_nested(iter, entry, &iter->seq, iter->cpu, flags);
	iter->ts = ts;
	/* No event was consumed to see whether the call is a leaf. */
	if (ret == TRACE_TYPE_NO_CONSUME || graph_line_is_too_big(&iter->seq, used, false))
		ret = TRACE_TYPE_HANDLED;
	return ret;
}

/*
 * Return the time of the entry of a whole call. A leaf does not contain it if the times of the
 * call are in the clock of the buffer.
 */
static u64 time_of_call(const struct trace_iterator *iter, const struct graph_entry *entry,
			const struct graph_return *ret)
{
	if (entry->time)
		return entry->time;
	if (ret->ret.flags & GRAPH_ALONE || iter->tr->clock_id)
		return iter->ts;
	return ret->ret.calltime;
}

static enum print_line_t print_graph_call(struct trace_iterator *iter, u32 flags)
{
	unsigned int used = trace_seq_used(&iter->seq);
	struct graph_return leaf __uninitialized;
	struct graph_entry entry __uninitialized;
	enum print_line_t ret;
	u64 ts = iter->ts;

	copy_return(&leaf, &entry, (struct ftrace_graph_ret_entry *)iter->ent, iter->ent_size);
	if (check_irq_entry(iter, flags, entry.call.func, entry.call.depth)) {
		check_irq_return(iter, flags, entry.call.depth);
		return TRACE_TYPE_HANDLED;
	}

	iter->ts = time_of_call(iter, &entry, &leaf);
	print_graph_prologue(iter, &iter->seq, TRACE_GRAPH_ENT, entry.call.func, flags);
	graph_note_entry(iter, &entry.call, true);
	ret = print_graph_entry_leaf(iter, &entry, &leaf, &iter->seq, flags);
	iter->ts = ts;
	if (graph_line_is_too_big(&iter->seq, used, false))
		ret = TRACE_TYPE_HANDLED;
	return ret;
}

static enum print_line_t
print_graph_comment(struct trace_seq *s, struct trace_entry *ent,
		    struct trace_iterator *iter, u32 flags)
{
	struct trace_array *tr = iter->tr;
	unsigned long sym_flags = (tr->trace_flags & TRACE_ITER_SYM_MASK);
	struct fgraph_data *data = iter->private;
	struct trace_event *event;
	unsigned int start;
	int depth = 0;
	int ret;

	if (data)
		depth = per_cpu_ptr(data->cpu_data, iter->cpu)->line.depth;

	print_graph_prologue(iter, s, 0, 0, flags);

	/* No time */
	print_graph_duration(tr, 0, s, flags | FLAGS_FILL_FULL);

	/* Indentation */
	if (depth > 0)
		print_graph_indent(s, depth + 1);

	/* The comment */
	trace_seq_puts(s, "/* ");
	start = s->seq.len;

	switch (iter->ent->type) {
	case TRACE_BPUTS:
		ret = trace_print_bputs_msg_only(iter);
		break;
	case TRACE_BPRINT:
		ret = trace_print_bprintk_msg_only(iter);
		break;
	case TRACE_PRINT:
		ret = trace_print_printk_msg_only(iter);
		break;
	default:
		event = ftrace_find_event(ent->type);
		if (!event)
			return TRACE_TYPE_UNHANDLED;

		ret = event->funcs->trace(iter, sym_flags, event);
	}

	if (ret == TRACE_TYPE_PARTIAL_LINE || trace_seq_has_overflowed(s)) {
		graph_drop_text(s, start);
		goto out;
	}
	if (ret != TRACE_TYPE_HANDLED)
		return ret;

	/* Strip ending newline */
	if (s->buffer[s->seq.len - 1] == '\n') {
		s->buffer[s->seq.len - 1] = '\0';
		s->seq.len--;
	}
	graph_escape_controls(s, start);

	trace_seq_puts(s, " */\n");
 out:
	return trace_handle_return(s);
}


static enum print_line_t
print_graph_event(struct trace_iterator *iter, u32 flags)
{
	struct fgraph_data *data = iter->private;
	struct trace_entry *entry = iter->ent;
	struct trace_seq *s = &iter->seq;
	int cpu = iter->cpu;
	int ret;

	if (data && per_cpu_ptr(data->cpu_data, cpu)->ignore) {
		per_cpu_ptr(data->cpu_data, cpu)->ignore = 0;
		return TRACE_TYPE_HANDLED;
	}

	/*
	 * If the last output failed, there's a possibility we need
	 * to print out the missing entry which would never go out.
	 */
	if (data && data->failed) {
		iter->cpu = data->cpu;
		ret = print_graph_entry(&data->ent, s, iter, flags);
		if (ret == TRACE_TYPE_HANDLED && iter->cpu != cpu) {
			per_cpu_ptr(data->cpu_data, iter->cpu)->ignore = 1;
			ret = TRACE_TYPE_NO_CONSUME;
		}
		iter->cpu = cpu;
		return ret;
	}

	switch (entry->type) {
	case TRACE_GRAPH_ENT: {
		/*
		 * print_graph_entry() may consume the current event,
		 * thus it may become invalid, so we need to save it.
		 */
		struct graph_entry saved __uninitialized;

		copy_entry(&saved, entry, iter->ent_size);
		if (saved.call.flags & GRAPH_ALONE)
			return print_graph_kept_entry(&saved, iter, flags);
		saved.ts = saved.time ?: iter->ts;
		return print_graph_entry(&saved, s, iter, flags);
	}
	case TRACE_GRAPH_RET: {
		struct graph_return saved __uninitialized;

		copy_return(&saved, NULL, (struct ftrace_graph_ret_entry *)entry,
			    iter->ent_size);
		return print_graph_return(&saved, s, entry, iter, flags);
	}
	case TRACE_GRAPH_CALL:
		return print_graph_call(iter, flags);
	case TRACE_STACK:
	case TRACE_FN:
		/* dont trace stack and functions as comments */
		return TRACE_TYPE_UNHANDLED;

	default:
		return print_graph_comment(s, entry, iter, flags);
	}

	return TRACE_TYPE_HANDLED;
}

/*
 * Print an event. Update the state of the CPU only if the text fits into the buffer.
 * Otherwise the event is printed again later, and must look the same.
 */
enum print_line_t
print_graph_function_flags(struct trace_iterator *iter, u32 flags)
{
	struct fgraph_data *data = iter->private;
	struct fgraph_cpu_data *cpu_data;
	struct graph_line_state before;
	enum print_line_t ret;

	/* The text that a pointer refers to may belong to a user. */
	if (iter->to_log)
		flags &= ~TRACE_GRAPH_PRINT_NAMES;
	if (!data)
		return print_graph_event(iter, flags);

	cpu_data = per_cpu_ptr(data->cpu_data, data->failed ? data->cpu : iter->cpu);
	before = cpu_data->line;
	cpu_data->enter_depth = -1;
	ret = print_graph_event(iter, flags);
	if (trace_seq_has_overflowed(&iter->seq))
		cpu_data->line = before;
	else if (cpu_data->enter_depth >= 0)
		cpu_data->enter_funcs[cpu_data->enter_depth] = cpu_data->enter_func;
	return ret;
}

/* Open and close */

/* ftrace_dump() prints no head, because a user of fgraph may be freed at the same time. */
static void count_missing(struct trace_iterator *iter, struct fgraph_data *data)
{
	struct trace_buffer *buffer = iter->array_buffer->buffer;

	if (irqs_disabled())
		return;
	if (iter->tr->gops)
		data->missed = fgraph_count_missed(iter->tr->gops);
	if (iter->cpu_file == RING_BUFFER_ALL_CPUS)
		data->overwritten = ring_buffer_overruns(buffer);
	else
		data->overwritten = ring_buffer_overrun_cpu(buffer, iter->cpu_file);
}

void graph_trace_open(struct trace_iterator *iter)
{
	/* pid and depth on the last trace processed */
	struct fgraph_data *data;
	gfp_t gfpflags;
	int cpu;

	iter->private = NULL;

	/* We can be called in atomic context via ftrace_dump() */
	gfpflags = (in_atomic() || irqs_disabled()) ? GFP_ATOMIC : GFP_KERNEL;

	data = kzalloc(sizeof(*data), gfpflags);
	if (!data)
		goto out_err;

	data->cpu_data = alloc_percpu_gfp(struct fgraph_cpu_data, gfpflags);
	if (!data->cpu_data)
		goto out_err_free;

	for_each_possible_cpu(cpu) {
		pid_t *pid = &(per_cpu_ptr(data->cpu_data, cpu)->line.last_pid);
		int *depth = &(per_cpu_ptr(data->cpu_data, cpu)->line.depth);
		int *ignore = &(per_cpu_ptr(data->cpu_data, cpu)->ignore);
		int *depth_irq = &(per_cpu_ptr(data->cpu_data, cpu)->depth_irq);

		*pid = -1;
		*depth = 0;
		*ignore = 0;
		*depth_irq = -1;
	}

	data->symbols = alloc_graph_symbols(gfpflags);
	count_missing(iter, data);
	iter->private = data;

	return;

 out_err_free:
	kfree(data);
 out_err:
	pr_warn("function graph tracer: not enough memory\n");
}

void graph_trace_close(struct trace_iterator *iter)
{
	struct fgraph_data *data = iter->private;

	if (data) {
		free_percpu(data->cpu_data);
		kfree(data->symbols);
		kfree(data);
		iter->private = NULL;
	}
}
