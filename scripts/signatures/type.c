// SPDX-License-Identifier: GPL-2.0
/*
 * Types: how a signature spells them.
 *
 * All functions take the user of a type: the DIE with the attribute DW_AT_type, as
 * that it has none means void.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

/* No signature is longer: what wants to be is made up. */
#define MAX_TEXT	(64 << 10)

static void end_text(struct text *text)
{
	grow_by(text->bytes, text->length, text->room, 2);
	text->bytes[text->length] = 0;
}

/* An empty text; free() what it points to */
struct text begin_text(void)
{
	struct text text = { 0 };

	end_text(&text);
	return text;
}

void add_char(struct text *text, char c)
{
	text->too_long |= text->length + 1 >= MAX_TEXT;
	if (text->too_long)
		return;
	text->bytes[text->length++] = c;
	end_text(text);
}

void add_text(struct text *text, const char *fmt, ...)
{
	char buffer[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(buffer, sizeof(buffer), fmt, args);
	va_end(args);
	for (const char *c = buffer; *c; c++)
		add_char(text, *c);
}

static const char *const common_names[] = { FGRAPH_COMMON_NAMES };

/* The name of something, or of something anonymous if it is NULL */
void add_name(struct text *text, const char *name)
{
	size_t length = name ? strnlen(name, FGRAPH_MAX_NAME) : 0;

	for (size_t i = 0; name && i < ARRAY_SIZE(common_names); i++) {
		if (!strcmp(name, common_names[i])) {
			add_char(text, FGRAPH_FIRST_COMMON + i);
			return;
		}
	}
	add_char(text, '0' + length);
	for (size_t i = 0; i < length; i++)
		add_char(text, name[i]);
}

/* Prints a string of the table, with common names as other names are. */
void print_string(const char *string)
{
	for (; *string; string++) {
		size_t i = (unsigned char)*string - FGRAPH_FIRST_COMMON;

		if (i < ARRAY_SIZE(common_names))
			printf("%c%s", (char)('0' + strlen(common_names[i])),
			       common_names[i]);
		else
			putchar(*string);
	}
	putchar('\n');
}

bool is_qualifier(unsigned int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/**
 * strip_type - what a type is behind its typedefs and qualifiers
 * @user:	has the type
 * @type:	gets what it is
 *
 * Return: false if it is void.
 */
bool strip_type(const struct die *user, struct die *type)
{
	struct die next;

	if (!read_referenced_die(user, DW_AT_type, type))
		return false;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (type->tag != DW_TAG_typedef && !is_qualifier(type->tag))
			return true;
		if (!read_referenced_die(type, DW_AT_type, &next))
			return false;
		*type = next;
	}
	die_at(type->unit->dwarf->info, type->offset, "a type that is made of itself");
}

/* How many elements: 0 if it is not known */
static uint64_t array_length(const struct die *subrange)
{
	uint64_t number;

	if (value_uint(find_attribute(subrange, DW_AT_count), &number))
		return number;
	if (value_uint(find_attribute(subrange, DW_AT_upper_bound), &number) &&
	    number + 1)
		return number + 1;
	return 0;
}

/* Whether it is [], which GCC before 9 says of [0] as well */
bool is_flexible(const struct die *array)
{
	struct die child;

	for (bool more = first_child(array, &child); more; more = next_sibling(&child)) {
		if (child.tag == DW_TAG_subrange_type)
			return !find_attribute(&child, DW_AT_count) &&
			       !find_attribute(&child, DW_AT_upper_bound);
	}
	return false;
}

/* Of all dimensions together */
uint64_t count_elements(const struct die *array)
{
	uint64_t elements = 1;
	struct die child;

	for (bool more = first_child(array, &child); more; more = next_sibling(&child)) {
		if (child.tag == DW_TAG_subrange_type &&
		    __builtin_mul_overflow(elements, array_length(&child), &elements))
			return UINT64_MAX;
	}
	return elements;
}

/* By size, of the integers that C has on every machine */
static char integer_letter(uint64_t size, bool is_unsigned, bool is_long,
			   bool is_long_long)
{
	switch (size) {
	case 1:
		return is_unsigned ? 'h' : 'a';
	case 2:
		return is_unsigned ? 't' : 's';
	case 4:
		if (is_long)
			return is_unsigned ? 'm' : 'l';
		return is_unsigned ? 'j' : 'i';
	case 8:
		if (is_long && !is_long_long)
			return is_unsigned ? 'm' : 'l';
		return is_unsigned ? 'y' : 'x';
	case 16:
		return is_unsigned ? 'o' : 'n';
	}
	return 'u';
}

static char float_letter(uint64_t size)
{
	switch (size) {
	case 4:
		return 'f';
	case 8:
		return 'd';
	}
	return 'e';
}

/*
 * Compilers name the types differently: "long unsigned int", "unsigned long". The
 * size and DW_AT_encoding tell all but how many times a type is "long".
 */
static char base_type_letter(const struct die *type)
{
	const char *name = die_name(type) ?: "";
	uint64_t encoding = 0, size = 0;

	value_uint(find_attribute(type, DW_AT_encoding), &encoding);
	value_uint(find_attribute(type, DW_AT_byte_size), &size);
	switch (encoding) {
	case DW_ATE_boolean:
		return size == 1 ? 'b' : 'u';
	case DW_ATE_float:
		return float_letter(size);
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		if (!strcmp(name, "char"))
			return 'c';
		/* fall through */
	case DW_ATE_signed:
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
		return integer_letter(size, encoding == DW_ATE_unsigned ||
				      encoding == DW_ATE_unsigned_char ||
				      encoding == DW_ATE_UTF,
				      !!strstr(name, "long"),
				      !!strstr(name, "long long"));
	}
	return 'u';
}

static bool has_negative_enumerator(const struct die *type)
{
	struct die child;

	for (bool more = first_child(type, &child); more; more = next_sibling(&child)) {
		const struct value *value = find_attribute(&child, DW_AT_const_value);

		if (value && value->class == VALUE_SINT && (int64_t)value->number < 0)
			return true;
	}
	return false;
}

/* The integer that an enum is: DWARF need not tell, but its enumerators do. */
static char enum_letter(const struct die *type)
{
	uint64_t size = 0, encoding;
	bool is_unsigned;
	struct die integer;

	if (strip_type(type, &integer) && integer.tag == DW_TAG_base_type)
		return base_type_letter(&integer);
	value_uint(find_attribute(type, DW_AT_byte_size), &size);
	if (value_uint(find_attribute(type, DW_AT_encoding), &encoding))
		is_unsigned = encoding == DW_ATE_unsigned;
	else
		is_unsigned = !has_negative_enumerator(type);
	return integer_letter(size, is_unsigned, false, false);
}

static void encode_at_depth(struct text *text, const struct die *user,
			    unsigned int depth);

static void encode_function(struct text *text, const struct die *type,
			    unsigned int depth)
{
	struct die child;

	add_char(text, 'F');
	encode_at_depth(text, type, depth + 1);
	for (bool more = first_child(type, &child); more; more = next_sibling(&child)) {
		if (child.tag == DW_TAG_formal_parameter)
			encode_at_depth(text, &child, depth + 1);
		else if (child.tag == DW_TAG_unspecified_parameters)
			add_char(text, 'z');
	}
	add_char(text, 'E');
}

/* Each dimension is an array of the next one. */
static void encode_array(struct text *text, const struct die *type, unsigned int depth)
{
	struct die child;

	for (bool more = first_child(type, &child); more; more = next_sibling(&child)) {
		uint64_t length;

		if (child.tag != DW_TAG_subrange_type)
			continue;
		length = array_length(&child);
		add_char(text, 'A');
		if (length)
			add_text(text, "%" PRIu64, length);
		add_char(text, '_');
		depth++;
	}
	encode_at_depth(text, type, depth);
}

/* Values of these types are printed in decimal, whatever typedef stands for them. */
static bool is_decimal(const char *name)
{
	static const char *const names[] = { FGRAPH_DECIMAL_NAMES };

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* The typedef of such a name that @type stands for, if it has no such name itself */
static void encode_decimal_name(struct text *text, const struct die *type)
{
	struct die next = *type;

	if (is_decimal(die_name(type)))
		return;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!read_referenced_die(&next, DW_AT_type, &next))
			return;
		if (next.tag != DW_TAG_typedef && !is_qualifier(next.tag))
			return;
		if (next.tag == DW_TAG_typedef && is_decimal(die_name(&next))) {
			add_char(text, 'T');
			add_name(text, die_name(&next));
			return;
		}
	}
}

/* See the format: just what it takes to print a value */
static void encode_typedef_target(struct text *text, const struct die *user)
{
	struct die type, pointee;

	encode_decimal_name(text, user);
	if (!strip_type(user, &type)) {
		add_char(text, 'v');
		return;
	}
	switch (type.tag) {
	case DW_TAG_base_type:
		add_char(text, base_type_letter(&type));
		break;
	case DW_TAG_enumeration_type:
		add_text(text, "C%c0", enum_letter(&type));
		break;
	case DW_TAG_structure_type:
		add_text(text, "S0");
		break;
	case DW_TAG_union_type:
		add_text(text, "U0");
		break;
	case DW_TAG_array_type:
		add_text(text, "A_u");
		break;
	case DW_TAG_subroutine_type:
		add_text(text, "FvE");
		break;
	case DW_TAG_pointer_type:
		if (!strip_type(&type, &pointee))
			add_text(text, "Pv");
		else if (pointee.tag == DW_TAG_subroutine_type)
			add_text(text, "PFvE");
		else if (pointee.tag == DW_TAG_base_type &&
			 base_type_letter(&pointee) == 'c')
			add_text(text, "Pc");
		else
			add_text(text, "Pv");
		break;
	default:
		add_char(text, 'u');
	}
}

/* "bool" is short in signatures, as many functions return one. */
static bool is_bool(const struct die *type)
{
	const char *name = die_name(type);
	struct die base;

	return name && !strcmp(name, "bool") && strip_type(type, &base) &&
	       base.tag == DW_TAG_base_type && base_type_letter(&base) == 'b';
}

static void encode_one(struct text *text, const struct die *type, unsigned int depth)
{
	switch (type->tag) {
	case DW_TAG_base_type:
		add_char(text, base_type_letter(type));
		break;
	case DW_TAG_pointer_type:
		add_char(text, 'P');
		encode_at_depth(text, type, depth + 1);
		break;
	case DW_TAG_const_type:
		add_char(text, 'K');
		encode_at_depth(text, type, depth + 1);
		break;
	case DW_TAG_volatile_type:
		add_char(text, 'V');
		encode_at_depth(text, type, depth + 1);
		break;
	case DW_TAG_restrict_type:
		add_char(text, 'R');
		encode_at_depth(text, type, depth + 1);
		break;
	case DW_TAG_structure_type:
		add_char(text, 'S');
		add_name(text, die_name(type));
		break;
	case DW_TAG_union_type:
		add_char(text, 'U');
		add_name(text, die_name(type));
		break;
	case DW_TAG_enumeration_type:
		add_text(text, "C%c", enum_letter(type));
		add_name(text, die_name(type));
		break;
	case DW_TAG_typedef:
		if (is_bool(type)) {
			add_char(text, 'b');
			break;
		}
		add_char(text, 'T');
		add_name(text, die_name(type));
		encode_typedef_target(text, type);
		break;
	case DW_TAG_subroutine_type:
		encode_function(text, type, depth);
		break;
	case DW_TAG_array_type:
		encode_array(text, type, depth);
		break;
	default:
		/* DW_TAG_unspecified_type, and types that C does not have */
		add_char(text, 'u');
	}
}

static void encode_at_depth(struct text *text, const struct die *user,
			    unsigned int depth)
{
	struct die type;

	if (depth >= FGRAPH_TYPE_DEPTH)
		add_char(text, 'u');
	else if (!read_referenced_die(user, DW_AT_type, &type))
		add_char(text, 'v');
	else if (type.tag == DW_TAG_atomic_type)
		encode_at_depth(text, &type, depth + 1);
	else
		encode_one(text, &type, depth);
}

/* Spells the type of @user. */
void encode_type(struct text *text, const struct die *user)
{
	encode_at_depth(text, user, 0);
}

static void add_enumerators(struct text *text, const struct die *type)
{
	bool is_unsigned = strchr("htjmyo", enum_letter(type));
	uint64_t next = 0, number;
	struct die child;

	for (bool more = first_child(type, &child); more; more = next_sibling(&child)) {
		const char *name = die_name(&child);

		if (child.tag != DW_TAG_enumerator || !name ||
		    !value_uint(find_attribute(&child, DW_AT_const_value), &number))
			continue;
		if (text->length)
			add_char(text, ',');
		for (; *name; name++)
			add_char(text, *name);
		if (number != next) {
			add_char(text, '=');
			if (is_unsigned)
				add_text(text, "%" PRIu64, number);
			else
				add_text(text, "%" PRId64, (int64_t)number);
		}
		next = number + 1;
	}
}

/* Lists the enumerators of an enum, or none if they take too much. */
void encode_enumerators(struct text *text, const struct die *type)
{
	add_enumerators(text, type);
	if (text->too_long) {
		free(text->bytes);
		*text = begin_text();
	}
	while (text->length < FGRAPH_MIN_STRING)
		add_char(text, ',');
}
