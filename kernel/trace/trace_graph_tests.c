// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of all rules on values of an instance, in one hash, so that a call needs one
 * lookup. The hash is made of the functions of each rule when rules are put into force, and
 * when a module is loaded:
 *
 *	graph_expr "vfs_*: ret < 0"
 *	  funcs:  vfs_fsync()	-> graph_program "s0<0", of an int
 *		  vfs_read()	-> graph_program "s0<0", of a ssize_t
 *	graph_expr "vfs_read: time > 1ms"
 *	  funcs:  vfs_read()	-> graph_program "s0>1000000"
 *
 *	graph_tests
 *		  vfs_fsync()	-> "s0<0"
 *		  vfs_read()	-> "s0<0", "s0>1000000"
 */
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "trace_graph_match.h"
#include "trace_graph_tests.h"

static struct graph_tests *locked_tests(const struct graph_rules *rules)
{
	if (!rules)
		return NULL;
	return rcu_dereference_protected(rules->tests, lockdep_is_held(&trace_types_lock));
}

/* Walk */

/*
 * A walk over the functions of @nr expressions, by their addresses. @pos are the places of
 * the walk in the functions of each expression.
 */
struct funcs_walk {
	struct graph_expr	*const *exprs;
	unsigned int		nr;
	unsigned int		pos[2 * GRAPH_MAX_EXPRS];
	unsigned long		func;
};

/* Return the function of the walk, as one of expression @i, or NULL. */
static const struct expr_func *find_in_walk(const struct funcs_walk *w, unsigned int i)
{
	const struct expr_func *f = &w->exprs[i]->funcs[w->pos[i]];

	return w->pos[i] < w->exprs[i]->nr && f->func == w->func ? f : NULL;
}

/* Go to the next function. Return false if there is none. */
static bool walk_to_next_func(struct funcs_walk *w)
{
	unsigned long next = ULONG_MAX;
	unsigned int i;

	for (i = 0; i < w->nr; i++) {
		w->pos[i] += !!find_in_walk(w, i);
		if (w->pos[i] < w->exprs[i]->nr)
			next = min(next, w->exprs[i]->funcs[w->pos[i]].func);
	}
	w->func = next;
	return next != ULONG_MAX;
}

/* Hash */

/* A third of the places of the hash stays free, so that a search is short. */
static unsigned int count_bits(struct graph_expr *const *exprs, unsigned int nr)
{
	struct funcs_walk w = { .exprs = exprs, .nr = nr };
	unsigned int funcs;

	for (funcs = 0; walk_to_next_func(&w); funcs++)
		;
	return order_base_2(funcs + funcs / 2 + 2);
}

static size_t programs_offset(unsigned int bits)
{
	const struct graph_tests *tests;

	return struct_size(tests, funcs, BIT(bits));
}

/**
 * graph_count_tests_bytes - find the memory that the hash of expressions needs
 * @exprs:	the expressions
 * @nr:		their number, at most 2 * GRAPH_MAX_EXPRS
 *
 * Context: with trace_types_lock held.
 * Return: the number of bytes.
 */
size_t graph_count_tests_bytes(struct graph_expr *const *exprs, unsigned int nr)
{
	size_t programs = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		programs += exprs[i]->nr;
	return programs_offset(count_bits(exprs, nr)) +
		programs * sizeof(struct graph_program *);
}

/* Add the function of a walk. Its first program gets the index @first. Return the next one. */
static unsigned int add_tested(struct graph_tests *tests, const struct funcs_walk *w,
			       unsigned int first)
{
	struct graph_tested *tested = graph_find_place(tests, w->func);
	const struct expr_func *f;
	unsigned int i;

	tested->func = w->func;
	tested->first = first;
	for (i = 0; i < w->nr; i++) {
		f = find_in_walk(w, i);
		if (!f)
			continue;
		tests->programs[first + tested->nr++] = f->program;
		tested->names = graph_merge_plans(tested->names, f->names);
		graph_add_members(&tested->members, &f->members);
		graph_add_members(&tested->results, &f->results);
		tested->regs = f->regs;
		tested->stack = f->stack;
	}
	set_bit(graph_tested_bit(w->func), graph_tested_funcs);
	return first + tested->nr;
}

static struct graph_tests *alloc_tests(struct graph_expr *const *exprs, unsigned int nr)
{
	size_t bytes = graph_count_tests_bytes(exprs, nr);
	struct graph_tests *tests = kvzalloc(bytes, GFP_KERNEL);

	if (!tests)
		return NULL;
	tests->bytes = bytes;
	tests->bits = count_bits(exprs, nr);
	tests->programs = (void *)tests + programs_offset(tests->bits);
	return tests;
}

static void set_tested_bits(unsigned long *bits, const struct graph_tests *tests)
{
	unsigned int i;

	for (i = 0; tests && i < BIT(tests->bits); i++)
		if (tests->funcs[i].nr)
			__set_bit(graph_tested_bit(tests->funcs[i].func), bits);
}

/* Clear the bits that no rules need. If there is no memory, the bits stay and cost time. */
static void clear_tested_funcs(void)
{
	unsigned long *bits = bitmap_zalloc(GRAPH_TESTED_BITS, GFP_KERNEL);
	const struct trace_array *tr;

	if (!bits)
		return;
	list_for_each_entry(tr, &ftrace_trace_arrays, list) {
		set_tested_bits(bits, locked_tests(graph_locked_rules(tr)));
		set_tested_bits(bits, locked_tests(graph_locked_shows(tr)));
	}
	bitmap_copy(graph_tested_funcs, bits, GRAPH_TESTED_BITS);
	bitmap_free(bits);
}

/**
 * graph_make_tests - make the hash of the functions that rules on values name
 * @rules:	the rules, which are about to be put into force, or whose functions changed
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: 0 on success, or -ENOMEM.
 */
int graph_make_tests(struct graph_rules *rules)
{
	struct funcs_walk w = { .exprs = rules->exprs };
	struct graph_tests *tests, *old;
	unsigned int next = 0;

	while (rules->exprs[w.nr])
		w.nr++;
	if (!w.nr)
		return 0;
	tests = alloc_tests(w.exprs, w.nr);
	if (!tests)
		return -ENOMEM;
	while (walk_to_next_func(&w))
		next = add_tested(tests, &w, next);
	old = rcu_replace_pointer(rules->tests, tests, lockdep_is_held(&trace_types_lock));
	if (old) {
		fgraph_synchronize();
		kvfree(old);
	}
	return 0;
}

/**
 * graph_free_tests - free the hash of the functions that rules on values name
 * @rules:	the rules, which are not in force. No call uses them.
 *
 * Context: may sleep; with trace_types_lock held.
 */
void graph_free_tests(struct graph_rules *rules)
{
	struct graph_tests *tests;

	tests = rcu_dereference_protected(rules->tests, lockdep_is_held(&trace_types_lock));
	if (!tests)
		return;
	kvfree(tests);
	clear_tested_funcs();
}

/* All instances */

static size_t tests_bytes(const struct graph_rules *rules)
{
	const struct graph_tests *tests = locked_tests(rules);

	return tests ? tests->bytes : 0;
}

/**
 * graph_sum_tests_bytes - find the memory of the hashes in force
 * @except:	the rules whose hash does not count
 *
 * Context: with trace_types_lock held.
 * Return: the number of bytes.
 */
size_t graph_sum_tests_bytes(const struct graph_rules *except)
{
	const struct trace_array *tr;
	size_t bytes = 0;

	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		bytes += tests_bytes(graph_locked_rules(tr)) +
			tests_bytes(graph_locked_shows(tr));
	return bytes - tests_bytes(except);
}

#ifdef CONFIG_MODULES
static void forget_funcs(struct graph_tests *tests, const struct module *mod)
{
	unsigned int i;

	for (i = 0; tests && i < BIT(tests->bits); i++)
		if (within_module(tests->funcs[i].func, mod))
			WRITE_ONCE(tests->funcs[i].nr, 0);
}

/**
 * graph_forget_tests - forget the functions of a module that was unloaded
 * @mod:	the module that is being loaded at its addresses
 *
 * Context: with trace_types_lock held.
 */
void graph_forget_tests(const struct module *mod)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &ftrace_trace_arrays, list) {
		forget_funcs(locked_tests(graph_locked_rules(tr)), mod);
		forget_funcs(locked_tests(graph_locked_shows(tr)), mod);
	}
}

/**
 * graph_make_all_tests - make all hashes again, after the functions of expressions changed
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: 0 on success, or -ENOMEM.
 */
int graph_make_all_tests(void)
{
	struct graph_rules *rules;
	struct trace_array *tr;
	int ret = 0;

	list_for_each_entry(tr, &ftrace_trace_arrays, list) {
		rules = graph_locked_rules(tr);
		if (rules)
			ret = graph_make_tests(rules) ?: ret;
		rules = graph_locked_shows(tr);
		if (rules)
			ret = graph_make_tests(rules) ?: ret;
	}
	return ret;
}
#endif
