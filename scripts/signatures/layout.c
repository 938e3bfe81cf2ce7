// SPDX-License-Identifier: GPL-2.0
/*
 * What a type is to an ABI, apart from its size.
 *
 * This follows what GCC has in each type, and computes from it where values are:
 * the alignment of types and of members, the members without padding, and whether
 * a machine word is like it. DWARF tells of an alignment that the user gave, and
 * has nothing of a packed struct or member. Where one is between others tells, but
 * not of packed { u64 }. So there are two bounds of an alignment.
 */
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

/* More structs and arrays in each other do not occur. */
#define MAX_NESTING	48

/* More alignment of an argument does not matter. */
#define MAX_HIDDEN_ALIGNMENT	64

/* Layouts by the offset of the type: a type is a member of others many times. */
struct layouts {
	struct known_layout {
		size_t offset;		/* 0: none */
		struct layout layout;
	} *all;
	size_t nr, room;
};

static size_t find_slot(const struct layouts *layouts, size_t offset)
{
	size_t slot = offset * 0x9e3779b1 & (layouts->room - 1);

	while (layouts->all[slot].offset && layouts->all[slot].offset != offset)
		slot = (slot + 1) & (layouts->room - 1);
	return slot;
}

static void grow_layouts(struct layouts *layouts)
{
	struct layouts old = *layouts;

	layouts->room = old.room ? 2 * old.room : 256;
	layouts->all = xcalloc(layouts->room, sizeof(*layouts->all));
	for (size_t i = 0; i < old.room; i++) {
		if (old.all[i].offset)
			layouts->all[find_slot(layouts, old.all[i].offset)] = old.all[i];
	}
	free(old.all);
}

static struct layout *find_layout(struct dwarf *dwarf, size_t offset)
{
	struct layouts *layouts = dwarf->layouts;
	struct known_layout *known;

	if (!layouts || !layouts->room)
		return NULL;
	known = &layouts->all[find_slot(layouts, offset)];
	return known->offset ? &known->layout : NULL;
}

static void keep_layout(struct dwarf *dwarf, size_t offset, const struct layout *layout)
{
	struct layouts *layouts = dwarf->layouts;
	size_t slot;

	if (!layouts)
		dwarf->layouts = xcalloc(1, sizeof(*layouts));
	layouts = dwarf->layouts;
	if (4 * layouts->nr >= 3 * layouts->room)
		grow_layouts(layouts);
	slot = find_slot(layouts, offset);
	layouts->nr += !layouts->all[slot].offset;
	layouts->all[slot] = (struct known_layout){ offset, *layout };
}

void free_layouts(struct layouts *layouts)
{
	if (layouts)
		free(layouts->all);
	free(layouts);
}

bool is_aggregate(const struct layout *layout)
{
	return layout->tag == DW_TAG_structure_type ||
	       layout->tag == DW_TAG_union_type ||
	       layout->tag == DW_TAG_array_type;
}

static struct range exactly(uint64_t number)
{
	return (struct range){ number, number };
}

static void raise_to(struct range *range, struct range other)
{
	if (other.low > range->low)
		range->low = other.low;
	if (other.high > range->high)
		range->high = other.high;
}

/* The bytes of a value in a type of which it is a member at @offset */
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

/* At which offsets, modulo LAYOUT_BYTES, a scalar of that size is not aligned */
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

/* At which offsets in a word it reaches into a third one, which is as bad to GCC */
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
 * The offsets at which a type is not aligned whose member, of @size bytes at @at, is not
 * at @offsets. GCC does not look into what has no bytes, unless it is within a word.
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
	layout->hidden |= turn_offsets(member->hidden, member->size, at);
}

/* Whether a struct has room for a scalar of that size where the scalar is aligned */
static bool has_room(const struct layout *layout, unsigned int size)
{
	for (unsigned int at = 0; at < LAYOUT_BYTES && at + size <= layout->size; at += size) {
		if (!(layout->taken & bytes_at(at, size)))
			return true;
	}
	return false;
}

/*
 * DWARF has nothing of a bitfield without a name. In a union, it is like the smallest
 * integer that has so many bits, and can be longer than all members. LLVM ignores it.
 */
static void add_hidden(struct layout *layout)
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
			layout->hidden |= unaligned_scalar(size);
	}
}

/* A member of any type but void, and where it is */
struct member {
	struct layout layout;
	struct range alignment;
	uint64_t wanted;	/* as in struct layout */
	bool bitfield;
	uint64_t bit, bits;	/* of a bitfield */
	uint64_t offset;
};

/* DWARF 4 counts from the most significant bit of what has the bitfield. */
static void place_bitfield(struct member *member, const struct die *die)
{
	uint64_t size, left;

	if (value_uint(find_attribute(die, DW_AT_data_bit_offset), &member->bit))
		return;
	member->bit = 8 * member->offset;
	if (!value_uint(find_attribute(die, DW_AT_bit_offset), &left))
		return;
	if (!value_uint(find_attribute(die, DW_AT_byte_size), &size))
		size = member->layout.size;
	if (die->unit->dwarf->file->big_endian)
		member->bit += left;
	else
		member->bit += 8 * size - left - member->bits;
}

static bool can_be_aligned(const struct member *member, const struct layout *whole,
			   uint64_t most, uint64_t alignment)
{
	return alignment <= most && whole->size % alignment == 0 &&
	       (member->bitfield || member->offset % alignment == 0);
}

/*
 * The alignment of the type, unless the member is where that cannot be. LLVM writes that
 * of a typedef at the member, too, where it means nothing if the struct is packed. In
 * DWARF 4, it is only there, and an attribute of the member can hide it.
 */
static void align_member(struct member *member, const struct die *die,
			 const struct layout *whole, uint64_t most)
{
	uint64_t high = member->layout.declared.high, number = 0;
	struct range wanted = exactly(member->layout.wanted);

	if (!member->bitfield)
		value_uint(find_attribute(die, DW_AT_alignment), &number);
	raise_to(&wanted, exactly(high));
	raise_to(&wanted, exactly(number));
	member->wanted = wanted.high;
	if (number && !whole->llvm) {
		member->alignment = exactly(number);
		return;
	}
	if (number && high < MAX_HIDDEN_ALIGNMENT)
		high = MAX_HIDDEN_ALIGNMENT;
	/* The upper bound of the type can be larger than the member's place allows. */
	while (whole->llvm && high > 1 && !can_be_aligned(member, whole, most, high))
		high /= 2;
	if (!can_be_aligned(member, whole, most, high))
		high = 1;
	member->alignment = (struct range){ 1, high };
}

static void add_bitfield(struct layout *layout, const struct member *member)
{
	uint64_t first = member->bit / 8, end = (member->bit + member->bits + 7) / 8, size;

	layout->held |= bytes_at(first, end - first);
	layout->taken |= bytes_at(first, end - first);
	/* The alignment of its type counts, even if it is packed. */
	raise_to(&layout->members, member->layout.declared);
	for (size = 1; 8 * size < member->bits && size < 16; size *= 2)
		;
	/* In a union, it is like the smallest integer that has so many bits. */
	if (layout->tag == DW_TAG_union_type)
		layout->unaligned |= unaligned_scalar(size);
	/* If all bits of that are aligned, GCC makes it the integer, unless it is packed. */
	else if (!layout->llvm && member->bits == 8 * size && first % size == 0)
		layout->hidden |= unaligned_scalar(size);
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
	if (inner->size && inner->block)
		layout->block = true;
	if (member->offset < LAYOUT_BYTES)
		layout->held |= inner->held << member->offset;
	layout->held &= bytes_at(0, LAYOUT_BYTES);
	add_unaligned(layout, inner, member->offset);
}

static struct layout layout_at_depth(const struct die *user, unsigned int depth);

/* @most: the alignment of the type, if it is known: no member has more. */
static void add_members(struct layout *layout, const struct die *type, uint64_t most,
			unsigned int depth)
{
	struct die die;

	for (bool more = first_child(type, &die); more; more = next_sibling(&die)) {
		struct member member = { 0 };

		if (die.tag != DW_TAG_member)
			continue;
		member.layout = layout_at_depth(&die, depth + 1);
		value_uint(find_attribute(&die, DW_AT_data_member_location),
			   &member.offset);
		member.bitfield = value_uint(find_attribute(&die, DW_AT_bit_size),
					     &member.bits);
		if (member.bitfield)
			place_bitfield(&member, &die);
		align_member(&member, &die, layout, most);
		add_member(layout, &member);
	}
}

/* Whether something is padding that the alignment of the other members is no reason for */
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
 * Bitfields without a name count as members, and DWARF does not tell of these. Most of
 * those that need the alignment of two words leave a hole. Of the others nothing tells.
 */
static void align_hidden(struct layout *layout, const struct die *type, bool aligned)
{
	const struct file *file = type->unit->dwarf->file;
	struct range range = { 1, 2 * type->unit->address_size };

	if (forgets_alignment(file)) {
		raise_to(&layout->members, range);
	} else if (hidden_members_align(file) &&
		   (!(layout->taken & 1) ||
		    (layout->size % range.high == 0 && has_hole(layout)))) {
		raise_to(&layout->members, range);
		if (!aligned)
			raise_to(&layout->alignment, range);
	}
}

static void lay_out_aggregate(struct layout *layout, const struct die *type,
			      unsigned int depth)
{
	uint64_t most = UINT64_MAX, number;
	bool aligned = value_uint(find_attribute(type, DW_AT_alignment), &number) && number;

	if (aligned)
		most = number;
	layout->empty = true;
	add_members(layout, type, most, depth);
	add_hidden(layout);
	if (!is_integer_size(layout->size, 2 * type->unit->address_size))
		layout->block = true;
	if (aligned)
		layout->alignment = exactly(number);
	else if (!layout->block && forgets_alignment(type->unit->dwarf->file))
		layout->alignment.high = layout->size;
	align_hidden(layout, type, aligned);
}

/*
 * To LLVM, the padding of each element is padding of the array. GCC has no padding in what
 * repeats the first element.
 */
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
	layout->block = element.block ||
			!is_integer_size(layout->size, 2 * type->unit->address_size);
	if (layout->llvm || elements == 1)
		layout->held = hold_elements(layout, &element);
	else if (element.held)
		layout->held = bytes_at(0, layout->size);
	/* GCC looks at the first element only, and at none of a flexible array. */
	add_unaligned(layout, &element, 0);
	if (is_flexible(type)) {
		layout->hidden |= layout->unaligned;
		layout->unaligned = 0;
	}
}

static void lay_out_scalar(struct layout *layout, const struct die *type)
{
	uint64_t number;

	if (!layout->size && type->tag != DW_TAG_unspecified_type)
		layout->size = type->unit->address_size;
	if (type->tag == DW_TAG_base_type)
		layout->floating = value_uint(find_attribute(type, DW_AT_encoding), &number) &&
				   number == DW_ATE_float;
	layout->alignment = exactly(layout->size ?: 1);
	if (value_uint(find_attribute(type, DW_AT_alignment), &number) && number)
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

	value_uint(find_attribute(type, DW_AT_byte_size), &layout.size);
	if (depth >= MAX_NESTING)
		layout.unknown = true;
	else if (type->tag == DW_TAG_structure_type || type->tag == DW_TAG_union_type)
		lay_out_aggregate(&layout, type, depth);
	else if (type->tag == DW_TAG_array_type)
		lay_out_array(&layout, type, depth);
	else
		lay_out_scalar(&layout, type);
	/* Of what is larger than memory, nothing can be said. */
	if (layout.size > INT32_MAX)
		layout.size = INT32_MAX;
	if (is_aggregate(&layout))
		layout.unaligned |= beyond_words(layout.size);
	return layout;
}

/* What the type has by the typedefs and qualifiers before it */
static struct range declared_alignment(const struct die *user, struct range alignment)
{
	struct die type;
	uint64_t number;

	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!read_referenced_die(user, DW_AT_type, &type))
			break;
		if (type.tag != DW_TAG_typedef && !is_qualifier(type.tag))
			break;
		if (value_uint(find_attribute(&type, DW_AT_alignment), &number) && number)
			return exactly(number);
		user = &type;
	}
	return alignment;
}

static struct layout layout_at_depth(const struct die *user, unsigned int depth)
{
	/* While a type is laid out, it has no end. */
	struct layout layout = { .unknown = true, .wanted = 1 }, *known;
	struct dwarf *dwarf = user->unit->dwarf;
	struct die type;

	if (!strip_type(user, &type))
		return (struct layout){ .alignment = { 1, 1 }, .declared = { 1, 1 },
					.wanted = 1 };
	known = find_layout(dwarf, type.offset);
	if (known) {
		layout = *known;
	} else {
		layout.alignment = exactly(1);
		if (type.tag != DW_TAG_base_type)
			keep_layout(dwarf, type.offset, &layout);
		layout = lay_out(&type, depth);
		keep_layout(dwarf, type.offset, &layout);
	}
	layout.declared = declared_alignment(user, layout.alignment);
	return layout;
}

/* What the ABI needs to know of the type of @user */
struct layout type_layout(const struct die *user)
{
	return layout_at_depth(user, 0);
}
