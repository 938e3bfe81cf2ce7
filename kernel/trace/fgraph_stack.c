// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of the shadow stacks of fgraph: size, allocation, and freeing.
 *
 * After the last user unregisters, a stack is freed once it is empty: at once, or when the
 * return handler pops its last frame. The stack of a task that dies is freed with the task.
 * fgraph_tasks.c chooses the tasks that get a stack.
 *
 * With parts of fgraph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

bool fgraph_frames_wanted __read_mostly;
unsigned int fgraph_area_users __read_mostly;

static atomic_t fgraph_stack_count;

/* Return the number of shadow stacks. */
unsigned int fgraph_count_stacks(void)
{
	return atomic_read(&fgraph_stack_count);
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

/**
 * fgraph_alloc_stack - allocate an empty shadow stack
 * @gfp:	the flags of the allocation
 *
 * Context: what @gfp allows.
 * Return: the stack, or NULL if there is no memory.
 */
struct fgraph_stack *fgraph_alloc_stack(gfp_t gfp)
{
	struct fgraph_stack *st = kmalloc(fgraph_stack_bytes, gfp);

	if (st) {
		fgraph_init_stack(st);
		atomic_inc(&fgraph_stack_count);
	}
	return st;
}

/**
 * fgraph_free_stack - free a shadow stack
 * @st:		the stack, which no call can be using, or NULL
 *
 * Context: any in which kfree() may be called.
 */
void fgraph_free_stack(struct fgraph_stack *st)
{
	if (st)
		atomic_dec(&fgraph_stack_count);
	kfree(st);
}

/**
 * fgraph_free_list - free a list of shadow stacks
 * @list:	the first stack, or NULL; fgraph_stack::next links them
 *
 * Context: same as fgraph_free_stack().
 */
void fgraph_free_list(struct fgraph_stack *list)
{
	struct fgraph_stack *next;

	for (; list; list = next) {
		next = list->next;
		fgraph_free_stack(list);
	}
}

/**
 * fgraph_stack_is_empty - check whether a shadow stack is empty
 * @st:		the stack
 *
 * Context: any.
 * Return: true if nothing is on the stack, and nothing is being pushed or popped.
 */
bool fgraph_stack_is_empty(struct fgraph_stack *st)
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
	if (fgraph_stacks_wanted())
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

/**
 * fgraph_free_stacks_soon - let a worker free the empty stacks, if there is no user
 *
 * Context: any in which work may be queued.
 */
void fgraph_free_stacks_soon(void)
{
	mod_delayed_work(system_wq, &fgraph_free_work, 0);
}

static void fgraph_drained_irqfn(struct irq_work *work)
{
	fgraph_free_stacks_soon();
}

static DEFINE_IRQ_WORK(fgraph_drained_irq_work, fgraph_drained_irqfn);

/**
 * fgraph_can_queue - check whether this CPU can queue irq_work
 *
 * If a CPU queues it while going offline, it never runs. It stays pending, so no other CPU
 * can queue it again.
 *
 * Context: any, with preemption disabled.
 * Return: true if it can.
 */
bool fgraph_can_queue(void)
{
	return likely(cpu_online(raw_smp_processor_id()));
}
NOKPROBE_SYMBOL(fgraph_can_queue);

/**
 * fgraph_stack_drained - free the stacks soon after a task popped its last frame
 *
 * There is no user. fgraph_dead_cpu() frees the stacks that a CPU drains while it goes
 * offline.
 *
 * Context: any.
 */
void fgraph_stack_drained(void)
{
	if (fgraph_can_queue())
		irq_work_queue(&fgraph_drained_irq_work);
}
