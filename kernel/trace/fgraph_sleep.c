// SPDX-License-Identifier: GPL-2.0
/*
 * The time that tasks sleep, which fgraph_calltime() can leave out of a call.
 *
 * Each shadow stack contains one clock for all users. A call reads it at the entry and at
 * the return.
 */
#include <trace/events/sched.h>

#include "fgraph_internal.h"

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

/**
 * fgraph_start_sleep_clock - count the sleep times of tasks with a shadow stack
 *
 * Context: may sleep; ftrace_lock must be held.
 * Return: 0 or a negative error.
 */
int fgraph_start_sleep_clock(void)
{
	return register_trace_sched_switch(fgraph_probe_sched_switch, NULL);
}

/**
 * fgraph_stop_sleep_clock - undo fgraph_start_sleep_clock()
 *
 * The caller must then call fgraph_synchronize(), which waits for the probe, because it
 * disables preemption.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_stop_sleep_clock(void)
{
	unregister_trace_sched_switch(fgraph_probe_sched_switch, NULL);
}
