// SPDX-License-Identifier: GPL-2.0
/*
 * The tasks that get a shadow stack, and when.
 *
 * When a user registers, every task that it traces gets a stack. So does each such task
 * that is forked later.
 *
 * Few tasks hit a probe. So no task gets a stack when a probe is registered. A task
 * without a stack is queued when it needs an area, and a worker gives it a stack soon
 * afterwards.
 *
 * With parts of fgraph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/sched/task.h>

#include <trace/events/sched.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

/*
 * Return true if a user may accept calls of @t. Preemption must be disabled or
 * ftrace_lock held, so that the users stay valid.
 */
static bool fgraph_wants_frames(struct task_struct *t)
{
	struct fgraph_ops *gops;
	int i;

	if (!READ_ONCE(fgraph_frames_wanted))
		return false;

	for (i = 0; i < FGRAPH_MAX_USERS; i++) {
		gops = READ_ONCE(fgraph_array[i]);
		if (!gops->wants_task || gops->wants_task(gops, t))
			return true;
	}
	return false;
}

/*
 * Give @st to @t, unless @t has a stack. cmpxchg() makes the content of @st visible
 * before the pointer. Return true if @t got @st.
 */
static bool fgraph_give_stack(struct task_struct *t, struct fgraph_stack *st)
{
	return !cmpxchg(&t->ret_stack, NULL, st);
}

static bool fgraph_lacks_stack(struct task_struct *t)
{
	return !READ_ONCE(t->ret_stack) && fgraph_wants_frames(t);
}

static unsigned int fgraph_count_lacking(void)
{
	struct task_struct *g, *t;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_process_thread(g, t)
		nr += fgraph_lacks_stack(t);
	rcu_read_unlock();
	return nr;
}

/* Return a list of @nr stacks, or of fewer if there is no memory. */
static struct fgraph_stack *fgraph_alloc_list(unsigned int nr, int *ret)
{
	struct fgraph_stack *list = NULL, *st;

	while (nr--) {
		st = fgraph_alloc_stack(GFP_KERNEL);
		if (!st) {
			*ret = -ENOMEM;
			break;
		}
		st->next = list;
		list = st;
		cond_resched();
	}
	return list;
}

/* Give the stacks of a list to tasks that need one. Return the rest of the list. */
static struct fgraph_stack *fgraph_give_list(struct fgraph_stack *list)
{
	struct fgraph_stack *st;
	struct task_struct *g, *t;

	rcu_read_lock();
	for_each_process_thread(g, t) {
		if (!list || !fgraph_lacks_stack(t))
			continue;
		st = list;
		list = st->next;
		st->next = NULL;
		if (!fgraph_give_stack(t, st)) {
			st->next = list;
			list = st;
		}
	}
	rcu_read_unlock();
	return list;
}

/*
 * Give a stack to each task that needs one and has none. Tasks that are forked during the
 * walk are found by the next walk, or already have a stack.
 */
static int fgraph_alloc_task_stacks(void)
{
	unsigned int nr;
	int ret = 0;

	while (!ret && (nr = fgraph_count_lacking()))
		fgraph_free_list(fgraph_give_list(fgraph_alloc_list(nr, &ret)));
	return ret;
}

/**
 * fgraph_alloc_stack_of - give a stack to a task, unless it already has one
 * @t:		the task, which needs one
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int fgraph_alloc_stack_of(struct task_struct *t)
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

/* Give stacks to the idle tasks, which for_each_process_thread() does not include. */
static int fgraph_alloc_idle_stacks(void)
{
	int cpu, ret = 0;

	for_each_online_cpu(cpu) {
		if (fgraph_wants_frames(idle_task(cpu)))
			ret = fgraph_alloc_stack_of(idle_task(cpu));
		if (ret)
			break;
	}
	return ret;
}

/* Tasks that have no stack and want one, see fgraph_queue_task() */
static LLIST_HEAD(fgraph_queue);

static void fgraph_queue_workfn(struct work_struct *work);
static DECLARE_DELAYED_WORK(fgraph_queue_work, fgraph_queue_workfn);

/* Wait for more tasks before the worker runs: a task profits only after many calls. */
static void fgraph_queue_irqfn(struct irq_work *work)
{
	schedule_delayed_work(&fgraph_queue_work, HZ / 50 ?: 1);
}

static DEFINE_IRQ_WORK(fgraph_queue_irq_work, fgraph_queue_irqfn);

/**
 * fgraph_queue_task - queue a task for a worker, which gives it a stack for its next calls
 * @t:		the task
 *
 * Mark the task first, because the functions that are called next may have a probe.
 *
 * Context: any, with preemption disabled.
 */
void fgraph_queue_task(struct task_struct *t)
{
	if (unlikely(!fgraph_can_queue()) || test_and_set_bit(0, &t->ret_stack_queued))
		return;
	get_task_struct(t);
	llist_add(&t->ret_stack_queue, &fgraph_queue);
	irq_work_queue(&fgraph_queue_irq_work);
}
NOKPROBE_SYMBOL(fgraph_queue_task);

/* Give a stack to each task in the queue. If there is no memory, try again later. */
static void fgraph_queue_workfn(struct work_struct *work)
{
	struct task_struct *t, *next;
	int ret = 0;

	mutex_lock(&ftrace_lock);
	llist_for_each_entry_safe(t, next, llist_del_all(&fgraph_queue), ret_stack_queue) {
		if (!ret && (fgraph_area_users || fgraph_wants_frames(t)))
			ret = fgraph_alloc_stack_of(t);
		if (ret) {
			llist_add(&t->ret_stack_queue, &fgraph_queue);
			continue;
		}
		clear_bit(0, &t->ret_stack_queued);
		put_task_struct(t);
	}
	mutex_unlock(&ftrace_lock);
	if (ret)
		schedule_delayed_work(&fgraph_queue_work, HZ);
}

static void fgraph_update_workfn(struct work_struct *work);
static DECLARE_DELAYED_WORK(fgraph_update_work, fgraph_update_workfn);

/* Give stacks to tasks for which there was no memory. */
static void fgraph_update_workfn(struct work_struct *work)
{
	mutex_lock(&ftrace_lock);
	fgraph_tasks_changed();
	mutex_unlock(&ftrace_lock);
}

/**
 * fgraph_update_tasks_later - give stacks to tasks as soon as there is memory
 *
 * Context: any in which work may be queued.
 */
void fgraph_update_tasks_later(void)
{
	schedule_delayed_work(&fgraph_update_work, HZ);
}

/*
 * Allocate a stack in a tracepoint. On PREEMPT_RT, this is not possible with preemption
 * disabled.
 */
static struct fgraph_stack *fgraph_alloc_stack_atomic(void)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return NULL;
	return fgraph_alloc_stack(GFP_NOWAIT | __GFP_NOWARN);
}

/* Give a stack to @t now, if it wants one. */
static void fgraph_provide_stack(struct task_struct *t)
{
	struct fgraph_stack *st;

	if (!fgraph_lacks_stack(t))
		return;
	st = fgraph_alloc_stack_atomic();
	if (!st)
		fgraph_queue_task(t);
	else if (!fgraph_give_stack(t, st))
		fgraph_free_stack(st);
}

/*
 * Give a stack to a new task. fgraph_alloc_task_stacks() and ftrace_graph_init_task() may
 * both miss a task that is forked during the walk over the list of tasks. Also, a user
 * may select a task by its PID, which the task did not have before.
 */
static void fgraph_probe_sched_fork(void *ignore, struct task_struct *parent,
				    struct task_struct *child)
{
	fgraph_provide_stack(child);
}

/*
 * Give a stack to a thread that executes a program. It gets the PID of its leader, by
 * which a user may have selected the leader.
 */
static void fgraph_probe_sched_exec(void *ignore, struct task_struct *task, pid_t old_pid,
				    struct linux_binprm *bprm)
{
	fgraph_provide_stack(task);
}

/*
 * Queue a new thread of io_uring, which does not reach the tracepoint of forks. The lock
 * of a runqueue is held here, so a worker allocates the stack.
 */
static void fgraph_probe_sched_wakeup_new(void *ignore, struct task_struct *task)
{
	if (unlikely(!READ_ONCE(task->ret_stack)) && fgraph_wants_frames(task))
		fgraph_queue_task(task);
}

/**
 * fgraph_update_tasks - give stacks to all tasks that need one now
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0 or -ENOMEM. Calls of tasks without a shadow stack are not traced.
 */
int fgraph_update_tasks(void)
{
	int ret;

	if (!READ_ONCE(fgraph_frames_wanted))
		return 0;
	cpus_read_lock();
	ret = fgraph_alloc_idle_stacks();
	cpus_read_unlock();
	return ret ?: fgraph_alloc_task_stacks();
}

/**
 * fgraph_tasks_changed - give stacks to tasks after a user selected more tasks
 *
 * If there is no memory, the tasks get their stacks as soon as there is memory.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_tasks_changed(void)
{
	if (fgraph_update_tasks())
		fgraph_update_tasks_later();
}

static int fgraph_register_probes(void)
{
	int ret;

	ret = fgraph_start_sleep_clock();
	if (ret)
		return ret;
	ret = register_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
	if (ret)
		goto out_clock;
	ret = register_trace_sched_process_exec(fgraph_probe_sched_exec, NULL);
	if (ret)
		goto out_fork;
	ret = register_trace_sched_wakeup_new(fgraph_probe_sched_wakeup_new, NULL);
	if (!ret)
		return 0;

	unregister_trace_sched_process_exec(fgraph_probe_sched_exec, NULL);
out_fork:
	unregister_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
out_clock:
	fgraph_stop_sleep_clock();
	return ret;
}

/**
 * fgraph_start_stacks - allocate stacks for the first user, and count sleep times
 *
 * Context: may sleep; ftrace_lock must be held, and the user must be in fgraph_array.
 * Return: 0 or a negative error. After an error, nothing is started, and the caller must
 * call fgraph_free_stacks().
 */
int fgraph_start_stacks(void)
{
	int ret = fgraph_register_probes();

	if (ret)
		return ret;
	WRITE_ONCE(fgraph_frames_wanted, true);
	ret = fgraph_update_tasks();
	if (ret)
		fgraph_stop_stacks();
	return ret;
}

/**
 * fgraph_stop_stacks - stop giving shadow stacks to tasks
 *
 * The caller must then call fgraph_synchronize() and fgraph_free_stacks().
 * fgraph_synchronize() also waits for the probes, because they disable preemption.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_stop_stacks(void)
{
	WRITE_ONCE(fgraph_frames_wanted, false);
	unregister_trace_sched_wakeup_new(fgraph_probe_sched_wakeup_new, NULL);
	unregister_trace_sched_process_exec(fgraph_probe_sched_exec, NULL);
	unregister_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
	fgraph_stop_sleep_clock();
}

/*
 * Guess whether a user will accept calls of the task that is being forked. The task has
 * no PID yet, by which a user could select it. So return the answer for its parent.
 */
static bool fgraph_wants_child(void)
{
	bool wanted;

	if (!READ_ONCE(current->ret_stack))
		return false;
	preempt_disable_notrace();
	wanted = fgraph_wants_frames(current);
	preempt_enable_notrace();
	return wanted;
}

/*
 * Give a stack to a task that is being forked. It is charged to the memory cgroup like
 * the other memory of a fork. If the allocation fails, the fork does not fail and the OOM
 * killer does not start, because fgraph_probe_sched_fork() tries again.
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	/* fork() copied the parent's pointer and mark; clear them. */
	t->ret_stack = NULL;
	t->ret_stack_queued = 0;
	atomic_set(&t->tracing_graph_pause, 0);

	if (fgraph_wants_child())
		t->ret_stack = fgraph_alloc_stack(GFP_KERNEL_ACCOUNT | __GFP_NORETRY |
						  __GFP_NOWARN);
}

void ftrace_graph_exit_task(struct task_struct *t)
{
	struct fgraph_stack *st = t->ret_stack;

	t->ret_stack = NULL;
	/* NULL must become visible to IRQs before we free it: */
	barrier();

	fgraph_free_stack(st);
}
