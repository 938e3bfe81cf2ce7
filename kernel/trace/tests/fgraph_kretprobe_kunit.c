// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: kretprobes and fprobes.
 *
 * The instance of a call is an area on the shadow stack of the task. If the task has no
 * shadow stack, or no room on it, the instance is allocated from the pool of the probe.
 * A task without a shadow stack gets one soon after it has hit a probe.
 */
#include <linux/delay.h>
#include <linux/fprobe.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/wait.h>

#include "fgraph_kunit.h"

/* Many more tasks than instances in the pool of a kretprobe. With KASAN, they start slowly. */
#define FGK_MANY_TASKS	(IS_ENABLED(CONFIG_KASAN) ? 2000 : 10000)

/* The number of tasks that hit no probe */
#define FGK_IDLE_TASKS	500

/**
 * struct fgk_probe - a kretprobe that checks the entry data of its calls
 * @rp:		the kretprobe
 * @task:	the task whose calls must return in reverse order, or NULL
 * @refuse:	the entry handler refuses calls
 * @registered:	the kretprobe is registered
 * @entered:	the number of calls that were not refused
 * @returned:	the number of these calls that have returned
 * @inside:	the number of these calls that have not returned
 * @on_stack:	the number of calls with an instance on the shadow stack
 * @ret:	the return value of the last call
 * @ret_addr:	the return address of the last call
 * @errors:	the number of returns without the entry data of their call
 */
struct fgk_probe {
	struct kretprobe	rp;
	struct task_struct	*task;
	bool			refuse;
	bool			registered;
	atomic_t		entered;
	atomic_t		returned;
	atomic_t		inside;
	atomic_t		on_stack;
	unsigned long		ret;
	unsigned long		ret_addr;
	atomic_t		errors;
};

/* The entry data of a call. Each byte of @fill is set to the depth. */
struct fgk_probe_data {
	struct task_struct	*task;
	u64			depth;
	u8			fill[];
};

static struct fgk_probe *fgk_probe(struct kretprobe_instance *ri)
{
	return container_of(get_kretprobe(ri), struct fgk_probe, rp);
}

static size_t fgk_fill_size(const struct fgk_probe *probe)
{
	return probe->rp.data_size - sizeof(struct fgk_probe_data);
}

static int fgk_probe_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct fgk_probe_data *data = (struct fgk_probe_data *)ri->data;
	struct fgk_probe *probe = fgk_probe(ri);

	if (probe->refuse)
		return 1;

	atomic_inc(&probe->entered);
	if (fgraph_is_area(current, ri))
		atomic_inc(&probe->on_stack);
	data->task = current;
	data->depth = atomic_inc_return(&probe->inside);
	memset(data->fill, data->depth, fgk_fill_size(probe));
	return 0;
}
NOKPROBE_SYMBOL(fgk_probe_entry);

static int fgk_probe_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct fgk_probe_data *data = (struct fgk_probe_data *)ri->data;
	struct fgk_probe *probe = fgk_probe(ri);
	int depth = atomic_dec_return(&probe->inside) + 1;

	if (data->task != current ||
	    memchr_inv(data->fill, data->depth, fgk_fill_size(probe)) ||
	    (current == probe->task && data->depth != depth))
		atomic_inc(&probe->errors);

	probe->ret = regs_return_value(regs);
	probe->ret_addr = get_kretprobe_retaddr(ri);
	atomic_inc(&probe->returned);
	return 0;
}
NOKPROBE_SYMBOL(fgk_probe_return);

static void fgk_unprobe(struct fgk_probe *probe)
{
	if (probe->registered)
		unregister_kretprobe(&probe->rp);
	probe->registered = false;
}

static int fgk_init_probe_resource(struct kunit_resource *res, void *probe)
{
	res->data = probe;
	return 0;
}

/* A failed assertion may end a test case before it unregisters the probe. */
static void fgk_free_probe_resource(struct kunit_resource *res)
{
	fgk_unprobe(res->data);
}

static struct fgk_probe *fgk_probe_function(struct kunit *test, void *func,
					    size_t fill)
{
	struct fgk_probe *probe = kunit_kzalloc(test, sizeof(*probe), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, probe);
	probe->rp.kp.addr = (void *)fgraph_func_addr(func);
	probe->rp.data_size = sizeof(struct fgk_probe_data) + fill;
	probe->rp.entry_handler = fgk_probe_entry;
	probe->rp.handler = fgk_probe_return;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&probe->rp), 0);
	probe->registered = true;
	KUNIT_ASSERT_NOT_NULL(test,
			      kunit_alloc_resource(test, fgk_init_probe_resource,
						   fgk_free_probe_resource,
						   GFP_KERNEL, probe));
	return probe;
}

static void fgk_expect_probed(struct kunit *test, struct fgk_probe *probe,
			      int calls, int missed)
{
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->entered), calls - missed);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->returned), calls - missed);
	KUNIT_EXPECT_EQ(test, probe->rp.nmissed, missed);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->errors), 0);
}

/*
 * The probe that gives a task its shadow stack is on this function. The function is not
 * a leaf, because a leaf on Thumb-2 begins with "push {lr}". Kprobes emulate a push by
 * an instruction that needs two registers.
 */
#define fgk_first_probed	fgk_tail_inner

/*
 * Hit a probe, so that this task gets a shadow stack. The task keeps it only while
 * another probe is registered.
 */
static void fgk_get_stack(struct kunit *test)
{
	struct kretprobe rp = { .kp.addr = (void *)fgraph_func_addr(fgk_first_probed) };

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	fgk_first_probed(fgk_do_nothing, NULL);
	KUNIT_EXPECT_TRUE(test, fgk_gets_stack(current));
	unregister_kretprobe(&rp);
}

/* In a task without a shadow stack, the instance of a call is from the pool. */
static void task_gets_stack_after_its_first_call(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_recurse, 0);

	KUNIT_EXPECT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_EQ(test, fgk_recurse(1), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 0);
	KUNIT_EXPECT_TRUE(test, fgk_gets_stack(current));
	KUNIT_EXPECT_EQ(test, fgk_recurse(1), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 1);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 2, 0);
	KUNIT_EXPECT_NULL(test, current->ret_stack);
}

/*
 * A probe marks a task that has no shadow stack, once. The mark of an earlier probe
 * must not keep a later probe from marking the task again.
 */
static void task_gets_stack_from_each_first_probe(struct kunit *test)
{
	task_gets_stack_after_its_first_call(test);
	task_gets_stack_after_its_first_call(test);
}

static void stack_outdoes_maxactive(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_recurse, 0);
	int calls = probe->rp.maxactive + 15;

	fgk_get_stack(test);
	probe->task = current;
	KUNIT_EXPECT_EQ(test, fgk_recurse(calls), calls);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, calls, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), calls);
}

/* Nested calls have their own entry data, also in sizes that are not a multiple of a word. */
static void probe_data_is_of_each_call(struct kunit *test)
{
	static const size_t fills[] = { 0, 1, 13, 64 };
	struct fgk_probe *probe;
	int i;

	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		probe = fgk_probe_function(test, fgk_recurse, fills[i]);
		fgk_get_stack(test);
		probe->task = current;
		KUNIT_EXPECT_EQ(test, fgk_recurse(30), 30);
		fgk_unprobe(probe);
		fgk_expect_probed(test, probe, 30, 0);
		KUNIT_EXPECT_EQ(test, probe->ret, 30);
	}
}

static void refused_call_is_not_probed(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_recurse, 0);

	fgk_get_stack(test);
	probe->task = current;
	probe->refuse = true;
	KUNIT_EXPECT_EQ(test, fgk_recurse(30), 30);
	fgk_expect_probed(test, probe, 0, 0);
	probe->refuse = false;
	KUNIT_EXPECT_EQ(test, fgk_recurse(30), 30);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 30, 0);
}

/* A probe misses a call only if the shadow stack is full and the pool is empty. */
static void probe_misses_what_does_not_fit(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_recurse, 256);
	int missed;

	fgk_get_stack(test);
	KUNIT_EXPECT_EQ(test, fgk_recurse(50), 50);
	KUNIT_EXPECT_LT(test, atomic_read(&probe->on_stack), atomic_read(&probe->entered));
	missed = probe->rp.nmissed;
	KUNIT_EXPECT_GT(test, missed, 0);
	KUNIT_EXPECT_LT(test, missed, 50);
	fgk_expect_probed(test, probe, 50, missed);

	KUNIT_EXPECT_EQ(test, fgk_recurse(50 - missed), 50 - missed);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 100 - missed, missed);
}

/**
 * struct fgk_counters - a kretprobe without an entry handler and a kprobe
 * @ret:	the kretprobe
 * @entry:	the kprobe, at the same address in some cases
 * @returned:	the number of hits of @ret
 * @entered:	the number of hits of @entry
 * @in_nmi:	the last hit of @entry was in NMI context
 */
struct fgk_counters {
	struct kretprobe	ret;
	struct kprobe		entry;
	int			returned;
	int			entered;
	bool			in_nmi;
};

static int fgk_count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	container_of(get_kretprobe(ri), struct fgk_counters, ret)->returned++;
	return 0;
}
NOKPROBE_SYMBOL(fgk_count_return);

static int fgk_count_entry(struct kprobe *p, struct pt_regs *regs)
{
	struct fgk_counters *counters = container_of(p, struct fgk_counters, entry);

	counters->entered++;
	counters->in_nmi = in_nmi();
	return 0;
}
NOKPROBE_SYMBOL(fgk_count_entry);

/* Call the function three times, and expect this many hits of each probe per call. */
static void fgk_expect_counted(struct kunit *test, struct fgk_counters *counters,
			       int returned, int entered)
{
	KUNIT_EXPECT_EQ(test, fgk_recurse(3), 3);
	KUNIT_EXPECT_EQ(test, counters->returned, 3 * returned);
	KUNIT_EXPECT_EQ(test, counters->entered, 3 * entered);
	counters->returned = 0;
	counters->entered = 0;
}

static void fgk_do_nothing_after(struct kprobe *p, struct pt_regs *regs,
				 unsigned long flags)
{
}
NOKPROBE_SYMBOL(fgk_do_nothing_after);

/*
 * A kprobe with a post_handler is armed by other ftrace_ops, unless a kprobe at the
 * same address is armed already.
 */
static void post_handler_comes_and_goes(struct kunit *test)
{
	struct fgk_counters *first = kunit_kzalloc(test, sizeof(*first), GFP_KERNEL);
	struct fgk_counters *second = kunit_kzalloc(test, sizeof(*second), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_ASSERT_NOT_NULL(test, second);
	first->entry.addr = (void *)fgraph_func_addr(fgk_recurse);
	first->entry.pre_handler = fgk_count_entry;
	second->entry = first->entry;
	second->entry.post_handler = fgk_do_nothing_after;

	KUNIT_ASSERT_EQ(test, register_kprobe(&first->entry), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&second->entry), 0);
	fgk_expect_counted(test, second, 0, 1);
	unregister_kprobe(&second->entry);
	fgk_expect_counted(test, second, 0, 0);
	first->entered = 0;
	fgk_expect_counted(test, first, 0, 1);
	unregister_kprobe(&first->entry);
	fgk_expect_counted(test, first, 0, 0);
}

/*
 * A kretprobe that has no entry handler may be armed by ftrace_ops of its own while it
 * is the only probe at its address.
 */
static void probes_meet_at_one_address(struct kunit *test)
{
	struct fgk_counters *counters = kunit_kzalloc(test, sizeof(*counters), GFP_KERNEL);
	struct kretprobe *ret = &counters->ret;
	struct kprobe *entry = &counters->entry;
	struct fgk_probe *probe;

	KUNIT_ASSERT_NOT_NULL(test, counters);
	ret->kp.addr = (void *)fgraph_func_addr(fgk_recurse);
	ret->handler = fgk_count_return;
	entry->addr = (void *)fgraph_func_addr(fgk_recurse);
	entry->pre_handler = fgk_count_entry;

	KUNIT_ASSERT_EQ(test, register_kretprobe(ret), 0);
	fgk_expect_counted(test, counters, 1, 0);
	KUNIT_EXPECT_EQ(test, disable_kretprobe(ret), 0);
	fgk_expect_counted(test, counters, 0, 0);
	KUNIT_EXPECT_EQ(test, enable_kretprobe(ret), 0);
	fgk_expect_counted(test, counters, 1, 0);

	KUNIT_EXPECT_EQ(test, register_kprobe(entry), 0);
	fgk_expect_counted(test, counters, 1, 1);
	KUNIT_EXPECT_EQ(test, disable_kretprobe(ret), 0);
	fgk_expect_counted(test, counters, 0, 1);
	KUNIT_EXPECT_EQ(test, enable_kretprobe(ret), 0);
	probe = fgk_probe_function(test, fgk_recurse, 1);
	fgk_expect_counted(test, counters, 1, 1);
	unregister_kprobe(entry);
	fgk_expect_counted(test, counters, 1, 0);
	unregister_kretprobe(ret);
	fgk_expect_counted(test, counters, 0, 0);

	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 9, 0);
	KUNIT_EXPECT_EQ(test, ret->nmissed + ret->kp.nmissed, 0);
}

static int fgk_nesting, fgk_deepest_nesting;

/* Stop the recursion here, because much deeper nesting ends in a panic. */
#define FGK_TOO_DEEP	10

static void fgk_call_breakpoint(struct fgk_user *user, struct fgraph_call *call)
{
	fgk_nesting++;
	fgk_deepest_nesting = max(fgk_deepest_nesting, fgk_nesting);
	if (fgk_nesting < FGK_TOO_DEEP)
		fgk_hit_breakpoint();
	fgk_nesting--;
}

/*
 * The exceptions of breakpoints can nest in NMI context. The recursion guard treats
 * nested exceptions as one context.
 */
static void callback_that_hits_breakpoint_is_not_nested(struct kunit *test)
{
	struct fgk_counters *counters = kunit_kzalloc(test, sizeof(*counters), GFP_KERNEL);
	struct fgk_user *user = fgk_new_user(test, "breakpoint");
	/* The handler of breakpoints calls this function. */
	char handler[] = "get_kprobe";

	if (!IS_ENABLED(CONFIG_HAVE_NMI))
		kunit_skip(test, "the architecture has no NMIs");
	KUNIT_ASSERT_NOT_NULL(test, counters);
	counters->entry.addr = (kprobe_opcode_t *)fgk_breakpoint;
	counters->entry.pre_handler = fgk_count_entry;
	/* A post_handler keeps kprobes from replacing the breakpoint by a jump. */
	counters->entry.post_handler = fgk_do_nothing_after;
	KUNIT_ASSERT_EQ(test, register_kprobe(&counters->entry), 0);
	fgk_hit_breakpoint();
	if (!counters->in_nmi) {
		unregister_kprobe(&counters->entry);
		kunit_skip(test, "the handler of a breakpoint does not run in NMI context");
	}
	KUNIT_EXPECT_EQ(test, ftrace_set_filter(&user->gops.ops, handler,
						strlen(handler), 1), 0);
	fgk_add_filter(test, user, fgk_leaf_0);
	user->task = current;
	user->at_entry = fgk_call_breakpoint;
	fgk_nesting = 0;
	fgk_deepest_nesting = 0;

	fgk_register(test, user);
	fgk_leaf_0(0);
	unregister_ftrace_graph(&user->gops);
	unregister_kprobe(&counters->entry);
	KUNIT_EXPECT_GT(test, counters->entered, 1);
	/* One callback in the task, and one in the exception */
	KUNIT_EXPECT_EQ(test, fgk_deepest_nesting, 2);
}

/* Entry data that is too large for an area is in the pool, which limits the calls. */
static void probe_with_much_data_has_a_pool(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_recurse,
						     FGRAPH_MAX_AREA_BYTES);

	probe->task = current;
	KUNIT_EXPECT_NULL(test, current->ret_stack);
	KUNIT_EXPECT_EQ(test, fgk_recurse(probe->rp.maxactive + 5),
			probe->rp.maxactive + 5);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, probe->rp.maxactive + 5, 5);
}

static bool fgk_returned_to(const struct fgk_probe *probe, void *func)
{
	unsigned long start = fgraph_func_addr(func);

	/* The target functions contain a few instructions */
	return probe->ret_addr > start && probe->ret_addr < start + 256;
}

static void probe_knows_where_the_call_returns(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_inner, 0);

	KUNIT_EXPECT_EQ(test, fgk_outer(fgk_do_nothing, NULL), 123);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 1, 0);
	KUNIT_EXPECT_EQ(test, probe->ret, 3);
	KUNIT_EXPECT_TRUE(test, fgk_returned_to(probe, fgk_middle));
}

struct fgk_fill {
	int	calls;
	int	depth;
};

static void fgk_fill_stack(void *arg)
{
	struct fgk_fill *fill = arg;

	if (fill->depth--)
		fgk_outer(fgk_fill_stack, fill);
	else
		fgk_recurse(fill->calls);
}

/* Frames leave room for areas on a full stack: more than one of the largest size. */
static void full_stack_has_room_for_probes(struct kunit *test)
{
	struct fgk_fill fill = { .calls = 2, .depth = 20 };
	struct fgk_user *user = fgk_new_user(test, "full");
	struct fgk_probe *probe;

	fgk_set_filter(test, user, fgk_outer);
	fgk_add_filter(test, user, fgk_inner);
	user->words = FGRAPH_MAX_DATA_WORDS;
	probe = fgk_probe_function(test, fgk_recurse, 320);
	fgk_register(test, user);
	fgk_fill_stack(&fill);
	KUNIT_EXPECT_GT(test, fgk_missed(user), 0l);
	unregister_ftrace_graph(&user->gops);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 2, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 2);
}

/* A user and probes share the shadow stack, in each order of registration. */
static void probes_and_users_share_the_stack(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "beside");
	struct fgk_probe *first, *second;

	user->words = 3;
	KUNIT_ASSERT_EQ(test, fgk_filter_all(user), 0);
	first = fgk_probe_function(test, fgk_recurse, 5);
	fgk_register(test, user);
	second = fgk_probe_function(test, fgk_recurse, 9);
	first->task = current;
	second->task = current;

	KUNIT_EXPECT_EQ(test, fgk_recurse(20), 20);
	fgk_expect_calls(test, user, 20);

	fgk_unprobe(first);
	KUNIT_EXPECT_EQ(test, fgk_recurse(20), 20);
	fgk_expect_calls(test, user, 40);

	unregister_ftrace_graph(&user->gops);
	KUNIT_EXPECT_EQ(test, fgk_recurse(20), 20);
	fgk_unprobe(second);

	fgk_expect_probed(test, first, 20, 0);
	fgk_expect_probed(test, second, 60, 0);
	fgk_expect_calls(test, user, 40);
}

/*
 * The user traces all functions. Some of these functions hook the entry and the return
 * of the probed function. Their frames are pushed and popped while the probe pushes and
 * pops its areas.
 */
static void probe_is_hooked_by_traced_functions(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "all");
	struct fgk_probe *first, *second;

	user->words = 1;
	first = fgk_probe_function(test, fgk_recurse, 3);
	second = fgk_probe_function(test, fgk_recurse, 17);
	first->task = current;
	second->task = current;
	fgk_register(test, user);
	KUNIT_EXPECT_EQ(test, fgk_recurse(15), 15);
	KUNIT_EXPECT_EQ(test, fgk_recurse(15), 15);
	unregister_ftrace_graph(&user->gops);

	fgk_unprobe(first);
	fgk_unprobe(second);
	fgk_expect_probed(test, first, 30, 0);
	fgk_expect_probed(test, second, 30, 0);
	fgk_expect_no_errors(test, user);
	/* The shadow stack is freed only if no frame or area is left on it */
	KUNIT_EXPECT_TRUE(test, fgk_stack_goes(current));
}

/* A call that began before its probe is unregistered returns without the handler. */
static void probe_goes_before_the_call_returns(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_probe *probe = fgk_probe_function(test, fgk_middle, 0);

	fgk_sleeper_enter(test, sleeper);
	fgk_sleeper_leave(test, sleeper);
	KUNIT_ASSERT_TRUE(test, fgk_gets_stack(sleeper->task));
	fgk_sleeper_enter(test, sleeper);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->entered), 2);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 1);
	fgk_unprobe(probe);
	KUNIT_EXPECT_NOT_NULL(test, sleeper->task->ret_stack);
	KUNIT_EXPECT_NULL(test, current->ret_stack);

	fgk_sleeper_leave(test, sleeper);
	KUNIT_EXPECT_TRUE(test, fgk_stack_goes(sleeper->task));
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->returned), 1);
}

/* The number of closed kretprobes whose areas are no longer in use */
static atomic_t fgk_released;

static int fgk_count_release(struct kprobe *kp, struct pt_regs *regs)
{
	atomic_inc(&fgk_released);
	return 0;
}
NOKPROBE_SYMBOL(fgk_count_release);

/* Return the number of released kretprobes, after all RCU callbacks have run. */
static int fgk_count_released(void)
{
	rcu_barrier();
	rcu_barrier();
	return atomic_read(&fgk_released);
}

static bool fgk_get_released(int nr)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;

	while (fgk_count_released() != nr) {
		if (time_after(jiffies, deadline))
			return false;
		msleep(20);
	}
	return true;
}

static struct kprobe *fgk_watch_releases(struct kunit *test)
{
	struct kprobe *kp = kunit_kzalloc(test, sizeof(*kp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, kp);
	/* It is only called through a pointer, so it has not been inlined. */
	kp->symbol_name = IS_ENABLED(CONFIG_KRETPROBE_ON_RETHOOK) ?
			  "rethook_release_areas" : "release_rp_areas";
	kp->pre_handler = fgk_count_release;
	/* Probes of tests before may still be released, by a callback that queues another one. */
	rcu_barrier();
	rcu_barrier();
	atomic_set(&fgk_released, 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(kp), 0);
	return kp;
}

static void fgk_move_to_cpu(struct task_struct *task, int cpu)
{
	if (cpu < nr_cpu_ids && cpu_online(cpu))
		set_cpus_allowed_ptr(task, cpumask_of(cpu));
}

/* The last return of an area frees the probe. It may be on another CPU than the entry. */
static void probe_is_freed_after_its_last_call(struct kunit *test)
{
	struct fgk_sleeper *first = fgk_new_sleeper(test), *second = fgk_new_sleeper(test);
	struct fgk_probe *probe = fgk_probe_function(test, fgk_middle, 0);
	struct kprobe *releases;

	fgk_sleeper_enter(test, first);
	fgk_sleeper_enter(test, second);
	fgk_sleeper_leave(test, first);
	fgk_sleeper_leave(test, second);
	KUNIT_ASSERT_TRUE(test, fgk_gets_stack(first->task) && fgk_gets_stack(second->task));

	fgk_move_to_cpu(first->task, 0);
	fgk_move_to_cpu(second->task, 1);
	fgk_sleeper_enter(test, first);
	fgk_sleeper_enter(test, second);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 2);
	releases = fgk_watch_releases(test);

	fgk_move_to_cpu(first->task, 1);
	fgk_sleeper_leave(test, first);
	fgk_unprobe(probe);
	KUNIT_EXPECT_EQ(test, fgk_count_released(), 0);
	fgk_move_to_cpu(second->task, 0);
	fgk_sleeper_leave(test, second);
	KUNIT_EXPECT_EQ(test, fgk_count_released(), 1);
	unregister_kprobe(releases);
}

static void probe_without_calls_is_freed(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_middle, 0);
	struct kprobe *releases = fgk_watch_releases(test);

	fgk_unprobe(probe);
	KUNIT_EXPECT_EQ(test, fgk_count_released(), 1);
	unregister_kprobe(releases);
}

static void fgk_exit_thread(void *done)
{
	kthread_complete_and_exit(done, 0);
}

static int fgk_exiting_thread(void *done)
{
	fgk_outer(fgk_do_nothing, NULL);
	fgk_gets_stack(current);
	fgk_outer(fgk_exit_thread, done);
	return 0;
}

/* A task dies in a call. The call never returns. */
static void probe_is_freed_after_the_task_of_a_call(struct kunit *test)
{
	struct fgk_probe *probe = fgk_probe_function(test, fgk_middle, 0);
	struct kprobe *releases = fgk_watch_releases(test);
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;

	task = kthread_run(fgk_exiting_thread, &done, "fgk_exiting");
	KUNIT_EXPECT_FALSE(test, IS_ERR(task));
	if (!IS_ERR(task))
		wait_for_completion(&done);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 1);
	fgk_unprobe(probe);
	KUNIT_EXPECT_TRUE(test, fgk_get_released(1));
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->returned), 1);
	unregister_kprobe(releases);
}

/*
 * The task gets its shadow stack during the call, so the instance of the call is from
 * the pool. Such an instance does not delay the freeing of the shadow stack.
 */
static void stack_is_freed_before_pooled_call_returns(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_probe *probe = fgk_probe_function(test, fgk_middle, 0);

	fgk_sleeper_enter(test, sleeper);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->entered), 1);
	KUNIT_EXPECT_TRUE(test, fgk_gets_stack(sleeper->task));
	fgk_unprobe(probe);
	KUNIT_EXPECT_NULL(test, sleeper->task->ret_stack);

	fgk_sleeper_leave(test, sleeper);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->returned), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 0);
}

/*
 * The task gets its shadow stack during a call whose instance is from the pool. The
 * return of the call must use this instance.
 */
static void pooled_call_returns_beside_stack(struct kunit *test)
{
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_probe *probe = fgk_probe_function(test, fgk_middle, 0);

	fgk_sleeper_enter(test, sleeper);
	KUNIT_EXPECT_TRUE(test, fgk_gets_stack(sleeper->task));
	fgk_sleeper_leave(test, sleeper);
	fgk_sleeper_enter(test, sleeper);
	fgk_sleeper_leave(test, sleeper);
	fgk_unprobe(probe);
	fgk_expect_probed(test, probe, 2, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->on_stack), 1);
	KUNIT_EXPECT_NULL(test, sleeper->task->ret_stack);
}

static DECLARE_WAIT_QUEUE_HEAD(fgk_crowd_wait);
static bool fgk_crowd_may_leave;
static atomic_t fgk_crowd_inside;

static void fgk_wait_in_crowd(void *arg)
{
	atomic_inc(&fgk_crowd_inside);
	wait_event(fgk_crowd_wait, READ_ONCE(fgk_crowd_may_leave));
}

static int fgk_crowd_thread(void *arg)
{
	bool *wants_stack = arg;

	if (*wants_stack) {
		fgk_first_probed(fgk_do_nothing, NULL);
		fgk_gets_stack(current);
	}
	fgk_inner(fgk_wait_in_crowd, NULL);
	return 0;
}

/*
 * Start up to @nr tasks. Each task first hits a probe if @wants_stack is true. Return
 * the number of started tasks, and in @err the reason if they are fewer.
 */
static int fgk_start_crowd(struct task_struct **crowd, int nr, bool *wants_stack,
			   int *err)
{
	struct task_struct *task;
	int i;

	WRITE_ONCE(fgk_crowd_may_leave, false);
	atomic_set(&fgk_crowd_inside, 0);
	for (i = 0; i < nr; i++) {
		task = kthread_create(fgk_crowd_thread, wants_stack, "fgk_crowd/%d", i);
		*err = PTR_ERR_OR_ZERO(task);
		if (*err)
			break;
		crowd[i] = get_task_struct(task);
		wake_up_process(task);
	}
	return i;
}

static void fgk_stop_crowd(struct task_struct **crowd, int nr)
{
	int i;

	WRITE_ONCE(fgk_crowd_may_leave, true);
	wake_up_all(&fgk_crowd_wait);
	for (i = 0; i < nr; i++) {
		kthread_stop(crowd[i]);
		put_task_struct(crowd[i]);
	}
}

static bool fgk_crowd_gets(int inside)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;

	while (atomic_read(&fgk_crowd_inside) != inside) {
		if (time_after(jiffies, deadline))
			return false;
		msleep(20);
	}
	return true;
}

/* The pages that a task needs: its stack, its shadow stack and its task_struct */
#define FGK_TASK_PAGES	((THREAD_SIZE + fgraph_stack_bytes) / PAGE_SIZE + 3)

static void fgk_skip_without_memory(struct kunit *test)
{
	long pages = FGK_MANY_TASKS * FGK_TASK_PAGES;

	if (si_mem_available() < pages)
		kunit_skip(test, "%d tasks need %lu MB of memory, %lu MB are available",
			   FGK_MANY_TASKS, pages >> (20 - PAGE_SHIFT),
			   si_mem_available() >> (20 - PAGE_SHIFT));
}

/*
 * All tasks are in the probed function at the same time. Starting them takes some
 * seconds. The case is skipped if memory is short, or if kernel.threads-max, whose
 * default depends on the size of memory, allows fewer tasks.
 */
static void probe_misses_no_task(struct kunit *test)
{
	struct fgk_probe *probe, *first;
	struct task_struct **crowd;
	bool wants_stack = true;
	int nr, err = 0;

	fgk_skip_without_memory(test);
	first = fgk_probe_function(test, fgk_first_probed, 0);
	probe = fgk_probe_function(test, fgk_inner, 0);
	crowd = kunit_kcalloc(test, FGK_MANY_TASKS, sizeof(*crowd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, crowd);
	nr = fgk_start_crowd(crowd, FGK_MANY_TASKS, &wants_stack, &err);
	KUNIT_EXPECT_TRUE(test, fgk_crowd_gets(nr));
	KUNIT_EXPECT_EQ(test, atomic_read(&probe->entered), nr);

	fgk_stop_crowd(crowd, nr);
	fgk_unprobe(probe);
	fgk_unprobe(first);
	fgk_expect_probed(test, probe, nr, 0);
	if (err == -EAGAIN && test->status == KUNIT_SUCCESS)
		kunit_skip(test, "kernel.threads-max allows only %d of %d tasks",
			   nr, FGK_MANY_TASKS);
	KUNIT_EXPECT_EQ_MSG(test, err, 0, "kthread_create() failed after %d tasks", nr);
}

/* Without users, only tasks that have hit a probe have a shadow stack. */
static void sleeping_tasks_have_no_stack(struct kunit *test)
{
	struct task_struct **crowd;
	bool wants_stack = false;
	int nr, i, err, stacks = 0;

	crowd = kunit_kcalloc(test, FGK_IDLE_TASKS, sizeof(*crowd), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, crowd);
	fgk_probe_function(test, fgk_recurse, 0);
	nr = fgk_start_crowd(crowd, FGK_IDLE_TASKS, &wants_stack, &err);
	KUNIT_EXPECT_TRUE(test, fgk_crowd_gets(nr));
	fgk_get_stack(test);
	for (i = 0; i < nr; i++)
		stacks += !!READ_ONCE(crowd[i]->ret_stack);
	fgk_stop_crowd(crowd, nr);
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_EQ(test, stacks, 0);
}

#ifdef CONFIG_FPROBE
static atomic_t fgk_exits;

/* Call a probed function. The limit ends the recursion even if each call is hooked. */
static void fgk_call_what_is_probed(struct fprobe *fp, unsigned long ip,
				    struct pt_regs *regs, void *data)
{
	if (atomic_inc_return(&fgk_exits) < 10)
		fgk_leaf_0(0);
}

/* The recursion guard admits one more level, because it may be an interrupt. */
static void fprobe_misses_what_its_handler_calls(struct kunit *test)
{
	unsigned long ip = fgraph_func_addr(fgk_leaf_0);
	struct fprobe fp = { .exit_handler = fgk_call_what_is_probed };

	atomic_set(&fgk_exits, 0);
	KUNIT_ASSERT_EQ(test, register_fprobe_ips(&fp, &ip, 1), 0);
	fgk_leaf_0(0);
	unregister_fprobe(&fp);
	KUNIT_EXPECT_GE(test, atomic_read(&fgk_exits), 1);
	KUNIT_EXPECT_LE(test, atomic_read(&fgk_exits), 2);
	KUNIT_EXPECT_EQ(test, fp.nmissed, 1);
}
#endif

/*
 * Functions that idle tasks call while RCU is not watching. Their names depend on the
 * architecture.
 */
static const char * const fgk_idle_functions[] = {
	"default_idle", "arch_cpu_idle", "cpu_do_idle",
};

static atomic_t fgk_idle_calls;
static atomic_t fgk_unwatched_calls;

static void fgk_count_idle(void)
{
	atomic_inc(&fgk_idle_calls);
	if (!rcu_is_watching())
		atomic_inc(&fgk_unwatched_calls);
}
NOKPROBE_SYMBOL(fgk_count_idle);

static int fgk_idle_handler(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	fgk_count_idle();
	return 0;
}
NOKPROBE_SYMBOL(fgk_idle_handler);

/*
 * Let the CPUs be idle for a while. Return the number of calls that reached a handler.
 * Expect that RCU was watching in each of them.
 */
static int fgk_let_cpus_be_idle(struct kunit *test)
{
	msleep(200);
	KUNIT_EXPECT_EQ(test, atomic_read(&fgk_unwatched_calls), 0);
	return atomic_read(&fgk_idle_calls);
}

/* Handlers may use RCU, so they must not be called where RCU is not watching. */
static void probe_misses_what_rcu_does_not_watch(struct kunit *test)
{
	struct kretprobe *rp;
	int i, probed = 0;

	atomic_set(&fgk_idle_calls, 0);
	atomic_set(&fgk_unwatched_calls, 0);
	for (i = 0; i < ARRAY_SIZE(fgk_idle_functions); i++) {
		rp = kunit_kzalloc(test, sizeof(*rp), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, rp);
		rp->kp.symbol_name = fgk_idle_functions[i];
		rp->entry_handler = fgk_idle_handler;
		rp->handler = fgk_idle_handler;
		if (register_kretprobe(rp))
			continue;
		probed += fgk_let_cpus_be_idle(test) + READ_ONCE(rp->nmissed);
		unregister_kretprobe(rp);
	}
	if (!probed)
		kunit_skip(test, "no function of the idle loop can be probed");
}

#ifdef CONFIG_FPROBE
static void fgk_idle_exit(struct fprobe *fp, unsigned long ip, struct pt_regs *regs,
			  void *data)
{
	fgk_count_idle();
}

static void fprobe_misses_what_rcu_does_not_watch(struct kunit *test)
{
	int i, probed = 0;

	atomic_set(&fgk_idle_calls, 0);
	atomic_set(&fgk_unwatched_calls, 0);
	for (i = 0; i < ARRAY_SIZE(fgk_idle_functions); i++) {
		struct fprobe fp = { .exit_handler = fgk_idle_exit };

		if (register_fprobe(&fp, fgk_idle_functions[i], NULL))
			continue;
		probed += fgk_let_cpus_be_idle(test) + READ_ONCE(fp.nmissed);
		unregister_fprobe(&fp);
	}
	if (!probed)
		kunit_skip(test, "no function of the idle loop can be probed");
}
#endif

static struct kunit_case fgraph_kretprobe_cases[] = {
	KUNIT_CASE(task_gets_stack_after_its_first_call),
	KUNIT_CASE(task_gets_stack_from_each_first_probe),
	KUNIT_CASE(stack_outdoes_maxactive),
	KUNIT_CASE(probe_data_is_of_each_call),
	KUNIT_CASE(refused_call_is_not_probed),
	KUNIT_CASE(probe_misses_what_does_not_fit),
	KUNIT_CASE(probe_with_much_data_has_a_pool),
	KUNIT_CASE(post_handler_comes_and_goes),
	KUNIT_CASE(probes_meet_at_one_address),
	KUNIT_CASE(callback_that_hits_breakpoint_is_not_nested),
	KUNIT_CASE(probe_knows_where_the_call_returns),
	KUNIT_CASE(full_stack_has_room_for_probes),
	KUNIT_CASE(probes_and_users_share_the_stack),
	KUNIT_CASE(probe_is_hooked_by_traced_functions),
	KUNIT_CASE(probe_goes_before_the_call_returns),
	KUNIT_CASE(probe_is_freed_after_its_last_call),
	KUNIT_CASE(probe_without_calls_is_freed),
	KUNIT_CASE(probe_is_freed_after_the_task_of_a_call),
	KUNIT_CASE(stack_is_freed_before_pooled_call_returns),
	KUNIT_CASE(pooled_call_returns_beside_stack),
	KUNIT_CASE(probe_misses_no_task),
	KUNIT_CASE(sleeping_tasks_have_no_stack),
	KUNIT_CASE(probe_misses_what_rcu_does_not_watch),
#ifdef CONFIG_FPROBE
	KUNIT_CASE(fprobe_misses_what_its_handler_calls),
	KUNIT_CASE(fprobe_misses_what_rcu_does_not_watch),
#endif
	{ }
};

static struct kunit_suite fgraph_kretprobe_suite = {
	.name = "fgraph_kretprobe",
	.test_cases = fgraph_kretprobe_cases,
};

kunit_test_suite(fgraph_kretprobe_suite);
