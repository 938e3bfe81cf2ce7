// SPDX-License-Identifier: GPL-2.0
/*
 * The text of signatures, in the format of include/linux/fgraph_sig_format.h, and the
 * section of strings.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "util.h"

/* Signatures of real functions are far shorter. */
#define MAX_TEXT	(64 << 10)

static void end_text(struct text *text)
{
	grow_by(text->bytes, text->length, text->room, 2);
	text->bytes[text->length] = 0;
}

/* Return: an empty text. The caller frees its bytes. */
struct text begin_text(void)
{
	struct text text = { 0 };

	end_text(&text);
	return text;
}

void add_char(struct text *text, char c)
{
	text->too_long |= text->length + 1 >= MAX_TEXT;
	if (text->too_long)
		return;
	text->bytes[text->length++] = c;
	end_text(text);
}

void add_text(struct text *text, const char *fmt, ...)
{
	char buffer[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buffer, sizeof(buffer), fmt, args);
	va_end(args);
	for (const char *c = buffer; *c; c++)
		add_char(text, *c);
}

/* Removes the end of a text, which then has @length bytes. */
void cut_text(struct text *text, size_t length)
{
	text->length = length;
	text->bytes[length] = 0;
}

static const char *const common_names[] = { FGRAPH_COMMON_NAMES };

/* Adds a name with its length. @name is NULL for an anonymous type or parameter. */
void add_name(struct text *text, const char *name)
{
	size_t length = name ? strnlen(name, FGRAPH_MAX_NAME) : 0;

	for (size_t i = 0; name && i < ARRAY_SIZE(common_names); i++) {
		if (!strcmp(name, common_names[i])) {
			add_char(text, FGRAPH_FIRST_COMMON + i);
			return;
		}
	}
	add_char(text, '0' + length);
	for (size_t i = 0; i < length; i++)
		add_char(text, name[i]);
}

/* Prints a string of the table, with its common names spelled out. */
void print_string(const char *string)
{
	for (; *string; string++) {
		size_t i = (unsigned char)*string - FGRAPH_FIRST_COMMON;

		if (i < ARRAY_SIZE(common_names))
			printf("%c%s", (char)('0' + strlen(common_names[i])),
			       common_names[i]);
		else
			putchar(*string);
	}
	putchar('\n');
}

struct string {
	const struct strings *strings;
	size_t offset;
};

static int compare_strings(const void *a, const void *b)
{
	const struct string *x = a, *y = b;

	return strcmp(x->strings->bytes + x->offset, y->strings->bytes + y->offset);
}

/*
 * Adds a string, unless the section contains it. The linker merges the strings of the
 * kernel's objects, but not the strings of a module.
 * Return: the offset of the string.
 */
size_t add_string(struct strings *strings, const struct text *text)
{
	struct string *new = xcalloc(1, sizeof(*new)), **node;
	size_t size = text->length + 1;

	grow_by(strings->bytes, strings->length, strings->room, size);
	memcpy(strings->bytes + strings->length, text->bytes, size);
	*new = (struct string){ strings, strings->length };
	node = tsearch(new, &strings->tree, compare_strings);
	if (!node)
		die("no memory for a tree");
	if (*node == new)
		strings->length += size;
	else
		free(new);
	return (*node)->offset;
}

void free_strings(struct strings *strings)
{
	tdestroy(strings->tree, free);
	free(strings->bytes);
}
