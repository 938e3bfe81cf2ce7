/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings of JSON.
 */
#ifndef FGRAPH_QUOTE_H
#define FGRAPH_QUOTE_H

#include <stdio.h>

/*
 * Print a string with its quotes. A byte that is not UTF-8 becomes "?". No "<" is in it, so that
 * it may be in a script of a page.
 */
void print_json_string(FILE *out, const char *text);

/* Print a comma, and a member of an object whose value is a string. */
void print_json_member(FILE *out, const char *name, const char *value);

#endif
