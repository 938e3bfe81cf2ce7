// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "flags.h"
#include "instance.h"
#include "options.h"
#include "path.h"
#include "stream.h"
#include "syscall.h"
#include "text.h"
#include "util.h"

#define MAX_ARGS	6

/**
 * struct argument - an argument of a system call
 * @type:	its type in C
 * @name:	its name
 * @bytes:	the size of its type
 * @is_signed:	it may be negative
 */
struct argument {
	char		*type;
	char		*name;
	unsigned int	bytes;
	bool		is_signed;
};

/**
 * struct syscall - a function that may be one of a system call
 * @next:	another function
 * @func:	the function
 * @name:	the name of the system call, NULL if the function is not named like one
 * @is_known:	the kernel has events of this system call
 * @args:	its arguments
 * @count:	how many the kernel knows
 */
struct syscall {
	struct syscall	*next;
	char		*func;
	const char	*name;
	bool		is_known;
	struct argument	args[MAX_ARGS];
	int		count;
};

/* Types of 32 bits, on all machines */
static const char *const signed_types[] = {
	"int", "pid_t", "clockid_t", "timer_t", "key_t", "key_serial_t", "mqd_t", "s32",
	"__s32", "rwf_t", NULL
};

static const char *const unsigned_types[] = {
	"unsigned", "unsigned int", "u32", "__u32", "uid_t", "gid_t", "mode_t", "qid_t", NULL
};

/* Modes of files are octal. */
static const char *const modes[] = { "umode_t", "mode_t", NULL };

/* Types of 16 bits */
static const char *const short_types[] = { "umode_t", "old_uid_t", "old_gid_t", NULL };

/* Signed types of a word, and one of 64 bits */
static const char *const signed_words[] = { "long", "off_t", "loff_t", NULL };

/* Types of 64 bits, on all machines */
static const char *const large_types[] = {
	"loff_t", "u64", "__u64", "long long", "unsigned long long", NULL
};

/* @word is the size of a word of the kernel. */
static void set_size(struct argument *arg, unsigned int word)
{
	arg->bytes = word;
	if (is_in_list(large_types, arg->type))
		arg->bytes = 8;
	if (is_in_list(signed_types, arg->type) || is_in_list(unsigned_types, arg->type))
		arg->bytes = 4;
	if (is_in_list(short_types, arg->type))
		arg->bytes = 2;
	arg->is_signed = is_in_list(signed_types, arg->type) ||
			 is_in_list(signed_words, arg->type);
}

/* mount of __x64_sys_mount, __ia32_compat_sys_mount, sys_mount and compat_sys_mount */
static const char *cut_prefix(const char *func)
{
	const char *at = func;

	if (!strncmp(func, "__", 2)) {
		at += 2;
		if (!isalnum(*at))
			return NULL;
		while (isalnum(*at))
			at++;
		if (*at++ != '_')
			return NULL;
	}
	if (!strncmp(at, "compat_", strlen("compat_")))
		at += strlen("compat_");
	return strncmp(at, "sys_", strlen("sys_")) ? NULL : at + strlen("sys_");
}

/* Parse the lines of arguments: "field:char * dev_name;	offset:16;	size:8; ..." */
static void parse_format(struct syscall *call, char *format)
{
	char *line = strstr(format, "__syscall_nr;"), *end, *name;
	struct argument *arg;
	unsigned int word;

	while (line && call->count < MAX_ARGS) {
		line = strstr(line, "\tfield:");
		if (!line)
			break;
		line += strlen("\tfield:");
		end = strchr(line, ';');
		if (!end || sscanf(end, "; offset:%*u; size:%u", &word) != 1 || !word || word > 8)
			break;
		*end = '\0';
		name = strrchr(line, ' ');
		if (name) {
			*name++ = '\0';
			arg = &call->args[call->count++];
			if (!strchr(line, '*') && !strncmp(line, "const ", 6))
				line += strlen("const ");
			arg->type = copy_text(line);
			arg->name = copy_text(name);
			set_size(arg, word);
		}
		line = end + 1;
	}
}

#define BUCKETS	1024

static struct syscall *syscalls[BUCKETS];

/* Add a function, which is a system call if the kernel has a format of its event. */
static struct syscall *add_function(const char *func, const char *format)
{
	struct syscall *call = allocate(sizeof(*call));
	struct syscall **bucket = &syscalls[hash_text(func) % BUCKETS];
	char *copy;

	call->func = copy_text(func);
	call->next = *bucket;
	*bucket = call;
	call->name = cut_prefix(call->func);
	if (!format || !call->name)
		return call;
	call->is_known = true;
	copy = copy_text(format);
	parse_format(call, copy);
	free(copy);
	return call;
}

static struct syscall *find_function(const char *func)
{
	struct syscall *call;

	for (call = syscalls[hash_text(func) % BUCKETS]; call; call = call->next)
		if (!strcmp(call->func, func))
			return call;
	return NULL;
}

static char *read_format(const char *func)
{
	const char *name = cut_prefix(func);
	char *file, *format;

	/* The events are those of 64-bit programs, whose arguments may be other ones. */
	if (!name || strstr(func, "compat_sys_"))
		return NULL;
	file = print_text("events/syscalls/sys_enter_%s/format", name);
	format = read_instance(file);
	free(file);
	return format;
}

static const struct syscall *find_syscall(const char *func)
{
	struct syscall *call = find_function(func);
	char *format;

	if (!call) {
		format = options.live ? read_format(func) : NULL;
		call = add_function(func, format);
		free(format);
	}
	return call;
}

char *copy_syscall_format(const char *func)
{
	char *format, *at, *end;

	if (find_function(func))
		return NULL;
	format = read_format(func);
	add_function(func, format);
	if (!format)
		return NULL;
	/* Put the fields, which parse_format() reads, into one line. */
	at = strstr(format, "\tfield:int __syscall_nr") ?: format;
	end = strstr(at, "\nprint fmt");
	if (end)
		*end = '\0';
	for (end = at; *end; end++)
		if (*end == '\n')
			*end = ' ';
	at = copy_text(at);
	free(format);
	return at;
}

void add_syscall(const char *text)
{
	size_t length = strcspn(text, " ");
	char *func = print_text("%.*s", (int)length, text);

	if (text[length] && !find_function(func))
		add_function(func, text + length);
	free(func);
}

/* The one argument of the function of a system call on most architectures */
static bool takes_registers(const struct call *call)
{
	return call->args && !strstr(call->args, ", ") &&
	       (!strncmp(call->args, "regs=0x", strlen("regs=0x")) ||
		!strncmp(call->args, "__unused=0x", strlen("__unused=0x")));
}

const char *syscall_name(const struct call *call)
{
	const struct syscall *syscall = find_syscall(call->func);

	/* Some have no events, such as those of 32-bit programs. */
	return call->depth == 0 && (syscall->is_known || takes_registers(call)) ?
	       syscall->name : NULL;
}

/*
 * Find the text that a function of the call found at an address of user space: it is in
 * an annotation, "filename=0x1d187c18 ("/tmp/conf")".
 */
static char *find_text(const struct call *root, unsigned long long address)
{
	char *value = print_text("=0x%llx (", address), *text = NULL;
	const struct call *call;
	const char *at, *end;

	for (call = root; call && !text; call = next_call(root, call)) {
		at = call->args ? strstr(call->args, value) : NULL;
		if (!at)
			continue;
		at += strlen(value);
		end = strstr(at, "), ") ?: at + strlen(at) - 1;
		text = print_text("%.*s", (int)(end - at), at);
	}
	free(value);
	return text;
}

/* The bits that belong to the type */
static unsigned long long cut_word(const struct argument *arg, unsigned long long word)
{
	return arg->bytes >= 8 ? word : word & ((1ULL << 8 * arg->bytes) - 1);
}

static bool is_descriptor(const struct argument *arg)
{
	size_t length = strlen(arg->name);

	return !strncmp(arg->name, "fd", 2) ||
	       (length > 1 && !strcmp(arg->name + length - 2, "fd"));
}

/* Larger numbers are easier to read as multiples of a power of two. */
#define MAX_DECIMAL	1000000

static bool is_count(const struct argument *arg, unsigned long long word)
{
	static const char *const names[] = {
		"count", "len", "length", "addrlen", "nfds", "maxevents", "nsops", NULL
	};

	return word < 10 || (word < MAX_DECIMAL && is_in_list(names, arg->name));
}

static void print_number(FILE *out, const struct argument *arg, unsigned long long word)
{
	unsigned int unused = arg->bytes < 8 ? 64 - 8 * arg->bytes : 0;

	if (is_in_list(modes, arg->type))
		fprintf(out, "%#llo", word);
	else if (is_descriptor(arg))
		fprintf(out, "%d", (int)word);
	else if (arg->is_signed)
		fprintf(out, "%lld", (long long)(word << unused) >> unused);
	else if (is_count(arg, word))
		fprintf(out, "%llu", word);
	else
		fprintf(out, "0x%llx", word);
}

static void print_argument(FILE *out, const struct call *call, const struct argument *arg,
			   unsigned long long word, bool paths)
{
	bool pointer = strchr(arg->type, '*');
	char *text = NULL;

	word = cut_word(arg, word);
	if (pointer && word)
		text = find_text(call, word);
	if (pointer && word && !text && paths)
		text = find_path(call, arg->name);
	fprintf(out, "%s=", arg->name);
	if (text)
		fputs(text, out);
	else if (pointer && !word)
		fputs("NULL", out);
	else if (pointer && !options.verbose)
		fputs("…", out);
	else if (pointer || !print_flags(out, syscall_name(call), arg->name, word))
		print_number(out, arg, word);
	free(text);
}

/* The words of the arguments in "regs=0xffff888000f57f58 (0x5ac272 0x8)" */
static int parse_registers(const struct call *call, unsigned long long *words)
{
	const char *at;
	int count = 0;
	char *end;

	if (!takes_registers(call))
		return 0;
	at = strchr(call->args, '=') + 3;
	at += strspn(at, "0123456789abcdef");
	if (strncmp(at, " (0x", 4))
		return 0;
	for (at += 2; count < MAX_ARGS; at = end + 1) {
		words[count++] = strtoull(at, &end, 16);
		if (*end != ' ')
			break;
	}
	return count;
}

/* The values of the arguments in "dfd=-100, filename=0x1d187c18", which have the names */
static int parse_values(const struct syscall *syscall, const char *args,
			unsigned long long *words)
{
	size_t length;
	int count;

	for (count = 0; args && count < syscall->count; count++) {
		length = strlen(syscall->args[count].name);
		if (strncmp(args, syscall->args[count].name, length) || args[length] != '=' ||
		    args[length + 1] == '<')
			break;
		words[count] = strtoull(args + length + 1, NULL, 0);
		args = strstr(args, ", ");
		if (args)
			args += strlen(", ");
	}
	return count;
}

static void print_syscall(FILE *out, const struct call *call, bool paths)
{
	const struct syscall *syscall = find_syscall(call->func);
	unsigned long long words[MAX_ARGS];
	int i, count;

	fprintf(out, "%s%s%s(", bold(), syscall->name, plain());
	count = parse_registers(call, words) ?: parse_values(syscall, call->args, words);
	for (i = 0; i < syscall->count; i++) {
		fputs(i ? ", " : "", out);
		if (i < count)
			print_argument(out, call, &syscall->args[i], words[i], paths);
		else
			fprintf(out, "%s=…", syscall->args[i].name);
	}
	fputs(syscall->is_known ? ")" : "…)", out);
	print_result(out, call);
}

char *describe_syscall(const struct call *call, bool paths)
{
	struct text text;

	print_syscall(open_text(&text), call, paths);
	return close_text(&text);
}
