// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers in the byte order of a file, and cursors, which read the content of a section.
 *
 * A cursor is bounded, and the program ends with a message when the cursor would leave its
 * section.
 */
#include <string.h>

#include "cursor.h"

/* Return: the number of @nr bytes. */
uint64_t get_uint(const struct file *file, const unsigned char *bytes, unsigned int nr)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < nr; i++)
		value = value << 8 | bytes[file->big_endian ? i : nr - 1 - i];
	return value;
}

void put_uint(const struct file *file, unsigned char *bytes, unsigned int nr, uint64_t value)
{
	for (unsigned int i = 0; i < nr; i++, value >>= 8)
		bytes[file->big_endian ? nr - 1 - i : i] = value;
}

void put_u32(const struct file *file, unsigned char *bytes, uint32_t value)
{
	put_uint(file, bytes, 4, value);
}

/* Return: a cursor from @pos to the end of a loaded section. */
struct cursor cursor_at(const struct section *section, size_t pos)
{
	if (pos > section->size)
		die_at(section, pos, "beyond the section's end, which is 0x%zx",
		       section->size);
	return (struct cursor){ section, pos, section->size };
}

static const unsigned char *take_bytes(struct cursor *cursor, uint64_t nr)
{
	const unsigned char *bytes = cursor->section->data + cursor->pos;

	if (nr > cursor->end - cursor->pos)
		die_at(cursor->section, cursor->pos,
		       "%llu bytes end beyond 0x%zx", (unsigned long long)nr,
		       cursor->end);
	cursor->pos += nr;
	return bytes;
}

void skip_bytes(struct cursor *cursor, uint64_t bytes)
{
	take_bytes(cursor, bytes);
}

uint64_t read_uint(struct cursor *cursor, unsigned int bytes)
{
	return get_uint(cursor->section->file, take_bytes(cursor, bytes), bytes);
}

/*
 * Reads the bits of a LEB128, seven from each byte. @last gets the last byte. A number
 * of 64 bits has at most ten bytes.
 */
static uint64_t read_leb(struct cursor *cursor, unsigned int *bits, unsigned char *last)
{
	size_t pos = cursor->pos;
	uint64_t value = 0;

	for (*bits = 0; *bits < 70; *bits += 7) {
		*last = *take_bytes(cursor, 1);
		value |= (uint64_t)(*last & 0x7f) << *bits;
		if (!(*last & 0x80)) {
			*bits += 7;
			return value;
		}
	}
	die_at(cursor->section, pos, "a number of more than 64 bits");
}

uint64_t read_uleb(struct cursor *cursor)
{
	unsigned char last;
	unsigned int bits;

	return read_leb(cursor, &bits, &last);
}

int64_t read_sleb(struct cursor *cursor)
{
	unsigned char last;
	unsigned int bits;
	uint64_t value = read_leb(cursor, &bits, &last);

	if (bits < 64 && (last & 0x40))
		value |= -1ULL << bits;
	return value;
}

const char *read_string(struct cursor *cursor)
{
	const char *string = (const char *)cursor->section->data + cursor->pos;
	const char *end = memchr(string, 0, cursor->end - cursor->pos);

	if (!end)
		die_at(cursor->section, cursor->pos, "a string without a terminating zero");
	cursor->pos += end - string + 1;
	return string;
}
