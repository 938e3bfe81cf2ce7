// SPDX-License-Identifier: GPL-2.0
/*
 * The text of arguments and return values in the function graph tracer.
 *
 * People and programs read this text. A value prints as name=VALUE or
 * name=VALUE (annotation). The name of a return value is "ret".
 * Documentation/trace/fgraph.rst describes the grammar as a regular expression, which
 * all output of this file must match. No value contains ", ", because it separates
 * arguments.
 *
 * The types and places of values come from the signature of the function. If the
 * signature does not determine a value, "<unknown>" is printed instead of a guess.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errname.h>
#include <linux/fgraph.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/shrinker.h>

#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_graph_func.h"
#include "trace_graph_name.h"
#include "trace_graph_symbol.h"
#include "trace_graph_value.h"

/* Numbers. With trace_seq_printf(), they would take most of the time to print a value. */

static void print_hex(struct trace_seq *s, u64 number)
{
	char text[18], *end = text + sizeof(text), *p = end;

	do {
		*--p = hex_asc_lo(number);
		number >>= 4;
	} while (number);
	*--p = 'x';
	*--p = '0';
	trace_seq_putmem(s, p, end - p);
}

/* Print a word, or its hash. */
static void print_word(struct trace_seq *s, const struct trace_iterator *iter,
		       unsigned long word)
{
	if (unlikely(graph_hides_word(iter, word)))
		trace_seq_printf(s, "%p", (void *)word);
	else
		print_hex(s, word);
}

/* Print a word of unknown type. */
static void print_untyped(struct trace_seq *s, const struct trace_iterator *iter,
			  unsigned long word)
{
	if (word)
		print_word(s, iter, word);
	else
		trace_seq_putc(s, '0');
}

#if defined(CONFIG_FGRAPH_SIGNATURE_READER) || defined(CONFIG_FUNCTION_GRAPH_RETVAL)

static void print_unsigned(struct trace_seq *s, u64 number)
{
	char text[20];

	trace_seq_putmem(s, text, num_to_str(text, sizeof(text), number, 0));
}

static void print_decimal(struct trace_seq *s, s64 number)
{
	if (number < 0)
		trace_seq_putc(s, '-');
	print_unsigned(s, number < 0 ? -(u64)number : number);
}

static void print_errname(struct trace_seq *s, s64 value)
{
	const char *name = NULL;

	if (value < 0 && value >= -MAX_ERRNO)
		name = errname(-value);
	if (name)
		trace_seq_printf(s, " (%s)", name);
}

#endif

#ifdef CONFIG_FGRAPH_SIGNATURE_READER

/* Return a value of at most 64 bits. */
static u64 value_bits(const struct fgraph_value *value,
		      const unsigned long *words)
{
	return fgraph_words_bits(words, value->words, value->bytes);
}

/* Annotations. */

/* Print the symbol of a function pointer, unless its module was loaded later. */
static void print_symbol(struct trace_seq *s, const struct trace_iterator *iter,
			 unsigned long ptr)
{
	unsigned long addr = fgraph_func_addr(ptr);
	unsigned long size, offset;

	if (kallsyms_lookup_size_offset(addr, &size, &offset) &&
	    (!iter || graph_func_has_name(iter, addr)))
		trace_seq_printf(s, offset ? " (%pS)" : " (%ps)", (void *)addr);
}

static void print_character(struct trace_seq *s, unsigned char c)
{
	static const char letters[] = "abtnvfr";

	trace_seq_puts(s, " ('");
	if (c == '\'' || c == '\\')
		trace_seq_printf(s, "\\%c", c);
	else if (c >= '\a' && c <= '\r')
		trace_seq_printf(s, "\\%c", letters[c - '\a']);
	else if (!c)
		trace_seq_puts(s, "\\0");
	else if (isascii(c) && isprint(c) && c != ',')
		trace_seq_putc(s, c);
	else
		trace_seq_printf(s, "\\x%02x", c);
	trace_seq_puts(s, "')");
}

/* Enums. */

/* An enumerator in a list. @next is the rest of the list. */
struct enumerator {
	const char	*name;
	int		len;
	u64		value;
	const char	*next;
};

/*
 * Replace @e by the enumerator at e->next. At the start of the list, @e must be from
 * before_enumerators(). Return false at the end of the list.
 */
static bool next_enumerator(struct enumerator *e)
{
	const char *p = e->next;
	bool negative;
	u64 value = 0;

	if (!p || !*p)
		return false;

	e->name = p;
	e->len = strcspn(p, "=,");
	p += e->len;
	e->value++;
	if (*p == '=') {
		negative = *++p == '-';
		for (p += negative; isdigit(*p); p++)
			value = value * 10 + (*p - '0');
		e->value = negative ? -value : value;
	}
	e->next = *p == ',' ? p + 1 : NULL;
	return e->len;
}

static struct enumerator before_enumerators(const struct fgraph_value *value)
{
	return (struct enumerator){ .value = -1, .next = value->enumerators };
}

static u64 enumerator_bits(const struct fgraph_value *value,
			   const struct enumerator *e)
{
	return fgraph_mask_bytes(e->value, value->bytes);
}

/*
 * Return true if an enum is a set of flags: no two of its enumerators share a bit, and
 * at least one enumerator is 4 or more. Enums of 0, 1 and 2 are usually numbers.
 */
static bool is_set_of_flags(const struct fgraph_value *value)
{
	struct enumerator e = before_enumerators(value);
	bool has_third_bit = false;
	u64 bits, before = 0;

	while (next_enumerator(&e)) {
		bits = enumerator_bits(value, &e);
		if (bits & before)
			return false;
		before |= bits;
		has_third_bit |= (s64)e.value >= 4;
	}
	return has_third_bit;
}

/* Return true if enumerator @e consists of one or more of the flags in @bits. */
static bool is_flag(const struct fgraph_value *value, const struct enumerator *e,
		    u64 bits)
{
	u64 flag = enumerator_bits(value, e);

	return flag && !(flag & ~bits);
}

static void print_flags(struct trace_seq *s, const struct fgraph_value *value,
			u64 bits)
{
	const char *separator = " (";
	struct enumerator e = before_enumerators(value);
	u64 covered = 0;

	while (next_enumerator(&e))
		if (is_flag(value, &e, bits))
			covered |= enumerator_bits(value, &e);
	if (!bits || covered != bits || !is_set_of_flags(value))
		return;

	e = before_enumerators(value);
	while (next_enumerator(&e)) {
		if (!is_flag(value, &e, bits))
			continue;
		trace_seq_printf(s, "%s%.*s", separator, e.len, e.name);
		separator = "|";
	}
	trace_seq_putc(s, ')');
}

/* Return true if an enumerator is the limit of a range, according to its name. */
static bool is_limit(const struct enumerator *e)
{
	static const char *const words[] = {
		"_BASE", "_BEGIN", "_END", "_FIRST", "_LAST", "_LIMIT", "_MAX", "_MIN",
		"_START",
	};
	int i, len;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		len = strlen(words[i]);
		if (e->len > len && !memcmp(e->name + e->len - len, words[i], len))
			return true;
	}
	return false;
}

/*
 * Print the enumerators of a value. Of two with the same value, print the item, not the
 * limit of a range.
 */
static void print_enumerators(struct trace_seq *s,
			      const struct fgraph_value *value, u64 bits)
{
	struct enumerator e = before_enumerators(value), found = { };

	while (next_enumerator(&e)) {
		if (enumerator_bits(value, &e) != bits)
			continue;
		if (!found.len || !is_limit(&e))
			found = e;
		if (!is_limit(&found))
			break;
	}
	if (found.len)
		trace_seq_printf(s, " (%.*s)", found.len, found.name);
	else
		print_flags(s, value, bits);
}

/* Return true if the type is signed, or is an enum of a signed type. */
bool graph_value_is_signed(const struct fgraph_value *value)
{
	char letter = *value->base == 'C' ? value->base[1] : *value->base;
	enum fgraph_kind kind = fgraph_find_type(letter)->kind;

	return kind == FGRAPH_SIGNED || (kind == FGRAPH_CHAR && (char)-1 < 0);
}

/* Return true if the enum has this enumerator, and set @number to its value. */
bool graph_find_enumerator(const struct fgraph_value *value, const char *name,
			   unsigned int len, s64 *number)
{
	struct enumerator e = before_enumerators(value);

	while (next_enumerator(&e)) {
		if (e.len != len || strncmp(e.name, name, len))
			continue;
		*number = e.value;
		return true;
	}
	return false;
}

static void print_enum(struct trace_seq *s, const struct fgraph_value *value,
		       u64 bits)
{
	if (graph_value_is_signed(value))
		print_decimal(s, fgraph_sign_extend_bytes(bits, value->bytes));
	else
		print_unsigned(s, bits);
	print_enumerators(s, value, bits);
}

/* Values of each kind of type. */

static void print_address(struct trace_seq *s, const struct trace_iterator *iter,
			  unsigned long addr)
{
	if (!addr)
		trace_seq_puts(s, "NULL");
	else if (unlikely(graph_hides_pointers(iter)))
		trace_seq_printf(s, "%p", (void *)addr);
	else
		print_hex(s, addr);
}

static void print_pointer(struct trace_seq *s, const struct fgraph_value *value,
			  const struct graph_words *recorded)
{
	unsigned long addr = recorded->words[value->word];
	const char *target = value->base + 1;

	if (IS_ERR_VALUE(addr)) {
		print_decimal(s, (long)addr);
		/* An argument of -1 is rarely an error. */
		if (value->is_result && value->form == FGRAPH_PLAIN)
			print_errname(s, (long)addr);
		return;
	}

	print_address(s, recorded->iter, addr);
	while (*target == 'K' || *target == 'V' || *target == 'R')
		target++;
	if (addr && *target == 'F')
		print_symbol(s, recorded->iter, addr);
	else if (recorded->nr_names && !recorded->hide_names)
		print_graph_pointer_name(s, recorded->names, recorded->nr_names, value->word,
					 value->is_result);
}

static void print_int128(struct trace_seq *s, const struct fgraph_value *value,
			 const struct graph_words *recorded)
{
	const unsigned long *words = recorded->words + value->word;
	int i = value->words - 1;

	if (graph_hides_pointers(recorded->iter)) {
		trace_seq_puts(s, "<hidden>");
		return;
	}
	while (i && !words[i])
		i--;
	trace_seq_printf(s, "0x%lx", words[i]);
	while (i--)
		trace_seq_printf(s, "%0*lx", BITS_PER_LONG / 4, words[i]);
}

static void print_struct(struct trace_seq *s, const struct fgraph_value *value,
			 const struct graph_words *recorded)
{
	const unsigned long *words = recorded->words + value->word;
	unsigned int bytes = value->bytes;
	const char *separator = "";
	int i;

	trace_seq_putc(s, '{');
	for (i = 0; i < value->words; i++) {
		trace_seq_puts(s, separator);
		print_word(s, recorded->iter,
			   fgraph_mask_bytes(words[i],
					     min_t(unsigned int, bytes, sizeof(long))));
		bytes -= sizeof(long);
		separator = " ";
	}
	trace_seq_putc(s, '}');
}

/* Print a value of which all words were recorded. */
static void print_words(struct trace_seq *s, const struct fgraph_value *value,
			const struct graph_words *recorded)
{
	enum fgraph_kind kind = fgraph_find_type(*value->base)->kind;
	u64 bits = value->words ? value_bits(value, recorded->words + value->word) : 0;

	/* Only structs can be empty. Otherwise the signature is broken. */
	if (!value->words && kind != FGRAPH_STRUCT)
		kind = FGRAPH_UNKNOWN;
	if (value->form > FGRAPH_DECIMAL && value->words && print_graph_form(s, value, bits))
		return;
	/* Integers may be addresses. */
	if ((kind == FGRAPH_SIGNED || kind == FGRAPH_UNSIGNED) &&
	    value->bytes == sizeof(long) && graph_hides_word(recorded->iter, bits)) {
		print_word(s, recorded->iter, bits);
		return;
	}

	switch (kind) {
	case FGRAPH_BOOL:
		trace_seq_puts(s, bits ? "true" : "false");
		break;
	case FGRAPH_CHAR:
		trace_seq_printf(s, "%d", (char)bits);
		print_character(s, bits);
		break;
	case FGRAPH_SIGNED:
		print_decimal(s, fgraph_sign_extend_bytes(bits, value->bytes));
		break;
	case FGRAPH_UNSIGNED:
		if (value->form == FGRAPH_DECIMAL)
			print_unsigned(s, bits);
		else
			print_hex(s, bits);
		break;
	case FGRAPH_INT128:
		print_int128(s, value, recorded);
		break;
	case FGRAPH_POINTER:
		print_pointer(s, value, recorded);
		break;
	case FGRAPH_ENUM:
		print_enum(s, value, bits);
		break;
	case FGRAPH_STRUCT:
		/* An ID of a user is a struct, so that it is not confused with an integer. */
		if (value->form == FGRAPH_DECIMAL && value->words)
			print_unsigned(s, bits);
		else
			print_struct(s, value, recorded);
		break;
	case FGRAPH_NO_TYPE:
	case FGRAPH_VOID:
	case FGRAPH_FLOAT:
	case FGRAPH_UNKNOWN:
		trace_seq_puts(s, "<unknown>");
		break;
	}
}

/* Return true if all words of a value are among the @nr recorded words. */
static bool is_recorded(const struct fgraph_value *value, unsigned int nr)
{
	return value->place != FGRAPH_NOT_RECORDED &&
		value->word + value->words <= nr;
}

/**
 * print_graph_value - print a value
 * @s:		the buffer to print to
 * @value:	the value
 * @recorded:	the words that contain it
 */
void print_graph_value(struct trace_seq *s, const struct fgraph_value *value,
		       const struct graph_words *recorded)
{
	if (value->place == FGRAPH_OPTIMIZED_OUT) {
		trace_seq_puts(s, "<optimized out>");
	} else if (!is_recorded(value, recorded->nr)) {
		trace_seq_puts(s, "<unknown>");
	} else if (value->place == FGRAPH_BY_REFERENCE) {
		print_address(s, recorded->iter, recorded->words[value->word]);
		trace_seq_puts(s, " (by reference)");
	} else {
		print_words(s, value, recorded);
	}
}

#endif /* CONFIG_FGRAPH_SIGNATURE_READER */

#ifdef CONFIG_FUNCTION_GRAPH_ARGS

/*
 * Print recorded words of unknown types. Print "..." if no words were recorded, because
 * the function may still have parameters.
 */
static void print_raw_args(struct trace_seq *s, const struct graph_words *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		trace_seq_printf(s, "%sarg%u=", i ? ", " : "", i + 1);
		print_untyped(s, args->iter, args->words[i]);
	}
	if (!args->nr)
		trace_seq_puts(s, "...");
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/**
 * print_graph_sig_args - print the arguments of a call, without parentheses
 * @s:		the buffer to print to
 * @sig:	the signature of the function
 * @args:	the recorded words, as many as @sig requires
 */
void print_graph_sig_args(struct trace_seq *s, const struct fgraph_sig *sig,
			  const struct graph_words *args)
{
	const char *separator = "";
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	unsigned int i = 0;

	/* Begin the walk. The result is not printed here. */
	fgraph_sig_result(&walk, sig, &value);
	while (fgraph_sig_parameter(&walk, &value)) {
		trace_seq_puts(s, separator);
		i++;
		if (value.name_len)
			trace_seq_putmem(s, value.name, value.name_len);
		else
			trace_seq_printf(s, "arg%u", i);
		trace_seq_putc(s, '=');
		print_graph_value(s, &value, args);
		separator = ", ";
	}
	if (walk.variadic || walk.broken)
		trace_seq_printf(s, "%s...", separator);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_sig_args);

static void print_args(struct trace_seq *s, unsigned long func,
		       const struct graph_words *args)
{
	struct fgraph_sig sig;
	unsigned int wanted;

	if (!graph_find_signature(args->iter, func, &sig)) {
		print_raw_args(s, args);
		return;
	}

	wanted = min_t(unsigned int, TRACE_GRAPH_MAX_ARGS,
		       fgraph_sig_regs(sig.text) + fgraph_sig_stack(sig.text));
	/* The words of the stack may be missing. */
	if (args->nr == wanted || (args->nr && args->nr == fgraph_sig_regs(sig.text)))
		print_graph_sig_args(s, &sig, args);
	else
		/* No words were recorded, or another signature was used to record. */
		print_raw_args(s, args);
}
#else
static void print_args(struct trace_seq *s, unsigned long func,
		       const struct graph_words *args)
{
	print_raw_args(s, args);
}
#endif

/**
 * print_graph_bare_args - print the arguments of a function, without parentheses
 * @s:		the buffer to print to
 * @func:	the recorded address of the function
 * @args:	the recorded words
 */
void print_graph_bare_args(struct trace_seq *s, unsigned long func,
			   const struct graph_words *args)
{
	/* The signature is valid until preemption is enabled. */
	preempt_disable_notrace();
	print_args(s, func, args);
	preempt_enable_notrace();
}

/**
 * print_graph_args - print the arguments of a function, in parentheses
 * @s:		the buffer to print to
 * @func:	the recorded address of the function
 * @args:	the recorded words
 */
void print_graph_args(struct trace_seq *s, unsigned long func,
		      const struct graph_words *args)
{
	trace_seq_putc(s, '(');
	print_graph_bare_args(s, func, args);
	trace_seq_putc(s, ')');
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_args);

#endif /* CONFIG_FUNCTION_GRAPH_ARGS */

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL

/*
 * Guess whether a return value of unknown type is an error code. A long error code is a
 * number from -4095 to -1. An int error code is such a number in the low 32 bits, below
 * zeroes. Smaller types rarely contain error codes.
 *
 * Return the error code, or 0.
 */
static long guess_error_code(unsigned long retval)
{
	long err = retval <= U32_MAX ? (s32)retval : retval;

	return IS_ERR_VALUE(err) ? err : 0;
}

static void print_untyped_retval(struct trace_seq *s, const struct trace_iterator *iter,
				 unsigned long retval)
{
	long err = guess_error_code(retval);

	if (err) {
		print_decimal(s, err);
		print_errname(s, err);
	} else {
		print_untyped(s, iter, retval);
	}
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/* Return true for a callback of a shrinker, which returns a count, SHRINK_EMPTY or SHRINK_STOP. */
static bool is_of_shrinker(const struct fgraph_sig *sig)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	unsigned int len;
	const char *name;

	fgraph_sig_result(&walk, sig, &value);
	while (fgraph_sig_parameter(&walk, &value))
		if (fgraph_pointer_target(&value, &name, &len) &&
		    len == strlen("shrink_control") && !memcmp(name, "shrink_control", len))
			return true;
	return false;
}

/*
 * Return the error that a result of a known type means, or 0. Only results are errors:
 * arguments such as -1 and AT_FDCWD are not. Functions do not return errors in types
 * smaller than int.
 */
static s64 value_error(const struct fgraph_value *value, const unsigned long *words)
{
	s64 err = fgraph_sign_extend_bytes(value_bits(value, words), value->bytes);

	if (value->form == FGRAPH_NO_ERROR)
		return 0;
	if (unlikely(value->form == FGRAPH_XA_ENTRY || fgraph_is_status(value->form)))
		return graph_form_error(value->form, value_bits(value, words));
	if (err >= 0 || err < -MAX_ERRNO)
		return 0;

	switch (fgraph_find_type(*value->base)->kind) {
	case FGRAPH_SIGNED:
		return value->bytes >= sizeof(int) ? err : 0;
	case FGRAPH_UNSIGNED:
		return fgraph_may_be_address(value) && !is_of_shrinker(value->sig) ? err : 0;
	case FGRAPH_POINTER:
		return err;
	default:
		return 0;
	}
}

/* Return true if the recorded words of a value are the value itself. */
static bool has_words(const struct fgraph_value *value, unsigned int nr)
{
	return value->place == FGRAPH_IN_WORDS && value->words && is_recorded(value, nr);
}

/*
 * Print the name of the error if a result is one. Pointers and statuses already print
 * with their name.
 */
static void print_result_errname(struct trace_seq *s,
				 const struct fgraph_value *value,
				 const unsigned long *words)
{
	unsigned long result = words[0];

	if (fgraph_find_type(*value->base)->kind == FGRAPH_POINTER ||
	    fgraph_is_status(value->form))
		return;
	if (IS_ERR_VALUE(result) && fgraph_may_be_address(value) &&
	    is_of_shrinker(value->sig))
		trace_seq_puts(s, result == SHRINK_STOP ? " (SHRINK_STOP)" :
				  result == SHRINK_EMPTY ? " (SHRINK_EMPTY)" : "");
	else
		print_errname(s, value_error(value, words));
}

/**
 * print_graph_sig_retval - print the result of a call, without "ret="
 * @s:		the buffer to print to
 * @sig:	the signature of the function
 * @ret:	the recorded return registers
 */
void print_graph_sig_retval(struct trace_seq *s, const struct fgraph_sig *sig,
			    const struct graph_words *ret)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;

	/* A clone of the compiler may return another value than the original function. */
	if (!fgraph_sig_result(&walk, sig, &value) ||
	    value.place == FGRAPH_OPTIMIZED_OUT) {
		if (value.form == FGRAPH_PLAIN)
			print_untyped_retval(s, ret->iter, ret->words[0]);
		else
			print_untyped(s, ret->iter, ret->words[0]);
		return;
	}

	print_graph_value(s, &value, ret);
	if (has_words(&value, ret->nr))
		print_result_errname(s, &value, ret->words + value.word);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_sig_retval);

/* Return true if the recorded words of a value are its bits. */
static bool has_bits(const struct fgraph_value *value)
{
	switch (fgraph_find_type(*value->base)->kind) {
	case FGRAPH_NO_TYPE:
	case FGRAPH_VOID:
	case FGRAPH_FLOAT:
	case FGRAPH_UNKNOWN:
		return false;
	default:
		return true;
	}
}

/* Print one or two words as a single number of @bytes bytes. */
static void print_hex_words(struct trace_seq *s, const struct trace_iterator *iter,
			    const unsigned long *words, unsigned int nr,
			    unsigned int bytes)
{
	unsigned long high = 0;

	if (nr > 1)
		high = fgraph_mask_bytes(words[1], bytes - sizeof(long));
	if (!high)
		print_word(s, iter,
			   fgraph_mask_bytes(words[0],
					     min_t(unsigned int, bytes, sizeof(long))));
	else if (graph_hides_pointers(iter))
		trace_seq_puts(s, "<hidden>");
	else
		trace_seq_printf(s, "0x%lx%0*lx", high, BITS_PER_LONG / 4, words[0]);
}

/**
 * print_graph_sig_retval_hex - print the bits of the result of a call
 * @s:		the buffer to print to
 * @sig:	the signature of the function
 * @ret:	the recorded return registers
 *
 * The bits above the value in its registers are garbage, and are not printed.
 */
void print_graph_sig_retval_hex(struct trace_seq *s, const struct fgraph_sig *sig,
				const struct graph_words *ret)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;

	if (!fgraph_sig_result(&walk, sig, &value) ||
	    value.place == FGRAPH_OPTIMIZED_OUT) {
		print_word(s, ret->iter, ret->words[0]);
		return;
	}

	if (is_recorded(&value, ret->nr) && has_bits(&value))
		print_hex_words(s, ret->iter, ret->words + value.word, value.words,
				value.bytes);
	else
		trace_seq_puts(s, "<unknown>");
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_sig_retval_hex);

static void print_retval_hex(struct trace_seq *s, unsigned long func,
			     const struct graph_words *ret)
{
	struct fgraph_sig sig;

	if (graph_find_signature(ret->iter, func, &sig))
		print_graph_sig_retval_hex(s, &sig, ret);
	else
		print_word(s, ret->iter, ret->words[0]);
}

static void print_retval(struct trace_seq *s, unsigned long func,
			 const struct graph_words *ret)
{
	struct fgraph_sig sig;

	if (graph_find_signature(ret->iter, func, &sig))
		print_graph_sig_retval(s, &sig, ret);
	else
		print_untyped_retval(s, ret->iter, ret->words[0]);
}

/**
 * graph_has_result - check whether a recorded function returns a value
 * @iter:	the iterator, at the event that contains @func, or NULL if @func is loaded
 * @func:	the recorded address of the function
 *
 * Return: false if the function returns void. Without a signature, any function that is
 * still loaded has a result.
 */
bool graph_has_result(const struct trace_iterator *iter, unsigned long func)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;
	bool has;

	preempt_disable_notrace();
	if (graph_find_signature(iter, func, &sig))
		has = !fgraph_sig_result(&walk, &sig, &value) ||
			fgraph_find_type(*value.base)->kind != FGRAPH_VOID;
	else
		has = !iter || graph_func_is_there(iter, func);
	preempt_enable_notrace();
	return has;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_has_result);

/**
 * graph_sig_result_error - find the error that the result of a call means
 * @sig:	the signature of the function
 * @words:	the return registers
 * @nr:		the number of @words
 *
 * Return: the number that print_graph_sig_retval() prints with the name of an error,
 * from -MAX_ERRNO to -1, or 0.
 */
long graph_sig_result_error(const struct fgraph_sig *sig, const unsigned long *words,
			    unsigned int nr)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;

	if (!fgraph_sig_result(&walk, sig, &value) ||
	    value.place == FGRAPH_OPTIMIZED_OUT)
		return value.form == FGRAPH_PLAIN ? guess_error_code(words[0]) : 0;
	return has_words(&value, nr) ? value_error(&value, words + value.word) : 0;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_sig_result_error);

/**
 * graph_result_error - find the error that the result of a call means
 * @func:	the address of the function
 * @words:	the two return registers
 *
 * Context: any, with preemption disabled.
 * Return: the error as it is printed, from -MAX_ERRNO to -1, or 0. Without a type, a
 * result counts as an error if it looks like one.
 */
long graph_result_error(unsigned long func, const unsigned long *words)
{
	struct fgraph_sig sig;

	if (!fgraph_find_signature(func, &sig))
		return guess_error_code(words[0]);
	return graph_sig_result_error(&sig, words, 2);
}

/**
 * graph_result_number - return the result of a call as a number
 * @func:	the address of the function
 * @words:	the two return registers
 *
 * Context: any, with preemption disabled.
 * Return: the number, extended to 64 bits by its type. An error in place of an address is
 * negative. Without a type, it is the first register.
 */
s64 graph_result_number(unsigned long func, const unsigned long *words)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;
	u64 bits;

	if (!fgraph_find_signature(func, &sig) || !fgraph_sig_result(&walk, &sig, &value) ||
	    value.place != FGRAPH_IN_WORDS)
		return words[0];
	if (!value.words)
		return 0;
	bits = fgraph_words_bits(words, value.words, value.bytes);
	if (graph_value_is_signed(&value))
		return fgraph_sign_extend_bytes(bits, value.bytes);
	if (value.words == 1 && value.bytes == sizeof(long) && IS_ERR_VALUE(words[0]))
		return (long)words[0];
	return bits;
}

/**
 * graph_result_is_null - check whether a call returned a null pointer
 * @func:	the address of the function
 * @words:	the two return registers
 *
 * Context: any, with preemption disabled.
 * Return: true if the result has the type of a pointer and prints as NULL.
 */
bool graph_result_is_null(unsigned long func, const unsigned long *words)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;

	return fgraph_find_signature(func, &sig) &&
		fgraph_sig_result(&walk, &sig, &value) && has_words(&value, 2) &&
		fgraph_find_type(*value.base)->kind == FGRAPH_POINTER &&
		!words[value.word];
}
#else
static void print_retval_hex(struct trace_seq *s, unsigned long func,
			     const struct graph_words *ret)
{
	print_word(s, ret->iter, ret->words[0]);
}

static void print_retval(struct trace_seq *s, unsigned long func,
			 const struct graph_words *ret)
{
	print_untyped_retval(s, ret->iter, ret->words[0]);
}

bool graph_has_result(const struct trace_iterator *iter, unsigned long func)
{
	return true;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_has_result);

long graph_result_error(unsigned long func, const unsigned long *words)
{
	return guess_error_code(words[0]);
}

s64 graph_result_number(unsigned long func, const unsigned long *words)
{
	return words[0];
}

bool graph_result_is_null(unsigned long func, const unsigned long *words)
{
	return false;
}
#endif

/**
 * print_graph_retval - print the return value of a function
 * @s:		the buffer to print to
 * @func:	the recorded address of the function
 * @ret:	the recorded return registers, the least significant first
 * @flags:	the options of the function graph tracer
 */
void print_graph_retval(struct trace_seq *s, unsigned long func,
			const struct graph_words *ret, u32 flags)
{
	trace_seq_puts(s, "ret=");

	/* The signature is valid until preemption is enabled. */
	preempt_disable_notrace();
	if (flags & TRACE_GRAPH_PRINT_RETVAL_HEX)
		print_retval_hex(s, func, ret);
	else
		print_retval(s, func, ret);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_retval);

#endif /* CONFIG_FUNCTION_GRAPH_RETVAL */
