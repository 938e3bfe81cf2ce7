// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "path.h"
#include "util.h"

/**
 * struct path_taker - a function that gets paths from the system call that calls it
 * @func:	the function
 * @args:	the names of the arguments that are paths, in the order of the system call
 */
struct path_taker {
	const char	*func;
	const char	*args[2];
};

static const struct path_taker path_takers[] = {
	{ "do_filp_open", { "pathname" } }, { "do_mkdirat", { "name" } },
	{ "do_mknodat", { "name" } }, { "do_unlinkat", { "name" } },
	{ "do_rmdir", { "name" } }, { "do_renameat2", { "from", "to" } },
	{ "do_linkat", { "old", "new" } }, { "do_symlinkat", { "from", "to" } },
	{ "do_execveat_common", { "filename" } }, { "filename_lookup", { "name" } },
};

/* The paths of a system call, in the order of @args above */
static const char *const path_names[][2] = {
	{ "pathname" }, { "filename" }, { "path" }, { "oldname", "newname" },
};

/* Find an argument whose text begins with @begin, after the first one. */
static const char *find_arg(const char *args, const char *begin)
{
	for (args = strstr(args, ", "); args; args = strstr(args, ", ")) {
		args += strlen(", ");
		if (!strncmp(args, begin, strlen(begin)))
			return args;
	}
	return NULL;
}

/* A clone of a function has a suffix: do_renameat2.constprop.0 */
static bool is_function(const struct call *call, const char *func)
{
	size_t length = strlen(func);

	return !strncmp(call->func, func, length) && (!call->func[length] ||
						      call->func[length] == '.');
}

/* The text in an argument of a call: "name=0xffff888003a4c000 ("/tmp")" */
static char *find_text_of_arg(const struct call *call, const char *name)
{
	char *begin = print_text("%s=0x", name), *text = NULL;
	const char *at = call->args, *end;

	if (at && strncmp(at, begin, strlen(begin)))
		at = find_arg(at, begin);
	if (at) {
		at += strlen(begin);
		at += strspn(at, "0123456789abcdef");
	}
	if (at && !strncmp(at, " (\"", 3)) {
		at += 2;
		end = strstr(at, "), ") ?: at + strlen(at) - 1;
		text = print_text("%.*s", (int)(end - at), at);
	}
	free(begin);
	return text;
}

/* The text of the path number @nr that the system call passed on, or NULL */
static char *find_passed_path(const struct call *root, unsigned int nr)
{
	const struct call *call;
	size_t i;

	for (call = root; call; call = next_call(root, call))
		for (i = 0; i < ARRAY_SIZE(path_takers); i++)
			if (path_takers[i].args[nr] && is_function(call, path_takers[i].func))
				return find_text_of_arg(call, path_takers[i].args[nr]);
	return NULL;
}

char *find_path(const struct call *root, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(path_names); i++) {
		if (!strcmp(name, path_names[i][0]))
			return find_passed_path(root, 0);
		if (path_names[i][1] && !strcmp(name, path_names[i][1]))
			return find_passed_path(root, 1);
	}
	return NULL;
}
