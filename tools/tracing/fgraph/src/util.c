// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fgraph.h"

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

bool complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_complaint(format, args);
	va_end(args);
	return false;
}

void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		die("out of memory");
	return memory;
}

char *copy_text(const char *text)
{
	return print_text("%s", text);
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

char *read_file(int dir, const char *name)
{
	size_t size = 0, room = 4096;
	char *text = allocate(room);
	ssize_t length = -1;
	int fd;

	fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		while ((length = read(fd, text + size, room - size - 1)) > 0) {
			size += length;
			text[size] = '\0';
			if (room - size < 2048)
				text = realloc(text, room *= 2);
			if (!text)
				die("out of memory");
		}
		close(fd);
	}
	if (length >= 0)
		return text;
	free(text);
	return NULL;
}
