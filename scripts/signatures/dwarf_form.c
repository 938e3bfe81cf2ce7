// SPDX-License-Identifier: GPL-2.0
/*
 * How DWARF stores DIEs: abbreviations, and the forms of values.
 *
 * The form of an attribute defines the length of its value. An unknown form is an
 * error, because the reader cannot find the value after it.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "dwarf_constants.h"
#include "dwarf_form.h"
#include "relocate.h"
#include "util.h"

/* Return: the section that the data at @from refers to. Dies if there is none. */
struct section *need_section(const struct dwarf *dwarf, const char *name,
			     const struct cursor *from)
{
	struct section *section = find_section(dwarf->file, name);

	if (!section)
		die_at(from->section, from->pos, "this refers to section %s, which does not exist",
		       name);
	return section;
}

/* Reads a tag, the name of an attribute, or a form. None is larger than 0xffff. */
static unsigned int read_code(struct cursor *cursor)
{
	size_t pos = cursor->pos;
	uint64_t code = read_uleb(cursor);

	if (code > 0xffff)
		die_at(cursor->section, pos, "0x%llx is not a tag, attribute or form",
		       (unsigned long long)code);
	return code;
}

/* Reads the specs of one abbreviation. A pair of zeros ends them. */
static void read_attribute_specs(struct cursor *cursor, struct abbreviations *table,
				 struct abbreviation *abbreviation, size_t *room)
{
	struct attribute_spec spec;

	abbreviation->first = table->nr_specs;
	for (;;) {
		spec.name = read_code(cursor);
		spec.form = read_code(cursor);
		spec.implicit = 0;
		if (spec.form == DW_FORM_implicit_const)
			spec.implicit = read_sleb(cursor);
		if (!spec.name && !spec.form)
			break;
		grow(table->specs, table->nr_specs, *room);
		table->specs[table->nr_specs++] = spec;
	}
	abbreviation->nr = table->nr_specs - abbreviation->first;
}

static int compare_codes(const void *a, const void *b)
{
	const struct abbreviation *x = a, *y = b;

	return compare_uints(x->code, y->code);
}

static struct abbreviations *read_abbreviations(struct cursor *cursor)
{
	struct abbreviations *table = xcalloc(1, sizeof(*table));
	size_t room = 0, specs_room = 0;

	table->offset = cursor->pos;
	for (;;) {
		struct abbreviation new = { .code = read_uleb(cursor) };

		if (!new.code)
			break;
		new.tag = read_code(cursor);
		new.children = read_uint(cursor, 1);
		read_attribute_specs(cursor, table, &new, &specs_room);
		grow(table->all, table->nr, room);
		table->all[table->nr++] = new;
	}
	if (table->nr)
		qsort(table->all, table->nr, sizeof(*table->all), compare_codes);
	return table;
}

/* Return: the table at @offset of .debug_abbrev. Several units can share it. */
const struct abbreviations *get_abbreviations(struct dwarf *dwarf, const struct cursor *from,
					      uint64_t offset)
{
	struct abbreviations *table = find_by_offset(&dwarf->abbreviations, offset);
	struct cursor cursor;

	if (table)
		return table;
	cursor = open_cursor(need_section(dwarf, ".debug_abbrev", from), offset);
	table = read_abbreviations(&cursor);
	add_by_offset(&dwarf->abbreviations, table);
	return table;
}

static void free_table(void *node)
{
	struct abbreviations *table = node;

	free(table->all);
	free(table->specs);
	free(table);
}

void free_abbreviations(struct dwarf *dwarf)
{
	tdestroy(dwarf->abbreviations, free_table);
}

/*
 * Reads the code of an abbreviation. Return: NULL for code 0, which ends a list of
 * children.
 */
const struct abbreviation *find_abbreviation(const struct unit *unit, struct cursor *at)
{
	const struct abbreviations *table = unit->abbreviations;
	struct abbreviation key, *found;
	size_t pos = at->pos;

	key.code = read_uleb(at);
	if (!key.code)
		return NULL;
	/* Nearly all tables use the codes 1, 2, 3 and so on. */
	if (key.code <= table->nr && table->all[key.code - 1].code == key.code)
		return &table->all[key.code - 1];
	found = table->nr ? bsearch(&key, table->all, table->nr, sizeof(key),
				    compare_codes) : NULL;
	if (!found)
		die_at(at->section, pos, "abbreviation %llu is not in .debug_abbrev+0x%zx",
		       (unsigned long long)key.code, table->offset);
	return found;
}

/**
 * open_indexed - open a table of DWARF 5 at one of its entries
 * @unit:	the unit
 * @from:	the place of the index, for messages
 * @section:	the section of the table
 * @base:	the offset of the unit's part of the section
 * @index:	the index
 * @size:	the size of an entry
 */
struct cursor open_indexed(const struct unit *unit, const struct cursor *from,
			   const char *section, uint64_t base, uint64_t index,
			   unsigned int size)
{
	uint64_t offset;

	if (__builtin_mul_overflow(index, size, &offset) ||
	    __builtin_add_overflow(offset, base, &offset))
		die_at(from->section, from->pos, "index %llu is too large",
		       (unsigned long long)index);
	return open_cursor(need_section(unit->dwarf, section, from), offset);
}

static const char *string_in(const struct unit *unit, const struct cursor *from,
			     const char *section, uint64_t offset)
{
	struct cursor cursor =
		open_cursor(need_section(unit->dwarf, section, from), offset);

	return read_string(&cursor);
}

static const char *indexed_string(const struct unit *unit, const struct cursor *from,
				  uint64_t index)
{
	struct cursor cursor =
		open_indexed(unit, from, ".debug_str_offsets", unit->str_offsets_base,
			     index, unit->offset_size);

	return string_in(unit, from, ".debug_str",
			 read_uint(&cursor, unit->offset_size));
}

/* Return: the address at @index of .debug_addr. */
struct address indexed_address(const struct unit *unit, uint64_t index)
{
	struct cursor from = { unit->dwarf->info, unit->offset, unit->end };
	struct cursor cursor = open_indexed(unit, &from, ".debug_addr",
					    unit->addr_base, index,
					    unit->address_size);
	size_t pos = cursor.pos;

	return relocated_address(cursor.section, pos,
				 read_uint(&cursor, unit->address_size));
}

/* Sizes that are not a constant number of bytes */
enum { SIZE_ULEB = 0x80, SIZE_SLEB, SIZE_OFFSET, SIZE_ADDRESS };

/* The class of a value, and the size of its number */
static const struct form {
	unsigned char class, size;
} forms[] = {
	[DW_FORM_addr]		= { VALUE_ADDRESS, SIZE_ADDRESS },
	[DW_FORM_block2]	= { VALUE_BLOCK, 2 },
	[DW_FORM_block4]	= { VALUE_BLOCK, 4 },
	[DW_FORM_data2]		= { VALUE_UINT, 2 },
	[DW_FORM_data4]		= { VALUE_UINT, 4 },
	[DW_FORM_data8]		= { VALUE_UINT, 8 },
	[DW_FORM_block]		= { VALUE_BLOCK, SIZE_ULEB },
	[DW_FORM_block1]	= { VALUE_BLOCK, 1 },
	[DW_FORM_data1]		= { VALUE_UINT, 1 },
	[DW_FORM_flag]		= { VALUE_UINT, 1 },
	[DW_FORM_sdata]		= { VALUE_SINT, SIZE_SLEB },
	[DW_FORM_strp]		= { VALUE_STRP, SIZE_OFFSET },
	[DW_FORM_udata]		= { VALUE_UINT, SIZE_ULEB },
	[DW_FORM_ref_addr]	= { VALUE_REFERENCE, SIZE_OFFSET },
	[DW_FORM_ref1]		= { VALUE_UNIT_REFERENCE, 1 },
	[DW_FORM_ref2]		= { VALUE_UNIT_REFERENCE, 2 },
	[DW_FORM_ref4]		= { VALUE_UNIT_REFERENCE, 4 },
	[DW_FORM_ref8]		= { VALUE_UNIT_REFERENCE, 8 },
	[DW_FORM_ref_udata]	= { VALUE_UNIT_REFERENCE, SIZE_ULEB },
	[DW_FORM_sec_offset]	= { VALUE_SECTION_OFFSET, SIZE_OFFSET },
	[DW_FORM_exprloc]	= { VALUE_BLOCK, SIZE_ULEB },
	[DW_FORM_strx]		= { VALUE_STRX, SIZE_ULEB },
	[DW_FORM_addrx]		= { VALUE_ADDRESS_INDEX, SIZE_ULEB },
	[DW_FORM_data16]	= { VALUE_UINT, 16 },
	[DW_FORM_line_strp]	= { VALUE_LINE_STRP, SIZE_OFFSET },
	[DW_FORM_ref_sig8]	= { VALUE_SIGNATURE, 8 },
	[DW_FORM_loclistx]	= { VALUE_LIST_INDEX, SIZE_ULEB },
	[DW_FORM_rnglistx]	= { VALUE_LIST_INDEX, SIZE_ULEB },
	[DW_FORM_strx1]		= { VALUE_STRX, 1 },
	[DW_FORM_strx2]		= { VALUE_STRX, 2 },
	[DW_FORM_strx3]		= { VALUE_STRX, 3 },
	[DW_FORM_strx4]		= { VALUE_STRX, 4 },
	[DW_FORM_addrx1]	= { VALUE_ADDRESS_INDEX, 1 },
	[DW_FORM_addrx2]	= { VALUE_ADDRESS_INDEX, 2 },
	[DW_FORM_addrx3]	= { VALUE_ADDRESS_INDEX, 3 },
	[DW_FORM_addrx4]	= { VALUE_ADDRESS_INDEX, 4 },
};

static uint64_t read_number(const struct unit *unit, struct cursor *cursor, unsigned int size)
{
	uint64_t first, second;

	switch (size) {
	case SIZE_ULEB:
		return read_uleb(cursor);
	case SIZE_SLEB:
		return read_sleb(cursor);
	case SIZE_OFFSET:
		return read_uint(cursor, unit->offset_size);
	case SIZE_ADDRESS:
		return read_uint(cursor, unit->address_size);
	case 16:
		first = read_uint(cursor, 8);
		second = read_uint(cursor, 8);
		return cursor->section->file->big_endian ? second : first;
	}
	return read_uint(cursor, size);
}

/* Reads a value whose form is in forms[]. */
static struct value read_by_form(const struct unit *unit, struct cursor *cursor,
				 const struct form *form)
{
	struct cursor from = *cursor;
	struct value value = { form->class, .number = read_number(unit, cursor, form->size),
			       .pos = from.pos };

	switch (value.class) {
	case VALUE_BLOCK:
		value.pos = cursor->pos;
		skip_bytes(cursor, value.number);
		return value;
	case VALUE_UNIT_REFERENCE:
		value.class = VALUE_REFERENCE;
		value.number += unit->offset;
		return value;
	case VALUE_STRP:
		value.string = string_in(unit, &from, ".debug_str", value.number);
		break;
	case VALUE_LINE_STRP:
		value.string = string_in(unit, &from, ".debug_line_str", value.number);
		break;
	case VALUE_STRX:
		value.string = indexed_string(unit, &from, value.number);
		break;
	default:
		return value;
	}
	value.class = VALUE_STRING;
	return value;
}

/*
 * Reads a value after its form, which the DIE contains. Indirect forms must not nest,
 * and only an abbreviation can contain an implicit value.
 */
static struct value read_indirect(const struct unit *unit, struct cursor *cursor)
{
	struct attribute_spec spec = { .form = read_code(cursor) };

	if (spec.form == DW_FORM_indirect || spec.form == DW_FORM_implicit_const)
		die_at(cursor->section, cursor->pos, "form 0x%x must not be indirect", spec.form);
	return read_value(unit, cursor, &spec);
}

struct value read_value(const struct unit *unit, struct cursor *cursor,
			const struct attribute_spec *spec)
{
	switch (spec->form) {
	case DW_FORM_string:
		return (struct value){ VALUE_STRING, .string = read_string(cursor) };
	case DW_FORM_flag_present:
		return (struct value){ VALUE_UINT, .number = 1 };
	case DW_FORM_implicit_const:
		return (struct value){ VALUE_SINT, .number = spec->implicit };
	case DW_FORM_indirect:
		return read_indirect(unit, cursor);
	}
	if (spec->form >= ARRAY_SIZE(forms) || !forms[spec->form].size)
		die_at(cursor->section, cursor->pos, "unknown form 0x%x of attribute 0x%x",
		       spec->form, spec->name);
	return read_by_form(unit, cursor, &forms[spec->form]);
}
