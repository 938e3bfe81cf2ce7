// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "fgraph.h"
#include "instance.h"
#include "syscall.h"
#include "text.h"

#define MAX_ARGS	6

/**
 * struct syscall - a system call
 * @func:	its function
 * @name:	its name, NULL if the function is no system call
 * @types:	types of its arguments, in C
 * @names:	names of its arguments
 * @count:	how many there are
 */
struct syscall {
	struct syscall	*next;
	char		*func;
	const char	*name;
	char		*types[MAX_ARGS];
	char		*names[MAX_ARGS];
	int		count;
};

/* The name behind the last "sys_", which is behind a prefix of the architecture */
static const char *cut_prefix(const char *func)
{
	const char *name = NULL, *at;

	if (strncmp(func, "__", 2) && strncmp(func, "sys_", 4) &&
	    strncmp(func, "compat_sys_", 11))
		return NULL;
	for (at = strstr(func, "sys_"); at; at = strstr(at + 1, "sys_")) {
		if (at != func && at[-1] != '_')
			continue;
		name = at + strlen("sys_");
		break;
	}
	return name;
}

/* Read the lines of arguments: "field:char * dev_name;	offset:16;	size:8; ..." */
static void parse_format(struct syscall *call, char *format)
{
	char *line = strstr(format, "__syscall_nr;"), *end, *name;

	while (line && call->count < MAX_ARGS) {
		line = strstr(line, "\tfield:");
		if (!line)
			break;
		line += strlen("\tfield:");
		end = strchr(line, ';');
		if (!end)
			break;
		*end = '\0';
		name = strrchr(line, ' ');
		if (name) {
			*name++ = '\0';
			call->types[call->count] = copy_text(line);
			call->names[call->count++] = copy_text(name);
		}
		line = end + 1;
	}
}

static const struct syscall *find_syscall(const char *func)
{
	static struct syscall *syscalls;
	struct syscall *call;
	char *file, *format;

	for (call = syscalls; call; call = call->next)
		if (!strcmp(call->func, func))
			return call;
	call = allocate(sizeof(*call));
	call->func = copy_text(func);
	call->next = syscalls;
	syscalls = call;
	call->name = cut_prefix(call->func);
	if (!call->name || !instance_has("events/syscalls"))
		return call;
	file = print_text("events/syscalls/sys_enter_%s/format", call->name);
	format = read_instance(file);
	if (format)
		parse_format(call, format);
	else
		call->name = NULL;
	free(format);
	free(file);
	return call;
}

const char *syscall_name(const char *func)
{
	return find_syscall(func)->name;
}

/*
 * Find the text that a function of the call found at an address of user space: it is in
 * an annotation, "filename=0x1d187c18 ("/tmp/conf")".
 */
static char *find_text(const struct call *root, unsigned long long address)
{
	char *value = print_text("=0x%llx (\"", address), *text = NULL;
	const struct call *call;
	const char *at, *end;

	for (call = root; call && !text; call = next_call(root, call)) {
		at = call->args ? strstr(call->args, value) : NULL;
		if (!at)
			continue;
		at += strlen(value) - 1;
		end = strstr(at, "), ") ?: at + strlen(at) - 1;
		text = print_text("%.*s", (int)(end - at), at);
	}
	free(value);
	return text;
}

/* Print an argument by its type in C. Return false if it is left out. */
static bool print_word(FILE *out, const struct call *call, const char *type,
		       const char *name, const char *separator, unsigned long long word)
{
	bool pointer = strchr(type, '*');
	char *text = NULL;

	if (pointer && word)
		text = find_text(call, word);
	if (pointer && word && !text && !options.verbose)
		return false;
	fprintf(out, "%s%s=", separator, name);
	if (text)
		fputs(text, out);
	else if (pointer && !word)
		fputs("NULL", out);
	else if (!strcmp(type, "int"))
		fprintf(out, "%d", (int)word);
	else if (word < 10)
		fprintf(out, "%llu", word);
	else
		fprintf(out, "0x%llx", word);
	free(text);
	return true;
}

/* The words of the arguments in "regs=0xffff888000f57f58 (0x5ac272 0x8)" */
static int parse_words(const char *args, unsigned long long *words)
{
	const char *at = args ? strstr(args, " (0x") : NULL;
	int count = 0;
	char *end;

	for (; at && count < MAX_ARGS && at[1] != ')'; at = end) {
		at += at[1] == '(' ? 2 : 1;
		words[count++] = strtoull(at, &end, 16);
		if (*end != ' ')
			break;
	}
	return count;
}

/* The values of the arguments in "dfd=-100, filename=0x1d187c18" */
static int parse_values(const char *args, unsigned long long *words)
{
	int count = 0;

	for (; args && count < MAX_ARGS; count++) {
		args = strchr(args, '=');
		if (!args || args[1] == '<')
			break;
		words[count] = strtoull(args + 1, NULL, 0);
		args = strstr(args, ", ");
	}
	return count;
}

void print_syscall(FILE *out, const struct call *call)
{
	const struct syscall *syscall = find_syscall(call->func);
	unsigned long long words[MAX_ARGS];
	const char *separator = "";
	int i, count;

	if (!syscall->count) {
		fprintf(out, "%s%s%s%s", bold(), syscall->name, plain(),
			strstr(call->args ?: "", "=0x") ? "" : "()");
		print_result(out, call);
		return;
	}
	count = parse_words(call->args, words) ?: parse_values(call->args, words);
	fprintf(out, "%s%s%s(", bold(), syscall->name, plain());
	for (i = 0; i < syscall->count; i++) {
		if (i >= count ||
		    !print_word(out, call, syscall->types[i], syscall->names[i],
				separator, words[i]))
			fprintf(out, "%s%s=…", separator, syscall->names[i]);
		separator = ", ";
	}
	fputc(')', out);
	print_result(out, call);
}

char *describe_syscall(const struct call *call)
{
	struct text text;

	print_syscall(open_text(&text), call);
	return close_text(&text);
}
