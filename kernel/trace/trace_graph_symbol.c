// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the addresses in a trace.
 *
 * A trace contains addresses, and its reader prints names. This file solves two
 * problems:
 *
 *  - The module of a recorded address may be unloaded before the trace is read, and
 *    another module may be loaded at its address. The names and types of the new module
 *    are wrong for the recorded calls. So graph_modules stores the time when each
 *    module was loaded, according to each clock that a trace can use.
 *
 *  - The lookup of a name takes longer than the rest of a line, and most calls belong
 *    to a few functions. So each reader caches names, in a struct graph_symbols.
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
#include <linux/uaccess.h>

#include <asm/sections.h>

#include "fgraph_sig.h"
#include "trace.h"
#include "trace_graph_gone.h"
#include "trace_graph_symbol.h"

#ifdef CONFIG_MODULES

/**
 * struct graph_module - the time when a module was loaded
 * @list:	the entry in graph_modules
 * @rcu:	used to free this
 * @mod:	the module
 * @since:	the time when @mod was loaded, according to each clock
 */
struct graph_module {
	struct list_head	list;
	struct rcu_head		rcu;
	const struct module	*mod;
	u64			since[TRACE_MAX_CLOCKS];
};

/* Writers hold graph_modules_lock. Readers disable preemption. */
static LIST_HEAD(graph_modules);
static DEFINE_MUTEX(graph_modules_lock);

/* Store the time when @mod is loaded. If there is no memory, its functions print as unknown. */
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
			graph_keep_functions(mod, entry->since);
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

/* The highest priority, so that it runs before any function of the module is called */
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
 * graph_func_is_there - check whether a recorded function is still loaded
 * @iter:	the iterator, at the event that contains @addr
 * @addr:	the address of the function
 *
 * Return: false if the function was in a module that was unloaded since the event, or
 * if this is unknown.
 */
bool graph_func_is_there(const struct trace_iterator *iter, unsigned long addr)
{
	struct module *mod;
	bool there;

	/* On arm64, the kernel is in the vmalloc area, as modules are. */
	if (__is_kernel(addr))
		return true;

	preempt_disable_notrace();
	mod = __module_address(addr);
	there = mod && module_is_there_since(mod, iter->ts, iter->tr->clock_id);
	preempt_enable_notrace();
	return there;
}

/* Return true if a module of this name was loaded before @ts. */
static bool name_is_there_since(const char *name, u64 ts, int clock)
{
	struct graph_module *entry;

	list_for_each_entry_rcu(entry, &graph_modules, list, !preemptible())
		if (!strcmp(entry->mod->name, name))
			return (s64)(ts - entry->since[clock]) >= 0;
	return false;
}

/**
 * graph_func_has_name - check whether kallsyms returns the name of a recorded function
 * @iter:	the iterator, at the event that contains @addr
 * @addr:	the address of the function
 *
 * This also covers the __init functions of a loaded module. ftrace keeps their names
 * after their memory is freed.
 *
 * Return: true if kallsyms returns the right name, or no name.
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

/**
 * graph_find_signature - find the signature of a recorded function
 * @iter:	the iterator, at the event that contains @addr, or NULL if @addr is of a
 *		function that is loaded
 * @addr:	the address of the function
 * @sig:	filled in if the function has a signature
 *
 * Context: any, with preemption disabled. @sig is valid until preemption is enabled.
 * Return: true if the function had a signature when the event was recorded.
 */
bool graph_find_signature(const struct trace_iterator *iter, unsigned long addr,
			  struct fgraph_sig *sig)
{
	if (!iter || graph_func_is_there(iter, addr))
		return fgraph_find_signature(addr, sig);
	return graph_find_gone_signature(iter, addr, sig);
}

/**
 * graph_hides_pointers - check whether pointers print as their hash
 * @iter:	the iterator, or NULL
 *
 * Users may read the kernel log. So a dump of the trace to this log contains the values
 * that printk() prints for "%p", unless the option hash-ptr is off.
 *
 * Return: true if pointers print as their hash.
 */
bool graph_hides_pointers(const struct trace_iterator *iter)
{
	return iter && iter->to_log && iter->tr->trace_flags & TRACE_ITER_HASH_PTR;
}

/**
 * graph_hides_word - check whether a word prints as its hash
 * @iter:	the iterator, or NULL
 * @word:	a word whose type is not a pointer
 *
 * Return: true if graph_hides_pointers(), and the word may be an address of the kernel.
 */
bool graph_hides_word(const struct trace_iterator *iter, unsigned long word)
{
	return graph_hides_pointers(iter) && word >= TASK_SIZE_MAX && !IS_ERR_VALUE(word);
}

#define GRAPH_SYMBOL_BITS	8

/* Longer names are not cached. */
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
 * alloc_graph_symbols - allocate a cache of names for print_graph_symbol()
 * @gfp: the flags for the allocation
 *
 * Return: the cache, to be freed by kfree(). It is NULL if there is no memory, which
 * print_graph_symbol() accepts.
 */
struct graph_symbols *alloc_graph_symbols(gfp_t gfp)
{
	return kzalloc(sizeof(struct graph_symbols), gfp | __GFP_NOWARN);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(alloc_graph_symbols);

/*
 * Return true if the name of @addr cannot change while a trace is read. Names in
 * modules can change, because modules may be unloaded.
 */
static bool keeps_its_name(unsigned long addr)
{
	return core_kernel_text(addr);
}

/**
 * print_graph_symbol - print the name of a function
 * @s:		the buffer to print to
 * @symbols:	the cache of names, or NULL
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
