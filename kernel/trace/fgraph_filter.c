// SPDX-License-Identifier: GPL-2.0
/*
 * Which users of fgraph want which functions.
 *
 * Each user has a filter and a notrace hash of its own. They are united in one
 * hash, of all functions that a user names, with a bit for each user that wants
 * the function: so a call takes one lookup, whatever the number of users. A slot
 * that is empty has the users that want what nobody names: those without a filter.
 *
 * ftrace hooks the functions that a user wants, and no others, with one ftrace_ops
 * for all of them, whose own two hashes are made of the one here.
 *
 * Readers hold no lock, and may be where RCU is not watching: they disable
 * preemption, and a hash goes after RCU tasks rude has seen all of them gone. It
 * never changes; a new one takes its place.
 */
#include <linux/log2.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

/* Nobody wants anything. */
static struct fgraph_attrs fgraph_no_attrs = {
	.bits	= 1,
	.slots	= { { }, { } },
};

struct fgraph_attrs __rcu *fgraph_attrs __read_mostly =
	RCU_INITIALIZER(&fgraph_no_attrs);

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
static void fgraph_mark_functions(struct fgraph_attrs *attrs,
				  struct ftrace_hash *hash,
				  unsigned long bit, bool wanted)
{
	struct ftrace_func_entry *entry;
	struct fgraph_attr *attr;
	int i;

	if (ftrace_hash_empty(hash))
		return;

	for (i = 0; i < 1 << hash->size_bits; i++) {
		hlist_for_each_entry(entry, &hash->buckets[i], hlist) {
			/* 0 was in a module that has gone */
			if (!entry->ip)
				continue;
			attr = fgraph_find_attr(attrs, entry->ip);
			attr->func = entry->ip;
			if (wanted)
				attr->users |= bit;
			else
				attr->users &= ~bit;
		}
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

static struct fgraph_attrs *fgraph_alloc_attrs(void)
{
	/* Half of the slots and more stay empty, so that a search is short */
	unsigned int bits = ilog2(fgraph_count_functions() + 1) + 2;
	struct fgraph_attrs *attrs;
	unsigned long i;

	attrs = kvmalloc(struct_size(attrs, slots, BIT(bits)), GFP_KERNEL);
	if (!attrs)
		return NULL;

	attrs->bits = bits;
	attrs->others = fgraph_unfiltered_users();
	for (i = 0; i < BIT(bits); i++)
		attrs->slots[i] = (struct fgraph_attr){ .users = attrs->others };
	return attrs;
}

/* What the users want now, or NULL without memory */
static struct fgraph_attrs *fgraph_unite_filters(void)
{
	struct fgraph_attrs *attrs = fgraph_alloc_attrs();
	struct fgraph_ops *gops;

	if (!attrs)
		return NULL;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		struct ftrace_ops_hash *hash = gops->ops.func_hash;

		fgraph_mark_functions(attrs, hash->filter_hash,
				      BIT(gops->slot), true);
		fgraph_mark_functions(attrs, hash->notrace_hash,
				      BIT(gops->slot), false);
	}
	return attrs;
}

/*
 * Add to @hash what ftrace must know of: what somebody wants, or if there is a user
 * without a filter, what nobody wants.
 */
static int fgraph_add_functions(struct ftrace_hash *hash,
				const struct fgraph_attrs *attrs)
{
	const struct fgraph_attr *attr;
	int ret = 0;

	for (attr = attrs->slots; attr < attrs->slots + BIT(attrs->bits); attr++) {
		if (!attr->func || !attr->users != !!attrs->others)
			continue;
		ret = add_hash_entry(hash, attr->func);
		if (ret < 0)
			return ret;
	}
	/* An empty filter would mean everything */
	if (!hash->count && !attrs->others)
		ret = add_hash_entry(hash, 0);
	return ret < 0 ? ret : 0;
}

/* Hook what somebody wants, and nothing else. */
static int fgraph_hook_functions(struct ftrace_ops *graph_ops,
				 const struct fgraph_attrs *attrs)
{
	/* As many buckets as ftrace would have */
	int bits = min_t(int, attrs->bits - 2, FTRACE_HASH_MAX_BITS);
	struct ftrace_hash *hash = alloc_ftrace_hash(bits);
	struct ftrace_hash *empty = alloc_ftrace_hash(0);
	int ret = -ENOMEM;

	if (hash && empty)
		ret = fgraph_add_functions(hash, attrs);
	if (ret) {
		free_ftrace_hash(hash);
		free_ftrace_hash(empty);
		return ret;
	}

	if (attrs->others)
		swap(hash, empty);
	ftrace_replace_hashes(graph_ops, hash, empty);
	return 0;
}

static void fgraph_free_attrs(struct rcu_head *rcu)
{
	kvfree(container_of(rcu, struct fgraph_attrs, rcu));
}

static void fgraph_replace_attrs(struct fgraph_attrs *attrs)
{
	struct fgraph_attrs *old = rcu_dereference_raw(fgraph_attrs);

	rcu_assign_pointer(fgraph_attrs, attrs);
	if (old != &fgraph_no_attrs)
		call_rcu_tasks_rude(&old->rcu, fgraph_free_attrs);
}

/**
 * fgraph_update_filter - hook what the users want now, and let calls find it
 * @graph_ops: the one ftrace_ops of fgraph
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0, or -ENOMEM: then hooks, or hooks and lookups, are as they were.
 */
int fgraph_update_filter(struct ftrace_ops *graph_ops)
{
	struct fgraph_attrs *attrs = fgraph_unite_filters();

	if (!attrs)
		return -ENOMEM;

	/* A call of what gets hooked must find that it is wanted */
	fgraph_replace_attrs(attrs);
	return fgraph_hook_functions(graph_ops, attrs);
}

/* Forget what the users wanted, when there is none. Needs ftrace_lock. */
void fgraph_drop_filter(void)
{
	fgraph_replace_attrs(&fgraph_no_attrs);
}
