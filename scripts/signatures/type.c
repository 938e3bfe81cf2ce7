// SPDX-License-Identifier: GPL-2.0
/* Types, as a signature spells them: see include/linux/fgraph_sig_format.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "type.h"
#include "util.h"

bool is_qualifier(unsigned int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Finds the type without typedefs and qualifiers. Return: false if it is void. */
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
	die_at(type->unit->dwarf->info, type->offset, "a type that refers to itself");
}

/* Return: the number of elements in one dimension; 0 if it is not known. */
static uint64_t array_length(const struct die *subrange)
{
	uint64_t number;

	if (find_uint(subrange, DW_AT_count, &number))
		return number;
	if (find_uint(subrange, DW_AT_upper_bound, &number) &&
	    number + 1)
		return number + 1;
	return 0;
}

/* Return: true for the array []. GCC before 9 describes [0] in the same way. */
bool is_flexible(const struct die *array)
{
	struct die child;

	for_each_child(&child, array) {
		if (child.tag == DW_TAG_subrange_type)
			return !find_attribute(&child, DW_AT_count) &&
			       !find_attribute(&child, DW_AT_upper_bound);
	}
	return false;
}

/* Return: the number of elements in all dimensions. */
uint64_t count_elements(const struct die *array)
{
	uint64_t elements = 1;
	struct die child;

	for_each_child(&child, array) {
		if (child.tag == DW_TAG_subrange_type &&
		    __builtin_mul_overflow(elements, array_length(&child), &elements))
			return UINT64_MAX;
	}
	return elements;
}

static unsigned int count_longs(const char *name)
{
	unsigned int longs = 0;

	while ((name = strstr(name, "long"))) {
		name++;
		longs++;
	}
	return longs;
}

static bool is_integer(enum fgraph_kind kind)
{
	return kind == FGRAPH_SIGNED || kind == FGRAPH_UNSIGNED || kind == FGRAPH_INT128;
}

/*
 * Return: the letter of an integer or floating-point type of @size bytes. If several
 * types match, the number of "long" in @name decides, otherwise the last type counts.
 */
static char find_letter(const struct die *die, bool is_float, bool is_unsigned,
			uint64_t size, const char *name)
{
#define TYPE(letter, name, bytes, kind) { letter, name, bytes, FGRAPH_##kind },
	static const struct {
		char letter;
		const char *name;
		int bytes;
		enum fgraph_kind kind;
	} types[] = { FGRAPH_TYPES(TYPE) };
#undef TYPE
	char letter = 'u';
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		int bytes = types[i].bytes;

		if (bytes < 0)
			bytes *= -die->unit->address_size;
		if ((uint64_t)bytes != size ||
		    (is_float ? types[i].kind != FGRAPH_FLOAT : !is_integer(types[i].kind)) ||
		    !strncmp(types[i].name, "unsigned", 8) != is_unsigned)
			continue;
		letter = types[i].letter;
		if (count_longs(types[i].name) == count_longs(name))
			break;
	}
	return letter;
}

/*
 * Return: the letter of a base type. Compilers use different names, such as "long
 * unsigned int" and "unsigned long". So only "char" and the number of "long" in the
 * name count.
 */
char base_type_letter(const struct die *type)
{
	const char *name = die_name(type) ?: "";
	uint64_t encoding = 0, size = 0;
	char letter;

	find_uint(type, DW_AT_encoding, &encoding);
	find_uint(type, DW_AT_byte_size, &size);
	switch (encoding) {
	case DW_ATE_boolean:
		return size == 1 ? 'b' : 'u';
	case DW_ATE_float:
		/* The size of a long double depends on the machine. */
		letter = find_letter(type, true, false, size, name);
		return letter == 'u' ? 'e' : letter;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		if (!strcmp(name, "char"))
			return 'c';
		/* fall through */
	case DW_ATE_signed:
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
		return find_letter(type, false, encoding == DW_ATE_unsigned ||
				   encoding == DW_ATE_unsigned_char ||
				   encoding == DW_ATE_UTF, size, name);
	}
	return 'u';
}

static bool has_negative_enumerator(const struct die *type)
{
	struct die child;

	for_each_child(&child, type) {
		const struct value *value = find_attribute(&child, DW_AT_const_value);

		if (value && value->class == VALUE_SINT && (int64_t)value->number < 0)
			return true;
	}
	return false;
}

/* Return: the letter of the integer type of an enum, by its enumerators if need be. */
char enum_letter(const struct die *type)
{
	uint64_t size = 0, encoding;
	bool is_unsigned;
	struct die integer;

	if (strip_type(type, &integer) && integer.tag == DW_TAG_base_type)
		return base_type_letter(&integer);
	find_uint(type, DW_AT_byte_size, &size);
	if (find_uint(type, DW_AT_encoding, &encoding))
		is_unsigned = encoding == DW_ATE_unsigned;
	else
		is_unsigned = !has_negative_enumerator(type);
	return find_letter(type, false, is_unsigned, size, "");
}

static void encode_at_depth(struct text *text, const struct die *user,
			    unsigned int depth);

static void encode_function(struct text *text, const struct die *type,
			    unsigned int depth)
{
	struct die child;

	add_char(text, 'F');
	encode_at_depth(text, type, depth + 1);
	for_each_child(&child, type) {
		if (child.tag == DW_TAG_formal_parameter)
			encode_at_depth(text, &child, depth + 1);
		else if (child.tag == DW_TAG_unspecified_parameters)
			add_char(text, 'z');
	}
	add_char(text, 'E');
}

/*
 * Spells each dimension of an array as an array of the next one, up to the type of the
 * elements. Return: the number of dimensions.
 */
unsigned int encode_dimensions(struct text *text, const struct die *type)
{
	unsigned int nr = 0;
	struct die child;

	for_each_child(&child, type) {
		uint64_t length;

		if (child.tag != DW_TAG_subrange_type)
			continue;
		length = array_length(&child);
		add_char(text, 'A');
		if (length)
			add_text(text, "%" PRIu64, length);
		add_char(text, '_');
		nr++;
	}
	return nr;
}

static void encode_array(struct text *text, const struct die *type, unsigned int depth)
{
	depth += encode_dimensions(text, type);
	encode_at_depth(text, type, depth);
}

/* Values of these types are printed in decimal, also through another typedef. */
static bool is_decimal(const char *name)
{
	static const char *const names[] = { FGRAPH_DECIMAL_NAMES };

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Spells the decimal typedef that @type refers to, unless @type itself is decimal. */
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

/* Spells the target of a typedef, with only the details that printing a value needs. */
void encode_typedef_target(struct text *text, const struct die *user)
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

/* Typedef "bool" is spelled as _Bool, because many functions return one. */
static bool is_bool(const struct die *type)
{
	const char *name = die_name(type);
	struct die base;

	return name && !strcmp(name, "bool") && strip_type(type, &base) &&
	       base.tag == DW_TAG_base_type && base_type_letter(&base) == 'b';
}

static void encode_one(struct text *text, const struct die *type, unsigned int depth)
{
	static const char letters[] = {
		[DW_TAG_pointer_type] = 'P', [DW_TAG_const_type] = 'K',
		[DW_TAG_volatile_type] = 'V', [DW_TAG_restrict_type] = 'R',
		[DW_TAG_structure_type] = 'S', [DW_TAG_union_type] = 'U',
	};

	switch (type->tag) {
	case DW_TAG_base_type:
		add_char(text, base_type_letter(type));
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		add_char(text, letters[type->tag]);
		encode_at_depth(text, type, depth + 1);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		add_char(text, letters[type->tag]);
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
		/* DW_TAG_unspecified_type, or a type that C does not have */
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

/* Spells the type of @user, such as a result or a parameter. */
void encode_type(struct text *text, const struct die *user)
{
	encode_at_depth(text, user, 0);
}

static void add_enumerators(struct text *text, const struct die *type)
{
	bool is_unsigned = strchr("htjmyo", enum_letter(type));
	uint64_t next = 0, number;
	struct die child;

	for_each_child(&child, type) {
		const char *name = die_name(&child);

		if (child.tag != DW_TAG_enumerator || !name ||
		    !find_uint(&child, DW_AT_const_value, &number))
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

/* Lists the enumerators of an enum; none if the list is too long for a text. */
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
