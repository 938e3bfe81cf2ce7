// SPDX-License-Identifier: GPL-2.0
/* Bytes that are collected in memory */
#include <string.h>

#include "bytes.h"
#include "../signatures/util.h"

void put_bytes(struct bytes *bytes, const void *from, size_t nr)
{
	grow_by(bytes->all, bytes->nr, bytes->room, nr);
	memcpy(bytes->all + bytes->nr, from, nr);
	bytes->nr += nr;
}

void put_byte(struct bytes *bytes, unsigned char byte)
{
	put_bytes(bytes, &byte, 1);
}

/* Adds a number of 32 bits, little endian. */
void put_number(struct bytes *bytes, uint64_t number)
{
	unsigned char le[4] = { number, number >> 8, number >> 16, number >> 24 };

	if (number >> 32)
		die("a table of lines with 0x%llx in a field of 32 bits",
		    (unsigned long long)number);
	put_bytes(bytes, le, sizeof(le));
}

void put_uleb(struct bytes *bytes, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		put_byte(bytes, number | 0x80);
	put_byte(bytes, number);
}

void put_sleb(struct bytes *bytes, int64_t number)
{
	for (; number < -0x40 || number > 0x3f; number >>= 7)
		put_byte(bytes, number | 0x80);
	put_byte(bytes, number & 0x7f);
}
