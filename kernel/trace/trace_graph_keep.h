/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_graph_keep.c holds the entry of each call until the call returns, and records the
 * calls that the rules keep. The files of the rules, each of which knows those below it:
 *
 *	trace_graph_rules.c	the file set_graph_keep: parses and shows the rules
 *	trace_graph_match.c	the functions that each rule on values names
 *	trace_graph_tests.c	the functions that all rules on values name, in one hash
 *	trace_graph_verdict.c	the verdict of the rules on a call
 *	trace_graph_expr.c	expressions on values: parses, compiles and evaluates them
 *	trace_graph_word.c	words of rules, and the reasons to refuse a rule
 *
 * trace_graph_action.c parses the actions of rules for the first of them, and performs them
 * for trace_graph_keep.c.
 */
#ifndef _KERNEL_TRACE_GRAPH_KEEP_H
#define _KERNEL_TRACE_GRAPH_KEEP_H

struct trace_array;

int trace_graph_alloc_keep(struct trace_array *tr);

#endif /* _KERNEL_TRACE_GRAPH_KEEP_H */
