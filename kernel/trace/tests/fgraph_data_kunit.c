// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: the data of sixteen users in a call, and their state in a
 * task.
 */
#include "fgraph_kunit.h"

static void each_gets_its_data(struct kunit *test)
{
	static const unsigned int sizes[] = { 1, 2, 7, 32, 0 };
	struct fgk_user *user;
	int shift;

	/* Each position among the users gets each size once */
	for (shift = 0; shift < ARRAY_SIZE(sizes); shift++) {
		for_each_fgk_user(user)
			user->words = sizes[(user - fgk_all + shift) %
					    ARRAY_SIZE(sizes)];
		fgk_outer(fgk_do_nothing, NULL);
	}
	fgk_expect_calls_of_all(test, 3 * ARRAY_SIZE(sizes));
}

static void read_args_at_entry(struct fgk_user *user, struct fgraph_call *call)
{
	unsigned long word;

	if (call->fregs && fgraph_read_args(call, &word, 1, 0))
		fgk_found(user, FGK_BAD_ARGS);
}

/* At the return, the registers contain the result. */
static void read_args_at_return(struct fgk_user *user, struct fgraph_call *call)
{
	unsigned long word;

	if (fgraph_read_args(call, &word, 1, 0) != -EINVAL)
		fgk_found(user, FGK_BAD_ARGS);
}

static void args_are_read_at_the_entry_only(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->at_entry = read_args_at_entry;
		user->at_return = read_args_at_return;
	}
	fgk_outer(fgk_do_nothing, NULL);
	fgk_expect_calls_of_all(test, 3);
}

static void make_bad_reservations(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgraph_reserve_words(call, 0) ||
	    fgraph_reserve_words(call, FGRAPH_MAX_DATA_WORDS + 1) ||
	    fgraph_reserve_words(call, UINT_MAX))
		fgk_found(user, FGK_BAD_RESERVATION);
}

/* An invalid size is an error of the user, so it does not count as a missed call. */
static void reservation_out_of_range_is_null(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->at_entry = make_bad_reservations;
		user->words = FGRAPH_MAX_DATA_WORDS;
	}
	fgk_leaf_0(0);
	fgk_expect_calls_of_all(test, 1);
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
}

static void refuse_after_reservation(struct fgk_user *user,
				     struct fgraph_call *call)
{
	unsigned long *data = fgraph_reserve_words(call, 9);

	if (!data)
		fgk_found(user, FGK_BAD_RESERVATION);
	else
		memset(data, 0xff, 9 * sizeof(*data));
}

/* Data that a user reserves in a call and then refuses does not disturb other users. */
static void data_of_refused_call_is_gone(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user) {
		user->refuse = (user - fgk_all) % 3 == 1;
		if (user->refuse)
			user->at_entry = refuse_after_reservation;
		else
			user->words = 4;
	}
	fgk_outer(fgk_do_nothing, NULL);
	for_each_fgk_user(user)
		fgk_expect_calls(test, user, user->refuse ? 0 : 3);
}

/* The address of the data of each user in the call of fgk_leaf_0() */
static unsigned long *place_of_data[FGRAPH_MAX_USERS];

static void note_place_of_data(struct fgk_user *user, struct fgraph_call *call)
{
	place_of_data[user - fgk_all] = fgraph_retrieve_words(call);
}

/* The data of the next user replaces the data of a user that refused the call. */
static void refused_data_takes_no_room(struct kunit *test)
{
	struct fgk_user *user;
	int i;

	for_each_fgk_user(user) {
		user->refuse = user == &fgk_all[0] || user == &fgk_all[2];
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
 * Expect that @user accepted or missed each of @calls calls, and that all accepted
 * calls returned.
 */
static void expect_accepted_or_missed(struct kunit *test, struct fgk_user *user,
				      int calls)
{
	fgk_expect_calls(test, user, atomic_read(&user->entered));
	KUNIT_EXPECT_EQ_MSG(test, calls,
			    atomic_read(&user->entered) + fgk_missed(user),
			    "user %s", user->gops.name);
}

/* The missed calls of each user, as the state of the user in the task counts them */
static u32 overrun[FGRAPH_MAX_USERS];

static void note_overrun(struct fgk_user *user, struct fgraph_call *call)
{
	overrun[user - fgk_all] = call->task->overrun;
}

/*
 * A call without room on the shadow stack is counted for each user that misses it, and
 * in the state of the user in the task. There may be room for a frame but not for the
 * data of a user, or for neither of them.
 */
static void too_much_data_is_refused(struct kunit *test)
{
	const int calls = 20;
	struct fgk_user *user;
	int missed = 0;

	for_each_fgk_user(user) {
		user->words = FGRAPH_MAX_DATA_WORDS;
		user->at_return = note_overrun;
	}
	KUNIT_EXPECT_EQ(test, fgk_recurse(calls), calls);

	for_each_fgk_user(user) {
		KUNIT_EXPECT_GT(test, atomic_read(&user->entered), 0);
		KUNIT_EXPECT_EQ(test, overrun[user - fgk_all], fgk_missed(user));
		KUNIT_EXPECT_EQ(test, fgk_missed(user),
				calls - atomic_read(&user->entered));
		expect_accepted_or_missed(test, user, calls);
		missed += fgk_missed(user);
	}
	KUNIT_EXPECT_GT(test, missed, 0);

	/* The shadow stack still works */
	for_each_fgk_user(user)
		fgk_reset_user(user);
	fgk_outer(fgk_do_nothing, NULL);
	fgk_expect_calls_of_all(test, 3);
}

/*
 * Near the end of the shadow stack, the data of the greedy user may fit, or only the
 * frames of the modest users, or nothing. The result depends on the sizes, so the
 * greedy user tries several sizes.
 */
static void greedy_user_does_not_harm_modest_ones(struct kunit *test)
{
	int modest = 0, greedy = 0;
	struct fgk_user *user;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		for_each_fgk_user(user)
			fgk_reset_user(user);
		fgk_all[7].words = FGRAPH_MAX_DATA_WORDS - i;
		KUNIT_EXPECT_EQ(test, fgk_recurse(60), 60);
		for_each_fgk_user(user)
			expect_accepted_or_missed(test, user, 60);
		modest += atomic_read(&fgk_all[6].entered);
		greedy += atomic_read(&fgk_all[7].entered);
	}
	KUNIT_EXPECT_GT(test, fgk_missed(&fgk_all[7]), 0);
	KUNIT_EXPECT_GT(test, modest, greedy);
}

/*
 * The state of a user in a task belongs to that user. After the first callback, it
 * contains the value that the user stored.
 */
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
	fgk_expect_calls_of_all(test, 3);
}

static struct kunit_case fgraph_data_cases[] = {
	KUNIT_CASE(each_gets_its_data),
	KUNIT_CASE(args_are_read_at_the_entry_only),
	KUNIT_CASE(reservation_out_of_range_is_null),
	KUNIT_CASE(data_of_refused_call_is_gone),
	KUNIT_CASE(refused_data_takes_no_room),
	KUNIT_CASE(too_much_data_is_refused),
	KUNIT_CASE(greedy_user_does_not_harm_modest_ones),
	KUNIT_CASE(task_state_is_of_one_user),
	{ }
};

static struct kunit_suite fgraph_data_suite = {
	.name = "fgraph_data",
	.suite_init = fgk_register_all,
	.suite_exit = fgk_unregister_all,
	.init = fgk_reset_all,
	.test_cases = fgraph_data_cases,
};

kunit_test_suite(fgraph_data_suite);
