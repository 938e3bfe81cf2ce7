// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of libtraceevent: trace-cmd report prints calls of function_graph with the words
 * of their arguments, the names of pointers, the return address and the result:
 *
 *	             |  do_mkdirat(arg1=0xffffff9c, arg2=0xffff8880002c1000 ("/proc/x")) {
 *	! 176.785 us |  } do_mkdirat ret=-2 (ENOENT)
 *
 * An event contains words. Their types are in the kernel that recorded them. The file
 * function_signatures lists prototypes, which contain the types of results. A prototype does
 * not say where an argument is, or whether the compiler removed it. So an argument is
 * printed as a word.
 *
 *	cp /sys/kernel/tracing/function_signatures signatures
 *	trace-cmd report -O fgraph:signatures=signatures
 *
 * A result without a known type is not printed.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "prototype.h"

/* The bits of the field flags, see Documentation/trace/fgraph.rst */
enum {
	WITH_RETADDR	= 0x1,
	WITH_TIME	= 0x2,
	WITH_HIGH	= 0x4,
	WITH_SLEPT	= 0x8,
	WITH_NAMES	= 0x10,
	REPEATED	= 0x40,
	MISSED		= 0x80,
};

/* The flags of a name. If another one is set, the text is not for people. */
enum {
	NAME_OF_RESULT	= 0x1,
	NAME_CUT	= 0x2,
	NAME_NUMBER	= 0x4,
};

/* The parts of an event after its fields. A word has as many bytes as the kernel's. */
struct parts {
	struct tep_handle	*tep;
	unsigned int		word;
	unsigned int		nr_args;
	const char		*args;
	const char		*names;
	const char		*end;
	unsigned long long	retaddr;
	unsigned long long	high;
	bool			has_high;
};

static const char *const events[] = { "funcgraph_entry", "funcgraph_exit", "funcgraph_call" };

struct tep_plugin_option TEP_PLUGIN_OPTIONS[] = {
	{
		.name = "signatures",
		.plugin_alias = "fgraph",
		.description = "function_signatures of the kernel that recorded, as a file",
		/* An option without a value is a switch. */
		.value = "",
	},
	{ },
};

/* Return a field, or 0 if the event has none of this name. */
static unsigned long long field(struct tep_event *event, struct tep_record *record,
				const char *name)
{
	unsigned long long value = 0;

	tep_get_field_val(NULL, event, name, record, &value, 0);
	return value;
}

static unsigned long long read_word(const struct parts *parts, const char *at)
{
	return tep_read_number(parts->tep, at, parts->word);
}

/* Return the next part if @wanted, or NULL, also if the event ends before it. */
static const char *next_part(struct parts *parts, const char **at, bool wanted, size_t size)
{
	const char *part = *at;

	if (!wanted || (size_t)(parts->end - part) < size)
		return NULL;
	*at += size;
	return part;
}

static bool find_parts(struct parts *parts, struct tep_event *event, struct tep_record *record)
{
	struct tep_format_field *first = tep_find_field(event, "args");
	unsigned int flags = field(event, record, "flags");
	const char *at, *part;

	if (!first)
		first = tep_find_field(event, "words");
	memset(parts, 0, sizeof(*parts));
	parts->tep = event->tep;
	parts->word = tep_get_long_size(event->tep);
	if (!first || first->offset > record->size)
		return false;
	at = (const char *)record->data + first->offset;
	parts->end = (const char *)record->data + record->size;
	parts->nr_args = field(event, record, "nr_args");
	parts->args = next_part(parts, &at, true, parts->nr_args * parts->word);
	if (!parts->args)
		return false;
	part = next_part(parts, &at, flags & WITH_RETADDR, parts->word);
	parts->retaddr = part ? read_word(parts, part) : 0;
	next_part(parts, &at, flags & WITH_TIME, 8);
	part = next_part(parts, &at, flags & WITH_HIGH, parts->word);
	parts->high = part ? read_word(parts, part) : 0;
	parts->has_high = part && !tep_is_file_bigendian(parts->tep);
	next_part(parts, &at, flags & WITH_SLEPT, 8);
	parts->names = flags & WITH_NAMES ? at : parts->end;
	return true;
}

/* Escape as the kernel does, so that a text cannot look like the end of the arguments. */
static void print_text(struct trace_seq *s, const char *text, unsigned int len)
{
	unsigned int i;

	trace_seq_puts(s, " (\"");
	for (i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			trace_seq_printf(s, "\\%c", c);
		else if (c < ' ' || c == 0x7f || c == ',' || c == ')')
			trace_seq_printf(s, "\\x%02x", c);
		else
			trace_seq_putc(s, c);
	}
	trace_seq_putc(s, '"');
}

/*
 * Print the name of a pointer. A name is: the index of the word of the pointer, flags, the
 * length of a text, bytes to skip; from the second word on, these bytes and the text; and a
 * number.
 */
static void print_name(struct trace_seq *s, const struct parts *parts, unsigned int index,
		       bool of_result)
{
	const unsigned char *name = (const unsigned char *)parts->names;
	const unsigned char *end = (const unsigned char *)parts->end;
	unsigned int size, skip;

	for (; end - name >= (long)parts->word; name += size) {
		skip = name[3] % 8;
		size = parts->word + (skip + name[2] + parts->word - 1) / parts->word * parts->word;
		if (name[1] & NAME_NUMBER)
			size += parts->word;
		if (size > end - name)
			return;
		if (name[0] != index || !!(name[1] & NAME_OF_RESULT) != of_result ||
		    name[1] & ~(NAME_OF_RESULT | NAME_CUT | NAME_NUMBER))
			continue;
		print_text(s, (const char *)name + parts->word + skip, name[2]);
		if (name[1] & NAME_CUT)
			trace_seq_puts(s, "…");
		if (name[1] & NAME_NUMBER)
			trace_seq_printf(s, " %llu", read_word(parts, (const char *)name + size -
							       parts->word));
		trace_seq_putc(s, ')');
		return;
	}
}

static void print_args(struct trace_seq *s, const struct parts *parts)
{
	unsigned int i;

	for (i = 0; i < parts->nr_args; i++) {
		trace_seq_printf(s, "%sarg%u=%#llx", i ? ", " : "", i + 1,
				 read_word(parts, parts->args + i * parts->word));
		print_name(s, parts, i, false);
	}
}

static void print_function(struct trace_seq *s, struct tep_handle *tep, unsigned long long func)
{
	const char *name = tep_find_function(tep, func);

	if (name)
		trace_seq_puts(s, name);
	else
		trace_seq_printf(s, "%#llx", func);
}

static void print_return_address(struct trace_seq *s, const struct parts *parts)
{
	struct tep_handle *tep = parts->tep;

	if (!parts->retaddr)
		return;
	trace_seq_puts(s, " <-");
	print_function(s, tep, parts->retaddr);
	if (tep_find_function(tep, parts->retaddr))
		trace_seq_printf(s, "+%#llx", parts->retaddr -
				 tep_find_function_address(tep, parts->retaddr));
}

static void print_error(struct trace_seq *s, long long value)
{
	const char *name = value < 0 && value >= -4095 ? strerrorname_np(-value) : NULL;

	trace_seq_printf(s, "%lld", value);
	if (name)
		trace_seq_printf(s, " (%s)", name);
}

/* Registers contain anything above a result that is smaller than they are. */
static void print_result(struct trace_seq *s, const struct parts *parts, const char *func,
			 unsigned long long bits)
{
	struct result_type type = find_result_type(func);
	unsigned int shift;
	long long value;

	if (!type.bytes)
		type.bytes = parts->word;
	if (type.kind == RESULT_UNKNOWN || type.kind == RESULT_NONE ||
	    (type.bytes > parts->word && !parts->has_high))
		return;
	if (type.bytes > parts->word)
		bits |= parts->high << 32;
	shift = 64 - 8 * type.bytes;
	value = (long long)(bits << shift) >> shift;
	bits = bits << shift >> shift;

	trace_seq_puts(s, " ret=");
	if (type.kind == RESULT_BOOL)
		trace_seq_puts(s, bits ? "true" : "false");
	else if (type.kind == RESULT_SIGNED ||
		 (type.kind == RESULT_POINTER && value < 0 && value >= -4095))
		print_error(s, value);
	else if (type.kind == RESULT_POINTER && !bits)
		trace_seq_puts(s, "NULL");
	else
		trace_seq_printf(s, "%#llx", bits);
	if (type.kind == RESULT_POINTER)
		print_name(s, parts, 0, true);
}

/* The column of times, with the marks of function_graph, is empty if @ns is 0. */
static void print_duration(struct trace_seq *s, unsigned long long ns)
{
	static const struct {
		unsigned long long	ns;
		char			mark;
	} marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' }, { 1000000, '#' },
		{ 100000, '!' }, { 10000, '+' }, { 0, ' ' },
	};
	char text[32] = "";
	unsigned int i = 0;

	while (ns <= marks[i].ns && marks[i].ns)
		i++;
	if (ns)
		snprintf(text, sizeof(text), "%llu.%03llu us", ns / 1000, ns % 1000);
	trace_seq_printf(s, "%c %-11s |  ", ns ? marks[i].mark : ' ', text);
}

static int print_call(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		      void *context)
{
	bool enters = context != events[1], returns = context != events[0];
	unsigned long long func = field(event, record, "func");
	const char *name = tep_find_function(event->tep, func);
	unsigned int flags = field(event, record, "flags");
	struct parts parts;
	bool complete = find_parts(&parts, event, record);

	print_duration(s, field(event, record, "rettime") - field(event, record, "calltime"));
	trace_seq_printf(s, "%*s", (int)field(event, record, "depth") * 2, "");
	if (enters) {
		print_function(s, event->tep, func);
		trace_seq_putc(s, '(');
		if (complete)
			print_args(s, &parts);
		trace_seq_puts(s, returns ? ");" : ") {");
	} else {
		trace_seq_puts(s, "} ");
		print_function(s, event->tep, func);
	}
	if (complete)
		print_return_address(s, &parts);
	if (complete && returns && name)
		print_result(s, &parts, name, field(event, record, "retval"));
	if (flags & REPEATED)
		trace_seq_puts(s, " (repeated)");
	if (flags & MISSED)
		trace_seq_puts(s, " (calls in it were missed)");
	return 0;
}

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	const char *file = TEP_PLUGIN_OPTIONS[0].value;
	unsigned int i;

	if (*file)
		read_prototypes(file);
	for (i = 0; i < sizeof(events) / sizeof(*events); i++)
		tep_register_event_handler(tep, -1, "ftrace", events[i], print_call,
					   (void *)events[i]);
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	unsigned int i;

	for (i = 0; i < sizeof(events) / sizeof(*events); i++)
		tep_unregister_event_handler(tep, -1, "ftrace", events[i], print_call,
					     (void *)events[i]);
	free_prototypes();
}
