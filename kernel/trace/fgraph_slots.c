// SPDX-License-Identifier: GPL-2.0
/*
 * The slots of users, and what calls read there without a lock: the users, the bits of live
 * slots, the epoch, and the counters of calls.
 *
 * fgraph_users.c fills and empties slots, and fgraph.c reads them. ftrace_lock protects all
 * of it against other changes. Something that a call reads is freed only after
 * fgraph_synchronize().
 */
#include <linux/workqueue.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

/* The number of users, see fgraph_users.c */
int ftrace_graph_active;

unsigned long fgraph_active __read_mostly;
u32 fgraph_epoch __read_mostly;

/*
 * A bit for each slot in use. It is set before the bit in fgraph_active, and cleared
 * after it.
 */
unsigned long fgraph_taken;

/* The callbacks of a slot without a user. For the epoch of the stub, see fgraph.c. */
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

DEFINE_PER_CPU(struct fgraph_calls, fgraph_calls);

/**
 * fgraph_reset_counts - begin to count the calls of a new user
 * @slot:	the slot of the user
 *
 * Context: ftrace_lock must be held.
 */
void fgraph_reset_counts(int slot)
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

/**
 * fgraph_count_calls - count the calls that a user accepted
 * @gops:	the user, registered
 *
 * Context: ftrace_lock must be held.
 * Return: the number of calls that @gops accepted since it registered.
 */
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

/**
 * fgraph_next_user - walk over the registered users
 * @gops:	a user, or NULL
 *
 * Context: ftrace_lock must be held.
 * Return: the user after @gops, or the first user if @gops is NULL; NULL after the last one.
 */
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
