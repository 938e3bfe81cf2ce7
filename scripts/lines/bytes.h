/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes that are collected in memory.
 */
#ifndef LINES_BYTES_H
#define LINES_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
	unsigned char *all;
	size_t nr, room;
};

void put_bytes(struct bytes *bytes, const void *from, size_t nr);
void put_byte(struct bytes *bytes, unsigned char byte);
void put_number(struct bytes *bytes, uint64_t number);
void put_uleb(struct bytes *bytes, uint64_t number);
void put_sleb(struct bytes *bytes, int64_t number);

#endif /* LINES_BYTES_H */
