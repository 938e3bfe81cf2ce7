/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of set_graph_keep share:
 *
 *	trace_graph_keep.c	holds the entry of each call until the call returns, and
 *				records what the rules keep
 *	trace_graph_rules.c	the file set_graph_keep: reads and shows the rules
 */
#ifndef _KERNEL_TRACE_GRAPH_KEEP_H
#define _KERNEL_TRACE_GRAPH_KEEP_H

#include <linux/err.h>
#include <linux/types.h>

struct trace_array;

/**
 * struct graph_rules - the rules that select the calls that an instance records
 * @errors:	the errors that a kept call returns, as positive numbers, from @all_errors,
 *		@wanted and @unwanted
 * @all_errors:	the rule "error"
 * @wanted:	the rule "error:"
 * @unwanted:	the rule "!error:"
 * @null:	the rule "null"
 * @slow:	the rule "slow:", in ns; 0 if there is none
 */
struct graph_rules {
	DECLARE_BITMAP(errors, MAX_ERRNO + 1);
	DECLARE_BITMAP(wanted, MAX_ERRNO + 1);
	DECLARE_BITMAP(unwanted, MAX_ERRNO + 1);
	bool			all_errors;
	bool			null;
	u64			slow;
};

/* trace_graph_keep.c */
int trace_graph_alloc_keep(struct trace_array *tr);
void trace_graph_use_rules(struct trace_array *tr, struct graph_rules *rules);

#endif /* _KERNEL_TRACE_GRAPH_KEEP_H */
