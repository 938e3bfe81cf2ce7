// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of users: which functions a user traces. A user has a filter of its own, or
 * shares that of an ftrace_ops.
 *
 * When a filter changes, or functions are freed, the hooks and the hash of functions change
 * with it.
 */
#include <linux/mutex.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

/**
 * fgraph_share_filter - make a user follow the filter of an ftrace_ops
 * @gops: the user, not registered
 * @ops: the ftrace_ops whose filter and notrace hash @gops shares; it must outlive @gops
 */
void fgraph_share_filter(struct fgraph_ops *gops, struct ftrace_ops *ops)
{
	ftrace_ops_init(ops);
	ftrace_ops_init(&gops->ops);
	gops->ops.func_hash = ops->func_hash;
	gops->shared_hash = ops->func_hash;
}
EXPORT_SYMBOL_GPL(fgraph_share_filter);

/*
 * If @gops shares a filter, give it its own copy until it unregisters. Needs
 * ftrace_lock. Return 0 or -ENOMEM.
 */
int fgraph_own_filter(struct fgraph_ops *gops)
{
	struct ftrace_ops_hash *own = &gops->ops.local_hash;
	const struct ftrace_ops_hash *shared = gops->shared_hash;

	if (!shared || gops->ops.func_hash == own)
		return 0;

	own->filter_hash = alloc_and_copy_ftrace_hash(FTRACE_HASH_DEFAULT_BITS,
						      shared->filter_hash);
	own->notrace_hash = alloc_and_copy_ftrace_hash(FTRACE_HASH_DEFAULT_BITS,
						       shared->notrace_hash);
	if (!own->filter_hash || !own->notrace_hash) {
		free_ftrace_hash(own->filter_hash);
		free_ftrace_hash(own->notrace_hash);
		return -ENOMEM;
	}
	gops->ops.func_hash = own;
	return 0;
}

/* Undo fgraph_own_filter(). Needs ftrace_lock. */
void fgraph_disown_filter(struct fgraph_ops *gops)
{
	if (!gops->shared_hash || gops->ops.func_hash == gops->shared_hash)
		return;

	ftrace_free_filter(&gops->ops);
	gops->ops.func_hash = gops->shared_hash;
}

/* Return true if @hash is the filter of a user. Needs ftrace_lock. */
static bool fgraph_filter_in_use(const struct ftrace_ops_hash *hash)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (gops->ops.func_hash == hash)
			return true;
	return false;
}

/**
 * fgraph_filter_changed - update the hooks after a filter was changed
 * @hash: the filter, of a user of fgraph or of another ftrace_ops
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0 or -ENOMEM. After an error, the hooks and the hash of functions are unchanged,
 * and the caller restores the old filter.
 */
int fgraph_filter_changed(const struct ftrace_ops_hash *hash)
{
	int ret;

	if (!fgraph_filter_in_use(hash))
		return 0;

	ret = fgraph_hook_functions();
	if (ret)
		pr_warn("fgraph: out of memory: the filter of a user was not changed\n");
	else
		update_function_graph_func();
	return ret;
}

/* Set the entries of functions that ftrace no longer traces to 0, like ftrace does. */
static void fgraph_clear_hash(struct ftrace_hash *hash)
{
	struct ftrace_func_entry *entry;
	int i;

	if (ftrace_hash_empty(hash))
		return;

	for (i = 0; i < 1 << hash->size_bits; i++) {
		hlist_for_each_entry(entry, &hash->buckets[i], hlist) {
			if (entry->ip && !ftrace_location_range(entry->ip, entry->ip))
				entry->ip = 0;
		}
	}
}

/* Remove freed functions from the filters of all users. Needs ftrace_lock. */
static void fgraph_forget_functions(void)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		fgraph_clear_hash(gops->ops.func_hash->filter_hash);
		fgraph_clear_hash(gops->ops.func_hash->notrace_hash);
	}
}

/**
 * fgraph_functions_removed - remove freed functions of a module from all filters
 *
 * Another module may be loaded at the same addresses, and its functions must not match a
 * filter.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_functions_removed(void)
{
	mutex_lock(&ftrace_lock);
	if (fgraph_taken) {
		fgraph_forget_functions();
		fgraph_unhook_functions();
		update_function_graph_func();
	}
	mutex_unlock(&ftrace_lock);
}
