/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The layout of a type: all of its properties that matter to an ABI.
 *
 * type.h finds the type behind typedefs, abi.h places a value of this layout.
 */
#ifndef SIGNATURES_LAYOUT_H
#define SIGNATURES_LAYOUT_H

#include "dwarf.h"

/* An alignment that DWARF leaves open is between two bounds. */
struct bounds {
	uint64_t low, high;
};

/* No ABI looks into a larger struct, which is in memory. */
#define LAYOUT_BYTES	16

/**
 * struct layout - the layout of a type without its typedefs and qualifiers
 * @tag:	of its DIE; 0 is void
 * @size:	in bytes
 * @alignment:	of the type
 * @declared:	the same, or that of a typedef
 * @members:	the largest alignment of a member, without the type's own attribute
 * @wanted:	the largest alignment of the type of a member, at any depth
 * @unaligned:	a bit for each offset, modulo LAYOUT_BYTES, at which a scalar in the type is
 *		unaligned, or the type takes three eightbytes. Of an array, the first element
 *		counts
 * @unnamed:	the same, of scalars that may be there: unnamed bit-fields that there is room
 *		for, bit-fields that may be packed, elements of a flexible array
 * @held:	a bit for each of the first bytes that has a value, and is no padding
 * @taken:	a bit for each of the first bytes that a member has, with the member's padding
 * @empty:	nothing in it has a value
 * @floating:	something in it is floating point
 * @blkmode:	GCC gives it BLKmode: no integer has its size, or a member is so
 * @unknown:	it nests too deep
 * @odd:	a member is not aligned as its type is, and compilers differ in the effect
 * @llvm:	it is a type of LLVM, which does not follow GCC in everything
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
void free_layouts(struct dwarf *dwarf);

#endif /* SIGNATURES_LAYOUT_H */
