// SPDX-License-Identifier: GPL-2.0
/*
 * Whether calls are looked up: FGRAPH_LOOK_UP in fgraph_active.
 *
 * A single user needs no lookups, because only functions that this user traces are hooked.
 * Lookups are needed if there is more than one user, and if functions are hooked that no
 * user traces, see fgraph_hooks_surplus(). Later, a call whose hook was removed may be on
 * its way to the lookup, and its task may be preempted there. So lookups end only when a
 * worker has waited for such calls:
 *
 *	          needed, or hooks were removed
 *	+-----+ -------------------------------> +----+
 *	| off |                                  | on |  not needed: start the worker
 *	+-----+                                  +----+
 *	   ^                                      |  ^
 *	   |           not needed, and the worker |  | needed, or
 *	   |                       begins to wait |  | hooks were removed
 *	   |                                      v  |
 *	   |        the worker is done         +--------+
 *	   +---------------------------------- | ending |
 *	                                       +--------+
 *
 * Calls are looked up in the states "on" and "ending". ftrace_lock protects the state.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

static enum {
	FGRAPH_LOOK_UP_OFF,
	FGRAPH_LOOK_UP_ON,
	FGRAPH_LOOK_UP_ENDING,
} fgraph_look_up_state;

static void fgraph_end_look_up_workfn(struct work_struct *work);
static DECLARE_WORK(fgraph_end_look_up_work, fgraph_end_look_up_workfn);

/**
 * fgraph_update_look_up - decide whether calls are looked up
 * @event: the event that may change this
 *
 * Context: ftrace_lock must be held.
 */
void fgraph_update_look_up(enum fgraph_look_up_event event)
{
	bool needed = ftrace_graph_active > 1 || fgraph_hooks_surplus();
	bool off;

	if (needed || event == FGRAPH_HOOKS_REMOVED)
		fgraph_look_up_state = FGRAPH_LOOK_UP_ON;
	else if (fgraph_look_up_state == FGRAPH_LOOK_UP_ON && event == FGRAPH_WAIT_BEGINS)
		fgraph_look_up_state = FGRAPH_LOOK_UP_ENDING;
	else if (fgraph_look_up_state == FGRAPH_LOOK_UP_ON)
		schedule_work(&fgraph_end_look_up_work);
	else if (event == FGRAPH_WAIT_IS_OVER)
		fgraph_look_up_state = FGRAPH_LOOK_UP_OFF;

	off = fgraph_look_up_state == FGRAPH_LOOK_UP_OFF;
	WRITE_ONCE(fgraph_active, (fgraph_active & FGRAPH_LIVE) | (off ? 0 : FGRAPH_LOOK_UP));
}

/* Wait without ftrace_lock, because this can take a long time. */
static void fgraph_end_look_up_workfn(struct work_struct *work)
{
	mutex_lock(&ftrace_lock);
	fgraph_update_look_up(FGRAPH_WAIT_BEGINS);
	mutex_unlock(&ftrace_lock);

	synchronize_rcu_tasks_rude();
	if (IS_ENABLED(CONFIG_PREEMPTION))
		synchronize_rcu_tasks();

	mutex_lock(&ftrace_lock);
	fgraph_update_look_up(FGRAPH_WAIT_IS_OVER);
	mutex_unlock(&ftrace_lock);
}

/*
 * Begin lookups at once, or end them later. ftrace calls this function when its list of
 * ops changes, before it changes the hooks.
 */
void update_function_graph_func(void)
{
	if (ftrace_graph_active)
		fgraph_update_look_up(FGRAPH_HOOKS_CHANGED);
}
