// SPDX-License-Identifier: GPL-2.0
/*
 * The fixture of the KUnit tests of fgraph.
 *
 * This file contains the users, which record the calls that they accept and check
 * depth and data, and the sleeper, a task that sleeps in traced functions. It also
 * contains the set of users that takes all slots.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>

#include "fgraph_kunit.h"

const fgk_leaf_t fgk_leaves[FGK_LEAVES] = {
	fgk_leaf_0, fgk_leaf_1, fgk_leaf_2, fgk_leaf_3, fgk_leaf_4,
};

/* Users. */

void fgk_found(struct fgk_user *user, enum fgk_error error)
{
	atomic_or(error, &user->errors);
}

bool fgk_is(const struct fgraph_call *call, const void *func)
{
	return call->func - fgraph_func_addr(func) < FGK_HOOK_BYTES;
}

static void fgk_note_leaf(struct fgk_user *user, const struct fgraph_call *call)
{
	int i;

	for (i = 0; i < FGK_LEAVES; i++)
		if (fgk_is(call, fgk_leaves[i]))
			atomic_or(BIT(i), &user->leaves);
}

/* An interrupt between the two reads changes both counters, so read them again. */
static int fgk_calls_in_progress(struct fgk_user *user)
{
	int entered, returned;

	do {
		returned = atomic_read(&user->returned);
		entered = atomic_read(&user->entered);
	} while (returned != atomic_read(&user->returned));

	return entered - returned;
}

/*
 * Return the largest number of callbacks that the current code can have interrupted.
 * At its entry and exit, an interrupt is not counted in preempt_count, but interrupts
 * are disabled there.
 */
static int fgk_interrupted_callbacks(void)
{
	return interrupt_context_level() + irqs_disabled();
}

/*
 * In one task, the depth of a call is the number of calls that were entered and have
 * not returned. An interrupt may arrive when the core has counted a call and the user
 * has not, or the other way round. Each interrupted callback can therefore change the
 * difference by one.
 */
static void fgk_check_depth(struct fgk_user *user, const struct fgraph_call *call)
{
	int off = call->depth - fgk_calls_in_progress(user);

	if (!user->task)
		return;
	if (abs(off) > fgk_interrupted_callbacks())
		fgk_found(user, FGK_BAD_DEPTH);
	if (call->depth > atomic_read(&user->deepest))
		atomic_set(&user->deepest, call->depth);
}

/* The pattern differs between users, between calls, and between words. */
static unsigned long fgk_pattern(struct fgk_user *user,
				 const struct fgraph_call *call, int word)
{
	return (unsigned long)user + 3 * call->func + 5 * fgraph_return_address(call) +
	       (call->depth << 8) + word;
}

static bool fgk_write_data(struct fgk_user *user, struct fgraph_call *call)
{
	unsigned long *data = fgraph_reserve_words(call, user->words);
	int i;

	if (!data)
		return false;
	if (fgraph_reserve_words(call, 1))
		fgk_found(user, FGK_RESERVED_TWICE);
	for (i = 0; i < user->words; i++)
		data[i] = fgk_pattern(user, call, i);
	return true;
}

/* A user that reserves no data checks that it finds none. */
static void fgk_check_data(struct fgk_user *user, const struct fgraph_call *call)
{
	unsigned long *data = fgraph_retrieve_words(call);
	int i;

	if (!data != !user->words) {
		fgk_found(user, FGK_BAD_SIZE);
		return;
	}
	for (i = 0; i < user->words; i++)
		if (data[i] != fgk_pattern(user, call, i))
			fgk_found(user, FGK_BAD_DATA);
}

static int fgk_entry(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct fgk_user *user = container_of(gops, struct fgk_user, gops);

	if (user->task && user->task != current)
		return 0;

	if (user->at_entry)
		user->at_entry(user, call);
	fgk_check_depth(user, call);
	if (user->refuse) {
		atomic_inc(&user->refused);
		return 0;
	}
	if (user->words && !fgk_write_data(user, call)) {
		atomic_inc(&user->no_room);
		return 0;
	}
	fgk_note_leaf(user, call);
	atomic_inc(&user->entered);
	return 1;
}

static void fgk_return(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct fgk_user *user = container_of(gops, struct fgk_user, gops);

	if (user->task && user->task != current) {
		fgk_found(user, FGK_RETURN_OF_NO_CALL);
		return;
	}

	atomic_inc(&user->returned);
	fgk_check_depth(user, call);
	fgk_check_data(user, call);
	if (user->at_return)
		user->at_return(user, call);
}

void fgk_init_user(struct fgk_user *user, const char *name)
{
	memset(user, 0, sizeof(*user));
	user->gops.name = name;
	user->gops.entryfunc = fgk_entry;
	user->gops.retfunc = fgk_return;
	fgk_reset_user(user);
}

/* Make @user accept each call of the current task, and clear its counters. */
void fgk_reset_user(struct fgk_user *user)
{
	user->task = current;
	user->words = 0;
	user->refuse = false;
	user->at_entry = NULL;
	user->at_return = NULL;
	user->missed_before = fgraph_count_missed(&user->gops);
	user->recursed_before = fgraph_count_recursed(&user->gops);
	atomic_set(&user->entered, 0);
	atomic_set(&user->returned, 0);
	atomic_set(&user->refused, 0);
	atomic_set(&user->no_room, 0);
	atomic_set(&user->deepest, -1);
	atomic_set(&user->leaves, 0);
	atomic_set(&user->errors, 0);
}

/* Return the number of calls that @user missed since its last reset or registration. */
long fgk_missed(const struct fgk_user *user)
{
	return fgraph_count_missed(&user->gops) - user->missed_before;
}

/* Return the number of recursive calls since the last reset or registration of @user. */
long fgk_recursed(const struct fgk_user *user)
{
	return fgraph_count_recursed(&user->gops) - user->recursed_before;
}

void fgk_unregister(struct fgk_user *user)
{
	unregister_ftrace_graph(&user->gops);
	ftrace_free_filter(&user->gops.ops);
}

static int fgk_init_user_resource(struct kunit_resource *res, void *user)
{
	res->data = user;
	return 0;
}

static void fgk_free_user_resource(struct kunit_resource *res)
{
	fgk_unregister(res->data);
}

/* Allocate a user. The end of the test case unregisters it, even after a failure. */
struct fgk_user *fgk_new_user(struct kunit *test, const char *name)
{
	struct fgk_user *user = kunit_kzalloc(test, sizeof(*user), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, user);
	fgk_init_user(user, name);
	KUNIT_ASSERT_NOT_NULL(test,
			      kunit_alloc_resource(test, fgk_init_user_resource,
						   fgk_free_user_resource,
						   GFP_KERNEL, user));
	return user;
}

void fgk_register(struct kunit *test, struct fgk_user *user)
{
	KUNIT_ASSERT_EQ(test, register_ftrace_graph(&user->gops), 0);
	user->missed_before = 0;
	user->recursed_before = 0;
}

/* Set the filter of @user to all target functions. */
int fgk_filter_all(struct fgk_user *user)
{
	unsigned long ips[] = {
		fgraph_func_addr(fgk_leaf_0),
		fgraph_func_addr(fgk_leaf_1),
		fgraph_func_addr(fgk_leaf_2),
		fgraph_func_addr(fgk_leaf_3),
		fgraph_func_addr(fgk_leaf_4),
		fgraph_func_addr(fgk_recurse),
		fgraph_func_addr(fgk_outer),
		fgraph_func_addr(fgk_middle),
		fgraph_func_addr(fgk_inner),
		fgraph_func_addr(fgk_tail_outer),
		fgraph_func_addr(fgk_tail_inner),
		fgraph_func_addr(fgk_return_int),
		fgraph_func_addr(fgk_return_pointer),
		fgraph_func_addr(fgk_return_u64),
#ifdef CONFIG_ARCH_SUPPORTS_INT128
		fgraph_func_addr(fgk_return_u128),
#endif
		fgraph_func_addr(fgk_return_caller),
	};

	return ftrace_set_filter_ips(&user->gops.ops, ips, ARRAY_SIZE(ips), 0, 1);
}

/* Add @func to the filter of @user. */
void fgk_add_filter(struct kunit *test, struct fgk_user *user, void *func)
{
	KUNIT_ASSERT_EQ(test, 0,
			ftrace_set_filter_ip(&user->gops.ops,
					     fgraph_func_addr(func), 0, 0));
}

/* Set the filter of @user to @func alone. */
void fgk_set_filter(struct kunit *test, struct fgk_user *user, void *func)
{
	KUNIT_ASSERT_EQ(test, 0,
			ftrace_set_filter_ip(&user->gops.ops,
					     fgraph_func_addr(func), 0, 1));
}

void fgk_call_leaves(struct kunit *test)
{
	int i;

	for (i = 0; i < FGK_LEAVES; i++)
		KUNIT_EXPECT_EQ(test, fgk_leaves[i](10), 10 + i);
}

void fgk_do_nothing(void *arg)
{
}

void fgk_expect_no_errors(struct kunit *test, struct fgk_user *user)
{
	KUNIT_EXPECT_EQ_MSG(test, atomic_read(&user->errors), 0,
			    "user %s: bits of enum fgk_error", user->gops.name);
}

/* Expect that @user accepted @calls calls, that all returned, and no errors. */
void fgk_expect_calls(struct kunit *test, struct fgk_user *user, int calls)
{
	int entered = atomic_read(&user->entered);
	int returned = atomic_read(&user->returned);

	KUNIT_EXPECT_TRUE_MSG(test, entered == calls && returned == calls,
			      "user %s accepted %d calls and %d of them returned, expected %d",
			      user->gops.name, entered, returned, calls);
	fgk_expect_no_errors(test, user);
}

/* The sleeping task. */

static void fgk_sleep(void *arg)
{
	struct fgk_sleeper *sleeper = arg;

	complete(&sleeper->inside);
	wait_for_completion(&sleeper->leave);
	fgk_leaf_0(0);
}

static int fgk_sleeper_thread(void *arg)
{
	struct fgk_sleeper *sleeper = arg;

	for (;;) {
		wait_for_completion(&sleeper->enter);
		if (kthread_should_stop())
			return 0;
		sleeper->result = fgk_outer(fgk_sleep, sleeper);
		complete(&sleeper->outside);
	}
}

static int fgk_start_sleeper(struct kunit_resource *res, void *arg)
{
	struct fgk_sleeper *sleeper = arg;

	init_completion(&sleeper->enter);
	init_completion(&sleeper->inside);
	init_completion(&sleeper->leave);
	init_completion(&sleeper->outside);
	sleeper->task = kthread_run(fgk_sleeper_thread, sleeper, "fgk_sleeper");
	res->data = sleeper;
	return PTR_ERR_OR_ZERO(sleeper->task);
}

static void fgk_stop_sleeper(struct kunit_resource *res)
{
	struct fgk_sleeper *sleeper = res->data;

	/* After a failure of the test case, the thread may wait for either completion */
	complete_all(&sleeper->leave);
	complete_all(&sleeper->enter);
	kthread_stop(sleeper->task);
}

/* Start a sleeper. The end of the test case stops it, even after a failure. */
struct fgk_sleeper *fgk_new_sleeper(struct kunit *test)
{
	struct fgk_sleeper *sleeper;

	sleeper = kunit_kzalloc(test, sizeof(*sleeper), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sleeper);
	KUNIT_ASSERT_NOT_NULL(test,
			      kunit_alloc_resource(test, fgk_start_sleeper,
						   fgk_stop_sleeper, GFP_KERNEL,
						   sleeper));
	return sleeper;
}

/* A task that has left the run queue still runs until the CPU has switched to another. */
static bool fgk_is_on_cpu(struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu);
#else
	return false;
#endif
}

static bool fgk_is_asleep(struct task_struct *task)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;

	while (!(READ_ONCE(task->__state) & TASK_UNINTERRUPTIBLE) ||
	       READ_ONCE(task->on_rq) || fgk_is_on_cpu(task)) {
		if (time_after(jiffies, deadline))
			return false;
		msleep(20);
	}
	return true;
}

/* Make the sleeper call the traced functions, and wait until it sleeps in them. */
void fgk_sleeper_enter(struct kunit *test, struct fgk_sleeper *sleeper)
{
	complete(&sleeper->enter);
	KUNIT_ASSERT_GT(test, 0ul + wait_for_completion_timeout(&sleeper->inside,
								FGK_PATIENCE), 0ul);
	KUNIT_ASSERT_TRUE(test, fgk_is_asleep(sleeper->task));
}

/* Make the sleeper return from the traced functions, and wait until it has returned. */
void fgk_sleeper_leave(struct kunit *test, struct fgk_sleeper *sleeper)
{
	complete(&sleeper->leave);
	KUNIT_ASSERT_GT(test, 0ul + wait_for_completion_timeout(&sleeper->outside,
								FGK_PATIENCE), 0ul);
	KUNIT_EXPECT_EQ(test, sleeper->result, 123);
}

static bool fgk_stack_becomes(struct task_struct *task, bool there)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;

	while (!!READ_ONCE(task->ret_stack) != there) {
		if (time_after(jiffies, deadline))
			return false;
		msleep(20);
	}
	return true;
}

/* Return true if the shadow stack of @task is freed within FGK_PATIENCE. */
bool fgk_stack_goes(struct task_struct *task)
{
	return fgk_stack_becomes(task, false);
}

/* Return true if @task, which has hit a probe, gets a shadow stack within FGK_PATIENCE. */
bool fgk_gets_stack(struct task_struct *task)
{
	return fgk_stack_becomes(task, true);
}

/* All slots. The suites that need them register these users once for all cases. */

struct fgk_user fgk_all[FGRAPH_MAX_USERS];

static const char * const fgk_all_names[FGRAPH_MAX_USERS] = {
	"0", "1", "2", "3", "4", "5", "6", "7",
	"8", "9", "10", "11", "12", "13", "14", "15",
};

void fgk_unregister_all(struct kunit_suite *suite)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		fgk_unregister(user);
}

int fgk_register_all(struct kunit_suite *suite)
{
	struct fgk_user *user;
	int ret;

	for_each_fgk_user(user)
		fgk_init_user(user, fgk_all_names[user - fgk_all]);

	for_each_fgk_user(user) {
		ret = fgk_filter_all(user);
		if (!ret)
			ret = register_ftrace_graph(&user->gops);
		if (ret) {
			fgk_unregister_all(suite);
			return ret;
		}
	}
	return 0;
}

int fgk_reset_all(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		fgk_reset_user(user);
	return 0;
}

void fgk_expect_calls_of_all(struct kunit *test, int calls)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		fgk_expect_calls(test, user, calls);
}

