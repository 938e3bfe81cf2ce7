/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The statement of a way that decided which error a call returned, by the source text.
 */
#ifndef FGRAPH_DECISION_H
#define FGRAPH_DECISION_H

#include <stdbool.h>
#include <stddef.h>

struct step;
struct way;

/**
 * struct decision - where the error was decided
 * @step:	a step; the number of steps if it is not known
 * @depth:	how many functions are around the one with @line
 * @line:	the statement is this line, below the condition in @step, and the way does not
 *		contain it; or 0
 */
struct decision {
	size_t		step;
	size_t		depth;
	unsigned int	line;
};

/**
 * find_decision - find the statement that decided which error is returned
 * @way:	the way, without steps that say nothing
 * @error:	the error, such as EINVAL
 *
 * If statements share code, the way has the line of one of them. So the condition that was
 * evaluated last counts more than a doubtful line.
 */
struct decision find_decision(const struct way *way, const char *error);

/* Return true if the source line of a step yields an error, such as EINVAL. */
bool step_names_error(const struct step *step, const char *error);

#endif
