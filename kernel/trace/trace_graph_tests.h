/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash of the functions that rules on values name: how it is made. Calls look functions
 * up in it, see trace_graph_verdict.h.
 */
#ifndef _KERNEL_TRACE_GRAPH_TESTS_H
#define _KERNEL_TRACE_GRAPH_TESTS_H

#include "trace_graph_verdict.h"

struct module;

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
int graph_make_tests(struct graph_rules *rules);
void graph_free_tests(struct graph_rules *rules);
size_t graph_count_tests_bytes(struct graph_expr *const *exprs, unsigned int nr);
size_t graph_sum_tests_bytes(const struct graph_rules *except);
void graph_forget_tests(const struct module *mod);
int graph_make_all_tests(void);
#else
static inline int graph_make_tests(struct graph_rules *rules)
{
	return 0;
}

static inline void graph_free_tests(struct graph_rules *rules) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_TESTS_H */
