// SPDX-License-Identifier: GPL-2.0
/*
 * Probe events that name values as the source does:
 *
 *	p vfs_read count		the event
 *	p vfs_read count=%dx:u64	the same event, with the register and the type
 *	r vfs_read $retval		the result, with the type that the function has
 *	r vfs_read count $retval	and a parameter, as it was at the entry
 *	p vfs_read file->f_flags	a member, behind a pointer
 *
 * The signature of the function has the name, the type and the place of each parameter. They
 * become instructions when the event is made. So the event costs what it costs with the name
 * of the register.
 *
 * Events are made one at a time. The function of the event that is being made is in a variable,
 * as its error log is.
 */
#include <linux/ctype.h>
#include <linux/fgraph.h>
#include <linux/kallsyms.h>
#include <linux/log2.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "fgraph_members.h"
#include "fgraph_sig.h"
#include "trace_graph_member.h"
#include "trace_graph_value.h"
#include "trace_probe.h"
#include "trace_probe_sig.h"

/* A probe gets all registers, as the function tracer does. */
#ifndef ftrace_full_regs_copy_args
#define ftrace_full_regs_copy_args	ftrace_regs_copy_args
#endif

/* An arch defines this if its function tracer does not find the arguments on the stack. */
#ifndef kprobe_regs_stack_args
#define kprobe_regs_stack_args		ftrace_full_regs_stack_args
#ifndef ftrace_full_regs_stack_args
#define ftrace_full_regs_stack_args	ftrace_regs_stack_args
#endif
#endif

/* The function of the event that is being made, as in fgraph_call::func, or 0 */
static unsigned long probed_func;

/* The place of "$arg*" among its arguments, and the number of names in place of it */
static struct {
	unsigned int	at;
	unsigned int	nr;
} probed_args;

/* The parameters that its return needs */
static struct probe_entry probed_entry;

/**
 * traceprobe_set_func - set the function of the event that is being made
 * @symbol:	the symbol, or NULL
 * @addr:	the address if @symbol is NULL
 *
 * Context: with dyn_event_ops_mutex, as for trace_probe_log_init().
 */
void traceprobe_set_func(const char *symbol, const void *addr)
{
	unsigned long ip = (unsigned long)addr;

	if (symbol)
		ip = kallsyms_lookup_name(symbol);
	probed_func = ip ? ftrace_location(fgraph_func_addr(ip)) : 0;
	probed_args.nr = 1;
	memset(&probed_entry, 0, sizeof(probed_entry));
}

/**
 * traceprobe_copy_entry - get the parameters that a return event needs
 * @entry:	set to the words to keep at the entry
 *
 * Context: with dyn_event_ops_mutex, after the arguments of the event were parsed.
 */
void traceprobe_copy_entry(struct probe_entry *entry)
{
	*entry = probed_entry;
}

/**
 * struct probe_value - a value, without what the signature owns
 * @place:	its place
 * @kind:	the kind of its type
 * @is_signed:	it is a signed number
 * @is_text:	it is a pointer to chars, or to void
 * @is_result:	it is the result of the function, or a member behind it
 * @word:	the index of its first word, or of the word of the pointer to a member
 * @words:	the number of its words
 * @bytes:	its size in these words
 * @regs:	the number of words of the call that are in registers
 * @path:	the way to a member; without steps, the value is no member
 * @at:		the place of an error in the argument
 */
struct probe_value {
	enum fgraph_place	place;
	enum fgraph_kind	kind;
	bool			is_signed;
	bool			is_text;
	bool			is_result;
	unsigned int		word;
	unsigned int		words;
	unsigned int		bytes;
	unsigned int		regs;
	struct graph_path	path;
	size_t			at;
};

/* The name with which an argument begins, after "*", and after the "$" of $retval */
static const char *find_name(const char *arg)
{
	arg += strspn(arg, "*");
	return *arg == '$' ? arg + 1 : arg;
}

/* Return true if an argument begins with the result. */
static bool is_result(const char *arg)
{
	const char *name = find_name(arg);

	return name > arg && name[-1] == '$' && graph_name_length(name) == strlen("retval") &&
		str_has_prefix(name, "retval");
}

static bool is_pointer_to_char(const struct fgraph_value *value)
{
	enum fgraph_form form = FGRAPH_PLAIN;

	return *value->base == 'P' && strchr("cahv", *fgraph_base_type(value->base + 1, &form));
}

static void copy_type(struct probe_value *to, const struct fgraph_value *value)
{
	to->kind = fgraph_find_type(*value->base)->kind;
	to->is_signed = graph_value_is_signed(value);
	to->is_text = is_pointer_to_char(value);
	to->words = value->words;
	to->bytes = value->bytes;
}

static void copy_value(struct probe_value *to, const struct fgraph_value *value)
{
	*to = (struct probe_value){
		.place = value->place,
		.is_result = value->is_result,
		.word = value->word,
		.regs = fgraph_sig_regs(value->sig->text),
	};
	copy_type(to, value);
}

/* The walk over the parameters of the probed function. It needs disabled preemption. */
struct probe_params {
	struct fgraph_sig	sig;
	struct fgraph_sig_walk	walk;
	struct fgraph_value	value;
};

/* Begin the walk at the result. */
static bool begin_walk(struct probe_params *params)
{
	return probed_func && fgraph_find_signature(probed_func, &params->sig) &&
		fgraph_sig_result(&params->walk, &params->sig, &params->value);
}

/* Find a parameter, or the result. Return 0, or the number of the error. */
static int find_root(const char *arg, struct probe_params *params)
{
	const char *name = find_name(arg);

	if (!begin_walk(params))
		return TP_ERR_NO_SIGNATURE;
	if (is_result(arg))
		return params->value.base[0] == 'v' ? TP_ERR_NO_RETVAL : 0;
	return fgraph_sig_find_parameter(&params->walk, &params->value, name,
					 graph_name_length(name)) ? 0 : TP_ERR_NO_PARAMETER;
}

/* Find a member behind a parameter or the result. Return 0, or the number of the error. */
static int find_member(const char *arg, const struct fgraph_value *root,
		       struct probe_value *found)
{
	static const int errors[] = {
		[GRAPH_PATH_SYNTAX]	= TP_ERR_BAD_INDEX,
		[GRAPH_PATH_NO_POINTER]	= TP_ERR_NO_POINTER,
		[GRAPH_PATH_NO_STRUCT]	= TP_ERR_NO_STRUCT,
		[GRAPH_PATH_UNKNOWN]	= TP_ERR_UNKNOWN_STRUCT,
		[GRAPH_PATH_AMBIGUOUS]	= TP_ERR_AMBIGUOUS_STRUCT,
		[GRAPH_PATH_NO_MEMBER]	= TP_ERR_NO_MEMBER,
		[GRAPH_PATH_INDEX]	= TP_ERR_NO_ELEMENT,
		[GRAPH_PATH_LONG]	= TP_ERR_LONG_PATH,
		[GRAPH_PATH_TYPE]	= TP_ERR_BAD_VALUE,
	};
	const char *name = find_name(arg);
	const char *accessors = name + graph_name_length(name);
	struct graph_path_problem problem;
	struct fgraph_value member;
	int err;

	err = graph_find_path(root, accessors, strlen(accessors), strspn(arg, "*"),
			      &found->path, &member, &problem);
	if (!err) {
		copy_type(found, &member);
		return 0;
	}
	if (err != GRAPH_PATH_TYPE)
		found->at = accessors + problem.at - arg;
	return errors[err];
}

/* Return true if an argument is a member, not a parameter or the result. */
static bool is_member(const char *arg)
{
	const char *name = find_name(arg);

	return *arg == '*' || name[graph_name_length(name)];
}

/* Find a value. Return 0, or the number of the error. */
static int look_up_value(const char *arg, struct probe_value *found)
{
	struct probe_params params;
	int err;

	fgraph_lock_members();
	/* The signature is valid until preemption is enabled. */
	preempt_disable();
	err = find_root(arg, &params);
	if (!err) {
		copy_value(found, &params.value);
		if (is_member(arg) && found->place == FGRAPH_IN_WORDS)
			err = find_member(arg, &params.value, found);
	}
	preempt_enable();
	fgraph_unlock_members();
	return err;
}

static const char *const *types_of_kind(const struct probe_value *value)
{
	static const char *const types[][4] = {
		{ "x8", "x16", "x32", "x64" },
		{ "s8", "s16", "s32", "s64" },
		{ "u8", "u16", "u32", "u64" },
	};

	switch (value->kind) {
	case FGRAPH_BOOL:
	case FGRAPH_CHAR:
	case FGRAPH_SIGNED:
	case FGRAPH_UNSIGNED:
	case FGRAPH_ENUM:
		return types[value->is_signed ? 1 : 2];
	case FGRAPH_POINTER:
	case FGRAPH_STRUCT:
		return types[0];
	default:
		return NULL;
	}
}

/* Print the type of a probe event that shows the value. Return false if there is none. */
static bool print_type(const struct probe_value *value, char *room)
{
	const struct graph_path *path = &value->path;
	const char *const *types = types_of_kind(value);

	if (path->nr_steps && path->end == GRAPH_PATH_TEXT_IN) {
		strscpy(room, "string", PROBE_TYPE_BYTES);
		return true;
	}
	if (path->width) {
		snprintf(room, PROBE_TYPE_BYTES, "b%u@%u/%lu", path->width, path->first,
			 8 * roundup_pow_of_two(path->bytes));
		return !value->is_signed;
	}
	if (!types || !is_power_of_2(value->bytes) || value->bytes > sizeof(u64))
		return false;
	strscpy(room, types[ilog2(value->bytes)], PROBE_TYPE_BYTES);
	return true;
}

/* Return 0, or the number of the error because of which the value cannot be recorded. */
static int check_value(const struct probe_value *value)
{
	char room[PROBE_TYPE_BYTES];

	if (value->place == FGRAPH_OPTIMIZED_OUT)
		return TP_ERR_PARAMETER_REMOVED;
	if (value->place != FGRAPH_IN_WORDS || value->regs > FTRACE_ARG_REGS ||
	    !print_type(value, room))
		return TP_ERR_BAD_VALUE;
	return value->path.nr_steps || value->words * sizeof(long) <= sizeof(u64) ?
		0 : TP_ERR_WIDE_VALUE;
}

/*
 * Find the value that an argument of an event names. Return 0, or the number of the error, or
 * -ENOMEM.
 */
static int find_value(const char *arg, unsigned int flags, struct probe_value *value)
{
	const char *name = find_name(arg);
	int err;

	value->at = 0;
	if (!probed_func)
		return TP_ERR_NO_SIGNATURE;
	if (!is_result(arg) && !(flags & TPARG_FL_FENTRY))
		return TP_ERR_NOFENTRY_ARGS;
	if (graph_member_length(name) != strlen(name))
		return TP_ERR_BAD_FETCH_ARG;
	/* Members are looked up in the index. */
	err = is_member(arg) ? fgraph_index_members() : 0;
	return err ?: look_up_value(arg, value) ?: check_value(value);
}

/* Return true if the type of the result is known. A clone of a function may return anything. */
static bool result_is_known(void)
{
	struct probe_params params;
	bool known;

	preempt_disable();
	known = begin_walk(&params) && params.value.place != FGRAPH_OPTIMIZED_OUT;
	preempt_enable();
	return known;
}

/**
 * traceprobe_is_named - check whether an argument of an event names a value
 * @arg:	the argument, without a type
 * @flags:	TPARG_FL_*
 *
 * Return: true if it begins with a name, or with a result whose type is known.
 */
bool traceprobe_is_named(const char *arg, unsigned int flags)
{
	if ((flags & (TPARG_FL_KERNEL | TPARG_FL_TPOINT)) != TPARG_FL_KERNEL)
		return false;
	if (is_result(arg))
		return flags & TPARG_FL_RETURN && result_is_known();
	arg += strspn(arg, "*");
	return isalpha(*arg) || *arg == '_';
}

/* Return the last name in an argument, such as f_flags in "file->f_flags:x32". */
static const char *find_last_name(const char *arg)
{
	const char *last = find_name(arg), *pos;

	for (pos = last; *pos && *pos != ':'; pos++)
		if (*pos == '>' || *pos == '.')
			last = pos + 1;
	return last;
}

/**
 * traceprobe_find_field - find the name of the field of an argument that names a value
 * @arg:	the argument
 * @flags:	TPARG_FL_*
 * @len:	set to the length of the name
 *
 * Return: the name; NULL if @arg is the result or names no value, or if the name is too long.
 */
const char *traceprobe_find_field(const char *arg, unsigned int flags, size_t *len)
{
	const char *last = find_last_name(arg);

	*len = graph_name_length(last);
	if (!traceprobe_is_named(arg, flags) || (is_result(arg) && last == find_name(arg)) ||
	    *len > MAX_ARG_NAME_LEN)
		return NULL;
	return last;
}

/* Write an error of find_value() to the error log. */
static int refuse_value(const struct probe_value *value, int err, int offs)
{
	if (err < 0)
		return err;
	__trace_probe_log_err(offs + value->at, err);
	return -EINVAL;
}

static bool is_error(const char *type)
{
	return !strcmp(type, "error");
}

/*
 * Check a type that is written after a value, and replace "error". Return 0, or the number of
 * the error.
 */
static int check_type(const struct probe_value *value, const char **type)
{
	if (value->path.width)
		return TP_ERR_TYPED_BITFIELD;
	if (!is_error(*type))
		return 0;
	if (value->bytes != sizeof(u32) && value->bytes != sizeof(u64))
		return TP_ERR_BAD_ERROR;
	*type = value->bytes == sizeof(u32) ? "error32" : "error64";
	return 0;
}

/* Replace "error" after the field of an event. Refuse it if the size of the value is unknown. */
static int find_unnamed_error(const char *arg, const char **type, unsigned int flags, int offs)
{
	if (!is_error(*type))
		return 0;
	if (flags & TPARG_FL_TPOINT) {
		if (*arg == '$')
			*type = BITS_PER_LONG == 64 ? "error64" : "error32";
		return 0;
	}
	if (!is_result(arg) || !(flags & TPARG_FL_RETURN))
		return 0;
	trace_probe_log_err(offs, NO_SIGNATURE);
	return -EINVAL;
}

/**
 * traceprobe_find_type - find the type of an argument of an event
 * @arg:	the argument, without a type
 * @type:	the type that is written after it, or NULL; set to that of the value
 * @room:	room for a type, PROBE_TYPE_BYTES
 * @flags:	TPARG_FL_*
 * @offs:	the place of @arg, for the error log
 *
 * Return: 0; -EINVAL after a line in the error log; or -ENOMEM.
 */
int traceprobe_find_type(const char *arg, const char **type, char *room, unsigned int flags,
			 int offs)
{
	struct probe_value value;
	int err;

	if (!traceprobe_is_named(arg, flags))
		return *type ? find_unnamed_error(arg, type, flags, offs) : 0;
	err = find_value(arg, flags, &value);
	if (!err && *type)
		err = check_type(&value, type);
	else if (!err && print_type(&value, room))
		*type = room;
	else if (*type && !is_error(*type))
		return 0;	/* traceprobe_parse_named() may accept it. */
	return err ? refuse_value(&value, err, offs) : 0;
}

/* Let each register contain its offset in struct pt_regs. */
static void number_regs(struct ftrace_regs *fregs)
{
	unsigned long *words = (unsigned long *)&fregs->regs;
	unsigned int i;

	for (i = 0; i < sizeof(fregs->regs) / sizeof(*words); i++)
		words[i] = i * sizeof(*words);
}

/* Let @code load an argument word. The arch copies it from numbered registers. */
static void load_arg_word(struct fetch_insn *code, unsigned int word, unsigned int nr_regs)
{
	unsigned long words[FTRACE_ARG_REGS] = { };
	struct ftrace_regs fregs;

	number_regs(&fregs);
	if (word < nr_regs) {
		ftrace_full_regs_copy_args(&fregs, words, nr_regs);
		code->op = FETCH_OP_REG;
		code->param = words[word];
	} else {
		code->op = FETCH_OP_STACK;
		code->param = word - nr_regs + kprobe_regs_stack_args(&fregs) -
			(const unsigned long *)kernel_stack_pointer(&fregs.regs);
	}
}

/*
 * Let @code load the word @i of a value. Each 32-bit machine with signatures returns 64 bits in
 * the registers of the first two arguments.
 */
static void load_word(struct fetch_insn *code, const struct probe_value *value, unsigned int i)
{
	if (!value->is_result)
		load_arg_word(code, value->word + i, value->regs);
	else if (i)
		load_arg_word(code, i, i + 1);
	else
		code->op = FETCH_OP_RETVAL;
}

static bool same_place(const struct fetch_insn *a, const struct fetch_insn *b)
{
	return a->op == b->op && a->param == b->param;
}

/*
 * Let the entry keep the word that @code loads, and let @code load it at the return. Return 0,
 * or the number of the error.
 */
static int keep_word(struct fetch_insn *code)
{
	unsigned int i;

	for (i = 0; i < probed_entry.nr; i++)
		if (same_place(&probed_entry.words[i], code))
			break;
	if (i == PROBE_ENTRY_WORDS)
		return TP_ERR_TOO_MANY_PARAMETERS;
	if (i == probed_entry.nr)
		probed_entry.words[probed_entry.nr++] = *code;
	code->op = FETCH_OP_ENTRY;
	code->param = i;
	return 0;
}

/*
 * Let @pcode load the first word of a value, or both if the event stores both. Return 0, or the
 * number of the error.
 */
static int load_value(const struct probe_value *value, const struct fetch_type *type,
		      struct fetch_insn **pcode, const struct fetch_insn *end, bool keep)
{
	bool wide = !value->path.nr_steps && BITS_PER_LONG == 32 && value->words == 2 &&
		type->size == sizeof(u64);
	struct fetch_insn *code = *pcode;
	int err = 0;
	unsigned int i;

	if (wide)
		(code++)->op = FETCH_OP_WIDE;
	for (i = 0; i <= wide && !err; i++, code++) {
		if (code == end)
			return TP_ERR_TOO_MANY_OPS;
		load_word(code, value, i);
		err = keep ? keep_word(code) : 0;
	}
	*pcode = code - 1;
	return err;
}

/* Follow the pointers to a member. Return 0, or the number of the error. */
static int follow_path(const struct graph_path *path, struct fetch_insn **pcode,
		       const struct fetch_insn *end)
{
	struct fetch_insn *code = *pcode;
	unsigned int i;

	for (i = 0; i < path->nr_steps; i++) {
		if (++code == end)
			return TP_ERR_TOO_MANY_OPS;
		if (path->steps[i] > INT_MAX)
			return TP_ERR_NO_ELEMENT;
		code->op = FETCH_OP_DEREF;
		code->offset = path->steps[i];
	}
	/* A text that fills its array has no end. */
	if (i && path->end == GRAPH_PATH_TEXT_IN && path->max < MAX_STRING_SIZE)
		code->size = path->max;
	*pcode = code;
	return 0;
}

/* Follow a pointer to chars for a type that is a string. Return 0, or the number of the error. */
static int load_text(const struct probe_value *value, const struct fetch_type *type,
		     struct fetch_insn **pcode, const struct fetch_insn *end)
{
	struct fetch_insn *code = *pcode + 1;

	if (!type->is_string)
		return 0;
	if (value->path.nr_steps && value->path.end == GRAPH_PATH_TEXT_IN)
		return strcmp(type->name, "string") ? TP_ERR_BAD_TYPE4STR : 0;
	if (!strcmp(type->name, "symstr"))
		return 0;
	if (!value->is_text)
		return TP_ERR_BAD_TYPE4STR;
	if (code == end)
		return TP_ERR_TOO_MANY_OPS;
	code->op = strcmp(type->name, "ustring") ? FETCH_OP_DEREF : FETCH_OP_UDEREF;
	code->offset = 0;
	*pcode = code;
	return 0;
}

/*
 * Refuse a type that is larger than the value. The result can have any type, as it can without a
 * signature. Return 0, or the number of the error.
 */
static int check_size(const struct probe_value *value, const struct fetch_type *type)
{
	const struct graph_path *path = &value->path;

	if (type->is_string || path->width || (value->is_result && !path->nr_steps))
		return 0;
	return type->size <= value->bytes ? 0 : TP_ERR_LARGE_TYPE;
}

/**
 * traceprobe_parse_named - let an event load a value that its argument names
 * @arg:	the argument, without a type
 * @type:	its type
 * @pcode:	the instruction to write; set to the last one
 * @end:	the end of the instructions
 * @flags:	TPARG_FL_*
 * @offs:	the place of @arg, for the error log
 *
 * Return: 0; -EINVAL after a line in the error log; or -ENOMEM.
 */
int traceprobe_parse_named(const char *arg, const struct fetch_type *type,
			   struct fetch_insn **pcode, const struct fetch_insn *end,
			   unsigned int flags, int offs)
{
	struct probe_value value;
	int err;

	err = find_value(arg, flags, &value) ?: check_size(&value, type);
	/* The first register of a result can be recorded with another type. */
	if (is_result(arg) && !is_member(arg) &&
	    (err == TP_ERR_WIDE_VALUE || err == TP_ERR_BAD_VALUE))
		err = 0;
	probed_entry.named = true;
	if (!err) {
		err = load_value(&value, type, pcode, end,
				 flags & TPARG_FL_RETURN && !value.is_result);
		err = err ?: follow_path(&value.path, pcode, end);
		err = err ?: load_text(&value, type, pcode, end);
	}
	return err ? refuse_value(&value, err, offs) : 0;
}

/* Parameters have at most this many words, in registers and on the stack. */
#define PROBE_MAX_NAMES		(2 * FGRAPH_MAX_WORDS)
/* Room for their names. A name that does not fit is left out. */
#define PROBE_NAMES_BYTES	4096

/*
 * Write the names of the parameters that can be recorded to @names, each with its end, as far as
 * they take @max words. Return their number.
 */
static unsigned int list_parameters(char *names, unsigned int max)
{
	char *end = names + PROBE_NAMES_BYTES;
	struct probe_params params;
	struct probe_value value;
	unsigned int nr = 0, words = 0;
	size_t len;

	/* The signature is valid until preemption is enabled. */
	preempt_disable();
	if (begin_walk(&params)) {
		while (fgraph_sig_parameter(&params.walk, &params.value)) {
			copy_value(&value, &params.value);
			len = params.value.name_len;
			if (!len || check_value(&value) || names + len >= end ||
			    words + value.words > max)
				continue;
			words += value.words;
			memcpy(names, params.value.name, len);
			names[len] = '\0';
			names += len + 1;
			nr++;
		}
	}
	preempt_enable();
	return nr;
}

/*
 * Copy the arguments of an event to @to, with the names in place of "$arg*". Return their
 * number.
 */
static int replace_args(const char **to, int argc, const char **argv, const char *names,
			unsigned int nr)
{
	const char **start = to;
	int i;

	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "$arg*")) {
			*to++ = argv[i];
			continue;
		}
		for (; nr; nr--, names += strlen(names) + 1)
			*to++ = names;
	}
	return to - start;
}

/**
 * traceprobe_expand_args - replace "$arg*" by the names of all parameters
 * @argc:	the number of arguments of the event, set to the new number
 * @argv:	the arguments
 * @flags:	TPARG_FL_*
 *
 * Parameters that cannot be recorded are left out.
 *
 * Return: the new arguments, to be freed with kfree(); NULL if there is no "$arg*"; or an
 * error pointer, after a line in the error log for -EINVAL.
 */
const char **traceprobe_expand_args(int *argc, const char **argv, unsigned int flags)
{
	const char **to;
	unsigned int nr;
	char *names;
	int i, again;

	i = match_string(argv, *argc, "$arg*");
	if (i < 0)
		return NULL;
	again = match_string(argv + i + 1, *argc - i - 1, "$arg*");
	if (again >= 0) {
		trace_probe_log_set_index(again + i + 1 + 2);
		trace_probe_log_err(0, DOUBLE_ARGS);
		return ERR_PTR(-EINVAL);
	}
	trace_probe_log_set_index(i + 2);
	if (probed_func && !(flags & TPARG_FL_FENTRY)) {
		trace_probe_log_err(0, NOFENTRY_ARGS);
		return ERR_PTR(-EINVAL);
	}
	to = kmalloc((*argc + PROBE_MAX_NAMES) * sizeof(*to) + PROBE_NAMES_BYTES, GFP_KERNEL);
	if (!to)
		return ERR_PTR(-ENOMEM);
	names = (char *)(to + *argc + PROBE_MAX_NAMES);
	nr = list_parameters(names, flags & TPARG_FL_RETURN ? PROBE_ENTRY_WORDS : PROBE_MAX_NAMES);
	if (!nr) {
		kfree(to);
		trace_probe_log_err(0, NO_PARAMETERS);
		return ERR_PTR(-EINVAL);
	}
	*argc = replace_args(to, *argc, argv, names, nr);
	probed_args.at = i;
	probed_args.nr = nr;
	return to;
}

/**
 * traceprobe_written_arg - find an argument of an event as it was written
 * @i:		the index of the argument, after traceprobe_expand_args()
 *
 * Return: its index before that.
 */
unsigned int traceprobe_written_arg(unsigned int i)
{
	if (i < probed_args.at)
		return i;
	return i < probed_args.at + probed_args.nr ? probed_args.at : i - probed_args.nr + 1;
}
