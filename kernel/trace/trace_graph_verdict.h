/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The verdict on a call at its return: the actions of the rules that keep it, or 0. The
 * rules in force are plain data here:
 *
 *	trace_graph_rules.c	makes struct graph_rules of the lines of set_graph_keep
 *	trace_graph_tests.c	makes struct graph_tests of its rules on values
 *	trace_graph_keep.c	asks for the verdict on each call that it holds
 *
 * Most calls are not kept. So the tests that find this out are inlined into the callbacks.
 */
#ifndef _KERNEL_TRACE_GRAPH_VERDICT_H
#define _KERNEL_TRACE_GRAPH_VERDICT_H

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/rcupdate.h>

#include "fgraph_internal.h"
#include "trace.h"
#include "trace_graph_expr.h"
#include "trace_graph_value.h"

struct graph_expr;

/* Each expression costs time at each call, so useful lists of rules have fewer. */
#define GRAPH_MAX_EXPRS		16

/* The actions of a rule, besides keeping a call. The first one means no action. */
enum graph_action {
	GRAPH_ONLY_KEEP,
	GRAPH_STACK,
	GRAPH_SNAPSHOT,
	GRAPH_STOP,
	GRAPH_NR_ACTIONS
};

/**
 * struct graph_result_rules - the rules of one action that name no function
 * @wanted:	the errors of the rules "error:", as positive numbers
 * @all_errors:	the rule "error"
 * @null:	the rule "null"
 * @slow:	the rule "slow:", in ns; 0 if there is none
 */
struct graph_result_rules {
	DECLARE_BITMAP(wanted, MAX_ERRNO + 1);
	bool			all_errors;
	bool			null;
	u64			slow;
};

/**
 * struct graph_tested - a function that rules on values name
 * @func:	the address of the function, or 0 if this place of the hash is free
 * @names:	the plan of the names that its programs compare, see trace_graph_name.h
 * @members:	the members to read at the entry
 * @results:	the members to show at the return
 * @first:	the index of its first program
 * @nr:		the number of its programs; 0 if the module of @func was unloaded
 * @regs:	the number of argument registers to hold at the entry
 * @stack:	the number of words on the stack to hold
 */
struct graph_tested {
	unsigned long		func;
	u32			names;
	u32			first;
	struct graph_member_list members;
	struct graph_member_list results;
	u8			nr;
	u8			regs;
	u8			stack;
};

/**
 * struct graph_tests - the functions that rules on values name, in a hash with linear probing
 * @bits:	there are 1 << @bits places
 * @bytes:	the size of this structure, with @programs, which are at its end
 * @programs:	the programs of all functions. Those of a function are side by side, in the
 *		order of the rules.
 * @funcs:	the functions
 */
struct graph_tests {
	unsigned int		bits;
	size_t			bytes;
	const struct graph_program **programs;
	struct graph_tested	funcs[];
};

/**
 * struct graph_rules - the rules that select the calls that an instance records, or the
 * members that it shows, which are in @tests and @exprs
 * @results:	the rules that name no function, for each action
 * @unwanted:	the rule "!error:", for all actions
 * @errors:	the errors that a kept call returns, from @results and @unwanted
 * @null:	a call that returns NULL is kept
 * @slow:	the shortest duration of a call that is kept because it is slow, or 0
 * @any_result:	a call whose result is not an error may be kept: there is @null or @slow; or
 *		members are shown at the return
 * @acts:	the actions of all rules, bits of enum graph_action; 0 if there are none
 * @tests:	the functions of @exprs, or NULL
 * @exprs:	the rules on values; NULL after the last one
 */
struct graph_rules {
	struct graph_result_rules results[GRAPH_NR_ACTIONS];
	DECLARE_BITMAP(unwanted, MAX_ERRNO + 1);
	DECLARE_BITMAP(errors, MAX_ERRNO + 1);
	bool			null;
	bool			any_result;
	unsigned int		acts;
	u64			slow;
	struct graph_tests __rcu *tests;
	struct graph_expr	*exprs[GRAPH_MAX_EXPRS + 1];
};

/* Return the rules in force, or NULL. Needs trace_types_lock. */
static inline struct graph_rules *graph_locked_rules(const struct trace_array *tr)
{
	return rcu_dereference_protected(tr->graph_keep.rules,
					 lockdep_is_held(&trace_types_lock));
}

/* Return what set_graph_show shows, or NULL. Needs trace_types_lock. */
static inline struct graph_rules *graph_locked_shows(const struct trace_array *tr)
{
	return rcu_dereference_protected(tr->graph_keep.shows,
					 lockdep_is_held(&trace_types_lock));
}

/* Rules on values */

/* With this many bits, few other functions share a bit with one that a rule names. */
#define GRAPH_TESTED_BITS	65536

extern unsigned long graph_tested_funcs[];

/* Return the bit of @func. Most functions are aligned to 16 bytes, so no hashing is needed. */
static __always_inline unsigned long graph_tested_bit(unsigned long func)
{
	return (func >> 4) % GRAPH_TESTED_BITS;
}

/*
 * Return true if an expression of any instance may name @func. This test takes a few
 * instructions. Calls of most functions need nothing else.
 */
static __always_inline bool graph_may_be_tested(unsigned long func)
{
	return test_bit(graph_tested_bit(func), graph_tested_funcs);
}

/* Return the place of @func in the hash, or the free place for it. */
static __always_inline struct graph_tested *
graph_find_place(struct graph_tests *tests, unsigned long func)
{
	unsigned long hash = hash_long(func, tests->bits);
	struct graph_tested *place;

	for (;; hash++) {
		place = &tests->funcs[hash & (BIT(tests->bits) - 1)];
		if (place->func == func || !place->func)
			return place;
	}
}

const struct graph_tested *graph_look_up_tested(const struct graph_rules *rules,
						unsigned long func);

/* Find @func among the functions that rules on values of @tr name. Preemption must be disabled. */
static __always_inline const struct graph_tested *
graph_find_tested(const struct trace_array *tr, unsigned long func)
{
	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_NAMES) || likely(!graph_may_be_tested(func)))
		return NULL;
	/* RCU may not be watching: rcu_dereference() would warn */
	return graph_look_up_tested(rcu_dereference_raw(tr->graph_keep.rules), func);
}

/* Find @func among the functions of which @tr shows members. Preemption must be disabled. */
static __always_inline const struct graph_tested *
graph_find_shown(const struct trace_array *tr, unsigned long func)
{
	if (!IS_ENABLED(CONFIG_FUNCTION_GRAPH_NAMES) || likely(!graph_may_be_tested(func)))
		return NULL;
	return graph_look_up_tested(rcu_dereference_raw(tr->graph_keep.shows), func);
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
unsigned int graph_test_values(const struct graph_rules *rules, struct graph_operands *v);
#else
static inline unsigned int graph_test_values(const struct graph_rules *rules,
					     struct graph_operands *v)
{
	return 0;
}
#endif

/* Rules that name no function */

bool graph_keeps_error(const struct graph_rules *rules, const struct fgraph_call *call);
bool graph_keeps_null(const struct fgraph_call *call);
unsigned int graph_find_actions(const struct graph_rules *rules, struct fgraph_call *call,
				bool sleep_time);

/*
 * Return true if @call took at least @slow. The clocks of two CPUs may differ. So the time
 * of the return, less the sleep, may be before the time of the entry.
 */
static __always_inline bool graph_keeps_slow(u64 slow, struct fgraph_call *call,
					     bool sleep_time)
{
	u64 duration = __fgraph_rettime(call) - fgraph_calltime(call, sleep_time);

	return (s64)duration >= (s64)slow;
}

/* Return true if a rule that names no function keeps @call. */
static __always_inline bool graph_keeps_call(const struct graph_rules *rules,
					     struct fgraph_call *call, bool sleep_time)
{
	unsigned long result = call->retregs[0];

	if (graph_may_be_error(call->func, result) && graph_keeps_error(rules, call))
		return true;
	if (rules->slow && graph_keeps_slow(rules->slow, call, sleep_time))
		return true;
	return rules->null && !result && graph_keeps_null(call);
}

/* Return false if no rule that names no function keeps @call. Most calls end here. */
static __always_inline bool graph_may_keep(const struct graph_rules *rules,
					   const struct fgraph_call *call)
{
	return unlikely(rules->any_result || graph_may_be_error(call->func, call->retregs[0]));
}

/* Return the actions of the rules that name no function and keep @call, or 0. */
static __always_inline unsigned int graph_judge_result(const struct graph_rules *rules,
						       struct fgraph_call *call,
						       bool sleep_time)
{
	if (!graph_keeps_call(rules, call, sleep_time))
		return 0;
	return rules->acts ? graph_find_actions(rules, call, sleep_time) :
			     BIT(GRAPH_ONLY_KEEP);
}

#endif /* _KERNEL_TRACE_GRAPH_VERDICT_H */
