// SPDX-License-Identifier: GPL-2.0
/*
 * The shadow stacks of idle tasks. A CPU that goes offline keeps its idle task, and the task
 * keeps its stack.
 *
 * With parts of fgraph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/cpu.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>

#include "fgraph_internal.h"

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
		fgraph_update_tasks_later();
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
		if (!fgraph_stacks_wanted())
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
	fgraph_free_stacks_soon();
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
