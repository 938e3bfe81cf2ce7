// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that the users of fgraph want together.
 *
 * Each user has a filter of its own, but ftrace hooks a function for all of
 * them once, with one ftrace_ops. Its hashes are made here from those of the
 * users, so that it hooks a function if and only if one of them wants it:
 *
 *	If each user has a filter, the hooks are at all that are in a filter,
 *	less those that nobody wants as they are in the user's notrace, too.
 *
 *	If a user has none, every function is hooked, less those of that user's
 *	notrace that no other user wants.
 *
 * In both cases the notrace hash is what nobody wants of a set of candidates.
 */
#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

/* The most buckets that ftrace gives to a hash */
#define FGRAPH_HASH_MAX_BITS	12

/* Whether @hash is the filter of a user. ftrace_lock must be held. */
bool fgraph_filter_in_use(const struct ftrace_ops_hash *hash)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (gops->ops.func_hash == hash)
			return true;
	return false;
}

static bool fgraph_somebody_wants(unsigned long ip)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (ftrace_ops_test(&gops->ops, ip, NULL))
			return true;
	return false;
}

/* Add what @src has to @dst; with @unwanted, only what nobody wants. */
static int fgraph_add_hash(struct ftrace_hash *dst, struct ftrace_hash *src,
			   bool unwanted)
{
	struct ftrace_func_entry *entry;
	int i;

	if (ftrace_hash_empty(src))
		return 0;

	/* It may name modules that are not loaded, and nothing else yet */
	if (!unwanted)
		dst->flags |= src->flags;

	for (i = 0; i < 1 << src->size_bits; i++) {
		hlist_for_each_entry(entry, &src->buckets[i], hlist) {
			if (ftrace_lookup_ip(dst, entry->ip))
				continue;
			/*
			 * 0 was in a module that has gone. It keeps a filter
			 * from getting empty, which would mean everything.
			 */
			if (unwanted &&
			    (!entry->ip || fgraph_somebody_wants(entry->ip)))
				continue;
			if (add_hash_entry(dst, entry->ip) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/* Unite the filters; to an empty one, if there is a user without. */
static int fgraph_unite_filters(struct ftrace_hash *filter,
				const struct fgraph_ops *unfiltered)
{
	struct fgraph_ops *gops;
	int ret;

	if (unfiltered)
		return 0;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		ret = fgraph_add_hash(filter, gops->ops.func_hash->filter_hash,
				      false);
		if (ret)
			return ret;
	}
	return 0;
}

static struct fgraph_ops *fgraph_find_unfiltered(void)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (ftrace_hash_empty(gops->ops.func_hash->filter_hash))
			return gops;
	return NULL;
}

/* Buckets for what all users have, as ftrace would size them */
static int fgraph_hash_bits(void)
{
	struct fgraph_ops *gops;
	unsigned long count = 0;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops)) {
		struct ftrace_ops_hash *hash = gops->ops.func_hash;

		if (!ftrace_hash_empty(hash->filter_hash))
			count += hash->filter_hash->count;
		else if (!ftrace_hash_empty(hash->notrace_hash))
			count += hash->notrace_hash->count;
	}
	return min(fls(count / 2), FGRAPH_HASH_MAX_BITS);
}

/**
 * fgraph_update_filter - hook what the users want now
 * @graph_ops: the one ftrace_ops of fgraph
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0, or -ENOMEM, and the hooks are as they were.
 */
int fgraph_update_filter(struct ftrace_ops *graph_ops)
{
	struct fgraph_ops *unfiltered = fgraph_find_unfiltered();
	struct ftrace_hash *filter, *unwanted, *candidates;
	int bits = fgraph_hash_bits();
	int ret = -ENOMEM;

	filter = alloc_ftrace_hash(bits);
	unwanted = alloc_ftrace_hash(bits);
	if (!filter || !unwanted)
		goto out;

	ret = fgraph_unite_filters(filter, unfiltered);
	if (ret)
		goto out;

	candidates = unfiltered ? unfiltered->ops.func_hash->notrace_hash : filter;
	ret = fgraph_add_hash(unwanted, candidates, true);
	if (ret)
		goto out;

	ftrace_replace_hashes(graph_ops, filter, unwanted);
	return 0;
out:
	free_ftrace_hash(filter);
	free_ftrace_hash(unwanted);
	return ret;
}
