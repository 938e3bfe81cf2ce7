// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "branch.h"
#include "listing.h"
#include "place.h"

/* The longest condition, and the longest block below one, in lines */
#define MAX_LINES	24

/* How far above a line the condition begins that it is part of, or whose branch it is in */
#define MAX_ABOVE	6

/* Is the "-" at @at that of a value, and not of a comparison? */
static bool is_value(const char *text, const char *at)
{
	while (at > text && isspace((unsigned char)at[-1]))
		at--;
	if (at >= text + 2 && at[-1] == '=')
		return !strchr("=!<>", at[-2]);
	return at > text && !(at >= text + 4 && !strncmp(at - 4, "case", 4));
}

bool names_error(const char *text, const char *error)
{
	const char *at = text;
	size_t length;

	while ((at = strstr(at, "-E"))) {
		const char *name = at + 1;

		length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		if (length > 1 && is_value(text, at) &&
		    (!error || (strlen(error) == length && !strncmp(name, error, length))))
			return true;
		at = name;
	}
	return false;
}

static const char *skip_spaces(const char *text)
{
	return text + strspn(text, " ");
}

/* A walk over the lines of a file */
struct reader {
	const char	*file;
	unsigned int	line;
	char		*text;
};

static bool read_next(struct reader *reader)
{
	free(reader->text);
	reader->text = copy_source_line(reader->file, ++reader->line);
	return reader->text;
}

/* Go on to the next line with code. Comments are those that begin a line. */
static bool read_code(struct reader *reader)
{
	const char *text;

	while (read_next(reader)) {
		text = skip_spaces(reader->text);
		if (*text && strncmp(text, "/*", 2) && *text != '*')
			return true;
	}
	return false;
}

/* How many parentheses of @text are left open; @end is set after the one that closes all. */
static int count_open(const char *text, int open, const char **end)
{
	char quote = '\0';

	*end = NULL;
	for (; *text; text++) {
		if (quote) {
			if (*text == '\\' && text[1])
				text++;
			else if (*text == quote)
				quote = '\0';
		} else if (*text == '"' || *text == '\'') {
			quote = *text;
		} else if (*text == '(') {
			open++;
		} else if (*text == ')' && !--open) {
			*end = text + 1;
			return 0;
		}
	}
	return open;
}

static bool is_jump(const char *text)
{
	static const char *const words[] = { "return", "goto ", "break;" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

static bool is_label(const char *text)
{
	size_t length = strlen(text);

	return length && text[length - 1] == ':';
}

/* Find the statement that is executed after a condition that is false. */
static void find_next(struct branch *branch, struct reader *reader)
{
	const char *text;

	if (!strstr(reader->text, "} else") && !read_code(reader))
		return;
	text = skip_spaces(reader->text);
	if (!strncmp(text, "else", 4) || !strncmp(text, "} else", 6)) {
		/* The other branch is not executed, so this one needs no jump. */
		branch->jumps = true;
		if (!strstr(text, "if (") && !read_code(reader))
			return;
	}
	if (!is_label(reader->text))
		branch->next = reader->line;
}

/*
 * Read the statements of a branch. @rest is after the condition, in its line. A line that is
 * indented further than the first statement is below another condition.
 */
static void read_branch(struct branch *branch, struct reader *reader, const char *rest,
			const char *error)
{
	unsigned int end = reader->line + MAX_LINES;
	bool is_block = strchr(rest, '{');
	size_t indent = 0;

	do {
		if (!read_code(reader))
			return;
		indent = indent ?: strspn(reader->text, " ");
		if (strspn(reader->text, " ") == indent) {
			if (names_error(reader->text, error))
				branch->line = reader->line;
			branch->jumps |= is_jump(reader->text);
			branch->has_goto |= !!strstr(reader->text, "goto ");
		}
	} while (reader->line < end && strspn(reader->text, " ") >= indent &&
		 (is_block || !strchr(reader->text, ';')));
	find_next(branch, reader);
}

/* Read the branch of the condition that begins in a line and reaches @last, if there is one. */
static bool read_condition(struct branch *branch, const char *file, unsigned int line,
			   unsigned int last, const char *error)
{
	struct reader reader = { file, line - 1, NULL };
	const char *rest = NULL, *text;
	int open = 0;
	bool found;

	*branch = (struct branch){ };
	if (!read_next(&reader))
		return false;
	text = skip_spaces(reader.text);
	if (!strncmp(text, "} else ", 7) || !strncmp(text, "else ", 5))
		text = strstr(text, "else ") + 5;
	if (!strncmp(text, "if (", 4)) {
		open = count_open(text, 0, &rest);
		while (open > 0 && reader.line < line + MAX_LINES && read_next(&reader))
			open = count_open(reader.text, open, &rest);
	}
	found = rest && reader.line >= last;
	if (found)
		read_branch(branch, &reader, rest, error);
	free(reader.text);
	return found;
}

static bool is_assignment(const char *text)
{
	return strstr(text, " = -E") && strchr(text, ';');
}

/* "error = -EINVAL; if (...) goto out;": return the line of the assignment above, or 0. */
static unsigned int find_assignment(const char *file, unsigned int condition, const char *error)
{
	unsigned int line = condition, found = 0;
	size_t indent = SIZE_MAX;
	bool is_end = false;
	char *text;

	while (!is_end && line && line + MAX_LINES > condition) {
		text = copy_source_line(file, line);
		if (text && indent == SIZE_MAX)
			indent = strspn(text, " ");
		is_end = !text || *text == '{' ||
			(strspn(text, " ") == indent && is_assignment(text));
		if (text && is_end && names_error(text, error))
			found = line;
		free(text);
		line--;
	}
	return found;
}

bool find_branch(struct branch *branch, const struct place *place, const char *error)
{
	unsigned int line;

	for (line = place->line; line && line + MAX_ABOVE > place->line; line--) {
		if (!read_condition(branch, place->file, line, place->line, error))
			continue;
		if (!branch->line && branch->has_goto)
			branch->line = find_assignment(place->file, line, error);
		return true;
	}
	return false;
}

bool find_check(struct branch *check, const struct place *call)
{
	struct reader reader = { call->file, call->line - 1, NULL };
	unsigned int end = call->line + MAX_LINES;
	bool found = false;

	/* The end of the statement, and the next one */
	while (read_next(&reader) && !strchr(reader.text, ';') && reader.line < end)
		;
	if (reader.text && read_code(&reader))
		found = read_condition(check, call->file, reader.line, 0, NULL);
	free(reader.text);
	return found;
}

bool is_in_branch(const struct place *place, const char *error)
{
	struct branch branch;
	unsigned int line;

	for (line = place->line; line && line + MAX_ABOVE > place->line; line--)
		if (read_condition(&branch, place->file, line, 0, error) &&
		    branch.line == place->line)
			return true;
	return false;
}
