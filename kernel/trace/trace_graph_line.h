/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files that print a trace share:
 *
 *	trace_graph_reader.c	which lines a trace has
 *	trace_graph_line.c	the text of a line
 *	trace_functions_graph.c	the head of a trace
 */
#ifndef _KERNEL_TRACE_GRAPH_LINE_H
#define _KERNEL_TRACE_GRAPH_LINE_H

#include <linux/interrupt.h>

#include "trace_graph.h"
#include "trace_graph_func.h"
#include "trace_graph_name.h"

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
 * The entry of a call. @retaddr is 0 if the event contains no return address, and @time if
 * it does not contain the time.
 */
struct graph_entry {
	struct trace_entry		ent;
	struct ftrace_graph_ent		call;
	unsigned long			retaddr;
	u64				ts;
	u64				time;
	unsigned int			nr_args;
	unsigned int			nr_names;
	unsigned long			args[TRACE_GRAPH_MAX_ARGS];
	unsigned long			names[GRAPH_NAMES_WORDS];
};

/*
 * The return of a call, with the words of the return value, and the names of the return. If
 * events before it were lost, it is not the return of the entry before it.
 */
struct graph_return {
	struct trace_entry		ent;
	struct ftrace_graph_ret		ret;
	u64				slept;
	bool				after_loss;
	unsigned int			nr_words;
	unsigned int			nr_names;
	unsigned long			words[2];
	unsigned long			names[GRAPH_RESULT_NAMES_WORDS];
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

/* Return true if @func is where an interrupt enters the kernel. */
static inline bool graph_enters_irq(unsigned long func)
{
	return func >= (unsigned long)__irqentry_text_start &&
		func < (unsigned long)__irqentry_text_end;
}

/* trace_graph_line.c */
extern int max_bytes_for_cpu;

void graph_drop_text(struct trace_seq *s, unsigned int from);
void graph_escape_controls(struct trace_seq *s, unsigned int from);
void print_graph_switch(struct trace_seq *s, int cpu, pid_t prev_pid, pid_t pid);
void print_graph_columns(struct trace_iterator *iter, struct trace_seq *s, u32 flags);
void print_graph_irq(struct trace_iterator *iter, enum trace_type type, int cpu, pid_t pid,
		     u32 flags);
void print_graph_duration(struct trace_array *tr, unsigned long long duration,
			  struct trace_seq *s, u32 flags);
void print_graph_indent(struct trace_seq *s, int depth);
enum print_line_t print_graph_entry_leaf(struct trace_iterator *iter,
					 struct graph_entry *entry, struct graph_return *ret,
					 struct trace_seq *s, u32 flags);
enum print_line_t print_graph_entry_nested(struct trace_iterator *iter,
					   struct graph_entry *entry, struct trace_seq *s,
					   int cpu, u32 flags);
void print_graph_return_tail(struct trace_seq *s, const struct trace_iterator *iter,
			     const struct graph_return *ret, bool func_match, u32 flags);

#endif /* _KERNEL_TRACE_GRAPH_LINE_H */
