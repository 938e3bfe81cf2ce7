/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The graph tracers: their options, and the functions that start, stop, record and print
 * them. trace_irqsoff.c and trace_sched_wakeup.c also use these functions. Of the files of
 * the tracers, each one knows only those below it:
 *
 *	trace_functions_graph.c	the tracer function_graph, and its options
 *	trace_graph_reader.c	the reader of a trace
 *	trace_graph_line.c	the text of a line
 *	trace_graph_rules.c	the file set_graph_keep, see trace_graph_rules.h
 *	trace_graph_tracer.c	starts and stops the tracer
 *	trace_graph_keep.c	the callbacks that record only calls that rules keep
 *	trace_graph_leaf.c	the callbacks that record a leaf in one event
 *	trace_graph_held.c	entries that wait on the shadow stack
 *	trace_graph_record.c	the callbacks that record entries and returns
 *	trace_graph_event.c	the events of calls: writing and reading
 *	trace_graph_func.c	what is known of each traced function
 *	trace_graph_value.c	the text of arguments and return values
 *	trace_graph_form.c	the text of modes, devices, statuses and so on
 *	trace_graph_name.c	the names of pointers
 *	trace_graph_symbol.c	the names of addresses
 *
 * fgraph.c calls the callbacks, and fgraph_sig.c finds signatures.
 */
#ifndef _LINUX_KERNEL_TRACE_GRAPH_H
#define _LINUX_KERNEL_TRACE_GRAPH_H

#include <linux/fgraph.h>

#include "trace.h"

void trace_graph_return(struct fgraph_ops *gops, struct fgraph_call *call);
int trace_graph_entry(struct fgraph_ops *gops, struct fgraph_call *call);
void trace_graph_function(struct trace_array *tr, unsigned long ip,
			  unsigned long parent_ip, unsigned int trace_ctx);

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Flag options */
#define TRACE_GRAPH_PRINT_OVERRUN       0x1
#define TRACE_GRAPH_PRINT_CPU           0x2
#define TRACE_GRAPH_PRINT_OVERHEAD      0x4
#define TRACE_GRAPH_PRINT_PROC          0x8
#define TRACE_GRAPH_PRINT_DURATION      0x10
#define TRACE_GRAPH_PRINT_ABS_TIME      0x20
#define TRACE_GRAPH_PRINT_REL_TIME      0x40
#define TRACE_GRAPH_PRINT_IRQS          0x80
#define TRACE_GRAPH_PRINT_TAIL          0x100
#define TRACE_GRAPH_SLEEP_TIME          0x200
#define TRACE_GRAPH_GRAPH_TIME          0x400
#define TRACE_GRAPH_PRINT_RETVAL        0x800
#define TRACE_GRAPH_PRINT_RETVAL_HEX    0x1000
#define TRACE_GRAPH_PRINT_ARGS          0x2000
#define TRACE_GRAPH_PRINT_RETADDR       0x4000
#define TRACE_GRAPH_PRINT_NAMES         0x8000
#define TRACE_GRAPH_PRINT_SLEPT         0x10000
#define TRACE_GRAPH_LEAF                0x20000
#define TRACE_GRAPH_PRINT_FILL_SHIFT	28
#define TRACE_GRAPH_PRINT_FILL_MASK	(0x3 << TRACE_GRAPH_PRINT_FILL_SHIFT)

#ifdef CONFIG_FUNCTION_PROFILER
void ftrace_graph_sleep_time_control(bool enable);
extern void ftrace_graph_graph_time_control(bool enable);
#else
static inline void ftrace_graph_sleep_time_control(bool enable) { }
static inline void ftrace_graph_graph_time_control(bool enable) { }
#endif

extern enum print_line_t
print_graph_function_flags(struct trace_iterator *iter, u32 flags);
extern void print_graph_headers_flags(struct seq_file *s, u32 flags);
extern void
trace_print_graph_duration(unsigned long long duration, struct trace_seq *s);
extern void graph_trace_open(struct trace_iterator *iter);
extern void graph_trace_close(struct trace_iterator *iter);
int trace_graph_record_entry(struct trace_array *tr, struct fgraph_call *call,
			     unsigned int trace_ctx);
void trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call,
			       unsigned int trace_ctx);

/*
 * Return the context of a call, given the context of its callback. fgraph disables
 * preemption around callbacks; subtract this level. PREEMPT_DISABLE_OFFSET is 0 if the
 * kernel does not count levels.
 */
static inline unsigned int trace_graph_callback_ctx(unsigned int trace_ctx)
{
	return trace_ctx - PREEMPT_DISABLE_OFFSET;
}

int trace_graph_start(struct trace_array *tr, u32 flags);
void trace_graph_stop(struct trace_array *tr);
void trace_graph_use_flags(struct trace_array *tr, u32 flags);
void trace_graph_use_scope(struct trace_array *tr);
void trace_graph_init_tracefs(struct trace_array *tr, struct dentry *d_tracer);

#else /* CONFIG_FUNCTION_GRAPH_TRACER */
static inline void trace_graph_use_scope(struct trace_array *tr) { }
static inline void trace_graph_init_tracefs(struct trace_array *tr,
					    struct dentry *d_tracer) { }
static inline enum print_line_t
print_graph_function_flags(struct trace_iterator *iter, u32 flags)
{
	return TRACE_TYPE_UNHANDLED;
}
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _LINUX_KERNEL_TRACE_GRAPH_H */
