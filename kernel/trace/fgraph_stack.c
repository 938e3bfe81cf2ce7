// SPDX-License-Identifier: GPL-2.0
/*
 * The shadow stacks of fgraph: allocation, freeing, areas and sleep time.
 *
 * When a user registers, every task that it traces gets a stack. So does each such task
 * that is forked later. After the last user unregisters, a stack is freed once it is
 * empty: at once, or when the return handler pops its last frame. The stack of a task
 * that dies is freed with the task.
 *
 * Other hooks of returns, kretprobes and fprobes, also keep their data of a call here.
 * The functions that push and pop such an area may be traced themselves, so areas are
 * not between the frames:
 *
 *	| frame | frame | frame ->      free      <- area | area |
 *	                        ^ curr, busy      ^ limit
 *
 * Frames grow from the lower end of the stack, areas from the upper end. Frames and
 * areas are each last in, first out. The stack is full when they meet. Frames leave
 * some room to areas.
 *
 * Few tasks hit a probe. So no task gets a stack when a probe is registered. A task
 * without a stack is queued when it needs an area, and a worker gives it a stack soon
 * afterwards.
 *
 * The sleep time is also counted here. Each stack contains one clock for all users. A
 * call reads it at the entry and at the return.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/rethook.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include <trace/events/sched.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

/* True while a user is registered. ftrace_lock protects this and the count of areas. */
static bool fgraph_frames_wanted;

static unsigned int fgraph_area_users;

static atomic_t fgraph_stack_count;

/* Return the number of shadow stacks. */
unsigned int fgraph_count_stacks(void)
{
	return atomic_read(&fgraph_stack_count);
}

/* True if empty stacks are not freed: there is a user of frames or of areas */
static bool fgraph_stacks_wanted __read_mostly;

static void fgraph_update_wanted(void)
{
	WRITE_ONCE(fgraph_stacks_wanted, fgraph_area_users || fgraph_frames_wanted);
}

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

unsigned int fgraph_stack_bytes __ro_after_init = FGRAPH_STACK_BYTES;
EXPORT_SYMBOL_GPL(fgraph_stack_bytes);

static int __init fgraph_set_stack_size(char *text)
{
	unsigned long long bytes = text ? memparse(text, NULL) : 0;

	if (!is_power_of_2(bytes) || bytes < FGRAPH_STACK_BYTES ||
	    bytes > FGRAPH_MAX_STACK_BYTES) {
		pr_warn("fgraph: fgraph_stack=%s is ignored: it must be 8K, 16K, 32K or 64K\n",
			text ?: "");
		return 0;
	}
	fgraph_stack_bytes = bytes;
	return 0;
}
early_param("fgraph_stack", fgraph_set_stack_size);

/* Initialize an empty stack. Words beyond the marks are written before they are read. */
static void fgraph_init_stack(struct fgraph_stack *st)
{
	memset(st, 0, sizeof(*st));
	st->limit = fgraph_max_limit();
}

static struct fgraph_stack *fgraph_alloc_stack(gfp_t gfp)
{
	struct fgraph_stack *st = kmalloc(fgraph_stack_bytes, gfp);

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

static void fgraph_free_list(struct fgraph_stack *list)
{
	struct fgraph_stack *next;

	for (; list; list = next) {
		next = list->next;
		fgraph_free_stack(list);
	}
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

/* Give a stack to @t, which needs one, unless it already has one. */
static int fgraph_alloc_stack_of(struct task_struct *t)
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

/* Return true if nothing is on the stack, and nothing is being pushed or popped. */
static bool fgraph_stack_is_empty(struct fgraph_stack *st)
{
	return !READ_ONCE(st->curr) && !READ_ONCE(st->busy) &&
	       READ_ONCE(st->limit) == fgraph_max_limit();
}
NOKPROBE_SYMBOL(fgraph_stack_is_empty);

/* The empty stacks that were taken from their tasks, and the number of stacks in use */
struct fgraph_found_stacks {
	struct fgraph_stack	*empty;
	unsigned int		used;
};

/* Take the stack of @t if it is empty. Otherwise, count it as used. */
static void fgraph_take_stack(struct task_struct *t, struct fgraph_found_stacks *found)
{
	struct fgraph_stack *st = READ_ONCE(t->ret_stack);

	if (!st)
		return;
	if (!fgraph_stack_is_empty(st)) {
		found->used++;
		return;
	}
	WRITE_ONCE(t->ret_stack, NULL);
	st->next = found->empty;
	found->empty = st;
}

static void fgraph_take_empty_stacks(struct fgraph_found_stacks *found)
{
	struct task_struct *g, *t;
	int cpu;

	rcu_read_lock();
	for_each_process_thread(g, t)
		fgraph_take_stack(t, found);
	rcu_read_unlock();

	/* The idle task of an offline CPU may have frames until the CPU is back. */
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		t = idle_task(cpu);
		if (t)
			fgraph_take_stack(t, found);
	}
	cpus_read_unlock();
}

static void fgraph_free_workfn(struct work_struct *work);
static DECLARE_DELAYED_WORK(fgraph_free_work, fgraph_free_workfn);

/* Maximum delay before the next search for stacks of unlisted tasks */
#define FGRAPH_MAX_DELAY	(60 * HZ)

static unsigned long fgraph_free_delay;

/*
 * Search again later if there are stacks that were not found. A task that is being
 * forked is not in the list of tasks yet, and a dead task is no longer in it. The stack
 * of the new task must not remain for as long as the task lives.
 */
static void fgraph_wait_for_unlisted(const struct fgraph_found_stacks *found)
{
	if (fgraph_count_stacks() == found->used) {
		fgraph_free_delay = 0;
		return;
	}
	fgraph_free_delay = clamp(2 * fgraph_free_delay, (unsigned long)HZ, FGRAPH_MAX_DELAY);
	schedule_delayed_work(&fgraph_free_work, fgraph_free_delay);
}

/**
 * fgraph_free_stacks - free the empty stacks, if there is no user
 *
 * ftrace_lock is held until no call can be using a stack that was taken, so that no new
 * user pushes frames on it.
 *
 * Context: may sleep; ftrace_lock must be held, and fgraph_synchronize() must have been
 * called since the last user unregistered.
 */
void fgraph_free_stacks(void)
{
	struct fgraph_found_stacks found = { };

	lockdep_assert_held(&ftrace_lock);
	if (READ_ONCE(fgraph_stacks_wanted))
		return;

	fgraph_take_empty_stacks(&found);
	if (found.empty)
		fgraph_synchronize();
	fgraph_free_list(found.empty);
	fgraph_wait_for_unlisted(&found);
}

static void fgraph_free_workfn(struct work_struct *work)
{
	mutex_lock(&ftrace_lock);
	fgraph_free_stacks();
	mutex_unlock(&ftrace_lock);
}

static void fgraph_drained_irqfn(struct irq_work *work)
{
	mod_delayed_work(system_wq, &fgraph_free_work, 0);
}

static DEFINE_IRQ_WORK(fgraph_drained_irq_work, fgraph_drained_irqfn);

/*
 * Return true if this CPU can queue irq_work. If a CPU queues it while going offline, it
 * never runs. It stays pending, so no other CPU can queue it again.
 */
static bool fgraph_can_queue(void)
{
	return likely(cpu_online(raw_smp_processor_id()));
}
NOKPROBE_SYMBOL(fgraph_can_queue);

/*
 * Free the stacks soon: a task popped its last frame, and there is no user. May be called
 * in any context. fgraph_dead_cpu() frees the stacks that a CPU drains while it goes
 * offline.
 */
void fgraph_stack_drained(void)
{
	if (fgraph_can_queue())
		irq_work_queue(&fgraph_drained_irq_work);
}

/*
 * Add the time of a sleep. The clocks of two CPUs may differ, but each sleep takes some
 * time, so that fgraph_call_moved() can compare.
 */
static void fgraph_end_sleep(struct fgraph_stack *st, u64 now, u32 cpu)
{
	st->slept += max_t(s64, now - st->sleeps_since, 1);
	if (st->sleeps_on != cpu)
		st->moved = st->slept;
}

static void fgraph_probe_sched_switch(void *ignore, bool preempt,
				      struct task_struct *prev,
				      struct task_struct *next,
				      unsigned int prev_state)
{
	struct fgraph_stack *out = READ_ONCE(prev->ret_stack);
	struct fgraph_stack *in = READ_ONCE(next->ret_stack);
	u32 cpu = smp_processor_id();
	u64 now = fgraph_clock();

	if (out) {
		out->sleeps_since = now;
		out->sleeps_on = cpu;
	}
	if (in && in->sleeps_since)
		fgraph_end_sleep(in, now, cpu);
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

/*
 * Queue @t for a worker, which gives it a stack for its next calls. May be called in any
 * context. Mark the task first, because the functions that are called next may have a
 * probe.
 */
static void fgraph_queue_task(struct task_struct *t)
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
		schedule_delayed_work(&fgraph_update_work, HZ);
}

static int fgraph_register_probes(void)
{
	int ret;

	ret = register_trace_sched_switch(fgraph_probe_sched_switch, NULL);
	if (ret)
		return ret;
	ret = register_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
	if (ret)
		goto out_switch;
	ret = register_trace_sched_process_exec(fgraph_probe_sched_exec, NULL);
	if (ret)
		goto out_fork;
	ret = register_trace_sched_wakeup_new(fgraph_probe_sched_wakeup_new, NULL);
	if (!ret)
		return 0;

	unregister_trace_sched_process_exec(fgraph_probe_sched_exec, NULL);
out_fork:
	unregister_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
out_switch:
	unregister_trace_sched_switch(fgraph_probe_sched_switch, NULL);
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
	fgraph_update_wanted();
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
	fgraph_update_wanted();
	unregister_trace_sched_wakeup_new(fgraph_probe_sched_wakeup_new, NULL);
	unregister_trace_sched_process_exec(fgraph_probe_sched_exec, NULL);
	unregister_trace_sched_process_fork(fgraph_probe_sched_fork, NULL);
	unregister_trace_sched_switch(fgraph_probe_sched_switch, NULL);
}

/* Added to fgraph_areas::left until the sum is known, so that it does not become 0 before */
#define FGRAPH_AREAS_UNKNOWN	(LONG_MAX / 2)

/**
 * fgraph_open_areas - allow areas of calls on the shadow stacks of tasks
 * @areas:	the areas of the user, with all bits 0
 * @size:	size of an area, in bytes
 * @release:	called after fgraph_close_areas(), when no area is in use, in an RCU
 *		callback
 *
 * No task gets a stack yet. A task without a stack gets one after it failed to push an
 * area.
 *
 * The size is rounded up to whole u64s, so that each area is aligned to a u64.
 *
 * Context: may sleep; takes ftrace_lock.
 * Return: true if areas may be pushed, and fgraph_close_areas() must be called; false if
 * @size is more than FGRAPH_MAX_AREA_BYTES, or there is no memory.
 */
bool fgraph_open_areas(struct fgraph_areas *areas, size_t size,
		       void (*release)(struct fgraph_areas *areas))
{
	if (size > FGRAPH_MAX_AREA_BYTES)
		return false;
	areas->pushed = alloc_percpu(long);
	if (!areas->pushed)
		return false;

	areas->size = ALIGN(size, sizeof(u64));
	areas->release = release;
	atomic_long_set(&areas->left, FGRAPH_AREAS_UNKNOWN);

	mutex_lock(&ftrace_lock);
	fgraph_area_users++;
	fgraph_update_wanted();
	mutex_unlock(&ftrace_lock);
	return true;
}

static void fgraph_release_areas(struct rcu_head *head)
{
	struct fgraph_areas *areas = container_of(head, struct fgraph_areas, rcu);

	free_percpu(areas->pushed);
	areas->release(areas);
}

/*
 * Add to the number of areas in use. This is a percpu_ref whose readers have disabled
 * preemption: rcu_read_lock() may itself be hooked, and the return of that hook would call
 * this function again.
 */
static __always_inline void fgraph_count_areas(struct fgraph_areas *areas, int nr)
{
	if (likely(!READ_ONCE(areas->closed)))
		this_cpu_add(*areas->pushed, nr);
	else if (!atomic_long_add_return(nr, &areas->left))
		call_rcu(&areas->rcu, fgraph_release_areas);
}

/* Sum up the areas. By now, each call that saw the areas before they were closed has counted. */
static void fgraph_sum_areas(struct rcu_head *head)
{
	struct fgraph_areas *areas = container_of(head, struct fgraph_areas, rcu);
	long sum = -FGRAPH_AREAS_UNKNOWN;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(areas->pushed, cpu);
	if (!atomic_long_add_return(sum, &areas->left))
		fgraph_release_areas(head);
}

/**
 * fgraph_close_areas - undo fgraph_open_areas()
 * @areas:	the areas of the user
 *
 * Areas in use remain. A call that began earlier may still push an area. This function
 * waits for such calls before it frees a stack. @areas must exist until its release() is
 * called.
 *
 * Context: may sleep; takes ftrace_lock.
 */
void fgraph_close_areas(struct fgraph_areas *areas)
{
	mutex_lock(&ftrace_lock);
	fgraph_area_users--;
	fgraph_update_wanted();
	/* A kretprobe does not wait for its handlers where RCU is not watching. */
	if (!READ_ONCE(fgraph_stacks_wanted)) {
		fgraph_synchronize();
		fgraph_free_stacks();
	}
	mutex_unlock(&ftrace_lock);

	WRITE_ONCE(areas->closed, true);
	call_rcu(&areas->rcu, fgraph_sum_areas);
}

/**
 * fgraph_push_area - allocate memory for a call on the shadow stack of the task
 * @areas:	the areas of the user, which may be closed, or have the size 0
 *
 * The memory is aligned to a u64 and not initialized. The hook of the return of the call
 * must pop it. Areas that were pushed later must be popped before. This is always the
 * case, because calls nest.
 *
 * Context: any, with preemption disabled; the owner of @areas must wait for a grace period
 * before it drops its own reference.
 * Return: the memory, or NULL if there is no stack or no room on it. Then the caller
 * must use memory of a pool.
 */
void *fgraph_push_area(struct fgraph_areas *areas)
{
	struct fgraph_stack *st = READ_ONCE(current->ret_stack);
	u32 words = areas->size / sizeof(long);
	u32 limit;

	if (unlikely(!words))
		return NULL;
	if (unlikely(!st)) {
		fgraph_queue_task(current);
		return NULL;
	}
	/* An interrupt between the load and the store of limit restores busy and limit. */
	limit = st->limit;
	if (unlikely(st->busy + words > limit))
		return NULL;
	limit -= words;
	WRITE_ONCE(st->limit, limit);
	fgraph_count_areas(areas, 1);
	return &st->words[limit + FGRAPH_TRAILER_WORDS];
}
NOKPROBE_SYMBOL(fgraph_push_area);

/**
 * fgraph_drop_area - drop an area of a dead task
 * @areas:	the areas of the user
 *
 * The memory is freed with the stack of the task.
 *
 * Context: any, with preemption disabled.
 */
void fgraph_drop_area(struct fgraph_areas *areas)
{
	fgraph_count_areas(areas, -1);
}
NOKPROBE_SYMBOL(fgraph_drop_area);

/**
 * fgraph_pop_area - free the last area that fgraph_push_area() allocated
 * @areas:	the areas of the user
 *
 * Context: in the task that pushed the area, with preemption disabled.
 */
void fgraph_pop_area(struct fgraph_areas *areas)
{
	struct fgraph_stack *st = current->ret_stack;

	/* The last use of the area must be before the store to limit */
	barrier();
	WRITE_ONCE(st->limit, st->limit + areas->size / sizeof(long));
	fgraph_count_areas(areas, -1);
	if (unlikely(!READ_ONCE(fgraph_stacks_wanted)) && fgraph_stack_is_empty(st))
		fgraph_stack_drained();
}
NOKPROBE_SYMBOL(fgraph_pop_area);

/**
 * ftrace_graph_init_idle_task - give a shadow stack to the idle task of a CPU
 * @t:		the idle task
 * @cpu:	its CPU, which is not up
 *
 * The task gets a stack if there is a user, even if the user does not select the task.
 * There are few idle tasks.
 *
 * Context: may sleep.
 */
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu)
{
	if (READ_ONCE(fgraph_frames_wanted) && fgraph_alloc_stack_of(t))
		schedule_delayed_work(&fgraph_update_work, HZ);
}

/* Use the order of a pop, so that an interrupt finds a stack without frames. */
static void fgraph_reset_stack(struct fgraph_stack *st)
{
	WRITE_ONCE(st->curr, 0);
	barrier();
	WRITE_ONCE(st->busy, 0);
	st->limit = fgraph_max_limit();
	/* The depth of each user is 0 again. */
	memset(st->task, 0, sizeof(st->task));
}

/**
 * ftrace_graph_start_idle - drop the frames of the idle task of a CPU that was offline
 *
 * A new idle loop begins. The calls that were in progress when the CPU went offline never
 * return. Their frames are dropped, and kretprobes that wait for these returns get their
 * references back. On Xen PV, a CPU that is brought up returns into its old idle loop.
 * This loop and its calls continue, and this function is not called.
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

/*
 * Give a stack to the idle task of a CPU that is brought up again. The scheduler only
 * initializes the task once.
 */
static int fgraph_prepare_cpu(unsigned int cpu)
{
	struct task_struct *t = idle_task(cpu);

	if (t)
		ftrace_graph_init_idle_task(t, cpu);
	return 0;
}

/* Free the stacks that a CPU drained while it could not queue irq_work. */
static int fgraph_dead_cpu(unsigned int cpu)
{
	mod_delayed_work(system_wq, &fgraph_free_work, 0);
	return 0;
}

static __init int fgraph_init_hotplug(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/fgraph:prepare",
					fgraph_prepare_cpu, fgraph_dead_cpu);
	return min(ret, 0);
}
core_initcall(fgraph_init_hotplug);

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
