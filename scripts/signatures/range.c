// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of address ranges and of locations.
 *
 * DWARF 4 has pairs of offsets, relative to a base that a special pair sets; of
 * locations, a block follows. DWARF 5 has entries of several kinds, nearly the
 * same for both. One reader gives the next range of any of them.
 */
#include "dwarf.h"
#include "signatures.h"

struct range_list {
	const struct unit *unit;
	struct cursor cursor;
	struct address base;
	bool locations;

	/* The entry that was read last */
	struct address start;
	uint64_t length;
};

/* Return: the difference, or 0 if they are not of one section in this order. */
static uint64_t distance(struct address from, struct address to)
{
	if (from.section != to.section || to.offset < from.offset)
		return 0;
	return to.offset - from.offset;
}

static struct address read_list_address(struct range_list *list)
{
	size_t pos = list->cursor.pos;
	uint64_t value = read_uint(&list->cursor, list->unit->address_size);

	return relocated_address(list->cursor.section, pos, value);
}

static struct address read_list_index(struct range_list *list)
{
	return indexed_address(list->unit, read_uleb(&list->cursor));
}

static void set_start_end(struct range_list *list, struct address start,
			  struct address end)
{
	list->start = start;
	list->length = distance(start, end);
}

static void set_offsets(struct range_list *list, uint64_t from, uint64_t to)
{
	list->start = (struct address){ list->base.section, list->base.offset + from };
	list->length = to > from ? to - from : 0;
}

/*
 * In an object, the ends of ranges without a base are relocated, in a section of
 * their own; else they are offsets from the base.
 */
static bool next_range_4(struct range_list *list)
{
	unsigned int size = list->unit->address_size;
	uint64_t from, to, max = size == 8 ? ~0ULL : 0xffffffff;
	struct cursor *cursor = &list->cursor;
	struct address start, end;
	size_t pos;

	for (;;) {
		pos = cursor->pos;
		from = read_uint(cursor, size);
		to = read_uint(cursor, size);
		start = relocated_address(cursor->section, pos, from);
		end = relocated_address(cursor->section, pos + size, to);
		if (from != max)
			break;
		list->base = end;
	}
	if (!from && !to && !find_relocation(cursor->section, pos))
		return false;
	if (list->unit->dwarf->file->relocatable ? start.section : !list->base.section)
		set_start_end(list, start, end);
	else
		set_offsets(list, from, to);
	return true;
}

/*
 * The kinds of entries of both lists, by the numbers that they have in lists of
 * ranges; in lists of locations, DW_LLE_default_location is between them.
 */
static unsigned int read_kind(struct range_list *list)
{
	unsigned int kind = read_uint(&list->cursor, 1);

	if (!list->locations || kind < DW_LLE_default_location)
		return kind;
	return kind == DW_LLE_default_location ? 0xff : kind - 1;
}

static bool next_range_5(struct range_list *list)
{
	struct cursor *cursor = &list->cursor;
	struct address start;
	uint64_t from;

	for (;;) {
		size_t pos = cursor->pos;
		unsigned int kind = read_kind(list);

		switch (kind) {
		case DW_RLE_end_of_list:
			return false;
		case DW_RLE_base_addressx:
			list->base = read_list_index(list);
			continue;
		case DW_RLE_base_address:
			list->base = read_list_address(list);
			continue;
		case DW_RLE_startx_endx:
			start = read_list_index(list);
			set_start_end(list, start, read_list_index(list));
			return true;
		case DW_RLE_startx_length:
			list->start = read_list_index(list);
			list->length = read_uleb(cursor);
			return true;
		case DW_RLE_offset_pair:
			from = read_uleb(cursor);
			set_offsets(list, from, read_uleb(cursor));
			return true;
		case DW_RLE_start_end:
			start = read_list_address(list);
			set_start_end(list, start, read_list_address(list));
			return true;
		case DW_RLE_start_length:
			list->start = read_list_address(list);
			list->length = read_uleb(cursor);
			return true;
		case 0xff:
			/* Where nothing else holds: not an address of its own */
			list->length = 0;
			return true;
		case DW_LLE_GNU_view_pair - 1:
			if (list->locations) {
				read_uleb(cursor);
				read_uleb(cursor);
				continue;
			}
			/* fall through */
		default:
			die_at(cursor->section, pos, "unknown kind %u of range", kind);
		}
	}
}

static bool next_range(struct range_list *list)
{
	return list->unit->version < 5 ? next_range_4(list) : next_range_5(list);
}

/* The offset of a list that an attribute gives by its index */
static uint64_t indexed_list(struct section *section, const struct unit *unit,
			     uint64_t base, uint64_t index)
{
	struct cursor cursor;
	uint64_t pos;

	if (__builtin_mul_overflow(index, unit->offset_size, &pos) ||
	    __builtin_add_overflow(pos, base, &pos))
		die_at(section, base, "index %llu is too large", (unsigned long long)index);
	cursor = open_cursor(section, pos);
	return base + read_uint(&cursor, unit->offset_size);
}

static struct range_list open_list(const struct die *die, const struct value *value,
				   bool locations)
{
	struct range_list list = { .unit = die->unit, .base = die->unit->base,
				   .locations = locations };
	const struct unit *unit = die->unit;
	struct section *section;
	const char *name;
	uint64_t offset = value->number;

	if (unit->version < 5)
		name = locations ? ".debug_loc" : ".debug_ranges";
	else
		name = locations ? ".debug_loclists" : ".debug_rnglists";
	section = find_section(unit->dwarf->file, name);
	if (!section)
		die_at(unit->dwarf->info, die->offset, "it needs section %s, which is not there",
		       name);
	load_section(section);
	if (value->class == VALUE_LIST_INDEX)
		offset = indexed_list(section, unit, locations ? unit->loclists_base :
				      unit->rnglists_base, value->number);
	list.cursor = open_cursor(section, offset);
	return list;
}

/* Where the code of a function is: one range, or several */
void visit_ranges(const struct die *die, range_fn *fn, void *data)
{
	const struct value *low = find_attribute(die, DW_AT_low_pc);
	const struct value *high = find_attribute(die, DW_AT_high_pc);
	const struct value *ranges = find_attribute(die, DW_AT_ranges);
	struct address start, end;
	struct range_list list;
	uint64_t length;

	if (ranges) {
		list = open_list(die, ranges, false);
		while (next_range(&list))
			fn(data, list.start, list.length);
		return;
	}
	if (!value_address(die->unit, low, &start))
		return;
	if (value_address(die->unit, high, &end))
		fn(data, start, distance(start, end));
	else if (value_uint(high, &length))
		fn(data, start, length);
}

/**
 * find_location_at - where a parameter is while an instruction is executed
 * @die:	the parameter
 * @at:		the address of the instruction
 * @expression:	gets the DWARF expression
 *
 * Return: false if DWARF does not tell for this address.
 */
bool find_location_at(const struct die *die, struct address at, struct cursor *expression)
{
	const struct value *value = find_attribute(die, DW_AT_location);
	struct range_list list;

	if (!value)
		return false;
	if (value->class == VALUE_BLOCK) {
		*expression = (struct cursor){ die->unit->dwarf->info, value->pos,
					       value->pos + value->number };
		return true;
	}
	if (value->class != VALUE_SECTION_OFFSET && value->class != VALUE_LIST_INDEX)
		return false;

	list = open_list(die, value, true);
	while (next_range(&list)) {
		uint64_t length = list.unit->version < 5 ? read_uint(&list.cursor, 2) :
							    read_uleb(&list.cursor);

		*expression = list.cursor;
		skip_bytes(&list.cursor, length);
		expression->end = list.cursor.pos;
		if (list.start.section == at.section && list.start.offset <= at.offset &&
		    at.offset - list.start.offset < list.length)
			return true;
	}
	return false;
}
