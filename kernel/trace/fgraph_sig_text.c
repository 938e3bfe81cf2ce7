// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of signatures. It finds the place of each value, and prints prototypes.
 *
 * The format is described in include/linux/fgraph_sig_format.h. The parser accepts any
 * terminated string. It reports malformed text as broken, and never reads beyond the end
 * of the string.
 */
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/seq_buf.h>
#include <linux/string.h>

#include "fgraph_sig.h"

/*
 * The maximum depth to which the parser follows nested types. It exceeds the limit of
 * the format, because the parser also counts qualifiers and typedefs as levels.
 */
#define FGRAPH_MAX_NESTING	(4 * FGRAPH_TYPE_DEPTH)

static const char *const common_names[] = { FGRAPH_COMMON_NAMES };

/* All arrays and structs are smaller. */
#define FGRAPH_MAX_NUMBER	BIT(28)

/*
 * Parsing. Each skip_*() function takes the position of a part of a signature, and
 * returns the position after this part. It returns NULL if the part is malformed, or
 * if the position is NULL.
 */

static const char *skip_number(const char *p, unsigned int *number)
{
	unsigned int n = 0;

	if (!p || !isdigit(*p))
		return NULL;
	/* Numbers are written without leading zeroes, so "0" is a complete number. */
	if (*p == '0') {
		*number = 0;
		return p + 1;
	}
	for (; isdigit(*p); p++) {
		n = n * 10 + (*p - '0');
		if (n > FGRAPH_MAX_NUMBER)
			return NULL;
	}
	*number = n;
	return p;
}

static const char *skip_char(const char *p, char c)
{
	return p && *p == c ? p + 1 : NULL;
}

/**
 * fgraph_skip_name - parse a name
 * @p:		the start of the name, or NULL
 * @name:	set to the name, not terminated
 * @len:	set to the length of @name
 *
 * Return: the position after the name, or NULL if it is malformed.
 */
const char *fgraph_skip_name(const char *p, const char **name, unsigned int *len)
{
	unsigned int code = p ? (unsigned char)*p++ : 0;

	if (code >= FGRAPH_FIRST_COMMON) {
		code -= FGRAPH_FIRST_COMMON;
		if (code >= ARRAY_SIZE(common_names))
			return NULL;
		*name = common_names[code];
		*len = strlen(*name);
		return p;
	}

	if (code < '0' || code - '0' > FGRAPH_MAX_NAME)
		return NULL;
	*len = code - '0';
	if (strnlen(p, *len) < *len)
		return NULL;
	*name = p;
	return p + *len;
}

#define FGRAPH_TYPE(letter, name, bytes, kind)	\
	[letter] = { name, bytes, FGRAPH_##kind },

static const struct fgraph_type types[128] = { FGRAPH_TYPES(FGRAPH_TYPE) };

/* Return the type of a letter. The kind of an unknown letter is FGRAPH_NO_TYPE. */
const struct fgraph_type *fgraph_find_type(char letter)
{
	unsigned char c = letter;

	return &types[c < ARRAY_SIZE(types) ? c : 0];
}

static bool is_scalar(char letter)
{
	return letter >= 'a' && letter <= 'z' &&
		fgraph_find_type(letter)->kind != FGRAPH_NO_TYPE;
}

/* Skip "A decimal? _". Set @len to -1 if the array is declared without a length. */
static const char *skip_array(const char *p, int *len)
{
	unsigned int n;

	*len = -1;
	p = skip_char(p, 'A');
	if (p && isdigit(*p)) {
		p = skip_number(p, &n);
		*len = n;
	}
	return skip_char(p, '_');
}

static const char *skip_type(const char *p, int nesting);

/* Skip the rest of a function type, after the "F". */
static const char *skip_function(const char *p, int nesting)
{
	p = skip_type(p, nesting);
	while (p && *p != 'E' && *p != 'z')
		p = skip_type(p, nesting);
	if (p && *p == 'z')
		p++;
	return skip_char(p, 'E');
}

static const char *skip_type(const char *p, int nesting)
{
	const char *name;
	unsigned int n;
	int len;

	for (; p && nesting < FGRAPH_MAX_NESTING; nesting++) {
		if (is_scalar(*p))
			return p + 1;

		switch (*p) {
		case 'P':
		case 'K':
		case 'V':
		case 'R':
			p++;
			break;
		case 'A':
			p = skip_array(p, &len);
			break;
		case 'T':
			p = fgraph_skip_name(p + 1, &name, &n);
			break;
		case 'C':
			p = is_scalar(p[1]) ? p + 1 : NULL;
			fallthrough;
		case 'S':
		case 'U':
			return p ? fgraph_skip_name(p + 1, &name, &n) : NULL;
		case 'F':
			return skip_function(p + 1, nesting + 1);
		default:
			return NULL;
		}
	}
	return NULL;
}

/**
 * fgraph_skip_type - skip a type
 * @p:		the start of the type, or NULL
 *
 * Return: the position after the type, or NULL if it is malformed.
 */
const char *fgraph_skip_type(const char *p)
{
	return skip_type(p, 0);
}

/* From here on, @p is the start of a type that skip_type() has accepted. */
static const char *skip_qualifiers(const char *p)
{
	while (*p == 'K' || *p == 'V' || *p == 'R')
		p++;
	return p;
}

#define FGRAPH_TYPEDEF(name, form)	{ sizeof(name) - 1, FGRAPH_##form, name },

/* The typedefs with a form */
static const struct {
	u8	len;
	u8	form;
	char	name[14];
} typedefs[] = { FGRAPH_FORM_TYPEDEFS(FGRAPH_TYPEDEF) };

static enum fgraph_form find_form(const char *name, unsigned int len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(typedefs); i++)
		if (typedefs[i].len == len && !memcmp(typedefs[i].name, name, len))
			return typedefs[i].form;
	return FGRAPH_PLAIN;
}

/**
 * fgraph_base_type - remove the typedefs and qualifiers of a type
 * @p:		the type, which fgraph_skip_type() accepts
 * @form:	if it is FGRAPH_PLAIN, set to the form of the first typedef that has one
 *
 * Return: the type without them.
 */
const char *fgraph_base_type(const char *p, enum fgraph_form *form)
{
	const char *name;
	unsigned int n;

	for (;;) {
		p = skip_qualifiers(p);
		if (*p != 'T')
			return p;
		p = fgraph_skip_name(p + 1, &name, &n);
		if (*form == FGRAPH_PLAIN)
			*form = find_form(name, n);
	}
}

static unsigned int base_bytes(const char *base)
{
	int bytes = fgraph_find_type(base[0] == 'C' ? base[1] : base[0])->bytes;

	return bytes < 0 ? -bytes * sizeof(long) : bytes;
}

/* Values. */

/**
 * fgraph_pointer_target - find the type that a pointer points to
 * @value:	a value, from a walk
 * @name:	set to "char" or the name of a struct, not terminated
 * @len:	set to the length of @name
 *
 * Return: true if the value is a pointer to char or to a struct.
 */
bool fgraph_pointer_target(const struct fgraph_value *value, const char **name,
			   unsigned int *len)
{
	const char *target;

	if (*value->base != 'P')
		return false;
	target = skip_qualifiers(value->base + 1);
	if (*target == 'S')
		return fgraph_skip_name(target + 1, name, len);
	*name = "char";
	*len = strlen(*name);
	return *target == 'c';
}

static const char *parse_places(const char *p, struct fgraph_value *value)
{
	for (;; p++) {
		switch (p ? *p : 0) {
		case '!':
			value->place = FGRAPH_OPTIMIZED_OUT;
			break;
		case '?':
			value->place = FGRAPH_NOT_RECORDED;
			break;
		case '&':
			value->place = FGRAPH_BY_REFERENCE;
			break;
		case '@':
			p++;
			if (*p < '0' || *p - '0' > FGRAPH_MAX_WORDS)
				return NULL;
			value->word = *p - '0';
			break;
		case '-':
			value->form = FGRAPH_NO_ERROR;
			break;
		case '*':
			value->form = FGRAPH_XA_ENTRY;
			break;
		case '#':
			p = skip_number(p + 1, &value->bytes);
			if (!p || *p != '_')
				return NULL;
			value->sized = true;
			break;
		default:
			return p;
		}
	}
}

static void size_value(struct fgraph_value *value)
{
	switch (value->place) {
	case FGRAPH_OPTIMIZED_OUT:
	case FGRAPH_NOT_RECORDED:
		value->bytes = 0;
		break;
	case FGRAPH_BY_REFERENCE:
		value->bytes = sizeof(long);
		break;
	case FGRAPH_IN_WORDS:
		if (!value->sized)
			value->bytes = base_bytes(value->base);
		break;
	}
	value->words = DIV_ROUND_UP(value->bytes, sizeof(long));
}

/*
 * Check that only structs and unions have an explicit size, and that the words of the
 * value are within the words that a call can record.
 */
static bool value_is_sound(const struct fgraph_value *value)
{
	if (value->sized && *value->base != 'S' && *value->base != 'U')
		return false;
	return value->word + value->words <= 2 * FGRAPH_MAX_WORDS;
}

/* Parse "place* type". The value begins at @word unless its place overrides it. */
static const char *parse_value(const char *p, struct fgraph_value *value,
			       unsigned int word)
{
	*value = (struct fgraph_value){ .word = word };
	p = parse_places(p, value);
	if (!p)
		return NULL;

	value->type = p;
	p = skip_type(p, 0);
	if (!p)
		return NULL;

	value->base = fgraph_base_type(value->type, &value->form);
	size_value(value);
	return value_is_sound(value) ? p : NULL;
}

/*
 * Return the enumerators of the next enum. In the table, one entry for each enum
 * follows the entry of the signature.
 */
static const char *next_enumerators(struct fgraph_sig_walk *walk)
{
	const struct fgraph_sig *sig = walk->sig;
	const struct fgraph_site *site = sig->site + ++walk->enums;

	if (site >= sig->end ||
	    (long)site + site->site != (long)sig->site + sig->site->site)
		return NULL;
	return (const char *)&site->string + site->string;
}

static const char *skip_count(const char *p)
{
	return p && *p >= '0' && *p - '0' <= FGRAPH_MAX_WORDS ? p + 1 : NULL;
}

/* Skip the counts of registers and words of the stack. The result follows them. */
static const char *skip_counts(const char *p)
{
	p = skip_count(p);
	return p && *p == '+' ? skip_count(p + 1) : p;
}

static bool string_is_within(const struct fgraph_site *site, const char *strings,
			     size_t size)
{
	const unsigned long string = (unsigned long)&site->string + site->string;

	return string - (unsigned long)strings < size;
}

static bool is_first_of_site(const struct fgraph_site *sites, u32 i)
{
	return !i || (long)&sites[i] + sites[i].site !=
		(long)&sites[i - 1] + sites[i - 1].site;
}

/**
 * fgraph_strings_are_good - check the strings of a table before it is used
 * @sites:	the sorted table
 * @nr:		the number of @sites
 * @strings:	the section of strings
 * @size:	the size of @strings, in bytes
 *
 * The parser checks the rest of a string each time that it is used. Parsing requires a
 * terminated string, and recording requires the counts at its start.
 *
 * Return: true if the string of each entry is terminated and within @strings, and each
 * signature begins with its counts.
 */
bool fgraph_strings_are_good(const struct fgraph_site *sites, u32 nr,
			     const char *strings, size_t size)
{
	u32 i;

	if (!size || strings[size - 1])
		return false;

	for (i = 0; i < nr; i++) {
		const struct fgraph_site *site = &sites[i];

		if (!string_is_within(site, strings, size))
			return false;
		if (is_first_of_site(sites, i) &&
		    !skip_counts((const char *)&site->string + site->string))
			return false;
	}
	return true;
}

/**
 * fgraph_sig_result - begin a walk over the values of a signature
 * @walk:	the walk
 * @sig:	the signature, from fgraph_find_signature()
 * @value:	set to the result of the function; its words are the return registers
 *
 * Return: true on success, false if the signature is broken.
 */
bool fgraph_sig_result(struct fgraph_sig_walk *walk, const struct fgraph_sig *sig,
		       struct fgraph_value *value)
{
	*walk = (struct fgraph_sig_walk){ .sig = sig };
	walk->pos = parse_value(skip_counts(sig->text), value, 0);
	walk->broken = !walk->pos;
	value->sig = sig;
	value->is_result = true;
	if (!walk->broken && *value->base == 'C')
		value->enumerators = next_enumerators(walk);
	return !walk->broken;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_sig_result);

/**
 * fgraph_sig_parameter - find the next parameter
 * @walk:	a walk that fgraph_sig_result() began
 * @value:	set to the parameter
 *
 * Return: true if there is another parameter.
 */
bool fgraph_sig_parameter(struct fgraph_sig_walk *walk, struct fgraph_value *value)
{
	const char *p = walk->pos;

	if (walk->broken || !*p)
		return false;
	if (p[0] == 'z' && !p[1]) {
		walk->variadic = true;
		return false;
	}

	p = parse_value(p, value, walk->word);
	p = fgraph_skip_name(p, &value->name, &value->name_len);
	if (!p) {
		walk->broken = true;
		return false;
	}

	walk->pos = p;
	walk->word = value->word + value->words;
	value->sig = walk->sig;
	if (*value->base == 'C')
		value->enumerators = next_enumerators(walk);
	return true;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_sig_parameter);

/**
 * fgraph_sig_find_parameter - walk to the parameter with a name
 * @walk:	the walk, after fgraph_sig_result()
 * @value:	set to the parameter
 * @name:	the name, not terminated
 * @len:	the length of @name
 *
 * Return: false if there is no such parameter.
 */
bool fgraph_sig_find_parameter(struct fgraph_sig_walk *walk, struct fgraph_value *value,
			       const char *name, size_t len)
{
	while (fgraph_sig_parameter(walk, value))
		if (value->name_len == len && !memcmp(value->name, name, len))
			return true;
	return false;
}

/**
 * fgraph_sig_result_words - count the return registers that a result takes
 * @text:	the signature
 *
 * Return: the number of registers; 0 if the signature is broken.
 */
unsigned int fgraph_sig_result_words(const char *text)
{
	struct fgraph_value value;

	if (!parse_value(skip_counts(text), &value, 0))
		return 0;
	return value.words;
}

/**
 * fgraph_sig_result_is_status - check whether a small positive result may be an error
 * @text:	the signature
 *
 * Return: true if it may be one.
 */
bool fgraph_sig_result_is_status(const char *text)
{
	struct fgraph_value value;

	return parse_value(skip_counts(text), &value, 0) && fgraph_is_status(value.form);
}

/* Prototypes. */

/* The output. @last is its last char, which decides whether a space must follow. */
struct prototype {
	struct seq_buf	*s;
	char		last;
};

static void put_chars(struct prototype *out, const char *chars, unsigned int len)
{
	if (!len)
		return;
	seq_buf_putmem(out->s, chars, len);
	out->last = chars[len - 1];
}

static void put(struct prototype *out, const char *string)
{
	put_chars(out, string, strlen(string));
}

/* Print a word, and a space before it if it follows another word. */
static void put_word_chars(struct prototype *out, const char *word,
			   unsigned int len)
{
	if (len && out->last && (isalnum(out->last) || strchr("_}/", out->last)))
		put(out, " ");
	put_chars(out, word, len);
}

static void put_word(struct prototype *out, const char *word)
{
	put_word_chars(out, word, strlen(word));
}

/* Print "struct name", or "struct {...}" if it is anonymous. */
static void put_tag(struct prototype *out, const char *keyword, const char *p)
{
	const char *name;
	unsigned int len;

	put_word(out, keyword);
	fgraph_skip_name(p, &name, &len);
	if (len)
		put_word_chars(out, name, len);
	else
		put_word(out, "{...}");
}

static void put_typedef(struct prototype *out, const char *p)
{
	const char *name;
	unsigned int len;

	fgraph_skip_name(p, &name, &len);
	put_word_chars(out, name, len);
}

/* Return true for an array or a function, which binds tighter than the "*" of a pointer to it. */
static bool is_suffixed(const char *p)
{
	p = skip_qualifiers(p);
	return *p == 'A' || *p == 'F';
}

static void put_prefix(struct prototype *out, const char *p);

static void put_qualified(struct prototype *out, const char *p)
{
	const char *word = *p == 'K' ? "const" : *p == 'V' ? "volatile" : "restrict";
	bool pointer = *skip_qualifiers(p) == 'P';

	if (!pointer)
		put_word(out, word);
	put_prefix(out, p + 1);
	if (pointer)
		put_word(out, word);
}

/* Print the part of a declaration before the name. */
static void put_prefix(struct prototype *out, const char *p)
{
	int len;

	switch (*p) {
	case 'P':
		put_prefix(out, p + 1);
		put_word(out, is_suffixed(p + 1) ? "(*" : "*");
		break;
	case 'K':
	case 'V':
	case 'R':
		put_qualified(out, p);
		break;
	case 'A':
		put_prefix(out, skip_array(p, &len));
		break;
	case 'F':
		put_prefix(out, p + 1);
		break;
	case 'T':
		put_typedef(out, p + 1);
		break;
	case 'S':
		put_tag(out, "struct", p + 1);
		break;
	case 'U':
		put_tag(out, "union", p + 1);
		break;
	case 'C':
		put_tag(out, "enum", p + 2);
		break;
	default:
		put_word(out, fgraph_find_type(*p)->name);
	}
}

static void put_suffix(struct prototype *out, const char *p);

static void put_declaration(struct prototype *out, const char *type,
			    const char *name, unsigned int len)
{
	put_prefix(out, type);
	put_word_chars(out, name, len);
	put_suffix(out, type);
}

/* Print the parameters of a function type. They have no names. */
static void put_function_suffix(struct prototype *out, const char *p)
{
	const char *result = p;
	const char *separator = "(";

	for (p = skip_type(p, 0); *p != 'E' && *p != 'z'; p = skip_type(p, 0)) {
		put(out, separator);
		put_declaration(out, p, NULL, 0);
		separator = ", ";
	}
	if (*p == 'z') {
		put(out, separator);
		put(out, "...");
	} else if (*separator == '(') {
		put(out, "(void");
	}
	put(out, ")");
	put_suffix(out, result);
}

/* Print the part of a declaration after the name. */
static void put_suffix(struct prototype *out, const char *p)
{
	char length[16] = "";
	int len;

	switch (*p) {
	case 'P':
		if (is_suffixed(p + 1))
			put(out, ")");
		fallthrough;
	case 'K':
	case 'V':
	case 'R':
		put_suffix(out, p + 1);
		break;
	case 'A':
		p = skip_array(p, &len);
		if (len >= 0)
			snprintf(length, sizeof(length), "%d", len);
		put(out, "[");
		put(out, length);
		put(out, "]");
		put_suffix(out, p);
		break;
	case 'F':
		put_function_suffix(out, p + 1);
		break;
	}
}

/**
 * fgraph_print_prototype - print the prototype of a function
 * @s:		the buffer to print to
 * @sig:	the signature of the function
 * @name:	the name of the function
 *
 * "..." replaces the parameters that a broken signature does not describe.
 */
void fgraph_print_prototype(struct seq_buf *s, const struct fgraph_sig *sig,
			    const char *name)
{
	struct prototype out = { .s = s };
	struct fgraph_value result, value;
	struct fgraph_sig_walk walk;
	const char *separator = "(";

	if (!fgraph_sig_result(&walk, sig, &result)) {
		seq_buf_printf(s, "%s(...)", name);
		return;
	}

	put_prefix(&out, result.type);
	put_word(&out, name);
	while (fgraph_sig_parameter(&walk, &value)) {
		put(&out, separator);
		put_declaration(&out, value.type, value.name, value.name_len);
		separator = ", ";
	}
	if (walk.variadic || walk.broken) {
		put(&out, separator);
		put(&out, "...");
	} else if (*separator == '(') {
		put(&out, "(void");
	}
	put(&out, ")");
	put_suffix(&out, result.type);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_print_prototype);
