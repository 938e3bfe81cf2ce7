/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a type: all of its properties that matter to an ABI.
 *
 * type.h finds the type that typedefs name. abi.h places a value of this layout.
 */
#ifndef SIGNATURES_LAYOUT_H
#define SIGNATURES_LAYOUT_H

#include "dwarf.h"

/* An alignment that DWARF leaves open is between two bounds. */
struct bounds {
	uint64_t low, high;
};

/* A larger struct is in memory, so no ABI looks into it. */
#define LAYOUT_BYTES	16

/**
 * struct layout - the layout of a type without its typedefs and qualifiers
 * @tag:	the tag of its DIE; 0 for void
 * @size:	the size in bytes
 * @alignment:	the alignment of the type
 * @declared:	the alignment of a typedef with its own, otherwise @alignment
 * @members:	the largest alignment of a member, ignoring an attribute of the type
 *		itself
 * @wanted:	the largest alignment of the types of members, at any depth
 * @unaligned:	a bit for each offset of the type, modulo LAYOUT_BYTES, at which a
 *		scalar in it is unaligned, or the type takes three eightbytes. Of an
 *		array, only the first element counts
 * @unnamed:	the same for scalars that the type may have: unnamed bit-fields with
 *		enough room, bit-fields that may be packed, elements of a flexible
 *		array
 * @held:	a bit for each of the first bytes that contains a value, not padding
 * @taken:	a bit for each of the first bytes that a member takes, including the member's
 *		padding
 * @empty:	the type contains no value
 * @floating:	the type contains a floating-point value
 * @blkmode:	the mode in GCC is BLKmode: no integer has its size, or a member is
 *		BLKmode
 * @unknown:	the type nests too deep
 * @odd:	a member is not aligned as its type, and compilers differ in the effect
 * @llvm:	LLVM compiled the type, and does not follow GCC in everything
 */
struct layout {
	unsigned int tag;
	uint64_t size;
	struct bounds alignment, declared, members;
	uint64_t wanted;
	uint16_t unaligned, unnamed;
	uint32_t held, taken;
	bool empty;
	bool floating;
	bool blkmode;
	bool unknown;
	bool odd;
	bool llvm;
};

bool is_aggregate(const struct layout *layout);
struct layout type_layout(const struct die *user);
uint64_t first_bit(const struct die *die, uint64_t offset, uint64_t bits, uint64_t size);
void free_layouts(struct dwarf *dwarf);

#endif /* SIGNATURES_LAYOUT_H */
