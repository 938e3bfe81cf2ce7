// SPDX-License-Identifier: GPL-2.0
/*
 * DIEs: what an entry of .debug_info says, and how to get from one to another.
 */
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

/* Those that this program asks for; all others are read over. */
static const unsigned char wanted_attributes[] = {
	DW_AT_sibling, DW_AT_location, DW_AT_name, DW_AT_byte_size, DW_AT_low_pc,
	DW_AT_high_pc, DW_AT_language, DW_AT_const_value, DW_AT_upper_bound,
	DW_AT_abstract_origin, DW_AT_calling_convention, DW_AT_count,
	DW_AT_data_member_location, DW_AT_declaration, DW_AT_encoding, DW_AT_frame_base,
	DW_AT_specification, DW_AT_type, DW_AT_ranges, DW_AT_data_bit_offset,
	DW_AT_str_offsets_base, DW_AT_addr_base, DW_AT_rnglists_base, DW_AT_alignment,
	DW_AT_loclists_base, DW_AT_bit_offset, DW_AT_bit_size, DW_AT_producer,
	DW_AT_external,
};

_Static_assert(ARRAY_SIZE(wanted_attributes) == DIE_ATTRIBUTES,
	       "DIE_ATTRIBUTES tells how many they are");

/* The index in wanted_attributes[] plus one, or 0 */
static unsigned int attribute_index(unsigned int name)
{
	static unsigned char indexes[DW_AT_loclists_base + 1];

	if (!indexes[wanted_attributes[0]]) {
		for (unsigned int i = 0; i < DIE_ATTRIBUTES; i++)
			indexes[wanted_attributes[i]] = i + 1;
	}
	return name < sizeof(indexes) ? indexes[name] : 0;
}

/* The value of an attribute of the DIE, or NULL if it does not have it */
const struct value *find_attribute(const struct die *die, unsigned int name)
{
	unsigned int index = attribute_index(name);

	if (!index || !(die->present & 1U << (index - 1)))
		return NULL;
	return &die->attributes[index - 1];
}

/**
 * read_die - read the DIE at an offset
 * @unit:	its unit
 * @offset:	where it is in .debug_info
 * @die:	gets it
 *
 * Return: false if there is none, but the end of a list of children.
 */
bool read_die(const struct unit *unit, size_t offset, struct die *die)
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
			die->present |= 1U << (index - 1);
		}
	}
	die->next = cursor.pos;
	return true;
}

/* As read_die(), in whatever unit; dies if no DIE is there. */
void read_die_at(struct dwarf *dwarf, size_t offset, struct die *die)
{
	const struct unit *unit = find_unit(dwarf, offset);

	if (!unit || !read_die(unit, offset, die))
		die_at(dwarf->info, offset, "there is no DIE, as another one says");
}

const char *die_name(const struct die *die)
{
	const struct value *value = find_attribute(die, DW_AT_name);

	return value && value->class == VALUE_STRING ? value->string : NULL;
}

static size_t find_type_unit(const struct die *die, uint64_t signature)
{
	struct dwarf *dwarf = die->unit->dwarf;

	for (size_t i = 0; i < dwarf->nr_units; i++) {
		if (dwarf->units[i].type_offset &&
		    dwarf->units[i].signature == signature)
			return dwarf->units[i].type_offset;
	}
	die_at(dwarf->info, die->offset, "type unit %016llx is not there",
	       (unsigned long long)signature);
}

/*
 * read_referenced_die - follow an attribute that refers to a DIE
 * Return: false if there is no such attribute.
 */
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
		       "attribute 0x%x is no reference", name);
	}
}

/**
 * read_inherited - find an attribute of a DIE, or of what the DIE completes
 * @die:	a concrete instance of an abstract one, or the like
 * @name:	the attribute
 * @holder:	gets the DIE that has it; without one, the last that was looked at
 *
 * Return: whether there is one.
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

/* Steps over one DIE and whatever is in it, without help of DW_AT_sibling. */
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

/*
 * next_sibling - go to the next child of the same parent
 * Return: false if there is none.
 */
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
	/* Forward only: two DIEs could name each other. */
	if (offset < die->next || offset > unit->end)
		die_at(unit->dwarf->info, die->offset, "its sibling cannot be at 0x%zx",
		       offset);
	return offset < unit->end && read_die(unit, offset, die);
}

bool value_address(const struct unit *unit, const struct value *value,
		   struct address *address)
{
	if (!value)
		return false;
	switch (value->class) {
	case VALUE_ADDRESS:
		*address = relocated_address(unit->dwarf->info, value->pos,
					     value->number);
		return true;
	case VALUE_ADDRESS_INDEX:
		*address = indexed_address(unit, value->number);
		return true;
	default:
		return false;
	}
}

/* A number that is not a block, an address or the like */
bool value_uint(const struct value *value, uint64_t *number)
{
	if (!value || (value->class != VALUE_UINT && value->class != VALUE_SINT))
		return false;
	*number = value->number;
	return true;
}
