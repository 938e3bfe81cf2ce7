// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "capability.h"
#include "options.h"
#include "stream.h"
#include "text.h"
#include "util.h"

/* A hexadecimal number of more digits counts as an address. */
#define MAX_DIGITS	6

static const char *color(const char *code)
{
	return options.color ? code : "";
}

const char *bold(void)
{
	return color("\033[1m");
}

const char *red(void)
{
	return color("\033[31m");
}

const char *dim(void)
{
	return color("\033[2m");
}

const char *plain(void)
{
	return color("\033[0m");
}

static bool is_address(const char *value)
{
	return !strncmp(value, "0x", 2) &&
	       strspn(value + 2, "0123456789abcdef") > MAX_DIGITS;
}

/* Find the text or the symbol that an address stands for. Return NULL if there is none. */
static const char *find_name(const char *value)
{
	const char *note = strstr(value, " (");

	if (!note || !strncmp(note, " (0x", 4) || !strcmp(note, " (by reference)"))
		return NULL;
	return note + 2;
}

/* True for a member, such as "file->f_pos=0" or "*pos=0". Somebody asked for it. */
static bool is_member(const char *arg)
{
	return strcspn(arg, "*-.[") < strcspn(arg, "=");
}

/* Print one argument. Return false if it is left out. */
static bool print_arg(FILE *out, const char *arg, const char *separator)
{
	const char *value = strchr(arg, '='), *name;

	if (is_member(arg)) {
		fprintf(out, "%s%s", separator, arg);
		return true;
	}
	if (!value || value[1] == '<' || value[1] == '{')
		return false;
	value++;
	name = !strncmp(arg, "cap=", 4) ? capability_name(value) : NULL;
	if (name) {
		fprintf(out, "%scap=%s", separator, name);
		return true;
	}
	if (!is_address(value)) {
		fprintf(out, "%s%s", separator, arg);
		return true;
	}
	name = find_name(value);
	if (!name)
		return false;
	/* Without the parenthesis at its end */
	fprintf(out, "%s%.*s%.*s", separator, (int)(value - arg), arg,
		(int)strlen(name) - 1, name);
	return true;
}

/* Cut the next argument off. Return NULL at the end. */
static char *next_arg(char **rest)
{
	char *arg = *rest;

	if (!*arg)
		return NULL;
	*rest = strstr(arg, ", ");
	if (*rest) {
		**rest = '\0';
		*rest += strlen(", ");
	} else {
		*rest = arg + strlen(arg);
	}
	return arg;
}

void print_args(FILE *out, const char *args)
{
	const char *separator = "";
	bool left_out = false;
	char *copy, *arg, *rest;

	if (!args || options.verbose) {
		fprintf(out, "(%s)", args ?: "…");
		return;
	}
	copy = copy_text(args);
	rest = copy;
	fputc('(', out);
	while ((arg = next_arg(&rest))) {
		if (print_arg(out, arg, separator)) {
			separator = ", ";
			left_out = false;
		} else if (!left_out) {
			fprintf(out, "%s…", separator);
			separator = ", ";
			left_out = true;
		}
	}
	fputc(')', out);
	free(copy);
}

static bool is_new_text(const char *arg, char **seen)
{
	const char *value = strchr(arg, '='), *name;
	char *longer;

	if (is_member(arg))
		return true;
	name = value && is_address(value + 1) ? find_name(value + 1) : NULL;
	if (!name || *name != '"' || (*seen && strstr(*seen, name)))
		return false;
	longer = print_text("%s%s", *seen ?: "", name);
	free(*seen);
	*seen = longer;
	return true;
}

void print_new_texts(FILE *out, const char *args, char **seen)
{
	const char *separator = "";
	char *copy, *arg, *rest;

	if (!args)
		return;
	copy = copy_text(args);
	rest = copy;
	while ((arg = next_arg(&rest))) {
		if (!is_new_text(arg, seen))
			continue;
		fputs(*separator ? "" : "(", out);
		print_arg(out, arg, separator);
		separator = ", ";
	}
	fputs(*separator ? ")" : "", out);
	free(copy);
}

void print_result(FILE *out, const struct call *call)
{
	const char *name;

	if (!call->ret)
		return;
	name = options.verbose || !is_address(call->ret) ? NULL : find_name(call->ret);
	if (call->error)
		fprintf(out, " = %s%d (%s)%s", red(), call->is_negated ? -call->error : call->error,
			call->error_name, plain());
	else if (name)
		fprintf(out, " = %.*s", (int)strlen(name) - 1, name);
	else
		fprintf(out, " = %s", options.verbose || !is_address(call->ret) ?
			call->ret : "…");
	if (call->results)
		fprintf(out, ", %s", call->results);
}

void print_call(FILE *out, const struct call *call)
{
	fputs(call->func, out);
	print_args(out, call->args);
	print_result(out, call);
}

void print_ns(FILE *out, unsigned long long ns)
{
	if (ns < 1000000)
		fprintf(out, "%.1f us", ns / 1e3);
	else if (ns < 1000000000)
		fprintf(out, "%.1f ms", ns / 1e6);
	else
		fprintf(out, "%.1f s", ns / 1e9);
}

void print_ns_column(FILE *out, int width, unsigned long long ns)
{
	struct text text;
	char *time;

	print_ns(open_text(&text), ns);
	time = close_text(&text);
	fprintf(out, "%*s", width, time);
	free(time);
}

/* The size of the character at @text if it does more than to be shown, or 0 */
static size_t control_bytes(const unsigned char *text)
{
	if ((text[0] < 0x20 && text[0] != '\t') || text[0] == 0x7f)
		return 1;
	/* U+0080 to U+009F */
	if (text[0] == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0)
		return 2;
	/* U+061C */
	if (text[0] == 0xd8 && text[1] == 0x9c)
		return 2;
	/* U+200E, U+200F, U+2028 to U+202E, and U+2066 to U+2069 */
	if (text[0] == 0xe2 && text[1] == 0x80 &&
	    (text[2] == 0x8e || text[2] == 0x8f || (text[2] >= 0xa8 && text[2] <= 0xae)))
		return 3;
	if (text[0] == 0xe2 && text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9)
		return 3;
	return 0;
}

void clean_text(char *text)
{
	size_t bytes;

	while (*text) {
		bytes = control_bytes((unsigned char *)text);
		if (bytes)
			memset(text, '?', bytes);
		text += bytes ?: 1;
	}
}

size_t utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t length, i;

	if (byte[0] < 0x80)
		return 1;
	if (byte[0] < 0xc2 || byte[0] > 0xf4)
		return 0;
	length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
	for (i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	/* Too long, a surrogate, or too large */
	if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
	    (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f))
		return 0;
	return length;
}
