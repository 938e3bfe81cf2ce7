// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a line of the function graph tracer: the columns, the function, and the
 * comment after it. trace_graph_reader.c decides which lines a trace has.
 *
 *	 0)   2.916 us    |        lookup_fast();
 *	columns duration     indent   function, tail
 *
 * Function graph tracer.
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/ftrace.h>
#include <linux/interrupt.h>

#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_graph_event.h"
#include "trace_graph_gone.h"
#include "trace_graph_line.h"
#include "trace_graph_member.h"
#include "trace_graph_symbol.h"
#include "trace_graph_value.h"
#include "trace_output.h"

#define TRACE_GRAPH_INDENT	2

int max_bytes_for_cpu;

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
void graph_drop_text(struct trace_seq *s, unsigned int from)
{
	s->seq.len = from;
	s->full = 1;
}

/*
 * Escape the control characters from an offset on. Any user can choose the names of tasks
 * and files. A name with a newline would forge a line of the trace.
 */
void graph_escape_controls(struct trace_seq *s, unsigned int from)
{
	unsigned int controls = 0, i, to = s->seq.len;
	char *text = s->buffer;

	if (trace_seq_has_overflowed(s))
		return;
	for (i = from; i < s->seq.len; i++)
		controls += is_control(text[i]);
	to += controls * strlen("x0a");
	if (to > s->seq.size) {
		graph_drop_text(s, from);
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
	graph_escape_controls(s, start);

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

/* Print that a CPU switched to another task. */
void print_graph_switch(struct trace_seq *s, int cpu, pid_t prev_pid, pid_t pid)
{
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

void
print_graph_irq(struct trace_iterator *iter, enum trace_type type, int cpu, pid_t pid,
		u32 flags)
{
	struct trace_array *tr = iter->tr;
	struct trace_seq *s = &iter->seq;
	struct trace_entry *ent = iter->ent;

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

void
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

void print_graph_indent(struct trace_seq *s, int depth)
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

	if (print_gone_func(s, iter, func))
		return;
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
	trace_seq_puts(s, " <-");
	if (print_gone_retaddr(s, iter, retaddr))
		return;
	if (graph_func_has_name(iter, retaddr))
		trace_seq_printf(s, "%pB", (void *)retaddr);
	else if (graph_hides_pointers(iter))
		trace_seq_printf(s, "%p", (void *)retaddr);
	else
		trace_seq_printf(s, "0x%lx", retaddr);
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
		.nr_names = entry->nr_names,
		.hide_names = !(flags & TRACE_GRAPH_PRINT_NAMES),
		.iter = iter,
	};
	unsigned int begin;
#endif

	print_graph_name(s, iter, func);
	trace_seq_putc(s, '(');
#ifdef CONFIG_FUNCTION_GRAPH_ARGS
	begin = trace_seq_used(s);
	if (flags & TRACE_GRAPH_PRINT_ARGS)
		print_graph_bare_args(s, func, &args);
	print_graph_members(s, &args, trace_seq_used(s) > begin ? ", " : "");
#endif
	trace_seq_putc(s, ')');
}

/*
 * Return true if the return value of @func must be printed. With signatures, void
 * functions print none. A function of a module that is gone prints none either if its
 * signature is not known any more, because it may have been a void function.
 */
static bool graph_shows_retval(const struct trace_iterator *iter, unsigned long func,
			       u32 flags)
{
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	if (!(flags & TRACE_GRAPH_PRINT_RETVAL))
		return false;
	if (!IS_ENABLED(CONFIG_FGRAPH_SIGNATURE_READER))
		return true;
	return graph_has_result(iter, func);
#else
	return false;
#endif
}

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
static bool graph_result_is_wide(const struct trace_iterator *iter, unsigned long func)
{
	struct fgraph_sig sig;
	bool wide;

	/* The signature is valid until preemption is enabled. */
	preempt_disable_notrace();
	wide = graph_find_signature(iter, func, &sig) && fgraph_sig_result_words(sig.text) == 2;
	preempt_enable_notrace();
	return wide;
}
#endif

/* Return true if there is something to print of a result, or members that it shows. */
static bool graph_shows_ret(const struct trace_iterator *iter, const struct graph_return *ret,
			    u32 flags)
{
	return graph_shows_retval(iter, ret->ret.func, flags) ||
		graph_has_members(ret->names, ret->nr_names, true);
}

/* Print " ret=VALUE", and " MEMBER=VALUE" for each member that was read at the return. */
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
		.nr_names = ret->nr_names,
		.hide_names = !(flags & TRACE_GRAPH_PRINT_NAMES),
		.iter = iter,
	};

	/* Ignore a second word that fgraph_may_be_odd() recorded needlessly. */
	if (words.nr > 1 && !graph_result_is_wide(iter, func))
		words.nr = 1;
	if (graph_shows_retval(iter, func, flags)) {
		trace_seq_putc(s, ' ');
		print_graph_retval(s, func, &words, flags);
	}
	print_graph_return_members(s, &words);
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
static void print_graph_marks(struct trace_seq *s, u8 marks)
{
	if (marks & GRAPH_REPEATED)
		trace_seq_puts(s, " repeated");
	if (marks & GRAPH_MISSED)
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
	bool retval = ret && graph_shows_ret(iter, ret, flags);
	bool slept = ret && graph_shows_slept(ret, flags);
	u8 marks = (entry->call.flags | (ret ? ret->ret.flags : 0)) & GRAPH_MARKS;

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
void print_graph_return_tail(struct trace_seq *s,
				    const struct trace_iterator *iter,
				    const struct graph_return *ret,
				    bool func_match, u32 flags)
{
	bool retval = graph_shows_ret(iter, ret, flags);
	bool slept = graph_shows_slept(ret, flags);
	u8 marks = ret->ret.flags & GRAPH_MARKS;

	if (func_match && !retval && !slept && !marks &&
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
	print_graph_marks(s, marks);
	trace_seq_puts(s, " */\n");
}

/* Print the columns before the duration. */
void print_graph_columns(struct trace_iterator *iter, struct trace_seq *s, u32 flags)
{
	struct trace_entry *ent = iter->ent;
	struct trace_array *tr = iter->tr;

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
		print_graph_cpu(s, iter->cpu);

	/* Proc */
	if (flags & TRACE_GRAPH_PRINT_PROC) {
		print_graph_proc(s, ent->pid);
		trace_seq_puts(s, " | ");
	}

	/* Latency format */
	if (tr->trace_flags & TRACE_ITER_LATENCY_FMT)
		print_graph_lat_fmt(s, ent);
}

/* Case of a leaf function on its call entry */
enum print_line_t
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

	if (graph_enters_irq(graph_ret->func))
		print_graph_irq(iter, TRACE_GRAPH_RET, cpu, iter->ent->pid, flags);

	return trace_handle_return(s);
}

enum print_line_t
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
