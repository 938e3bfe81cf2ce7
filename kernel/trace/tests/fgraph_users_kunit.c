// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: registration and unregistration of users.
 *
 * The cases cover invalid registrations, slots and calls that outlive their user, and
 * unregistration while other CPUs run callbacks.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "fgraph_kunit.h"

/* The number of rounds in which a user is unregistered while callbacks run */
#define FGK_VICTIMS	8

static void double_registration_is_busy(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "twice");

	fgk_set_filter(test, user, fgk_leaf_0);
	fgk_register(test, user);
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&user->gops), -EBUSY);

	/* The first registration stays valid, and one call unregisters it */
	fgk_leaf_0(0);
	fgk_expect_calls(test, user, 1);
	unregister_ftrace_graph(&user->gops);
	fgk_leaf_0(0);
	fgk_expect_calls(test, user, 1);
}

static void missing_callback_is_invalid(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "halved");
	struct fgraph_ops *gops = &user->gops;
	fgraph_entryfunc_t entryfunc = gops->entryfunc;

	/* If the registration wrongly succeeds, at least no function is hooked */
	fgk_set_filter(test, user, fgk_leaf_0);

	gops->entryfunc = NULL;
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(gops), -EINVAL);

	gops->entryfunc = entryfunc;
	gops->retfunc = NULL;
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(gops), -EINVAL);
}

/* The stranger also contains the slot and the epoch of a registered user. */
static void unregister_of_stranger_is_harmless(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "known");
	struct fgk_user *stranger = fgk_new_user(test, "stranger");

	unregister_ftrace_graph(&stranger->gops);

	fgk_set_filter(test, user, fgk_leaf_0);
	fgk_register(test, user);
	stranger->gops.slot = user->gops.slot;
	stranger->gops.epoch = user->gops.epoch;
	unregister_ftrace_graph(&stranger->gops);

	fgk_leaf_0(0);
	fgk_expect_calls(test, user, 1);
	fgk_expect_calls(test, stranger, 0);
}

/*
 * A task sleeps in calls that the old user accepted when a new user takes the slot. The
 * sleeper can only report back if these calls return to their true callers.
 */
static void new_user_of_slot_gets_no_return_of_old_one(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *old = fgk_new_user(test, "old");
	struct fgk_user *new = fgk_new_user(test, "new");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(old), 0);
	KUNIT_ASSERT_EQ(test, fgk_filter_all(new), 0);
	old->task = sleeper->task;
	old->words = 2;
	new->task = sleeper->task;
	new->words = 1;

	fgk_register(test, old);
	fgk_sleeper_enter(test, sleeper);
	KUNIT_EXPECT_EQ(test, atomic_read(&old->entered), 3);
	unregister_ftrace_graph(&old->gops);
	fgk_register(test, new);
	KUNIT_ASSERT_EQ(test, new->gops.slot, old->gops.slot);

	/* The new user gets only the call of the leaf, at depth 0 */
	fgk_sleeper_leave(test, sleeper);
	KUNIT_EXPECT_EQ(test, atomic_read(&old->returned), 0);
	fgk_expect_calls(test, new, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&new->deepest), 0);

	/* From the next call on, it gets all four calls of the sleeper */
	fgk_sleeper_enter(test, sleeper);
	fgk_sleeper_leave(test, sleeper);
	fgk_expect_calls(test, new, 1 + 4);
	KUNIT_EXPECT_EQ(test, atomic_read(&new->deepest), 3);
	fgk_expect_no_errors(test, old);
}

/* A user that registers again gets no return of a call that it accepted before. */
static void returned_user_gets_no_return_of_before(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *user = fgk_new_user(test, "back");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(user), 0);
	user->task = sleeper->task;
	fgk_register(test, user);
	fgk_sleeper_enter(test, sleeper);
	KUNIT_EXPECT_EQ(test, atomic_read(&user->entered), 3);

	unregister_ftrace_graph(&user->gops);
	fgk_reset_user(user);
	user->task = sleeper->task;
	fgk_register(test, user);

	fgk_sleeper_leave(test, sleeper);
	fgk_expect_calls(test, user, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&user->deepest), 0);
}

/*
 * Two users accepted a call, and one of them is unregistered. The other user still gets
 * the return.
 */
static void others_get_their_return_when_one_goes(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *goes = fgk_new_user(test, "goes");
	struct fgk_user *stays = fgk_new_user(test, "stays");
	struct fgk_user *comes = fgk_new_user(test, "comes");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(goes), 0);
	KUNIT_ASSERT_EQ(test, fgk_filter_all(stays), 0);
	KUNIT_ASSERT_EQ(test, fgk_filter_all(comes), 0);
	goes->task = sleeper->task;
	goes->words = 3;
	stays->task = sleeper->task;
	stays->words = 5;
	comes->task = sleeper->task;
	comes->words = 7;

	fgk_register(test, goes);
	fgk_register(test, stays);
	fgk_sleeper_enter(test, sleeper);
	unregister_ftrace_graph(&goes->gops);
	fgk_register(test, comes);
	KUNIT_ASSERT_EQ(test, comes->gops.slot, goes->gops.slot);
	fgk_sleeper_leave(test, sleeper);

	fgk_expect_calls(test, stays, 4);
	fgk_expect_calls(test, comes, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&comes->deepest), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&goes->returned), 0);
}

static void fgk_check_state_is_new(struct fgk_user *user, struct fgraph_call *call)
{
	if (call->task->state != atomic_read(&user->returned))
		fgk_found(user, FGK_BAD_STATE);
}

static void fgk_count_in_state(struct fgk_user *user, struct fgraph_call *call)
{
	++call->task->state;
}

static void task_state_is_of_one_registration(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "stateful");
	struct fgk_user *other = fgk_new_user(test, "other");
	int round;

	fgk_set_filter(test, other, fgk_leaf_0);
	fgk_register(test, other);
	fgk_set_filter(test, user, fgk_leaf_0);

	for (round = 0; round < 2; round++) {
		fgk_reset_user(user);
		user->at_entry = fgk_check_state_is_new;
		user->at_return = fgk_count_in_state;
		fgk_register(test, user);
		fgk_leaf_0(0);
		fgk_leaf_0(0);
		fgk_expect_calls(test, user, 2);
		unregister_ftrace_graph(&user->gops);
	}
}

/*
 * A victim is a user that is unregistered while another CPU is in its callbacks. The
 * state that the callbacks read is static, because the memory of the victim may be
 * freed.
 */
static int victim_round;
static int victim_gone_round;
static bool victim_leaves;
static atomic_t victim_calls;
static atomic_t victim_lingers;
static atomic_t victim_late;

/*
 * A callback that began before the victim is unregistered runs for a long time. If
 * unregistration does not wait for the callback, the callback sees that its round has
 * ended, even if the victim of the next round is registered.
 */
static void victim_callback(void)
{
	int round = READ_ONCE(victim_round);
	int ms;

	atomic_inc(&victim_calls);
	if (READ_ONCE(victim_leaves)) {
		atomic_inc(&victim_lingers);
		for (ms = 0; ms < 200 && READ_ONCE(victim_gone_round) < round; ms++)
			mdelay(1);
	}
	if (READ_ONCE(victim_gone_round) >= round)
		atomic_inc(&victim_late);
}

static int victim_entry(struct fgraph_ops *gops, struct fgraph_call *call)
{
	victim_callback();
	return 1;
}

static void victim_return(struct fgraph_ops *gops, struct fgraph_call *call)
{
	victim_callback();
}

static int fgk_caller_thread(void *arg)
{
	int wrong = 0;
	int i;

	while (!kthread_should_stop()) {
		for (i = 0; i < 20; i++)
			wrong += fgk_leaf_0(i) != i;
		/* Unregistration waits for a quiescent state of all tasks */
		cond_resched_tasks_rcu_qs();
		usleep_range(50, 100);
	}
	return wrong;
}

static int fgk_start_caller(struct kunit_resource *res, void *cpu)
{
	struct task_struct *task;

	task = kthread_create(fgk_caller_thread, NULL, "fgk_caller");
	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, (long)cpu);
	wake_up_process(task);
	res->data = task;
	return 0;
}

static void fgk_stop_caller(struct kunit_resource *res)
{
	WARN_ON(kthread_stop(res->data));
}

/* Start a caller on each CPU except this one, and keep the test on this CPU. */
static void fgk_start_callers(struct kunit *test)
{
	long here = get_cpu();
	void *task;
	long cpu;

	put_cpu();
	KUNIT_ASSERT_EQ(test, 0,
			set_cpus_allowed_ptr(current, cpumask_of(here)));
	for_each_online_cpu(cpu) {
		if (cpu == here)
			continue;
		task = kunit_alloc_resource(test, fgk_start_caller,
					    fgk_stop_caller, GFP_KERNEL,
					    (void *)cpu);
		KUNIT_ASSERT_NOT_NULL(test, task);
	}
}

static bool fgk_wait_for(atomic_t *count)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;

	while (!atomic_read(count)) {
		if (time_after(jiffies, deadline))
			return false;
		usleep_range(50, 100);
	}
	return true;
}

static struct fgraph_ops *fgk_register_victim(struct kunit *test)
{
	struct fgraph_ops *gops = kzalloc(sizeof(*gops), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, gops);
	gops->name = "victim";
	gops->entryfunc = victim_entry;
	gops->retfunc = victim_return;
	KUNIT_ASSERT_EQ(test, 0,
			ftrace_set_filter_ip(&gops->ops,
					     fgraph_func_addr(fgk_leaf_0), 0, 0));

	WRITE_ONCE(victim_leaves, false);
	WRITE_ONCE(victim_round, victim_round + 1);
	atomic_set(&victim_calls, 0);
	atomic_set(&victim_lingers, 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_graph(gops), 0);
	return gops;
}

/* KASAN reports a later use of @gops. Without KASAN, the poison makes the use fail. */
static void fgk_poison(struct fgraph_ops *gops)
{
	ftrace_free_filter(&gops->ops);
	memset(gops, POISON_FREE, sizeof(*gops));
	kfree(gops);
}

/* In the first half of the rounds, the victim is the only user. */
static void no_callback_after_unregister(struct kunit *test)
{
	struct fgk_user *stays = fgk_new_user(test, "stays");
	struct fgraph_ops *gops;
	int round;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two online CPUs");

	fgk_set_filter(test, stays, fgk_leaf_0);
	stays->task = NULL;
	atomic_set(&victim_late, 0);
	victim_round = 0;
	victim_gone_round = 0;
	fgk_start_callers(test);

	for (round = 0; round < FGK_VICTIMS; round++) {
		if (round == FGK_VICTIMS / 2)
			fgk_register(test, stays);
		gops = fgk_register_victim(test);
		KUNIT_EXPECT_TRUE(test, fgk_wait_for(&victim_calls));

		WRITE_ONCE(victim_leaves, true);
		KUNIT_EXPECT_TRUE(test, fgk_wait_for(&victim_lingers));
		unregister_ftrace_graph(gops);
		WRITE_ONCE(victim_gone_round, victim_round);
		fgk_poison(gops);
	}

	KUNIT_EXPECT_EQ(test, atomic_read(&victim_late), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&stays->entered), 0);
	fgk_expect_no_errors(test, stays);
}

static atomic_t stays_lingers;

/* Run for longer than unregistration needs to empty the slot of the victim. */
static void fgk_outlast_victim(struct fgk_user *user, struct fgraph_call *call)
{
	if (READ_ONCE(victim_leaves)) {
		atomic_inc(&stays_lingers);
		mdelay(10);
	}
}

/*
 * The other CPU is in the callback of the user in the first slot when the user in the
 * next slot is unregistered. The other CPU then reaches a slot that was taken when it
 * read the set of users, and is empty now.
 */
static void slot_that_gets_empty_is_passed_over(struct kunit *test)
{
	struct fgk_user *stays = fgk_new_user(test, "stays");
	struct fgraph_ops *gops;
	int round;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two online CPUs");

	fgk_set_filter(test, stays, fgk_leaf_0);
	stays->task = NULL;
	stays->at_entry = fgk_outlast_victim;
	fgk_register(test, stays);
	fgk_start_callers(test);

	for (round = 0; round < FGK_VICTIMS; round++) {
		gops = fgk_register_victim(test);
		KUNIT_EXPECT_TRUE(test, fgk_wait_for(&victim_calls));

		atomic_set(&stays_lingers, 0);
		WRITE_ONCE(victim_leaves, true);
		KUNIT_EXPECT_TRUE(test, fgk_wait_for(&stays_lingers));
		unregister_ftrace_graph(gops);
		WRITE_ONCE(victim_gone_round, victim_round);
		fgk_poison(gops);
	}
	fgk_expect_no_errors(test, stays);
}

/*
 * Other CPUs call a function that is hooked for one user. Meanwhile, a user with
 * another filter registers and unregisters. It must not get these calls.
 */
static void newcomer_sees_only_what_it_wants(struct kunit *test)
{
	struct fgk_user *stays = fgk_new_user(test, "stays");
	struct fgk_user *comes = fgk_new_user(test, "comes");
	int round;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two online CPUs");

	fgk_set_filter(test, stays, fgk_leaf_0);
	stays->task = NULL;
	fgk_set_filter(test, comes, fgk_leaf_2);
	comes->task = NULL;
	fgk_register(test, stays);
	fgk_start_callers(test);

	for (round = 0; round < FGK_VICTIMS; round++) {
		fgk_register(test, comes);
		atomic_set(&stays->entered, 0);
		mdelay(5);
		/* On a busy host, the other CPU may not have run in this time. */
		KUNIT_EXPECT_TRUE(test, fgk_wait_for(&stays->entered));
		unregister_ftrace_graph(&comes->gops);
	}
	fgk_expect_calls(test, comes, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&comes->refused), 0);
	fgk_expect_no_errors(test, stays);
}

static void fgk_trace_nothing(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

/*
 * Other CPUs call a function that a tracer hooks, and the tracer is unregistered. If
 * the user and the tracer share one hook, the user must get no call between the end of
 * the tracer and the removal of its hooks.
 */
static void user_sees_no_functions_of_tracer(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "one");
	struct ftrace_ops tracer = { .func = fgk_trace_nothing };
	int round;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two online CPUs");

	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&tracer, fgraph_func_addr(fgk_leaf_0),
						      0, 0));
	fgk_set_filter(test, user, fgk_leaf_2);
	user->task = NULL;
	fgk_register(test, user);
	fgk_start_callers(test);

	for (round = 0; round < FGK_VICTIMS; round++) {
		KUNIT_EXPECT_EQ(test, register_ftrace_function(&tracer), 0);
		mdelay(5);
		KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&tracer), 0);
	}
	ftrace_free_filter(&tracer);
	fgk_expect_calls(test, user, 0);
}

static struct kunit_case fgraph_users_cases[] = {
	KUNIT_CASE(double_registration_is_busy),
	KUNIT_CASE(missing_callback_is_invalid),
	KUNIT_CASE(unregister_of_stranger_is_harmless),
	KUNIT_CASE(new_user_of_slot_gets_no_return_of_old_one),
	KUNIT_CASE(returned_user_gets_no_return_of_before),
	KUNIT_CASE(others_get_their_return_when_one_goes),
	KUNIT_CASE(task_state_is_of_one_registration),
	KUNIT_CASE(no_callback_after_unregister),
	KUNIT_CASE(slot_that_gets_empty_is_passed_over),
	KUNIT_CASE(newcomer_sees_only_what_it_wants),
	KUNIT_CASE(user_sees_no_functions_of_tracer),
	{ }
};

static struct kunit_suite fgraph_users_suite = {
	.name = "fgraph_users",
	.test_cases = fgraph_users_cases,
};

kunit_test_suite(fgraph_users_suite);
