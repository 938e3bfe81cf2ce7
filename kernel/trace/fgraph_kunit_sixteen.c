// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: as many users as there can be. They come once for all
 * test cases.
 */
#include <linux/hrtimer.h>
#include <linux/irq_work.h>

#include "fgraph_kunit.h"

#define for_each_fgk_user(user) \
	for ((user) = sixteen; (user) < sixteen + FGRAPH_MAX_USERS; (user)++)

static struct fgk_user sixteen[FGRAPH_MAX_USERS];

static void expect_calls_of_each(struct kunit *test, int calls)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		fgk_expect_calls(test, user, calls);
}

/* Whether it accepted or missed each of so many calls, and has its returns. */
static void expect_accepted_or_missed(struct kunit *test, struct fgk_user *user,
				      int calls)
{
	fgk_expect_calls(test, user, atomic_read(&user->entered));
	KUNIT_EXPECT_EQ_MSG(test, calls,
			    atomic_read(&user->entered) + fgk_missed(user),
			    "user %s", user->gops.name);
}

static void seventeenth_user_gets_enospc(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "seventeenth");

	fgk_set_filter(test, user, fgk_leaf_0);
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&user->gops), -ENOSPC);
	fgk_leaf_0(0);
	fgk_expect_calls(test, user, 0);
	expect_calls_of_each(test, 1);
}

static void each_gets_its_data(struct kunit *test)
{
	static const unsigned int sizes[] = { 1, 2, 7, 32, 0 };
	struct fgk_user *user;
	int shift;

	/* Each size in each place */
	for (shift = 0; shift < ARRAY_SIZE(sizes); shift++) {
		for_each_fgk_user(user)
			user->words = sizes[(user - sixteen + shift) %
					    ARRAY_SIZE(sizes)];
		fgk_outer(fgk_do_nothing, NULL);
	}
	expect_calls_of_each(test, 3 * ARRAY_SIZE(sizes));
}

static void make_bad_reservations(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgraph_reserve_data(call, 0) ||
	    fgraph_reserve_data(call, FGRAPH_MAX_DATA_WORDS + 1) ||
	    fgraph_reserve_data(call, UINT_MAX))
		fgk_found(user, FGK_BAD_RESERVATION);
}

/* It is no missed call, either: the user asked for nonsense. */
static void reservation_out_of_range_is_null(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->at_entry = make_bad_reservations;
		user->words = FGRAPH_MAX_DATA_WORDS;
	}
	fgk_leaf_0(0);
	expect_calls_of_each(test, 1);
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
}

static void refuse_after_reservation(struct fgk_user *user,
				     struct fgraph_call *call)
{
	unsigned long *data = fgraph_reserve_data(call, 9);

	if (!data)
		fgk_found(user, FGK_BAD_RESERVATION);
	else
		memset(data, 0xff, 9 * sizeof(*data));
}

/* What a user reserves in a call that it refuses is not in the way of others. */
static void data_of_refused_call_is_gone(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->refuse = (user - sixteen) % 3 == 1;
		if (user->refuse)
			user->at_entry = refuse_after_reservation;
		else
			user->words = 4;
	}
	fgk_outer(fgk_do_nothing, NULL);
	for_each_fgk_user(user)
		fgk_expect_calls(test, user, user->refuse ? 0 : 3);
}

/* Where in the call of fgk_leaf_0() the data of a user is */
static unsigned long *place_of_data[FGRAPH_MAX_USERS];

static void note_place_of_data(struct fgk_user *user, struct fgraph_call *call)
{
	place_of_data[user - sixteen] = fgraph_retrieve_data(call);
}

/* The next user's data is where that of one that refuses was. */
static void refused_data_takes_no_room(struct kunit *test)
{
	struct fgk_user *user;
	int i;

	for_each_fgk_user(user) {
		user->refuse = user == &sixteen[0] || user == &sixteen[2];
		user->at_entry = user->refuse ? refuse_after_reservation : NULL;
		user->at_return = note_place_of_data;
		user->words = 4;
	}
	memset(place_of_data, 0, sizeof(place_of_data));
	fgk_leaf_0(0);
	KUNIT_EXPECT_NULL(test, place_of_data[0]);
	KUNIT_ASSERT_NOT_NULL(test, place_of_data[1]);
	for (i = 3; i < FGRAPH_MAX_USERS; i++)
		KUNIT_EXPECT_PTR_EQ(test, place_of_data[i],
				    place_of_data[1] + 4 * (i - 2));
}

/*
 * What does not fit is refused and counted for the user that missed it: calls
 * for which there was no data, and those for which there was not even a frame.
 */
static void too_much_data_is_refused(struct kunit *test)
{
	const int calls = 20;
	struct fgk_user *user;
	int missed = 0;

	for_each_fgk_user(user)
		user->words = FGRAPH_MAX_DATA_WORDS;
	KUNIT_EXPECT_EQ(test, fgk_recurse(calls), calls);

	for_each_fgk_user(user) {
		KUNIT_EXPECT_GT(test, atomic_read(&user->entered), 0);
		KUNIT_EXPECT_EQ(test, fgk_missed(user),
				calls - atomic_read(&user->entered));
		expect_accepted_or_missed(test, user, calls);
		missed += fgk_missed(user);
	}
	KUNIT_EXPECT_GT(test, missed, 0);

	/* Nothing was harmed */
	for_each_fgk_user(user)
		fgk_reset_user(user);
	fgk_outer(fgk_do_nothing, NULL);
	expect_calls_of_each(test, 3);
}

/*
 * Where the stack gets full, there is room for the greedy one, for nobody or for the
 * modest ones. That is chance, so it has several sizes.
 */
static void greedy_user_does_not_harm_modest_ones(struct kunit *test)
{
	int modest = 0, greedy = 0;
	struct fgk_user *user;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		for_each_fgk_user(user)
			fgk_reset_user(user);
		sixteen[7].words = FGRAPH_MAX_DATA_WORDS - i;
		KUNIT_EXPECT_EQ(test, fgk_recurse(60), 60);
		for_each_fgk_user(user)
			expect_accepted_or_missed(test, user, 60);
		modest += atomic_read(&sixteen[6].entered);
		greedy += atomic_read(&sixteen[7].entered);
	}
	KUNIT_EXPECT_GT(test, fgk_missed(&sixteen[7]), 0);
	KUNIT_EXPECT_GT(test, modest, greedy);
}

static void sixteen_follow_32_calls(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		user->words = 1;
	KUNIT_EXPECT_EQ(test, fgk_recurse(32), 32);
	expect_calls_of_each(test, 32);
	for_each_fgk_user(user) {
		KUNIT_EXPECT_EQ(test, atomic_read(&user->deepest), 31);
		KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
	}
}

/* With each slot in turn, as none is special */
static void one_refuses(struct kunit *test)
{
	struct fgk_user *one, *user;

	for_each_fgk_user(one) {
		for_each_fgk_user(user) {
			fgk_reset_user(user);
			user->words = 1;
			user->refuse = user == one;
		}
		fgk_outer(fgk_do_nothing, NULL);
		for_each_fgk_user(user)
			fgk_expect_calls(test, user, user->refuse ? 0 : 3);
		KUNIT_EXPECT_EQ(test, atomic_read(&one->refused), 3);
	}
}

static void one_accepts(struct kunit *test)
{
	struct fgk_user *one, *user;

	for_each_fgk_user(one) {
		for_each_fgk_user(user) {
			fgk_reset_user(user);
			user->refuse = user != one;
		}
		fgk_outer(fgk_do_nothing, NULL);
		for_each_fgk_user(user)
			fgk_expect_calls(test, user, user->refuse ? 0 : 3);
	}
}

static void all_refuse(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		user->refuse = true;
	KUNIT_EXPECT_EQ(test, fgk_recurse(300), 300);
	expect_calls_of_each(test, 0);
	/* As no call takes room, none is missed */
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, atomic_read(&user->refused), 300);
}

static void remember_overrun(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgk_is(call, fgk_leaf_0))
		user->gops.private = (void *)(long)call->task->overrun;
}

/* The shadow stack is full of calls, more than it could ever hold. */
static void full_stack_skips_calls(struct kunit *test)
{
	const int calls = 400;
	struct fgk_user *user;

	/* Who refuses misses as well what it was not even asked for */
	sixteen[3].refuse = true;
	for_each_fgk_user(user)
		user->at_entry = remember_overrun;
	KUNIT_EXPECT_EQ(test, fgk_recurse(calls), calls);
	fgk_leaf_0(0);

	for_each_fgk_user(user) {
		long missed = fgk_missed(user);

		KUNIT_EXPECT_GT(test, missed, 0);
		KUNIT_EXPECT_EQ_MSG(test, (long)user->gops.private, missed,
				    "user %s: overrun", user->gops.name);
		KUNIT_EXPECT_EQ(test, calls + 1 - missed,
				atomic_read(&user->entered) +
				atomic_read(&user->refused));
		fgk_expect_calls(test, user, atomic_read(&user->entered));
		fgk_reset_user(user);
	}

	fgk_outer(fgk_do_nothing, NULL);
	expect_calls_of_each(test, 3);
}

/* Only who wants a function can miss a call of it. */
static void missed_is_counted_for_who_wants_it(struct kunit *test)
{
	struct fgk_user *user = &sixteen[0];

	fgk_set_filter(test, user, fgk_leaf_0);
	fgk_recurse(400);
	KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
	KUNIT_EXPECT_GT(test, fgk_missed(&sixteen[1]), 0);
	KUNIT_EXPECT_EQ(test, fgk_filter_all(user), 0);
}

/* What a user sees does not depend on what others accept. */
static void depth_is_of_the_user(struct kunit *test)
{
	struct fgk_user *outer = &sixteen[5];
	struct fgk_user *inner = &sixteen[2];
	struct fgk_user *both = &sixteen[9];
	struct fgk_user *user;

	for_each_fgk_user(user)
		user->refuse = user > &sixteen[9];
	fgk_set_filter(test, outer, fgk_outer);
	fgk_set_filter(test, inner, fgk_inner);
	fgk_set_filter(test, both, fgk_outer);
	fgk_add_filter(test, both, fgk_inner);

	fgk_outer(fgk_do_nothing, NULL);
	fgk_expect_calls(test, outer, 1);
	fgk_expect_calls(test, inner, 1);
	fgk_expect_calls(test, both, 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&outer->deepest), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&inner->deepest), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&both->deepest), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&sixteen[0].deepest), 2);

	KUNIT_EXPECT_EQ(test, fgk_filter_all(outer), 0);
	KUNIT_EXPECT_EQ(test, fgk_filter_all(inner), 0);
	KUNIT_EXPECT_EQ(test, fgk_filter_all(both), 0);
}

/* The tests of this suite share a task state with nobody but the user itself. */
static void check_and_change_state(struct fgk_user *user,
				   struct fgraph_call *call)
{
	u64 mine = (unsigned long)user;

	if (atomic_read(&user->entered) + atomic_read(&user->returned) > 0 &&
	    call->task->state != mine)
		fgk_found(user, FGK_BAD_STATE);
	call->task->state = mine;
}

static void check_state_at_return(struct fgk_user *user,
				  struct fgraph_call *call)
{
	if (call->task->state != (unsigned long)user)
		fgk_found(user, FGK_BAD_STATE);
}

static void task_state_is_of_one_user(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->at_entry = check_and_change_state;
		user->at_return = check_state_at_return;
	}
	fgk_outer(fgk_do_nothing, NULL);
	expect_calls_of_each(test, 3);
}

static u64 calltime, rettime;

/* The first one is asked first, and the others are told the same. */
static void compare_times(struct fgk_user *user, u64 time, u64 *first_time)
{
	if (user == &sixteen[0])
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
	expect_calls_of_each(test, 2);
}

static void call_leaf(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgk_leaf_1(1) != 2)
		fgk_found(user, FGK_BAD_DATA);
}

/* What callbacks call is not traced, by whomever. Else it would never end. */
static void callbacks_are_not_traced(struct kunit *test)
{
	struct fgk_user *user;

	sixteen[4].at_entry = call_leaf;
	sixteen[8].at_return = call_leaf;
	fgk_leaf_0(0);
	expect_calls_of_each(test, 1);
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, atomic_read(&user->leaves), BIT(0));
}

/* An interrupt of traced functions calls a traced function. */
struct interrupter {
	struct irq_work	work;
	struct hrtimer	timer;
	int		left;
	int		wrong;
	/* Whose calls are counted, and how many interrupts came while it ran */
	struct task_struct *task;
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

	/* If it were in another task, or on another CPU, nothing is traced */
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
	expect_calls_of_each(test, 4);
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
	/* Not the same point of what is interrupted each time */
	hrtimer_forward_now(timer, ns_to_ktime(100000 + 777 * irq->left));
	return HRTIMER_RESTART;
}

/*
 * Interrupts at any point of an entry and of a return: mostly there, as that is
 * what the task is doing.
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
		user->refuse = (user - sixteen) % 5 == 4;
		user->words = (user - sixteen) % 3;
	}

	hrtimer_init(&irq->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	irq->timer.function = interrupt_timer;
	preempt_disable();
	hrtimer_start(&irq->timer, ns_to_ktime(100000),
		      HRTIMER_MODE_REL_PINNED_HARD);
	preempt_enable();
	while (READ_ONCE(irq->left) && time_before(jiffies, deadline)) {
		preempt_disable();
		irq->wrong += fgk_recurse(10) != 10;
		preempt_enable();
		calls += 10;
	}
	hrtimer_cancel(&irq->timer);

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
		kunit_skip(test, "the arch does not tell");

	sixteen[0].at_return = remember_return;

	negative = fgk_return_int(-22);
	KUNIT_EXPECT_EQ(test, negative, -22);
	KUNIT_EXPECT_EQ(test, (int)returned[0], -22);

	KUNIT_EXPECT_PTR_EQ(test, fgk_return_pointer(test), (void *)test);
	KUNIT_EXPECT_EQ(test, returned[0], (unsigned long)test);

	KUNIT_EXPECT_EQ(test, fgk_return_u64(wide), wide);
	KUNIT_EXPECT_EQ(test, returned[0], (unsigned long)wide);
	if (!IS_ENABLED(CONFIG_64BIT))
		KUNIT_EXPECT_EQ(test, returned[1], (unsigned long)(wide >> 32));
	expect_calls_of_each(test, 3);
}

static void retregs_hold_the_second_word(struct kunit *test)
{
#ifdef CONFIG_ARCH_SUPPORTS_INT128
	unsigned __int128 ret;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_GRAPH_RETVAL))
		kunit_skip(test, "the arch does not tell");

	sixteen[0].at_return = remember_return;
	ret = fgk_return_u128(0x1111222233334444ull, 0x5555666677778888ull);
	KUNIT_EXPECT_EQ(test, returned[0], 0x1111222233334444ul);
	KUNIT_EXPECT_EQ(test, returned[1], 0x5555666677778888ul);
	KUNIT_EXPECT_EQ(test, (u64)ret, 0x1111222233334444ull);
	KUNIT_EXPECT_EQ(test, (u64)(ret >> 64), 0x5555666677778888ull);
#else
	kunit_skip(test, "no type has two registers");
#endif
}

static const char * const sixteen_names[FGRAPH_MAX_USERS] = {
	"0", "1", "2", "3", "4", "5", "6", "7",
	"8", "9", "10", "11", "12", "13", "14", "15",
};

static void fgraph_sixteen_suite_exit(struct kunit_suite *suite)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		fgk_unregister(user);
}

static int fgraph_sixteen_suite_init(struct kunit_suite *suite)
{
	struct fgk_user *user;
	int ret;

	for_each_fgk_user(user)
		fgk_init_user(user, sixteen_names[user - sixteen]);

	for_each_fgk_user(user) {
		ret = fgk_filter_all(user);
		if (!ret)
			ret = register_ftrace_graph(&user->gops);
		if (ret) {
			fgraph_sixteen_suite_exit(suite);
			return ret;
		}
	}
	return 0;
}

static int fgraph_sixteen_init(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		fgk_reset_user(user);
	return 0;
}

static struct kunit_case fgraph_sixteen_cases[] = {
	KUNIT_CASE(seventeenth_user_gets_enospc),
	KUNIT_CASE(each_gets_its_data),
	KUNIT_CASE(reservation_out_of_range_is_null),
	KUNIT_CASE(data_of_refused_call_is_gone),
	KUNIT_CASE(refused_data_takes_no_room),
	KUNIT_CASE(too_much_data_is_refused),
	KUNIT_CASE(greedy_user_does_not_harm_modest_ones),
	KUNIT_CASE(sixteen_follow_32_calls),
	KUNIT_CASE(one_refuses),
	KUNIT_CASE(one_accepts),
	KUNIT_CASE(all_refuse),
	KUNIT_CASE(full_stack_skips_calls),
	KUNIT_CASE(missed_is_counted_for_who_wants_it),
	KUNIT_CASE(depth_is_of_the_user),
	KUNIT_CASE(task_state_is_of_one_user),
	KUNIT_CASE(all_get_the_same_time),
	KUNIT_CASE(callbacks_are_not_traced),
	KUNIT_CASE(interrupt_is_one_deeper),
	KUNIT_CASE(interrupts_at_any_point),
	KUNIT_CASE(retregs_hold_the_return_value),
	KUNIT_CASE(retregs_hold_the_second_word),
	{ }
};

static struct kunit_suite fgraph_sixteen_suite = {
	.name = "fgraph_sixteen",
	.suite_init = fgraph_sixteen_suite_init,
	.suite_exit = fgraph_sixteen_suite_exit,
	.init = fgraph_sixteen_init,
	.test_cases = fgraph_sixteen_cases,
};

kunit_test_suite(fgraph_sixteen_suite);
