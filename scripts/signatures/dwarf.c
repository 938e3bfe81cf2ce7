// SPDX-License-Identifier: GPL-2.0
/* Debug information: units, DIEs, and the references between DIEs. */
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "relocate.h"
#include "util.h"

/* The attributes that the reader uses; it skips all others. */
static const unsigned char wanted_attributes[] = {
	DW_AT_sibling, DW_AT_location, DW_AT_name, DW_AT_byte_size, DW_AT_low_pc,
	DW_AT_high_pc, DW_AT_language, DW_AT_const_value, DW_AT_upper_bound,
	DW_AT_abstract_origin, DW_AT_calling_convention, DW_AT_count,
	DW_AT_data_member_location, DW_AT_declaration, DW_AT_encoding, DW_AT_frame_base,
	DW_AT_specification, DW_AT_type, DW_AT_ranges, DW_AT_data_bit_offset,
	DW_AT_str_offsets_base, DW_AT_addr_base, DW_AT_rnglists_base, DW_AT_alignment,
	DW_AT_loclists_base, DW_AT_bit_offset, DW_AT_bit_size, DW_AT_producer,
	DW_AT_external, DW_AT_stmt_list, DW_AT_comp_dir, DW_AT_decl_file, DW_AT_decl_line,
	DW_AT_call_file, DW_AT_call_line,
};

_Static_assert(ARRAY_SIZE(wanted_attributes) == DIE_ATTRIBUTES,
	       "DIE_ATTRIBUTES is their number");

/* Return: the index in wanted_attributes[] plus one, or 0. */
static unsigned int attribute_index(unsigned int name)
{
	static unsigned char indexes[DW_AT_loclists_base + 1];

	if (!indexes[wanted_attributes[0]]) {
		for (unsigned int i = 0; i < DIE_ATTRIBUTES; i++)
			indexes[wanted_attributes[i]] = i + 1;
	}
	return name < sizeof(indexes) ? indexes[name] : 0;
}

/* Return: the value of an attribute, or NULL if the DIE does not have it. */
const struct value *find_attribute(const struct die *die, unsigned int name)
{
	unsigned int index = attribute_index(name);

	if (!index || !(die->present & 1ULL << (index - 1)))
		return NULL;
	return &die->attributes[index - 1];
}

/* Finds a number. Return: false for a block, an address or a reference. */
bool find_uint(const struct die *die, unsigned int name, uint64_t *number)
{
	const struct value *value = find_attribute(die, name);

	if (!value || (value->class != VALUE_UINT && value->class != VALUE_SINT))
		return false;
	*number = value->number;
	return true;
}

bool find_address(const struct die *die, unsigned int name, struct address *address)
{
	const struct value *value = find_attribute(die, name);

	if (!value)
		return false;
	switch (value->class) {
	case VALUE_ADDRESS:
		*address = relocated_address(die->unit->dwarf->info, value->pos,
					     value->number);
		return true;
	case VALUE_ADDRESS_INDEX:
		*address = indexed_address(die->unit, value->number);
		return true;
	default:
		return false;
	}
}

/* Finds a block, such as an exprloc. */
bool find_block(const struct die *die, unsigned int name, struct cursor *block)
{
	const struct value *value = find_attribute(die, name);

	if (!value || value->class != VALUE_BLOCK)
		return false;
	*block = (struct cursor){ die->unit->dwarf->info, value->pos,
				  value->pos + value->number };
	return true;
}

/* Return: a string, or NULL. */
const char *find_string(const struct die *die, unsigned int name)
{
	const struct value *value = find_attribute(die, name);

	return value && value->class == VALUE_STRING ? value->string : NULL;
}

const char *die_name(const struct die *die)
{
	return find_string(die, DW_AT_name);
}

/* Return: false if a list of children ends at @offset. */
static bool read_die(const struct unit *unit, size_t offset, struct die *die)
{
	struct cursor cursor = { unit->dwarf->info, offset, unit->end };
	const struct abbreviation *abbreviation = find_abbreviation(unit, &cursor);

	die->unit = unit;
	die->offset = offset;
	die->tag = 0;
	die->has_children = false;
	die->present = 0;
	die->next = cursor.pos;
	if (!abbreviation)
		return false;

	die->tag = abbreviation->tag;
	die->has_children = abbreviation->children;
	for (size_t i = 0; i < abbreviation->nr; i++) {
		const struct attribute_spec *spec =
			&unit->abbreviations->specs[abbreviation->first + i];
		struct value value = read_value(unit, &cursor, spec);
		unsigned int index = attribute_index(spec->name);

		if (index) {
			die->attributes[index - 1] = value;
			die->present |= 1ULL << (index - 1);
		}
	}
	die->next = cursor.pos;
	return true;
}

static bool unit_is_below(const void *unit, const void *offset)
{
	return ((const struct unit *)unit)->end <= *(const size_t *)offset;
}

/* Return: the unit whose DIEs include @offset, or NULL. */
static const struct unit *find_unit(const struct dwarf *dwarf, size_t offset)
{
	size_t i = count_below(&offset, dwarf->units, dwarf->nr_units,
			       sizeof(*dwarf->units), unit_is_below);

	if (i == dwarf->nr_units || offset < dwarf->units[i].first_die)
		return NULL;
	return &dwarf->units[i];
}

/* Reads the DIE at an offset of .debug_info. Dies if there is none. */
void read_die_at(struct dwarf *dwarf, size_t offset, struct die *die)
{
	const struct unit *unit = find_unit(dwarf, offset);

	if (!unit || !read_die(unit, offset, die))
		die_at(dwarf->info, offset, "another DIE refers to a DIE here, but there is none");
}

static size_t find_type_unit(const struct die *die, uint64_t signature)
{
	struct dwarf *dwarf = die->unit->dwarf;

	for (size_t i = 0; i < dwarf->nr_units; i++) {
		if (dwarf->units[i].type_offset &&
		    dwarf->units[i].signature == signature)
			return dwarf->units[i].type_offset;
	}
	die_at(dwarf->info, die->offset, "type unit %016llx does not exist",
	       (unsigned long long)signature);
}

/* Follows an attribute that refers to a DIE. Return: false if there is no attribute. */
bool read_referenced_die(const struct die *die, unsigned int name, struct die *to)
{
	const struct value *value = find_attribute(die, name);
	struct dwarf *dwarf = die->unit->dwarf;

	if (!value)
		return false;
	switch (value->class) {
	case VALUE_REFERENCE:
		read_die_at(dwarf, value->number, to);
		return true;
	case VALUE_SIGNATURE:
		read_die_at(dwarf, find_type_unit(die, value->number), to);
		return true;
	default:
		die_at(dwarf->info, die->offset,
		       "attribute 0x%x is not a reference", name);
	}
}

/**
 * read_inherited - find an attribute of a DIE, or of the DIE that it completes
 * @die:	a DIE, which may have an abstract origin or a specification
 * @name:	the attribute
 * @holder:	gets the DIE that has the attribute, or the last DIE if none has it
 *
 * Return: true if a DIE has the attribute.
 */
bool read_inherited(const struct die *die, unsigned int name, struct die *holder)
{
	struct die origin;

	*holder = *die;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (find_attribute(holder, name))
			return true;
		if (!read_referenced_die(holder, DW_AT_abstract_origin, &origin) &&
		    !read_referenced_die(holder, DW_AT_specification, &origin))
			return false;
		*holder = origin;
	}
	die_at(die->unit->dwarf->info, die->offset, "a DIE that is its own origin");
}

bool first_child(const struct die *parent, struct die *child)
{
	return parent->has_children &&
	       read_die(parent->unit, parent->next, child);
}

/* Reads all children of a DIE. Return: the offset after them. */
static size_t skip_children(const struct die *die)
{
	size_t offset = die->next, depth = 1;
	struct die inner;

	while (depth) {
		if (!read_die(die->unit, offset, &inner))
			depth--;
		else if (inner.has_children)
			depth++;
		offset = inner.next;
	}
	return offset;
}

/* Replaces a DIE by the next child of its parent. Return: false if there is none. */
bool next_sibling(struct die *die)
{
	const struct value *sibling = find_attribute(die, DW_AT_sibling);
	const struct unit *unit = die->unit;
	size_t offset = die->next;

	if (die->has_children) {
		if (sibling && sibling->class == VALUE_REFERENCE)
			offset = sibling->number;
		else
			offset = skip_children(die);
	}
	/* A sibling before this DIE could lead back here, in an endless loop. */
	if (offset < die->next || offset > unit->end)
		die_at(unit->dwarf->info, die->offset, "invalid sibling at 0x%zx",
		       offset);
	return offset < unit->end && read_die(unit, offset, die);
}

static unsigned int read_unit_type(struct cursor *cursor, struct unit *unit)
{
	unsigned int type;

	if (unit->version < 5)
		return DW_UT_compile;
	type = read_uint(cursor, 1);
	if (type != DW_UT_compile && type != DW_UT_type && type != DW_UT_partial)
		die_at(cursor->section, cursor->pos - 1,
		       "unsupported type %u of a unit, perhaps of split debug info", type);
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
		die_at(cursor->section, unit->offset, "a unit of DWARF %u, expected 4 or 5",
		       unit->version);
	type = read_unit_type(cursor, unit);
	if (unit->version < 5)
		abbreviations = read_uint(cursor, unit->offset_size);
	unit->address_size = read_uint(cursor, 1);
	if (unit->address_size != 4 && unit->address_size != 8)
		die_at(cursor->section, unit->offset, "addresses of %u bytes, expected 4 or 8",
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

/* In DWARF 5, the entries of a table begin after its header. */
static void set_default_bases(struct unit *unit)
{
	unsigned int header = unit->offset_size == 8 ? 16 : 8;

	unit->str_offsets_base = header;
	unit->addr_base = header;
	unit->rnglists_base = header + 4;
	unit->loclists_base = header + 4;
}

/* Return: false if the unit is empty. */
bool read_unit_die(const struct unit *unit, struct die *die)
{
	return unit->first_die < unit->end && read_die(unit, unit->first_die, die);
}

static void read_base(const struct die *die, unsigned int name, uint64_t *base)
{
	const struct value *value = find_attribute(die, name);

	if (value)
		*base = value->number;
}

static void read_unit_attributes(struct unit *unit)
{
	const char *producer;
	struct die die;
	uint64_t number;

	set_default_bases(unit);
	if (!read_unit_die(unit, &die))
		return;
	read_base(&die, DW_AT_str_offsets_base, &unit->str_offsets_base);
	read_base(&die, DW_AT_addr_base, &unit->addr_base);
	read_base(&die, DW_AT_rnglists_base, &unit->rnglists_base);
	read_base(&die, DW_AT_loclists_base, &unit->loclists_base);
	if (find_uint(&die, DW_AT_language, &number))
		unit->language = number;
	producer = find_string(&die, DW_AT_producer);
	unit->llvm = producer && strstr(producer, "clang");
	find_address(&die, DW_AT_low_pc, &unit->base);
}

/* Return: the debug information of a file, or NULL. The file must stay open. */
struct dwarf *open_dwarf(struct file *file)
{
	struct section *info = find_section(file, ".debug_info");
	struct dwarf *dwarf;
	struct cursor cursor;
	size_t room = 0;

	if (!info)
		return NULL;
	if (find_section(file, ".debug_types"))
		die("%s: unsupported section .debug_types: compile without -fdebug-types-section",
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
		read_unit_attributes(&dwarf->units[i]);
	return dwarf;
}

void close_dwarf(struct dwarf *dwarf)
{
	if (!dwarf)
		return;
	free_abbreviations(dwarf);
	free(dwarf->units);
	free(dwarf);
}
