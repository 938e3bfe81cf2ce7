// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a rule of set_graph_keep: names of errors, durations, and the reasons to
 * refuse a rule.
 */
#include <linux/ctype.h>
#include <linux/errname.h>
#include <linux/kallsyms.h>
#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "trace.h"
#include "trace_graph_word.h"

static const char *graph_rule_errors[] = {
	[RULE_ERR_UNKNOWN]	 =
		"Unknown rule; use error, error:, !error:, null, slow: or FUNCTION: EXPRESSION",
	[RULE_ERR_NO_ERROR_NAME] = "Name of an error expected, such as EINVAL",
	[RULE_ERR_ERROR_NAME]	 = "No error has this name or number",
	[RULE_ERR_NO_ERRORS]	 = "This rule needs a rule 'error' before it",
	[RULE_ERR_NO_SIGNATURES] = "This rule needs signatures, and none are loaded",
	[RULE_ERR_EXPRS]	 = "There are at most 16 rules on values",
	[RULE_ERR_NUL]		 = "A rule must not contain a zero byte",
	[RULE_ERR_NO_RULE]	 = "There is no such rule to remove",
	[RULE_ERR_COMMA]	 = "Comma expected between two errors",
	[RULE_ERR_LENGTH]	 = "One write has at most 4096 bytes",

	[DURATION_ERR_NUMBER]	= "Invalid duration, expected e.g. 100us",
	[DURATION_ERR_UNIT]	= "Unknown unit; use ns, us, ms or s",

	[ACTION_ERR_UNKNOWN]	 = "Unknown action; use stop, snapshot or stack",
	[ACTION_ERR_NO_SNAPSHOT] = "This kernel cannot take snapshots (CONFIG_TRACER_SNAPSHOT)",
	[ACTION_ERR_NO_STACK]	 = "This kernel cannot record stacks (CONFIG_STACKTRACE)",

	[EXPR_ERR_GLOB]		= "No function that can be traced has this name",
	[EXPR_ERR_MEMORY]	= "Rules on values need more than 16 MB; name fewer functions",
	[EXPR_ERR_VALUE]	= "Name of a value expected, such as an argument, ret or time",
	[EXPR_ERR_NOT]		= "Parenthesis expected after !",
	[EXPR_ERR_OP]		= "Operator expected: == != < <= > >= & or ~",
	[EXPR_ERR_CONSTANT]	= "Number, name or text expected",
	[EXPR_ERR_QUOTE]	= "Unterminated string",
	[EXPR_ERR_LONG]		= "A text has at most 64 bytes",
	[EXPR_ERR_AND_OR]	= "&& or || expected",
	[EXPR_ERR_OPEN]		= "Unmatched closing parenthesis",
	[EXPR_ERR_CLOSE]	= "Closing parenthesis expected",
	[EXPR_ERR_COMPARISONS]	= "An expression has at most 16 comparisons",
	[EXPR_ERR_NO_SIGNATURE]	= "The function has no signature",
	[EXPR_ERR_NO_VALUE]	= "The function has no argument of this name",
	[EXPR_ERR_REMOVED]	= "The compiler removed this value",
	[EXPR_ERR_TYPE]		= "Values of this type cannot be compared",
	[EXPR_ERR_ARGS]		= "The function has too many arguments to compare one",
	[EXPR_ERR_NO_TEXT]	= "This value has no string",
	[EXPR_ERR_TEXT_OP]	= "A text needs == != or ~",
	[EXPR_ERR_NUMBER_OP]	= "Only a text can be compared with ~",
	[EXPR_ERR_RANGE]	= "The type has no such value",
	[EXPR_ERR_NAME]		= "Neither an error nor a value of the type has this name",
	[EXPR_ERR_NUMBERS]	= "An expression compares at most 8 different numbers",
	[EXPR_ERR_TEXTS]	= "Rules compare the texts of at most 2 arguments of a function",
	[EXPR_ERR_SIZE]		= "The expression is too long",
	[EXPR_ERR_NEVER]	= "A value of this type is never less than 0",
	[EXPR_ERR_PAIR_OP]	= "Two values cannot be compared with &",
	[EXPR_ERR_NO_POINTER]	= "What is before this is no pointer",
	[EXPR_ERR_NO_STRUCT]	= "What is before this is no struct",
	[EXPR_ERR_UNKNOWN_STRUCT] = "The members of this struct are not known",
	[EXPR_ERR_AMBIGUOUS]	= "Several structs have this name",
	[EXPR_ERR_NO_MEMBER]	= "The struct has no such member",
	[EXPR_ERR_INDEX]	= "Number expected",
	[EXPR_ERR_NO_ELEMENT]	= "The array has no such element",
	[EXPR_ERR_PATH_LONG]	= "A value is behind at most 5 pointers",
	[EXPR_ERR_MEMBERS]	= "Rules compare at most 6 members of a function",
	[EXPR_ERR_LIST]		= "Comma expected between two members",
	[EXPR_ERR_NOT_MEMBER]	= "This is no member; the option funcgraph-args shows arguments",
	[SHOW_ERR_COLON]	= "FUNCTION: MEMBER, MEMBER expected",
	[SHOW_ERR_LINES]	= "There are at most 16 lines",
	[EXPR_ERR_NO_ROOM]	= "There is no memory for another member",
	[EXPR_ERR_CUT]		= "Recorded texts have at most 48 bytes, so this is never equal",
};

/**
 * graph_refuse_rule - log why a rule is refused
 * @text:	the rule
 * @error:	the reason
 * @at:		its place in text->line
 *
 * Context: may sleep.
 * Return: -EINVAL.
 */
int graph_refuse_rule(const struct rule_text *text, enum graph_rule_error error,
		      const char *at)
{
	const char *file = text->shows ? "set_graph_show" : "set_graph_keep";
	/* error_log takes 128 bytes. */
	char where[128];

	if (text->func)
		snprintf(where, sizeof(where), "%s: %ps%s%s", file, (void *)text->func,
			 *text->hint ? ": " : "", text->hint);
	else
		strscpy(where, file, sizeof(where));
	tracing_log_err(text->tr, where, text->whole, graph_rule_errors, error,
			at - text->line);
	return -EINVAL;
}

/* Return the text of a reason to refuse a rule. */
const char *graph_rule_reason(enum graph_rule_error error)
{
	return graph_rule_errors[error];
}

static const struct duration_unit {
	const char	*name;
	u64		ns;
} duration_units[] = {
	{ "s", NSEC_PER_SEC }, { "ms", NSEC_PER_MSEC }, { "us", NSEC_PER_USEC }, { "ns", 1 },
};

/* Other names of errors; errname() has one for each */
static const struct {
	const char	*name;
	unsigned int	number;
} error_aliases[] = {
	{ "EWOULDBLOCK", EWOULDBLOCK }, { "EDEADLOCK", EDEADLOCK }, { "ENOTSUP", EOPNOTSUPP },
};

/* Return the number of the error with this name or number, or 0. */
unsigned int graph_find_error(const char *name, size_t len)
{
	unsigned int number = 0, i;
	const char *other;

	for (i = 0; i < ARRAY_SIZE(error_aliases); i++)
		if (strlen(error_aliases[i].name) == len &&
		    !strncmp(error_aliases[i].name, name, len))
			return error_aliases[i].number;

	if (isdigit(*name)) {
		for (i = 0; i < len && isdigit(name[i]) && number <= MAX_ERRNO; i++)
			number = number * 10 + name[i] - '0';
		return i == len && number <= MAX_ERRNO ? number : 0;
	}

	for (i = 1; i <= MAX_ERRNO; i++) {
		other = errname(i);
		if (other && strlen(other) == len && !strncmp(other, name, len))
			return i;
	}
	return 0;
}

/**
 * graph_parse_duration - parse a duration
 * @text:	the rule that contains it
 * @duration:	the duration, such as "100us"
 * @len:	its length
 * @ns:		set to the duration in ns
 *
 * Context: may sleep.
 * Return: 0 on success, or -EINVAL after a line in error_log.
 */
int graph_parse_duration(const struct rule_text *text, const char *duration, size_t len,
			 u64 *ns)
{
	const char *p, *end = duration + len;
	const struct duration_unit *unit;
	u64 number = 0, scale = 1;
	bool point = false;

	for (p = duration; p < end && (isdigit(*p) || (*p == '.' && !point)); p++) {
		point |= *p == '.';
		if (*p == '.')
			continue;
		if (check_mul_overflow(number, 10ULL, &number) ||
		    check_add_overflow(number, (u64)(*p - '0'), &number) ||
		    (point && check_mul_overflow(scale, 10ULL, &scale)))
			return graph_refuse_rule(text, DURATION_ERR_NUMBER, duration);
	}
	if (!number)
		return graph_refuse_rule(text, DURATION_ERR_NUMBER, duration);

	for (unit = duration_units; unit < duration_units + ARRAY_SIZE(duration_units); unit++) {
		if (strlen(unit->name) != end - p || strncmp(p, unit->name, end - p))
			continue;
		if (check_mul_overflow(number, unit->ns, ns) || *ns > S64_MAX)
			return graph_refuse_rule(text, DURATION_ERR_NUMBER, duration);
		*ns = div64_u64(*ns, scale);
		return *ns ? 0 : graph_refuse_rule(text, DURATION_ERR_NUMBER, duration);
	}
	return graph_refuse_rule(text, DURATION_ERR_UNIT, p);
}

/**
 * graph_show_duration - show a duration in the largest unit that needs no fraction
 * @m:		where to
 * @begin:	what is before it
 * @ns:		the duration in ns
 * @end:	what is after it
 *
 * Context: may sleep.
 */
void graph_show_duration(struct seq_file *m, const char *begin, u64 ns, const char *end)
{
	const struct duration_unit *unit = duration_units;
	u64 number;
	u32 rest;

	for (;; unit++) {
		number = div_u64_rem(ns, unit->ns, &rest);
		if (!rest)
			break;
	}
	seq_printf(m, "%s%llu%s%s", begin, number, unit->name, end);
}
