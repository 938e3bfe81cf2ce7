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

/* Return true if -r names the function of a call. */
static bool has_named_function(const struct call *call)
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

/* The kernel starts programs itself, such as modprobe. Then it makes no system call. */
static bool is_kernel_program(const struct call *call)
{
	return !call->depth && !strcmp(call->func, "kernel_execve");
}

/*
 * These call what was queued, in tasks of the kernel. Chains begin at the functions that they
 * call.
 */
static const struct {
	const char	*func;
	const char	*title;
} dispatchers[] = {
	{ "process_one_work", "work" },
	{ "irq_thread_fn", "interrupt thread" },
	{ "irq_forced_thread_fn", "interrupt thread" },
};

const char *name_dispatcher(size_t i)
{
	return i < ARRAY_SIZE(dispatchers) ? dispatchers[i].func : NULL;
}

/* Return what @call calls, or NULL if it is no dispatcher. */
static const char *dispatcher_title(const struct call *call)
{
	size_t i;

	for (i = 0; call && !call->depth && i < ARRAY_SIZE(dispatchers); i++)
		if (!strcmp(call->func, dispatchers[i].func))
			return dispatchers[i].title;
	return NULL;
}

bool is_dispatcher(const struct call *call)
{
	return !options.roots && dispatcher_title(call);
}

bool is_dispatched(const struct call *call)
{
	return call->parent && is_dispatcher(call->parent);
}

bool is_root(const struct call *call)
{
	if (options.roots)
		return has_named_function(call);
	return syscall_name(call) || is_kernel_program(call);
}

bool is_inner_root(const struct call *call)
{
	const struct call *outer;

	if (!options.roots || !call->error || !has_named_function(call))
		return false;
	/* The error of an outer root explains it. */
	for (outer = call->parent; outer; outer = outer->parent)
		if (outer->error == call->error && has_named_function(outer))
			return false;
	return true;
}

const char *root_name(const struct call *root)
{
	return syscall_name(root) ?: root->func;
}

char *describe_root(const struct call *root, bool paths)
{
	struct text text;
	FILE *out;

	if (syscall_name(root))
		return describe_syscall(root, paths);
	out = open_text(&text);
	if (is_dispatched(root))
		fprintf(out, "%s ", dispatcher_title(root->parent));
	print_call(out, root);
	return close_text(&text);
}
