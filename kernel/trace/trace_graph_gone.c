// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of modules that are gone.
 *
 * A driver that fails to load is gone before anyone can read why. So while functions are
 * traced, the names and signatures of a module are copied when it goes. The calls of its
 * functions print as if it were still there.
 *
 * Other modules may be loaded to the same address. A copy describes the events from the
 * load of its module until its end, according to the clock of their buffer. It describes
 * only the memory that its module had all this time: that of __init functions is freed
 * when a module has been loaded.
 *
 * The copies of the modules that went last remain, up to GRAPH_GONE_BYTES. The functions
 * of other modules print as addresses.
 */
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "fgraph_sig.h"
#include "ftrace_internal.h"
#include "trace.h"
#include "trace_graph_gone.h"

#define GRAPH_GONE_BYTES	(1024 * 1024)

/**
 * struct gone_func - a function of a module that is gone
 * @addr:	where it began
 * @size:	its number of bytes
 * @name:	the offset of its name in gone_module::names
 */
struct gone_func {
	unsigned long	addr;
	unsigned long	size;
	size_t		name;
};

/**
 * struct gone_module - what remains of a module
 * @list:	the entry in gone_modules
 * @surplus:	the next one to free
 * @module:	the name of the module
 * @since:	the time when it was loaded, according to each clock
 * @until:	the time when it went, according to each clock
 * @size:	the number of bytes of this, of @table and of @names
 * @table:	its signatures
 * @names:	the names of @funcs
 * @names_len:	the number of bytes that are used in @names
 * @names_size:	the size of @names
 * @nr:		the number of @funcs
 * @funcs:	its functions, sorted by address
 */
struct gone_module {
	struct list_head	list;
	struct gone_module	*surplus;
	char			module[MODULE_NAME_LEN];
	u64			since[TRACE_MAX_CLOCKS];
	u64			until[TRACE_MAX_CLOCKS];
	size_t			size;
	struct fgraph_table	*table;
	char			*names;
	size_t			names_len;
	size_t			names_size;
	unsigned int		nr;
	struct gone_func	funcs[];
};

/*
 * The module that went last is the first. Writers are notifiers of modules, and hold
 * graph_modules_lock. Readers disable preemption.
 */
static LIST_HEAD(gone_modules);

static void free_gone_module(struct gone_module *gone)
{
	kvfree(gone->table);
	kvfree(gone->names);
	kvfree(gone);
}

static bool add_gone_name(struct gone_module *gone, const char *name)
{
	size_t len = strlen(name) + 1, size = gone->names_size;
	char *names;

	if (gone->names_len + len > size) {
		size = 2 * size + len;
		names = kvrealloc(gone->names, gone->names_size, size, GFP_KERNEL);
		if (!names)
			return false;
		gone->names = names;
		gone->names_size = size;
	}
	memcpy(gone->names + gone->names_len, name, len);
	gone->names_len += len;
	return true;
}

static bool add_gone_func(struct gone_module *gone, unsigned long func)
{
	struct gone_func *entry = &gone->funcs[gone->nr];
	char name[KSYM_NAME_LEN], *module;
	unsigned long offset;

	if (!kallsyms_lookup(func, &entry->size, &offset, &module, name))
		return true;

	entry->addr = func - offset;
	entry->name = gone->names_len;
	gone->nr++;
	return add_gone_name(gone, name);
}

static bool add_gone_funcs(struct gone_module *gone, const struct module *mod)
{
	unsigned long func, last = 0;
	unsigned int i;

	for (i = 0; i < mod->num_fgraph_sites; i++) {
		func = fgraph_site_func(mod->fgraph_sites + i);
		if (func != last && within_module(func, mod) && !add_gone_func(gone, func))
			return false;
		last = func;
		/* A lookup passes each symbol of the module. */
		cond_resched();
	}
	return true;
}

/* Return NULL if there is no memory, or if the copy would take more than GRAPH_GONE_BYTES. */
static struct gone_module *copy_module(const struct module *mod)
{
	size_t size = struct_size((struct gone_module *)NULL, funcs, mod->num_fgraph_sites);
	struct gone_module *gone = kvzalloc(size, GFP_KERNEL);
	size_t table_size;

	if (!gone)
		return NULL;
	strscpy(gone->module, mod->name, sizeof(gone->module));
	gone->table = fgraph_copy_signatures(mod, &table_size);
	if (!gone->table || size + table_size > GRAPH_GONE_BYTES || !add_gone_funcs(gone, mod))
		goto free;
	gone->size = size + table_size + gone->names_size;
	if (gone->size > GRAPH_GONE_BYTES)
		goto free;
	return gone;
free:
	free_gone_module(gone);
	return NULL;
}

/* Free the copies of the modules that went first, until the others take at most the limit. */
static void limit_gone_modules(void)
{
	struct gone_module *gone, *next, *surplus = NULL;
	size_t size = 0;

	list_for_each_entry_safe(gone, next, &gone_modules, list) {
		size += gone->size;
		if (size > GRAPH_GONE_BYTES) {
			/* A reader may still be at this entry, and go on to the next one. */
			list_del_rcu(&gone->list);
			gone->surplus = surplus;
			surplus = gone;
		}
	}
	if (!surplus)
		return;
	synchronize_rcu();
	for (gone = surplus; gone; gone = next) {
		next = gone->surplus;
		free_gone_module(gone);
	}
}

/**
 * graph_keep_functions - copy what is printed of the functions of a module that goes
 * @mod:	the module
 * @since:	the time when it was loaded, according to each clock
 *
 * If there is no memory, its functions will print as addresses.
 *
 * Context: may sleep; graph_modules_lock must be held.
 */
void graph_keep_functions(const struct module *mod, const u64 *since)
{
	struct gone_module *gone;

	if (!READ_ONCE(ftrace_graph_active) || !mod->num_fgraph_sites)
		return;
	gone = copy_module(mod);
	if (!gone)
		return;
	memcpy(gone->since, since, sizeof(gone->since));
	trace_read_clocks(gone->until);
	list_add_rcu(&gone->list, &gone_modules);
	limit_gone_modules();
}

static const struct gone_func *find_func(const struct gone_module *gone, unsigned long addr)
{
	unsigned int low = 0, high = gone->nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;
		const struct gone_func *func = &gone->funcs[mid];

		if (addr >= func->addr && addr - func->addr < func->size)
			return func;
		if (addr < func->addr)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

/* Find the module whose function was at an address at the time of the event. */
static const struct gone_module *find_gone_module(const struct trace_iterator *iter,
						  unsigned long addr,
						  const struct gone_func **func)
{
	const struct gone_module *gone;
	int clock;

	if (list_empty(&gone_modules) || __is_kernel(addr))
		return NULL;
	clock = iter->tr->clock_id;
	list_for_each_entry_rcu(gone, &gone_modules, list, !preemptible()) {
		if ((s64)(iter->ts - gone->since[clock]) < 0 ||
		    (s64)(gone->until[clock] - iter->ts) < 0)
			continue;
		*func = find_func(gone, addr);
		if (*func)
			return gone;
	}
	return NULL;
}

/**
 * graph_find_gone_signature - find the signature of a recorded function
 * @iter:	the iterator, at the event that contains @addr
 * @addr:	the recorded address of the function
 * @sig:	filled in
 *
 * Context: any, with preemption disabled. @sig is valid until preemption is enabled.
 * Return: true if the function is of a module that is gone, and had a signature.
 */
bool graph_find_gone_signature(const struct trace_iterator *iter, unsigned long addr,
			       struct fgraph_sig *sig)
{
	const struct gone_func *func;
	const struct gone_module *gone = find_gone_module(iter, addr, &func);

	return gone && fgraph_find_copied_signature(gone->table, addr, sig);
}

/**
 * print_gone_func - print the name of a recorded function, as "%%ps" does
 * @s:		the buffer to print to
 * @iter:	the iterator, at the event that contains @addr
 * @addr:	the address of the function
 *
 * Return: false if the function is not of a module that is gone.
 */
bool print_gone_func(struct trace_seq *s, const struct trace_iterator *iter,
		     unsigned long addr)
{
	const struct gone_module *gone;
	const struct gone_func *func;

	preempt_disable_notrace();
	gone = find_gone_module(iter, addr, &func);
	if (gone)
		trace_seq_printf(s, "%s [%s]", gone->names + func->name, gone->module);
	preempt_enable_notrace();
	return gone;
}

/**
 * print_gone_retaddr - print a return address, as "%%pB" does
 * @s:		the buffer to print to
 * @iter:	the iterator, at the event that contains @addr
 * @addr:	the return address
 *
 * Return: false if the caller is not a function of a module that is gone.
 */
bool print_gone_retaddr(struct trace_seq *s, const struct trace_iterator *iter,
			unsigned long addr)
{
	const struct gone_module *gone;
	const struct gone_func *func;

	preempt_disable_notrace();
	/* A call can be the last instruction of its function. */
	gone = find_gone_module(iter, addr - 1, &func);
	if (gone)
		trace_seq_printf(s, "%s+%#lx/%#lx [%s]", gone->names + func->name,
				 addr - func->addr, func->size, gone->module);
	preempt_enable_notrace();
	return gone;
}
