// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "forest.h"
#include "stream.h"
#include "syscall.h"
#include "text.h"
#include "util.h"

/* The forest that is read, the room for its calls, and the thread whose calls are added */
static struct forest *reading;
static size_t max_nodes;
static pid_t reading_pid;

/* Functions with such names return the ID of a thread, or an address as a number. */
static bool returns_chance(const char *func)
{
	return strstr(func, "pid") || strstr(func, "tid") || strstr(func, "sys_brk");
}

static void number_result(struct node *node, const struct call *call)
{
	char *text = call->results ? print_text("%s, %s", call->ret, call->results) : NULL;

	node->ret = number_of(text ?: call->ret);
	node->value = number_key(returns_chance(call->func) && !call->error && call->ret ?
				 "#" : text ?: call->ret, reading_pid);
	free(text);
}

static void add_node(const struct call *call)
{
	struct node *node;

	if (reading->count == max_nodes) {
		max_nodes = max_nodes ? max_nodes * 2 : 4096;
		reading->nodes = reallocate(reading->nodes, max_nodes * sizeof(*node));
	}
	node = &reading->nodes[reading->count++];
	*node = (struct node){
		.func		= number_of(call->func),
		.error		= call->error,
		.is_negated	= call->is_negated,
		.got_error	= call->got_error,
		.missed		= call->missed,
	};
	node->name = number_function(call->func);
	node->args = number_of(call->args);
	node->key = number_key(call->args, reading_pid);
	number_result(node, call);
}

/*
 * The words of a system call have no types, and its texts are in the calls in it. So its
 * description is its arguments.
 */
static void describe_arguments(struct node *node, const struct call *root)
{
	struct text printed;
	char *text, *result;

	if (!syscall_name(root))
		return;
	text = describe_syscall(root, true);
	print_result(open_text(&printed), root);
	result = close_text(&printed);
	text[strlen(text) - strlen(result)] = '\0';
	node->is_described = true;
	node->args = number_of(text);
	node->key = number_key(text, reading_pid);
	free(result);
	free(text);
}

/* Set the sizes and hashes of the calls from @root on, of which the last ones come first. */
static void finish_nodes(size_t root)
{
	struct node *node, *inner, *end = reading->nodes + reading->count;

	for (node = end - 1; node >= reading->nodes + root; node--) {
		node->hash = add_to_hash(HASH_BEGIN, node->name);
		node->hash = add_to_hash(node->hash, node->key);
		node->hash = add_to_hash(node->hash, node->value);
		for (inner = node + 1; inner < node + node->size; inner += inner->size)
			node->hash = add_to_hash(node->hash, inner->hash);
	}
}

/* The calls that are open, of which each is in the one before it */
static struct {
	size_t	*nodes;
	size_t	count, max;
} path;

/* A call that no later one is in is complete. */
static void close_nodes(size_t depth)
{
	struct node *node;

	while (path.count > depth) {
		path.count--;
		node = reading->nodes + path.nodes[path.count];
		node->size = reading->nodes + reading->count - node;
	}
}

static void open_node(size_t nr)
{
	if (path.count == path.max) {
		path.max = path.max ? path.max * 2 : 64;
		path.nodes = reallocate(path.nodes, path.max * sizeof(*path.nodes));
	}
	path.nodes[path.count++] = nr;
}

static unsigned int add_nodes(const struct call *root)
{
	size_t first = reading->count;
	const struct call *call;

	for (call = root; call; call = next_call(root, call)) {
		close_nodes(call->depth - root->depth);
		open_node(reading->count);
		add_node(call);
	}
	close_nodes(0);
	describe_arguments(&reading->nodes[first], root);
	finish_nodes(first);
	return first;
}

static struct strand *find_strand(const struct task *task)
{
	struct strand *strand;
	size_t i;

	for (i = reading->nr_strands; i-- > 0; )
		if (reading->strands[i].pid == task->pid)
			return &reading->strands[i];
	reading->strands = reallocate(reading->strands,
				      (reading->nr_strands + 1) * sizeof(*strand));
	strand = &reading->strands[reading->nr_strands++];
	*strand = (struct strand){ .pid = task->pid };
	return strand;
}

/* Calls of interrupts are left out: they are chance. */
static void add_root(struct task *task, const struct call *root)
{
	struct strand *strand;

	if (root->depth)
		return;
	reading_pid = task->pid;
	strand = find_strand(task);
	strcpy(strand->name, task->name);
	/* The room is a power of two. */
	if (!(strand->count & (strand->count - 1))) {
		strand->roots = reallocate(strand->roots, 2 * (strand->count ?: 1) *
					   sizeof(*strand->roots));
	}
	strand->roots[strand->count++] = add_nodes(root);
}

/* A function with such a name returns the ID of another thread. */
static bool returns_thread(const char *func)
{
	return strstr(func, "fork") || strstr(func, "clone") || strstr(func, "wait");
}

/* The ID of a new thread is chance, as the result of the calls that made it and wait for it. */
static void even_out_threads(struct forest *forest)
{
	unsigned int any = number_of("#");
	struct node *node = forest->nodes;
	size_t i, j;
	long pid;

	for (i = 0; i < forest->count; i++, node++) {
		if (!node->ret || !returns_thread(text_of(node->func)))
			continue;
		pid = strtol(text_of(node->ret), NULL, 10);
		for (j = 0; j < forest->nr_strands; j++)
			if (forest->strands[j].pid == pid)
				node->value = any;
	}
}

static void list_names(struct forest *forest)
{
	size_t i;

	forest->nr_names = count_texts();
	forest->has_name = allocate(forest->nr_names);
	for (i = 0; i < forest->count; i++)
		forest->has_name[forest->nodes[i].name] = true;
}

struct forest *read_forest(const char *name)
{
	struct forest *forest = allocate(sizeof(*forest));

	reading = forest;
	max_nodes = 0;
	read_calls(&forest->recording, name, add_root);
	if (forest->recording.partial)
		die("%s: record -k left calls out, and diff needs all", name);
	even_out_threads(forest);
	list_names(forest);
	free_all_tasks();
	return forest;
}

void free_forest(struct forest *forest)
{
	size_t i;

	for (i = 0; i < forest->nr_strands; i++)
		free(forest->strands[i].roots);
	free(forest->strands);
	free(forest->has_name);
	free(forest->nodes);
	free(forest);
}

struct call *copy_node(const struct node *node)
{
	struct call *call = allocate(sizeof(*call));
	static unsigned long order;
	const char *name;

	call->func = copy_text(text_of(node->func));
	call->args = node->args ? copy_text(text_of(node->args)) : NULL;
	call->ret = node->ret ? copy_text(text_of(node->ret)) : NULL;
	call->error = node->error;
	call->is_negated = node->is_negated;
	call->got_error = node->got_error;
	call->missed = node->missed;
	call->order = ++order;
	name = call->error && call->ret ? strchr(call->ret, '(') : NULL;
	if (name)
		sscanf(name, "(%23[A-Z0-9_]", call->error_name);
	return call;
}

static void put_into(struct call *parent, struct call *call)
{
	call->parent = parent;
	call->outer = parent;
	call->depth = parent->depth + 1;
	call->previous = parent->last;
	if (parent->last)
		parent->last->next = call;
	else
		parent->first = call;
	parent->last = call;
}

struct call *copy_call(const struct forest *forest, unsigned int nr)
{
	const struct node *first = forest->nodes + nr, *node;
	struct call *root = copy_node(first), *parent = root, *call;
	size_t *ends = allocate((first->size + 1) * sizeof(*ends)), depth = 0;

	ends[0] = nr + first->size;
	for (node = first + 1; node < first + first->size; node++) {
		while ((size_t)(node - forest->nodes) >= ends[depth]) {
			depth--;
			parent = parent->parent;
		}
		call = copy_node(node);
		put_into(parent, call);
		if (node->size > 1) {
			parent = call;
			ends[++depth] = node - forest->nodes + node->size;
		}
	}
	free(ends);
	return root;
}
