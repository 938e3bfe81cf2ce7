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
 */
#include <linux/suspend.h>
#include <linux/workqueue.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"

int ftrace_graph_active;

unsigned long fgraph_active __read_mostly;
u32 fgraph_epoch __read_mostly;

/*
 * A bit for each slot in use. It is set before the bit in fgraph_active, and cleared
 * after it.
 */
static unsigned long fgraph_taken;

/*
 * The callbacks of a slot without a user. The epoch of the stub is that of the next
 * registration, so it is younger than all frames.
 */
static int fgraph_stub_entry(struct fgraph_ops *gops, struct fgraph_call *call)
{
	return 0;
}

static void fgraph_stub_return(struct fgraph_ops *gops,
			       struct fgraph_call *call)
{
}

static bool fgraph_stub_wants_task(struct fgraph_ops *gops,
				   struct task_struct *task)
{
	return false;
}

struct fgraph_ops fgraph_stub = {
	.name		= "stub",
	.entryfunc	= fgraph_stub_entry,
	.retfunc	= fgraph_stub_return,
	.wants_task	= fgraph_stub_wants_task,
	.epoch		= 1,
};

struct fgraph_ops *fgraph_array[FGRAPH_MAX_USERS] __read_mostly = {
	[0 ... FGRAPH_MAX_USERS - 1] = &fgraph_stub,
};

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

DEFINE_PER_CPU(struct fgraph_calls, fgraph_calls);

static void fgraph_reset_counts(int slot)
{
	struct fgraph_calls *calls;
	int cpu;

	for_each_possible_cpu(cpu) {
		calls = per_cpu_ptr(&fgraph_calls, cpu);
		calls->outer[slot] = 0;
		calls->nested[slot] = 0;
		calls->missed[slot] = 0;
		calls->recursed[slot] = 0;
	}
}

static unsigned long fgraph_sum(const unsigned long __percpu *count)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(count, cpu));
	return sum;
}

unsigned long fgraph_count_calls(const struct fgraph_ops *gops)
{
	return fgraph_sum(&fgraph_calls.outer[gops->slot]) +
	       fgraph_sum(&fgraph_calls.nested[gops->slot]);
}

/**
 * fgraph_count_missed - count the calls that found no room
 * @gops:	the user, registered at least once
 *
 * Context: any; the slot of @gops must not be given to another user at the same time.
 * Return: the number of calls since the registration that found no room on the shadow
 * stack, for the call itself or for the data of fgraph_reserve_words().
 */
unsigned long fgraph_count_missed(const struct fgraph_ops *gops)
{
	return fgraph_sum(&fgraph_calls.missed[gops->slot]);
}
EXPORT_SYMBOL_GPL(fgraph_count_missed);

/**
 * fgraph_count_recursed - count the calls that callbacks made
 * @gops:	the user, registered at least once
 *
 * Context: any; the slot of @gops must not be given to another user at the same time.
 * Return: the number of calls since the registration that were not traced, because a
 * callback of some user made them. The filter of @gops contains their functions.
 */
unsigned long fgraph_count_recursed(const struct fgraph_ops *gops)
{
	return fgraph_sum(&fgraph_calls.recursed[gops->slot]);
}
EXPORT_SYMBOL_GPL(fgraph_count_recursed);

struct fgraph_ops *fgraph_next_user(const struct fgraph_ops *gops)
{
	int i = find_next_bit(&fgraph_taken, FGRAPH_MAX_USERS,
			      gops ? gops->slot + 1 : 0);

	return i < FGRAPH_MAX_USERS ? fgraph_array[i] : NULL;
}

static void fgraph_do_nothing(struct work_struct *work)
{
}

/**
 * fgraph_synchronize - wait until all code that runs with preemption disabled is done
 *
 * RCU does not wait for traced functions that run where it is not watching. RCU tasks
 * rude waits in the same way as this function, but sleeps for a tenth of a second between
 * grace periods.
 *
 * Context: may sleep.
 */
void fgraph_synchronize(void)
{
	if (schedule_on_each_cpu(fgraph_do_nothing))
		synchronize_rcu_tasks_rude();
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

/* True if lookups were needed again since fgraph_end_look_up_workfn() began to wait */
static bool fgraph_look_up_again;

/* True if a hook was removed, and calls may be on their way from it to fgraph */
static bool fgraph_hooks_removed;

static void fgraph_look_up(bool look_up)
{
	unsigned long live = fgraph_active & FGRAPH_LIVE;

	if (look_up)
		fgraph_look_up_again = true;
	WRITE_ONCE(fgraph_active, live | (look_up ? FGRAPH_LOOK_UP : 0));
}

/* Return true if functions may be hooked that one of the users does not trace. */
static bool fgraph_needs_look_up(void)
{
	return ftrace_graph_active > 1 || fgraph_hooks_stale || fgraph_shares_hook();
}

/*
 * End the lookups. A call whose hook was removed may be on its way to the lookup, and
 * its task may be preempted there. Wait for such calls without ftrace_lock, because this
 * can take a long time.
 */
static void fgraph_end_look_up_workfn(struct work_struct *work)
{
	mutex_lock(&ftrace_lock);
	fgraph_look_up_again = fgraph_needs_look_up();
	mutex_unlock(&ftrace_lock);

	synchronize_rcu_tasks_rude();
	if (IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();

	mutex_lock(&ftrace_lock);
	if (!fgraph_look_up_again) {
		fgraph_hooks_removed = false;
		fgraph_look_up(false);
	}
	mutex_unlock(&ftrace_lock);
}

static DECLARE_WORK(fgraph_end_look_up_work, fgraph_end_look_up_workfn);

/*
 * Begin lookups at once, or end them later. ftrace calls this function when its list of
 * ops changes, before it changes the hooks.
 */
void update_function_graph_func(void)
{
	if (!ftrace_graph_active)
		return;

	if (fgraph_needs_look_up())
		fgraph_look_up(true);
	else if (fgraph_active & FGRAPH_LOOK_UP)
		schedule_work(&fgraph_end_look_up_work);
}

/*
 * Update the hooks after the filter @hash was changed. Needs ftrace_lock. Return 0 or
 * -ENOMEM. After an error, the hooks and the hash for lookups are unchanged, and the
 * caller restores the old filter.
 */
int fgraph_change_filter(const struct ftrace_ops_hash *hash)
{
	int ret;

	if (!fgraph_filter_in_use(hash))
		return 0;

	ret = fgraph_update_filter(&graph_ops);
	if (ret) {
		pr_warn("fgraph: out of memory: the filter of a user was not changed\n");
		return ret;
	}
	fgraph_hooks_stale = false;
	update_function_graph_func();
	return 0;
}

/*
 * Update the hooks after a user or functions were removed. Needs ftrace_lock. If there is
 * no memory, functions that no user traces stay hooked, and their calls are looked up
 * until the next change.
 */
static void fgraph_update_hooks(void)
{
	fgraph_hooks_stale = fgraph_update_filter(&graph_ops);
	if (fgraph_hooks_stale)
		fgraph_forget_signatures();
	update_function_graph_func();
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
		fgraph_update_hooks();
	}
	mutex_unlock(&ftrace_lock);
}

/**
 * fgraph_share_filter - make a user follow the filter of an ftrace_ops
 * @gops: the user, not registered
 * @ops: the ftrace_ops whose filter and notrace hash @gops shares; it must outlive @gops
 */
void fgraph_share_filter(struct fgraph_ops *gops, struct ftrace_ops *ops)
{
#ifdef CONFIG_DYNAMIC_FTRACE
	ftrace_ops_init(ops);
	ftrace_ops_init(&gops->ops);
	gops->ops.func_hash = ops->func_hash;
	gops->shared_hash = ops->func_hash;
#endif
}
EXPORT_SYMBOL_GPL(fgraph_share_filter);

#ifdef CONFIG_DYNAMIC_FTRACE
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

/* Undo fgraph_own_filter(). */
static void fgraph_disown_filter(struct fgraph_ops *gops)
{
	if (!gops->shared_hash || gops->ops.func_hash == gops->shared_hash)
		return;

	ftrace_free_filter(&gops->ops);
	gops->ops.func_hash = gops->shared_hash;
}
#else
static void fgraph_disown_filter(struct fgraph_ops *gops) { }
#endif

/*
 * True if the hooks are started. The flags of graph_ops do not show this after
 * ftrace_kill(), which clears none of them.
 */
static bool fgraph_hooks_started;

static int fgraph_start_hooks(void)
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

static void fgraph_stop_hooks(void)
{
	fgraph_hooks_started = false;
	fgraph_set_arch_hooks(false);
	ftrace_shutdown(&graph_ops, FTRACE_STOP_FUNC_RET);
	unregister_pm_notifier(&ftrace_suspend_notifier);
}

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
	fgraph_look_up(fgraph_needs_look_up() || fgraph_hooks_removed);
	ret = fgraph_update_filter(&graph_ops);
	if (ret)
		return ret;
	fgraph_hooks_stale = false;
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
	bool started = fgraph_hooks_started;

	__clear_bit(slot, &fgraph_taken);
	/* Without preemption, fgraph_synchronize() waits for calls from removed hooks. */
	fgraph_hooks_removed = IS_ENABLED(CONFIG_PREEMPTION);
	fgraph_look_up_again = true;
	if (!fgraph_taken && started) {
		fgraph_stop_hooks();
		fgraph_stop_stacks();
	}
	ftrace_graph_active--;
	if (fgraph_taken)
		fgraph_update_hooks();
	fgraph_synchronize();

	if (!fgraph_taken) {
		fgraph_drop_filter(&graph_ops);
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
		function_tracers_forget(&gops->ops);
	}
	mutex_unlock(&ftrace_lock);
}
EXPORT_SYMBOL_GPL(unregister_ftrace_graph);
