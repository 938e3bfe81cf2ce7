// SPDX-License-Identifier: GPL-2.0
/*
 * The verdict on a call at its return, as far as it is not inlined: see
 * trace_graph_verdict.h.
 */
#include "trace_graph_verdict.h"

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* See graph_may_be_tested(). */
unsigned long graph_tested_funcs[BITS_TO_LONGS(GRAPH_TESTED_BITS)] __read_mostly;

/**
 * graph_look_up_tested - find a function among those that rules on values name
 * @rules:	the rules, or NULL
 * @func:	the address of the function
 *
 * Context: any, with preemption disabled.
 * Return: the function, which is valid until preemption is enabled, or NULL.
 */
const struct graph_tested *graph_look_up_tested(const struct graph_rules *rules,
						unsigned long func)
{
	const struct graph_tested *tested;
	struct graph_tests *tests;

	/* RCU may not be watching: rcu_dereference() would warn */
	tests = rules ? rcu_dereference_raw(rules->tests) : NULL;
	if (!tests)
		return NULL;
	tested = graph_find_place(tests, func);
	return READ_ONCE(tested->nr) ? tested : NULL;
}

/**
 * graph_test_values - evaluate the expressions of the function of a call
 * @rules:	the rules
 * @v:		the values of the call; the name of the result is set
 *
 * Context: any, with preemption disabled.
 * Return: the actions of the expressions that keep the call, or 0 if none does.
 */
unsigned int graph_test_values(const struct graph_rules *rules, struct graph_operands *v)
{
	unsigned long name[GRAPH_NAME_WORDS] __uninitialized;
	struct graph_tests *tests = rcu_dereference_raw(rules->tests);
	const struct graph_program *const *program, *const *end;
	const struct graph_tested *tested;
	unsigned int actions = 0;

	if (!tests)
		return 0;
	tested = graph_find_place(tests, v->call->func);
	v->result_name = name;
	v->nr_result_name = graph_read_result_name(tested->names, v->call->retregs[0], name);

	program = tests->programs + tested->first;
	for (end = program + READ_ONCE(tested->nr); program < end; program++) {
		if (!graph_run_program(*program, v))
			continue;
		actions |= (*program)->actions;
		if (!rules->acts)
			break;
	}
	return actions;
}
#endif

/* Return true if the result of @call is an error, and the rules keep it. */
bool graph_keeps_error(const struct graph_rules *rules, const struct fgraph_call *call)
{
	return test_bit(-graph_result_error(call->func, call->retregs), rules->errors);
}

/* Return true if the result of @call is a null pointer. */
bool graph_keeps_null(const struct fgraph_call *call)
{
	return graph_result_is_null(call->func, call->retregs);
}

/**
 * graph_find_actions - find the actions of the rules that name no function and keep a call
 * @rules:	the rules, one of which keeps it
 * @call:	the call
 * @sleep_time:	its duration includes sleep
 *
 * Context: any, with preemption disabled.
 * Return: the actions, as bits of enum graph_action.
 */
unsigned int graph_find_actions(const struct graph_rules *rules, struct fgraph_call *call,
				bool sleep_time)
{
	unsigned int error = -graph_result_error(call->func, call->retregs);
	const struct graph_result_rules *r = rules->results;
	bool is_null = rules->null && graph_keeps_null(call);
	unsigned int i, actions = 0;

	if (test_bit(error, rules->unwanted))
		error = 0;
	for (i = 0; i < GRAPH_NR_ACTIONS; i++, r++)
		if ((error && (r->all_errors || test_bit(error, r->wanted))) ||
		    (r->slow && graph_keeps_slow(r->slow, call, sleep_time)) ||
		    (r->null && is_null))
			actions |= BIT(i);
	return actions;
}
