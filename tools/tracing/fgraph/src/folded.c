// SPDX-License-Identifier: GPL-2.0
/*
 * Folded stacks, for programs that draw flame graphs: a line for each stack of functions
 * below a task, and how many ns it took outside the functions that it called.
 *
 *	cat;__x64_sys_read;vfs_read 12105
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "report.h"
#include "util.h"

#define BUCKETS		65536

struct stack {
	struct stack		*next, *next_in_bucket;
	unsigned long long	ns;
	char			text[];
};

static struct stack *stacks, **end = &stacks;
static struct stack *buckets[BUCKETS];

static struct stack *find_stack(const char *text)
{
	struct stack **bucket = &buckets[hash_text(text) % BUCKETS], *stack;

	for (stack = *bucket; stack; stack = stack->next_in_bucket)
		if (!strcmp(stack->text, text))
			return stack;
	stack = allocate(sizeof(*stack) + strlen(text) + 1);
	strcpy(stack->text, text);
	stack->next_in_bucket = *bucket;
	*bucket = stack;
	*end = stack;
	end = &stack->next;
	return stack;
}

static void add_stack(const char *above, const struct call *call)
{
	char *text = print_text("%s;%s", above, call->func);
	const struct call *inner;

	find_stack(text)->ns += self_ns(call);
	for (inner = call->first; inner; inner = inner->next)
		add_stack(text, inner);
	free(text);
}

static void folded_add(struct task *task, const struct call *root)
{
	char *name = copy_text(task->name), *at;

	/* This separates functions. */
	for (at = strchr(name, ';'); at; at = strchr(at, ';'))
		*at = ':';
	add_stack(name, root);
	free(name);
}

static void folded_end(void)
{
	const struct stack *stack;

	for (stack = stacks; stack; stack = stack->next)
		if (stack->ns)
			fprintf(options.report, "%s %llu\n", stack->text, stack->ns);
}

const struct form folded_form = {
	.add	= folded_add,
	.end	= folded_end,
};
