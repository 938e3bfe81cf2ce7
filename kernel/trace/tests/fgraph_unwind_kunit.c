// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: return addresses.
 *
 * While users trace the functions on a stack, a backtrace must be the same as without
 * users. fgraph_return_address() must return the true return address of a call. Both
 * must hold with tail calls and with kretprobes of the same functions.
 */
#include <linux/completion.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>

#include "fgraph_kunit.h"

struct fgk_unwind {
	struct fgk_user		*users[3];
	int			round;
	/* The backtrace of one stack, without users and with them */
	struct fgk_trace	traces[2];
	/* The backtrace in the entryfunc of fgk_inner() */
	struct fgk_trace	at_entry;
};

/*
 * Return where to save the next backtrace, or NULL after the second one. The first
 * backtrace is saved without users, the second one with all users registered.
 *
 * The backtraces can only be the same if one call in a loop saves both. This function
 * hides the difference between the rounds from the compiler, which could otherwise
 * unroll the loop into two calls.
 */
static noinline struct fgk_trace *fgk_next_trace(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	int round = unwind->round++;
	int i;

	if (round == ARRAY_SIZE(unwind->traces))
		return NULL;

	for (i = 0; round && i < ARRAY_SIZE(unwind->users); i++) {
		unwind->users[i]->words = i;
		fgk_register(test, unwind->users[i]);
	}
	return &unwind->traces[round];
}

static int fgraph_unwind_init(struct kunit *test)
{
	static const char * const names[] = { "0", "1", "2" };
	struct fgk_unwind *unwind;
	int i;

	unwind = kunit_kzalloc(test, sizeof(*unwind), GFP_KERNEL);
	if (!unwind)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		unwind->users[i] = fgk_new_user(test, names[i]);
		unwind->users[i]->gops.private = unwind;
		if (fgk_filter_all(unwind->users[i]))
			return -ENOMEM;
	}
	test->priv = unwind;
	return 0;
}

void fgk_save_trace(void *arg)
{
	struct fgk_trace *trace = arg;

	trace->nr = stack_trace_save(trace->entries, FGK_STACK_ENTRIES, 0);
}

/* Return the number of entries that are the same, from the outermost caller on. */
unsigned int fgk_count_same(const struct fgk_trace *a, const struct fgk_trace *b)
{
	unsigned int n = 0;

	while (n < a->nr && n < b->nr &&
	       a->entries[a->nr - 1 - n] == b->entries[b->nr - 1 - n])
		n++;
	return n;
}

static void fgk_expect_same_traces(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	const struct fgk_trace *plain = &unwind->traces[0];
	const struct fgk_trace *traced = &unwind->traces[1];
	int i;

	KUNIT_EXPECT_GT(test, plain->nr, 4u);
	KUNIT_EXPECT_EQ(test, plain->nr, traced->nr);
	KUNIT_EXPECT_EQ(test, fgk_count_same(plain, traced), plain->nr);
	for (i = 0; i < min(plain->nr, traced->nr); i++)
		if (plain->entries[i] != traced->entries[i])
			kunit_info(test, "entry %d: %pB, expected %pB\n", i,
				   (void *)traced->entries[i],
				   (void *)plain->entries[i]);
}

static void own_stack_is_true(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	struct fgk_trace *trace;

	while ((trace = fgk_next_trace(test)))
		fgk_outer(fgk_save_trace, trace);

	fgk_expect_calls(test, unwind->users[2], 3);
	fgk_expect_same_traces(test);
}

/*
 * The outer function ends in a jump to the inner function, so both functions return
 * with one return address.
 */
static void stack_with_tail_call_is_true(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	struct fgk_trace *trace;

	while ((trace = fgk_next_trace(test)))
		KUNIT_EXPECT_EQ(test, fgk_tail_outer(fgk_save_trace, trace), 45);

	fgk_expect_calls(test, unwind->users[2], 2);
	fgk_expect_same_traces(test);
}

static void save_trace_at_entry(struct fgk_user *user, struct fgraph_call *call)
{
	struct fgk_unwind *unwind = user->gops.private;

	if (fgk_is(call, fgk_inner))
		fgk_save_trace(&unwind->at_entry);
}

/* Return the index in @trace where the callers of @func begin. */
unsigned int fgk_find_callers(const struct fgk_trace *trace, const void *func)
{
	unsigned int i;

	for (i = 0; i < trace->nr; i++)
		if (trace->entries[i] - fgraph_func_addr(func) < 64)
			return i + 1;
	return trace->nr;
}

/*
 * The backtrace begins in the tracer. fgk_inner() has no frame yet, but the backtrace
 * must contain its callers.
 */
static void stack_in_entryfunc_is_true(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	struct fgk_trace *trace;
	unsigned int callers;

	unwind->users[1]->at_entry = save_trace_at_entry;
	while ((trace = fgk_next_trace(test)))
		fgk_outer(fgk_save_trace, trace);

	trace = &unwind->traces[0];
	callers = fgk_find_callers(trace, fgk_inner);
	KUNIT_EXPECT_LT(test, callers, trace->nr);
	KUNIT_EXPECT_GE(test, fgk_count_same(trace, &unwind->at_entry),
			trace->nr - callers);
}

/* stack_trace_save_tsk() is not exported, but /proc/PID/stack uses it. */
typedef unsigned int (*fgk_save_tsk_t)(struct task_struct *task,
				       unsigned long *store, unsigned int size,
				       unsigned int skipnr);

static fgk_save_tsk_t fgk_find_save_tsk(struct kunit *test)
{
	fgk_save_tsk_t found = NULL;
#if defined(CONFIG_KPROBES) && !defined(CONFIG_HAVE_FUNCTION_DESCRIPTORS)
	struct kprobe probe = {
		.symbol_name = "stack_trace_save_tsk",
	};

	KUNIT_ASSERT_EQ(test, register_kprobe(&probe), 0);
	/* A function pointer contains the Thumb bit, an address does not: add it */
	found = (fgk_save_tsk_t)((unsigned long)probe.addr +
				 ((unsigned long)fgk_outer - fgraph_func_addr(fgk_outer)));
	unregister_kprobe(&probe);
#else
	kunit_skip(test, "needs CONFIG_KPROBES and no function descriptors");
#endif
	return found;
}

static void stack_of_sleeping_task_is_true(struct kunit *test)
{
	fgk_save_tsk_t save_tsk = fgk_find_save_tsk(test);
	struct fgk_sleeper *sleeper = fgk_new_sleeper(test);
	struct fgk_unwind *unwind = test->priv;
	struct fgk_trace *trace;
	int i;

	for (i = 0; i < ARRAY_SIZE(unwind->users); i++)
		unwind->users[i]->task = sleeper->task;

	while ((trace = fgk_next_trace(test))) {
		fgk_sleeper_enter(test, sleeper);
		trace->nr = save_tsk(sleeper->task, trace->entries,
				     FGK_STACK_ENTRIES, 0);
		fgk_sleeper_leave(test, sleeper);
		if (!trace->nr)
			kunit_skip(test, "the architecture cannot walk the stack of another task");
	}
	fgk_expect_calls(test, unwind->users[2], 4);
	fgk_expect_same_traces(test);
}

/* A thread that preempts a task in a traced return, and saves the trace of the task */
struct fgk_watcher {
	struct task_struct	*thread;
	struct task_struct	*task;
	struct completion	preempt;
	/* The backtraces of the task, in the callback and when it is preempted */
	struct fgk_trace	at_return;
	struct fgk_trace	trace;
	fgk_save_tsk_t		save_tsk;
};

static int fgk_watcher_thread(void *arg)
{
	struct fgk_watcher *watcher = arg;
	struct fgk_trace *trace = &watcher->trace;

	wait_for_completion(&watcher->preempt);
	trace->nr = watcher->save_tsk(watcher->task, trace->entries, FGK_STACK_ENTRIES, 0);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int fgk_start_watcher(struct kunit_resource *res, void *arg)
{
	struct fgk_watcher *watcher = arg;
	struct task_struct *thread = kthread_create(fgk_watcher_thread, arg, "fgk_watcher");

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	init_completion(&watcher->preempt);
	watcher->task = current;
	watcher->thread = thread;
	kthread_bind(thread, task_cpu(current));
	sched_set_fifo(thread);
	wake_up_process(thread);
	res->data = watcher;
	return 0;
}

static void fgk_stop_watcher(struct kunit_resource *res)
{
	struct fgk_watcher *watcher = res->data;

	complete(&watcher->preempt);
	kthread_stop(watcher->thread);
}

static void preempt_at_return(struct fgk_user *user, struct fgraph_call *call)
{
	struct fgk_watcher *watcher = user->gops.private;

	if (!fgk_is(call, fgk_inner))
		return;
	fgk_save_trace(&watcher->at_return);
	complete(&watcher->preempt);
}

/* The thread preempts the task as soon as the callback has returned. */
static void stack_of_task_preempted_at_return_is_true(struct kunit *test)
{
	struct fgk_watcher *watcher = kunit_kzalloc(test, sizeof(*watcher), GFP_KERNEL);
	struct fgk_unwind *unwind = test->priv;
	struct fgk_user *user = unwind->users[0];
	const struct fgk_trace *trace;
	unsigned int first;

	if (!IS_ENABLED(CONFIG_PREEMPTION))
		kunit_skip(test, "needs CONFIG_PREEMPTION");
	KUNIT_ASSERT_NOT_NULL(test, watcher);
	watcher->save_tsk = fgk_find_save_tsk(test);
	KUNIT_ASSERT_EQ(test, 0, set_cpus_allowed_ptr(current, cpumask_of(task_cpu(current))));
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, fgk_start_watcher,
							 fgk_stop_watcher, GFP_KERNEL,
							 watcher));
	user->at_return = preempt_at_return;
	user->gops.private = watcher;
	fgk_register(test, user);
	fgk_outer(fgk_do_nothing, NULL);

	if (!watcher->trace.nr)
		kunit_skip(test, "the architecture cannot walk the stack of another task");
	/* Some architectures omit the function that the call returns to. */
	trace = &watcher->at_return;
	first = min(fgk_find_callers(trace, fgk_middle), fgk_find_callers(trace, fgk_outer)) - 1;
	KUNIT_EXPECT_LT(test, first + 1, trace->nr);
	KUNIT_EXPECT_GE(test, fgk_count_same(trace, &watcher->trace), trace->nr - first);
	fgk_expect_no_errors(test, user);
}

static unsigned long ret_at_entry;
static unsigned long ret_at_return;

static void remember_ret_at_entry(struct fgk_user *user,
				  struct fgraph_call *call)
{
	ret_at_entry = fgraph_return_address(call);
}

static void remember_ret_at_return(struct fgk_user *user,
				   struct fgraph_call *call)
{
	ret_at_return = fgraph_return_address(call);
}

static noinline unsigned long fgk_call_from_here(void)
{
	unsigned long ret = fgk_return_caller();

	barrier();
	return ret;
}

/* Without users, fgk_return_caller() returns its true return address. */
static void call_knows_where_it_returns_to(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	struct fgk_user *user = unwind->users[0];
	unsigned long ret = fgk_call_from_here();

	user->at_entry = remember_ret_at_entry;
	user->at_return = remember_ret_at_return;
	fgk_register(test, user);
	fgk_call_from_here();
	fgk_expect_calls(test, user, 1);
	KUNIT_EXPECT_EQ(test, ret_at_entry, ret);
	KUNIT_EXPECT_EQ(test, ret_at_return, ret);
}

/* Both functions of a tail call return to the caller of the outer function. */
struct fgk_tail_rets {
	unsigned long outer, inner;
};

static struct fgk_tail_rets tail_rets_at_entry;
static struct fgk_tail_rets tail_rets_at_return;

static void remember_tail_ret(struct fgk_tail_rets *rets,
			      const struct fgraph_call *call)
{
	if (fgk_is(call, fgk_tail_outer))
		rets->outer = fgraph_return_address(call);
	else if (fgk_is(call, fgk_tail_inner))
		rets->inner = fgraph_return_address(call);
}

static void remember_tail_ret_at_entry(struct fgk_user *user,
				       struct fgraph_call *call)
{
	remember_tail_ret(&tail_rets_at_entry, call);
}

static void remember_tail_ret_at_return(struct fgk_user *user,
					struct fgraph_call *call)
{
	remember_tail_ret(&tail_rets_at_return, call);
}

static void tail_call_knows_where_it_returns_to(struct kunit *test)
{
	struct fgk_unwind *unwind = test->priv;
	struct fgk_user *user = unwind->users[0];

	if (IS_ENABLED(CONFIG_FRAME_POINTER))
		kunit_skip(test, "with CONFIG_FRAME_POINTER, the compiler makes no tail calls");

	user->at_entry = remember_tail_ret_at_entry;
	user->at_return = remember_tail_ret_at_return;
	fgk_register(test, user);
	fgk_tail_outer(fgk_do_nothing, NULL);

	fgk_expect_calls(test, user, 2);
	KUNIT_EXPECT_EQ(test, tail_rets_at_entry.inner, tail_rets_at_entry.outer);
	KUNIT_EXPECT_EQ(test, tail_rets_at_return.inner, tail_rets_at_entry.outer);
	KUNIT_EXPECT_EQ(test, tail_rets_at_return.outer, tail_rets_at_entry.outer);
}

#ifdef CONFIG_KRETPROBES
static int fgk_ignore_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(fgk_ignore_return);

/* Register @user and a kretprobe of @func. The one registered last hooks first. */
static void fgk_hook_twice(struct kunit *test, struct fgk_user *user,
			   struct kretprobe *probe, void *func, bool probe_last)
{
	*probe = (struct kretprobe){
		.kp.addr = (void *)fgraph_func_addr(func),
		.handler = fgk_ignore_return,
	};
	if (probe_last)
		fgk_register(test, user);
	KUNIT_ASSERT_EQ(test, register_kretprobe(probe), 0);
	if (!probe_last)
		fgk_register(test, user);
}

static void fgk_expect_ret_with_probe(struct kunit *test, bool probe_last)
{
	struct kretprobe *probe = kunit_kzalloc(test, sizeof(*probe), GFP_KERNEL);
	struct fgk_unwind *unwind = test->priv;
	struct fgk_user *user = unwind->users[0];
	unsigned long ret = fgk_call_from_here();

	KUNIT_ASSERT_NOT_NULL(test, probe);
	user->at_entry = remember_ret_at_entry;
	user->at_return = remember_ret_at_return;
	fgk_hook_twice(test, user, probe, fgk_return_caller, probe_last);
	fgk_call_from_here();
	fgk_call_from_here();
	unregister_kretprobe(probe);
	fgk_expect_calls(test, user, 2);
	KUNIT_EXPECT_EQ(test, ret_at_entry, ret);
	KUNIT_EXPECT_EQ(test, ret_at_return, ret);
	KUNIT_EXPECT_EQ(test, probe->nmissed, 0);
}

static void call_with_probe_knows_where_it_returns_to(struct kunit *test)
{
	fgk_expect_ret_with_probe(test, false);
}

static void call_with_later_probe_knows_where_it_returns_to(struct kunit *test)
{
	fgk_expect_ret_with_probe(test, true);
}

/* Backtraces of one stack: unhooked, with a probe of @func, with a user as well */
struct fgk_probed_traces {
	struct kretprobe	probe;
	void			*func;
	bool			probe_last;
	int			round;
	struct fgk_trace	traces[3];
};

static noinline struct fgk_trace *fgk_next_probed_trace(struct kunit *test,
							struct fgk_probed_traces *probed)
{
	struct fgk_unwind *unwind = test->priv;
	int round = probed->round++;

	switch (round) {
	case 1:
		probed->probe = (struct kretprobe){
			.kp.addr = (void *)fgraph_func_addr(probed->func),
			.handler = fgk_ignore_return,
		};
		KUNIT_ASSERT_EQ(test, register_kretprobe(&probed->probe), 0);
		break;
	case 2:
		unregister_kretprobe(&probed->probe);
		fgk_hook_twice(test, unwind->users[0], &probed->probe, probed->func,
			       probed->probe_last);
		break;
	case 3:
		unregister_kretprobe(&probed->probe);
		return NULL;
	}
	return &probed->traces[round];
}

typedef int (*fgk_caller_t)(fgk_fn_t fn, void *arg);

static void fgk_expect_probed_trace(struct kunit *test, fgk_caller_t outer, void *inner,
				    bool probe_last)
{
	struct fgk_probed_traces *probed = kunit_kzalloc(test, sizeof(*probed), GFP_KERNEL);
	unsigned int nr;
	struct fgk_trace *trace;

	KUNIT_ASSERT_NOT_NULL(test, probed);
	probed->func = inner;
	probed->probe_last = probe_last;
	while ((trace = fgk_next_probed_trace(test, probed)))
		outer(fgk_save_trace, trace);

	nr = probed->traces[0].nr;
	KUNIT_EXPECT_GT(test, nr, 4u);
	if (fgk_count_same(&probed->traces[0], &probed->traces[1]) < nr)
		kunit_skip(test, "a kretprobe ends a backtrace even without users of fgraph");
	KUNIT_EXPECT_EQ(test, fgk_count_same(&probed->traces[0], &probed->traces[2]), nr);
}

static void stack_with_probe_is_true(struct kunit *test)
{
	fgk_expect_probed_trace(test, fgk_outer, fgk_inner, false);
}

static void stack_with_later_probe_is_true(struct kunit *test)
{
	fgk_expect_probed_trace(test, fgk_outer, fgk_inner, true);
}

/*
 * The user hooks the return address of the outer function. The jump leaves this hooked
 * address to the inner function, where the probe and the user both hook it again.
 */
static void stack_with_probe_in_tail_call_is_true(struct kunit *test)
{
	fgk_expect_probed_trace(test, fgk_tail_outer, fgk_tail_inner, false);
}

static void stack_with_later_probe_in_tail_call_is_true(struct kunit *test)
{
	fgk_expect_probed_trace(test, fgk_tail_outer, fgk_tail_inner, true);
}
#endif

static struct kunit_case fgraph_unwind_cases[] = {
	KUNIT_CASE(own_stack_is_true),
	KUNIT_CASE(stack_with_tail_call_is_true),
	KUNIT_CASE(stack_in_entryfunc_is_true),
	KUNIT_CASE(stack_of_sleeping_task_is_true),
	KUNIT_CASE(stack_of_task_preempted_at_return_is_true),
	KUNIT_CASE(call_knows_where_it_returns_to),
	KUNIT_CASE(tail_call_knows_where_it_returns_to),
#ifdef CONFIG_KRETPROBES
	KUNIT_CASE(call_with_probe_knows_where_it_returns_to),
	KUNIT_CASE(call_with_later_probe_knows_where_it_returns_to),
	KUNIT_CASE(stack_with_probe_is_true),
	KUNIT_CASE(stack_with_later_probe_is_true),
	KUNIT_CASE(stack_with_probe_in_tail_call_is_true),
	KUNIT_CASE(stack_with_later_probe_in_tail_call_is_true),
#endif
	{ }
};

static struct kunit_suite fgraph_unwind_suite = {
	.name = "fgraph_unwind",
	.init = fgraph_unwind_init,
	.test_cases = fgraph_unwind_cases,
};

kunit_test_suite(fgraph_unwind_suite);
