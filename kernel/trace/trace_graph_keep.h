/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_graph_keep.c holds the entry of each call until the call returns, and records the
 * calls that the rules keep.
 */
#ifndef _KERNEL_TRACE_GRAPH_KEEP_H
#define _KERNEL_TRACE_GRAPH_KEEP_H

struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
int trace_graph_alloc_keep(struct trace_array *tr);
void trace_graph_new_generation(struct trace_array *tr);
void trace_graph_use_callbacks(struct trace_array *tr);
#else
static inline void trace_graph_new_generation(struct trace_array *tr) { }
static inline void trace_graph_use_callbacks(struct trace_array *tr) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_KEEP_H */
