/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The actions of the rules of set_graph_keep, see enum graph_action.
 */
#ifndef _KERNEL_TRACE_GRAPH_ACTION_H
#define _KERNEL_TRACE_GRAPH_ACTION_H

struct fgraph_call;
struct rule_text;
struct trace_array;
struct trace_buffer;

extern const char *const graph_action_ends[];

int graph_parse_actions(struct rule_text *text, char *line);
void graph_act(struct trace_array *tr, struct trace_buffer *buffer, struct fgraph_call *call,
	       unsigned int actions);

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
int trace_graph_prepare_actions(struct trace_array *tr);
#else
static inline int trace_graph_prepare_actions(struct trace_array *tr)
{
	return 0;
}
#endif

#endif /* _KERNEL_TRACE_GRAPH_ACTION_H */
