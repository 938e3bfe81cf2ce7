// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: all slots are taken.
 *
 * Some users refuse calls, or the shadow stack is full. Calls, missed calls and the
 * depth are counted separately for each user.
 */
#include "fgraph_kunit.h"

static void seventeenth_user_gets_enospc(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "seventeenth");

	fgk_set_filter(test, user, fgk_leaf_0);
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&user->gops), -ENOSPC);
	fgk_leaf_0(0);
	fgk_expect_calls(test, user, 0);
	fgk_expect_calls_of_all(test, 1);
}

static void sixteen_follow_32_calls(struct kunit *test)
{
	struct fgk_user *user;

	for_each_fgk_user(user)
		user->words = 1;
	KUNIT_EXPECT_EQ(test, fgk_recurse(32), 32);
	fgk_expect_calls_of_all(test, 32);
	for_each_fgk_user(user) {
		KUNIT_EXPECT_EQ(test, atomic_read(&user->deepest), 31);
		KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
	}
}

/* Repeat the test with each slot, because no slot may be special. */
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
	fgk_expect_calls_of_all(test, 0);
	/* A call that all users refuse takes no room, so no call is missed */
	for_each_fgk_user(user)
		KUNIT_EXPECT_EQ(test, atomic_read(&user->refused), 300);
}

static void remember_overrun(struct fgk_user *user, struct fgraph_call *call)
{
	if (fgk_is(call, fgk_leaf_0))
		user->gops.private = (void *)(long)call->task->overrun;
}

/* Make more nested calls than the shadow stack can hold. */
static void full_stack_skips_calls(struct kunit *test)
{
	const int calls = 400;
	struct fgk_user *user;

	/* A user that refuses also misses calls that do not reach its entryfunc */
	fgk_all[3].refuse = true;
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
	fgk_expect_calls_of_all(test, 3);
}

/* A user misses only calls of functions that its filter contains. */
static void missed_is_counted_for_who_wants_it(struct kunit *test)
{
	struct fgk_user *user = &fgk_all[0];

	fgk_set_filter(test, user, fgk_leaf_0);
	fgk_recurse(400);
	KUNIT_EXPECT_EQ(test, fgk_missed(user), 0);
	KUNIT_EXPECT_GT(test, fgk_missed(&fgk_all[1]), 0);
	KUNIT_EXPECT_EQ(test, fgk_filter_all(user), 0);
}

/* The depth that a user sees does not depend on the calls that other users accept. */
static void depth_is_of_the_user(struct kunit *test)
{
	struct fgk_user *outer = &fgk_all[5];
	struct fgk_user *inner = &fgk_all[2];
	struct fgk_user *both = &fgk_all[9];
	struct fgk_user *user;

	for_each_fgk_user(user)
		user->refuse = user > &fgk_all[9];
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
	KUNIT_EXPECT_EQ(test, atomic_read(&fgk_all[0].deepest), 2);

	KUNIT_EXPECT_EQ(test, fgk_filter_all(outer), 0);
	KUNIT_EXPECT_EQ(test, fgk_filter_all(inner), 0);
	KUNIT_EXPECT_EQ(test, fgk_filter_all(both), 0);
}

static struct kunit_case fgraph_slots_cases[] = {
	KUNIT_CASE(seventeenth_user_gets_enospc),
	KUNIT_CASE(sixteen_follow_32_calls),
	KUNIT_CASE(one_refuses),
	KUNIT_CASE(one_accepts),
	KUNIT_CASE(all_refuse),
	KUNIT_CASE(full_stack_skips_calls),
	KUNIT_CASE(missed_is_counted_for_who_wants_it),
	KUNIT_CASE(depth_is_of_the_user),
	{ }
};

static struct kunit_suite fgraph_slots_suite = {
	.name = "fgraph_slots",
	.suite_init = fgk_register_all,
	.suite_exit = fgk_unregister_all,
	.init = fgk_reset_all,
	.test_cases = fgraph_slots_cases,
};

kunit_test_suite(fgraph_slots_suite);
