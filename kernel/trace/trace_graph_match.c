// SPDX-License-Identifier: GPL-2.0
/*
 * The rules "GLOB: EXPRESSION" of set_graph_keep: which functions they name.
 *
 *	graph_expr "vfs_*: ret < 0"
 *	  funcs:  vfs_read()	-> graph_program "s0<0", of a ssize_t
 *		  vfs_fsync()	-> graph_program "s0<0", of an int
 *
 * An expression is compiled for each function when the rule is written, and for the
 * functions of a module when the module is loaded. Rules that are added to others share
 * their expressions.
 *
 * Programs contain no pointers to signatures. So they stay valid when the signatures of
 * the kernel are unloaded. The functions of a module that was unloaded remain until another
 * module is loaded at their addresses.
 */
#include <linux/bsearch.h>
#include <linux/ctype.h>
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "trace_graph_match.h"
#include "trace_graph_tests.h"
#include "trace_graph_word.h"

/* All expressions, of all instances. Protected by trace_types_lock, like their functions. */
static LIST_HEAD(graph_exprs);

/* Room for some hundred thousand functions. Useful rules do not name more. */
#define GRAPH_MATCHES_MAX_BYTES	SZ_16M

/* Functions */

/* Make room for @nr more functions. */
static int make_room(struct graph_expr *expr, unsigned int nr)
{
	struct expr_func *funcs;

	funcs = kvmalloc_array(expr->nr + nr, sizeof(*funcs), GFP_KERNEL);
	if (!funcs)
		return -ENOMEM;
	if (expr->nr)
		memcpy(funcs, expr->funcs, expr->nr * sizeof(*funcs));
	kvfree(expr->funcs);
	expr->funcs = funcs;
	expr->max = expr->nr + nr;
	return 0;
}

static int compare_funcs(const void *a, const void *b)
{
	const struct expr_func *f = a, *g = b;

	return f->func < g->func ? -1 : f->func > g->func;
}

static void sort_funcs(struct graph_expr *expr)
{
	sort(expr->funcs, expr->nr, sizeof(*expr->funcs), compare_funcs, NULL);
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
	if (IS_ERR(program))
		return program;
	program->actions = expr->actions;
	list_add(&program->list, &expr->programs);
	return program;
}

/* Add what @expr reads of the compiled function to what other rules read. */
static void add_expr_needs(struct graph_compiler *c, const struct graph_expr *expr,
			   unsigned long func)
{
	const struct expr_func key = { .func = func }, *f;

	f = bsearch(&key, expr->funcs, expr->nr, sizeof(key), compare_funcs);
	if (!f)
		return;
	c->plan = graph_merge_plans(c->plan, f->names);
	graph_add_members(&c->list, &f->members);
	graph_add_members(&c->results, &f->results);
}

/*
 * Find the names and members of @func that other rules compare. While a module is loaded, or
 * rules are added to others, these are the rules of the instance, and those that are being
 * written.
 */
static void find_other_needs(struct graph_compiler *c, const struct graph_expr *expr,
			     unsigned long func)
{
	const struct graph_expr *other;
	unsigned int i;

	c->plan = 0;
	c->list.nr = 0;
	c->results.nr = 0;
	if (expr->rules) {
		for (i = 0; expr->rules->exprs[i]; i++)
			add_expr_needs(c, expr->rules->exprs[i], func);
		return;
	}
	list_for_each_entry(other, &graph_exprs, list)
		if (other != expr && other->tr == expr->tr && other->shows == expr->shows)
			add_expr_needs(c, other, func);
}

static int refuse_func(const struct graph_expr *expr, unsigned long func,
		       enum graph_rule_error error, u16 at, const char *hint)
{
	const struct rule_text text = {
		.tr = expr->tr, .line = expr->line, .whole = expr->line, .func = func,
		.hint = hint, .shows = expr->shows,
	};

	return graph_refuse_rule(&text, error, expr->line + at);
}

/*
 * Leave out a function that the expression does not fit. If the rule is being written, the
 * file reports this later. If a module is being loaded, error_log reports it.
 */
static void leave_out(struct graph_expr *expr, const struct graph_compiler *c,
		      const struct module *mod)
{
	struct graph_misfits *misfits = &expr->misfits;

	if (mod) {
		refuse_func(expr, c->func, c->error, c->at, c->hint);
	} else if (!misfits->nr++) {
		misfits->func = c->func;
		misfits->error = c->error;
		misfits->at = c->at;
		strscpy(misfits->hint, c->hint, sizeof(misfits->hint));
	}
}

/*
 * Compile the expression for a function. If there is no room for it, its module is being
 * loaded, and graph_module_loads() will add it.
 */
static int compile_func(struct graph_expr *expr, struct graph_compiler *c,
			unsigned long func, const struct module *mod)
{
	const struct graph_program *program = NULL;
	bool fits;

	if (expr->nr == expr->max)
		return 0;
	find_other_needs(c, expr, func);
	fits = expr->shows ? graph_compile_list(c, func) : graph_compile_expr(c, func);
	if (!fits) {
		leave_out(expr, c, mod);
		return 0;
	}
	if (!expr->shows)
		program = find_program(expr, c);
	if (IS_ERR(program))
		return PTR_ERR(program);
	expr->funcs[expr->nr++] = (struct expr_func){
		.func = func, .program = program, .names = c->plan,
		.members = c->list, .results = c->results,
		.regs = c->regs, .stack = c->stack,
	};
	expr->reads_results |= c->results.nr;
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
			ret = compile_func(expr, c, entry->ip, NULL);
			if (ret)
				return ret;
			cond_resched();
		}
	}
	return 0;
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
static int compile_wanted(struct graph_expr *expr, const struct ftrace_hash *hash)
{
	const struct graph_misfits *misfits = &expr->misfits;
	unsigned int nr = count_wanted(expr, hash);
	struct graph_compiler *c;
	int ret;

	if (!nr)
		return -ENOENT;
	c = alloc_compiler(expr);
	ret = c ? make_room(expr, nr) : -ENOMEM;
	if (!ret)
		ret = compile_hash(expr, c, hash);
	kvfree(c);
	sort_funcs(expr);
	if (!ret && !expr->nr)
		ret = refuse_func(expr, misfits->func, misfits->error, misfits->at,
				  misfits->hint);
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
		ret = compile_wanted(expr, ops->func_hash->filter_hash);
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
	list_for_each_entry_safe(program, next, &expr->programs, list)
		graph_free_program(program);
	kvfree(expr->funcs);
	kfree(expr->module);
	kfree(expr->globs);
	kfree(expr);
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

/* Return true if a line of set_graph_show shows members at the return. */
bool graph_expr_reads_results(const struct graph_expr *expr)
{
	return expr->reads_results;
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
			   expr->nr, misfits->nr, (void *)misfits->func,
			   graph_rule_reason(misfits->error));
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

static struct graph_expr *alloc_expr(const struct rule_text *text, size_t globs_len)
{
	struct graph_expr *expr;

	expr = kzalloc(struct_size(expr, line, strlen(text->whole) + 1), GFP_KERNEL);
	if (!expr)
		return NULL;
	kref_init(&expr->ref);
	INIT_LIST_HEAD(&expr->list);
	INIT_LIST_HEAD(&expr->programs);
	expr->tr = text->tr;
	expr->shows = text->shows;
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

static size_t funcs_bytes(const struct graph_expr *expr)
{
	return array_size(expr->max, sizeof(*expr->funcs));
}

/*
 * Return the memory of all rules on values when @rules with @expr are in force. Rules that
 * they replace do not count.
 */
static size_t sum_bytes(struct graph_expr *expr, const struct graph_rules *rules)
{
	const struct graph_rules *old = expr->shows ? graph_locked_shows(expr->tr) :
						      graph_locked_rules(expr->tr);
	struct graph_expr *exprs[2 * GRAPH_MAX_EXPRS], *other;
	size_t bytes = graph_sum_tests_bytes(old);
	unsigned int i, nr = 0;

	exprs[nr++] = expr;
	for (i = 0; rules->exprs[i]; i++)
		exprs[nr++] = rules->exprs[i];
	list_for_each_entry(other, &graph_exprs, list)
		bytes += funcs_bytes(other);
	for (i = 0; old && old->exprs[i]; i++) {
		if (expr->rules)
			bytes -= funcs_bytes(old->exprs[i]);
		else
			exprs[nr++] = old->exprs[i];
	}
	return bytes + funcs_bytes(expr) + graph_count_tests_bytes(exprs, nr);
}

/**
 * graph_add_expr - add a rule "GLOB: EXPRESSION"
 * @text:	the rule, with a colon
 * @rules:	the rules to add it to, with room for it
 * @appends:	@rules will be added to those in force. Otherwise, they will replace them.
 *
 * Context: may sleep; with trace_types_lock held.
 * Return: 0 on success, -ENOMEM, or -EINVAL after a line in error_log.
 */
int graph_add_expr(const struct rule_text *text, struct graph_rules *rules, bool appends)
{
	const char *colon = find_colon(text->line);
	struct graph_expr *expr = alloc_expr(text, colon - text->line);
	struct graph_expr **end = rules->exprs;
	int ret;

	if (!expr)
		return -ENOMEM;
	expr->rules = appends ? NULL : rules;
	if (text->shows)
		ret = graph_parse_list(text, skip_spaces(colon + 1), &expr->syntax);
	else
		ret = graph_parse_expr(text, skip_spaces(colon + 1), &expr->syntax);
	if (!ret)
		ret = are_globs(expr->globs) ? find_functions(expr) : -ENOENT;
	if (ret == -ENOENT)
		ret = graph_refuse_rule(text, EXPR_ERR_GLOB, text->line);
	if (!ret && sum_bytes(expr, rules) > GRAPH_MATCHES_MAX_BYTES)
		ret = graph_refuse_rule(text, EXPR_ERR_MEMORY, text->line);
	if (ret) {
		free_expr(&expr->ref);
		return ret;
	}
	expr->rules = NULL;
	list_add(&expr->list, &graph_exprs);
	while (*end)
		end++;
	*end = expr;
	return 0;
}

/* Modules */

#ifdef CONFIG_MODULES
/* Forget the functions of the module that was at the addresses of @mod. */
static void forget_funcs(struct graph_expr *expr, const struct module *mod)
{
	unsigned int i, nr = 0;

	for (i = 0; i < expr->nr; i++)
		if (!within_module(expr->funcs[i].func, mod))
			expr->funcs[nr++] = expr->funcs[i];
	expr->nr = nr;
}

/* Forget the functions of the module that was at the addresses of @mod, in all rules. */
static void forget_module(const struct module *mod)
{
	struct graph_expr *expr;

	list_for_each_entry(expr, &graph_exprs, list)
		forget_funcs(expr, mod);
	graph_forget_tests(mod);
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

/**
 * struct module_functions - the functions of a module that can be traced
 * @mod:	the module
 * @nr:		the number of functions
 * @funcs:	their addresses
 * @named:	for an expression: a bit for each function that it names
 * @nr_named:	the number of these bits, of all expressions
 */
struct module_functions {
	const struct module	*mod;
	unsigned int		nr;
	unsigned long		*funcs;
	unsigned long		*named;
	unsigned int		nr_named;
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
	ret = c ? make_room(expr, nr) : -ENOMEM;
	for (i = 0; !ret && i < m->nr; i++)
		if (test_bit(i, m->named))
			ret = compile_func(expr, c, m->funcs[i], m->mod);
	kvfree(c);
	sort_funcs(expr);
	m->nr_named += nr;
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
	forget_module(mod);
	if (!list_empty(&graph_exprs))
		ret = find_module_functions(&m);
	list_for_each_entry(expr, &graph_exprs, list)
		if (ret == -ENOMEM || add_module_functions(expr, &m) == -ENOMEM)
			pr_warn("set_graph_keep: out of memory for module %s: %s\n",
				m.mod->name, expr->line);
	if (m.nr_named && graph_make_all_tests())
		pr_warn("set_graph_keep: out of memory for module %s\n", m.mod->name);
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
