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
#include "syscall.h"
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

/* What a word of --only is about */
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
	return !strcmp(find_error(item), call->error_name) || abs(atoi(item)) == -call->error;
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
	if (!fnmatch(options.glob, syscall_name(root), 0))
		return true;
	for (call = root; call; call = next_call(root, call))
		if (call->error == root->error && is_function(call->func, options.glob))
			return true;
	return false;
}

/* Return true if a text in quotes matches. */
static bool matches_text(const char *glob, const char *args)
{
	bool matches = false;
	const char *end;
	char *text;

	while (!matches && args && (args = strchr(args, '"'))) {
		for (end = ++args; *end && *end != '"'; end++)
			end += *end == '\\' && end[1];
		text = print_text("%.*s", (int)(end - args), args);
		matches = !fnmatch(glob, text, 0);
		free(text);
		args = *end ? end + 1 : NULL;
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
					!fnmatch(item, syscall_name(root), 0))
			found[kind] = true;
	}
	free(copy);
	for (kind = 0; kind <= KIND_SYSCALL; kind++)
		if (named[kind] && !found[kind])
			return false;
	return true;
}
