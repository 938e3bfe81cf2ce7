// SPDX-License-Identifier: GPL-2.0
/* Helpers that use no other file: errors, memory, files, arrays, trees. */
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

static const char *program_name = "recordmcount";

/* Sets the begin of messages. */
void set_program_name(const char *name)
{
	program_name = name;
}

/* Ends the program with a message. */
void die(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", program_name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void *xrealloc(void *old, size_t nr, size_t size)
{
	void *new = reallocarray(old, nr ? nr : 1, size);

	if (!new)
		die("no memory for %zu times %zu bytes", nr, size);
	return new;
}

void *xcalloc(size_t nr, size_t size)
{
	return memset(xrealloc(NULL, nr, size), 0, nr * size);
}

/* Opens a file with @flags, and writes @size bytes at @offset. */
void write_bytes(const char *name, int flags, uint64_t offset, const void *bytes, size_t size)
{
	int fd = open(name, flags, 0666);

	if (fd < 0 || pwrite(fd, bytes, size, offset) != (ssize_t)size || close(fd))
		die("%s: %m", name);
}

/* Return: the order of two numbers, for qsort(). */
int compare_uints(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_offsets(const void *a, const void *b)
{
	return compare_uints(*(const size_t *)a, *(const size_t *)b);
}

/*
 * Return: the element of a tree with this offset, or NULL. Each element begins with its
 * offset.
 */
void *find_by_offset(void *const *tree, size_t offset)
{
	void **node = tfind(&offset, tree, compare_offsets);

	return node ? *node : NULL;
}

void add_by_offset(void **tree, void *thing)
{
	if (!tsearch(thing, tree, compare_offsets))
		die("no memory for a tree");
}

/**
 * count_below - bisect a sorted array
 * @key:	the value to search for
 * @array:	the array
 * @nr:		the number of elements
 * @size:	the size of an element
 * @is_below:	returns true if an element is before @key
 *
 * Return: the number of elements before @key.
 */
size_t count_below(const void *key, const void *array, size_t nr, size_t size,
		   below_fn *is_below)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_below((const char *)array + middle * size, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
