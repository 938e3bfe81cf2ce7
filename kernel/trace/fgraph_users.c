// SPDX-License-Identifier: GPL-2.0
/*
 * The users of fgraph: registration and unregistration.
 *
 * A user has a slot of fgraph_array, a bit in fgraph_active and an epoch. When a user
 * registers, its slot is filled, then its functions are hooked, then its bit is set.
 * When it unregisters, its bit is cleared first, then its slot, then its hooks are
 * removed. The slot is reused only after no call can be using the old user.
 * ftrace_lock protects everything in this file. Calls read fgraph_array, fgraph_active
 * and fgraph_epoch without a lock, see fgraph.c.
 *
 * With parts of fgraph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/mutex.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

void (*fgraph_user_gone)(const struct ftrace_ops *ops);

/* Return the slot of @gops, or -ENOENT if it is not registered. */
static int fgraph_find_slot(const struct fgraph_ops *gops)
{
	struct fgraph_ops *user;

	for (user = fgraph_next_user(NULL); user; user = fgraph_next_user(user))
		if (user == gops)
			return user->slot;
	return -ENOENT;
}

/* Hook the functions that the user in @slot traces. Its bit in fgraph_active is not set. */
static int fgraph_add_user(int slot)
{
	int ret;

	__set_bit(slot, &fgraph_taken);
	ftrace_graph_active++;
	/*
	 * The other users must not get calls of functions that are hooked for the new
	 * user. The new user must not get calls of functions that were hooked for an
	 * earlier user.
	 */
	update_function_graph_func();
	ret = fgraph_hook_functions();
	if (ret)
		return ret;
	if (ftrace_graph_active > 1)
		return fgraph_update_tasks();

	ret = fgraph_start_stacks();
	if (ret)
		return ret;

	ret = fgraph_start_hooks();
	if (ret)
		fgraph_stop_stacks();
	return ret;
}

/*
 * Unhook the functions that only the user in @slot traces, and wait for its callbacks.
 * A task may be preempted between a removed hook and fgraph. It reads fgraph_active
 * later, so it does not call this user. For later users, the call is looked up.
 */
static void fgraph_remove_user(int slot)
{
	__clear_bit(slot, &fgraph_taken);
	if (!fgraph_taken && fgraph_stop_hooks())
		fgraph_stop_stacks();
	ftrace_graph_active--;
	if (fgraph_taken)
		fgraph_unhook_functions();
	/* Without preemption, fgraph_synchronize() waits for calls from removed hooks. */
	if (IS_ENABLED(CONFIG_PREEMPTION))
		fgraph_update_look_up(FGRAPH_HOOKS_REMOVED);
	update_function_graph_func();
	fgraph_synchronize();

	if (!fgraph_taken) {
		fgraph_drop_hooks();
		fgraph_free_stacks();
	}
}

/**
 * register_ftrace_graph - add a user of fgraph
 * @gops: the user, with its callbacks and, optionally, its name and filter
 *
 * The filter is in use from the first call on. It can be changed at any time.
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: 0; -ENOSPC if there are FGRAPH_MAX_USERS users; -EBUSY if @gops is
 * registered; -EINVAL if it lacks a callback; -ENOMEM; -ENODEV if ftrace is
 * dead.
 */
int register_ftrace_graph(struct fgraph_ops *gops)
{
	int ret = -EBUSY;
	int slot;

	if (!gops->entryfunc || !gops->retfunc)
		return -EINVAL;

	ftrace_ops_init(&gops->ops);

	mutex_lock(&ftrace_lock);
	if (fgraph_find_slot(gops) >= 0)
		goto out;

	/* ftrace checks this for the first user only. */
	ret = -ENODEV;
	if (ftrace_is_dead())
		goto out;

	ret = -ENOSPC;
	slot = find_first_zero_bit(&fgraph_taken, FGRAPH_MAX_USERS);
	if (slot == FGRAPH_MAX_USERS)
		goto out;

	gops->slot = slot;
	gops->epoch = fgraph_epoch + 1;
	fgraph_reset_counts(slot);
	WRITE_ONCE(fgraph_stub.epoch, gops->epoch + 1);
	/* The user must be complete before a call finds it in its slot. */
	smp_store_release(&fgraph_array[slot], gops);
	ret = fgraph_add_user(slot);
	if (ret) {
		WRITE_ONCE(fgraph_array[slot], &fgraph_stub);
		fgraph_remove_user(slot);
		goto out;
	}

	WRITE_ONCE(fgraph_epoch, gops->epoch);
	/* Pairs with smp_rmb() in fgraph_renew_task(). */
	smp_store_release(&fgraph_active, fgraph_active | BIT(slot));
out:
	mutex_unlock(&ftrace_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(register_ftrace_graph);

/**
 * unregister_ftrace_graph - remove a user of fgraph
 * @gops: the user; nothing happens if it is not registered
 *
 * Calls that @gops accepted and that are still in progress return without it. After this
 * function returns, no callback of @gops runs, and its memory may be freed.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void unregister_ftrace_graph(struct fgraph_ops *gops)
{
	int slot;

	mutex_lock(&ftrace_lock);
	slot = fgraph_find_slot(gops);
	if (slot >= 0) {
		WRITE_ONCE(fgraph_active, fgraph_active & ~BIT(slot));
		WRITE_ONCE(fgraph_array[slot], &fgraph_stub);
		fgraph_remove_user(slot);
		fgraph_disown_filter(gops);
		if (fgraph_user_gone)
			fgraph_user_gone(&gops->ops);
	}
	mutex_unlock(&ftrace_lock);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);
