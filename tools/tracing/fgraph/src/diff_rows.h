/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A system call that differs between two runs, as rows: the good run and the bad one side by
 * side.
 */
#ifndef FGRAPH_DIFF_ROWS_H
#define FGRAPH_DIFF_ROWS_H

#include "difference.h"

/**
 * struct row - a call, or calls that enclose the next row
 * @depth:	how many rows enclose it
 * @good:	text of the good run, NULL if it is not there
 * @bad:	text of the bad run, NULL if it is not there
 * @is_part:	the runs part here
 */
struct row {
	unsigned int	depth;
	char		*good, *bad;
	bool		is_part;
};

/**
 * struct rows - rows in their order
 * @list:	the rows
 * @count:	how many there are
 */
struct rows {
	struct row	*list;
	size_t		count;
};

/**
 * explain_difference - describe a system call that differs, and the calls in it
 * @runs:	the runs
 * @difference:	the system call
 * @part:	gets the calls where the runs part; one is NO_CALL if that is not in both runs
 *
 * Return: the rows. Free them by free_rows().
 */
struct rows explain_difference(const struct runs *runs, const struct difference *difference,
			       struct pair *part);

/* Describe system calls with their arguments and results. */
struct row describe_pair(const struct runs *runs, struct pair root);

/* Return true if the texts of a row are there and equal. */
bool is_same_row(const struct row *row);

void free_rows(struct rows *rows);

#endif
