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

/* Return the result, extended by its type. Without a signature, it is an unsigned word. */
static s64 find_result(const struct fgraph_call *call)
{
	const unsigned long *words = call->retregs;
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;
	u64 bits;

	if (!fgraph_find_signature(call->func, &sig) ||
	    !fgraph_sig_result(&walk, &sig, &value) || value.place != FGRAPH_IN_WORDS)
		return words[0];
	if (!value.words)
		return 0;
	bits = fgraph_words_bits(words, value.words, value.bytes);
	return graph_value_is_signed(&value) ? fgraph_sign_extend_bytes(bits, value.bytes) : bits;
}

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

	if (in_nmi() || !rcu_is_watching())
		return;

	graph_get_parts(&parts, held->flags & HELD_PARTS, held->nr_args, held->words,
			held->words + held->nr_words);
	copy_names(&parts, texts);
	trace_kept(call->func, find_result(call), graph_result_error(call->func, call->retregs),
		   fgraph_rettime(call) - fgraph_calltime(call, sleep_time), call->depth,
		   texts[0], texts[1]);
}
