/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_GRAPH_TRACEPOINT_H
#define _KERNEL_TRACE_GRAPH_TRACEPOINT_H

#include <linux/types.h>

struct fgraph_call;
struct held_entry;

void graph_trace_kept(struct fgraph_call *call, const struct held_entry *held, bool sleep_time);

#endif /* _KERNEL_TRACE_GRAPH_TRACEPOINT_H */
