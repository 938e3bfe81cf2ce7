// SPDX-License-Identifier: GPL-2.0
/*
 * The trace event fgraph:kept, for calls that rules of set_graph_keep keep. So histograms,
 * triggers, synthetic events, perf and BPF programs get calls that failed or were slow.
 */
#include <linux/rcupdate.h>

#include "trace_graph.h"
#include "trace_graph_held.h"
#include "trace_graph_tracepoint.h"
#include "trace_graph_value.h"

#define CREATE_TRACE_POINTS
#include <trace/events/fgraph.h>

/* Copy the texts of the first two names of arguments. */
static void copy_names(const struct graph_parts *parts, char texts[][GRAPH_TEXT_BYTES])
{
	const unsigned long *names = parts->names;
	const struct graph_name *name;
	unsigned int i = 0;

	for_each_graph_name(name, names, parts->nr_names) {
		if (name->flags & (GRAPH_NAME_MEMBER | GRAPH_NAME_RESULT | GRAPH_NAME_UNKNOWN))
			continue;
		if (graph_copy_name(name, texts[i]) && ++i == GRAPH_NAMED_ARGS)
			break;
	}
}

/**
 * graph_trace_kept - emit the event fgraph:kept
 * @call:	a call that is kept, at its return
 * @held:	its held entry
 * @sleep_time:	its duration includes sleep
 *
 * An event needs RCU, which does not watch idle code. A trigger may not be safe in an NMI. The
 * event of such a call is left out; its record is not.
 *
 * Context: any, with preemption disabled.
 */
void graph_trace_kept(struct fgraph_call *call, const struct held_entry *held, bool sleep_time)
{
	char texts[GRAPH_NAMED_ARGS][GRAPH_TEXT_BYTES] = { };
	struct graph_parts parts __uninitialized;
	s64 duration;

	if (in_nmi() || !rcu_is_watching())
		return;

	graph_get_parts(&parts, held->flags & HELD_PARTS, held->nr_args, held->words,
			held->words + held->nr_words);
	/* Names that are held for a rule alone are not shown. */
	if (!(held->flags & HELD_HIDDEN_NAMES))
		copy_names(&parts, texts);
	/* The clocks of two CPUs differ a little. */
	duration = fgraph_rettime(call) - fgraph_calltime(call, sleep_time);
	trace_kept(call->func, graph_result_number(call->func, call->retregs),
		   graph_result_error(call->func, call->retregs), max_t(s64, duration, 0),
		   call->depth, texts[0], texts[1]);
}
