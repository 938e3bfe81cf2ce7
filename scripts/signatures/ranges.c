// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of address ranges and of locations.
 *
 * A list of DWARF 4 consists of pairs of offsets from a base, and a special pair sets
 * the base. In a location list, a block follows each pair. A list of DWARF 5 consists
 * of entries of several kinds, which are nearly the same in both lists. next_range()
 * reads an entry of any list.
 */
#include "ranges.h"
#include "relocate.h"
#include "util.h"

/* DW_LLE_default_location, among the kinds of ranges */
#define DEFAULT_LOCATION	0xff

struct range_list {
	const struct unit *unit;
	struct cursor cursor;
	struct address base;
	bool locations;

	/* The last entry that was read */
	struct address start;
	uint64_t length;
};

/* Return: the value that an address has in the file. */
static uint64_t address_value(const struct file *file, const struct address *address)
{
	if (file->relocatable)
		return address->offset;
	return file->sections[address->section].header.sh_addr + address->offset;
}

/*
 * Return: the distance; 0 if the sections of an object differ, or @to is before @from. In a
 * linked file, an end may be where another section begins, or none.
 */
static uint64_t distance(const struct file *file, struct address from, struct address to)
{
	uint64_t start = address_value(file, &from), end = address_value(file, &to);

	if ((file->relocatable && from.section != to.section) || end < start)
		return 0;
	return end - start;
}

static struct address read_list_address(struct range_list *list, bool indexed)
{
	size_t pos = list->cursor.pos;

	if (indexed)
		return indexed_address(list->unit, read_uleb(&list->cursor));
	return relocated_address(list->cursor.section, pos,
				 read_uint(&list->cursor, list->unit->address_size));
}

static void set_start_end(struct range_list *list, struct address start,
			  struct address end)
{
	list->start = start;
	list->length = distance(list->unit->dwarf->file, start, end);
}

/*
 * In a linked file, the base of a unit with code in several sections is address 0, which may
 * be in a section: on x86_64, in that of per-CPU data. The sum is what counts.
 */
static void set_offsets(struct range_list *list, uint64_t from, uint64_t to)
{
	const struct file *file = list->unit->dwarf->file;
	const struct address *base = &list->base;

	if (file->relocatable)
		list->start = (struct address){ base->section, base->offset + from };
	else
		list->start = relocated_address(list->cursor.section, list->cursor.pos,
						address_value(file, base) + from);
	list->length = to > from ? to - from : 0;
}

/*
 * Reads a pair of DWARF 4. In an object, a relocated pair consists of addresses. Any other
 * pair consists of offsets from the base.
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
	if (list->unit->dwarf->file->relocatable && start.section)
		set_start_end(list, start, end);
	else
		set_offsets(list, from, to);
	return true;
}

/*
 * Return: the kind of an entry, as DW_RLE_* for both lists. In location lists, the
 * kinds after DW_LLE_default_location have numbers that are larger by one.
 */
static unsigned int read_kind(struct range_list *list)
{
	unsigned int kind = read_uint(&list->cursor, 1);

	if (!list->locations || kind < DW_LLE_default_location)
		return kind;
	return kind == DW_LLE_default_location ? DEFAULT_LOCATION : kind - 1;
}

static bool next_range_5(struct range_list *list)
{
	struct cursor *cursor = &list->cursor;
	struct address start;
	uint64_t from;

	for (;;) {
		size_t pos = cursor->pos;
		unsigned int kind = read_kind(list);
		bool indexed = kind <= DW_RLE_startx_length;

		switch (kind) {
		case DW_RLE_end_of_list:
			return false;
		case DW_RLE_base_addressx:
		case DW_RLE_base_address:
			list->base = read_list_address(list, indexed);
			continue;
		case DW_RLE_startx_endx:
		case DW_RLE_start_end:
			start = read_list_address(list, indexed);
			set_start_end(list, start, read_list_address(list, indexed));
			return true;
		case DW_RLE_startx_length:
		case DW_RLE_start_length:
			list->start = read_list_address(list, indexed);
			list->length = read_uleb(cursor);
			return true;
		case DW_RLE_offset_pair:
			from = read_uleb(cursor);
			set_offsets(list, from, read_uleb(cursor));
			return true;
		case DEFAULT_LOCATION:
			/* This location is for addresses that no other entry contains. */
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

static struct range_list open_list(const struct die *die, const struct value *value,
				   bool locations)
{
	const struct unit *unit = die->unit;
	struct range_list list = { .unit = unit, .base = unit->base, .locations = locations };
	struct cursor from = { unit->dwarf->info, die->offset, unit->end };
	uint64_t base = locations ? unit->loclists_base : unit->rnglists_base;
	uint64_t offset = value->number;
	struct cursor index;
	const char *name;

	if (unit->version < 5)
		name = locations ? ".debug_loc" : ".debug_ranges";
	else
		name = locations ? ".debug_loclists" : ".debug_rnglists";
	if (value->class == VALUE_LIST_INDEX) {
		index = open_indexed(unit, &from, name, base, offset, unit->offset_size);
		offset = base + read_uint(&index, unit->offset_size);
	}
	list.cursor = open_cursor(need_section(unit->dwarf, name, &from), offset);
	return list;
}

/* Calls @fn for each address range of the code of a function. */
void visit_ranges(const struct die *die, range_fn *fn, void *data)
{
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
	if (!find_address(die, DW_AT_low_pc, &start))
		return;
	if (find_address(die, DW_AT_high_pc, &end))
		fn(data, start, distance(die->unit->dwarf->file, start, end));
	else if (find_uint(die, DW_AT_high_pc, &length))
		fn(data, start, length);
}

/**
 * find_location_at - find the location of a parameter at an instruction
 * @die:	the parameter
 * @at:		the address of the instruction
 * @expression:	gets the exprloc, or the expression in the location list
 *
 * Return: false if the parameter has no location there.
 */
bool find_location_at(const struct die *die, struct address at, struct cursor *expression)
{
	const struct value *value = find_attribute(die, DW_AT_location);
	struct range_list list;

	if (find_block(die, DW_AT_location, expression))
		return true;
	if (!value || (value->class != VALUE_SECTION_OFFSET &&
		       value->class != VALUE_LIST_INDEX))
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
