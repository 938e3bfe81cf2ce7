// SPDX-License-Identifier: GPL-2.0
#include "quote.h"
#include "text.h"

static void print_character(FILE *out, const char *text, size_t length)
{
	if (!length)
		fputc('?', out);
	else if (*text == '"' || *text == '\\')
		fprintf(out, "\\%c", *text);
	else if ((unsigned char)*text < ' ' || *text == '<')
		fprintf(out, "\\u%04x", *text);
	else
		fprintf(out, "%.*s", (int)length, text);
}

void print_json_string(FILE *out, const char *text)
{
	size_t length;

	fputc('"', out);
	for (; *text; text += length ?: 1) {
		length = utf8_length(text);
		print_character(out, text, length);
	}
	fputc('"', out);
}

void print_json_member(FILE *out, const char *name, const char *value)
{
	fputc(',', out);
	print_json_string(out, name);
	fputc(':', out);
	print_json_string(out, value);
}
