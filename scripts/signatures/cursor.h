/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers in the byte order of a file, and cursors, which read the content of a section.
 *
 * relocate.h loads a section and opens a cursor. dwarf_form.h reads debug information
 * through cursors.
 */
#ifndef SIGNATURES_CURSOR_H
#define SIGNATURES_CURSOR_H

#include "elf.h"

/* Reads a section from @pos to @end. */
struct cursor {
	const struct section *section;
	size_t pos;
	size_t end;
};

struct cursor cursor_at(const struct section *section, size_t pos);
uint64_t read_uint(struct cursor *cursor, unsigned int bytes);
uint64_t read_uleb(struct cursor *cursor);
int64_t read_sleb(struct cursor *cursor);
const char *read_string(struct cursor *cursor);
void skip_bytes(struct cursor *cursor, uint64_t bytes);

uint64_t get_uint(const struct file *file, const unsigned char *bytes, unsigned int nr);
void put_uint(const struct file *file, unsigned char *bytes, unsigned int nr, uint64_t value);
void put_u32(const struct file *file, unsigned char *bytes, uint32_t value);

#endif /* SIGNATURES_CURSOR_H */
