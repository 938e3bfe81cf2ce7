// SPDX-License-Identifier: GPL-2.0
/*
 * Users of fgraph for measurements. Idle users have empty callbacks, which shows the
 * cost of a call in the core alone. A counting user checks that each accepted call
 * returns once, with its data.
 *
 *	cd /sys/module/fgraph_benchmark/parameters
 *	echo vfs_read > function
 *	echo 2 > users
 *
 * registers two idle users that accept each call of vfs_read(). Writing 0 to "users"
 * unregisters them.
 *
 *	echo 1 > count
 *
 * registers the counting user. The parameter "inside" counts the accepted calls that
 * have not returned. The parameter "wrong" counts the calls that returned with other
 * data than the user had stored.
 */
#include <linux/fgraph.h>
#include <linux/module.h>
#include <linux/string.h>

static int accept_call(struct fgraph_ops *gops, struct fgraph_call *call)
{
	return 1;
}

static void ignore_return(struct fgraph_ops *gops, struct fgraph_call *call)
{
}

static atomic_t inside = ATOMIC_INIT(0);
static atomic_t wrong = ATOMIC_INIT(0);

static unsigned long mark_call(const struct fgraph_call *call)
{
	return call->func ^ (unsigned long)current ^ call->depth;
}

static int count_entry(struct fgraph_ops *gops, struct fgraph_call *call)
{
	unsigned long *data = fgraph_reserve_words(call, 1);

	if (!data)
		return 0;
	*data = mark_call(call);
	atomic_inc(&inside);
	return 1;
}

static void count_return(struct fgraph_ops *gops, struct fgraph_call *call)
{
	unsigned long *data = fgraph_retrieve_words(call);

	if (*data != mark_call(call))
		atomic_inc(&wrong);
	atomic_dec(&inside);
}

static char function[KSYM_NAME_LEN];
module_param_string(function, function, sizeof(function), 0644);
MODULE_PARM_DESC(function, "function to trace, used by the users that are registered next");

/* The lock of the module parameters protects the users below. */
static struct fgraph_ops bench_ops[FGRAPH_MAX_USERS];
static int users;

static struct fgraph_ops count_ops;
static bool count;

static int add_user(struct fgraph_ops *gops)
{
	char *name = strim(function);
	int ret;

	ret = ftrace_set_filter(&gops->ops, name, strlen(name), 1);
	if (!ret)
		ret = register_ftrace_graph(gops);
	if (ret)
		ftrace_free_filter(&gops->ops);
	return ret;
}

static int add_idle_user(struct fgraph_ops *gops)
{
	*gops = (struct fgraph_ops) {
		.name		= "benchmark",
		.entryfunc	= accept_call,
		.retfunc	= ignore_return,
	};
	return add_user(gops);
}

static int add_counting_user(struct fgraph_ops *gops)
{
	atomic_set(&inside, 0);
	atomic_set(&wrong, 0);
	*gops = (struct fgraph_ops) {
		.name		= "counter",
		.entryfunc	= count_entry,
		.retfunc	= count_return,
	};
	return add_user(gops);
}

static void remove_user(struct fgraph_ops *gops)
{
	unregister_ftrace_graph(gops);
	ftrace_free_filter(&gops->ops);
}

static void remove_users(void)
{
	while (users)
		remove_user(&bench_ops[--users]);
}

static int set_users(const char *val, const struct kernel_param *kp)
{
	unsigned int wanted;
	int ret;

	ret = kstrtouint(val, 0, &wanted);
	if (ret)
		return ret;
	if (wanted > FGRAPH_MAX_USERS)
		return -ERANGE;

	remove_users();
	while (users < wanted) {
		ret = add_idle_user(&bench_ops[users]);
		if (ret) {
			remove_users();
			return ret;
		}
		users++;
	}
	return 0;
}

static const struct kernel_param_ops users_param_ops = {
	.set	= set_users,
	.get	= param_get_int,
};
module_param_cb(users, &users_param_ops, &users, 0644);
MODULE_PARM_DESC(users, "number of users with empty callbacks");

static int set_count(const char *val, const struct kernel_param *kp)
{
	bool wanted;
	int ret;

	ret = kstrtobool(val, &wanted);
	if (ret || wanted == count)
		return ret;

	if (wanted)
		ret = add_counting_user(&count_ops);
	else
		remove_user(&count_ops);
	if (!ret)
		count = wanted;
	return ret;
}

static const struct kernel_param_ops count_param_ops = {
	.set	= set_count,
	.get	= param_get_bool,
};
module_param_cb(count, &count_param_ops, &count, 0644);
MODULE_PARM_DESC(count, "register a user that counts calls");

module_param_named(inside, inside.counter, int, 0444);
MODULE_PARM_DESC(inside, "number of counted calls that have not returned");
module_param_named(wrong, wrong.counter, int, 0444);
MODULE_PARM_DESC(wrong, "number of counted calls that returned with wrong data");

static int __init fgraph_benchmark_init(void)
{
	return 0;
}
module_init(fgraph_benchmark_init);

static void __exit fgraph_benchmark_exit(void)
{
	remove_users();
	if (count)
		remove_user(&count_ops);
}
module_exit(fgraph_benchmark_exit);

MODULE_DESCRIPTION("Users of fgraph for benchmarks");
MODULE_LICENSE("GPL");
