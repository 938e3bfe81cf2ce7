/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions that the expressions of set_graph_keep name. trace_graph_match.c finds
 * them when a rule is written and when a module is loaded. trace_graph_keep.c looks them
 * up at each call.
 */
#ifndef _KERNEL_TRACE_GRAPH_MATCH_H
#define _KERNEL_TRACE_GRAPH_MATCH_H

#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/kref.h>
#include <linux/rcupdate.h>

#include "trace_graph_expr.h"

/**
 * struct graph_match - a function that an expression names
 * @func:	the address of the function, or 0 if the slot is empty
 * @program:	the expression; NULL if the module of @func was unloaded
 * @plan:	the plan of the names that @program compares
 * @regs:	the number of argument registers to hold at the entry
 * @stack:	the number of words on the stack to hold
 */
struct graph_match {
	unsigned long		func;
	const struct graph_program *program;
	u32			plan;
	u8			regs;
	u8			stack;
};

/**
 * struct graph_misfits - the functions that a glob names, but the expression does not fit
 * @nr:		their number
 * @func:	the first of them
 * @error:	the reason, see graph_expr_reason()
 * @at:		its place in the rule
 */
struct graph_misfits {
	unsigned int		nr;
	unsigned long		func;
	u8			error;
	u16			at;
};

/**
 * struct graph_matches - the functions of an expression, in a hash with linear probing
 * @bits:	there are 1 << @bits slots
 * @used:	the number of slots that are not empty
 * @nr:		the number of functions, without those of modules that were unloaded
 * @slots:	the functions
 */
struct graph_matches {
	unsigned int		bits;
	unsigned int		used;
	unsigned int		nr;
	struct graph_match	slots[];
};

/**
 * struct graph_expr - a rule on values
 * @list:	the entry in graph_exprs
 * @ref:	the rules that contain it
 * @tr:		the instance
 * @rules:	the rules that the expression is being added to, or NULL
 * @actions:	the actions of the rule, bits of enum graph_action
 * @syntax:	the expression
 * @matches:	the functions
 * @programs:	the programs of all functions. Functions of the same type share one.
 * @misfits:	functions that are left out
 * @module:	the name of the module of the functions, or NULL
 * @globs:	the names of the functions, with spaces between them
 * @line:	the rule
 */
struct graph_expr {
	struct list_head	list;
	struct kref		ref;
	struct trace_array	*tr;
	const struct graph_rules *rules;
	unsigned int		actions;
	struct graph_syntax	syntax;
	struct graph_matches __rcu *matches;
	struct list_head	programs;
	struct graph_misfits	misfits;
	char			*module;
	char			*globs;
	char			line[];
};

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

/* Return the slot of @func, or the empty slot in its place. */
static __always_inline struct graph_match *
graph_find_match_slot(struct graph_matches *matches, unsigned long func)
{
	unsigned long hash = hash_long(func, matches->bits);
	struct graph_match *slot;

	for (;; hash++) {
		slot = &matches->slots[hash & (BIT(matches->bits) - 1)];
		if (slot->func == func || !slot->func)
			return slot;
	}
}

/* Return the match of @func, or NULL. Preemption must be disabled. */
static __always_inline const struct graph_match *
graph_find_match(const struct graph_expr *expr, unsigned long func)
{
	/* RCU may not be watching: rcu_dereference() would warn */
	struct graph_matches *matches = rcu_dereference_raw(expr->matches);
	const struct graph_match *match = graph_find_match_slot(matches, func);

	return READ_ONCE(match->program) ? match : NULL;
}

#endif /* _KERNEL_TRACE_GRAPH_MATCH_H */
