// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions of modules are still what was recorded.
 *
 * A trace has addresses. When it is printed, the module that was there may have gone,
 * and another one may be at its place: names and types of that are not those of the
 * calls. So this keeps since when each module is there, by all clocks that a trace may
 * have.
 */
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "trace.h"

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

#else

bool graph_func_has_name(const struct trace_iterator *iter, unsigned long addr)
{
	return true;
}

bool graph_func_is_there(const struct trace_iterator *iter, unsigned long addr)
{
	return true;
}

#endif
