/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expressions on the arguments, the result and the duration of a call, which rules of
 * set_graph_keep contain:
 *
 *	once per rule:		graph_parse_expr() -> struct graph_syntax
 *	once per function:	graph_compile_expr() -> struct graph_program
 *	return of a call:	graph_run_program() -> true or false
 *
 * trace_graph_match.c finds the functions of a rule.
 */
#ifndef _KERNEL_TRACE_GRAPH_EXPR_H
#define _KERNEL_TRACE_GRAPH_EXPR_H

#include <linux/list.h>
#include <linux/seq_buf.h>

#include "trace_graph_member.h"
#include "trace_graph_name.h"

struct event_filter;
struct fgraph_call;
struct rule_text;

/* The maximum number of comparisons in an expression, and of different values in them */
#define GRAPH_EXPR_COMPARISONS	16
#define GRAPH_EXPR_NUMBERS	8
#define GRAPH_EXPR_TEXTS	(GRAPH_NAMED_ARGS + 1)
/* The maximum length of a text in an expression */
#define GRAPH_EXPR_TEXT		64
/* The maximum number of words of a function's arguments if one of them is compared */
#define GRAPH_EXPR_ARG_WORDS	24

/* A part of the text of a rule */
struct graph_token {
	u16			start;
	u16			len;
};

/**
 * struct graph_comparison - a comparison in an expression, or a test for errors
 * @name:	the name of the value, or "error"
 * @op:		the operator; of a test for errors, the list of errors, which may be empty
 * @constant:	the constant, with its quotes, or the name of another value; of a test for
 *		errors, the place after it
 * @quote:	the quote of the constant, or 0
 * @is_error:	this is a test for errors
 * @at_return:	in a list of members: it is read at the return
 * @ns:		the constant, if it is a duration
 */
struct graph_comparison {
	struct graph_token	name;
	struct graph_token	op;
	struct graph_token	constant;
	char			quote;
	bool			is_error;
	bool			at_return;
	u64			ns;
};

/**
 * struct graph_syntax - an expression that was parsed
 * @start:	the start of the expression in the text of the rule
 * @end:	its end
 * @nr:		the number of @comparisons
 * @comparisons: the comparisons. Between them are only parentheses, !, && and ||.
 */
struct graph_syntax {
	u16			start;
	u16			end;
	u16			nr;
	struct graph_comparison	comparisons[GRAPH_EXPR_COMPARISONS];
};

enum graph_source_from {
	GRAPH_FROM_ARG,
	GRAPH_FROM_RESULT,
	/* Behind a pointer that is an argument, or the result */
	GRAPH_FROM_MEMBER,
	GRAPH_FROM_RESULT_MEMBER,
	GRAPH_FROM_TIME,
	/* The error that the result is, or 0 */
	GRAPH_FROM_ERROR,
	/* Values of the task */
	GRAPH_FROM_PID,
	GRAPH_FROM_UID,
	GRAPH_FROM_CPU,
	GRAPH_FROM_COMM,
};

enum graph_source_form {
	GRAPH_UNSIGNED,
	GRAPH_SIGNED,
	/* An error is a negative number. Other addresses are at most S64_MAX. */
	GRAPH_ADDRESS,
	/* For a constant of at least S64_MAX: an error is 0. */
	GRAPH_HIGH_ADDRESS,
	GRAPH_TEXT,
};

/**
 * struct graph_source - the place of a value that is compared
 * @from:	enum graph_source_from
 * @form:	enum graph_source_form
 * @word:	the index of its first word
 * @words:	the number of its words
 * @bytes:	the number of bytes that it takes in these words
 * @kind:	enum fgraph_form
 * @than:	if not 0, the number is -1, 0 or 1, depending on whether it is less than,
 *		equal to or greater than the number with index @than - 1
 * @member:	the ID of a member; while it is compiled, its index in the compiler plus one
 *
 * There is no padding, because sources are compared by their bytes.
 */
struct graph_source {
	u8			from;
	u8			form;
	u8			word;
	u8			words;
	u8			bytes;
	u8			kind;
	u16			than;
	u16			member;
};

/**
 * struct graph_sources - the values of a call that an expression compares
 * @numbers:	the numbers
 * @texts:	the pointers to text or to objects with a name
 * @nr_numbers:	the number of @numbers
 * @nr_texts:	the number of @texts
 */
struct graph_sources {
	struct graph_source	numbers[GRAPH_EXPR_NUMBERS];
	struct graph_source	texts[GRAPH_EXPR_TEXTS];
	u8			nr_numbers;
	u8			nr_texts;
};

/**
 * struct graph_program - an expression that was compiled
 * @list:	for the owner
 * @actions:	for the owner: the actions of the rule, bits of enum graph_action
 * @sources:	the values that it compares
 * @filter:	the comparisons
 * @text:	the text of @filter
 */
struct graph_program {
	struct list_head	list;
	unsigned int		actions;
	struct graph_sources	sources;
	struct event_filter	*filter;
	char			text[];
};

/* The maximum length of a hint about an error */
#define GRAPH_HINT_BYTES	80
/* The maximum length of the type of a member that is compared */
#define GRAPH_EXPR_TYPE		96

/**
 * struct graph_expr_member - a member that an expression compares
 * @path:	the way to it
 * @token:	its text
 * @value:	its type
 * @type:	the text of the type
 */
struct graph_expr_member {
	struct graph_path	path;
	struct graph_token	token;
	struct fgraph_value	value;
	char			type[GRAPH_EXPR_TYPE];
};

/**
 * struct graph_compiler - an expression that is compiled for a function
 * @line:	the rule
 * @syntax:	the expression
 * @func:	the address of the function
 * @regs:	the number of argument registers to hold at the entry
 * @stack:	the number of words on the stack to hold
 * @plan:	the plan of the names to read, see trace_graph_name.h
 * @list:	the members to read at the entry
 * @results:	the members to show at the return
 * @members:	the members that the expression compares
 * @nr_members:	the number of @members
 * @sources:	the values to compare
 * @text:	the text of the filter
 * @error:	enum graph_rule_error: the reason if the function was refused
 * @at:		the place of @error in @line
 * @hint:	what may be meant, or ""
 * @buffer:	the memory of @text
 */
struct graph_compiler {
	const char		*line;
	const struct graph_syntax *syntax;
	unsigned long		func;
	u8			regs;
	u8			stack;
	u32			plan;
	struct graph_member_list list;
	struct graph_member_list results;
	struct graph_expr_member members[GRAPH_CALL_MEMBERS];
	u8			nr_members;
	struct graph_sources	sources;
	struct seq_buf		text;
	u8			error;
	u16			at;
	char			hint[GRAPH_HINT_BYTES];
	char			buffer[PAGE_SIZE];
};

/**
 * struct graph_operands - the values of a call, at its return
 * @call:	the call
 * @sleep_time:	the duration includes sleep
 * @args:	the words of its arguments, as at the entry
 * @nr_args:	the number of @args
 * @names:	the names of its arguments, as at the entry
 * @nr_names:	the number of words in @names
 * @result_name: the name of the result
 * @nr_result_name: the number of words in @result_name
 */
struct graph_operands {
	struct fgraph_call	*call;
	bool			sleep_time;
	const unsigned long	*args;
	unsigned int		nr_args;
	const unsigned long	*names;
	unsigned int		nr_names;
	const unsigned long	*result_name;
	unsigned int		nr_result_name;
};

int graph_parse_expr(const struct rule_text *text, const char *expr,
		     struct graph_syntax *syntax);
int graph_parse_list(const struct rule_text *text, const char *list,
		     struct graph_syntax *syntax);
bool graph_compile_expr(struct graph_compiler *c, unsigned long func);
bool graph_compile_list(struct graph_compiler *c, unsigned long func);
struct graph_program *graph_make_program(struct graph_compiler *c);
void graph_free_program(struct graph_program *program);
bool graph_run_program(const struct graph_program *program,
		       const struct graph_operands *operands);

#endif /* _KERNEL_TRACE_GRAPH_EXPR_H */
