/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way from a system call to the function that returned its error, by source lines: the
 * calls of a chain, see chain.h, and the functions that were inlined between them.
 */
#ifndef FGRAPH_STEPS_H
#define FGRAPH_STEPS_H

#include <stdio.h>

struct call;

/*
 * Print a line with each function of the chain of @root, and where in it the next one is
 * called. Print nothing if no such place is known.
 */
void print_steps(FILE *out, const struct call *root);

/* Print the same as a member of a JSON object, with a comma before it. */
void print_steps_in_json(FILE *out, const struct call *root);

#endif
