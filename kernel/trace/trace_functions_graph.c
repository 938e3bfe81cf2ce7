// SPDX-License-Identifier: GPL-2.0
/*
 *
 * Function graph tracer.
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 *
 */
#include <linux/uaccess.h>
#include <linux/ftrace.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/fs.h>

#include "fgraph_sig.h"
#include "trace.h"
#include "trace_graph.h"
#include "trace_graph_name.h"
#include "trace_output.h"

/* The state of a CPU that changes when a line is printed */
struct graph_line_state {
	pid_t		last_pid;
	int		depth;
};

struct fgraph_cpu_data {
	struct graph_line_state line;
	int		depth_irq;
	int		ignore;
	unsigned long	enter_funcs[FTRACE_RETFUNC_DEPTH];
	/* The index in enter_funcs[] to update after this line, or -1 */
	int		enter_depth;
	unsigned long	enter_func;
};

/*
 * An entry event of any type, followed by the arguments, with names. @retaddr is 0 if
 * the event contains no return address.
 */
struct graph_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		call;
	unsigned long			retaddr;
	u64				ts;
	u32				flags;
	unsigned int			nr_args;
	unsigned int			nr_names;
	unsigned long			args[TRACE_GRAPH_MAX_ARGS];
	unsigned long			names[GRAPH_NAMES_WORDS];
};

/*
 * A return event, with the words of the return value. If events before it were lost, it is
 * not the return of the entry before it.
 */
struct graph_return {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
	u64				slept;
	u32				flags;
	bool				after_loss;
	unsigned int			nr_words;
	unsigned int			nr_names;
	unsigned long			words[2];
	unsigned long			names[GRAPH_NAMES_WORDS];
};

struct fgraph_data {
	struct fgraph_cpu_data __percpu *cpu_data;

	/* The cache of names of functions, or NULL */
	struct graph_symbols	*symbols;

	/* Place to preserve last processed entry. */
	struct graph_entry		ent;
	struct graph_return		ret;
	int				failed;
	int				cpu;

	/* Calls and events that were missing when the file was opened */
	unsigned long			missed;
	unsigned long			overwritten;
};

#define TRACE_GRAPH_INDENT	2

static struct tracer graph_trace;

static struct tracer_opt trace_opts[] = {
	/* Display overruns? (for self-debug purpose) */
	{ TRACER_OPT(funcgraph-overrun, TRACE_GRAPH_PRINT_OVERRUN) },
	/* Display CPU ? */
	{ TRACER_OPT(funcgraph-cpu, TRACE_GRAPH_PRINT_CPU) },
	/* Display Overhead ? */
	{ TRACER_OPT(funcgraph-overhead, TRACE_GRAPH_PRINT_OVERHEAD) },
	/* Display proc name/pid */
	{ TRACER_OPT(funcgraph-proc, TRACE_GRAPH_PRINT_PROC) },
	/* Display duration of execution */
	{ TRACER_OPT(funcgraph-duration, TRACE_GRAPH_PRINT_DURATION) },
	/* Display absolute time of an entry */
	{ TRACER_OPT(funcgraph-abstime, TRACE_GRAPH_PRINT_ABS_TIME) },
	/* Display interrupts */
	{ TRACER_OPT(funcgraph-irqs, TRACE_GRAPH_PRINT_IRQS) },
	/* Display function name after trailing } */
	{ TRACER_OPT(funcgraph-tail, TRACE_GRAPH_PRINT_TAIL) },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	/* Display the return value */
	{ TRACER_OPT(funcgraph-retval, TRACE_GRAPH_PRINT_RETVAL) },
	/* Display the return value in hex, whatever its type is */
	{ TRACER_OPT(funcgraph-retval-hex, TRACE_GRAPH_PRINT_RETVAL_HEX) },
	/* Display how long the task slept in a call that set_graph_keep kept */
	{ TRACER_OPT(funcgraph-slept, TRACE_GRAPH_PRINT_SLEPT) },
#endif
#ifdef CONFIG_FUNCTION_GRAPH_ARGS
	/* Record and display the arguments */
	{ TRACER_OPT(funcgraph-args, TRACE_GRAPH_PRINT_ARGS) },
#endif
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	/* Record and display the names of pointers */
	{ TRACER_OPT(funcgraph-names, TRACE_GRAPH_PRINT_NAMES) },
#endif
	/* Record and display the return address */
	{ TRACER_OPT(funcgraph-retaddr, TRACE_GRAPH_PRINT_RETADDR) },
	/* Include sleep time (scheduled out) between entry and return */
	{ TRACER_OPT(sleep-time, TRACE_GRAPH_SLEEP_TIME) },

#ifdef CONFIG_FUNCTION_PROFILER
	/* Include time within nested functions */
	{ TRACER_OPT(graph-time, TRACE_GRAPH_GRAPH_TIME) },
#endif

	{ } /* Empty entry */
};

static struct tracer_flags tracer_flags = {
	/* Don't display overruns, proc, or tail by default */
	.val = TRACE_GRAPH_PRINT_CPU | TRACE_GRAPH_PRINT_OVERHEAD |
	       TRACE_GRAPH_PRINT_DURATION | TRACE_GRAPH_PRINT_IRQS |
	       TRACE_GRAPH_SLEEP_TIME | TRACE_GRAPH_GRAPH_TIME,
	.opts = trace_opts
};

/*
 * DURATION column is being also used to display IRQ signs,
 * following values are used by print_graph_irq and others
 * to fill in space into DURATION column.
 */
enum {
	FLAGS_FILL_FULL  = 1 << TRACE_GRAPH_PRINT_FILL_SHIFT,
	FLAGS_FILL_START = 2 << TRACE_GRAPH_PRINT_FILL_SHIFT,
	FLAGS_FILL_END   = 3 << TRACE_GRAPH_PRINT_FILL_SHIFT,
};

static void
print_graph_duration(struct trace_array *tr, unsigned long long duration,
		     struct trace_seq *s, u32 flags);

static int graph_trace_init(struct trace_array *tr)
{
	return trace_graph_start(tr, tracer_flags_of(tr, &graph_trace)->val);
}

static void graph_trace_reset(struct trace_array *tr)
{
	trace_graph_stop(tr);
}

/*
 * Restart the tracer, because the new threshold must not apply to calls that were
 * entered under the old threshold.
 */
static int graph_trace_update_thresh(struct trace_array *tr)
{
	bool selected = function_tracers_save_selection(tr);
	int ret;

	graph_trace_reset(tr);
	ret = graph_trace_init(tr);
	if (selected)
		function_tracers_restore_selection(tr);
	return ret;
}

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

	if ((addr < (unsigned long)__irqentry_text_start) ||
	    (addr >= (unsigned long)__irqentry_text_end))
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

/* The text of a line. */

static int max_bytes_for_cpu;

static void print_graph_cpu(struct trace_seq *s, int cpu)
{
	/*
	 * Start with a space character - to make it stand out
	 * to the right a bit when trace output is pasted into
	 * email:
	 */
	char text[16] = " ";
	int len = 1 + num_to_str(text + 1, sizeof(text) - 3, cpu, max_bytes_for_cpu);

	text[len++] = ')';
	text[len++] = ' ';
	trace_seq_putmem(s, text, len);
}

#define TRACE_GRAPH_PROCINFO_LENGTH	14

static bool is_control(char c)
{
	return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7f;
}

/*
 * Drop a text that does not fit, because its control characters are not escaped. The
 * line becomes "[LINE TOO BIG]".
 */
static void drop_text(struct trace_seq *s, unsigned int from)
{
	s->seq.len = from;
	s->full = 1;
}

/*
 * Escape the control characters from an offset on. Any user can choose the names of tasks
 * and files. A name with a newline would forge a line of the trace.
 */
static void escape_controls(struct trace_seq *s, unsigned int from)
{
	unsigned int controls = 0, i, to = s->seq.len;
	char *text = s->buffer;

	if (trace_seq_has_overflowed(s))
		return;
	for (i = from; i < s->seq.len; i++)
		controls += is_control(text[i]);
	to += controls * strlen("x0a");
	if (to > s->seq.size) {
		drop_text(s, from);
		return;
	}

	/* Begin at the end, so that each byte is moved before it is overwritten */
	i = s->seq.len;
	s->seq.len = to;
	while (i != to) {
		i--;
		if (!is_control(text[i])) {
			text[--to] = text[i];
			continue;
		}
		hex_byte_pack(&text[to - 2], text[i]);
		text[to - 3] = 'x';
		text[to - 4] = '\\';
		to -= 4;
	}
}

static void print_graph_proc(struct trace_seq *s, pid_t pid)
{
	unsigned int start;
	char comm[TASK_COMM_LEN];
	/* sign + log10(MAX_INT) + '\0' */
	char pid_str[11];
	int spaces = 0;
	int len;
	int i;

	trace_find_cmdline(pid, comm);
	comm[7] = '\0';
	sprintf(pid_str, "%d", pid);

	/* 1 stands for the "-" character */
	len = strlen(comm) + strlen(pid_str) + 1;

	if (len < TRACE_GRAPH_PROCINFO_LENGTH)
		spaces = TRACE_GRAPH_PROCINFO_LENGTH - len;

	/* First spaces to align center */
	for (i = 0; i < spaces / 2; i++)
		trace_seq_putc(s, ' ');

	start = s->seq.len;
	trace_seq_printf(s, "%s-%s", comm, pid_str);
	escape_controls(s, start);

	/* Last spaces to align center */
	for (i = 0; i < spaces - (spaces / 2); i++)
		trace_seq_putc(s, ' ');
}


static void print_graph_lat_fmt(struct trace_seq *s, struct trace_entry *entry)
{
	trace_seq_putc(s, ' ');
	trace_print_lat_fmt(s, entry);
	trace_seq_puts(s, " | ");
}

/* If the pid changed since the last trace, output this event */
static void
verif_pid(struct trace_seq *s, pid_t pid, int cpu, struct fgraph_data *data)
{
	pid_t prev_pid = graph_note_task(data, cpu, pid);

	if (prev_pid == -1)
		return;
/*
 * Context-switch trace line:

 ------------------------------------------
 | 1)  migration/0--1  =>  sshd-1755
 ------------------------------------------

 */
	trace_seq_puts(s, " ------------------------------------------\n");
	print_graph_cpu(s, cpu);
	print_graph_proc(s, prev_pid);
	trace_seq_puts(s, " => ");
	print_graph_proc(s, pid);
	trace_seq_puts(s, "\n ------------------------------------------\n\n");
}

/* Copy at most @max words from the end of an event. Return their number. */
static unsigned int copy_words(unsigned long *words, const void *from,
			       const void *end, unsigned int max)
{
	long nr = (end - from) / (long)sizeof(long);

	nr = clamp_t(long, nr, 0, max);
	memcpy(words, from, nr * sizeof(long));
	return nr;
}

/* Copy the @nr words of arguments of an event, and the names after them. */
static void copy_named_args(struct graph_entry *entry, const unsigned long *args,
			    unsigned int nr, const void *end)
{
	entry->nr_args = copy_words(entry->args, args, end,
				    min_t(unsigned int, nr, TRACE_GRAPH_MAX_ARGS));
	entry->nr_names = copy_words(entry->names, args + nr, end, GRAPH_NAMES_WORDS);
}

/*
 * Copy an entry event of @size bytes, with its arguments. The event may be overwritten
 * when the next event is read.
 */
static void copy_entry(struct graph_entry *entry, const struct trace_entry *ent,
		       unsigned int size)
{
	const struct ftrace_graph_retaddr_ent_entry *long_entry;
	const struct ftrace_graph_named_ent_entry *named_entry;
	const struct ftrace_graph_ent_entry *short_entry;
	const void *args;

	entry->ent = *ent;
	entry->flags = 0;
	entry->nr_names = 0;
	if (ent->type == TRACE_GRAPH_NAMED_ENT) {
		named_entry = (const struct ftrace_graph_named_ent_entry *)ent;
		entry->call = named_entry->graph_ent;
		entry->retaddr = named_entry->retaddr;
		copy_named_args(entry, named_entry->args, named_entry->nr_args,
				(const void *)ent + size);
		return;
	}
	if (ent->type == TRACE_GRAPH_RETADDR_ENT) {
		long_entry = (const struct ftrace_graph_retaddr_ent_entry *)ent;
		entry->call = long_entry->graph_ent.ent;
		entry->retaddr = long_entry->graph_ent.retaddr;
		args = long_entry->args;
	} else {
		short_entry = (const struct ftrace_graph_ent_entry *)ent;
		entry->call = short_entry->graph_ent;
		entry->retaddr = 0;
		args = short_entry->args;
	}
	entry->nr_args = copy_words(entry->args, args, (const void *)ent + size,
				    TRACE_GRAPH_MAX_ARGS);
}

static void copy_return(struct graph_return *ret,
			const struct ftrace_graph_ret_entry *field,
			unsigned int size)
{
	/* A return with a name has the same fields before its array. */
	static_assert(offsetof(struct ftrace_graph_named_ret_entry, names) ==
		      sizeof(*field));
	ret->ent = field->ent;
	ret->ret = field->ret;
	ret->slept = 0;
	ret->flags = 0;
	ret->nr_words = 0;
	ret->nr_names = 0;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	ret->words[0] = field->ret.retval;
	ret->nr_words = 1;
	if (field->ent.type == TRACE_GRAPH_NAMED_RET)
		ret->nr_names = copy_words(ret->names, field->retval_high,
					   (const void *)field + size, GRAPH_NAMES_WORDS);
	else
		ret->nr_words += copy_words(ret->words + 1, field->retval_high,
				       (const void *)field + size, 1);
#endif
}

static bool is_return(unsigned int type)
{
	return type == TRACE_GRAPH_RET || type == TRACE_GRAPH_NAMED_RET;
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
 * trace_graph_moved_return() records such a return.
 */
static bool is_return_of(const struct trace_iterator *iter,
			 const struct graph_entry *entry,
			 const struct graph_return *ret, u32 flags)
{
	if (!is_return(ret->ent.type) || ret->after_loss ||
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
		if (is_return(ret->ent.type))
			copy_return(ret, next, ring_buffer_event_length(event));
		ret->after_loss = lost;
	}

	if (!is_return_of(iter, curr, ret, flags))
		return false;

	/* this is a leaf, now advance the iterator */
	if (ring_iter)
		ring_buffer_iter_advance(ring_iter);

	return true;
}

static void print_graph_abs_time(struct trace_iterator *iter, struct trace_seq *s)
{
	unsigned long usecs_rem;
	u64 t = iter->ts;

	/* The clock may not count ns. */
	if (!(iter->iter_flags & TRACE_FILE_TIME_IN_NS)) {
		trace_seq_printf(s, "%12llu |  ", t);
		return;
	}

	usecs_rem = do_div(t, NSEC_PER_SEC);
	usecs_rem /= 1000;

	trace_seq_printf(s, "%5lu.%06lu |  ",
			 (unsigned long)t, usecs_rem);
}

static void
print_graph_rel_time(struct trace_iterator *iter, struct trace_seq *s)
{
	unsigned long long usecs;

	usecs = iter->ts - iter->array_buffer->time_start;
	do_div(usecs, NSEC_PER_USEC);

	trace_seq_printf(s, "%9llu us |  ", usecs);
}

static void
print_graph_irq(struct trace_iterator *iter, unsigned long addr,
		enum trace_type type, int cpu, pid_t pid, u32 flags)
{
	struct trace_array *tr = iter->tr;
	struct trace_seq *s = &iter->seq;
	struct trace_entry *ent = iter->ent;

	if (addr < (unsigned long)__irqentry_text_start ||
		addr >= (unsigned long)__irqentry_text_end)
		return;

	if (tr->trace_flags & TRACE_ITER_CONTEXT_INFO) {
		/* Absolute time */
		if (flags & TRACE_GRAPH_PRINT_ABS_TIME)
			print_graph_abs_time(iter, s);

		/* Relative time */
		if (flags & TRACE_GRAPH_PRINT_REL_TIME)
			print_graph_rel_time(iter, s);

		/* Cpu */
		if (flags & TRACE_GRAPH_PRINT_CPU)
			print_graph_cpu(s, cpu);

		/* Proc */
		if (flags & TRACE_GRAPH_PRINT_PROC) {
			print_graph_proc(s, pid);
			trace_seq_puts(s, " | ");
		}

		/* Latency format */
		if (tr->trace_flags & TRACE_ITER_LATENCY_FMT)
			print_graph_lat_fmt(s, ent);
	}

	/* No overhead */
	print_graph_duration(tr, 0, s, flags | FLAGS_FILL_START);

	if (type == TRACE_GRAPH_ENT)
		trace_seq_puts(s, "==========>");
	else
		trace_seq_puts(s, "<==========");

	print_graph_duration(tr, 0, s, flags | FLAGS_FILL_END);
	trace_seq_putc(s, '\n');
}

/* trace_seq_printf() would take most of the time to print a line. */
void
trace_print_graph_duration(unsigned long long duration, struct trace_seq *s)
{
	unsigned long nsecs_rem = do_div(duration, 1000);
	/* log10(ULONG_MAX), a point, nsecs, " us " and the spaces */
	char text[36];
	int len;

	len = num_to_str(text, 20, (unsigned long)duration, 0);

	/* Print nsecs (we don't want to exceed 7 numbers) */
	if (len < 7) {
		const char nsecs[] = {
			'0' + nsecs_rem / 100,
			'0' + nsecs_rem / 10 % 10,
			'0' + nsecs_rem % 10,
		};
		int digits = min_t(int, sizeof(nsecs), 7 - len);

		text[len++] = '.';
		memcpy(text + len, nsecs, digits);
		len += digits;
	}

	memcpy(text + len, " us ", 4);
	/* Print remaining spaces to fit the row's width */
	memset(text + len + 4, ' ', 8);
	trace_seq_putmem(s, text, max(len, 8) + 4);
}

static void
print_graph_duration(struct trace_array *tr, unsigned long long duration,
		     struct trace_seq *s, u32 flags)
{
	if (!(flags & TRACE_GRAPH_PRINT_DURATION) ||
	    !(tr->trace_flags & TRACE_ITER_CONTEXT_INFO))
		return;

	/* No real adata, just filling the column with spaces */
	switch (flags & TRACE_GRAPH_PRINT_FILL_MASK) {
	case FLAGS_FILL_FULL:
		trace_seq_puts(s, "              |  ");
		return;
	case FLAGS_FILL_START:
		trace_seq_puts(s, "  ");
		return;
	case FLAGS_FILL_END:
		trace_seq_puts(s, " |");
		return;
	}

	/* Signal a overhead of time execution to the output */
	if (flags & TRACE_GRAPH_PRINT_OVERHEAD) {
		trace_seq_putc(s, trace_find_mark(duration));
		trace_seq_putc(s, ' ');
	} else {
		trace_seq_puts(s, "  ");
	}

	trace_print_graph_duration(duration, s);
	trace_seq_puts(s, "|  ");
}

static void print_graph_indent(struct trace_seq *s, int depth)
{
	static const char spaces[] = "                                ";
	int n, len;

	for (n = depth * TRACE_GRAPH_INDENT; n > 0; n -= len) {
		len = min_t(int, n, sizeof(spaces) - 1);
		trace_seq_putmem(s, spaces, len);
	}
}

static void print_graph_name(struct trace_seq *s,
			     const struct trace_iterator *iter,
			     unsigned long func)
{
	struct fgraph_data *data = iter->private;

	if (graph_func_has_name(iter, func))
		print_graph_symbol(s, data ? data->symbols : NULL, func);
	else if (graph_hides_pointers(iter))
		trace_seq_printf(s, "%p", (void *)func);
	else
		trace_seq_printf(s, "0x%lx", func);
}

static void print_graph_retaddr(struct trace_seq *s,
				const struct trace_iterator *iter,
				unsigned long retaddr)
{
	if (graph_func_has_name(iter, retaddr))
		trace_seq_printf(s, " <-%pB", (void *)retaddr);
	else if (graph_hides_pointers(iter))
		trace_seq_printf(s, " <-%p", (void *)retaddr);
	else
		trace_seq_printf(s, " <-0x%lx", retaddr);
}

/* Print "name(arguments)". */
static void print_graph_func(struct trace_seq *s,
			     const struct trace_iterator *iter,
			     const struct graph_entry *entry, u32 flags)
{
	unsigned long func = entry->call.func;
#ifdef CONFIG_FUNCTION_GRAPH_ARGS
	const struct graph_words args = {
		.words = entry->args,
		.nr = entry->nr_args,
		.names = entry->names,
		.nr_names = flags & TRACE_GRAPH_PRINT_NAMES ? entry->nr_names : 0,
	};
#endif

	print_graph_name(s, iter, func);
#ifdef CONFIG_FUNCTION_GRAPH_ARGS
	if (flags & TRACE_GRAPH_PRINT_ARGS) {
		/*
		 * If the module was unloaded, another function may be at this address.
		 * Pass 0, which has no signature.
		 */
		print_graph_args(s, iter, graph_func_is_there(iter, func) ? func : 0, &args);
		return;
	}
#endif
	trace_seq_puts(s, "()");
}

/*
 * Return true if the return value of @func must be printed. With signatures, void
 * functions print none. A function of an unloaded module prints none either, because it
 * may have been a void function.
 */
static bool graph_shows_ret(const struct trace_iterator *iter, unsigned long func,
			    u32 flags)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	if (!(flags & TRACE_GRAPH_PRINT_RETVAL))
		return false;
	if (!IS_ENABLED(CONFIG_FGRAPH_SIGNATURE_READER))
		return true;
	return graph_func_is_there(iter, func) && !graph_returns_nothing(func);
#else
	return false;
#endif
}

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
static bool graph_result_is_wide(unsigned long func)
{
	bool wide;

	/* The signature is valid until preemption is enabled. */
	preempt_disable_notrace();
	wide = fgraph_result_is_wide(func);
	preempt_enable_notrace();
	return wide;
}
#endif

/* Print " ret=VALUE". */
static void print_graph_ret(struct trace_seq *s,
			    const struct trace_iterator *iter,
			    const struct graph_return *ret, u32 flags)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	unsigned long func = ret->ret.func;
	struct graph_words words = {
		.words = ret->words,
		.nr = ret->nr_words,
		.names = ret->names,
		.nr_names = flags & TRACE_GRAPH_PRINT_NAMES ? ret->nr_names : 0,
	};

	/* Ignore a second word that fgraph_may_be_odd() recorded needlessly. */
	if (words.nr > 1 && !graph_result_is_wide(func))
		words.nr = 1;
	trace_seq_putc(s, ' ');
	print_graph_retval(s, iter, func, &words, flags);
#endif
}

static bool graph_shows_slept(const struct graph_return *ret, u32 flags)
{
	return flags & TRACE_GRAPH_PRINT_SLEPT && ret->slept;
}

/* Print " slept=12.345us". */
static void print_graph_slept(struct trace_seq *s, u64 slept)
{
	u32 ns = do_div(slept, NSEC_PER_USEC);

	trace_seq_printf(s, " slept=%llu.%03uus", slept, ns);
}

/* Print the marks of a call that was recorded at its return. */
static void print_graph_marks(struct trace_seq *s, u32 marks)
{
	if (marks & TRACE_GRAPH_REPEATED)
		trace_seq_puts(s, " repeated");
	if (marks & TRACE_GRAPH_MISSED)
		trace_seq_puts(s, " missed");
}

/*
 * Print the comment after "name();" or "name() {". It contains the return address and,
 * with @ret, the return value.
 */
static void print_graph_entry_tail(struct trace_seq *s,
				   const struct trace_iterator *iter,
				   const struct graph_entry *entry,
				   const struct graph_return *ret, u32 flags)
{
	bool retaddr = flags & TRACE_GRAPH_PRINT_RETADDR && entry->retaddr;
	bool retval = ret && graph_shows_ret(iter, entry->call.func, flags);
	bool slept = ret && graph_shows_slept(ret, flags);
	u32 marks = entry->flags | (ret ? ret->flags : 0);

	if (retaddr || retval || slept || marks) {
		trace_seq_puts(s, " /*");
		if (retaddr)
			print_graph_retaddr(s, iter, entry->retaddr);
		if (retval)
			print_graph_ret(s, iter, ret, flags);
		if (slept)
			print_graph_slept(s, ret->slept);
		print_graph_marks(s, marks);
		trace_seq_puts(s, " */");
	}
	trace_seq_putc(s, '\n');
}

/*
 * Print the closing brace, and the comment after it.
 *
 * If the return function does not have a matching entry, then the entry was
 * lost. Instead of just printing the '}' and letting the user guess what
 * function this belongs to, write out the function name. Always do that if the
 * funcgraph-tail option is enabled, or if there is a return value to print.
 */
static void print_graph_return_tail(struct trace_seq *s,
				    const struct trace_iterator *iter,
				    const struct graph_return *ret,
				    bool func_match, u32 flags)
{
	bool retval = graph_shows_ret(iter, ret->ret.func, flags);
	bool slept = graph_shows_slept(ret, flags);

	if (func_match && !retval && !slept && !ret->flags &&
	    !(flags & TRACE_GRAPH_PRINT_TAIL)) {
		trace_seq_puts(s, "}\n");
		return;
	}

	trace_seq_puts(s, "} /* ");
	print_graph_name(s, iter, ret->ret.func);
	if (retval)
		print_graph_ret(s, iter, ret, flags);
	if (slept)
		print_graph_slept(s, ret->slept);
	print_graph_marks(s, ret->flags);
	trace_seq_puts(s, " */\n");
}

/* Case of a leaf function on its call entry */
static enum print_line_t
print_graph_entry_leaf(struct trace_iterator *iter,
		struct graph_entry *entry, struct graph_return *ret,
		struct trace_seq *s, u32 flags)
{
	struct trace_array *tr = iter->tr;
	struct ftrace_graph_ret *graph_ret;
	struct ftrace_graph_ent *call;
	unsigned long long duration;
	int cpu = iter->cpu;

	graph_ret = &ret->ret;
	call = &entry->call;
	duration = graph_ret->rettime - graph_ret->calltime;

	/* Overhead and duration */
	print_graph_duration(tr, duration, s, flags);

	/* Function */
	print_graph_indent(s, call->depth);

	print_graph_func(s, iter, entry, flags);
	trace_seq_putc(s, ';');
	print_graph_entry_tail(s, iter, entry, ret, flags);

	print_graph_irq(iter, graph_ret->func, TRACE_GRAPH_RET,
			cpu, iter->ent->pid, flags);

	return trace_handle_return(s);
}

static enum print_line_t
print_graph_entry_nested(struct trace_iterator *iter,
			 struct graph_entry *entry,
			 struct trace_seq *s, int cpu, u32 flags)
{
	struct ftrace_graph_ent *call = &entry->call;
	struct trace_array *tr = iter->tr;

	/* No time */
	print_graph_duration(tr, 0, s, flags | FLAGS_FILL_FULL);

	/* Function */
	print_graph_indent(s, call->depth);

	print_graph_func(s, iter, entry, flags);
	trace_seq_puts(s, " {");
	print_graph_entry_tail(s, iter, entry, NULL, flags);

	if (trace_seq_has_overflowed(s))
		return TRACE_TYPE_PARTIAL_LINE;

	/*
	 * we already consumed the current entry to check the next one
	 * and see if this is a leaf.
	 */
	return TRACE_TYPE_NO_CONSUME;
}

static void
print_graph_prologue(struct trace_iterator *iter, struct trace_seq *s,
		     int type, unsigned long addr, u32 flags)
{
	struct fgraph_data *data = iter->private;
	struct trace_entry *ent = iter->ent;
	struct trace_array *tr = iter->tr;
	int cpu = iter->cpu;

	/* Pid */
	verif_pid(s, ent->pid, cpu, data);

	if (type)
		/* Interrupt */
		print_graph_irq(iter, addr, type, cpu, ent->pid, flags);

	if (!(tr->trace_flags & TRACE_ITER_CONTEXT_INFO))
		return;

	/* Absolute time */
	if (flags & TRACE_GRAPH_PRINT_ABS_TIME)
		print_graph_abs_time(iter, s);

	/* Relative time */
	if (flags & TRACE_GRAPH_PRINT_REL_TIME)
		print_graph_rel_time(iter, s);

	/* Cpu */
	if (flags & TRACE_GRAPH_PRINT_CPU)
		print_graph_cpu(s, cpu);

	/* Proc */
	if (flags & TRACE_GRAPH_PRINT_PROC) {
		print_graph_proc(s, ent->pid);
		trace_seq_puts(s, " | ");
	}

	/* Latency format */
	if (tr->trace_flags & TRACE_ITER_LATENCY_FMT)
		print_graph_lat_fmt(s, ent);

	return;
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
	struct graph_return leaf_ret;
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

	print_graph_irq(iter, trace->func, TRACE_GRAPH_RET,
			cpu, pid, flags);

	return trace_handle_return(s);
}

/*
 * Calls that were recorded when they returned. Each event prints as one line, with the
 * time of its call. No event depends on the next one.
 */

/* Copy the fields that TRACE_GRAPH_KEPT_RET and TRACE_GRAPH_CALL have in common. */
#define copy_kept_return(to, field)						\
	do {									\
		(to)->ent = (field)->ent;					\
		(to)->ret = (field)->ret;					\
		(to)->slept = (field)->slept;					\
		(to)->flags = (field)->flags;					\
		(to)->nr_words = 0;						\
		(to)->nr_names = 0;						\
		copy_kept_words(to, (field)->retval_high);			\
	} while (0)

static void copy_kept_words(struct graph_return *ret, unsigned long high)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	ret->words[0] = ret->ret.retval;
	ret->words[1] = high;
	ret->nr_words = 2;
#endif
}

static const void *event_end(const struct trace_iterator *iter)
{
	return (const void *)iter->ent + iter->ent_size;
}

static enum print_line_t print_graph_kept_entry(struct trace_iterator *iter, u32 flags)
{
	struct ftrace_graph_kept_ent_entry *field;
	unsigned int used = trace_seq_used(&iter->seq);
	struct graph_entry entry;
	enum print_line_t ret;
	u64 ts = iter->ts;

	trace_assign_type(field, iter->ent);
	entry.ent = field->ent;
	entry.call = field->graph_ent;
	entry.retaddr = field->retaddr;
	entry.flags = field->flags;
	copy_named_args(&entry, field->args, field->nr_args, event_end(iter));
	if (check_irq_entry(iter, flags, entry.call.func, entry.call.depth))
		return TRACE_TYPE_HANDLED;

	iter->ts = field->time ?: ts;
	print_graph_prologue(iter, &iter->seq, TRACE_GRAPH_ENT, entry.call.func, flags);
	graph_note_entry(iter, &entry.call, false);
	ret = print_graph_entry_nested(iter, &entry, &iter->seq, iter->cpu, flags);
	iter->ts = ts;
	/* No event was consumed to see whether the call is a leaf. */
	if (ret == TRACE_TYPE_NO_CONSUME || graph_line_is_too_big(&iter->seq, used, false))
		ret = TRACE_TYPE_HANDLED;
	return ret;
}

static enum print_line_t print_graph_kept_return(struct trace_iterator *iter, u32 flags)
{
	struct ftrace_graph_kept_ret_entry *field;
	struct graph_return ret;

	trace_assign_type(field, iter->ent);
	copy_kept_return(&ret, field);
	ret.nr_names = copy_words(ret.names, field->names, event_end(iter),
				  GRAPH_NAMES_WORDS);
	return print_graph_return(&ret, &iter->seq, iter->ent, iter, flags);
}

static enum print_line_t print_graph_call(struct trace_iterator *iter, u32 flags)
{
	struct ftrace_graph_call_entry *field;
	unsigned int used = trace_seq_used(&iter->seq);
	struct graph_entry entry;
	struct graph_return leaf;
	enum print_line_t ret;
	u64 ts = iter->ts;

	trace_assign_type(field, iter->ent);
	copy_kept_return(&leaf, field);
	entry.ent = field->ent;
	entry.call.func = field->ret.func;
	entry.call.depth = field->ret.depth;
	entry.retaddr = field->retaddr;
	entry.flags = 0;
	copy_named_args(&entry, field->args, field->nr_args, event_end(iter));
	leaf.nr_names = copy_words(leaf.names, field->args + field->nr_args,
				   event_end(iter), GRAPH_NAMES_WORDS);
	if (check_irq_entry(iter, flags, entry.call.func, entry.call.depth)) {
		check_irq_return(iter, flags, entry.call.depth);
		return TRACE_TYPE_HANDLED;
	}

	iter->ts = field->time ?: ts;
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
		drop_text(s, start);
		goto out;
	}
	if (ret != TRACE_TYPE_HANDLED)
		return ret;

	/* Strip ending newline */
	if (s->buffer[s->seq.len - 1] == '\n') {
		s->buffer[s->seq.len - 1] = '\0';
		s->seq.len--;
	}
	escape_controls(s, start);

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
	case TRACE_GRAPH_ENT:
	case TRACE_GRAPH_RETADDR_ENT:
	case TRACE_GRAPH_NAMED_ENT: {
		/*
		 * print_graph_entry() may consume the current event,
		 * thus it may become invalid, so we need to save it.
		 */
		struct graph_entry saved;

		copy_entry(&saved, entry, iter->ent_size);
		saved.ts = iter->ts;
		return print_graph_entry(&saved, s, iter, flags);
	}
	case TRACE_GRAPH_RET:
	case TRACE_GRAPH_NAMED_RET: {
		struct graph_return saved;

		copy_return(&saved, (struct ftrace_graph_ret_entry *)entry, iter->ent_size);
		return print_graph_return(&saved, s, entry, iter, flags);
	}
	case TRACE_GRAPH_KEPT_ENT:
		return print_graph_kept_entry(iter, flags);
	case TRACE_GRAPH_KEPT_RET:
		return print_graph_kept_return(iter, flags);
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

static enum print_line_t
print_graph_function(struct trace_iterator *iter)
{
	return print_graph_function_flags(iter,
				tracer_flags_of(iter->tr, &graph_trace)->val);
}

static enum print_line_t
print_graph_function_event(struct trace_iterator *iter, int flags,
			   struct trace_event *event)
{
	return print_graph_function(iter);
}

static void print_lat_header(struct seq_file *s, u32 flags)
{
	static const char spaces[] = "                "	/* 16 spaces */
		"    "					/* 4 spaces */
		"                 ";			/* 17 spaces */
	int size = 0;

	if (flags & TRACE_GRAPH_PRINT_ABS_TIME)
		size += 16;
	if (flags & TRACE_GRAPH_PRINT_REL_TIME)
		size += 16;
	if (flags & TRACE_GRAPH_PRINT_CPU)
		size += 4;
	if (flags & TRACE_GRAPH_PRINT_PROC)
		size += 17;

	seq_printf(s, "#%.*s  _-----=> irqs-off        \n", size, spaces);
	seq_printf(s, "#%.*s / _----=> need-resched    \n", size, spaces);
	seq_printf(s, "#%.*s| / _---=> hardirq/softirq \n", size, spaces);
	seq_printf(s, "#%.*s|| / _--=> preempt-depth   \n", size, spaces);
	seq_printf(s, "#%.*s||| /                      \n", size, spaces);
}

static void __print_graph_headers_flags(struct trace_array *tr,
					struct seq_file *s, u32 flags)
{
	int lat = tr->trace_flags & TRACE_ITER_LATENCY_FMT;

	if (lat)
		print_lat_header(s, flags);

	/* 1st line */
	seq_putc(s, '#');
	if (flags & TRACE_GRAPH_PRINT_ABS_TIME)
		seq_puts(s, "     TIME       ");
	if (flags & TRACE_GRAPH_PRINT_REL_TIME)
		seq_puts(s, "   REL TIME     ");
	if (flags & TRACE_GRAPH_PRINT_CPU)
		seq_puts(s, " CPU");
	if (flags & TRACE_GRAPH_PRINT_PROC)
		seq_puts(s, "  TASK/PID       ");
	if (lat)
		seq_puts(s, "||||   ");
	if (flags & TRACE_GRAPH_PRINT_DURATION)
		seq_puts(s, "  DURATION   ");
	seq_puts(s, "               FUNCTION CALLS\n");

	/* 2nd line */
	seq_putc(s, '#');
	if (flags & TRACE_GRAPH_PRINT_ABS_TIME)
		seq_puts(s, "      |         ");
	if (flags & TRACE_GRAPH_PRINT_REL_TIME)
		seq_puts(s, "      |         ");
	if (flags & TRACE_GRAPH_PRINT_CPU)
		seq_puts(s, " |  ");
	if (flags & TRACE_GRAPH_PRINT_PROC)
		seq_puts(s, "   |    |        ");
	if (lat)
		seq_puts(s, "||||   ");
	if (flags & TRACE_GRAPH_PRINT_DURATION)
		seq_puts(s, "   |   |      ");
	seq_puts(s, "               |   |   |   |\n");
}

/* Print how many calls and events are missing in the trace. */
static void print_graph_missing(struct seq_file *s, const struct fgraph_data *data)
{
	if (data->missed)
		seq_printf(s, "# %lu calls were missed since the tracer started: full shadow stacks\n",
			   data->missed);
	if (data->overwritten)
		seq_printf(s, "# %lu events were overwritten by later ones\n",
			   data->overwritten);
	if (data->missed || data->overwritten)
		seq_puts(s, "#\n");
}

static void print_graph_headers(struct seq_file *s)
{
	struct trace_iterator *iter = s->private;

	print_graph_headers_flags(s, tracer_flags_of(iter->tr, &graph_trace)->val);
}

void print_graph_headers_flags(struct seq_file *s, u32 flags)
{
	struct trace_iterator *iter = s->private;
	struct trace_array *tr = iter->tr;

	if (!(tr->trace_flags & TRACE_ITER_CONTEXT_INFO))
		return;

	if (tr->trace_flags & TRACE_ITER_LATENCY_FMT) {
		/* print nothing if the buffers are empty */
		if (trace_empty(iter))
			return;

		print_trace_header(s, iter);
	}

	if (iter->private)
		print_graph_missing(s, iter->private);
	__print_graph_headers_flags(tr, s, flags);
}

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

static const char *option_errors[] = {
	"This option is for the profiler: set it at the top level",
};

static int
func_graph_set_flag(struct trace_array *tr, u32 old_flags, u32 bit, int set)
{
	trace_graph_use_flags(tr, set ? old_flags | bit : old_flags & ~bit);

	/* The function profiler uses the options of the top level. */
	if (tr->flags & TRACE_ARRAY_FL_GLOBAL) {
		if (bit == TRACE_GRAPH_SLEEP_TIME)
			ftrace_graph_sleep_time_control(set);

		if (bit == TRACE_GRAPH_GRAPH_TIME)
			ftrace_graph_graph_time_control(set);
	} else if (bit == TRACE_GRAPH_GRAPH_TIME) {
		tracing_log_err(tr, "function_graph", "graph-time", option_errors, 0, 0);
		return -EINVAL;
	}

	return 0;
}

static struct trace_event_functions graph_functions = {
	.trace		= print_graph_function_event,
};

static struct trace_event graph_trace_entry_event = {
	.type		= TRACE_GRAPH_ENT,
	.funcs		= &graph_functions,
};

static struct trace_event graph_trace_retaddr_entry_event = {
	.type		= TRACE_GRAPH_RETADDR_ENT,
	.funcs		= &graph_functions,
};

static struct trace_event graph_trace_ret_event = {
	.type		= TRACE_GRAPH_RET,
	.funcs		= &graph_functions
};

static struct trace_event graph_trace_named_entry_event = {
	.type		= TRACE_GRAPH_NAMED_ENT,
	.funcs		= &graph_functions,
};

static struct trace_event graph_trace_named_ret_event = {
	.type		= TRACE_GRAPH_NAMED_RET,
	.funcs		= &graph_functions,
};

static struct trace_event graph_trace_kept_entry_event = {
	.type		= TRACE_GRAPH_KEPT_ENT,
	.funcs		= &graph_functions,
};

static struct trace_event graph_trace_kept_ret_event = {
	.type		= TRACE_GRAPH_KEPT_RET,
	.funcs		= &graph_functions,
};

static struct trace_event graph_trace_call_event = {
	.type		= TRACE_GRAPH_CALL,
	.funcs		= &graph_functions,
};

static struct tracer graph_trace __tracer_data = {
	.name		= "function_graph",
	.update_thresh	= graph_trace_update_thresh,
	.open		= graph_trace_open,
	.pipe_open	= graph_trace_open,
	.close		= graph_trace_close,
	.pipe_close	= graph_trace_close,
	.init		= graph_trace_init,
	.reset		= graph_trace_reset,
	.print_line	= print_graph_function,
	.print_header	= print_graph_headers,
	.flags		= &tracer_flags,
	.set_flag	= func_graph_set_flag,
	.allow_instances = true,
	.instance_flags	= true,
#ifdef CONFIG_FTRACE_SELFTEST
	.selftest	= trace_selftest_startup_function_graph,
#endif
};


static ssize_t
graph_depth_write(struct file *filp, const char __user *ubuf, size_t cnt,
		  loff_t *ppos)
{
	struct trace_array *tr = filp->private_data;
	unsigned long val;
	int ret;

	ret = kstrtoul_from_user(ubuf, cnt, 10, &val);
	if (ret)
		return ret;

	mutex_lock(&trace_types_lock);
	WRITE_ONCE(tr->graph_scope.max_depth, val);
	trace_graph_use_scope(tr);
	mutex_unlock(&trace_types_lock);

	*ppos += cnt;

	return cnt;
}

static ssize_t
graph_depth_read(struct file *filp, char __user *ubuf, size_t cnt,
		 loff_t *ppos)
{
	struct trace_array *tr = filp->private_data;
	char buf[15]; /* More than enough to hold UINT_MAX + "\n"*/
	int n;

	n = sprintf(buf, "%d\n", tr->graph_scope.max_depth);

	return simple_read_from_buffer(ubuf, cnt, ppos, buf, n);
}

static const struct file_operations graph_depth_fops = {
	.open		= tracing_open_generic_tr,
	.write		= graph_depth_write,
	.read		= graph_depth_read,
	.llseek		= generic_file_llseek,
	.release	= tracing_release_generic_tr,
};

void trace_graph_init_tracefs(struct trace_array *tr, struct dentry *d_tracer)
{
	trace_create_file("max_graph_depth", TRACE_MODE_WRITE, d_tracer,
			  tr, &graph_depth_fops);
	trace_graph_init_keep(tr, d_tracer);

	/*
	 * An instance starts with the options of the top level. Its latency tracers
	 * also use them.
	 */
	if (!(tr->flags & TRACE_ARRAY_FL_GLOBAL))
		trace_graph_use_flags(tr, tracer_flags_of(tr, &graph_trace)->val);
}

static __init int init_graph_trace(void)
{
	max_bytes_for_cpu = snprintf(NULL, 0, "%u", nr_cpu_ids - 1);

	if (!register_trace_event(&graph_trace_entry_event)) {
		pr_warn("Warning: could not register graph trace events\n");
		return 1;
	}

	if (!register_trace_event(&graph_trace_retaddr_entry_event)) {
		pr_warn("Warning: could not register graph trace events\n");
		return 1;
	}

	if (!register_trace_event(&graph_trace_ret_event)) {
		pr_warn("Warning: could not register graph trace events\n");
		return 1;
	}

	if (!register_trace_event(&graph_trace_named_entry_event) ||
	    !register_trace_event(&graph_trace_named_ret_event) ||
	    !register_trace_event(&graph_trace_kept_entry_event) ||
	    !register_trace_event(&graph_trace_kept_ret_event) ||
	    !register_trace_event(&graph_trace_call_event)) {
		pr_warn("Warning: could not register graph trace events\n");
		return 1;
	}

	return register_tracer(&graph_trace);
}

core_initcall(init_graph_trace);

/* For KUnit tests, which use the tracer in their own instance */
EXPORT_SYMBOL_FGRAPH_KUNIT(tracing_set_clock);
EXPORT_SYMBOL_FGRAPH_KUNIT(tracing_set_tracer);
EXPORT_SYMBOL_FGRAPH_KUNIT(trace_set_options);
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_trace_open);
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_trace_close);
EXPORT_SYMBOL_FGRAPH_KUNIT(trace_find_next_entry_inc);
EXPORT_SYMBOL_FGRAPH_KUNIT(print_trace_line);
EXPORT_SYMBOL_FGRAPH_KUNIT(tracing_reset_online_cpus);
EXPORT_SYMBOL_FGRAPH_KUNIT(ftrace_location);
