/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of set_graph_keep. Of these files, each one knows only those below it:
 *
 *	trace_graph_boot.c	the rules on the command line of the kernel
 *	trace_graph_rules.c	the file set_graph_keep: parses and shows the rules
 *	trace_graph_match.c	the functions that each rule on values names
 *	trace_graph_tests.c	the functions that all rules on values name, in one hash
 *	trace_graph_keep.c	the callbacks that record only calls that rules keep
 *	trace_graph_verdict.c	the verdict of the rules on a call
 *	trace_graph_action.c	the actions of rules: parses and performs them
 *	trace_graph_expr.c	expressions on values: parses, compiles and evaluates them
 *	trace_graph_word.c	words of rules, and the reasons to refuse a rule
 */
#ifndef _KERNEL_TRACE_GRAPH_RULES_H
#define _KERNEL_TRACE_GRAPH_RULES_H

#include <linux/errno.h>

struct dentry;
struct trace_array;

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
int trace_graph_set_rules(struct trace_array *tr, const char *text);
int trace_graph_add_rules(struct trace_array *tr, const char *text);
void trace_graph_use_boot_rules(void);
void trace_graph_init_keep(struct trace_array *tr, struct dentry *d_tracer);
void trace_graph_free_keep(struct trace_array *tr);
#else
static inline int trace_graph_add_rules(struct trace_array *tr, const char *text)
{
	return -EOPNOTSUPP;
}

static inline void trace_graph_use_boot_rules(void) { }
static inline void trace_graph_init_keep(struct trace_array *tr,
					 struct dentry *d_tracer) { }
static inline void trace_graph_free_keep(struct trace_array *tr) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_RULES_H */
