// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "options.h"
#include "root.h"
#include "stream.h"
#include "syscall.h"
#include "text.h"
#include "tracefs.h"
#include "util.h"

char *next_glob(const char **list)
{
	size_t length;
	char *glob;

	*list += strspn(*list, ",");
	length = strcspn(*list, ",");
	if (!length)
		return NULL;
	glob = print_text("%.*s", (int)length, *list);
	*list += length;
	return glob;
}

static bool matches_roots(const struct call *call)
{
	const char *list = options.roots;
	bool matches = false;
	char *glob;

	while (!matches && (glob = next_glob(&list))) {
		matches = function_matches(call->func, glob);
		free(glob);
	}
	return matches;
}

bool is_root(const struct call *call)
{
	if (options.roots)
		return !call->depth && matches_roots(call);
	return syscall_name(call);
}

const char *root_name(const struct call *root)
{
	return syscall_name(root) ?: root->func;
}

char *describe_root(const struct call *root, bool paths)
{
	struct text text;

	if (syscall_name(root))
		return describe_syscall(root, paths);
	print_call(open_text(&text), root);
	return close_text(&text);
}
