// SPDX-License-Identifier: GPL-2.0
/*
 * The actions of the rules of set_graph_keep: "RULE | ACTION".
 *
 *	error:EIO | stop		no more events after the first call that matches
 *	slow:10ms | snapshot		a snapshot after each call that matches
 *	vfs_read: ret < 0 | stack	the stack of the caller, after the event of the call
 *	error:EIO | stack | stop	both
 *
 * The actions of a rule that keeps a call run after the call was recorded. So a snapshot
 * contains the call.
 */
#include <linux/kallsyms.h>
#include <linux/stacktrace.h>

#include "trace.h"
#include "trace_graph_action.h"
#include "trace_graph_record.h"
#include "trace_graph_verdict.h"
#include "trace_graph_word.h"

/* The ends of the lines of rules */
const char *const graph_action_ends[GRAPH_NR_ACTIONS] = {
	[GRAPH_ONLY_KEEP]	= "\n",
	[GRAPH_STACK]		= " | stack\n",
	[GRAPH_SNAPSHOT]	= " | snapshot\n",
	[GRAPH_STOP]		= " | stop\n",
};

/* Rules */

static int prepare_snapshots(const struct rule_text *text, const char *action)
{
	int ret;

	if (!IS_ENABLED(CONFIG_TRACER_SNAPSHOT))
		return graph_refuse_rule(text, ACTION_ERR_NO_SNAPSHOT, action);
	mutex_lock(&trace_types_lock);
	ret = tracing_alloc_snapshot_instance(text->tr);
	mutex_unlock(&trace_types_lock);
	return ret;
}

static int parse_action(struct rule_text *text, const char *action)
{
	int ret = 0;

	if (!strcmp(action, "stop")) {
		text->actions |= BIT(GRAPH_STOP);
	} else if (!strcmp(action, "snapshot")) {
		text->actions |= BIT(GRAPH_SNAPSHOT);
		ret = prepare_snapshots(text, action);
	} else if (!strcmp(action, "stack")) {
		text->actions |= BIT(GRAPH_STACK);
		if (!IS_ENABLED(CONFIG_STACKTRACE))
			ret = graph_refuse_rule(text, ACTION_ERR_NO_STACK, action);
	} else {
		ret = graph_refuse_rule(text, ACTION_ERR_UNKNOWN, action);
	}
	return ret;
}

/**
 * trace_graph_prepare_actions - allocate the memory that the actions of rules in force need
 * @tr:		the instance, whose tracer is about to start
 *
 * A tracer of latencies frees the snapshot when it stops.
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: 0 on success, or -ENOMEM.
 */
int trace_graph_prepare_actions(struct trace_array *tr)
{
	const struct graph_rules *rules = graph_locked_rules(tr);

	if (!rules || !(rules->acts & BIT(GRAPH_SNAPSHOT)))
		return 0;
	return tracing_alloc_snapshot_instance(tr);
}

/*
 * Return the bar before the last action of a rule, or NULL. Bars in "||" and in texts do
 * not count.
 */
static char *find_last_bar(char *line)
{
	char *bar = strrchr(line, '|');

	if (!bar || strpbrk(bar, "\"'") || (bar > line && bar[-1] == '|'))
		return NULL;
	return bar;
}

/**
 * graph_parse_actions - parse the actions of a rule
 * @text:	the rule; its actions are set
 * @line:	text->line, from which the actions are cut off
 *
 * A rule that removes another one contains all of its text.
 *
 * Context: may sleep; takes trace_types_lock.
 * Return: 0 on success, -ENOMEM, or -EINVAL after a line in error_log.
 */
int graph_parse_actions(struct rule_text *text, char *line)
{
	char *bar;
	int ret;

	text->actions = 0;
	while (*line != '!' && (bar = find_last_bar(line))) {
		ret = parse_action(text, strim(bar + 1));
		if (ret)
			return ret;
		*bar = '\0';
		strim(line);
	}
	if (!text->actions)
		text->actions = BIT(GRAPH_ONLY_KEEP);
	return 0;
}

/* Calls */

#ifdef CONFIG_STACKTRACE
#define GRAPH_STACK_ENTRIES	64

/* The size of return_to_handler() */
static unsigned long handler_size __ro_after_init;

static int __init find_handler_size(void)
{
	unsigned long offset;

	kallsyms_lookup_size_offset(fgraph_func_addr(return_to_handler), &handler_size,
				    &offset);
	return 0;
}
core_initcall(find_handler_size);

/*
 * Return the index of the caller in a stack that was taken in a callback. The frames of the
 * callback end at return_to_handler(). Some unwinders then find the caller. Others do not,
 * because it is no longer in a frame.
 */
static unsigned int find_caller(unsigned long *stack, unsigned int nr, unsigned long caller)
{
	unsigned long handler = fgraph_func_addr(return_to_handler);
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (stack[i] - handler >= handler_size)
			continue;
		if (!caller || (i + 1 < nr && stack[i + 1] == caller))
			return i + 1;
		stack[i] = caller;
		return i;
	}
	return nr;
}

/* Record the stack at the return of a call: its function, and the callers. */
static noinline void graph_record_stack(struct trace_buffer *buffer,
					struct fgraph_call *call)
{
	unsigned long stack[GRAPH_STACK_ENTRIES] __uninitialized;
	struct ring_buffer_event *event;
	unsigned int nr, first, size;
	struct stack_entry *entry;

	/* An unwinder needs RCU. */
	if (!rcu_is_watching())
		return;
	nr = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
	first = find_caller(stack, nr, fgraph_return_address(call));
	size = (nr - first) * sizeof(*stack);
	event = trace_graph_reserve(buffer, TRACE_STACK,
				    offsetof(struct stack_entry, caller) +
				    sizeof(*stack) + size, 0,
				    trace_graph_ctx(call), &entry);
	if (!event)
		return;
	entry->size = nr - first + 1;
	memcpy(&entry->caller[0], &call->func, sizeof(*stack));
	memcpy(&entry->caller[1], stack + first, size);
	trace_graph_commit(&event_kernel_stack, buffer, event, entry);
}
#else
static void graph_record_stack(struct trace_buffer *buffer, struct fgraph_call *call) { }
#endif

/*
 * Take a snapshot, but not during another one: a function that is called while a snapshot
 * is taken, with the lock held, may match.
 */
static void graph_take_snapshot(struct trace_array *tr)
{
#ifdef CONFIG_TRACER_SNAPSHOT
	if (!arch_spin_is_locked(&tr->max_lock))
		tracing_snapshot_instance(tr);
#endif
}

/**
 * graph_act - perform the actions of the rules that keep a call
 * @tr:		the instance
 * @buffer:	the buffer that contains the call
 * @call:	the call, in the callback at its return
 * @actions:	bits of enum graph_action
 *
 * Context: any, with preemption disabled.
 */
void graph_act(struct trace_array *tr, struct trace_buffer *buffer, struct fgraph_call *call,
	       unsigned int actions)
{
	if (actions & BIT(GRAPH_STACK))
		graph_record_stack(buffer, call);
	if (actions & BIT(GRAPH_SNAPSHOT))
		graph_take_snapshot(tr);
	if (actions & BIT(GRAPH_STOP))
		tracer_tracing_off(tr);
}
