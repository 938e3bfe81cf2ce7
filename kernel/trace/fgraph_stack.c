// SPDX-License-Identifier: GPL-2.0
/*
 * The shadow stacks of fgraph: who has one and for how long, and what is on it.
 *
 * When a user comes, every task that it wants gets a stack, and so does each such
 * task that is forked later. When the last user has gone, a stack is freed once its
 * last frame has drained: at once where there is none, else when the return
 * handler pops it. A task that dies takes its stack along.
 *
 * Other hooks of returns, those of kretprobe and fprobe, keep what they have of a
 * call here, too. The functions that push and pop such an area may be traced
 * themselves, so areas are not between the frames: these grow from the lower end of
 * the stack, areas from the upper one. Each are last in, first out by themselves, and
 * the stack is full when they meet.
 *
 * The sleep time is counted here as well: one clock for a task, which is read at the
 * entry and at the return of a call, for all users.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>
#include <linux/slab.h>

#include <trace/events/sched.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

/* How many stacks to allocate outside of the walk over the tasks */
#define FGRAPH_STACK_BATCH	32

/* Whether new tasks get a stack; and how many want that, under ftrace_lock */
static bool fgraph_stacks_wanted;
static unsigned int fgraph_stack_users;

/* How many users of areas there are, who want one for each task */
static unsigned int fgraph_area_users;

static atomic_t fgraph_stack_count;

/* How many shadow stacks there are */
unsigned int fgraph_count_stacks(void)
{
	return atomic_read(&fgraph_stack_count);
}

/*
 * Whether @t needs a stack. Preemption must be disabled, or ftrace_lock held, so that
 * users do not go.
 */
static bool fgraph_wants_task(struct task_struct *t)
{
	struct fgraph_ops *gops;
	int i;

	if (READ_ONCE(fgraph_area_users))
		return true;

	for (i = 0; i < FGRAPH_MAX_USERS; i++) {
		gops = READ_ONCE(fgraph_array[i]);
		if (!gops->wants_task || gops->wants_task(gops, t))
			return true;
	}
	return false;
}

/* What is beyond the marks is written before it is read. */
static void fgraph_init_stack(struct fgraph_stack *st)
{
	memset(st, 0, sizeof(*st));
	st->limit = FGRAPH_MAX_BUSY;
}

static struct fgraph_stack *fgraph_alloc_stack(gfp_t gfp)
{
	struct fgraph_stack *st = kmalloc(FGRAPH_STACK_BYTES, gfp);

	if (st) {
		fgraph_init_stack(st);
		atomic_inc(&fgraph_stack_count);
	}
	return st;
}

static void fgraph_free_stack(struct fgraph_stack *st)
{
	if (st)
		atomic_dec(&fgraph_stack_count);
	kfree(st);
}

/* Give @st to @t, unless it has one. The content of @st is visible before. */
static bool fgraph_give_stack(struct task_struct *t, struct fgraph_stack *st)
{
	return !cmpxchg(&t->ret_stack, NULL, st);
}

/* Give a stack to each task that needs one and has none. */
static int fgraph_alloc_task_stacks(void)
{
	struct fgraph_stack *batch[FGRAPH_STACK_BATCH];
	struct task_struct *g, *t;
	int ret = -EAGAIN;
	int n;

	while (ret == -EAGAIN) {
		for (n = 0; n < FGRAPH_STACK_BATCH; n++) {
			batch[n] = fgraph_alloc_stack(GFP_KERNEL);
			if (!batch[n])
				break;
		}
		ret = n < FGRAPH_STACK_BATCH ? -ENOMEM : 0;

		rcu_read_lock();
		for_each_process_thread(g, t) {
			if (ret || READ_ONCE(t->ret_stack) || !fgraph_wants_task(t))
				continue;
			if (fgraph_give_stack(t, batch[n - 1]) && !--n)
				ret = -EAGAIN;
		}
		rcu_read_unlock();

		while (n)
			fgraph_free_stack(batch[--n]);
	}
	return ret;
}

/* Give a stack to @t, which needs one, if it has none. */
static int fgraph_alloc_idle_stack(struct task_struct *t)
{
	struct fgraph_stack *st;

	if (t->ret_stack)
		return 0;
	st = fgraph_alloc_stack(GFP_KERNEL);
	if (!st)
		return -ENOMEM;
	if (!fgraph_give_stack(t, st))
		fgraph_free_stack(st);
	return 0;
}

/* for_each_process_thread() lacks the idle tasks. */
static int fgraph_alloc_idle_stacks(void)
{
	int cpu, ret = 0;

	for_each_online_cpu(cpu) {
		if (fgraph_wants_task(idle_task(cpu)))
			ret = fgraph_alloc_idle_stack(idle_task(cpu));
		if (ret)
			break;
	}
	return ret;
}

/* A stack that nobody can be using: nothing on it, and no user to push anything */
static bool fgraph_stack_is_empty(struct fgraph_stack *st)
{
	return !READ_ONCE(st->curr) && !READ_ONCE(st->busy) &&
	       READ_ONCE(st->limit) == FGRAPH_MAX_BUSY;
}
NOKPROBE_SYMBOL(fgraph_stack_is_empty);

/* Take the stack of @t, if it is empty, and put it before @taken. */
static struct fgraph_stack *fgraph_take_stack(struct task_struct *t,
					      struct fgraph_stack *taken)
{
	struct fgraph_stack *st = READ_ONCE(t->ret_stack);

	if (!st || !fgraph_stack_is_empty(st))
		return taken;

	WRITE_ONCE(t->ret_stack, NULL);
	st->next = taken;
	return st;
}

static struct fgraph_stack *fgraph_take_empty_stacks(void)
{
	struct fgraph_stack *taken = NULL;
	struct task_struct *g, *t;
	int cpu;

	rcu_read_lock();
	for_each_process_thread(g, t)
		taken = fgraph_take_stack(t, taken);
	rcu_read_unlock();

	/* That of a CPU that is offline may have frames until the CPU is back */
	for_each_possible_cpu(cpu) {
		t = idle_task(cpu);
		if (t)
			taken = fgraph_take_stack(t, taken);
	}
	return taken;
}

/*
 * Free the stacks that no task needs any more. The lock keeps new users out
 * until nobody can be looking at a stack that was taken.
 */
static void fgraph_free_empty_stacks(void)
{
	struct fgraph_stack *taken, *next;

	lockdep_assert_held(&ftrace_lock);

	cpus_read_lock();
	taken = fgraph_take_empty_stacks();
	cpus_read_unlock();
	if (!taken)
		return;

	synchronize_rcu_tasks_rude();
	for (; taken; taken = next) {
		next = taken->next;
		fgraph_free_stack(taken);
	}
}

static void fgraph_drained_workfn(struct work_struct *work)
{
	mutex_lock(&ftrace_lock);
	if (!fgraph_stacks_wanted)
		fgraph_free_empty_stacks();
	mutex_unlock(&ftrace_lock);
}

static DECLARE_WORK(fgraph_drained_work, fgraph_drained_workfn);

static void fgraph_drained_irqfn(struct irq_work *work)
{
	schedule_work(&fgraph_drained_work);
}

static DEFINE_IRQ_WORK(fgraph_drained_irq_work, fgraph_drained_irqfn);

/* A task has popped its last frame, and there is no user. Any context. */
void fgraph_stack_drained(void)
{
	irq_work_queue(&fgraph_drained_irq_work);
}

static void fgraph_probe_sched_switch(void *ignore, bool preempt,
				      struct task_struct *prev,
				      struct task_struct *next,
				      unsigned int prev_state)
{
	struct fgraph_stack *out = READ_ONCE(prev->ret_stack);
	struct fgraph_stack *in = READ_ONCE(next->ret_stack);
	u64 now = trace_clock_local();

	if (out)
		out->sleeps_since = now;
	if (in && in->sleeps_since)
		in->slept += now - in->sleeps_since;
}

/* Tasks that want a stack could not get one where they were forked. */
static void fgraph_late_workfn(struct work_struct *work)
{
	mutex_lock(&ftrace_lock);
	fgraph_update_tasks();
	mutex_unlock(&ftrace_lock);
}

static DECLARE_WORK(fgraph_late_work, fgraph_late_workfn);

static void fgraph_late_irqfn(struct irq_work *work)
{
	schedule_work(&fgraph_late_work);
}

static DEFINE_IRQ_WORK(fgraph_late_irq_work, fgraph_late_irqfn);

/* Tracepoints disable preemption, and then PREEMPT_RT allocates nothing. */
static struct fgraph_stack *fgraph_alloc_stack_atomic(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return NULL;
	return fgraph_alloc_stack(GFP_NOWAIT | __GFP_NOWARN);
}

/*
 * A task that was being forked while fgraph_alloc_task_stacks() walked the list
 * may have been on neither side of it. Nor had it a number by which a user could
 * know it.
 */
static void fgraph_probe_sched_fork(void *ignore, struct task_struct *parent,
				    struct task_struct *child)
{
	struct fgraph_stack *st;

	if (likely(READ_ONCE(child->ret_stack)) || !fgraph_wants_task(child))
		return;

	st = fgraph_alloc_stack_atomic();
	if (!st)
		irq_work_queue(&fgraph_late_irq_work);
	else if (!fgraph_give_stack(child, st))
		fgraph_free_stack(st);
}

/* Free the stacks as soon as they are empty, if nobody else wants them. */
static void fgraph_release_stacks(void)
{
	if (--fgraph_stack_users)
		return;

	WRITE_ONCE(fgraph_stacks_wanted, false);
	unregister_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
	tracepoint_synchronize_unregister();
	/* A kretprobe that goes has not waited for handlers where RCU does not watch */
	synchronize_rcu_tasks_rude();
	fgraph_free_empty_stacks();
}

static int fgraph_alloc_stacks(void)
{
	int ret;

	cpus_read_lock();
	ret = fgraph_alloc_idle_stacks();
	cpus_read_unlock();
	return ret ?: fgraph_alloc_task_stacks();
}

/* Give a stack to each task that needs one, from now on. */
static int fgraph_claim_stacks(void)
{
	int ret;

	if (!fgraph_stack_users) {
		ret = register_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
		if (ret)
			return ret;
		WRITE_ONCE(fgraph_stacks_wanted, true);
	}

	fgraph_stack_users++;
	ret = fgraph_alloc_stacks();
	if (ret)
		fgraph_release_stacks();
	return ret;
}

/**
 * fgraph_update_tasks - a user may want more tasks than before
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0 or -ENOMEM: calls of tasks that got no shadow stack are not traced.
 */
int fgraph_update_tasks(void)
{
	return fgraph_stacks_wanted ? fgraph_alloc_stacks() : 0;
}

/**
 * fgraph_start_stacks - give the tasks of a user shadow stacks, and count their sleep
 *
 * Context: may sleep; ftrace_lock must be held, and the user be in fgraph_array.
 * Return: 0 or a negative error, and nothing is left behind.
 */
int fgraph_start_stacks(void)
{
	int ret;

	ret = register_trace_sched_switch(fgraph_probe_sched_switch, NULL);
	if (ret)
		return ret;
	ret = fgraph_claim_stacks();
	if (ret)
		unregister_trace_sched_switch(fgraph_probe_sched_switch, NULL);
	return ret;
}

/**
 * fgraph_stop_stacks - undo fgraph_start_stacks()
 *
 * Context: may sleep; ftrace_lock must be held, and no callback may be running.
 */
void fgraph_stop_stacks(void)
{
	unregister_trace_sched_switch(fgraph_probe_sched_switch, NULL);
	tracepoint_synchronize_unregister();
	fgraph_release_stacks();
}

/**
 * fgraph_get_stacks - give every task a shadow stack, for areas of calls
 * @size:	how many bytes an area has
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: 0; -E2BIG if it is more than FGRAPH_MAX_AREA_BYTES; -ENOMEM.
 */
int fgraph_get_stacks(size_t size)
{
	int ret = 0;

	if (size > FGRAPH_MAX_AREA_BYTES)
		return -E2BIG;

	mutex_lock(&ftrace_lock);
	WRITE_ONCE(fgraph_area_users, fgraph_area_users + 1);
	if (fgraph_area_users == 1)
		ret = fgraph_claim_stacks();
	if (ret)
		WRITE_ONCE(fgraph_area_users, 0);
	mutex_unlock(&ftrace_lock);
	return ret;
}

/**
 * fgraph_put_stacks - undo fgraph_get_stacks()
 *
 * Areas that are in use stay. Nobody may be about to push one.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_put_stacks(void)
{
	mutex_lock(&ftrace_lock);
	WRITE_ONCE(fgraph_area_users, fgraph_area_users - 1);
	if (!fgraph_area_users)
		fgraph_release_stacks();
	mutex_unlock(&ftrace_lock);
}

/* An area has whole u64s, so that each is aligned as one. */
static u32 fgraph_area_words(size_t size)
{
	return ALIGN(size, sizeof(u64)) / sizeof(long);
}
NOKPROBE_SYMBOL(fgraph_area_words);

/**
 * fgraph_push_area - get memory for a call, on the shadow stack of the task
 * @size:	how many bytes
 *
 * It is aligned as a u64, and not initialized. Whoever hooks the return of the call
 * pops it there. What is pushed later must have been popped before, which is so as
 * calls nest.
 *
 * Context: any, with preemption disabled, and between fgraph_get_stacks() and
 * fgraph_put_stacks().
 * Return: the memory, or NULL if there is no room.
 */
void *fgraph_push_area(size_t size)
{
	struct fgraph_stack *st = READ_ONCE(current->ret_stack);
	u32 words = fgraph_area_words(size);

	/* An interrupt in between leaves both marks as it found them */
	if (unlikely(!st || st->busy + words > st->limit))
		return NULL;
	st->limit -= words;
	return &st->words[st->limit + FGRAPH_TRAILER_WORDS];
}
NOKPROBE_SYMBOL(fgraph_push_area);

/**
 * fgraph_pop_area - give the last area back that fgraph_push_area() gave
 * @size:	how many bytes it has
 *
 * Context: in the task that pushed it, with preemption disabled.
 */
void fgraph_pop_area(size_t size)
{
	struct fgraph_stack *st = current->ret_stack;

	/* It goes after its last use */
	barrier();
	st->limit += fgraph_area_words(size);
	if (unlikely(!READ_ONCE(fgraph_stacks_wanted)) && fgraph_stack_is_empty(st))
		fgraph_stack_drained();
}
NOKPROBE_SYMBOL(fgraph_pop_area);

/**
 * ftrace_graph_init_idle_task - give a shadow stack to the idle task of a CPU
 * @t:		the idle task
 * @cpu:	its CPU, which is not up
 *
 * Nobody is asked who wants it: there are few.
 *
 * Context: may sleep.
 */
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu)
{
	if (READ_ONCE(fgraph_stacks_wanted))
		fgraph_alloc_idle_stack(t);
}

/* In the order of a pop: an interrupt finds a stack that is as good as empty. */
static void fgraph_reset_stack(struct fgraph_stack *st)
{
	WRITE_ONCE(st->curr, 0);
	barrier();
	st->busy = 0;
	st->limit = FGRAPH_MAX_BUSY;
	/* Users begin at depth 0 again. */
	memset(st->task, 0, sizeof(st->task));
}

/**
 * ftrace_graph_start_idle - a fresh idle loop begins
 *
 * The calls in which the CPU went down never return: they go, and so do kretprobes
 * that wait for them. Where a CPU comes back by a return into its old idle loop, as on
 * Xen PV, that loop goes on, with its calls.
 *
 * Context: in an idle task, in no call that returns.
 */
notrace void ftrace_graph_start_idle(void)
{
	struct fgraph_stack *st;
	unsigned long flags;

	kprobe_flush_task(current);
	rethook_flush_task(current);

	raw_local_irq_save(flags);
	st = current->ret_stack;
	if (st) {
		fgraph_reset_stack(st);
		if (!READ_ONCE(fgraph_stacks_wanted))
			fgraph_stack_drained();
	}
	raw_local_irq_restore(flags);
}

/* The scheduler initializes an idle task once, but its CPU may come up again. */
static int fgraph_prepare_cpu(unsigned int cpu)
{
	struct task_struct *t = idle_task(cpu);

	if (t)
		ftrace_graph_init_idle_task(t, cpu);
	return 0;
}

static __init int fgraph_init_hotplug(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/fgraph:prepare",
					fgraph_prepare_cpu, NULL);
	return min(ret, 0);
}
core_initcall(fgraph_init_hotplug);

/*
 * The task that is being made has no number yet, by which a user could know it, so
 * this is a guess: it is wanted if its parent is. If it is wanted all the same,
 * fgraph_probe_sched_fork() finds out.
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	/* What was copied is the parent's */
	t->ret_stack = NULL;
	atomic_set(&t->tracing_graph_pause, 0);

	if (READ_ONCE(fgraph_stacks_wanted) && READ_ONCE(current->ret_stack))
		t->ret_stack = fgraph_alloc_stack(GFP_KERNEL);
}

void ftrace_graph_exit_task(struct task_struct *t)
{
	struct fgraph_stack *st = t->ret_stack;

	t->ret_stack = NULL;
	/* NULL must become visible to IRQs before we free it: */
	barrier();

	fgraph_free_stack(st);
}

/*
 * The frame before the one that ends at @end, or 0. Another task may be running
 * while its stack is walked, so nothing that is read from there is trusted.
 */
static u32 fgraph_walk(struct fgraph_stack *st, u32 end,
		       struct ftrace_ret_stack **head)
{
	u32 start = READ_ONCE(fgraph_trailer(st, end)->start);
	u32 prev = READ_ONCE(fgraph_trailer(st, end)->prev);

	*head = start + FGRAPH_HEAD_WORDS <= end ? fgraph_head(st, start) : NULL;
	return prev < end ? prev : 0;
}

static u32 fgraph_walk_from(struct fgraph_stack *st)
{
	u32 end = st ? READ_ONCE(st->curr) : 0;

	return end <= FGRAPH_STACK_WORDS ? end : 0;
}

/**
 * ftrace_graph_get_ret_stack - find a frame on the shadow stack of a task
 * @task: the task
 * @idx: which frame, 0 for the last one that was pushed
 *
 * Context: any. If @task is another task, it must not exit, nor may what is
 * found be used after an RCU grace period.
 * Return: the frame, or NULL if there are not so many.
 */
struct ftrace_ret_stack *
ftrace_graph_get_ret_stack(struct task_struct *task, int idx)
{
	struct fgraph_stack *st = READ_ONCE(task->ret_stack);
	struct ftrace_ret_stack *head = NULL;
	u32 end = fgraph_walk_from(st);

	if (idx < 0)
		return NULL;

	for (; end && idx >= 0; idx--)
		end = fgraph_walk(st, end, &head);

	return idx < 0 ? head : NULL;
}

/*
 * A function that ends in a jump to another one has the same slot for its return
 * address, so there are two frames for one return. Only that of the first one
 * has the true address.
 */
#ifdef HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
static struct ftrace_ret_stack *
fgraph_find_frame(struct task_struct *task, int *idx, unsigned long *retp)
{
	struct fgraph_stack *st = READ_ONCE(task->ret_stack);
	struct ftrace_ret_stack *head;
	u32 end = fgraph_walk_from(st);

	while (end) {
		end = fgraph_walk(st, end, &head);
		if (head && head->retp == retp && !fgraph_is_hooked(head->ret))
			return head;
	}
	return NULL;
}
#else
static struct ftrace_ret_stack *
fgraph_find_frame(struct task_struct *task, int *idx, unsigned long *retp)
{
	struct ftrace_ret_stack *head;

	do {
		head = ftrace_graph_get_ret_stack(task, (*idx)++);
	} while (head && fgraph_is_hooked(head->ret));

	return head;
}
#endif

/**
 * ftrace_graph_ret_addr - find the true return address of a stack entry
 * @task:	the task that the stack is of
 * @idx:	how far the walk is; zero before the first call
 * @ret:	the return address that the unwinder found
 * @retp:	where it found that; ignored by an arch that does not define
 *		HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
 *
 * The function graph tracer replaces return addresses by return_to_handler.
 *
 * Context: any; the stack of @task must not change meanwhile.
 * Return: the original address; @ret if it was not replaced.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp)
{
	struct ftrace_ret_stack *head;

	if (!fgraph_is_hooked(ret))
		return ret;

	/* The stack may go when its last frame has; not while this looks at it */
	preempt_disable_notrace();
	head = fgraph_find_frame(task, idx, retp);
	if (head)
		ret = READ_ONCE(head->ret);
	preempt_enable_notrace();

	return ret;
}
