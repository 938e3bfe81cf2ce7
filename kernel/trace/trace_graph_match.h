/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules on values of set_graph_keep, and the functions that they name.
 */
#ifndef _KERNEL_TRACE_GRAPH_MATCH_H
#define _KERNEL_TRACE_GRAPH_MATCH_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>

#include "trace_graph_expr.h"

struct graph_rules;
struct rule_text;
struct seq_file;
struct trace_array;

/**
 * struct expr_func - a function that an expression names and fits
 * @func:	the address of the function
 * @program:	the expression, compiled for the function; NULL for a list of members
 * @names:	the plan of the names that @program compares, and other rules before it
 * @members:	the members to read at the entry, also for other rules before it
 * @results:	the members to show at the return, in the same way
 * @regs:	the number of argument registers to hold at the entry
 * @stack:	the number of words on the stack to hold
 */
struct expr_func {
	unsigned long		func;
	const struct graph_program *program;
	u32			names;
	struct graph_member_list members;
	struct graph_member_list results;
	u8			regs;
	u8			stack;
};

/**
 * struct graph_misfits - the functions that a glob names, but the expression does not fit
 * @nr:		their number
 * @func:	the first of them
 * @error:	the reason, enum graph_rule_error
 * @at:		its place in the rule
 * @hint:	what may be meant, or ""
 */
struct graph_misfits {
	unsigned int		nr;
	unsigned long		func;
	u8			error;
	u16			at;
	char			hint[GRAPH_HINT_BYTES];
};

/**
 * struct graph_expr - a rule on values
 * @list:	the entry in graph_exprs
 * @ref:	the rules that contain it
 * @tr:		the instance
 * @rules:	the rules that the expression is being added to, if they will replace those in
 *		force, or NULL
 * @shows:	this is a line of set_graph_show: @syntax is a list of members, and there are no
 *		programs
 * @reads_results: a function has members to show at its return
 * @actions:	the actions of the rule, bits of enum graph_action
 * @syntax:	the expression
 * @nr:		the number of @funcs
 * @max:	the room in @funcs
 * @funcs:	the functions, sorted by their addresses
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
	bool			shows;
	bool			reads_results;
	unsigned int		actions;
	struct graph_syntax	syntax;
	unsigned int		nr;
	unsigned int		max;
	struct expr_func	*funcs;
	struct list_head	programs;
	struct graph_misfits	misfits;
	char			*module;
	char			*globs;
	char			line[];
};

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
int graph_add_expr(const struct rule_text *text, struct graph_rules *rules, bool appends);
void graph_get_expr(struct graph_expr *expr);
void graph_put_expr(struct graph_expr *expr);
bool graph_expr_reads_results(const struct graph_expr *expr);
const char *graph_expr_text(const struct graph_expr *expr);
unsigned int graph_expr_actions(const struct graph_expr *expr);
void graph_show_expr(struct seq_file *m, const struct graph_expr *expr);
#else
static inline void graph_get_expr(struct graph_expr *expr) { }
static inline void graph_put_expr(struct graph_expr *expr) { }

static inline bool graph_expr_reads_results(const struct graph_expr *expr)
{
	return false;
}

static inline const char *graph_expr_text(const struct graph_expr *expr)
{
	return "";
}

static inline unsigned int graph_expr_actions(const struct graph_expr *expr)
{
	return 0;
}

static inline void graph_show_expr(struct seq_file *m, const struct graph_expr *expr) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_MATCH_H */
