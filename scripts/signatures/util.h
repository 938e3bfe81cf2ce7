/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers that use no other file: errors, memory, files, arrays, trees.
 *
 * elf.h adds die_at() and die_elf() for errors in ELF files.
 */
#ifndef SIGNATURES_UTIL_H
#define SIGNATURES_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

/* Makes room for @more elements after the @nr elements of the array. */
#define grow_by(array, nr, room, more) do {					\
	if ((nr) + (more) > (room)) {						\
		(room) = 2 * (room) + (more) + 15;				\
		(array) = xrealloc(array, room, sizeof(*(array)));		\
	}									\
} while (0)

#define grow(array, nr, room)	grow_by(array, nr, room, 1)

typedef bool below_fn(const void *element, const void *key);

void set_program_name(const char *name);
void __attribute__((noreturn, format(printf, 1, 2))) die(const char *fmt, ...);
void *xrealloc(void *old, size_t nr, size_t size);
void *xcalloc(size_t nr, size_t size);
void *find_by_offset(void *const *tree, size_t offset);
void add_by_offset(void **tree, void *thing);
void write_bytes(const char *name, int flags, uint64_t offset, const void *bytes, size_t size);
int compare_uints(uint64_t a, uint64_t b);
size_t count_below(const void *key, const void *array, size_t nr, size_t size,
		   below_fn *is_below);

#endif /* SIGNATURES_UTIL_H */
