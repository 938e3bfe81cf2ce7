/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions in the source, and the statements below them:
 *
 *	1459	if (new_rlim->rlim_cur > new_rlim->rlim_max)
 *	1460		return -EINVAL;
 *	1461	if (resource == RLIMIT_NOFILE &&
 *
 * The text is that of kernel style: a statement begins in a line of its own.
 */
#ifndef FGRAPH_BRANCH_H
#define FGRAPH_BRANCH_H

#include <stdbool.h>

struct place;

/**
 * struct branch - what is executed if a condition is true
 * @line:	the line that yields the error, 1460 above; or 0
 * @next:	the line of the next statement, 1461 above; 0 if that is a label or not known
 * @jumps:	the next statement is not executed
 * @has_goto:	it jumps to a label
 *
 * If it only jumps to a label, the error may be in an assignment above the condition.
 */
struct branch {
	unsigned int	line;
	unsigned int	next;
	bool		jumps;
	bool		has_goto;
};

/**
 * names_error - see whether a statement can yield an error
 * @text:	a line of the source
 * @error:	the error, such as EINVAL; NULL for any
 *
 * Return: true for "return -EINVAL;", false for "if (err == -EINVAL)".
 */
bool names_error(const char *text, const char *error);

/**
 * find_branch - find what is below a condition
 * @branch:	is filled in
 * @place:	a line of the condition
 * @error:	the error, such as EINVAL
 *
 * Return: false if the line is not part of a condition, or if there is no source.
 */
bool find_branch(struct branch *branch, const struct place *place, const char *error);

/**
 * find_check - find what is below the condition after a call, such as "if (err) return err;"
 * @check:	is filled in
 * @call:	a statement with a call
 *
 * Return: false if the next statement is not a condition.
 */
bool find_check(struct branch *check, const struct place *call);

/* Return true if a line is the one of a branch that yields an error. */
bool is_in_branch(const struct place *place, const char *error);

#endif
