// SPDX-License-Identifier: GPL-2.0
/*
 * Words of the rules of set_graph_keep: names of errors, and durations.
 */
#include <linux/ctype.h>
#include <linux/errname.h>
#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "trace.h"
#include "trace_graph_keep.h"

enum duration_error { DURATION_ERR_NUMBER, DURATION_ERR_UNIT };

static const char *duration_errors[] = {
	[DURATION_ERR_NUMBER]	= "Invalid duration, expected e.g. 100us",
	[DURATION_ERR_UNIT]	= "Unknown unit; use ns, us, ms or s",
};

static int refuse_duration(const struct rule_text *text, enum duration_error error,
			   const char *at)
{
	tracing_log_err(text->tr, "set_graph_keep", text->whole, duration_errors, error,
			at - text->line);
	return -EINVAL;
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
			return refuse_duration(text, DURATION_ERR_NUMBER, duration);
	}
	if (!number)
		return refuse_duration(text, DURATION_ERR_NUMBER, duration);

	for (unit = duration_units; unit < duration_units + ARRAY_SIZE(duration_units); unit++) {
		if (strlen(unit->name) != end - p || strncmp(p, unit->name, end - p))
			continue;
		if (check_mul_overflow(number, unit->ns, ns) || *ns > S64_MAX)
			return refuse_duration(text, DURATION_ERR_NUMBER, duration);
		*ns = div64_u64(*ns, scale);
		return *ns ? 0 : refuse_duration(text, DURATION_ERR_NUMBER, duration);
	}
	return refuse_duration(text, DURATION_ERR_UNIT, p);
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
