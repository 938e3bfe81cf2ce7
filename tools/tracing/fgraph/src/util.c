// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util.h"

static void print_complaint(const char *format, va_list args)
{
	fflush(stdout);
	fputs("fgraph: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_complaint(format, args);
	exit(EXIT_FGRAPH);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_complaint(format, args);
	va_end(args);
}

void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		die("out of memory");
	return memory;
}

void *reallocate(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory)
		die("out of memory");
	return memory;
}

char *copy_text(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		die("out of memory");
	return copy;
}

char *print_text(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		die("out of memory");
	va_end(args);
	return text;
}

unsigned int hash_text(const char *text)
{
	unsigned int hash = 0;

	for (; *text; text++)
		hash = hash * 31 + *text;
	return hash;
}

bool is_in_list(const char *const *list, const char *text)
{
	for (; *list; list++)
		if (!strcmp(*list, text))
			return true;
	return false;
}

double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec + (now.tv_nsec - start->tv_nsec) / 1e9;
}
