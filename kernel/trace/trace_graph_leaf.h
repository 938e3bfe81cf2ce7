/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_GRAPH_LEAF_H
#define _KERNEL_TRACE_GRAPH_LEAF_H

#include <linux/jump_label.h>

struct fgraph_call;
struct fgraph_ops;
struct held_entry;
struct trace_array;
struct trace_buffer;

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
DECLARE_STATIC_KEY_FALSE(graph_leaves_wait);

int graph_enter_leaf(struct fgraph_ops *gops, struct fgraph_call *call);
void graph_return_leaf(struct fgraph_ops *gops, struct fgraph_call *call);
void graph_return_held_leaf(struct trace_array *tr, struct fgraph_call *call,
			    struct held_entry *held);
bool trace_graph_use_leaves(struct trace_array *tr, bool use);
void __trace_graph_record_open_calls(struct trace_array *tr);
void __trace_graph_record_open_call(struct trace_buffer *buffer);

/* Record the open calls of all CPUs whose entries wait. Call this before the trace is read. */
static inline void trace_graph_record_open_calls(struct trace_array *tr)
{
	if (static_branch_unlikely(&graph_leaves_wait))
		__trace_graph_record_open_calls(tr);
}

/* Record the open call of this CPU whose entry waits. Call this before another event. */
static __always_inline void trace_graph_record_open_call(struct trace_buffer *buffer)
{
	if (static_branch_unlikely(&graph_leaves_wait))
		__trace_graph_record_open_call(buffer);
}
#else
static inline bool trace_graph_use_leaves(struct trace_array *tr, bool use)
{
	return false;
}

static inline void trace_graph_record_open_calls(struct trace_array *tr) { }
static inline void trace_graph_record_open_call(struct trace_buffer *buffer) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_LEAF_H */
