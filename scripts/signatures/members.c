// SPDX-License-Identifier: GPL-2.0
/*
 * The members of structs, in the format of include/linux/fgraph_members_format.h.
 *
 * A struct without a name is a part of the string of the struct that contains it.
 */
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "members.h"
#include "type.h"
#include "util.h"
#include "../../include/linux/fgraph_members_format.h"

/* The kernel's parser refuses larger numbers. */
#define MAX_SIZE	(256 << 20)

/* A string that is being written */
struct writer {
	struct text text;
	struct reach *reach;
	unsigned int nesting;	/* of structs without a name */
	bool pointer;		/* the type is behind a pointer */
	bool unknown;		/* the member has a type without a letter */
	bool broken;		/* the struct cannot be described */
};

/* Adds a number with 5 bits in each char. */
static void add_number(struct text *text, uint64_t number)
{
	for (; number >> 5; number >>= 5)
		add_char(text, '0' + 32 + (number & 31));
	add_char(text, '0' + number);
}

static bool has_form(const char *name)
{
#define NAME(name, form) name,
	static const char *const names[] = { FGRAPH_FORM_TYPEDEFS(NAME) };
#undef NAME

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Finds the typedef that spells @type, the type of @user. Return: false if there is none. */
static bool find_typedef(const struct die *user, const struct die *type, struct die *found)
{
	*found = *user;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!read_referenced_die(found, DW_AT_type, found))
			return false;
		if (found->tag != DW_TAG_typedef && !is_qualifier(found->tag))
			return false;
		if (found->tag == DW_TAG_typedef &&
		    (is_described(type) || has_form(die_name(found))))
			return true;
	}
	return false;
}

/* An enum behind a pointer is not printed, so it needs no enumerators. */
static void reach_key(struct writer *writer, const struct die *key, const struct die *type)
{
	if (!is_described(type))
		return;
	if (!writer->pointer)
		reach_near(writer->reach, key);
	else if (type->tag != DW_TAG_enumeration_type)
		reach_far(writer->reach, key);
}

static void encode_letter(struct writer *writer, const struct die *type)
{
	char letter = base_type_letter(type);
	uint64_t size = 0;

	find_uint(type, DW_AT_byte_size, &size);
	/* The letter of long double also stands for floats of other sizes. */
	if (letter == 'u' || (letter == 'e' && size != 2 * type->unit->address_size))
		writer->unknown |= !writer->pointer;
	add_char(&writer->text, letter);
}

static void encode_at_depth(struct writer *writer, const struct die *user, unsigned int depth);
static void encode_struct(struct writer *writer, const struct die *type);

static void encode_pointer(struct writer *writer, const struct die *type, unsigned int depth)
{
	bool pointer = writer->pointer;

	add_char(&writer->text, 'P');
	writer->pointer = true;
	encode_at_depth(writer, type, depth + 1);
	writer->pointer = pointer;
}

/* Spells a struct, union or enum that no typedef names. */
static void encode_tagged(struct writer *writer, const struct die *type)
{
	struct text *text = &writer->text;

	if (type->tag == DW_TAG_enumeration_type) {
		add_text(text, "C%c", enum_letter(type));
		add_name(text, die_name(type));
	} else if (die_name(type)) {
		add_char(text, type->tag == DW_TAG_structure_type ? 'S' : 'U');
		add_name(text, die_name(type));
	} else if (writer->pointer) {
		add_char(text, 'v');
	} else {
		add_text(text, "%c(", type->tag == DW_TAG_structure_type ? 'S' : 'U');
		encode_struct(writer, type);
		add_char(text, ')');
	}
	if (die_name(type))
		reach_key(writer, type, type);
}

static void encode_one(struct writer *writer, const struct die *type, unsigned int depth)
{
	switch (type->tag) {
	case DW_TAG_base_type:
		encode_letter(writer, type);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		encode_tagged(writer, type);
		break;
	case DW_TAG_pointer_type:
		encode_pointer(writer, type, depth);
		break;
	case DW_TAG_array_type:
		depth += encode_dimensions(&writer->text, type);
		encode_at_depth(writer, type, depth);
		break;
	case DW_TAG_subroutine_type:
		add_text(&writer->text, "FvE");
		break;
	default:
		writer->unknown |= !writer->pointer;
		add_char(&writer->text, 'u');
	}
}

/* Spells the type of @user, and adds the keys that it leads to. */
static void encode_at_depth(struct writer *writer, const struct die *user, unsigned int depth)
{
	struct die type, name;

	if (depth >= FGRAPH_TYPE_DEPTH) {
		writer->unknown |= !writer->pointer;
		add_char(&writer->text, 'u');
	} else if (!strip_type(user, &type)) {
		writer->unknown |= !writer->pointer;
		add_char(&writer->text, 'v');
	} else if (find_typedef(user, &type, &name)) {
		add_char(&writer->text, 'T');
		add_name(&writer->text, die_name(&name));
		encode_typedef_target(&writer->text, &name);
		reach_key(writer, &name, &type);
	} else {
		encode_one(writer, &type, depth);
	}
}

/* The place of a member in bits, from the start of the struct */
struct bits {
	uint64_t first;
	uint64_t width;		/* 0: the member is no bit-field */
};

/* Return: false if the place is not a constant, or cannot be described. */
static bool find_bits(const struct die *member, struct bits *bits)
{
	uint64_t offset = 0;

	*bits = (struct bits){ 0 };
	if (find_attribute(member, DW_AT_data_member_location) &&
	    !find_uint(member, DW_AT_data_member_location, &offset))
		return false;
	if (offset > MAX_SIZE)
		return false;
	bits->first = 8 * offset;
	if (!find_attribute(member, DW_AT_bit_size))
		return true;
	if (!find_uint(member, DW_AT_bit_size, &bits->width))
		return false;
	bits->first = first_bit(member, offset, bits->width, type_layout(member).size);
	return bits->width && bits->width <= 64;
}

/* @last is the offset of the previous member, in bytes. The struct has @size bytes. */
static void encode_member(struct writer *writer, const struct die *member, uint64_t size,
			  uint64_t *last)
{
	struct text *text = &writer->text;
	size_t length = text->length;
	struct bits bits;

	if (!find_bits(member, &bits))
		return;
	if (bits.first / 8 < *last || bits.first / 8 > size) {
		writer->broken = true;
		return;
	}
	add_name(text, die_name(member));
	add_number(text, bits.first / 8 - *last);
	if (bits.width) {
		add_char(text, ':');
		add_number(text, bits.first % 8);
		add_number(text, bits.width);
	}
	writer->unknown = false;
	encode_at_depth(writer, member, 0);
	if (writer->unknown)
		cut_text(text, length);
	else
		*last = bits.first / 8;
	writer->unknown = false;
}

static void encode_struct(struct writer *writer, const struct die *type)
{
	uint64_t size, last = 0;
	struct die child;

	if (writer->nesting > FGRAPH_MEMBERS_NESTING ||
	    !find_uint(type, DW_AT_byte_size, &size) || size > MAX_SIZE) {
		writer->broken = true;
		return;
	}
	writer->nesting++;
	add_number(&writer->text, size);
	for_each_child(&child, type) {
		/* The types of a broken file can refer to each other endlessly. */
		if (writer->broken || writer->text.too_long)
			break;
		if (child.tag == DW_TAG_member)
			encode_member(writer, &child, size, &last);
	}
	writer->nesting--;
}

static void encode_enum(struct text *text, const struct die *type)
{
	struct text enumerators = begin_text();

	add_char(text, enum_letter(type));
	encode_enumerators(&enumerators, type);
	for (size_t i = 0; i < enumerators.length; i++)
		add_char(text, enumerators.bytes[i]);
	free(enumerators.bytes);
}

static char key_letter(const struct die *key)
{
	switch (key->tag) {
	case DW_TAG_structure_type:
		return 'S';
	case DW_TAG_union_type:
		return 'U';
	case DW_TAG_enumeration_type:
		return 'C';
	default:
		return 'T';
	}
}

static void encode_key(struct text *text, const struct die *key)
{
	add_char(text, key_letter(key));
	add_name(text, die_name(key));
}

/* Finds the key that the string of the members has. All other keys refer to it. */
static struct die find_last_key(const struct die *first)
{
	struct die key = *first, next;

	for (int i = 0; i < MAX_REFERENCES && key.tag == DW_TAG_typedef; i++) {
		if (!find_key(&key, &next))
			break;
		key = next;
	}
	return key;
}

static void encode_string(struct writer *writer, const struct die *key, const struct die *type)
{
	struct die last = find_last_key(key);

	add_char(&writer->text, FGRAPH_MEMBERS_MARK);
	encode_key(&writer->text, key);
	if (last.offset != key->offset) {
		add_char(&writer->text, '=');
		encode_key(&writer->text, &last);
		reach_near(writer->reach, &last);
		return;
	}
	if (key->tag == DW_TAG_typedef)
		add_char(&writer->text, key_letter(type));
	if (type->tag == DW_TAG_enumeration_type)
		encode_enum(&writer->text, type);
	else
		encode_struct(writer, type);
}

/* Adds the string of a key, unless its type is only declared. */
static void describe_key(struct strings *strings, struct reach *reach, const struct die *key)
{
	struct writer writer = { .reach = reach };
	struct die type = *key;

	if (key->tag == DW_TAG_typedef && !strip_type(key, &type))
		return;
	if (!is_described(&type) || find_attribute(&type, DW_AT_declaration))
		return;
	writer.text = begin_text();
	encode_string(&writer, key, &type);
	if (!writer.broken && !writer.text.too_long)
		add_string(strings, &writer.text);
	free(writer.text.bytes);
}

/**
 * describe_members - describe all types that were reached
 * @strings:	gets a string for each of them
 * @dwarf:	the debug information
 * @reach:	the types. The types that their members lead to are added
 */
void describe_members(struct strings *strings, struct dwarf *dwarf, struct reach *reach)
{
	struct die key;

	for (int steps = 0; steps <= MEMBERS_DEPTH && reach->near.nr; steps++) {
		for (size_t i = 0; i < reach->near.nr; i++) {
			read_die_at(dwarf, reach->near.all[i], &key);
			describe_key(strings, reach, &key);
		}
		take_step(reach);
	}
}
