// SPDX-License-Identifier: GPL-2.0
/*
 * Held entries: the entry of a call waits on the shadow stack until it is known whether it is
 * recorded, and how. It has the parts of an entry event, so recording copies them.
 *
 *	words of a held entry:	arguments, return address, time, names
 *
 * Each part is there only if options require it, or if an expression of set_graph_keep
 * compares it. Then the part is hidden: no event contains it.
 */
#include "trace_graph_expr.h"
#include "trace_graph_held.h"
#include "trace_graph_member.h"
#include "trace_graph_scope.h"
#include "trace_graph_verdict.h"

/* Rules on values need the arguments. */
static_assert(GRAPH_EXPR_ARG_WORDS <= HELD_MAX_ARGS);

/**
 * graph_hold_extras - hold what options require besides the arguments
 * @tr:		the instance
 * @call:	the call
 * @held:	its entry, with the arguments
 * @record:	GRAPH_RECORD_RETADDR: hold the return address; GRAPH_RECORD_CLOCK: hold the
 *		time, because the clock is not trace_clock_local()
 *
 * Context: in the entryfunc.
 */
void graph_hold_extras(struct trace_array *tr, struct fgraph_call *call,
		       struct held_entry *held, u32 record)
{
	unsigned long *words = held->words + held->nr_args;
	u64 time;

	if (record & GRAPH_RECORD_RETADDR) {
		*words++ = fgraph_return_address(call);
		held->flags |= GRAPH_WITH_RETADDR;
	}
	if (record & GRAPH_RECORD_CLOCK) {
		time = ring_buffer_time_stamp(tr->array_buffer.buffer);
		memcpy(words, &time, sizeof(time));
		held->flags |= GRAPH_WITH_TIME;
	}
}

/* Hold a call with names of its arguments. Return NULL if there is no room for arguments. */
static noinline struct held_entry *
graph_hold_built_call(struct trace_array *tr, struct fgraph_call *call, u32 record,
		      struct graph_arg_counts nr, u32 plan,
		      const struct graph_member_list *members)
{
	unsigned int clock = graph_begin_clock(tr, record), room = fgraph_room(call);
	struct graph_built_entry built __uninitialized;
	struct held_entry *held;

	if (room <= HELD_WORDS ||
	    !graph_build_entry(tr, call, record, nr, plan, members, room - HELD_WORDS,
			       &built))
		return NULL;
	held = graph_reserve_held(call, graph_count_words(&built.parts),
				  built.parts.nr_args);
	if (!held)
		return NULL;
	held->flags = built.parts.flags;
	held->clock = clock;
	graph_put_parts(held->words, &built.parts);
	return held;
}

/* Hide what was held for an expression or for members. @record selects what is not hidden. */
static void graph_hide_parts(struct held_entry *held, u32 record)
{
	if (!(record & GRAPH_RECORD_ARGS))
		held->flags |= HELD_HIDDEN_ARGS;
	if (!(record & GRAPH_RECORD_NAMES))
		held->flags |= HELD_HIDDEN_NAMES;
}

/**
 * graph_hold_call_options - hold a call with options
 * @tr:		the instance
 * @call:	the call
 * @record:	GRAPH_RECORD_*
 * @tested:	what an expression compares, if it names the function; or NULL
 *
 * Context: in the entryfunc.
 * Return: the result of the entryfunc.
 */
int graph_hold_call_options(struct trace_array *tr, struct fgraph_call *call, u32 record,
			    const struct graph_tested *tested)
{
	enum graph_entry_verdict verdict = GRAPH_RECORD;
	const struct graph_tested *shown = NULL, *needs;
	struct graph_member_list members = { };
	struct graph_arg_counts nr, wanted;
	struct held_entry *held = NULL;
	u32 plan;

	if (record & GRAPH_RECORD_SCOPE)
		verdict = trace_graph_enter_scope(tr, call);
	/* A call of set_graph_notrace holds nothing, and needs its return. */
	if (verdict != GRAPH_RECORD)
		return verdict;

	if (record & GRAPH_RECORD_NO_IRQS && trace_graph_ignore_irqs(call))
		goto refuse;
	nr = trace_graph_count_args(call, record);
	wanted = nr;
	plan = trace_graph_plan(call, record);
	if (record & GRAPH_RECORD_SHOW)
		shown = graph_find_shown(tr, call->func);
	needs = tested ?: shown;
	if (needs) {
		wanted = (struct graph_arg_counts){ needs->regs, needs->stack };
		plan = plan ? graph_merge_plans(needs->names, plan) : needs->names;
		members = needs->members;
	}
	/* Members without room are not shown. */
	if (tested && shown)
		graph_add_members(&members, &shown->members);
	if (needs || graph_plan_args(plan))
		held = graph_hold_built_call(tr, call, record, wanted, plan, &members);
	if (!held)
		held = graph_hold_words(tr, call, record, nr);
	if (!held)
		goto refuse;
	if (needs)
		graph_hide_parts(held, record);
	if (tested)
		held->flags |= HELD_TESTED;
	return 1;
refuse:
	ftrace_graph_addr_finish(call);
	return 0;
}

/**
 * graph_get_held_parts - find the parts of a held entry
 * @tr:		the instance
 * @held:	the held entry
 * @calltime:	fgraph_calltime()
 * @parts:	the parts of an event
 *
 * Parts that are held for an expression only are left out, but for members. The time is
 * unknown if the clock of the buffer has changed.
 *
 * Context: any, with preemption disabled.
 */
void graph_get_held_parts(const struct trace_array *tr, const struct held_entry *held,
			  u64 calltime, struct graph_parts *parts)
{
	graph_get_parts(parts, held->flags & HELD_PARTS, held->nr_args, held->words,
			held->words + held->nr_words);
	if (held->flags & HELD_HIDDEN_ARGS)
		parts->nr_args = 0;
	if (held->flags & (HELD_HIDDEN_ARGS | HELD_HIDDEN_NAMES)) {
		parts->nr_names = graph_count_member_words(parts->names, parts->nr_names);
		if (!parts->nr_names)
			parts->flags &= ~GRAPH_WITH_NAMES;
	}
	if (held->clock != tr->clock_id) {
		parts->flags &= ~GRAPH_WITH_TIME;
	} else if (!(parts->flags & GRAPH_WITH_TIME)) {
		parts->flags |= GRAPH_WITH_TIME;
		parts->time = calltime;
	}
}

/**
 * graph_add_held_result - add what belongs to the result to the parts of a return
 * @tr:		the instance
 * @parts:	the parts
 * @call:	the call
 * @held:	its entry
 * @names:	room for GRAPH_RESULT_ROOM
 *
 * Context: in the retfunc.
 */
void graph_add_held_result(const struct trace_array *tr, struct graph_parts *parts,
			   const struct fgraph_call *call, const struct held_entry *held,
			   unsigned long *names)
{
	u32 record = READ_ONCE(tr->graph_record);
	const struct graph_tested *shown;
	unsigned int nr;

	graph_add_result(parts, call, trace_graph_return_plan(call, record), names);
	shown = record & GRAPH_RECORD_SHOW ? graph_find_shown(tr, call->func) : NULL;
	if (!shown || !shown->results.nr)
		return;
	nr = graph_read_return_members(&shown->results, held->words, held->nr_args,
				       call->retregs[0], names + parts->nr_result_name);
	parts->nr_result_name += nr;
	if (nr)
		parts->flags |= GRAPH_WITH_NAMES;
}
