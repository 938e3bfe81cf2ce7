// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "options.h"
#include "select.h"
#include "root.h"
#include "tracefs.h"
#include "util.h"

/* The kernel knows the names of errors: it refuses others. */
static void check_errors(const char *option, const char *errors)
{
	char *rule = print_text("error:%s\n", errors), *what = print_text("%s %s", option, errors);

	set_rules(rule, what);
	free(rule);
	free(what);
}

static bool glob_matches_syscall(const char *glob)
{
	static const char prefix[] = "sys_enter_";
	int fd = openat(tracefs_dir(), "events/syscalls", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool matches = !dir;

	while (!matches && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			matches = !fnmatch(glob, entry->d_name + strlen(prefix), 0);
	if (dir)
		closedir(dir);
	return matches;
}

/* The kinds of words in --only */
enum kind { KIND_ERROR, KIND_PATH, KIND_SYSCALL };

static enum kind kind_of(const char *item)
{
	if (strchr(item, '/'))
		return KIND_PATH;
	if ((item[0] == 'E' && isupper((unsigned char)item[1])) ||
	    isdigit((unsigned char)item[*item == '-']))
		return KIND_ERROR;
	return KIND_SYSCALL;
}

static void check_only(void)
{
	char *copy = copy_text(options.only), *item, *rest;

	for (item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		if (kind_of(item) == KIND_ERROR)
			check_errors("--only", find_error(item + (*item == '-')));
		else if (kind_of(item) == KIND_SYSCALL && !glob_matches_syscall(item))
			die("--only %s: no system call has this name", item);
	}
	free(copy);
}

void check_selection(void)
{
	if (options.glob && !function_exists(options.glob) && !glob_matches_syscall(options.glob))
		die("-f %s: no function and no system call has this name", options.glob);
	if (options.errors)
		check_errors("-e", options.errors);
	if (options.only)
		check_only();
}

static bool is_error(const char *item, const struct call *call)
{
	char *end;
	long number = strtol(item, &end, 10);

	return !strcmp(find_error(item), call->error_name) ||
	       (!*end && (number == call->error || number == -call->error));
}

bool is_wanted(const struct call *call)
{
	char *copy, *item, *rest;
	bool found = false;

	if (!options.errors)
		return false;
	copy = copy_text(options.errors);
	for (item = strtok_r(copy, ",", &rest); item && !found;
	     item = strtok_r(NULL, ",", &rest))
		found = is_error(item, call);
	free(copy);
	return found;
}

bool matches_glob(const struct call *root)
{
	const struct call *call;

	if (!options.glob)
		return false;
	if (!fnmatch(options.glob, root_name(root), 0))
		return true;
	for (call = root; call; call = next_call(root, call))
		if (call->error == root->error && function_matches(call->func, options.glob))
			return true;
	return false;
}

/* This follows the quote of a text whose end is not in the trace. */
#define CONTINUES	"…"

/* Take a character of a text, or what its escape stands for: \x2c is a comma, \" a quote. */
static char take_character(const char **at)
{
	char digits[3] = "";

	if (**at != '\\' || !(*at)[1])
		return *(*at)++;
	(*at)++;
	if (**at != 'x' || !isxdigit((unsigned char)(*at)[1]) ||
	    !isxdigit((unsigned char)(*at)[2]))
		return *(*at)++;
	memcpy(digits, *at + 1, 2);
	*at += strlen("x2c");
	return strtoul(digits, NULL, 16);
}

/* Copy a text without its escapes. @at is after its first quote, and becomes its end. */
static char *copy_unescaped(const char **at)
{
	char *copy = copy_text(*at), *to = copy;

	while (**at && **at != '"')
		*to++ = take_character(at);
	*to = '\0';
	return copy;
}

/* Return true if a glob matches a text, or may match one that begins like this. */
static bool may_match(const char *glob, const char *text, bool continues)
{
	size_t length = strlen(glob);
	char *begin;
	bool matches = !fnmatch(glob, text, 0);

	for (; continues && !matches && length; length--) {
		begin = print_text("%.*s", (int)length - 1, glob);
		matches = !fnmatch(begin, text, 0);
		free(begin);
	}
	return matches;
}

/* Return true if a text in quotes matches. */
static bool matches_text(const char *glob, const char *args)
{
	bool matches = false;
	char *text;

	while (!matches && args && (args = strchr(args, '"'))) {
		args++;
		text = copy_unescaped(&args);
		args += *args == '"';
		matches = may_match(glob, text, !strncmp(args, CONTINUES, strlen(CONTINUES)));
		free(text);
	}
	return matches;
}

static bool matches_path(const char *glob, const struct call *root, const char *brief)
{
	const struct call *call;

	if (matches_text(glob, brief))
		return true;
	for (call = root; call; call = next_call(root, call))
		if (matches_text(glob, call->args))
			return true;
	return false;
}

bool is_selected(const struct call *root, const struct call *failed, const char *brief)
{
	bool named[KIND_SYSCALL + 1] = { }, found[KIND_SYSCALL + 1] = { };
	char *copy, *item, *rest;
	enum kind kind;

	if (!options.only)
		return true;
	copy = copy_text(options.only);
	for (item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		kind = kind_of(item);
		named[kind] = true;
		if (kind == KIND_ERROR ? is_error(item, failed) :
		    kind == KIND_PATH ? matches_path(item, root, brief) :
					!fnmatch(item, root_name(root), 0))
			found[kind] = true;
	}
	free(copy);
	for (kind = 0; kind <= KIND_SYSCALL; kind++)
		if (named[kind] && !found[kind])
			return false;
	return true;
}
