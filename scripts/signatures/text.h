/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of signatures, in the format of include/linux/fgraph_sig_format.h, and the
 * section of strings.
 *
 * type.h spells types in this format. encode.h spells whole signatures.
 */
#ifndef SIGNATURES_TEXT_H
#define SIGNATURES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "../../include/linux/fgraph_sig_format.h"

struct text {
	char *bytes;		/* a zero byte follows the text */
	size_t length, room;
	bool too_long;		/* the text was cut */
};

/* The content of the section of strings, without duplicates */
struct strings {
	char *bytes;
	size_t length, room;
	void *tree;		/* the strings, sorted */
};

struct text begin_text(void);
void add_char(struct text *text, char c);
void add_text(struct text *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void cut_text(struct text *text, size_t length);
void add_name(struct text *text, const char *name);
void print_string(const char *string);

size_t add_string(struct strings *strings, const struct text *text);
void free_strings(struct strings *strings);

#endif /* SIGNATURES_TEXT_H */
