// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: tasks and their shadow stacks.
 *
 * The cases check which tasks are traced, and when the shadow stack of a task is
 * allocated and freed.
 */
#include <linux/delay.h>
#include <linux/kthread.h>

#include "fgraph_kunit.h"

/* Earlier versions of the function_graph tracer followed at most 50 nested calls. */
static void one_user_follows_70_calls(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "deep");

	user->words = 1;
	fgk_set_filter(test, user, fgk_recurse);
	fgk_register(test, user);
	KUNIT_EXPECT_EQ(test, fgk_recurse(70), 70);
	fgk_expect_calls(test, user, 70);
	KUNIT_EXPECT_EQ(test, atomic_read(&user->deepest), 69);
	KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
}

static u64 slept;

static void take_calltime(struct fgk_user *user, struct fgraph_call *call)
{
	fgraph_take_calltime(call);
}

static void note_time_slept(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgk_is(call, fgk_outer))
		slept = fgraph_calltime(call, false) -
			fgraph_calltime(call, true);
}

static void sleep_is_counted(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *user = fgk_new_user(test, "sleep");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(user), 0);
	fgk_register(test, user);
	user->task = sleeper->task;
	user->at_entry = take_calltime;
	user->at_return = note_time_slept;
	slept = 0;
	fgk_sleeper_enter(test, sleeper);
	/*
	 * Sleep for several ticks, because the clock may be as coarse as a tick. If ticks
	 * were late, jiffies catch up and end it too soon.
	 */
	msleep(500);
	fgk_sleeper_leave(test, sleeper);
	KUNIT_EXPECT_GE(test, slept, 300 * NSEC_PER_MSEC);
	KUNIT_EXPECT_LT(test, slept, 600ull * NSEC_PER_SEC);
}

/*
 * Trace a task that is older than the user, a task that is younger, and the task that
 * runs the test.
 */
static void tasks_old_and_new_are_traced(struct kunit *test)
{
	struct fgk_sleeper *old = fgk_new_sleeper(test);
	struct fgk_user *user = fgk_new_user(test, "tasks");
	struct fgk_sleeper *new;

	KUNIT_ASSERT_EQ(test, fgk_filter_all(user), 0);
	user->task = NULL;
	fgk_register(test, user);
	fgk_leaf_0(0);
	fgk_expect_calls(test, user, 1);

	new = fgk_new_sleeper(test);
	fgk_sleeper_enter(test, new);
	fgk_sleeper_enter(test, old);
	fgk_sleeper_leave(test, new);
	fgk_sleeper_leave(test, old);
	fgk_expect_calls(test, user, 1 + 4 + 4);
}

/*
 * The task was in functions of the filter before the user was registered. The user
 * traces the next call of the task, at depth 0.
 */
static void task_that_was_entered_before_is_traced(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *user = fgk_new_user(test, "late");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(user), 0);
	user->task = sleeper->task;
	fgk_sleeper_enter(test, sleeper);
	fgk_register(test, user);
	fgk_sleeper_leave(test, sleeper);
	fgk_expect_calls(test, user, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&user->deepest), 0);
}

/* The tasks that entered schedule_tail(), and those that returned from it, by PID */
#define FGK_MAX_TAILS	256
#define FGK_CHILDREN	64

struct fgk_tails {
	pid_t		entered[FGK_MAX_TAILS];
	pid_t		returned[FGK_MAX_TAILS];
	atomic_t	nr_entered;
	atomic_t	nr_returned;
};

static void fgk_note_child(pid_t *pids, atomic_t *nr)
{
	int i = atomic_inc_return(nr) - 1;

	if (i < FGK_MAX_TAILS)
		pids[i] = current->pid;
}

static void fgk_note_tail_entry(struct fgk_user *user, struct fgraph_call *call)
{
	struct fgk_tails *tails = user->gops.private;

	if (call->depth)
		fgk_found(user, FGK_BAD_DEPTH);
	fgk_note_child(tails->entered, &tails->nr_entered);
}

static void fgk_note_tail_return(struct fgk_user *user, struct fgraph_call *call)
{
	struct fgk_tails *tails = user->gops.private;

	fgk_note_child(tails->returned, &tails->nr_returned);
}

static int fgk_count_pid(const pid_t *pids, pid_t pid)
{
	int i, nr = 0;

	for (i = 0; i < FGK_MAX_TAILS; i++)
		nr += pids[i] == pid;
	return nr;
}

static int fgk_child_thread(void *arg)
{
	return 0;
}

/*
 * The first function that a child calls is schedule_tail(). It is traced, so the shadow
 * stack of the child must be complete by then.
 */
static void child_is_traced_from_its_first_call(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "children");
	struct task_struct *child;
	struct fgk_tails *tails;
	char name[] = "schedule_tail";
	pid_t pid;
	int i;

	tails = kunit_kzalloc(test, sizeof(*tails), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, tails);
	user->gops.private = tails;
	user->task = NULL;
	user->words = 5;
	user->at_entry = fgk_note_tail_entry;
	user->at_return = fgk_note_tail_return;
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&user->gops.ops, (unsigned char *)name,
						   strlen(name), 1));
	fgk_register(test, user);

	for (i = 0; i < FGK_CHILDREN; i++) {
		child = kthread_run(fgk_child_thread, NULL, "fgk_child");
		KUNIT_ASSERT_FALSE(test, IS_ERR(child));
		pid = child->pid;
		kthread_stop(child);
		KUNIT_EXPECT_EQ(test, fgk_count_pid(tails->entered, pid), 1);
		KUNIT_EXPECT_EQ(test, fgk_count_pid(tails->returned, pid), 1);
	}
	unregister_ftrace_graph(&user->gops);
	KUNIT_EXPECT_LE(test, atomic_read(&tails->nr_entered), FGK_MAX_TAILS);
	KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
	fgk_expect_no_errors(test, user);
}

static void no_user_no_shadow_stack(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *user = fgk_new_user(test, "last");

	KUNIT_EXPECT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_NULL(test, sleeper->task->ret_stack);

	fgk_set_filter(test, user, fgk_leaf_0);
	fgk_register(test, user);
	KUNIT_EXPECT_NOT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_NOT_NULL(test, sleeper->task->ret_stack);

	unregister_ftrace_graph(&user->gops);
	KUNIT_EXPECT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_NULL(test, sleeper->task->ret_stack);
}

/*
 * A task that is in traced calls keeps its shadow stack until the last of these calls
 * has returned. The return cannot free the stack itself, so freeing it takes a moment.
 */
static void shadow_stack_goes_when_it_has_drained(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_user *user = fgk_new_user(test, "last");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(user), 0);
	user->task = sleeper->task;
	fgk_register(test, user);
	fgk_sleeper_enter(test, sleeper);
	unregister_ftrace_graph(&user->gops);

	KUNIT_EXPECT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_NOT_NULL(test, sleeper->task->ret_stack);
	fgk_sleeper_leave(test, sleeper);
	KUNIT_EXPECT_TRUE(test, fgk_stack_goes(sleeper->task));
	KUNIT_EXPECT_EQ(test, atomic_read(&user->returned), 0);
}

static struct kunit_case fgraph_tasks_cases[] = {
	KUNIT_CASE(one_user_follows_70_calls),
	KUNIT_CASE(sleep_is_counted),
	KUNIT_CASE(tasks_old_and_new_are_traced),
	KUNIT_CASE(task_that_was_entered_before_is_traced),
	KUNIT_CASE(child_is_traced_from_its_first_call),
	KUNIT_CASE(no_user_no_shadow_stack),
	KUNIT_CASE(shadow_stack_goes_when_it_has_drained),
	{ }
};

static struct kunit_suite fgraph_tasks_suite = {
	.name = "fgraph_tasks",
	.test_cases = fgraph_tasks_cases,
};

kunit_test_suite(fgraph_tasks_suite);
