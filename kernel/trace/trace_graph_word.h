/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a rule of set_graph_keep: the words that several kinds of rules contain, and
 * the reasons to refuse a rule.
 */
#ifndef _KERNEL_TRACE_GRAPH_WORD_H
#define _KERNEL_TRACE_GRAPH_WORD_H

#include <linux/types.h>

struct seq_file;
struct trace_array;

/**
 * struct rule_text - a rule that is parsed
 * @tr:		the instance
 * @line:	the line, up to its actions
 * @whole:	the whole line
 * @func:	the function that the rule does not fit, or 0
 * @shows:	the rule is a line of set_graph_show
 * @hint:	with @func: what may be meant, or ""
 * @actions:	bits of enum graph_action
 */
struct rule_text {
	struct trace_array	*tr;
	const char		*line;
	const char		*whole;
	unsigned long		func;
	const char		*hint;
	bool			shows;
	unsigned int		actions;
};

/* The reasons to refuse a rule; graph_rule_errors[] has their text. */
enum graph_rule_error {
	/* Any rule */
	RULE_ERR_UNKNOWN,
	RULE_ERR_NO_ERROR_NAME,
	RULE_ERR_ERROR_NAME,
	RULE_ERR_NO_ERRORS,
	RULE_ERR_NO_SIGNATURES,
	RULE_ERR_EXPRS,
	RULE_ERR_NUL,
	RULE_ERR_LENGTH,
	RULE_ERR_COMMA,
	RULE_ERR_NO_RULE,

	DURATION_ERR_NUMBER,
	DURATION_ERR_UNIT,

	ACTION_ERR_UNKNOWN,
	ACTION_ERR_NO_SNAPSHOT,
	ACTION_ERR_NO_STACK,

	/* The functions of an expression */
	EXPR_ERR_GLOB,
	EXPR_ERR_MEMORY,
	/* The syntax of an expression */
	EXPR_ERR_VALUE,
	EXPR_ERR_NOT,
	EXPR_ERR_OP,
	EXPR_ERR_CONSTANT,
	EXPR_ERR_QUOTE,
	EXPR_ERR_LONG,
	EXPR_ERR_AND_OR,
	EXPR_ERR_OPEN,
	EXPR_ERR_CLOSE,
	EXPR_ERR_COMPARISONS,
	/* The values of a function */
	EXPR_ERR_NO_SIGNATURE,
	EXPR_ERR_NO_VALUE,
	EXPR_ERR_REMOVED,
	EXPR_ERR_TYPE,
	EXPR_ERR_ARGS,
	EXPR_ERR_NO_TEXT,
	EXPR_ERR_TEXT_OP,
	EXPR_ERR_NUMBER_OP,
	EXPR_ERR_RANGE,
	EXPR_ERR_NAME,
	EXPR_ERR_NUMBERS,
	EXPR_ERR_TEXTS,
	EXPR_ERR_SIZE,
	EXPR_ERR_NEVER,
	EXPR_ERR_CUT,
	EXPR_ERR_PAIR_OP,
	/* Members */
	EXPR_ERR_NO_POINTER,
	EXPR_ERR_NO_STRUCT,
	EXPR_ERR_UNKNOWN_STRUCT,
	EXPR_ERR_AMBIGUOUS,
	EXPR_ERR_NO_MEMBER,
	EXPR_ERR_INDEX,
	EXPR_ERR_NO_ELEMENT,
	EXPR_ERR_PATH_LONG,
	EXPR_ERR_MEMBERS,
	EXPR_ERR_NO_ROOM,
	EXPR_ERR_LIST,
	EXPR_ERR_NOT_MEMBER,
	SHOW_ERR_COLON,
	SHOW_ERR_LINES,
};

int graph_refuse_rule(const struct rule_text *text, enum graph_rule_error error,
		      const char *at);
const char *graph_rule_reason(enum graph_rule_error error);

unsigned int graph_find_error(const char *name, size_t len);
int graph_parse_duration(const struct rule_text *text, const char *duration, size_t len,
			 u64 *ns);
void graph_show_duration(struct seq_file *m, const char *begin, u64 ns, const char *end);

#endif /* _KERNEL_TRACE_GRAPH_WORD_H */
