// SPDX-License-Identifier: GPL-2.0
/*
 * The rules "GLOB: EXPRESSION" of set_graph_keep: which functions they name.
 *
 *	graph_expr "vfs_*: ret < 0"
 *	  matches:  vfs_read()	-> graph_program "s0<0", of a ssize_t
 *		    vfs_fsync()	-> graph_program "s0<0", of an int
 *
 * An expression is compiled for each function when the rule is written, and for the
 * functions of a module when the module is loaded. Rules share the expressions that they
 * have in common, because a file that is open for writing contains a copy of the rules.
 *
 * Programs contain no pointers to signatures. So they stay valid when the signatures of
 * the kernel are unloaded. The functions of a module that was unloaded remain in the hash
 * until another module is loaded at their addresses.
 */
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_graph_keep.h"
#include "trace_graph_match.h"

/* All expressions, of all instances. Protected by trace_types_lock, like their matches. */
static LIST_HEAD(graph_exprs);

/* The memory of all matches. Protected by trace_types_lock. */
static size_t graph_matches_bytes;

/* Room for some hundred thousand functions. Useful rules do not name more. */
#define GRAPH_MATCHES_MAX_BYTES	SZ_16M

/* See graph_may_be_tested(). */
unsigned long graph_tested_funcs[BITS_TO_LONGS(GRAPH_TESTED_BITS)] __read_mostly;

static struct graph_matches *locked_matches(const struct graph_expr *expr)
{
	return rcu_dereference_protected(expr->matches,
					 lockdep_is_held(&trace_types_lock));
}

/* Functions */

static size_t matches_bytes(const struct graph_matches *matches)
{
	return struct_size(matches, slots, BIT(matches->bits));
}

/*
 * Allocate a hash for @nr functions. A third of the slots stays empty, so that a search is
 * short.
 */
static struct graph_matches *alloc_matches(unsigned int nr)
{
	unsigned int bits = order_base_2(nr + nr / 2 + 2);
	struct graph_matches *matches;

	matches = kvzalloc(struct_size(matches, slots, BIT(bits)), GFP_KERNEL);
	if (!matches)
		return NULL;
	matches->bits = bits;
	graph_matches_bytes += matches_bytes(matches);
	return matches;
}

static void free_matches(struct graph_matches *matches)
{
	if (matches)
		graph_matches_bytes -= matches_bytes(matches);
	kvfree(matches);
}

/*
 * Add a function, with room for it. A reader may look for others at the same time. It cannot
 * look for this function, which belongs to a module that is being loaded.
 */
static void add_match(struct graph_matches *matches, const struct graph_match *match)
{
	struct graph_match *slot = graph_find_match_slot(matches, match->func);

	matches->used += !slot->func;
	matches->nr += !slot->program;
	slot->plan = match->plan;
	slot->regs = match->regs;
	slot->stack = match->stack;
	WRITE_ONCE(slot->program, match->program);
	WRITE_ONCE(slot->func, match->func);
	set_bit(graph_tested_bit(match->func), graph_tested_funcs);
}

/* Clear the bits that no expression needs. If there is no memory, the bits stay and cost time. */
static void clear_tested_funcs(void)
{
	unsigned long *bits = bitmap_zalloc(GRAPH_TESTED_BITS, GFP_KERNEL);
	const struct graph_matches *matches;
	struct graph_expr *expr;
	unsigned int i;

	if (!bits)
		return;
	list_for_each_entry(expr, &graph_exprs, list) {
		matches = locked_matches(expr);
		for (i = 0; i < BIT(matches->bits); i++)
			if (matches->slots[i].program)
				__set_bit(graph_tested_bit(matches->slots[i].func), bits);
	}
	bitmap_copy(graph_tested_funcs, bits, GRAPH_TESTED_BITS);
	bitmap_free(bits);
}

/* Return the program of the compiled expression. Functions of the same type share one. */
static const struct graph_program *find_program(struct graph_expr *expr,
						struct graph_compiler *c)
{
	struct graph_program *program;

	list_for_each_entry(program, &expr->programs, list)
		if (!memcmp(&program->sources, &c->sources, sizeof(c->sources)) &&
		    strlen(program->text) == seq_buf_used(&c->text) &&
		    !memcmp(program->text, c->buffer, seq_buf_used(&c->text)))
			return program;
	program = graph_make_program(c);
	if (!IS_ERR(program))
		list_add(&program->list, &expr->programs);
	return program;
}

static u32 plan_of_match(const struct graph_expr *expr, unsigned long func)
{
	struct graph_match *match = graph_find_match_slot(locked_matches(expr), func);

	return match->program ? match->plan : 0;
}

/*
 * Return the names of @func that other rules compare. While a module is loaded, or rules are
 * added to others, these are the rules of the instance, and those that are being written.
 */
static u32 plan_of_others(const struct graph_expr *expr, unsigned long func)
{
	const struct graph_expr *other;
	unsigned int i;
	u32 plan = 0;

	if (expr->rules) {
		for (i = 0; expr->rules->exprs[i]; i++)
			plan = graph_merge_plans(plan,
						 plan_of_match(expr->rules->exprs[i], func));
		return plan;
	}
	list_for_each_entry(other, &graph_exprs, list)
		if (other != expr && other->tr == expr->tr)
			plan = graph_merge_plans(plan, plan_of_match(other, func));
	return plan;
}

/*
 * Leave out a function that the expression does not fit. If the rule is being written, the
 * file reports this later. If a module is being loaded, error_log reports it.
 */
static void leave_out(struct graph_expr *expr, const struct graph_compiler *c,
		      const struct module *mod)
{
	const struct rule_text text = {
		.tr = expr->tr, .line = expr->line, .whole = expr->line,
	};
	struct graph_misfits *misfits = &expr->misfits;

	if (mod)
		graph_refuse_expr(&text, c->func, c->error, c->at);
	else if (!misfits->nr++) {
		misfits->func = c->func;
		misfits->error = c->error;
		misfits->at = c->at;
	}
}

static int compile_match(struct graph_expr *expr, struct graph_compiler *c,
			 unsigned long func, const struct module *mod)
{
	struct graph_match match = { .func = func };

	c->plan = plan_of_others(expr, func);
	if (!graph_compile_expr(c, func)) {
		leave_out(expr, c, mod);
		return 0;
	}
	match.program = find_program(expr, c);
	if (IS_ERR(match.program))
		return PTR_ERR(match.program);
	match.plan = c->plan;
	match.regs = c->regs;
	match.stack = c->stack;
	add_match(locked_matches(expr), &match);
	return 0;
}

#ifdef CONFIG_MODULES
static bool is_of_module(unsigned long func, const char *name)
{
	const struct module *mod;
	bool is;

	preempt_disable();
	mod = __module_address(func);
	is = mod && !strcmp(mod->name, name);
	preempt_enable();
	return is;
}
#else
static bool is_of_module(unsigned long func, const char *name)
{
	return false;
}
#endif

static bool is_wanted(const struct graph_expr *expr, unsigned long func)
{
	return func && (!expr->module || is_of_module(func, expr->module));
}

static unsigned int count_wanted(const struct graph_expr *expr,
				 const struct ftrace_hash *hash)
{
	struct ftrace_func_entry *entry;
	unsigned int nr = 0;
	int i;

	for (i = 0; i < 1 << hash->size_bits; i++)
		hlist_for_each_entry(entry, &hash->buckets[i], hlist)
			nr += is_wanted(expr, entry->ip);
	return nr;
}

/* Compile the expression for the functions in @hash. */
static int compile_hash(struct graph_expr *expr, struct graph_compiler *c,
			const struct ftrace_hash *hash)
{
	struct ftrace_func_entry *entry;
	int i, ret;

	for (i = 0; i < 1 << hash->size_bits; i++) {
		hlist_for_each_entry(entry, &hash->buckets[i], hlist) {
			if (!is_wanted(expr, entry->ip))
				continue;
			ret = compile_match(expr, c, entry->ip, NULL);
			if (ret)
				return ret;
			cond_resched();
		}
	}
	return 0;
}

/* Return the memory of the rules in force that the rules with @expr will replace. */
static size_t count_replaced_bytes(const struct graph_expr *expr)
{
	const struct graph_rules *rules;
	size_t bytes = 0;
	unsigned int i;

	rules = rcu_dereference_protected(expr->tr->graph_keep.rules,
					  lockdep_is_held(&trace_types_lock));
	for (i = 0; expr->rules && rules && rules->exprs[i]; i++)
		bytes += matches_bytes(locked_matches(rules->exprs[i]));
	return bytes;
}

static struct graph_compiler *alloc_compiler(const struct graph_expr *expr)
{
	struct graph_compiler *c = kvmalloc(sizeof(*c), GFP_KERNEL);

	if (c) {
		c->line = expr->line;
		c->syntax = &expr->syntax;
	}
	return c;
}

/* Find the functions of @expr in @hash. It must fit one of them. */
static int make_matches(struct graph_expr *expr, const struct ftrace_hash *hash)
{
	const struct rule_text text = {
		.tr = expr->tr, .line = expr->line, .whole = expr->line,
	};
	const struct graph_misfits *misfits = &expr->misfits;
	unsigned int nr = count_wanted(expr, hash);
	struct graph_matches *matches;
	struct graph_compiler *c;
	int ret = -ENOMEM;

	if (!nr)
		return -ENOENT;
	matches = alloc_matches(nr);
	RCU_INIT_POINTER(expr->matches, matches);
	if (graph_matches_bytes > GRAPH_MATCHES_MAX_BYTES + count_replaced_bytes(expr))
		return graph_refuse_size(&text);
	c = alloc_compiler(expr);
	if (c && matches)
		ret = compile_hash(expr, c, hash);
	kvfree(c);
	if (!ret && !matches->nr)
		ret = graph_refuse_expr(&text, misfits->func, misfits->error, misfits->at);
	return ret;
}

/* Add the functions of all globs to the filter of @ops. Return -ENOENT if there is none. */
static int set_globs(struct ftrace_ops *ops, char *globs)
{
	int ret = -ENOENT, err;
	char *glob;

	while ((glob = strsep(&globs, " \t"))) {
		if (!*glob)
			continue;
		err = ftrace_set_filter(ops, glob, strlen(glob), 0);
		if (err != -EINVAL)
			ret = err;
		if (ret && ret != -ENOENT)
			break;
	}
	return ret;
}

/*
 * Find the functions of the expression. The filter of an ftrace_ops that is never registered
 * contains the functions of the globs.
 */
static int find_functions(struct graph_expr *expr)
{
	struct ftrace_ops *ops = kzalloc(sizeof(*ops), GFP_KERNEL);
	char *globs = kstrdup(expr->globs, GFP_KERNEL);	/* The text is modified. */
	int ret = -ENOMEM;

	if (ops && globs)
		ret = set_globs(ops, globs);
	if (!ret)
		ret = make_matches(expr, ops->func_hash->filter_hash);
	if (ops)
		ftrace_free_filter(ops);
	kfree(globs);
	kfree(ops);
	return ret;
}

/* Expressions */

static void free_expr(struct kref *ref)
{
	struct graph_expr *expr = container_of(ref, struct graph_expr, ref);
	struct graph_program *program, *next;

	list_del(&expr->list);
	clear_tested_funcs();
	list_for_each_entry_safe(program, next, &expr->programs, list)
		graph_free_program(program);
	free_matches(locked_matches(expr));
	kfree(expr->module);
	kfree(expr->globs);
	kfree(expr);
}

/**
 * graph_get_exprs - share the expressions of rules that were copied
 * @rules:	the copy
 *
 * Context: with trace_types_lock held.
 */
void graph_get_exprs(const struct graph_rules *rules)
{
	unsigned int i;

	for (i = 0; rules->exprs[i]; i++)
		kref_get(&rules->exprs[i]->ref);
}

/**
 * graph_get_expr - keep an expression
 * @expr:	the expression
 *
 * Context: with trace_types_lock held.
 */
void graph_get_expr(struct graph_expr *expr)
{
	kref_get(&expr->ref);
}

/**
 * graph_put_expr - drop an expression
 * @expr:	the expression. No call uses it through the caller's rules.
 *
 * Context: may sleep; with trace_types_lock held.
 */
void graph_put_expr(struct graph_expr *expr)
{
	kref_put(&expr->ref, free_expr);
}

/**
 * graph_put_exprs - free the expressions of rules that no other rules share
 * @rules:	the rules. No call uses them.
 *
 * Context: may sleep; with trace_types_lock held.
 */
void graph_put_exprs(const struct graph_rules *rules)
{
	unsigned int i;

	for (i = 0; rules->exprs[i]; i++)
		graph_put_expr(rules->exprs[i]);
	for (i = 0; rules->removed[i]; i++)
		graph_put_expr(rules->removed[i]);
}

/* Return the text of a rule, as it was written. */
const char *graph_expr_text(const struct graph_expr *expr)
{
	return expr->line;
}

/* Return the actions of a rule, as bits of enum graph_action. */
unsigned int graph_expr_actions(const struct graph_expr *expr)
{
	return expr->actions;
}

/**
 * graph_show_expr - show a rule as it was written, and the functions that it leaves out
 * @m:		the file
 * @expr:	the rule
 *
 * Context: with trace_types_lock held.
 */
void graph_show_expr(struct seq_file *m, const struct graph_expr *expr)
{
	const struct graph_misfits *misfits = &expr->misfits;

	seq_printf(m, "%s\n", expr->line);
	if (misfits->nr)
		seq_printf(m, "# %u functions, %u left out, such as %ps: %s\n",
			   locked_matches(expr)->nr, misfits->nr, (void *)misfits->func,
			   graph_expr_reason(misfits->error));
}

/*
 * Return the colon before the expression: "GLOB ...: EXPRESSION" or
 * "GLOB:mod:MODULE: EXPRESSION".
 */
static const char *find_colon(const char *line)
{
	const char *colon = strchr(line, ':');

	return (str_has_prefix(colon, ":mod:") ? strchr(colon + 5, ':') : NULL) ?: colon;
}

/* Split "GLOB:mod:MODULE". */
static int split_globs(struct graph_expr *expr, const char *line, size_t len)
{
	char *mod;

	expr->globs = kstrndup(line, len, GFP_KERNEL);
	if (!expr->globs)
		return -ENOMEM;
	mod = strstr(expr->globs, ":mod:");
	if (mod) {
		*mod = '\0';
		expr->module = kstrdup(strim(mod + strlen(":mod:")), GFP_KERNEL);
		if (!expr->module)
			return -ENOMEM;
	}
	return 0;
}

static struct graph_expr *alloc_expr(const struct rule_text *text, size_t globs_len,
				     const struct graph_rules *rules)
{
	struct graph_expr *expr;

	expr = kzalloc(struct_size(expr, line, strlen(text->whole) + 1), GFP_KERNEL);
	if (!expr)
		return NULL;
	kref_init(&expr->ref);
	INIT_LIST_HEAD(&expr->list);
	INIT_LIST_HEAD(&expr->programs);
	expr->tr = text->tr;
	expr->rules = rules;
	expr->actions = text->actions;
	strcpy(expr->line, text->whole);
	if (split_globs(expr, text->line, globs_len)) {
		kfree(expr->module);
		kfree(expr->globs);
		kfree(expr);
		return NULL;
	}
	return expr;
}

/*
 * Return false for a number, which would be an index of available_filter_functions, and for
 * a list that begins with "!GLOB", which removes functions.
 */
static bool are_globs(const char *globs)
{
	const char *p, *first = skip_spaces(globs);

	for (p = first; *p; p = skip_spaces(p + strcspn(p, " \t")))
		if (isdigit(*p) || (*p == '!' && p == first))
			return false;
	return true;
}

/**
 * graph_add_expr - add a rule "GLOB: EXPRESSION"
 * @text:	the rule, with a colon
 * @rules:	the rules to add it to, with room for it
 *
 * Context: may sleep; takes trace_types_lock.
 * Return: 0 on success, -ENOMEM, or -EINVAL after a line in error_log.
 */
int graph_add_expr(const struct rule_text *text, struct graph_rules *rules)
{
	const char *colon = find_colon(text->line);
	struct graph_expr *expr = alloc_expr(text, colon - text->line,
					     rules->appends ? NULL : rules);
	struct graph_expr **end = rules->exprs;
	int ret;

	if (!expr)
		return -ENOMEM;
	ret = graph_parse_expr(text, skip_spaces(colon + 1), &expr->syntax);

	mutex_lock(&trace_types_lock);
	if (!ret)
		ret = are_globs(expr->globs) ? find_functions(expr) : -ENOENT;
	if (ret == -ENOENT)
		ret = graph_refuse_glob(text);
	if (ret) {
		free_expr(&expr->ref);
	} else {
		expr->rules = NULL;
		list_add(&expr->list, &graph_exprs);
		while (*end)
			end++;
		*end = expr;
	}
	mutex_unlock(&trace_types_lock);
	return ret;
}

/* Modules */

#ifdef CONFIG_MODULES
/* Forget the functions of the module that was at the addresses of @mod. */
static void forget_functions(struct graph_expr *expr, const struct module *mod)
{
	struct graph_matches *matches = locked_matches(expr);
	struct graph_match *match;

	for (match = matches->slots; match < matches->slots + BIT(matches->bits); match++) {
		if (!match->program || !within_module(match->func, mod))
			continue;
		WRITE_ONCE(match->program, NULL);
		matches->nr--;
	}
}

/* Return true if the globs, which follow the syntax of ftrace filters, name a function. */
static noinline bool globs_match(const char *globs, const char *name)
{
	char glob[KSYM_NAME_LEN];
	bool found = false, not;
	size_t len;

	for (globs = skip_spaces(globs); *globs; globs = skip_spaces(globs + len)) {
		len = strcspn(globs, " \t");
		not = *globs == '!';
		strscpy(glob, globs + not, min(len - not + 1, sizeof(glob)));
		if (glob_match(glob, name))
			found = !not;
	}
	return found;
}

static bool has_room(const struct graph_matches *matches, unsigned int nr)
{
	return (u64)matches->used + nr <= BIT(matches->bits) * 2 / 3;
}

static void copy_matches(struct graph_matches *to, const struct graph_matches *from)
{
	const struct graph_match *match;

	for (match = from->slots; match < from->slots + BIT(from->bits); match++)
		if (match->program)
			add_match(to, match);
}

/* Make room for @nr more functions, and drop those of modules that were unloaded. */
static int grow_matches(struct graph_expr *expr, unsigned int nr)
{
	struct graph_matches *old = locked_matches(expr), *new;

	if (has_room(old, nr))
		return 0;
	new = alloc_matches(old->nr + nr);
	if (!new)
		return -ENOMEM;
	copy_matches(new, old);
	rcu_assign_pointer(expr->matches, new);
	fgraph_synchronize();
	free_matches(old);
	return 0;
}

/**
 * struct module_functions - the functions of a module that can be traced
 * @mod:	the module
 * @nr:		the number of functions
 * @funcs:	their addresses
 * @named:	for an expression: a bit for each function that it names
 */
struct module_functions {
	const struct module	*mod;
	unsigned int		nr;
	unsigned long		*funcs;
	unsigned long		*named;
};

static void free_module_functions(struct module_functions *m)
{
	kvfree(m->funcs);
	bitmap_free(m->named);
}

static int find_module_functions(struct module_functions *m)
{
	unsigned int i, max = m->mod->num_ftrace_callsites;
	unsigned long func;

	m->funcs = kvmalloc_array(max, sizeof(*m->funcs), GFP_KERNEL);
	m->named = bitmap_zalloc(max, GFP_KERNEL);
	if (!m->funcs || !m->named)
		return -ENOMEM;
	for (i = 0; i < max; i++) {
		func = ftrace_location(ftrace_call_adjust(m->mod->ftrace_callsites[i]));
		if (func)
			m->funcs[m->nr++] = func;
	}
	return 0;
}

/* Find the functions of the module that @expr names. Return their number. */
static unsigned int name_module_functions(const struct graph_expr *expr,
					  struct module_functions *m)
{
	char name[KSYM_NAME_LEN];
	unsigned int i, nr = 0;
	char *modname;
	bool is_named;

	if (expr->module && strcmp(expr->module, m->mod->name))
		return 0;
	for (i = 0; i < m->nr; i++) {
		is_named = kallsyms_lookup(m->funcs[i], NULL, NULL, &modname, name) &&
			   globs_match(expr->globs, name);
		__assign_bit(i, m->named, is_named);
		nr += is_named;
	}
	return nr;
}

static int add_module_functions(struct graph_expr *expr, struct module_functions *m)
{
	unsigned int i, nr = name_module_functions(expr, m);
	struct graph_compiler *c;
	int ret;

	if (!nr)
		return 0;
	c = alloc_compiler(expr);
	ret = c ? grow_matches(expr, nr) : -ENOMEM;
	for (i = 0; !ret && i < m->nr; i++)
		if (test_bit(i, m->named))
			ret = compile_match(expr, c, m->funcs[i], m->mod);
	kvfree(c);
	return ret;
}

/* Compile all expressions for the functions of a module, before one of them is called. */
static int graph_module_loads(struct notifier_block *nb, unsigned long state, void *mod)
{
	struct module_functions m = { .mod = mod };
	struct graph_expr *expr;
	int ret = 0;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_OK;

	mutex_lock(&trace_types_lock);
	list_for_each_entry(expr, &graph_exprs, list)
		forget_functions(expr, mod);
	if (!list_empty(&graph_exprs))
		ret = find_module_functions(&m);
	list_for_each_entry(expr, &graph_exprs, list)
		if (ret == -ENOMEM || add_module_functions(expr, &m) == -ENOMEM)
			pr_warn("set_graph_keep: out of memory for module %s: %s\n",
				m.mod->name, expr->line);
	free_module_functions(&m);
	mutex_unlock(&trace_types_lock);
	return NOTIFY_OK;
}

static struct notifier_block graph_match_nb = {
	.notifier_call	= graph_module_loads,
};

static int __init graph_match_init(void)
{
	return register_module_notifier(&graph_match_nb);
}
core_initcall(graph_match_init);
#endif
