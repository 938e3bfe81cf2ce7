// SPDX-License-Identifier: GPL-2.0
/*
 * The hash of functions: which users of fgraph trace a function, and its signature.
 *
 * Each user has a filter and a notrace hash of its own. fgraph merges them into one
 * hash. It contains all functions that a filter or notrace hash contains, with a bit for
 * each user that traces the function. So a call needs one lookup for all users. An empty
 * slot contains the users without a filter, because they trace all other functions.
 *
 * While signatures are requested by fgraph_signatures_get(), the hash also contains the
 * signature of each function. If one of the users has no filter, the hash then contains
 * every function. If the hash does not contain a signature, fgraph_find_text() searches
 * for it.
 *
 * One ftrace_ops hooks the functions that at least one user traces, and no others. Its
 * two hashes are made from the hash of functions.
 *
 * Readers take no lock, and run where RCU may not be watching: they disable preemption.
 * A hash is freed after a grace period of RCU tasks rude. A hash is never changed, with
 * one exception: if there is no memory for a new hash, its signatures are removed.
 */
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "ftrace_internal.h"
#include "trace.h"
#include "trace_graph_name.h"

/* Used while no user is registered */
static struct fgraph_hash fgraph_empty_hash = {
	.bits	= 1,
	.mask	= 1,
	.slots	= { { }, { } },
};

struct fgraph_hash __rcu *fgraph_hash __read_mostly =
	RCU_INITIALIZER(&fgraph_empty_hash);
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_hash);

/*
 * Number of calls of fgraph_signatures_get() that are not undone. Protected by
 * ftrace_lock, like everything that changes the hash.
 */
static unsigned int fgraph_signatures_wanted;

/* Return true if @hash is the filter of a user. Needs ftrace_lock. */
bool fgraph_filter_in_use(const struct ftrace_ops_hash *hash)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (gops->ops.func_hash == hash)
			return true;
	return false;
}

/* Set or clear @bit, the bit of a user, for the functions in @hash. */
static void fgraph_mark_functions(struct fgraph_hash *table,
				  struct ftrace_hash *hash,
				  unsigned long bit, bool wanted)
{
	struct ftrace_func_entry *entry;
	struct fgraph_hash_slot *slot;
	int i;

	if (ftrace_hash_empty(hash))
		return;

	for (i = 0; i < 1 << hash->size_bits; i++) {
		hlist_for_each_entry(entry, &hash->buckets[i], hlist) {
			/* The entry of a function of an unloaded module is 0. */
			if (!entry->ip)
				continue;
			slot = fgraph_find_hash_slot(table, entry->ip);
			slot->func = entry->ip;
			if (wanted)
				slot->users |= bit;
			else
				slot->users &= ~bit;
		}
	}
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
void fgraph_forget_functions(void)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		fgraph_clear_hash(gops->ops.func_hash->filter_hash);
		fgraph_clear_hash(gops->ops.func_hash->notrace_hash);
	}
}

/* Return the number of functions in all filters. A function in two filters counts twice. */
static unsigned long fgraph_count_functions(void)
{
	struct fgraph_ops *gops;
	unsigned long count = 0;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		struct ftrace_ops_hash *hash = gops->ops.func_hash;

		if (!ftrace_hash_empty(hash->filter_hash))
			count += hash->filter_hash->count;
		if (!ftrace_hash_empty(hash->notrace_hash))
			count += hash->notrace_hash->count;
	}
	return count;
}

/* Return a bit for each user without a filter. */
static unsigned long fgraph_unfiltered_users(void)
{
	struct fgraph_ops *gops;
	unsigned long users = 0;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (ftrace_hash_empty(gops->ops.func_hash->filter_hash))
			users |= BIT(gops->slot);
	return users;
}

/*
 * Return true if the hash must contain every function. A user without a filter may need
 * the signature of any function.
 */
static bool fgraph_all_signatures_wanted(void)
{
	return fgraph_signatures_wanted && fgraph_unfiltered_users();
}

/* Return the number of functions that the hash will contain, or somewhat more. */
static unsigned long fgraph_count_slots(void)
{
	unsigned long count = fgraph_count_functions();
	struct ftrace_rec_iter *iter;

	if (!fgraph_all_signatures_wanted())
		return count;
	for_ftrace_rec_iter(iter)
		count++;
	return count;
}

static struct fgraph_hash *fgraph_alloc_hash(void)
{
	/* At least half of the slots stay empty, so that a search is short. */
	unsigned int bits = ilog2(fgraph_count_slots() + 1) + 2;
	struct fgraph_hash *table;
	unsigned long i;

	table = kvmalloc(struct_size(table, slots, BIT(bits)), GFP_KERNEL);
	if (!table)
		return NULL;

	table->bits = bits;
	table->mask = BIT(bits) - 1;
	table->others = fgraph_unfiltered_users();
	for (i = 0; i <= table->mask; i++)
		table->slots[i] = (struct fgraph_hash_slot){ .users = table->others };
	return table;
}

static void fgraph_add_all_functions(struct fgraph_hash *table)
{
	struct ftrace_rec_iter *iter;

	for_ftrace_rec_iter(iter) {
		unsigned long func = ftrace_rec_iter_record(iter)->ip;

		fgraph_find_hash_slot(table, func)->func = func;
	}
}

/*
 * Store the signature of each function in the hash. The module of a signature may be
 * about to be unloaded. Then no function of this module is called, and another module at
 * the same address calls fgraph_signatures_changed() before its functions are called.
 */
static void fgraph_mark_signatures(struct fgraph_hash *table)
{
	struct fgraph_hash_slot *slot;
	struct fgraph_sig sig;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++) {
		if (!slot->func)
			continue;
		preempt_disable();
		slot->sig = FGRAPH_NO_SIGNATURE;
		if (fgraph_find_signature(slot->func, &sig)) {
			slot->sig = sig.text;
			slot->names = graph_plan_names(slot->func, &sig);
		}
		preempt_enable();
		cond_resched();
	}
}

/* Make a hash of the current filters. Return NULL if there is no memory. */
static struct fgraph_hash *fgraph_make_hash(void)
{
	struct fgraph_hash *table = fgraph_alloc_hash();
	struct fgraph_ops *gops;

	if (!table)
		return NULL;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		struct ftrace_ops_hash *hash = gops->ops.func_hash;

		fgraph_mark_functions(table, hash->filter_hash,
				      BIT(gops->slot), true);
		fgraph_mark_functions(table, hash->notrace_hash,
				      BIT(gops->slot), false);
	}

	if (fgraph_all_signatures_wanted())
		fgraph_add_all_functions(table);
	if (fgraph_signatures_wanted)
		fgraph_mark_signatures(table);
	return table;
}

static void fgraph_free_hash(struct rcu_head *rcu)
{
	kvfree(container_of(rcu, struct fgraph_hash, rcu));
}

static void fgraph_replace_hash(struct fgraph_hash *table)
{
	struct fgraph_hash *old = rcu_dereference_raw(fgraph_hash);

	rcu_assign_pointer(fgraph_hash, table);
	if (old != &fgraph_empty_hash)
		call_rcu_tasks_rude(&old->rcu, fgraph_free_hash);
}

/*
 * Remove the signatures from the hash if there is no memory for a new hash. They may
 * belong to an unloaded module.
 */
void fgraph_forget_signatures(void)
{
	struct fgraph_hash *table = rcu_dereference_raw(fgraph_hash);
	struct fgraph_hash_slot *slot;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++) {
		WRITE_ONCE(slot->names, 0);
		WRITE_ONCE(slot->sig, NULL);
	}
}

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

/* Give @hashes to @graph_ops, and free its old hashes. */
static void fgraph_replace_ftrace_hashes(struct ftrace_ops *graph_ops,
					 struct ftrace_ops_hash *hashes)
{
	ftrace_swap_hashes(graph_ops, hashes);
	if (hashes->filter_hash)
		call_rcu(&hashes->filter_hash->rcu, fgraph_free_ftrace_hash_rcu);
	if (hashes->notrace_hash)
		call_rcu(&hashes->notrace_hash->rcu, fgraph_free_ftrace_hash_rcu);
}

/* Make ftrace hook the functions in @hash, or all other functions if @inverted. */
static void fgraph_use_ftrace_hash(struct ftrace_ops *graph_ops,
				   struct ftrace_hash *hash, bool inverted)
{
	struct ftrace_ops_hash hashes = {
		.filter_hash = inverted ? NULL : hash,
		.notrace_hash = inverted ? hash : NULL,
	};

	/* Avoid this if nothing changed, because ftrace then checks all functions again. */
	if (fgraph_same_hash(graph_ops->func_hash->filter_hash, hashes.filter_hash) &&
	    fgraph_same_hash(graph_ops->func_hash->notrace_hash, hashes.notrace_hash))
		fgraph_free_ftrace_hash(hash);
	else
		fgraph_replace_ftrace_hashes(graph_ops, &hashes);
}

/**
 * fgraph_update_filter - update the hooks and the hash of functions to the current users
 * @graph_ops: the one ftrace_ops of fgraph
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0 or -ENOMEM. After an error, hooks and hash are unchanged.
 */
int fgraph_update_filter(struct ftrace_ops *graph_ops)
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
	fgraph_use_ftrace_hash(graph_ops, hash, table->others);
	return 0;
}

/* Free the hash and the filter of fgraph when no user is left. Needs ftrace_lock. */
void fgraph_drop_filter(struct ftrace_ops *graph_ops)
{
	struct ftrace_ops_hash none = { };

	fgraph_replace_hash(&fgraph_empty_hash);
	/* If ftrace is dead, it still uses the hashes. */
	if (!(graph_ops->flags & FTRACE_OPS_FL_ENABLED))
		fgraph_replace_ftrace_hashes(graph_ops, &none);
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/*
 * Update the hash of functions. If there is no memory, keep the old users of each function
 * and remove the signatures.
 */
static void fgraph_update_hash(void)
{
	struct fgraph_hash *table = fgraph_make_hash();

	if (table)
		fgraph_replace_hash(table);
	else
		fgraph_forget_signatures();
}

/**
 * fgraph_signatures_changed - update the hash after functions or signatures changed
 *
 * The hooks do not change.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_signatures_changed(void)
{
	if (fgraph_signatures_wanted && fgraph_next_user(NULL))
		fgraph_update_hash();
}

/**
 * fgraph_signatures_get - prepare for lookups of many signatures
 *
 * Lookups are fast until fgraph_signatures_put() has been called the same number of
 * times. If there is no memory, they stay slow.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_signatures_get(void)
{
	mutex_lock(&ftrace_lock);
	fgraph_signatures_wanted++;
	if (fgraph_signatures_wanted == 1)
		fgraph_signatures_changed();
	mutex_unlock(&ftrace_lock);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_signatures_get);

/**
 * fgraph_signatures_put - undo fgraph_signatures_get()
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_signatures_put(void)
{
	mutex_lock(&ftrace_lock);
	fgraph_signatures_wanted--;
	/* Free the memory of the signatures. */
	if (!fgraph_signatures_wanted && fgraph_next_user(NULL))
		fgraph_update_hash();
	mutex_unlock(&ftrace_lock);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_signatures_put);
#endif
