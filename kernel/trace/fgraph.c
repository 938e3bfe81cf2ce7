// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph: hooks the entry and the return of functions for many users.
 *
 * An entry hook calls function_graph_enter(). It asks the entryfunc of each
 * user that wants the function and, if one of them accepts, pushes a frame on
 * the shadow stack of the task. The arch then replaces the return address of
 * the call by return_to_handler, which calls ftrace_return_to_handler(). That
 * calls the retfunc of each user that accepted, last one first, pops the frame
 * and gives the true return address back.
 *
 * A frame on the shadow stack, lower addresses first:
 *
 *	struct ftrace_ret_stack		return address, function, ...
 *	private data			what each accepting user reserved
 *	sizes				a byte for each of these users
 *	struct fgraph_trailer		who accepted, and where the frame starts
 *
 * The stack has two marks. Everything below @busy is taken; @curr is the end of
 * the last complete frame, where walkers start. A frame is built between the
 * two, and only a single store to @curr completes it. So an interrupt or an NMI
 * at any point of an entry or a return pushes its own frames above @busy, walks
 * only complete frames, and leaves both marks as it found them.
 *
 * A slot of fgraph_array is reused, while frames may live for days. So each
 * registration has an epoch, each frame remembers the epoch in which it was
 * made, and a user gets no return from before its own epoch.
 *
 * Callbacks run with preemption disabled and under the recursion guard of
 * ftrace. That is what unregister_ftrace_graph() waits for.
 */
#include <linux/jump_label.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"

DEFINE_STATIC_KEY_FALSE(kill_ftrace_graph);

/**
 * ftrace_graph_stop - set to permanently disable function graph tracing
 *
 * In case of an error int function graph tracing, this is called
 * to try to keep function graph tracing from causing any more harm.
 * Usually this is pretty severe and this is called to try to at least
 * get a warning out to the user.
 */
void ftrace_graph_stop(void)
{
	static_branch_enable(&kill_ftrace_graph);
}

/* Frames. */

/* Private data lies between the head of a frame and its tail. */
static unsigned long *fgraph_data_end(struct fgraph_stack *st,
				      const struct fgraph_trailer *trailer)
{
	return &st->words[st->curr -
			  fgraph_tail_words(hweight16(trailer->with_data))];
}

/* What @gops has in this task, made anew if it is from an older registration */
static struct fgraph_task_user *fgraph_task_user(struct fgraph_stack *st,
						 struct fgraph_ops *gops)
{
	struct fgraph_task_user *user = &st->user[gops->slot];

	if (unlikely(user->epoch != gops->epoch)) {
		*user = (struct fgraph_task_user){ };
		/* An interrupt that comes before sees it new as well */
		barrier();
		user->epoch = gops->epoch;
	}
	return user;
}

/**
 * fgraph_reserve_data - reserve private data of a user in a call
 * @call:	the call, as the entryfunc got it
 * @words:	how many words, 1 to FGRAPH_MAX_DATA_WORDS
 *
 * The data is aligned to a word and not initialized. The retfunc finds it in
 * @call->data. It is gone when the entryfunc returns 0.
 *
 * Context: only within an entryfunc.
 * Return: the data, or NULL if @words is out of range, if the user has reserved
 * in this call before, or if the shadow stack has no room, which is counted in
 * fgraph_ops::missed.
 */
void *fgraph_reserve_data(struct fgraph_call *call, unsigned int words)
{
	struct fgraph_stack *st = call->stack;
	struct fgraph_ops *gops = call->gops;
	u16 bit = BIT(gops->slot);
	void *data;

	if (!words || words > FGRAPH_MAX_DATA_WORDS || call->with_data & bit)
		return NULL;

	if (st->busy + words + FGRAPH_MAX_TAIL_WORDS > FGRAPH_STACK_WORDS) {
		atomic_long_inc(&gops->missed);
		return NULL;
	}

	data = &st->words[st->busy];
	st->busy += words;
	call->with_data |= bit;
	call->sizes[call->nr_sizes++] = words;
	return data;
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_call_time - when the call was entered, or returned
 * @call:	the call
 *
 * All users get the same answer.
 *
 * Context: within a callback.
 * Return: in an entryfunc the time of the entry, in a retfunc that of the
 * return, in ns of trace_clock_local().
 */
u64 fgraph_call_time(struct fgraph_call *call)
{
	if (!call->time)
		call->time = trace_clock_local();
	return call->time;
}
EXPORT_SYMBOL_GPL(fgraph_call_time);

/**
 * fgraph_slept - how long the task has slept so far
 * @call:	the call
 *
 * Only the difference of two answers in one call is of use: what the task slept
 * in between.
 *
 * Context: within a callback.
 * Return: a time in ns.
 */
u64 fgraph_slept(const struct fgraph_call *call)
{
	return call->stack->slept;
}
EXPORT_SYMBOL_GPL(fgraph_slept);

/* Entry. */

static bool fgraph_wants(struct fgraph_ops *gops, unsigned long active,
			 unsigned long func)
{
	return !(active & FGRAPH_TEST_FILTERS) ||
		ftrace_ops_test(&gops->ops, func, NULL);
}

/* Each user that wants @func misses a call, for want of room. */
static void fgraph_count_missed(struct fgraph_stack *st, unsigned long active,
				unsigned long func)
{
	unsigned long live = active & FGRAPH_LIVE;
	int i;

	for_each_set_bit(i, &live, FGRAPH_MAX_USERS) {
		struct fgraph_ops *gops = READ_ONCE(fgraph_array[i]);

		if (fgraph_wants(gops, active, func)) {
			atomic_long_inc(&gops->missed);
			fgraph_task_user(st, gops)->overrun++;
		}
	}
}

/* Ask one user. Returns whether it accepts the call. */
static bool fgraph_enter_user(struct fgraph_ops *gops, struct fgraph_call *call)
{
	struct fgraph_stack *st = call->stack;
	struct fgraph_task_user *user = fgraph_task_user(st, gops);
	u16 with_data = call->with_data;
	u8 nr_sizes = call->nr_sizes;
	u32 busy = st->busy;

	call->gops = gops;
	call->depth = user->depth++;
	call->overrun = user->overrun;
	call->task_state = &user->state;
	/* An interrupt from here on is one deeper */
	barrier();

	if (gops->entryfunc(gops, call))
		return true;

	user->depth--;
	call->with_data = with_data;
	call->nr_sizes = nr_sizes;
	st->busy = busy;
	return false;
}

/* Ask each user. Returns a bit for each that accepts the call. */
static u16 fgraph_enter_users(struct fgraph_call *call, unsigned long active)
{
	unsigned long live = active & FGRAPH_LIVE;
	u16 users = 0;
	int i;

	do {
		struct fgraph_ops *gops;

		i = __ffs(live);
		live &= live - 1;
		gops = READ_ONCE(fgraph_array[i]);
		if (fgraph_wants(gops, active, call->func) &&
		    fgraph_enter_user(gops, call))
			users |= BIT(i);
	} while (live);

	return users;
}

/* Complete the frame that starts at @start. */
static void fgraph_complete_frame(struct fgraph_call *call, u32 start, u16 users)
{
	struct fgraph_stack *st = call->stack;
	struct fgraph_trailer *trailer;
	u8 *sizes;
	int i;

	st->busy += fgraph_tail_words(call->nr_sizes);
	barrier();

	trailer = fgraph_trailer(st, st->busy);
	trailer->users = users;
	trailer->with_data = call->with_data;
	trailer->start = start;
	trailer->prev = st->curr;
	trailer->epoch = READ_ONCE(fgraph_epoch);

	sizes = (u8 *)trailer - call->nr_sizes;
	for (i = 0; i < call->nr_sizes; i++)
		sizes[i] = call->sizes[i];

	barrier();
	st->curr = st->busy;
}

/*
 * Push a frame for the call, if a user accepts it. A slot cannot get another
 * user in between, as preemption is disabled, so the epoch that the frame
 * records at its end is that of all who accepted.
 */
static int fgraph_push_frame(struct fgraph_stack *st, unsigned long active,
			     const struct ftrace_ret_stack *head)
{
	struct fgraph_call call;
	u32 start = st->busy;
	u16 users;

	if (start + FGRAPH_HEAD_WORDS + FGRAPH_MAX_TAIL_WORDS > FGRAPH_STACK_WORDS) {
		fgraph_count_missed(st, active, head->func);
		return -EBUSY;
	}

	st->busy += FGRAPH_HEAD_WORDS;
	barrier();
	*fgraph_head(st, start) = *head;

	call.func = head->func;
	call.ret = head->ret;
	call.data = NULL;
	call.data_words = 0;
	call.retregs = NULL;
	call.time = 0;
	call.stack = st;
	call.with_data = 0;
	call.nr_sizes = 0;

	users = fgraph_enter_users(&call, active);
	if (users) {
		fgraph_complete_frame(&call, start, users);
		return 0;
	}

	st->busy = start;
	return -EBUSY;
}

/*
 * Not all archs define MCOUNT_INSN_SIZE which is used to look for direct
 * functions. But those archs currently don't support direct functions
 * anyway, and ftrace_find_rec_direct() is just a stub for them.
 * Define MCOUNT_INSN_SIZE to keep those archs compiling.
 */
#ifndef MCOUNT_INSN_SIZE
/* Make sure this only works without direct calls */
# ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
#  error MCOUNT_INSN_SIZE not defined with direct calls enabled
# endif
# define MCOUNT_INSN_SIZE 0
#endif

/*
 * Skip graph tracing if the return location is served by direct trampoline,
 * since call sequence and return addresses are unpredictable anyway.
 * Ex: BPF trampoline may call original function and may skip frame
 * depending on type of BPF programs attached.
 */
static bool fgraph_is_direct(unsigned long ret)
{
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
	return ftrace_direct_func_count &&
		ftrace_find_rec_direct(ret - MCOUNT_INSN_SIZE);
#else
	return false;
#endif
}

/**
 * function_graph_enter - a traced function is entered; for arch code only
 * @ret:		where it will return to
 * @func:		its address
 * @frame_pointer:	compared with what ftrace_return_to_handler() gets, on
 *			an arch with HAVE_FUNCTION_GRAPH_FP_TEST
 * @retp:		where the return address is, on an arch with
 *			HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
 *
 * Context: any.
 * Return: 0 if the arch must make the call return to return_to_handler; a
 * negative error if nobody wants to know of it.
 */
int function_graph_enter(unsigned long ret, unsigned long func,
			 unsigned long frame_pointer, unsigned long *retp)
{
	const struct ftrace_ret_stack head = {
		.ret = ret,
		.func = func,
#ifdef HAVE_FUNCTION_GRAPH_FP_TEST
		.fp = frame_pointer,
#endif
#ifdef HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
		.retp = retp,
#endif
	};
	struct fgraph_stack *st;
	unsigned long active;
	int err = -EBUSY;
	int bit;

	if (unlikely(ftrace_graph_is_dead()) || fgraph_is_direct(ret))
		return -EBUSY;

	bit = ftrace_test_recursion_trylock(func, ret);
	if (bit < 0)
		return -EBUSY;

	/* The stack is made before the user gets live, and outlives it */
	active = fgraph_read_active();
	st = READ_ONCE(current->ret_stack);
	if (likely(st && active & FGRAPH_LIVE))
		err = fgraph_push_frame(st, active, &head);

	ftrace_test_recursion_unlock(bit);
	return err;
}

/* Return. */

/* The shadow stack is not what it should be, and there is no way back. */
static unsigned long fgraph_panic(void)
{
	ftrace_graph_stop();
	WARN_ON(1);
	/* Might as well panic, otherwise we have no where to go */
	return (unsigned long)panic;
}

/*
 * The arch may choose to record the frame pointer used and check it here to
 * make sure that it is what we expect it to be. If gcc does not set the place
 * holder of the return address in the frame pointer, and does a copy instead,
 * then the function graph trace will fail. This test detects this case.
 */
static bool fgraph_bad_frame_pointer(const struct ftrace_ret_stack *head,
				     unsigned long frame_pointer)
{
#ifdef HAVE_FUNCTION_GRAPH_FP_TEST
	if (unlikely(head->fp != frame_pointer)) {
		ftrace_graph_stop();
		WARN(1, "Bad frame pointer: expected %lx, received %lx\n"
		     "  from func %ps return to %lx\n",
		     head->fp, frame_pointer, (void *)head->func, head->ret);
		return true;
	}
#endif
	return false;
}

/* Tell one user, unless the call was accepted by an older user of its slot. */
static void fgraph_return_user(struct fgraph_ops *gops, struct fgraph_call *call,
			       u32 epoch)
{
	struct fgraph_task_user *user;

	if ((s32)(epoch - gops->epoch) < 0)
		return;

	user = fgraph_task_user(call->stack, gops);
	call->gops = gops;
	call->depth = --user->depth;
	call->overrun = user->overrun;
	call->task_state = &user->state;
	/* An interrupt from here on is not deeper than the call */
	barrier();

	gops->retfunc(gops, call);
}

/* Tell each user that accepted, last one first; the data lies in that order. */
static void fgraph_return_users(struct fgraph_call *call,
				const struct fgraph_trailer *trailer,
				unsigned long *data_end)
{
	unsigned long active = fgraph_read_active();
	unsigned long users = trailer->users;
	const u8 *size = (const u8 *)trailer;

	while (users) {
		int i = __fls(users);

		users ^= BIT(i);
		call->data = NULL;
		call->data_words = 0;
		if (trailer->with_data & BIT(i)) {
			call->data_words = *--size;
			data_end -= call->data_words;
			call->data = data_end;
		}
		if (active & BIT(i))
			fgraph_return_user(READ_ONCE(fgraph_array[i]), call,
					   trailer->epoch);
	}
}

/**
 * ftrace_return_to_handler - a call with a frame returns; for return_to_handler
 * @frame_pointer:	compared with what function_graph_enter() got, on an
 *			arch with HAVE_FUNCTION_GRAPH_FP_TEST
 * @retregs:		the two return registers, on an arch with
 *			CONFIG_HAVE_FUNCTION_GRAPH_RETVAL
 *
 * The recursion guard keeps what a retfunc calls from being traced, and with it
 * from returning to here for ever. Should it be taken, the frame is returned all
 * the same: its users were promised a return.
 *
 * Return: where the call returns to.
 */
unsigned long ftrace_return_to_handler(unsigned long frame_pointer,
				       const unsigned long *retregs)
{
	struct fgraph_stack *st = current->ret_stack;
	struct fgraph_trailer *trailer;
	struct ftrace_ret_stack *head;
	struct fgraph_call call;
	unsigned long ret;
	u32 start;
	int bit;

	if (unlikely(!st || !st->curr))
		return fgraph_panic();

	trailer = fgraph_trailer(st, st->curr);
	start = trailer->start;
	head = fgraph_head(st, start);
	ret = head->ret;

	if (fgraph_bad_frame_pointer(head, frame_pointer))
		return (unsigned long)panic;

	call.func = head->func;
	call.ret = ret;
	call.retregs = IS_ENABLED(CONFIG_HAVE_FUNCTION_GRAPH_RETVAL) ?
		       retregs : NULL;
	call.time = 0;
	call.stack = st;

	bit = ftrace_test_recursion_trylock(call.func, ret);
	fgraph_return_users(&call, trailer, fgraph_data_end(st, trailer));
	/* The frame goes after its last use */
	barrier();
	st->curr = trailer->prev;
	barrier();
	st->busy = start;
	if (unlikely(!start && !(fgraph_read_active() & FGRAPH_LIVE)))
		fgraph_stack_drained();
	if (likely(bit >= 0))
		ftrace_test_recursion_unlock(bit);

	return likely(ret) ? ret : fgraph_panic();
}
