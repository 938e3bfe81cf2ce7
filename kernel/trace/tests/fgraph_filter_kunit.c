// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: each user traces the functions in its own filter.
 */
#include <linux/prandom.h>

#include "fgraph_kunit.h"

#define FGK_ALL_LEAVES	(BIT(FGK_LEAVES) - 1)

/* Call each leaf once. Return a bit for each leaf that @user traced. */
static int fgk_leaves_seen(struct kunit *test, struct fgk_user *user)
{
	fgk_reset_user(user);
	fgk_call_leaves(test);
	fgk_expect_no_errors(test, user);
	return atomic_read(&user->leaves);
}

/*
 * Call each leaf once, and expect that @user traced no other calls. Return a bit for each
 * leaf that @user traced.
 */
static int fgk_only_leaves_seen(struct kunit *test, struct fgk_user *user)
{
	int leaves = fgk_leaves_seen(test, user);

	fgk_expect_calls(test, user, hweight_long(leaves));
	return leaves;
}

static void user_sees_its_functions_only(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "one");

	fgk_set_filter(test, user, fgk_leaf_2);
	fgk_register(test, user);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, user), BIT(2));

	/* Change the filter of a user that is alone */
	fgk_add_filter(test, user, fgk_leaf_4);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, user), BIT(2) | BIT(4));
	fgk_set_filter(test, user, fgk_leaf_0);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, user), BIT(0));
}

static void users_see_each_their_functions(struct kunit *test)
{
	struct fgk_user *a = fgk_new_user(test, "a");
	struct fgk_user *b = fgk_new_user(test, "b");

	fgk_set_filter(test, a, fgk_leaf_1);
	fgk_set_filter(test, b, fgk_leaf_3);
	fgk_register(test, a);
	fgk_register(test, b);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), BIT(1));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, b), BIT(3));

	/* Change the filter of one of two users */
	fgk_add_filter(test, b, fgk_leaf_1);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), BIT(1));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, b), BIT(1) | BIT(3));

	/* A user that is alone again is hooked by its own filter, not by a union */
	unregister_ftrace_graph(&b->gops);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), BIT(1));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, b), 0);
}

static int fgk_set_notrace(struct fgk_user *user, const char *glob)
{
	return ftrace_set_notrace(&user->gops.ops, (unsigned char *)glob,
				  strlen(glob), 1);
}

static void notrace_is_of_one_user(struct kunit *test)
{
	struct fgk_user *a = fgk_new_user(test, "a");
	struct fgk_user *b = fgk_new_user(test, "b");

	KUNIT_ASSERT_EQ(test, fgk_filter_all(a), 0);
	KUNIT_ASSERT_EQ(test, fgk_filter_all(b), 0);
	KUNIT_ASSERT_EQ(test, fgk_set_notrace(a, "fgk_leaf_1"), 0);
	fgk_register(test, a);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), FGK_ALL_LEAVES & ~BIT(1));

	KUNIT_ASSERT_EQ(test, fgk_set_notrace(b, "fgk_leaf_[12]"), 0);
	fgk_register(test, b);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), FGK_ALL_LEAVES & ~BIT(1));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, b),
			FGK_ALL_LEAVES & ~BIT(1) & ~BIT(2));
}

/* A user without a filter registers and unregisters while a user with a filter is registered. */
static void user_without_filter_sees_all(struct kunit *test)
{
	struct fgk_user *all = fgk_new_user(test, "all");
	struct fgk_user *one = fgk_new_user(test, "one");

	KUNIT_ASSERT_EQ(test, fgk_set_notrace(all, "fgk_leaf_[12]"), 0);
	fgk_set_filter(test, one, fgk_leaf_1);
	fgk_register(test, one);
	fgk_register(test, all);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, one), BIT(1));
	KUNIT_EXPECT_EQ(test, fgk_leaves_seen(test, all),
			FGK_ALL_LEAVES & ~BIT(1) & ~BIT(2));

	unregister_ftrace_graph(&one->gops);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, one), 0);
	KUNIT_EXPECT_EQ(test, fgk_leaves_seen(test, all),
			FGK_ALL_LEAVES & ~BIT(1) & ~BIT(2));

	fgk_register(test, one);
	unregister_ftrace_graph(&all->gops);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, one), BIT(1));
	KUNIT_EXPECT_EQ(test, fgk_leaves_seen(test, all), 0);
}

/*
 * A user shares the filter of another ftrace_ops and follows each change of it. The
 * end of the test case frees the filter with the user, and only once.
 */
static void shared_filter_is_followed(struct kunit *test)
{
	static struct ftrace_ops shared;
	struct fgk_user *a = fgk_new_user(test, "a");
	struct fgk_user *b = fgk_new_user(test, "b");

	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&shared,
						      fgraph_func_addr(fgk_leaf_1),
						      0, 1));
	fgraph_share_filter(&a->gops, &shared);
	fgk_set_filter(test, b, fgk_leaf_0);
	fgk_register(test, a);
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), BIT(1));

	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&shared,
						      fgraph_func_addr(fgk_leaf_2),
						      0, 1));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), BIT(2));

	fgk_register(test, b);
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&shared,
						      fgraph_func_addr(fgk_leaf_3),
						      0, 0));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, a), BIT(2) | BIT(3));
	KUNIT_EXPECT_EQ(test, fgk_only_leaves_seen(test, b), BIT(0));
}

/*
 * Users register, unregister and change their filters in a random order, which is the
 * same in each run. After each step, the result is compared with a model. All users
 * have a filter, because hooking every function many times takes too long.
 */
#define FGK_MODEL_USERS	4
#define FGK_MODEL_STEPS	100

struct fgk_model_user {
	struct fgk_user	*user;
	bool		registered;
	/* The filter and the notrace hash, with a bit for each leaf */
	int		filter;
	int		unwanted;
};

static int fgk_model_sees(const struct fgk_model_user *model)
{
	return model->registered ? model->filter & ~model->unwanted : 0;
}

static void fgk_model_toggle(struct kunit *test, struct fgk_model_user *model)
{
	if (model->registered)
		unregister_ftrace_graph(&model->user->gops);
	else
		fgk_register(test, model->user);
	model->registered = !model->registered;
}

static void fgk_model_set_filter(struct kunit *test,
				 struct fgk_model_user *model, int filter)
{
	unsigned long ips[FGK_LEAVES];
	int nr = 0;
	int i;

	for (i = 0; i < FGK_LEAVES; i++)
		if (filter & BIT(i))
			ips[nr++] = fgraph_func_addr(fgk_leaves[i]);

	model->filter = filter;
	KUNIT_ASSERT_EQ(test, 0,
			ftrace_set_filter_ips(&model->user->gops.ops, ips, nr,
					      0, 1));
}

static void fgk_model_set_notrace(struct kunit *test,
				  struct fgk_model_user *model, int leaf)
{
	unsigned char glob[] = "fgk_leaf_0";

	glob[sizeof(glob) - 2] += leaf;
	model->unwanted = leaf < FGK_LEAVES ? BIT(leaf) : 0;
	KUNIT_ASSERT_EQ(test, 0,
			ftrace_set_notrace(&model->user->gops.ops,
					   leaf < FGK_LEAVES ? glob : NULL,
					   leaf < FGK_LEAVES ? strlen(glob) : 0,
					   1));
}

static void fgk_model_step(struct kunit *test, struct fgk_model_user *models,
			   struct rnd_state *rnd)
{
	struct fgk_model_user *model;
	int leaf, mask;

	model = &models[prandom_u32_state(rnd) % FGK_MODEL_USERS];
	mask = 1 + prandom_u32_state(rnd) % FGK_ALL_LEAVES;
	leaf = prandom_u32_state(rnd) % (FGK_LEAVES + 2);

	switch (prandom_u32_state(rnd) % 8) {
	case 0 ... 2:
		fgk_model_toggle(test, model);
		break;
	case 3 ... 5:
		fgk_model_set_filter(test, model, mask);
		break;
	default:
		fgk_model_set_notrace(test, model, leaf);
	}
}

static void fgk_model_compare(struct kunit *test,
			      const struct fgk_model_user *models, int step)
{
	int i;

	for (i = 0; i < FGK_MODEL_USERS; i++)
		fgk_reset_user(models[i].user);
	fgk_call_leaves(test);
	for (i = 0; i < FGK_MODEL_USERS; i++) {
		int sees = fgk_model_sees(&models[i]);

		KUNIT_EXPECT_EQ_MSG(test, atomic_read(&models[i].user->leaves),
				    sees, "step %d, user %d", step, i);
		fgk_expect_calls(test, models[i].user, hweight_long(sees));
	}
}

static void filters_match_the_model(struct kunit *test)
{
	static const char * const names[FGK_MODEL_USERS] = { "0", "1", "2", "3" };
	struct fgk_model_user models[FGK_MODEL_USERS] = { };
	struct rnd_state rnd;
	int i;

	prandom_seed_state(&rnd, 20260101);
	for (i = 0; i < FGK_MODEL_USERS; i++) {
		models[i].user = fgk_new_user(test, names[i]);
		fgk_model_set_filter(test, &models[i], BIT(i));
	}
	for (i = 0; i < FGK_MODEL_STEPS; i++) {
		fgk_model_step(test, models, &rnd);
		fgk_model_compare(test, models, i);
	}
}

static struct kunit_case fgraph_filter_cases[] = {
	KUNIT_CASE(user_sees_its_functions_only),
	KUNIT_CASE(users_see_each_their_functions),
	KUNIT_CASE(notrace_is_of_one_user),
	KUNIT_CASE(user_without_filter_sees_all),
	KUNIT_CASE(shared_filter_is_followed),
	KUNIT_CASE(filters_match_the_model),
	{ }
};

static struct kunit_suite fgraph_filter_suite = {
	.name = "fgraph_filter",
	.test_cases = fgraph_filter_cases,
};

kunit_test_suite(fgraph_filter_suite);
