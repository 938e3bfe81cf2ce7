/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How likely it is that a failure is the reason of what a program does next.
 */
#ifndef FGRAPH_RANK_H
#define FGRAPH_RANK_H

#include "call.h"

/**
 * enum rank - how likely it is that a failure decides what the program does next
 * @RANK_USUAL:	not at all: each program does this, and goes on
 * @RANK_QUESTION: hardly: the program asks what something is, or whether it is there yet
 * @RANK_FAILURE: it may
 */
enum rank { RANK_USUAL, RANK_QUESTION, RANK_FAILURE };

/**
 * find_rank - find the rank of a failure
 * @root:	the system call
 * @brief:	the line about it
 * @texts:	the texts that functions of its chain got
 */
enum rank find_rank(const struct call *root, const char *brief, const char *texts);

/* Return true if programs, or drivers with -r, often go on after the error of a root. */
bool is_expected(const struct call *root);

#endif
