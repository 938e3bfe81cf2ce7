// SPDX-License-Identifier: GPL-2.0
/*
 * Which name an address in a trace has.
 *
 * A trace contains addresses, and its reader prints names. Two things stand between:
 *
 *  - The module of a recorded address may be unloaded when the trace is read, and another
 *    module may be at its place. The names and types of that module are wrong for the
 *    calls. So for each module, graph_modules keeps the time of its load, by each clock
 *    that a trace can have.
 *
 *  - The search for a name takes longer than the rest of a line, and most calls are of a
 *    few functions. So each reader keeps the last names, in a struct graph_symbols.
 */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "fgraph_sig.h"
#include "trace_graph.h"

#ifdef CONFIG_MODULES

/**
 * struct graph_module - since when a module is there
 * @list:	in graph_modules
 * @rcu:	to free it
 * @mod:	the module
 * @since:	the time when it came, by each clock
 */
struct graph_module {
	struct list_head	list;
	struct rcu_head		rcu;
	const struct module	*mod;
	u64			since[TRACE_MAX_CLOCKS];
};

/* Changes under a lock of the notifiers; readers disable preemption. */
static LIST_HEAD(graph_modules);
static DEFINE_MUTEX(graph_modules_lock);

/* Without memory for it, the functions of @mod are taken for unknown. */
static void graph_module_comes(const struct module *mod)
{
	struct graph_module *entry = kmalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return;

	entry->mod = mod;
	trace_read_clocks(entry->since);
	mutex_lock(&graph_modules_lock);
	list_add_rcu(&entry->list, &graph_modules);
	mutex_unlock(&graph_modules_lock);
}

static void graph_module_goes(const struct module *mod)
{
	struct graph_module *entry;

	mutex_lock(&graph_modules_lock);
	list_for_each_entry(entry, &graph_modules, list) {
		if (entry->mod == mod) {
			list_del_rcu(&entry->list);
			kfree_rcu(entry, rcu);
			break;
		}
	}
	mutex_unlock(&graph_modules_lock);
}

static int graph_module_notify(struct notifier_block *nb, unsigned long state,
			       void *mod)
{
	if (state == MODULE_STATE_COMING)
		graph_module_comes(mod);
	else if (state == MODULE_STATE_GOING)
		graph_module_goes(mod);
	return NOTIFY_OK;
}

/* Before anybody else may call a function of the module */
static struct notifier_block graph_module_nb = {
	.notifier_call	= graph_module_notify,
	.priority	= INT_MAX,
};

static int __init graph_module_init(void)
{
	return register_module_notifier(&graph_module_nb);
}
core_initcall(graph_module_init);

static bool module_is_there_since(const struct module *mod, u64 ts, int clock)
{
	struct graph_module *entry;

	list_for_each_entry_rcu(entry, &graph_modules, list, !preemptible())
		if (entry->mod == mod)
			return (s64)(ts - entry->since[clock]) >= 0;
	return false;
}

/**
 * graph_func_is_there - whether an address still is of what was recorded
 * @iter:	it is at the event that has the address
 * @addr:	the address
 *
 * Return: false if it was of a module that has gone.
 */
bool graph_func_is_there(const struct trace_iterator *iter, unsigned long addr)
{
	struct module *mod;
	bool there;

	/* On arm64, the kernel itself is among the addresses of vmalloc(). */
	if (__is_kernel(addr))
		return true;

	preempt_disable_notrace();
	mod = __module_address(addr);
	there = mod && module_is_there_since(mod, iter->ts, iter->tr->clock_id);
	preempt_enable_notrace();
	return there;
}

/* Whether a module of this name is there since before @ts */
static bool name_is_there_since(const char *name, u64 ts, int clock)
{
	struct graph_module *entry;

	list_for_each_entry_rcu(entry, &graph_modules, list, !preemptible())
		if (!strcmp(entry->mod->name, name))
			return (s64)(ts - entry->since[clock]) >= 0;
	return false;
}

/**
 * graph_func_has_name - whether the name of an address is that of what was recorded
 * @iter:	it is at the event that has the address
 * @addr:	the address
 *
 * The functions with which a module began keep their names, as long as it is there.
 */
bool graph_func_has_name(const struct trace_iterator *iter, unsigned long addr)
{
	char name[KSYM_NAME_LEN];
	unsigned long size, offset;
	char *modname = NULL;
	bool has = true;

	if (graph_func_is_there(iter, addr))
		return true;
	if (is_module_address(addr))
		return false;

	preempt_disable_notrace();
	if (kallsyms_lookup(addr, &size, &offset, &modname, name) && modname)
		has = name_is_there_since(modname, iter->ts, iter->tr->clock_id);
	preempt_enable_notrace();
	return has;
}

#else /* !CONFIG_MODULES */

bool graph_func_has_name(const struct trace_iterator *iter, unsigned long addr)
{
	return true;
}

bool graph_func_is_there(const struct trace_iterator *iter, unsigned long addr)
{
	return true;
}

#endif /* CONFIG_MODULES */

#define GRAPH_SYMBOL_BITS	8

/* One that is longer is looked up each time */
#define GRAPH_SYMBOL_LEN	55

struct graph_symbol {
	unsigned long	addr;
	u8		len;
	char		name[GRAPH_SYMBOL_LEN];
};

struct graph_symbols {
	struct graph_symbol	hash[1 << GRAPH_SYMBOL_BITS];
};

/**
 * alloc_graph_symbols - make room for names
 * @gfp: how to allocate
 *
 * Return: what print_graph_symbol() wants, to be freed by kfree(). NULL will do.
 */
struct graph_symbols *alloc_graph_symbols(gfp_t gfp)
{
	return kzalloc(sizeof(struct graph_symbols), gfp | __GFP_NOWARN);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(alloc_graph_symbols);

/* What a module is called can change while a trace is read: it may be unloaded. */
static bool keeps_its_name(unsigned long addr)
{
	return core_kernel_text(addr);
}

/**
 * print_graph_symbol - print the name of a function
 * @s:		where to
 * @symbols:	names that were printed before, or NULL
 * @addr:	the address of the function
 */
void print_graph_symbol(struct trace_seq *s, struct graph_symbols *symbols,
			unsigned long addr)
{
	struct graph_symbol *symbol;
	int len;

	if (!symbols || !keeps_its_name(addr)) {
		trace_seq_printf(s, "%ps", (void *)addr);
		return;
	}

	symbol = &symbols->hash[hash_long(addr, GRAPH_SYMBOL_BITS)];
	if (symbol->addr != addr) {
		len = snprintf(symbol->name, GRAPH_SYMBOL_LEN, "%ps", (void *)addr);
		symbol->addr = len < GRAPH_SYMBOL_LEN ? addr : 0;
		symbol->len = len;
	}
	if (symbol->addr)
		trace_seq_putmem(s, symbol->name, symbol->len);
	else
		trace_seq_printf(s, "%ps", (void *)addr);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(print_graph_symbol);
