// SPDX-License-Identifier: GPL-2.0
/*
 * What a call looks up of its function: which users of fgraph want it, and its
 * signature.
 *
 * Each user has a filter and a notrace hash of its own. They are united in one
 * hash, of all functions that a user names, with a bit for each user that wants
 * the function: so a call takes one lookup, whatever the number of users. A slot
 * that is empty has the users that want what nobody names: those without a filter.
 *
 * While somebody asks for signatures, each function in the hash has its own, and if
 * a user has no filter, every function is there. Else fgraph_find_text() searches.
 *
 * ftrace hooks the functions that a user wants, and no others, with one ftrace_ops
 * for all of them, whose own two hashes are made of the one here.
 *
 * Readers hold no lock, and may be where RCU is not watching: they disable
 * preemption, and a hash goes after RCU tasks rude has seen all of them gone. It
 * never changes, unless there is no memory for a new one to take its place: then
 * it loses its signatures.
 */
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "ftrace_internal.h"
#include "trace.h"

/* Nobody wants anything. */
static struct fgraph_hash fgraph_empty_hash = {
	.bits	= 1,
	.mask	= 1,
	.slots	= { { }, { } },
};

struct fgraph_hash __rcu *fgraph_hash __read_mostly =
	RCU_INITIALIZER(&fgraph_empty_hash);
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_hash);

/* How many ask for signatures. Under ftrace_lock, as all that changes the hash. */
static unsigned int fgraph_signatures_wanted;

/* Whether @hash is the filter of a user. ftrace_lock must be held. */
bool fgraph_filter_in_use(const struct ftrace_ops_hash *hash)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (gops->ops.func_hash == hash)
			return true;
	return false;
}

/* Let the user of @bit want, or not, what @hash has. */
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
			/* 0 was in a module that has gone */
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

/* Remove what ftrace no longer has from @hash. The base does this by a 0, too. */
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

/* Remove functions that were freed from the filters of all users. Needs ftrace_lock. */
void fgraph_forget_functions(void)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		fgraph_clear_hash(gops->ops.func_hash->filter_hash);
		fgraph_clear_hash(gops->ops.func_hash->notrace_hash);
	}
}

/* How many functions all users name, those twice that two of them do */
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

/* The users that have no filter, a bit each */
static unsigned long fgraph_unfiltered_users(void)
{
	struct fgraph_ops *gops;
	unsigned long users = 0;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (ftrace_hash_empty(gops->ops.func_hash->filter_hash))
			users |= BIT(gops->slot);
	return users;
}

/* Whether to have every function in the hash, as it may be called, for its signature */
static bool fgraph_all_signatures_wanted(void)
{
	return fgraph_signatures_wanted && fgraph_unfiltered_users();
}

/* How many functions the hash is to have, or somewhat more */
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
	/* Half of the slots and more stay empty, so that a search is short */
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
 * Give each function in the hash its signature. That of a module may be found as it
 * goes: nobody calls the function, until another module that comes to its place has
 * called fgraph_signatures_changed().
 */
static void fgraph_mark_signatures(struct fgraph_hash *table)
{
	struct fgraph_hash_slot *slot;
	struct fgraph_sig sig;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++) {
		if (!slot->func)
			continue;
		preempt_disable();
		slot->sig = fgraph_find_signature(slot->func, &sig) ?
			sig.text : FGRAPH_NO_SIGNATURE;
		preempt_enable();
		cond_resched();
	}
}

/* What the users want now, or NULL without memory */
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

/* Without memory for a new hash: signatures in this one may be of an unloaded module. */
void fgraph_forget_signatures(void)
{
	struct fgraph_hash *table = rcu_dereference_raw(fgraph_hash);
	struct fgraph_hash_slot *slot;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++)
		WRITE_ONCE(slot->sig, NULL);
}

/* A hash for ftrace. To allocate each entry would be slow if kmalloc() is traced. */
struct fgraph_ftrace_hash {
	struct ftrace_hash		hash;
	struct ftrace_func_entry	entries[];
};

/*
 * Whether the function of @slot is in the hash: what somebody wants, or if there is a
 * user without a filter, what nobody wants.
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

/* A hash without entries, with room for @count of them, or NULL without memory */
static struct ftrace_hash *fgraph_alloc_ftrace_hash(unsigned long count)
{
	/* ftrace gives a filter of this size the same number of buckets. */
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

/* The filter that makes ftrace hook what somebody wants, or the notrace hash for it */
static struct ftrace_hash *fgraph_make_ftrace_hash(const struct fgraph_hash *table)
{
	struct ftrace_hash *hash = fgraph_alloc_ftrace_hash(fgraph_count_listed(table) + 1);
	const struct fgraph_hash_slot *slot;

	if (!hash)
		return NULL;

	for (slot = table->slots; slot <= table->slots + table->mask; slot++)
		if (fgraph_is_listed(table, slot))
			fgraph_add_function(hash, slot->func);
	/* An empty filter would mean everything */
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

/* Swap the hashes of @graph_ops, and free the old ones. */
static void fgraph_replace_ftrace_hashes(struct ftrace_ops *graph_ops,
					 struct ftrace_ops_hash *hashes)
{
	ftrace_swap_hashes(graph_ops, hashes);
	if (hashes->filter_hash)
		call_rcu(&hashes->filter_hash->rcu, fgraph_free_ftrace_hash_rcu);
	if (hashes->notrace_hash)
		call_rcu(&hashes->notrace_hash->rcu, fgraph_free_ftrace_hash_rcu);
}

/* Let ftrace hook what is in @hash, or if @inverted, all the rest. */
static void fgraph_use_ftrace_hash(struct ftrace_ops *graph_ops,
				   struct ftrace_hash *hash, bool inverted)
{
	struct ftrace_ops_hash hashes = {
		.filter_hash = inverted ? NULL : hash,
		.notrace_hash = inverted ? hash : NULL,
	};

	/* To look at all functions again takes long. */
	if (fgraph_same_hash(graph_ops->func_hash->filter_hash, hashes.filter_hash) &&
	    fgraph_same_hash(graph_ops->func_hash->notrace_hash, hashes.notrace_hash))
		fgraph_free_ftrace_hash(hash);
	else
		fgraph_replace_ftrace_hashes(graph_ops, &hashes);
}

/**
 * fgraph_update_filter - hook what the users want now, and let calls find it
 * @graph_ops: the one ftrace_ops of fgraph
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0, or -ENOMEM: then hooks and lookups are as they were.
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

	/* A call of what gets hooked must find that it is wanted */
	fgraph_replace_hash(table);
	fgraph_use_ftrace_hash(graph_ops, hash, table->others);
	return 0;
}

/*
 * Free what the users wanted, when there is none. Needs ftrace_lock. A test does not
 * find a hash that stays, because the next user replaces it.
 */
void fgraph_drop_filter(struct ftrace_ops *graph_ops)
{
	struct ftrace_ops_hash none = { };

	fgraph_replace_hash(&fgraph_empty_hash);
	/* If ftrace is dead, it has not let go of the hash. */
	if (!(graph_ops->flags & FTRACE_OPS_FL_ENABLED))
		fgraph_replace_ftrace_hashes(graph_ops, &none);
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/*
 * Let calls find what there is now. Without memory they find who wanted what before,
 * and no signatures.
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
 * fgraph_signatures_changed - there are more functions, or other signatures
 *
 * The hooks are not touched.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_signatures_changed(void)
{
	if (fgraph_signatures_wanted && fgraph_next_user(NULL))
		fgraph_update_hash();
}

/**
 * fgraph_signatures_get - many signatures will be looked up
 *
 * Makes it fast, until fgraph_signatures_put() is called as often; without memory,
 * it stays slow.
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
	/* Give the memory back */
	if (!fgraph_signatures_wanted && fgraph_next_user(NULL))
		fgraph_update_hash();
	mutex_unlock(&ftrace_lock);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_signatures_put);
#endif
