/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of set_graph_keep share:
 *
 *	trace_graph_keep.c	holds the entry of each call until the call returns, and
 *				records the calls that the rules keep
 *	trace_graph_rules.c	the file set_graph_keep: reads and shows the rules
 *	trace_graph_expr.c	the rules on values: parses, compiles and evaluates them
 *	trace_graph_match.c	the functions that these rules name
 *	trace_graph_action.c	the actions of rules: record a stack, take a snapshot, stop
 */
#ifndef _KERNEL_TRACE_GRAPH_KEEP_H
#define _KERNEL_TRACE_GRAPH_KEEP_H

#include <linux/err.h>
#include <linux/types.h>

struct fgraph_call;
struct graph_expr;
struct trace_array;
struct trace_buffer;

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
 * struct rule_text - a rule that is parsed
 * @tr:		the instance
 * @line:	the line, up to its actions
 * @whole:	the whole line
 * @actions:	bits of enum graph_action
 */
struct rule_text {
	struct trace_array	*tr;
	const char		*line;
	const char		*whole;
	unsigned int		actions;
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
 * struct graph_rules - the rules that select the calls that an instance records
 * @results:	the rules that name no function, for each action
 * @unwanted:	the rule "!error:", for all actions
 * @errors:	the errors that a kept call returns, from @results and @unwanted
 * @null:	a call that returns NULL is kept
 * @slow:	the shortest duration of a call that is kept because it is slow, or 0
 * @any_result:	a call whose result is not an error may be kept: there is @null or @slow
 * @acts:	the actions of all rules, bits of enum graph_action; 0 if there are none
 * @exprs:	the rules on values; NULL after the last one
 * @removed:	the rules on values in force that these rules remove; NULL after the last one
 * @no_errors:	these rules remove all rules for errors that are in force
 * @no_null:	these rules remove the rule "null"
 * @no_slow:	these rules remove the rule "slow:"
 * @appends:	these rules are added to those in force. Otherwise, they replace them.
 */
struct graph_rules {
	struct graph_result_rules results[GRAPH_NR_ACTIONS];
	DECLARE_BITMAP(unwanted, MAX_ERRNO + 1);
	DECLARE_BITMAP(errors, MAX_ERRNO + 1);
	bool			null;
	bool			any_result;
	unsigned int		acts;
	u64			slow;
	struct graph_expr	*exprs[GRAPH_MAX_EXPRS + 1];
	struct graph_expr	*removed[GRAPH_MAX_EXPRS + 1];
	bool			no_errors;
	bool			no_null;
	bool			no_slow;
	bool			appends;
};

/* trace_graph_word.c */
unsigned int graph_find_error(const char *name, size_t len);
int graph_parse_duration(const struct rule_text *text, const char *duration, size_t len,
			 u64 *ns);
void graph_show_duration(struct seq_file *m, const char *begin, u64 ns, const char *end);

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* trace_graph_match.c */
int graph_add_expr(const struct rule_text *text, struct graph_rules *rules);
void graph_get_exprs(const struct graph_rules *rules);
void graph_get_expr(struct graph_expr *expr);
void graph_put_expr(struct graph_expr *expr);
void graph_put_exprs(const struct graph_rules *rules);
const char *graph_expr_text(const struct graph_expr *expr);
unsigned int graph_expr_actions(const struct graph_expr *expr);
void graph_show_expr(struct seq_file *m, const struct graph_expr *expr);
#else
static inline void graph_get_exprs(const struct graph_rules *rules) { }
static inline void graph_put_expr(struct graph_expr *expr) { }
static inline void graph_put_exprs(const struct graph_rules *rules) { }

static inline void graph_show_expr(struct seq_file *m, const struct graph_expr *expr) { }
static inline const char *graph_expr_text(const struct graph_expr *expr)
{
	return "";
}

static inline unsigned int graph_expr_actions(const struct graph_expr *expr)
{
	return 0;
}
#endif

/* trace_graph_action.c */
extern const char *const graph_action_ends[];
int graph_parse_actions(struct rule_text *text, char *line);
void graph_act(struct trace_array *tr, struct trace_buffer *buffer, struct fgraph_call *call,
	       unsigned int actions);

/* trace_graph_keep.c */
int trace_graph_alloc_keep(struct trace_array *tr);
void trace_graph_use_rules(struct trace_array *tr, struct graph_rules *rules);
void graph_free_rules(struct graph_rules *rules);

#endif /* _KERNEL_TRACE_GRAPH_KEEP_H */
