// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: the arguments of the callbacks of sixteen users.
 *
 * The cases check the times of a call, its depth when an interrupt arrives, and the
 * registers of its return value.
 */
#include <linux/hrtimer.h>
#include <linux/irq_work.h>

#include "fgraph_kunit.h"

static u64 calltime, rettime;

/* The callback of the first user runs first; all others must get the same time. */
static void compare_times(struct fgk_user *user, u64 time, u64 *first_time)
{
	if (user == &fgk_all[0])
		*first_time = time;
	if (!time || time != *first_time)
		fgk_found(user, FGK_BAD_TIME);
}

static void compare_times_at_entry(struct fgk_user *user,
				   struct fgraph_call *call)
{
	compare_times(user, fgraph_take_calltime(call), &calltime);
	compare_times(user, fgraph_take_calltime(call), &calltime);
}

static void compare_times_at_return(struct fgk_user *user,
				    struct fgraph_call *call)
{
	compare_times(user, fgraph_rettime(call), &rettime);
	compare_times(user, fgraph_rettime(call), &rettime);
	if (fgraph_calltime(call, true) != calltime)
		fgk_found(user, FGK_BAD_TIME);
}

static void all_get_the_same_time(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->at_entry = compare_times_at_entry;
		user->at_return = compare_times_at_return;
	}
	fgk_leaf_0(0);
	fgk_leaf_0(0);
	fgk_expect_calls_of_all(test, 2);
}

static void call_leaf(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgk_leaf_1(1) != 2)
		fgk_found(user, FGK_BAD_DATA);
}

/*
 * No user traces the functions that a callback calls. Otherwise the callback could
 * recurse without end.
 */
static void callbacks_are_not_traced(struct kunit *test)
{
	struct fgk_user *user;

	fgk_all[4].at_entry = call_leaf;
	fgk_all[8].at_return = call_leaf;
	fgk_leaf_0(0);
	fgk_expect_calls_of_all(test, 1);
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, atomic_read(&user->leaves), BIT(0));
}

/* An interrupt that arrives in traced functions and calls a traced function */
struct interrupter {
	struct irq_work	work;
	struct hrtimer	timer;
	int		left;
	int		wrong;
	/* The task whose calls are counted */
	struct task_struct *task;
	/* The number of interrupts that arrived while @task ran */
	int		in_task;
};

static struct interrupter interrupter;

static void interrupt_work(struct irq_work *work)
{
	struct interrupter *irq = container_of(work, struct interrupter, work);

	irq->wrong += fgk_leaf_3(7) != 10;
	WRITE_ONCE(irq->left, 0);
}

static void be_interrupted(void *arg)
{
	struct interrupter *irq = arg;
	unsigned long deadline = jiffies + FGK_PATIENCE;

	/* The users trace only this task, so the interrupt must arrive while it runs */
	preempt_disable();
	WRITE_ONCE(irq->left, 1);
	irq_work_queue(&irq->work);
	while (READ_ONCE(irq->left) && time_before(jiffies, deadline))
		cpu_relax();
	preempt_enable();
}

static void interrupt_is_one_deeper(struct kunit *test)
{
	struct interrupter *irq = &interrupter;
	struct fgk_user *user;

	irq->wrong = 0;
	init_irq_work(&irq->work, interrupt_work);
	for_each_fgk_user(user)
		user->words = 3;
	KUNIT_EXPECT_EQ(test, fgk_outer(be_interrupted, irq), 123);
	irq_work_sync(&irq->work);

	KUNIT_EXPECT_EQ(test, irq->left, 0);
	KUNIT_EXPECT_EQ(test, irq->wrong, 0);
	fgk_expect_calls_of_all(test, 4);
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, atomic_read(&user->deepest), 3);
}

static enum hrtimer_restart interrupt_timer(struct hrtimer *timer)
{
	struct interrupter *irq = container_of(timer, struct interrupter, timer);

	irq->in_task += current == irq->task;
	irq->wrong += fgk_leaf_3(7) != 10;
	WRITE_ONCE(irq->left, irq->left - 1);
	if (!irq->left)
		return HRTIMER_NORESTART;
	/* Interrupt a different point of the call each time */
	hrtimer_forward_now(timer, ns_to_ktime(100000 + 777 * irq->left));
	return HRTIMER_RESTART;
}

/*
 * Interrupts arrive at any point of an entry or a return. Most of them arrive there,
 * because the task spends most of its time there.
 */
static void interrupts_at_any_point(struct kunit *test)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;
	struct interrupter *irq = &interrupter;
	struct fgk_user *user;
	int calls = 0;

	irq->wrong = 0;
	irq->left = 400;
	irq->task = current;
	irq->in_task = 0;
	for_each_fgk_user(user) {
		user->refuse = (user - fgk_all) % 5 == 4;
		user->words = (user - fgk_all) % 3;
	}

	hrtimer_init(&irq->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	irq->timer.function = interrupt_timer;
	/* The timer interrupts the CPU on which it starts, so the task stays there */
	migrate_disable();
	hrtimer_start(&irq->timer, ns_to_ktime(100000),
		      HRTIMER_MODE_REL_PINNED_HARD);
	while (READ_ONCE(irq->left) && time_before(jiffies, deadline)) {
		preempt_disable();
		irq->wrong += fgk_recurse(10) != 10;
		preempt_enable();
		calls += 10;
	}
	hrtimer_cancel(&irq->timer);
	migrate_enable();

	KUNIT_EXPECT_EQ(test, irq->left, 0);
	KUNIT_EXPECT_EQ(test, irq->wrong, 0);
	KUNIT_EXPECT_GT(test, irq->in_task, 0);
	calls += irq->in_task;
	for_each_fgk_user(user) {
		fgk_expect_calls(test, user, user->refuse ? 0 : calls);
		KUNIT_EXPECT_EQ(test, atomic_read(&user->refused), user->refuse ? calls : 0);
	}
}

static unsigned long returned[2];

static void remember_return(struct fgk_user *user, struct fgraph_call *call)
{
	returned[0] = call->retregs ? call->retregs[0] : 0;
	returned[1] = call->retregs ? call->retregs[1] : 0;
}

static void retregs_hold_the_return_value(struct kunit *test)
{
	u64 wide = 0x123456789abcdef0ull;
	int negative;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_GRAPH_RETVAL))
		kunit_skip(test, "the architecture does not pass return registers");

	fgk_all[0].at_return = remember_return;

	negative = fgk_return_int(-22);
	KUNIT_EXPECT_EQ(test, negative, -22);
	KUNIT_EXPECT_EQ(test, (int)returned[0], -22);

	KUNIT_EXPECT_PTR_EQ(test, fgk_return_pointer(test), (void *)test);
	KUNIT_EXPECT_EQ(test, returned[0], (unsigned long)test);

	KUNIT_EXPECT_EQ(test, fgk_return_u64(wide), wide);
	KUNIT_EXPECT_EQ(test, returned[0], (unsigned long)wide);
	if (!IS_ENABLED(CONFIG_64BIT))
		KUNIT_EXPECT_EQ(test, returned[1], (unsigned long)(wide >> 32));
	fgk_expect_calls_of_all(test, 3);
}

static void retregs_hold_the_second_word(struct kunit *test)
{
#ifdef CONFIG_ARCH_SUPPORTS_INT128
	unsigned __int128 ret;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_GRAPH_RETVAL))
		kunit_skip(test, "the architecture does not pass return registers");

	fgk_all[0].at_return = remember_return;
	ret = fgk_return_u128(0x1111222233334444ull, 0x5555666677778888ull);
	KUNIT_EXPECT_EQ(test, returned[0], 0x1111222233334444ul);
	KUNIT_EXPECT_EQ(test, returned[1], 0x5555666677778888ul);
	KUNIT_EXPECT_EQ(test, (u64)ret, 0x1111222233334444ull);
	KUNIT_EXPECT_EQ(test, (u64)(ret >> 64), 0x5555666677778888ull);
#else
	kunit_skip(test, "the architecture has no type __int128, which needs two registers");
#endif
}

static struct kunit_case fgraph_calls_cases[] = {
	KUNIT_CASE(all_get_the_same_time),
	KUNIT_CASE(callbacks_are_not_traced),
	KUNIT_CASE(interrupt_is_one_deeper),
	KUNIT_CASE(interrupts_at_any_point),
	KUNIT_CASE(retregs_hold_the_return_value),
	KUNIT_CASE(retregs_hold_the_second_word),
	{ }
};

static struct kunit_suite fgraph_calls_suite = {
	.name = "fgraph_calls",
	.suite_init = fgk_register_all,
	.suite_exit = fgk_unregister_all,
	.init = fgk_reset_all,
	.test_cases = fgraph_calls_cases,
};

kunit_test_suite(fgraph_calls_suite);
