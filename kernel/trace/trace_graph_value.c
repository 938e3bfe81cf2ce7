// SPDX-License-Identifier: GPL-2.0
/*
 * How the function graph tracer prints the values of functions.
 *
 * The grammar, for people and for machines, is name=VALUE or
 * name=VALUE (annotation); the name of what a function returns is "ret".
 * Documentation/trace/fgraph.rst has it as a regular expression, to which all that
 * is printed here has to keep. The ", " between arguments is in no value.
 *
 * What a value is comes from the signature of its function. Where it is not known
 * what was in a word, this says so: it prints nothing that only looks like it.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/errname.h>
#include <linux/fgraph.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/preempt.h>

#include "fgraph_sig.h"
#include "trace_graph.h"

/* Numbers: trace_seq_printf() would take most of the time that a value takes. */

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

/* A word of which is not known what it is */
static void print_untyped(struct trace_seq *s, unsigned long word)
{
	if (word)
		print_hex(s, word);
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

/* Words. */

/* The low @bytes of what a register or a word on the stack had */
static u64 mask_bytes(u64 bits, unsigned int bytes)
{
	return bytes < sizeof(bits) ? bits & (BIT_ULL(8 * bytes) - 1) : bits;
}

static s64 sign_extend_bytes(u64 bits, unsigned int bytes)
{
	return sign_extend64(bits, 8 * min_t(unsigned int, bytes, 8) - 1);
}

/* A value of at most 64 bits. What is above it in its word is garbage. */
static u64 value_bits(const struct fgraph_value *value,
		      const unsigned long *words)
{
	u64 bits = words[0];

	if (BITS_PER_LONG == 32 && value->words > 1)
		bits |= (u64)words[1] << 32;
	return mask_bytes(bits, value->bytes);
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

/* One of a list of enumerators; @next is the rest of the list */
struct enumerator {
	const char	*name;
	int		len;
	u64		value;
	const char	*next;
};

/* Find the one at e->next. @e is the one before it, or of value -1. */
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
	return mask_bytes(e->value, value->bytes);
}

/*
 * An enum is a set of flags only if no two of its enumerators share a bit, and one
 * of them is 4 or more: 0, 1, 2 are rather numbers.
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

/* Whether enumerator @e is a flag, or some, of those in @bits */
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

static void print_enumerators(struct trace_seq *s,
			      const struct fgraph_value *value, u64 bits)
{
	struct enumerator e = before_enumerators(value);

	while (next_enumerator(&e)) {
		if (enumerator_bits(value, &e) == bits) {
			trace_seq_printf(s, " (%.*s)", e.len, e.name);
			return;
		}
	}
	print_flags(s, value, bits);
}

static void print_enum(struct trace_seq *s, const struct fgraph_value *value,
		       u64 bits)
{
	enum fgraph_kind kind = fgraph_find_type(value->base[1])->kind;

	if (kind == FGRAPH_SIGNED || (kind == FGRAPH_CHAR && (char)-1 < 0))
		print_decimal(s, sign_extend_bytes(bits, value->bytes));
	else
		print_unsigned(s, bits);
	print_enumerators(s, value, bits);
}

/* Values of each kind of type. */

static void print_address(struct trace_seq *s, unsigned long addr)
{
	if (addr)
		print_hex(s, addr);
	else
		trace_seq_puts(s, "NULL");
}

static void print_pointer(struct trace_seq *s, const struct fgraph_value *value,
			  unsigned long addr)
{
	const char *target = value->base + 1;

	if (IS_ERR_VALUE(addr)) {
		print_decimal(s, (long)addr);
		print_errname(s, (long)addr);
		return;
	}

	print_address(s, addr);
	while (*target == 'K' || *target == 'V' || *target == 'R')
		target++;
	if (addr && *target == 'F')
		print_symbol(s, value->sig->iter, addr);
}

static void print_int128(struct trace_seq *s, const struct fgraph_value *value,
			 const unsigned long *words)
{
	int i = value->words - 1;

	while (i && !words[i])
		i--;
	trace_seq_printf(s, "0x%lx", words[i]);
	while (i--)
		trace_seq_printf(s, "%0*lx", BITS_PER_LONG / 4, words[i]);
}

static void print_struct(struct trace_seq *s, const struct fgraph_value *value,
			 const unsigned long *words)
{
	unsigned int bytes = value->bytes;
	const char *separator = "";
	int i;

	trace_seq_putc(s, '{');
	for (i = 0; i < value->words; i++) {
		trace_seq_puts(s, separator);
		print_hex(s, mask_bytes(words[i], min_t(unsigned int, bytes,
							sizeof(long))));
		bytes -= sizeof(long);
		separator = " ";
	}
	trace_seq_putc(s, '}');
}

/* A value that is in @words, all of it */
static void print_words(struct trace_seq *s, const struct fgraph_value *value,
			const unsigned long *words)
{
	enum fgraph_kind kind = fgraph_find_type(*value->base)->kind;
	u64 bits = value->words ? value_bits(value, words) : 0;

	/* Only structs can be empty. Otherwise the signature is broken. */
	if (!value->words && kind != FGRAPH_STRUCT)
		kind = FGRAPH_UNKNOWN;

	switch (kind) {
	case FGRAPH_BOOL:
		trace_seq_puts(s, bits ? "true" : "false");
		break;
	case FGRAPH_CHAR:
		trace_seq_printf(s, "%d", (char)bits);
		print_character(s, bits);
		break;
	case FGRAPH_SIGNED:
		print_decimal(s, sign_extend_bytes(bits, value->bytes));
		break;
	case FGRAPH_UNSIGNED:
		if (value->decimal)
			print_unsigned(s, bits);
		else
			print_hex(s, bits);
		break;
	case FGRAPH_INT128:
		print_int128(s, value, words);
		break;
	case FGRAPH_POINTER:
		print_pointer(s, value, words[0]);
		break;
	case FGRAPH_ENUM:
		print_enum(s, value, bits);
		break;
	case FGRAPH_STRUCT:
		print_struct(s, value, words);
		break;
	case FGRAPH_NO_TYPE:
	case FGRAPH_VOID:
	case FGRAPH_FLOAT:
	case FGRAPH_UNKNOWN:
		trace_seq_puts(s, "<unknown>");
		break;
	}
}

/* Whether all of a value is in @nr words, those of all values together */
static bool is_recorded(const struct fgraph_value *value, unsigned int nr)
{
	return value->place != FGRAPH_NOT_RECORDED &&
		value->word + value->words <= nr;
}

/* Print a value of which @nr words were recorded, those of all values together. */
static void print_value(struct trace_seq *s, const struct fgraph_value *value,
			const unsigned long *words, unsigned int nr)
{
	if (value->place == FGRAPH_OPTIMIZED_OUT) {
		trace_seq_puts(s, "<optimized out>");
	} else if (!is_recorded(value, nr)) {
		trace_seq_puts(s, "<unknown>");
	} else if (value->place == FGRAPH_BY_REFERENCE) {
		print_address(s, words[value->word]);
		trace_seq_puts(s, " (by reference)");
	} else {
		print_words(s, value, words + value->word);
	}
}

#endif /* CONFIG_FGRAPH_SIGNATURE_READER */

#ifdef CONFIG_FUNCTION_GRAPH_ARGS

/*
 * What is recorded of arguments of which is not known what they are. If nothing is,
 * there may be some all the same.
 */
static void print_raw_args(struct trace_seq *s, const unsigned long *words,
			   unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		trace_seq_printf(s, "%sarg%u=", i ? ", " : "", i + 1);
		print_untyped(s, words[i]);
	}
	if (!nr)
		trace_seq_puts(s, "...");
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/**
 * print_graph_sig_args - print the arguments of a call, without parentheses
 * @s:		where to
 * @sig:	the signature of the function
 * @words:	the words that were recorded, as many as it asks for
 * @nr:		how many there are
 */
void print_graph_sig_args(struct trace_seq *s, const struct fgraph_sig *sig,
			  const unsigned long *words, unsigned int nr)
{
	const char *separator = "";
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	unsigned int i = 0;

	/* This begins the walk; what is returned is not of interest */
	fgraph_sig_result(&walk, sig, &value);
	while (fgraph_sig_parameter(&walk, &value)) {
		trace_seq_puts(s, separator);
		i++;
		if (value.name_len)
			trace_seq_putmem(s, value.name, value.name_len);
		else
			trace_seq_printf(s, "arg%u", i);
		trace_seq_putc(s, '=');
		print_value(s, &value, words, nr);
		separator = ", ";
	}
	if (walk.variadic || walk.broken)
		trace_seq_printf(s, "%s...", separator);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_sig_args);

static void print_args(struct trace_seq *s, const struct trace_iterator *iter,
		       unsigned long func, const unsigned long *words,
		       unsigned int nr)
{
	struct fgraph_sig sig;
	unsigned int wanted;

	if (!fgraph_find_signature(func, &sig)) {
		print_raw_args(s, words, nr);
		return;
	}

	sig.iter = iter;
	wanted = min_t(unsigned int, TRACE_GRAPH_MAX_ARGS,
		       fgraph_sig_regs(sig.text) + fgraph_sig_stack(sig.text));
	if (nr == wanted)
		print_graph_sig_args(s, &sig, words, nr);
	else
		/* None if they were not recorded, else by another signature */
		print_raw_args(s, words, nr);
}
#else
static void print_args(struct trace_seq *s, const struct trace_iterator *iter,
		       unsigned long func, const unsigned long *words,
		       unsigned int nr)
{
	print_raw_args(s, words, nr);
}
#endif

/**
 * print_graph_args - print the arguments of a function, in parentheses
 * @s:		where to
 * @iter:	at the event, or NULL
 * @func:	the function, as it was recorded
 * @words:	the words that were recorded
 * @nr:		how many there are
 */
void print_graph_args(struct trace_seq *s, const struct trace_iterator *iter,
		      unsigned long func, const unsigned long *words,
		      unsigned int nr)
{
	trace_seq_putc(s, '(');
	/* The signature stays meanwhile */
	preempt_disable_notrace();
	print_args(s, iter, func, words, nr);
	preempt_enable_notrace();
	trace_seq_putc(s, ')');
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_args);

#endif /* CONFIG_FUNCTION_GRAPH_ARGS */

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL

/*
 * Nothing here tells of what type a return value is. It is taken for an error if it
 * is the one that a long or an int would be: all bits, or the low 32 with nothing
 * above, are -4095 to -1. Less than an int is rather a number than an error.
 *
 * Returns the error code, or 0.
 */
static long guess_error_code(unsigned long retval)
{
	long err = retval <= U32_MAX ? (s32)retval : retval;

	return IS_ERR_VALUE(err) ? err : 0;
}

static void print_untyped_retval(struct trace_seq *s, unsigned long retval)
{
	long err = guess_error_code(retval);

	if (err) {
		print_decimal(s, err);
		print_errname(s, err);
	} else {
		print_untyped(s, retval);
	}
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/*
 * The name of the error that a result is. What functions are called with is none: -1
 * and AT_FDCWD are not. Nobody returns an error in less than an int.
 */
static void print_result_errname(struct trace_seq *s,
				 const struct fgraph_value *value,
				 const unsigned long *words)
{
	enum fgraph_kind kind = fgraph_find_type(*value->base)->kind;
	u64 bits = value_bits(value, words);

	if (kind == FGRAPH_SIGNED && value->bytes >= sizeof(int))
		print_errname(s, sign_extend_bytes(bits, value->bytes));
	/* An unsigned long may be an address, or the error that is in its place. */
	else if (*value->base == 'm' && !value->decimal)
		print_errname(s, (long)bits);
}

/**
 * print_graph_sig_retval - print what a call returned, without "ret="
 * @s:		where to
 * @sig:	the signature of the function
 * @words:	the return registers that were recorded
 * @nr:		how many there are
 */
void print_graph_sig_retval(struct trace_seq *s, const struct fgraph_sig *sig,
			    const unsigned long *words, unsigned int nr)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;

	/* A clone may return what its origin does, or something else, or nothing */
	if (!fgraph_sig_result(&walk, sig, &value) ||
	    value.place == FGRAPH_OPTIMIZED_OUT) {
		print_untyped_retval(s, words[0]);
		return;
	}

	print_value(s, &value, words, nr);
	if (value.place == FGRAPH_IN_WORDS && value.words && is_recorded(&value, nr))
		print_result_errname(s, &value, words + value.word);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_sig_retval);

/* Whether the words of a value are its bits */
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

/* Print one or two words as one number of @bytes bytes. */
static void print_hex_words(struct trace_seq *s, const unsigned long *words,
			    unsigned int nr, unsigned int bytes)
{
	unsigned long high = 0;

	if (nr > 1)
		high = mask_bytes(words[1], bytes - sizeof(long));
	if (high)
		trace_seq_printf(s, "0x%lx%0*lx", high, BITS_PER_LONG / 4, words[0]);
	else
		print_hex(s, mask_bytes(words[0], min_t(unsigned int, bytes,
							sizeof(long))));
}

/**
 * print_graph_sig_retval_hex - print the bits of what a call returned
 * @s:		where to
 * @sig:	the signature of the function
 * @words:	the return registers that were recorded
 * @nr:		how many there are
 *
 * The bits above the value in its registers are garbage.
 */
void print_graph_sig_retval_hex(struct trace_seq *s, const struct fgraph_sig *sig,
				const unsigned long *words, unsigned int nr)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;

	if (!fgraph_sig_result(&walk, sig, &value) ||
	    value.place == FGRAPH_OPTIMIZED_OUT) {
		print_hex(s, words[0]);
		return;
	}

	if (is_recorded(&value, nr) && has_bits(&value))
		print_hex_words(s, words + value.word, value.words, value.bytes);
	else
		trace_seq_puts(s, "<unknown>");
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_sig_retval_hex);

static void print_retval_hex(struct trace_seq *s, unsigned long func,
			     const unsigned long *words, unsigned int nr)
{
	struct fgraph_sig sig;

	if (fgraph_find_signature(func, &sig))
		print_graph_sig_retval_hex(s, &sig, words, nr);
	else
		print_hex(s, words[0]);
}

static void print_retval(struct trace_seq *s, const struct trace_iterator *iter,
			 unsigned long func, const unsigned long *words,
			 unsigned int nr)
{
	struct fgraph_sig sig;

	if (!fgraph_find_signature(func, &sig)) {
		print_untyped_retval(s, words[0]);
		return;
	}
	sig.iter = iter;
	print_graph_sig_retval(s, &sig, words, nr);
}

/**
 * graph_returns_nothing - whether a function is known to return nothing
 * @func:	the function, as it was recorded
 */
bool graph_returns_nothing(unsigned long func)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;
	bool nothing;

	preempt_disable_notrace();
	nothing = fgraph_find_signature(func, &sig) &&
		fgraph_sig_result(&walk, &sig, &value) &&
		fgraph_find_type(*value.base)->kind == FGRAPH_VOID;
	preempt_enable_notrace();
	return nothing;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_returns_nothing);
#else
static void print_retval_hex(struct trace_seq *s, unsigned long func,
			     const unsigned long *words, unsigned int nr)
{
	print_hex(s, words[0]);
}

static void print_retval(struct trace_seq *s, const struct trace_iterator *iter,
			 unsigned long func, const unsigned long *words,
			 unsigned int nr)
{
	print_untyped_retval(s, words[0]);
}

bool graph_returns_nothing(unsigned long func)
{
	return false;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_returns_nothing);
#endif

/**
 * print_graph_retval - print the return value of a function
 * @s:		where to
 * @iter:	at the event, or NULL
 * @func:	the function, as it was recorded
 * @words:	the return registers that were recorded, the least significant
 *		first
 * @nr:		how many there are
 * @flags:	the options of the function graph tracer
 */
void print_graph_retval(struct trace_seq *s, const struct trace_iterator *iter,
			unsigned long func, const unsigned long *words,
			unsigned int nr, u32 flags)
{
	trace_seq_puts(s, "ret=");

	/* The signature stays meanwhile */
	preempt_disable_notrace();
	if (flags & TRACE_GRAPH_PRINT_RETVAL_HEX)
		print_retval_hex(s, func, words, nr);
	else
		print_retval(s, iter, func, words, nr);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_retval);

#endif /* CONFIG_FUNCTION_GRAPH_RETVAL */
