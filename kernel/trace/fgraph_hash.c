// SPDX-License-Identifier: GPL-2.0
/*
 * The hash of functions: which users of fgraph trace a function, and its info.
 *
 * Each user has a filter and a notrace hash of its own. fgraph merges them into one
 * hash. It contains all functions that a filter or notrace hash contains, with a bit for
 * each user that traces the function. So a call needs one lookup for all users. An empty
 * slot contains the users without a filter, because they trace all other functions.
 *
 * While infos are requested by fgraph_info_get(), the hash also contains the info of each
 * function, which fgraph does not read. If one of the users has no filter, the hash then
 * contains every function.
 *
 * Readers take no lock, and run where RCU may not be watching: they disable preemption.
 * A hash is freed with its infos after a grace period of RCU tasks rude. A hash is never
 * changed, with one exception: if there is no memory for a new hash, its infos are removed.
 */
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

/* Used while no user is registered */
static struct fgraph_hash fgraph_empty_hash = {
	.bits	= 1,
	.mask	= 1,
	.slots	= { { }, { } },
};

struct fgraph_hash __rcu *fgraph_hash __read_mostly =
	RCU_INITIALIZER(&fgraph_empty_hash);

/* The source of infos, and the number of calls of fgraph_info_get() that are not undone */
static const struct fgraph_info_ops *fgraph_info_ops;
static unsigned int fgraph_infos_wanted;

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
 * the info of any function.
 */
static bool fgraph_all_infos_wanted(void)
{
	return fgraph_infos_wanted && fgraph_unfiltered_users();
}

/* Return the number of functions that the hash will contain, or somewhat more. */
static unsigned long fgraph_count_slots(void)
{
	unsigned long count = fgraph_count_functions();
	struct ftrace_rec_iter *iter;

	if (!fgraph_all_infos_wanted())
		return count;
	for_ftrace_rec_iter(iter)
		count++;
	return count;
}

/* Allocate a hash with empty slots, and with room for an info of each function after them. */
static struct fgraph_hash *fgraph_alloc_hash(void)
{
	unsigned long i, count = fgraph_count_slots();
	/* At least half of the slots stay empty, so that a search is short. */
	unsigned int bits = ilog2(count + 1) + 2;
	struct fgraph_hash *table;
	size_t infos = 0;

	if (fgraph_infos_wanted)
		infos = array_size(count, fgraph_info_ops->size);
	table = kvmalloc(size_add(struct_size(table, slots, BIT(bits)), infos), GFP_KERNEL);
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

/* Store the info of each function in the hash. */
static void fgraph_fill_infos(struct fgraph_hash *table)
{
	void *room = &table->slots[table->mask + 1];
	struct fgraph_hash_slot *slot;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++) {
		if (!slot->func)
			continue;
		slot->info = fgraph_info_ops->fill(slot->func, room);
		if (slot->info == room)
			room += fgraph_info_ops->size;
		cond_resched();
	}
}

/**
 * fgraph_make_hash - make a hash of the current filters
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: the hash, for fgraph_replace_hash() or kvfree(); NULL if there is no memory.
 */
struct fgraph_hash *fgraph_make_hash(void)
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

	if (fgraph_all_infos_wanted())
		fgraph_add_all_functions(table);
	if (fgraph_infos_wanted)
		fgraph_fill_infos(table);
	return table;
}

static void fgraph_free_hash(struct rcu_head *rcu)
{
	kvfree(container_of(rcu, struct fgraph_hash, rcu));
}

/**
 * fgraph_replace_hash - publish a hash, and free the old one
 * @table: the hash, or NULL if no user is left
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_replace_hash(struct fgraph_hash *table)
{
	struct fgraph_hash *old = rcu_dereference_raw(fgraph_hash);

	rcu_assign_pointer(fgraph_hash, table ?: &fgraph_empty_hash);
	if (old != &fgraph_empty_hash)
		call_rcu_tasks_rude(&old->rcu, fgraph_free_hash);
}

/**
 * fgraph_forget_infos - remove the infos from the hash if there is no memory for a new hash
 *
 * They may describe functions of an unloaded module.
 *
 * Context: ftrace_lock must be held.
 */
void fgraph_forget_infos(void)
{
	struct fgraph_hash *table = rcu_dereference_raw(fgraph_hash);
	struct fgraph_hash_slot *slot;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++)
		WRITE_ONCE(slot->info, NULL);
}

/* Update the infos. If there is no memory, keep the users of each function. */
static void fgraph_renew_infos(void)
{
	struct fgraph_hash *table;

	/* The hash without users has no functions. */
	if (!fgraph_next_user(NULL))
		return;

	table = fgraph_make_hash();
	if (table)
		fgraph_replace_hash(table);
	else
		fgraph_forget_infos();
}

/**
 * fgraph_info_changed - update the hash after functions or their infos changed
 *
 * The hooks do not change. Calls may use the old infos until a grace period of RCU tasks
 * rude has passed.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_info_changed(void)
{
	if (fgraph_infos_wanted)
		fgraph_renew_infos();
}

/**
 * fgraph_info_get - let the hash contain an info of each function
 * @ops: the source of infos, the same for all callers
 *
 * Until fgraph_info_put() has been called the same number of times, the lookup of a
 * function returns its info. If there is no memory, it returns NULL.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_info_get(const struct fgraph_info_ops *ops)
{
	mutex_lock(&ftrace_lock);
	fgraph_info_ops = ops;
	fgraph_infos_wanted++;
	if (fgraph_infos_wanted == 1)
		fgraph_renew_infos();
	mutex_unlock(&ftrace_lock);
}

/**
 * fgraph_info_put - undo fgraph_info_get()
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_info_put(void)
{
	mutex_lock(&ftrace_lock);
	fgraph_infos_wanted--;
	/* Free the memory of the infos. */
	if (!fgraph_infos_wanted)
		fgraph_renew_infos();
	mutex_unlock(&ftrace_lock);
}
