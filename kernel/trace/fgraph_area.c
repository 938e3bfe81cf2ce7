// SPDX-License-Identifier: GPL-2.0
/*
 * Areas: the data of kretprobes and fprobes, which also hook returns, on the shadow stack.
 *
 * The functions that push and pop an area may be traced themselves, so areas are not between
 * the frames, see the figure in fgraph.c. Frames grow from the lower end of the stack, areas
 * from the upper end. Frames and areas are each last in, first out. The stack is full when
 * they meet. Frames leave some room to areas.
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

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
	WRITE_ONCE(fgraph_area_users, fgraph_area_users + 1);
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
	WRITE_ONCE(fgraph_area_users, fgraph_area_users - 1);
	/* A kretprobe does not wait for its handlers where RCU is not watching. */
	if (!fgraph_stacks_wanted()) {
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
	if (unlikely(!fgraph_stacks_wanted()) && fgraph_stack_is_empty(st))
		fgraph_stack_drained();
}
NOKPROBE_SYMBOL(fgraph_pop_area);
