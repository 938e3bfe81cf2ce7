// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks: one ftrace_ops hooks the functions that at least one user traces, and no
 * others. Its two hashes are made from the hash of functions.
 *
 * ftrace_lock protects everything in this file.
 *
 * With parts of fgraph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/suspend.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * archs can override this function if they must do something
 * to enable hook for graph tracer.
 */
int __weak ftrace_enable_ftrace_graph_caller(void)
{
	return 0;
}

/*
 * archs can override this function if they must do something
 * to disable hook for graph tracer.
 */
int __weak ftrace_disable_ftrace_graph_caller(void)
{
	return 0;
}
#endif

/* Arch code without DYNAMIC_FTRACE compares the next two pointers with their stubs. */
extern void ftrace_stub_graph(void);

void ftrace_graph_entry_stub(void)
{
}

static void fgraph_hooks_enabled(void)
{
}

void (*ftrace_graph_return)(void) = ftrace_stub_graph;
void (*ftrace_graph_entry)(void) = ftrace_graph_entry_stub;

static void fgraph_set_arch_hooks(bool active)
{
	ftrace_graph_return = active ? fgraph_hooks_enabled : ftrace_stub_graph;
	ftrace_graph_entry = active ? fgraph_hooks_enabled : ftrace_graph_entry_stub;
}

/* Hooks the functions that at least one user traces. */
static struct ftrace_ops graph_ops = {
	.func			= ftrace_graph_func,
	.flags			= FTRACE_OPS_FL_INITIALIZED |
				   FTRACE_OPS_GRAPH_STUB,
#ifdef FTRACE_GRAPH_TRAMP_ADDR
	.trampoline		= FTRACE_GRAPH_TRAMP_ADDR,
	/* trampoline_size is only needed for dynamically allocated tramps */
#endif
#ifdef CONFIG_DYNAMIC_FTRACE
	.func_hash		= &graph_ops.local_hash,
	.local_hash.regex_lock	= __MUTEX_INITIALIZER(graph_ops.local_hash.regex_lock),
#endif
};

/*
 * Hibernation protection.
 * The state of the current task is too much unstable during
 * suspend/restore to disk. We want to protect against that.
 */
static int ftrace_suspend_notifier_call(struct notifier_block *bl,
					unsigned long state, void *unused)
{
	switch (state) {
	case PM_HIBERNATION_PREPARE:
		pause_graph_tracing();
		break;

	case PM_POST_HIBERNATION:
		unpause_graph_tracing();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block ftrace_suspend_notifier = {
	.notifier_call = ftrace_suspend_notifier_call,
};

/*
 * True if the hooks are started. The flags of graph_ops do not show this after
 * ftrace_kill(), which clears none of them.
 */
static bool fgraph_hooks_started;

/**
 * fgraph_start_hooks - let ftrace hook functions
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0, or the error of ftrace.
 */
int fgraph_start_hooks(void)
{
	int ret;

	register_pm_notifier(&ftrace_suspend_notifier);
	fgraph_set_arch_hooks(true);
	ret = ftrace_startup(&graph_ops, FTRACE_START_FUNC_RET);
	if (ret) {
		fgraph_set_arch_hooks(false);
		unregister_pm_notifier(&ftrace_suspend_notifier);
	}
	fgraph_hooks_started = !ret;
	return ret;
}

/**
 * fgraph_stop_hooks - undo fgraph_start_hooks()
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: false if the hooks are not started.
 */
bool fgraph_stop_hooks(void)
{
	if (!fgraph_hooks_started)
		return false;

	fgraph_hooks_started = false;
	fgraph_set_arch_hooks(false);
	ftrace_shutdown(&graph_ops, FTRACE_STOP_FUNC_RET);
	unregister_pm_notifier(&ftrace_suspend_notifier);
	return true;
}

/* True if functions that no user traces stay hooked because there was no memory */
static bool fgraph_hooks_stale;

/*
 * Return true if calls that other ftrace_ops hook also enter fgraph. This happens where
 * the graph hook is not a separate ftrace_ops.
 */
static bool fgraph_shares_hook(void)
{
	struct ftrace_ops *op;

	if (!(graph_ops.flags & FTRACE_OPS_FL_STUB))
		return false;

	do_for_each_ftrace_op(op, ftrace_ops_list) {
		if (op != &graph_ops && op != &ftrace_list_end)
			return true;
	} while_for_each_ftrace_op(op);
	return false;
}

/**
 * fgraph_hooks_surplus - check for hooks that no user needs
 *
 * Context: ftrace_lock must be held.
 * Return: true if a call may enter fgraph although no user traces the function.
 */
bool fgraph_hooks_surplus(void)
{
	return fgraph_hooks_stale || fgraph_shares_hook();
}

#ifdef CONFIG_DYNAMIC_FTRACE
/* A hash for ftrace. One block for all entries is fast, even if kmalloc() is traced. */
struct fgraph_ftrace_hash {
	struct ftrace_hash		hash;
	struct ftrace_func_entry	entries[];
};

/*
 * Return true if the function of @slot is in the hash for ftrace. This hash contains the
 * functions that a user traces. If there is a user without a filter, it is a notrace
 * hash, and contains the functions that no user traces.
 */
static bool fgraph_is_listed(const struct fgraph_hash *table, const struct fgraph_hash_slot *slot)
{
	return slot->func && !slot->users == !!table->others;
}

static unsigned long fgraph_count_listed(const struct fgraph_hash *table)
{
	const struct fgraph_hash_slot *slot;
	unsigned long count = 0;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++)
		count += fgraph_is_listed(table, slot);
	return count;
}

static void fgraph_free_ftrace_hash(struct ftrace_hash *hash)
{
	if (!hash)
		return;
	kvfree(hash->buckets);
	kvfree(container_of(hash, struct fgraph_ftrace_hash, hash));
}

static void fgraph_free_ftrace_hash_rcu(struct rcu_head *rcu)
{
	fgraph_free_ftrace_hash(container_of(rcu, struct ftrace_hash, rcu));
}

/* Allocate an empty hash with room for @count entries. Return NULL on failure. */
static struct ftrace_hash *fgraph_alloc_ftrace_hash(unsigned long count)
{
	/* ftrace uses the same number of buckets for a filter of this size. */
	int bits = min_t(int, ilog2(count), FTRACE_HASH_MAX_BITS);
	struct fgraph_ftrace_hash *block;

	block = kvzalloc(struct_size(block, entries, count), GFP_KERNEL);
	if (!block)
		return NULL;
	block->hash.size_bits = bits;
	block->hash.buckets = kvcalloc(BIT(bits), sizeof(*block->hash.buckets), GFP_KERNEL);
	if (!block->hash.buckets) {
		kvfree(block);
		return NULL;
	}
	return &block->hash;
}

static void fgraph_add_function(struct ftrace_hash *hash, unsigned long func)
{
	struct fgraph_ftrace_hash *block = container_of(hash, struct fgraph_ftrace_hash, hash);
	struct ftrace_func_entry *entry = &block->entries[hash->count];

	entry->ip = func;
	__add_hash_entry(hash, entry);
}

/* Make the filter or the notrace hash of the one ftrace_ops from @table. */
static struct ftrace_hash *fgraph_make_ftrace_hash(const struct fgraph_hash *table)
{
	struct ftrace_hash *hash = fgraph_alloc_ftrace_hash(fgraph_count_listed(table) + 1);
	const struct fgraph_hash_slot *slot;

	if (!hash)
		return NULL;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++)
		if (fgraph_is_listed(table, slot))
			fgraph_add_function(hash, slot->func);
	/* With an empty filter, ftrace would hook all functions. */
	if (!hash->count && !table->others)
		fgraph_add_function(hash, 0);
	return hash;
}

static bool fgraph_same_hash(struct ftrace_hash *old, struct ftrace_hash *new)
{
	struct ftrace_func_entry *entry;
	int i;

	if (ftrace_hash_empty(old) || ftrace_hash_empty(new))
		return ftrace_hash_empty(old) == ftrace_hash_empty(new);
	if (old->count != new->count)
		return false;

	for (i = 0; i < 1 << new->size_bits; i++) {
		hlist_for_each_entry(entry, &new->buckets[i], hlist) {
			if (!ftrace_lookup_ip(old, entry->ip))
				return false;
		}
	}
	return true;
}

/* Give @hashes to the one ftrace_ops, and free its old hashes. */
static void fgraph_replace_ftrace_hashes(struct ftrace_ops_hash *hashes)
{
	ftrace_swap_hashes(&graph_ops, hashes);
	if (hashes->filter_hash)
		call_rcu(&hashes->filter_hash->rcu, fgraph_free_ftrace_hash_rcu);
	if (hashes->notrace_hash)
		call_rcu(&hashes->notrace_hash->rcu, fgraph_free_ftrace_hash_rcu);
}

/* Make ftrace hook the functions in @hash, or all other functions if @inverted. */
static void fgraph_use_ftrace_hash(struct ftrace_hash *hash, bool inverted)
{
	struct ftrace_ops_hash hashes = {
		.filter_hash = inverted ? NULL : hash,
		.notrace_hash = inverted ? hash : NULL,
	};

	/* Avoid this if nothing changed, because ftrace then checks all functions again. */
	if (fgraph_same_hash(graph_ops.func_hash->filter_hash, hashes.filter_hash) &&
	    fgraph_same_hash(graph_ops.func_hash->notrace_hash, hashes.notrace_hash))
		fgraph_free_ftrace_hash(hash);
	else
		fgraph_replace_ftrace_hashes(&hashes);
}

/**
 * fgraph_hook_functions - hook the functions that the current users trace
 *
 * This also publishes a new hash of functions.
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0 or -ENOMEM. After an error, hooks and hash are unchanged.
 */
int fgraph_hook_functions(void)
{
	struct fgraph_hash *table = fgraph_make_hash();
	struct ftrace_hash *hash;

	if (!table)
		return -ENOMEM;
	hash = fgraph_make_ftrace_hash(table);
	if (!hash) {
		kvfree(table);
		return -ENOMEM;
	}

	/* Publish the hash first: a call of a newly hooked function must find its users. */
	fgraph_replace_hash(table);
	fgraph_use_ftrace_hash(hash, table->others);
	fgraph_hooks_stale = false;
	return 0;
}

/**
 * fgraph_unhook_functions - update the hooks after a user or functions were removed
 *
 * If there is no memory, functions that no user traces stay hooked, and their calls are
 * looked up until the next change.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_unhook_functions(void)
{
	if (!fgraph_hook_functions())
		return;

	fgraph_hooks_stale = true;
	fgraph_forget_infos();
}

/**
 * fgraph_drop_hooks - free the hashes when no user is left
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_drop_hooks(void)
{
	struct ftrace_ops_hash none = { };

	fgraph_replace_hash(NULL);
	/* If ftrace is dead, it still uses the hashes. */
	if (!(graph_ops.flags & FTRACE_OPS_FL_ENABLED))
		fgraph_replace_ftrace_hashes(&none);
}
#endif
