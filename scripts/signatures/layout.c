// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of a type: all of its properties that matter to an ABI.
 *
 * The properties are the ones that GCC computes for a type: its alignment, the
 * alignment of its members, its padding, and its mode, which can be BLKmode.
 *
 * DWARF describes an alignment attribute, but not a packed attribute. The offset of a
 * member can prove that a struct is packed, but not in packed { u64 }. So an alignment
 * has two bounds.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "layout.h"
#include "type.h"
#include "util.h"

/* Structs and arrays of the kernel nest less deep. */
#define MAX_NESTING	48

/* An argument with a larger alignment is placed as if it had this alignment. */
#define MAX_ALIGNMENT	64

/* The layout of a type is cached, because many types have members of the same type. */
struct known_layout {
	size_t offset;		/* of the type */
	struct layout layout;
};

/* Frees the layouts of types. Must be called before close_dwarf(). */
void free_layouts(struct dwarf *dwarf)
{
	if (dwarf)
		tdestroy(dwarf->layouts, free);
}

bool is_aggregate(const struct layout *layout)
{
	return layout->tag == DW_TAG_structure_type ||
	       layout->tag == DW_TAG_union_type ||
	       layout->tag == DW_TAG_array_type;
}

static struct bounds exactly(uint64_t number)
{
	return (struct bounds){ number, number };
}

static void raise_to(struct bounds *bounds, struct bounds other)
{
	if (other.low > bounds->low)
		bounds->low = other.low;
	if (other.high > bounds->high)
		bounds->high = other.high;
}

/* Return: a bit for each of the first LAYOUT_BYTES that a member takes. */
static uint32_t bytes_at(uint64_t offset, uint64_t size)
{
	if (offset >= LAYOUT_BYTES || !size)
		return 0;
	if (size > LAYOUT_BYTES - offset)
		size = LAYOUT_BYTES - offset;
	return (uint32_t)((1ULL << size) - 1) << offset;
}

static bool is_integer_size(uint64_t size, unsigned int most)
{
	return size && size <= most && !(size & (size - 1));
}

/*
 * Return: a bit for each offset, modulo LAYOUT_BYTES, at which a scalar of @size bytes
 * is unaligned.
 */
static uint16_t unaligned_scalar(uint64_t size)
{
	uint16_t unaligned = 0;

	if (!is_integer_size(size, LAYOUT_BYTES))
		return 0;
	for (unsigned int offset = 0; offset < LAYOUT_BYTES; offset++) {
		if (offset % size)
			unaligned |= 1U << offset;
	}
	return unaligned;
}

/*
 * Return: a bit for each offset at which a struct takes three eightbytes, which GCC treats
 * as an unaligned field.
 */
static uint16_t beyond_words(uint64_t size)
{
	uint16_t beyond = 0;

	for (unsigned int offset = 0; offset < LAYOUT_BYTES; offset++) {
		if (size + offset % 8 > LAYOUT_BYTES)
			beyond |= 1U << offset;
	}
	return beyond;
}

/*
 * Turns the offsets at which a member is unaligned into offsets of the whole type. The
 * member has @size bytes and begins at offset @at. GCC ignores a member without bytes
 * at the beginning of an eightbyte.
 */
static uint16_t turn_offsets(uint16_t offsets, uint64_t size, uint64_t at)
{
	uint32_t twice;

	if (!size)
		offsets &= ~(1U << 0 | 1U << 8);
	twice = offsets | (uint32_t)offsets << LAYOUT_BYTES;
	return twice >> at % LAYOUT_BYTES;
}

static void add_unaligned(struct layout *layout, const struct layout *member, uint64_t at)
{
	layout->unaligned |= turn_offsets(member->unaligned, member->size, at);
	layout->unnamed |= turn_offsets(member->unnamed, member->size, at);
}

/* Return: true if a struct has room for an aligned scalar of @size bytes. */
static bool has_room(const struct layout *layout, unsigned int size)
{
	for (unsigned int at = 0; at < LAYOUT_BYTES && at + size <= layout->size; at += size) {
		if (!(layout->taken & bytes_at(at, size)))
			return true;
	}
	return false;
}

/*
 * Adds the unnamed bit-fields that the type may have, because DWARF does not describe
 * them. In a union, GCC treats an unnamed bit-field as the smallest integer with that
 * many bits. It can be longer than all members. LLVM ignores unnamed bit-fields.
 */
static void add_unnamed(struct layout *layout)
{
	unsigned int end = 0, size;

	if (layout->llvm)
		return;
	while (layout->held >> end)
		end++;
	for (size = 1; size <= LAYOUT_BYTES; size *= 2) {
		if (layout->tag == DW_TAG_union_type ?
		    end < size && end < layout->size && size / 2 < layout->size :
		    has_room(layout, size))
			layout->unnamed |= unaligned_scalar(size);
	}
}

/* A member and its place */
struct member {
	struct layout layout;
	struct bounds alignment;
	uint64_t wanted;	/* as in struct layout */
	bool bitfield;
	uint64_t bit, bits;	/* of a bit-field */
	uint64_t offset;
};

/**
 * first_bit - find where a bit-field begins
 * @die:	a member with DW_AT_bit_size
 * @offset:	its DW_AT_data_member_location, or 0
 * @bits:	its DW_AT_bit_size
 * @size:	the size of its type
 *
 * DW_AT_bit_offset counts from the most significant bit.
 * Return: the first bit, from the start of the struct.
 */
uint64_t first_bit(const struct die *die, uint64_t offset, uint64_t bits, uint64_t size)
{
	uint64_t number;

	if (find_uint(die, DW_AT_data_bit_offset, &number))
		return number;
	if (!find_uint(die, DW_AT_bit_offset, &number))
		return 8 * offset;
	find_uint(die, DW_AT_byte_size, &size);
	if (die->unit->dwarf->file->big_endian)
		return 8 * offset + number;
	return 8 * (offset + size) - number - bits;
}

static bool can_be_aligned(const struct member *member, const struct layout *whole,
			   uint64_t most, uint64_t alignment)
{
	return alignment <= most && whole->size % alignment == 0 &&
	       (member->bitfield || member->offset % alignment == 0);
}

/*
 * Aligns a member as its type, unless the place of the member rules that out.
 *
 * LLVM repeats the alignment of a typedef in the DIE of the member, even if the struct
 * is packed and the alignment has no effect. In DWARF 4, LLVM writes this alignment
 * nowhere else, and an attribute of the member can replace it.
 */
static void align_member(struct member *member, const struct die *die,
			 const struct layout *whole, uint64_t most)
{
	uint64_t high = member->layout.declared.high, number = 0;
	struct bounds wanted = exactly(member->layout.wanted);

	if (!member->bitfield)
		find_uint(die, DW_AT_alignment, &number);
	raise_to(&wanted, exactly(high));
	raise_to(&wanted, exactly(number));
	member->wanted = wanted.high;
	if (number && !whole->llvm) {
		member->alignment = exactly(number);
		return;
	}
	if (number && high < MAX_ALIGNMENT)
		high = MAX_ALIGNMENT;
	/* The place of the member can rule out the upper bound of its type. */
	while (whole->llvm && high > 1 && !can_be_aligned(member, whole, most, high))
		high /= 2;
	if (!can_be_aligned(member, whole, most, high))
		high = 1;
	member->alignment = (struct bounds){ 1, high };
}

static void add_bitfield(struct layout *layout, const struct member *member)
{
	uint64_t first = member->bit / 8, end = (member->bit + member->bits + 7) / 8, size;

	layout->held |= bytes_at(first, end - first);
	layout->taken |= bytes_at(first, end - first);
	/*
	 * The alignment of the type of a bit-field counts, even if the bit-field is
	 * packed.
	 */
	raise_to(&layout->members, member->layout.declared);
	for (size = 1; 8 * size < member->bits && size < 16; size *= 2)
		;
	/* GCC treats it as the smallest integer with that many bits. */
	if (layout->tag == DW_TAG_union_type)
		layout->unaligned |= unaligned_scalar(size);
	/*
	 * If it fills this integer and is aligned, GCC treats it as one, unless it is
	 * packed.
	 */
	else if (!layout->llvm && member->bits == 8 * size && first % size == 0)
		layout->unnamed |= unaligned_scalar(size);
}

static void add_member(struct layout *layout, const struct member *member)
{
	const struct layout *inner = &member->layout;

	if (inner->unknown)
		layout->unknown = true;
	if (inner->odd || (!member->bitfield && member->offset % member->wanted))
		layout->odd = true;
	if (!member->bitfield && layout->wanted < member->wanted)
		layout->wanted = member->wanted;
	raise_to(&layout->alignment, member->alignment);
	layout->empty &= inner->empty && !member->bitfield;
	if (member->bitfield) {
		add_bitfield(layout, member);
		return;
	}
	raise_to(&layout->members, member->alignment);
	layout->taken |= bytes_at(member->offset, inner->size);
	layout->floating |= inner->floating;
	if (inner->size && inner->blkmode)
		layout->blkmode = true;
	if (member->offset < LAYOUT_BYTES)
		layout->held |= inner->held << member->offset;
	layout->held &= bytes_at(0, LAYOUT_BYTES);
	add_unaligned(layout, inner, member->offset);
}

static struct layout layout_at_depth(const struct die *user, unsigned int depth);

/*
 * Adds the members. No member has a larger alignment than @most, from an attribute of
 * the type.
 */
static void add_members(struct layout *layout, const struct die *type, uint64_t most,
			unsigned int depth)
{
	struct die die;

	for_each_child(&die, type) {
		struct member member = { 0 };

		if (die.tag != DW_TAG_member)
			continue;
		member.layout = layout_at_depth(&die, depth + 1);
		find_uint(&die, DW_AT_data_member_location, &member.offset);
		member.bitfield = find_uint(&die, DW_AT_bit_size, &member.bits);
		if (member.bitfield)
			member.bit = first_bit(&die, member.offset, member.bits,
					       member.layout.size);
		align_member(&member, &die, layout, most);
		add_member(layout, &member);
	}
}

/* Return: true if there is more padding than the alignment of the members explains. */
static bool has_hole(const struct layout *layout)
{
	uint64_t bytes = 0;

	for (unsigned int at = 0; at < LAYOUT_BYTES && at < layout->size; at++) {
		bytes = layout->taken >> at & 1 ? 0 : bytes + 1;
		if (bytes >= layout->alignment.high)
			return true;
	}
	return false;
}

/*
 * Widens the bounds of alignments, because unnamed bit-fields count as members. An
 * unnamed bit-field with the alignment of two words nearly always leaves a hole.
 */
static void align_unnamed(struct layout *layout, const struct die *type, bool aligned)
{
	const struct abi *abi = &type->unit->dwarf->file->machine->abi;
	struct bounds bounds = { 1, 2 * type->unit->address_size };

	if (abi->strict_alignment) {
		raise_to(&layout->members, bounds);
	} else if (abi->alignment == ALIGNMENT_OF_MEMBERS &&
		   (!(layout->taken & 1) ||
		    (layout->size % bounds.high == 0 && has_hole(layout)))) {
		raise_to(&layout->members, bounds);
		if (!aligned)
			raise_to(&layout->alignment, bounds);
	}
}

static void lay_out_aggregate(struct layout *layout, const struct die *type,
			      unsigned int depth)
{
	uint64_t most = UINT64_MAX, number;
	bool aligned = find_uint(type, DW_AT_alignment, &number) && number;

	if (aligned)
		most = number;
	layout->empty = true;
	add_members(layout, type, most, depth);
	add_unnamed(layout);
	if (!is_integer_size(layout->size, 2 * type->unit->address_size))
		layout->blkmode = true;
	if (aligned)
		layout->alignment = exactly(number);
	else if (!layout->blkmode && type->unit->dwarf->file->machine->abi.strict_alignment)
		layout->alignment.high = layout->size;
	align_unnamed(layout, type, aligned);
}

/* Return: a bit for each byte of an array that contains a value, not padding. */
static uint32_t hold_elements(const struct layout *array, const struct layout *element)
{
	uint32_t held = 0;

	for (uint64_t at = 0; at < array->size && at < LAYOUT_BYTES; at += element->size)
		held |= element->held << at;
	return held & bytes_at(0, array->size);
}

static void lay_out_array(struct layout *layout, const struct die *type, unsigned int depth)
{
	struct layout element = layout_at_depth(type, depth + 1);
	uint64_t elements = count_elements(type);

	if (__builtin_mul_overflow(element.size, elements, &layout->size))
		layout->size = INT32_MAX;
	layout->alignment = element.declared;
	layout->members = element.declared;
	layout->floating = element.floating;
	layout->unknown = element.unknown;
	layout->empty = element.empty || !elements;
	layout->wanted = element.wanted;
	if (layout->wanted < element.declared.high)
		layout->wanted = element.declared.high;
	layout->odd = element.odd || (elements > 1 && element.size % layout->wanted);
	layout->blkmode = element.blkmode ||
			!is_integer_size(layout->size, 2 * type->unit->address_size);
	/* GCC ignores the padding of repeated elements. */
	if (layout->llvm || elements == 1)
		layout->held = hold_elements(layout, &element);
	else if (element.held)
		layout->held = bytes_at(0, layout->size);
	/* GCC looks at the first element only, and ignores a flexible array. */
	add_unaligned(layout, &element, 0);
	if (is_flexible(type)) {
		layout->unnamed |= layout->unaligned;
		layout->unaligned = 0;
	}
}

static void lay_out_scalar(struct layout *layout, const struct die *type)
{
	uint64_t number;

	if (!layout->size && type->tag != DW_TAG_unspecified_type)
		layout->size = type->unit->address_size;
	if (type->tag == DW_TAG_base_type)
		layout->floating = find_uint(type, DW_AT_encoding, &number) &&
				   number == DW_ATE_float;
	layout->alignment = exactly(layout->size ?: 1);
	if (find_uint(type, DW_AT_alignment, &number) && number)
		layout->alignment = exactly(number);
	layout->members = layout->alignment;
	layout->held = bytes_at(0, layout->size);
	layout->unaligned = unaligned_scalar(layout->size);
}

static struct layout lay_out(const struct die *type, unsigned int depth)
{
	struct layout layout = { .tag = type->tag, .alignment = { 1, 1 },
				 .members = { 1, 1 }, .wanted = 1,
				 .llvm = type->unit->llvm };

	find_uint(type, DW_AT_byte_size, &layout.size);
	if (depth >= MAX_NESTING)
		layout.unknown = true;
	else if (type->tag == DW_TAG_structure_type || type->tag == DW_TAG_union_type)
		lay_out_aggregate(&layout, type, depth);
	else if (type->tag == DW_TAG_array_type)
		lay_out_array(&layout, type, depth);
	else
		lay_out_scalar(&layout, type);
	/* A larger type is broken, and its size could overflow a sum. */
	if (layout.size > INT32_MAX)
		layout.size = INT32_MAX;
	if (is_aggregate(&layout))
		layout.unaligned |= beyond_words(layout.size);
	return layout;
}

/* Return: the alignment of the first typedef with its own, otherwise @alignment. */
static struct bounds declared_alignment(const struct die *user, struct bounds alignment)
{
	struct die type;
	uint64_t number;

	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!read_referenced_die(user, DW_AT_type, &type))
			break;
		if (type.tag != DW_TAG_typedef && !is_qualifier(type.tag))
			break;
		if (find_uint(&type, DW_AT_alignment, &number) && number)
			return exactly(number);
		user = &type;
	}
	return alignment;
}

static struct layout layout_at_depth(const struct die *user, unsigned int depth)
{
	struct dwarf *dwarf = user->unit->dwarf;
	struct known_layout *known;
	struct layout layout;
	struct die type;

	if (!strip_type(user, &type))
		return (struct layout){ .alignment = { 1, 1 }, .declared = { 1, 1 },
					.wanted = 1 };
	known = find_by_offset(&dwarf->layouts, type.offset);
	if (!known) {
		known = xcalloc(1, sizeof(*known));
		known->offset = type.offset;
		/* A type that contains itself finds this entry. */
		known->layout = (struct layout){ .unknown = true, .wanted = 1,
						 .alignment = { 1, 1 } };
		add_by_offset(&dwarf->layouts, known);
		known->layout = lay_out(&type, depth);
	}
	layout = known->layout;
	layout.declared = declared_alignment(user, layout.alignment);
	return layout;
}

/* Lays out the type of @user, such as a result or a parameter. */
struct layout type_layout(const struct die *user)
{
	return layout_at_depth(user, 0);
}
