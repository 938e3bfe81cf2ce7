/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How calls are shown: short enough to be read. An address is shown as the text or the
 * symbol that it stands for, or as "…". With -v, each value is shown as the trace has it.
 */
#ifndef FGRAPH_TEXT_H
#define FGRAPH_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "call.h"

/* Print the arguments of a call, in parentheses. */
void print_args(FILE *out, const char *args);

/*
 * Print the arguments that stand for a text which is not in @seen yet, in parentheses, and
 * add the texts to @seen. Print nothing if there are none. The caller frees @seen, which is
 * NULL at first.
 */
void print_new_texts(FILE *out, const char *args, char **seen);

/* Print a function with its arguments and its result. */
void print_call(FILE *out, const struct call *call);

/* Print " = " and the result of a call, or nothing if it has none. */
void print_result(FILE *out, const struct call *call);

/* Print a duration with its unit. */
void print_ns(FILE *out, unsigned long long ns);

/* Print a duration in a column of this width. */
void print_ns_column(FILE *out, int width, unsigned long long ns);

/* The beginning and the end of a highlighted text, empty without colours */
const char *bold(void);
const char *red(void);
const char *dim(void);
const char *plain(void);

/**
 * clean_text - remove what a terminal obeys
 * @text:	a text whose parts other users may have chosen, such as the name of a task
 *
 * Each byte of a control character, or of one that changes the direction of the text, becomes
 * "?".
 */
void clean_text(char *text);

/* The length of the character at @text, or 0 if it is not UTF-8, as in a name that was cut */
size_t utf8_length(const char *text);

#endif
