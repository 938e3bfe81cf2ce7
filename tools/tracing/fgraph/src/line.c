// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"

/* Skip the column of the time, if there is one: "   12.345678 |  " */
#define TIME_END	" |  "

static char *parse_time(char *text, struct line *line)
{
	char *begin = text + strspn(text, " "), *point, *end;
	unsigned long long seconds = strtoull(begin, &point, 10), us;

	if (point == begin || *point++ != '.')
		return text;
	us = strtoull(point, &end, 10);
	if (end - point != 6 || strncmp(end, TIME_END, strlen(TIME_END)))
		return text;
	line->time_us = seconds * 1000000 + us;
	return end + strlen(TIME_END);
}

/* No call takes longer than some years. */
#define MAX_US		1e14

/* Return the nanoseconds of "12.345", or 0 if that is not a duration. */
static unsigned long long parse_us(const char *text, char **end)
{
	double us = strtod(text, end);

	return us >= 0 && us < MAX_US ? us * 1000 + 0.5 : 0;
}

/*
 * Skip the column of the duration, which is at least so wide. Return NULL if @at does not
 * begin with one.
 */
#define DURATION_WIDTH	14

static char *parse_duration(char *at, struct line *line)
{
	const char *begin = at;
	char *end;

	at += strspn(at, " +!#*@$");
	if (isdigit(*at)) {
		line->ns = parse_us(at, &end);
		if (strncmp(end, " us", 3))
			return NULL;
		at = end + 3;
		at += strspn(at, " ");
	}
	return at - begin < DURATION_WIDTH || strncmp(at, "|  ", 3) ? NULL : at + 3;
}

/* Linux has no larger thread ID. */
#define MAX_PID		4194304

/*
 * Skip the columns of the task and the duration. The name of a task may contain anything,
 * also a dash and a bar, but it has no room for the column of the duration.
 */
static char *parse_columns(char *text, struct line *line)
{
	char *dash, *end, *body;
	long pid;

	for (dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-')) {
		if (!isdigit(dash[1]))
			continue;
		pid = strtol(dash + 1, &end, 10);
		if (pid > MAX_PID)
			continue;
		line->pid = pid;
		end += strspn(end, " ");
		if (*end != '|')
			continue;
		body = parse_duration(end + 1, line);
		if (!body)
			continue;
		*dash = '\0';
		line->task = text + strspn(text, " ");
		return body;
	}
	return NULL;
}

/* If @text ends with @end, cut it off. */
static bool cut_end(char *text, const char *end)
{
	size_t length = strlen(text), cut = strlen(end);

	if (length < cut || strcmp(text + length - cut, end))
		return false;
	text[length - cut] = '\0';
	return true;
}

/* Cut " slept=12.345us" off the end. A text in the result may look the same. */
static void cut_slept(char *text, struct line *line)
{
	char *last = strrchr(text, ' '), *end;
	unsigned long long ns;

	if (!last || strncmp(last, " slept=", strlen(" slept=")))
		return;
	ns = parse_us(last + strlen(" slept="), &end);
	if (strcmp(end, "us"))
		return;
	line->slept_ns = ns;
	*last = '\0';
}

/* The end of a value, with its note: a text in it has no parenthesis. */
static char *find_value_end(char *value)
{
	char *end = value + strcspn(value, *value == '{' ? "}" : " ");

	end += *end == '}';
	if (strncmp(end, " (", 2))
		return end;
	end += strcspn(end, ")");
	return end + (*end == ')');
}

/* Parse what a comment contains after the function: the result, members and marks. */
static void parse_result(char *text, struct line *line)
{
	char *end;

	line->missed = cut_end(text, " missed");
	line->repeated = cut_end(text, " repeated");
	cut_slept(text, line);
	text = strstr(text, " ret=");
	if (!text)
		return;
	line->ret = text + strlen(" ret=");
	end = find_value_end(line->ret);
	if (*end)
		line->results = end + 1;
	*end = '\0';
}

/* } / * vfs_read ret=-5 (EIO) * / */
static void parse_return(char *body, struct line *line)
{
	char *name = body + strlen("} /* ");
	size_t length;

	if (strncmp(body, "} /* ", name - body) || !cut_end(name, " */"))
		return;
	parse_result(name, line);
	length = strcspn(name, " ");
	if (!strncmp(name + length, " [", 2))
		length += strcspn(name + length, "]") + 1;
	name[length] = '\0';
	line->func = name;
	line->kind = LINE_RETURN;
}

/* Cut the return address out of a comment: "<-ksys_read+0x6b/0xd0", perhaps with a module. */
static void cut_caller(char *text, struct line *line)
{
	char *end;

	text = strstr(text, "/* <-");
	if (!text)
		return;
	line->caller = text + strlen("/* <-");
	end = line->caller + strcspn(line->caller, " ");
	if (!strncmp(end, " [", 2))
		end += strcspn(end, "]");
	end += *end == ']';
	*end = '\0';
}

/* vfs_read(count=10, ...) { or rw_verify_area(); / * ret=0 * / */
static void parse_entry(char *body, struct line *line)
{
	char *args = strchr(body, '('), *entry, *leaf, *end;

	if (!args)
		return;
	entry = strstr(args, ") {");
	leaf = strstr(args, ");");
	end = entry && (!leaf || entry < leaf) ? entry : leaf;
	if (!end)
		return;
	if (cut_end(end, " */")) {
		parse_result(end, line);
		cut_caller(end, line);
	}
	line->kind = end == entry ? LINE_ENTRY : LINE_LEAF;
	*args++ = '\0';
	*end = '\0';
	line->func = body;
	line->args = strcmp(args, "...") ? args : NULL;
}

static void parse_event(char *body, struct line *line)
{
	if (!cut_end(body, " */"))
		return;
	line->ret = body + strlen("/* ");
	line->kind = LINE_EVENT;
}

void parse_line(char *text, struct line *line)
{
	char *body;

	memset(line, 0, sizeof(*line));
	body = strstr(text, " [LOST ");
	if (body && !strncmp(text, "CPU:", 4)) {
		line->lost = strtoul(body + strlen(" [LOST "), NULL, 10) ?: 1;
		line->kind = LINE_LOST;
		return;
	}
	body = parse_columns(parse_time(text, line), line);
	if (!body)
		return;
	line->depth = strspn(body, " ") / 2;
	body += strspn(body, " ");
	if (*body == '}')
		parse_return(body, line);
	else if (!strncmp(body, "/* ", 3))
		parse_event(body, line);
	else
		parse_entry(body, line);
}

bool is_event(const struct line *line, const char *begin)
{
	return line->kind == LINE_EVENT && !strncmp(line->ret, begin, strlen(begin));
}

/* " 0)   cat-57   =>    sh-58", with a line of dashes before and after it */
static bool is_between_tasks(const char *text)
{
	const char *at = text + strspn(text, " ");

	if (!strncmp(at, "---", 3))
		return true;
	at += strspn(at, "0123456789");
	return !strncmp(at, ") ", 2) && strstr(at, " => ") && !strchr(at, '|');
}

/* "   ==========> |": an interrupt begins, with funcgraph-irqs. A line of a call ends otherwise. */
static bool is_interrupt(const char *text)
{
	static const char begin[] = "==========> |", end[] = "<========== |";
	size_t length = strcspn(text, "\n");

	while (length && text[length - 1] == ' ')
		length--;
	if (length < strlen(begin))
		return false;
	text += length - strlen(begin);
	return !strncmp(text, begin, strlen(begin)) || !strncmp(text, end, strlen(end));
}

bool says_nothing(const char *text)
{
	return *text == '#' || *text == '\0' || is_between_tasks(text) || is_interrupt(text);
}
