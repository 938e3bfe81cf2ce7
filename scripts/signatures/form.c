// SPDX-License-Identifier: GPL-2.0
/*
 * DWARF units, abbreviations and forms.
 *
 * A form says how the value of an attribute is stored. One that is not known has
 * no known length, so nothing behind it could be read: it is an error.
 */
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

static struct section *need_section(const struct dwarf *dwarf, const char *name,
				    const struct cursor *cursor)
{
	struct section *section = find_section(dwarf->file, name);

	if (!section)
		die_at(cursor->section, cursor->pos, "this needs section %s, which is not there",
		       name);
	return section;
}

/* A tag, a name of an attribute or a form: all these are below DW_*_hi_user. */
static unsigned int read_code(struct cursor *cursor)
{
	size_t pos = cursor->pos;
	uint64_t code = read_uleb(cursor);

	if (code > 0xffff)
		die_at(cursor->section, pos, "0x%llx is no tag, attribute or form",
		       (unsigned long long)code);
	return code;
}

/* Reads the specs of one abbreviation, up to the pair of zeros. */
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

	return x->code < y->code ? -1 : x->code > y->code;
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

/* Units share tables. */
static const struct abbreviations *
get_abbreviations(struct dwarf *dwarf, const struct cursor *header, uint64_t offset)
{
	struct abbreviations **bucket, *table;
	struct cursor cursor;

	bucket = &dwarf->abbreviations[offset % ARRAY_SIZE(dwarf->abbreviations)];
	for (table = *bucket; table; table = table->next) {
		if (table->offset == offset)
			return table;
	}
	cursor = open_cursor(need_section(dwarf, ".debug_abbrev", header), offset);
	table = read_abbreviations(&cursor);
	table->next = *bucket;
	*bucket = table;
	return table;
}

/*
 * find_abbreviation - read the code of an abbreviation, look it up
 * Return: NULL for code 0, the end of a list of children.
 */
const struct abbreviation *find_abbreviation(const struct unit *unit, struct cursor *at)
{
	const struct abbreviations *table = unit->abbreviations;
	struct abbreviation key, *found;
	size_t pos = at->pos;

	key.code = read_uleb(at);
	if (!key.code)
		return NULL;
	/* The codes are 1, 2, 3 nearly always. */
	if (key.code <= table->nr && table->all[key.code - 1].code == key.code)
		return &table->all[key.code - 1];
	found = table->nr ? bsearch(&key, table->all, table->nr, sizeof(key),
				    compare_codes) : NULL;
	if (!found)
		die_at(at->section, pos, "abbreviation %llu is not in .debug_abbrev+0x%zx",
		       (unsigned long long)key.code, table->offset);
	return found;
}

/* An entry of a table whose base the unit's DIE gives */
static struct cursor open_indexed(const struct unit *unit, const struct cursor *from,
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

static struct value block_value(struct cursor *cursor, uint64_t length)
{
	struct value value = { VALUE_BLOCK, .number = length, .pos = cursor->pos };

	skip_bytes(cursor, length);
	return value;
}

static struct value string_value(const char *string)
{
	return (struct value){ VALUE_STRING, .string = string };
}

static struct value uint_value(enum value_class class, uint64_t number)
{
	return (struct value){ class, .number = number };
}

static struct value unit_reference(const struct unit *unit, uint64_t offset)
{
	return uint_value(VALUE_REFERENCE, unit->offset + offset);
}

static struct value read_address(const struct unit *unit, struct cursor *cursor)
{
	size_t pos = cursor->pos;

	return (struct value){ VALUE_ADDRESS, .pos = pos,
			       .number = read_uint(cursor, unit->address_size) };
}

static struct value read_wide(struct cursor *cursor)
{
	uint64_t first = read_uint(cursor, 8), second = read_uint(cursor, 8);

	return uint_value(VALUE_UINT, cursor->section->file->big_endian ? second : first);
}

/* A form that the abbreviation leaves to the DIE; it may not do so again. */
static struct value read_indirect(const struct unit *unit, struct cursor *cursor)
{
	struct attribute_spec spec = { .form = read_code(cursor) };

	if (spec.form == DW_FORM_indirect || spec.form == DW_FORM_implicit_const)
		die_at(cursor->section, cursor->pos, "indirect form 0x%x", spec.form);
	return read_value(unit, cursor, &spec);
}

static struct value read_data(struct cursor *cursor, unsigned int form)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_flag:
		return uint_value(VALUE_UINT, read_uint(cursor, 1));
	case DW_FORM_data2:
		return uint_value(VALUE_UINT, read_uint(cursor, 2));
	case DW_FORM_data4:
		return uint_value(VALUE_UINT, read_uint(cursor, 4));
	case DW_FORM_data8:
		return uint_value(VALUE_UINT, read_uint(cursor, 8));
	case DW_FORM_data16:
		return read_wide(cursor);
	case DW_FORM_udata:
		return uint_value(VALUE_UINT, read_uleb(cursor));
	case DW_FORM_sdata:
		return uint_value(VALUE_SINT, read_sleb(cursor));
	case DW_FORM_flag_present:
		return uint_value(VALUE_UINT, 1);
	case DW_FORM_block1:
		return block_value(cursor, read_uint(cursor, 1));
	case DW_FORM_block2:
		return block_value(cursor, read_uint(cursor, 2));
	case DW_FORM_block4:
		return block_value(cursor, read_uint(cursor, 4));
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return block_value(cursor, read_uleb(cursor));
	case DW_FORM_addrx:
		return uint_value(VALUE_ADDRESS_INDEX, read_uleb(cursor));
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		return uint_value(VALUE_ADDRESS_INDEX,
				  read_uint(cursor, form - DW_FORM_addrx1 + 1));
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		return uint_value(VALUE_LIST_INDEX, read_uleb(cursor));
	}
	return (struct value){ VALUE_NONE };
}

static struct value read_reference(const struct unit *unit, struct cursor *cursor,
				   unsigned int form)
{
	switch (form) {
	case DW_FORM_ref1:
		return unit_reference(unit, read_uint(cursor, 1));
	case DW_FORM_ref2:
		return unit_reference(unit, read_uint(cursor, 2));
	case DW_FORM_ref4:
		return unit_reference(unit, read_uint(cursor, 4));
	case DW_FORM_ref8:
		return unit_reference(unit, read_uint(cursor, 8));
	case DW_FORM_ref_udata:
		return unit_reference(unit, read_uleb(cursor));
	case DW_FORM_ref_addr:
		return uint_value(VALUE_REFERENCE, read_uint(cursor, unit->offset_size));
	case DW_FORM_ref_sig8:
		return uint_value(VALUE_SIGNATURE, read_uint(cursor, 8));
	}
	return (struct value){ VALUE_NONE };
}

static struct value read_string_value(const struct unit *unit, struct cursor *cursor,
				      unsigned int form)
{
	struct cursor from = *cursor;

	switch (form) {
	case DW_FORM_string:
		return string_value(read_string(cursor));
	case DW_FORM_strp:
		return string_value(string_in(unit, &from, ".debug_str",
					      read_uint(cursor, unit->offset_size)));
	case DW_FORM_line_strp:
		return string_value(string_in(unit, &from, ".debug_line_str",
					      read_uint(cursor, unit->offset_size)));
	case DW_FORM_strx:
		return string_value(indexed_string(unit, &from, read_uleb(cursor)));
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return string_value(indexed_string(unit, &from,
						   read_uint(cursor, form - DW_FORM_strx1 + 1)));
	}
	return (struct value){ VALUE_NONE };
}

/**
 * read_value - read the value of an attribute
 * @unit:	the unit
 * @cursor:	where the value is; goes behind it
 * @spec:	the form
 */
struct value read_value(const struct unit *unit, struct cursor *cursor,
			const struct attribute_spec *spec)
{
	size_t pos = cursor->pos;
	struct value value;

	switch (spec->form) {
	case DW_FORM_addr:
		return read_address(unit, cursor);
	case DW_FORM_implicit_const:
		return uint_value(VALUE_SINT, spec->implicit);
	case DW_FORM_indirect:
		return read_indirect(unit, cursor);
	case DW_FORM_sec_offset:
		return uint_value(VALUE_SECTION_OFFSET,
				  read_uint(cursor, unit->offset_size));
	}
	value = read_data(cursor, spec->form);
	if (value.class == VALUE_NONE)
		value = read_reference(unit, cursor, spec->form);
	if (value.class == VALUE_NONE)
		value = read_string_value(unit, cursor, spec->form);
	if (value.class == VALUE_NONE)
		die_at(cursor->section, pos, "unknown form 0x%x of attribute 0x%x",
		       spec->form, spec->name);
	return value;
}

static unsigned int read_unit_type(struct cursor *cursor, struct unit *unit)
{
	unsigned int type;

	if (unit->version < 5)
		return DW_UT_compile;
	type = read_uint(cursor, 1);
	if (type != DW_UT_compile && type != DW_UT_type && type != DW_UT_partial)
		die_at(cursor->section, cursor->pos - 1,
		       "a unit of type %u, such as split debug info has", type);
	return type;
}

static void read_unit_header(struct cursor *cursor, struct unit *unit)
{
	uint64_t length, abbreviations = 0;
	unsigned int type;

	unit->offset = cursor->pos;
	unit->offset_size = 4;
	length = read_uint(cursor, 4);
	if (length == 0xffffffff) {
		unit->offset_size = 8;
		length = read_uint(cursor, 8);
	}
	if (length > cursor->end - cursor->pos)
		die_at(cursor->section, unit->offset, "a unit ends beyond its section");
	unit->end = cursor->pos + length;

	unit->version = read_uint(cursor, 2);
	if (unit->version < 4 || unit->version > 5)
		die_at(cursor->section, unit->offset, "a unit of DWARF %u; 4 and 5 can be read",
		       unit->version);
	type = read_unit_type(cursor, unit);
	if (unit->version < 5)
		abbreviations = read_uint(cursor, unit->offset_size);
	unit->address_size = read_uint(cursor, 1);
	if (unit->address_size != 4 && unit->address_size != 8)
		die_at(cursor->section, unit->offset, "addresses of %u bytes",
		       unit->address_size);
	if (unit->version >= 5)
		abbreviations = read_uint(cursor, unit->offset_size);
	unit->abbreviations = get_abbreviations(unit->dwarf, cursor, abbreviations);
	if (type == DW_UT_type) {
		unit->signature = read_uint(cursor, 8);
		unit->type_offset = unit->offset + read_uint(cursor, unit->offset_size);
	}
	unit->first_die = cursor->pos;
}

/* The tables of DWARF 5 begin with a header, behind which their entries are. */
static void set_default_bases(struct unit *unit)
{
	unsigned int header = unit->offset_size == 8 ? 16 : 8;

	unit->str_offsets_base = header;
	unit->addr_base = header;
	unit->rnglists_base = header + 4;
	unit->loclists_base = header + 4;
}

static void read_unit_die(struct unit *unit)
{
	const struct value *value;
	struct die die;
	uint64_t number;

	set_default_bases(unit);
	if (unit->first_die >= unit->end || !read_die(unit, unit->first_die, &die))
		return;
	value = find_attribute(&die, DW_AT_str_offsets_base);
	if (value)
		unit->str_offsets_base = value->number;
	value = find_attribute(&die, DW_AT_addr_base);
	if (value)
		unit->addr_base = value->number;
	value = find_attribute(&die, DW_AT_rnglists_base);
	if (value)
		unit->rnglists_base = value->number;
	value = find_attribute(&die, DW_AT_loclists_base);
	if (value)
		unit->loclists_base = value->number;
	if (value_uint(find_attribute(&die, DW_AT_language), &number))
		unit->language = number;
	value = find_attribute(&die, DW_AT_producer);
	unit->llvm = value && value->class == VALUE_STRING && strstr(value->string, "clang");
	value_address(unit, find_attribute(&die, DW_AT_low_pc), &unit->base);
}

/*
 * open_dwarf - find the units of a file
 * Return: NULL if it has no debug information.
 */
struct dwarf *open_dwarf(struct file *file)
{
	struct section *info = find_section(file, ".debug_info");
	struct dwarf *dwarf;
	struct cursor cursor;
	size_t room = 0;

	if (!info)
		return NULL;
	if (find_section(file, ".debug_types"))
		die("%s: section .debug_types is not read: compile without -fdebug-types-section",
		    file->name);
	dwarf = xcalloc(1, sizeof(*dwarf));
	dwarf->file = file;
	dwarf->info = info;
	cursor = open_cursor(info, 0);
	while (cursor.pos < cursor.end) {
		struct unit unit = { .dwarf = dwarf };

		read_unit_header(&cursor, &unit);
		grow(dwarf->units, dwarf->nr_units, room);
		dwarf->units[dwarf->nr_units++] = unit;
		cursor.pos = unit.end;
	}
	for (size_t i = 0; i < dwarf->nr_units; i++)
		read_unit_die(&dwarf->units[i]);
	return dwarf;
}

static void free_abbreviations(struct abbreviations *table)
{
	while (table) {
		struct abbreviations *next = table->next;

		free(table->all);
		free(table->specs);
		free(table);
		table = next;
	}
}

void close_dwarf(struct dwarf *dwarf)
{
	if (!dwarf)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(dwarf->abbreviations); i++)
		free_abbreviations(dwarf->abbreviations[i]);
	free_layouts(dwarf->layouts);
	free(dwarf->units);
	free(dwarf);
}

static bool unit_is_below(const void *unit, const void *offset)
{
	return ((const struct unit *)unit)->end <= *(const size_t *)offset;
}

/* The unit that has a DIE at this offset of .debug_info, or NULL */
struct unit *find_unit(struct dwarf *dwarf, size_t offset)
{
	size_t i = count_below(&offset, dwarf->units, dwarf->nr_units,
			       sizeof(*dwarf->units), unit_is_below);

	if (i == dwarf->nr_units || offset < dwarf->units[i].first_die)
		return NULL;
	return &dwarf->units[i];
}
