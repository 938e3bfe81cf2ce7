// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph: hooks the entry and the return of functions for many users.
 *
 * An entry hook calls function_graph_enter(). It asks the entryfunc of each
 * user that wants the function and, if one of them accepts, pushes a frame on
 * the shadow stack of the task. The arch then replaces the return address of
 * the call by return_to_handler, which calls ftrace_return_to_handler(). That
 * calls the retfunc of each user that accepted, pops the frame and gives the true
 * return address back.
 *
 * A frame on the shadow stack, lower addresses first:
 *
 *	struct ftrace_ret_stack		return address, function, when it was
 *					entered, how much data each user has, ...
 *	private data			what each accepting user reserved, in the
 *					order of their slots
 *	struct fgraph_trailer		who accepted, and where the frame starts
 *
 * The stack has two marks. Everything below @busy is taken; @curr is the end of
 * the last complete frame, where walkers start. A frame is built between the
 * two, and only a single store to @curr completes it. So an interrupt or an NMI
 * at any point of an entry or a return pushes its own frames above @busy, walks
 * only complete frames, and leaves both marks as it found them. Frames end
 * before @limit, from where on the stack belongs to others: see fgraph_push_area().
 *
 * A slot of fgraph_array is reused, while frames may live for days. So each
 * registration has an epoch, each frame remembers the epoch in which it was
 * made, and a user gets no return from before its own epoch.
 *
 * Callbacks run with preemption disabled. That is what unregister_ftrace_graph()
 * waits for.
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

/* Make @task, what @gops has in a task, anew if it is of an older registration. */
static __always_inline void fgraph_renew_task(struct fgraph_task *task,
					      const struct fgraph_ops *gops)
{
	if (likely(task->epoch == gops->epoch))
		return;

	/* The next user of the slot has this epoch, and must not find it here. */
	if (unlikely(gops == &fgraph_stub))
		return;

	/*
	 * Pairs with the release of fgraph_active: from here on, this task sees an
	 * fgraph_epoch that is not older than @gops, for the frames that it accepts.
	 */
	smp_rmb();
	*task = (struct fgraph_task){ };
	/* An interrupt that comes before sees it new as well */
	barrier();
	task->epoch = gops->epoch;
}

/*
 * The recursion guard. A call that a callback makes must not be traced, because that
 * might never end. A call of an interrupt of the callback must be traced. So @context
 * is the context of the innermost callbacks, and a call of the same context is
 * refused: callbacks of outer contexts cannot run before the inner ones are done.
 *
 * At its entry and exit, an interrupt does not look like one, but interrupts are
 * off. So with interrupts off, one more call of the same context is admitted, as by
 * ftrace_test_recursion_trylock(). Unlike there, the state is a part of the stack:
 * that is cheap enough to guard the return, too.
 *
 * Exceptions that count as an NMI nest: a callback that calls a function with a
 * breakpoint takes such an exception, and its handler may be traced. All of them are
 * one context, and no more call is admitted in it: a third breakpoint within the
 * handlers of two is fatal.
 */
#define FGRAPH_CONTEXT_MASK	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)

/* An even number, greater than those of the contexts that this one can interrupt */
static __always_inline u32 fgraph_context(void)
{
	if (likely(!(preempt_count() & FGRAPH_CONTEXT_MASK)))
		return 2;
	return 2 * (interrupt_context_level() + 1);
}

/*
 * Enter the guard. Returns whether callbacks may run; then @outer is the value for
 * fgraph_leave_context(), and 0 if no other callback is interrupted. Preemption must
 * be disabled.
 */
static __always_inline bool fgraph_enter_context(struct fgraph_stack *st, u32 *outer)
{
	u32 context = fgraph_context();

	*outer = st->context;
	if (unlikely(*outer >= context)) {
		if (!irqs_disabled() || in_nmi() || *outer > context)
			return false;
		context++;
	}

	st->context = context;
	barrier();
	return true;
}

static __always_inline void fgraph_leave_context(struct fgraph_stack *st, u32 outer)
{
	barrier();
	st->context = outer;
}

/* Which slot the user has whose callback got @call; few want to know */
static inline unsigned int fgraph_call_slot(const struct fgraph_call *call)
{
	return call->task - fgraph_core_call(call)->stack->task;
}

/**
 * fgraph_reserve_data - reserve private data of a user in a call
 * @call:	the call, as the entryfunc got it
 * @words:	how many words, 1 to FGRAPH_MAX_DATA_WORDS
 *
 * The data is aligned to a word and not initialized. The retfunc finds it by
 * fgraph_retrieve_data(). It is gone when the entryfunc returns 0.
 *
 * Context: only within an entryfunc.
 * Return: the data, or NULL if @words is out of range, if the user has reserved
 * in this call before, or if the shadow stack has no room, which
 * fgraph_count_missed() counts.
 */
void *fgraph_reserve_data(struct fgraph_call *call, unsigned int words)
{
	struct ftrace_ret_stack *head = fgraph_core_call(call)->head;
	struct fgraph_stack *st = fgraph_core_call(call)->stack;
	unsigned int slot = fgraph_call_slot(call);
	u32 busy = st->busy;

	if (!words || words > FGRAPH_MAX_DATA_WORDS || head->data_words[slot])
		return NULL;

	if (unlikely(busy + words + FGRAPH_ROOM_WORDS > st->limit)) {
		this_cpu_inc(fgraph_calls.missed[slot]);
		return NULL;
	}

	WRITE_ONCE(st->busy, busy + words);
	head->data_words[slot] = words;
	/* What is written is taken before */
	barrier();
	return &st->words[busy];
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_retrieve_data - find the private data of a user in a call
 * @call:	the call
 *
 * Context: within a callback.
 * Return: what fgraph_reserve_data() returned in this call, or NULL if it was not
 * called or had no room.
 */
void *fgraph_retrieve_data(const struct fgraph_call *call)
{
	unsigned int slot = fgraph_call_slot(call);
	struct ftrace_ret_stack *head = fgraph_core_call(call)->head;
	unsigned long *data = (unsigned long *)(head + 1);
	unsigned int i;

	if (!head->data_words[slot])
		return NULL;

	for (i = 0; i < slot; i++)
		data += head->data_words[i];
	return data;
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_data);

/**
 * fgraph_take_calltime - note when a call is entered
 * @call:	the call, as the entryfunc got it
 *
 * All users get the same answer.
 *
 * Context: only within an entryfunc.
 * Return: the time of the entry, in ns of trace_clock_local().
 */
u64 fgraph_take_calltime(struct fgraph_call *call)
{
	return __fgraph_take_calltime(call);
}
EXPORT_SYMBOL_GPL(fgraph_take_calltime);

/**
 * fgraph_calltime - when a call was entered
 * @call:	the call, of which the entryfunc called fgraph_take_calltime()
 * @sleep_time:	whether the time that the task slept since then counts; if not,
 *		the answer is later by as much
 *
 * Context: only within a retfunc.
 * Return: the time of the entry, in ns of trace_clock_local(); 0 if nobody took it.
 */
u64 fgraph_calltime(const struct fgraph_call *call, bool sleep_time)
{
	const struct fgraph_core_call *core = fgraph_core_call(call);
	const struct fgraph_times *times = &core->head->times;

	if (sleep_time || !times->calltime)
		return times->calltime;
	return times->calltime + core->stack->slept - times->slept;
}
EXPORT_SYMBOL_GPL(fgraph_calltime);

/**
 * fgraph_rettime - when a call returns
 * @call:	the call, as the retfunc got it
 *
 * All users get the same answer.
 *
 * Context: only within a retfunc.
 * Return: the time of the return, in ns of trace_clock_local().
 */
u64 fgraph_rettime(struct fgraph_call *call)
{
	return __fgraph_rettime(call);
}
EXPORT_SYMBOL_GPL(fgraph_rettime);

/**
 * fgraph_return_address - where a call returns to
 * @call:	the call
 *
 * Context: within a callback.
 * Return: the true address, not that of return_to_handler.
 */
unsigned long fgraph_return_address(const struct fgraph_call *call)
{
	const struct ftrace_ret_stack *own = fgraph_core_call(call)->head;
	const struct llist_node *hook = NULL;
	unsigned long ret = fgraph_unhook_probe(own->ret, &hook);
	struct ftrace_ret_stack *head;
	int i;

	/* A function that was jumped to returns to where its caller does. */
	for (i = 0; fgraph_is_hooked(ret); i++) {
		head = ftrace_graph_get_ret_stack(current, i);
		if (!head)
			return 0;
		if (head != own)
			ret = fgraph_unhook_probe(head->ret, &hook);
	}
	return ret;
}
EXPORT_SYMBOL_GPL(fgraph_return_address);

/**
 * fgraph_read_args - read the arguments of a call
 * @call:	the call, as the entryfunc got it
 * @words:	where to, @regs and @stack words
 * @regs:	how many argument registers, from the first one on
 * @stack:	how many words of arguments on the stack, from the first one on
 *
 * They are as the caller left them. Which argument is where is up to the types of
 * the function and the calling convention of the arch, as is what a register or a
 * word has in it beside a narrow argument.
 *
 * Context: only within an entryfunc.
 * Return: 0; -EOPNOTSUPP if the arch does not tell; -EINVAL if it has not so many
 * argument registers; -EFAULT if there is no such stack. @words is undefined then.
 */
int fgraph_read_args(const struct fgraph_call *call, unsigned long *words,
		     unsigned int regs, unsigned int stack)
{
	if (call->fregs && regs > FTRACE_ARG_REGS)
		return -EINVAL;
	return fgraph_copy_args(call, words, regs, stack);
}
EXPORT_SYMBOL_GPL(fgraph_read_args);

/* Entry. */

/*
 * The live users that want @func, a bit each. If that takes a lookup, it gives the
 * signature in @sig, too.
 *
 * READ_ONCE() is enough, without a fence in each call. All that is read of a user is
 * read through its pointer in fgraph_array, which was stored with release. A call
 * that sees the bit before the pointer calls the stub, which refuses: the user misses
 * a call that began before its registration was complete. For the epoch, see
 * fgraph_renew_task().
 */
static __always_inline unsigned long fgraph_find_users(unsigned long func,
						       const char **sig)
{
	unsigned long active = READ_ONCE(fgraph_active);

	*sig = NULL;
	if (likely(!(active & FGRAPH_LOOK_UP)))
		return active;
	return active & fgraph_look_up_func(func, sig);
}

/* Each user that wants the call misses it, because there is no room. */
static noinline int fgraph_miss_call(struct fgraph_stack *st, unsigned long wanted)
{
	int i;

	for_each_set_bit(i, &wanted, FGRAPH_MAX_USERS) {
		this_cpu_inc(fgraph_calls.missed[i]);
		fgraph_renew_task(&st->task[i], READ_ONCE(fgraph_array[i]));
		st->task[i].overrun++;
	}
	return -EBUSY;
}

/* Each user that wants the call misses it, because a callback makes it. */
static noinline void fgraph_refuse_recursion(unsigned long func)
{
	const char *sig;
	unsigned long wanted = fgraph_find_users(func, &sig);
	int i;

	for_each_set_bit(i, &wanted, FGRAPH_MAX_USERS)
		this_cpu_inc(fgraph_calls.recursed[i]);
}

/* Count an accepted call: in @count, or if nested, in that of @slot. */
static __always_inline void fgraph_count_call(unsigned long *count,
					      unsigned long slot, bool nested)
{
	if (nested)
		this_cpu_inc(fgraph_calls.nested[slot]);
	else
		(*count)++;
}

/* Ask @gops. Returns whether it accepts the call. */
static __always_inline bool fgraph_enter_user(struct fgraph_ops *gops,
					      struct fgraph_task *task,
					      struct fgraph_call *call)
{
	call->task = task;
	call->depth = task->depth++;
	/* An interrupt from here on is one deeper */
	barrier();
	if (gops->entryfunc(gops, call))
		return true;

	task->depth--;
	return false;
}

/* Take back what the user of @slot, the last one that was asked, has reserved. */
static __always_inline void fgraph_drop_data(struct fgraph_stack *st,
					     struct ftrace_ret_stack *head,
					     unsigned long slot)
{
	WRITE_ONCE(st->busy, st->busy - head->data_words[slot]);
	head->data_words[slot] = 0;
}

/*
 * Drop empty slots in front of the first one in @slots. Returns how many. Users get
 * the first slots that are free, so most times there are none, and to look is faster
 * than __ffs() on an arch that has no instruction for it.
 */
static __always_inline unsigned long fgraph_skip_slots(unsigned long *slots)
{
	unsigned long empty;

	if (likely(*slots & 1))
		return 0;

	empty = __ffs(*slots);
	*slots >>= empty;
	return empty;
}

/*
 * Ask each user in @wanted. Returns a bit for each that accepts the call.
 *
 * What each user costs is here and in fgraph_return_users(): keep it short. Pointers
 * walk, as few archs have an instruction for an element of an array of structs.
 */
static __always_inline u32 fgraph_enter_users(struct fgraph_stack *st,
					      struct ftrace_ret_stack *head,
					      const struct ftrace_regs *fregs,
					      const char *sig,
					      unsigned long wanted, bool nested)
{
	unsigned long *count = this_cpu_ptr(&fgraph_calls)->outer;
	struct fgraph_ops **user = fgraph_array;
	struct fgraph_core_call core __uninitialized;
	struct fgraph_task *task = st->task;
	unsigned long users = wanted;

	/* The loop sets the rest for each user */
	core.call.func = head->func;
	core.call.fregs = fregs;
	core.sig = sig;
	core.trace_ctx = 0;
	core.stack = st;
	core.head = head;

	for (; wanted; wanted >>= 1, user++, task++, count++) {
		unsigned long empty = fgraph_skip_slots(&wanted);
		struct fgraph_ops *gops;

		user += empty;
		task += empty;
		count += empty;
		gops = READ_ONCE(*user);
		fgraph_renew_task(task, gops);
		if (fgraph_enter_user(gops, task, &core.call)) {
			fgraph_count_call(count, user - fgraph_array, nested);
		} else {
			fgraph_drop_data(st, head, user - fgraph_array);
			users &= ~BIT(user - fgraph_array);
		}
	}

	return users;
}

/* The entry is within another one. Those are few: keep it out of the way. */
static noinline u32 fgraph_enter_nested(struct fgraph_stack *st,
					struct ftrace_ret_stack *head,
					const struct ftrace_regs *fregs,
					const char *sig, unsigned long wanted)
{
	return fgraph_enter_users(st, head, fregs, sig, wanted, true);
}

/*
 * Push a frame for the call, if a user accepts it. The epoch of the frame is not older
 * than these users, see fgraph_renew_task(), and older than any user that gets one of
 * their slots later: that waits until this call is entered.
 */
static __always_inline int fgraph_push_frame(struct fgraph_stack *st,
					     const struct ftrace_ret_stack *from,
					     const struct ftrace_regs *fregs,
					     bool nested)
{
	const char *sig;
	unsigned long wanted = fgraph_find_users(from->func, &sig);
	struct fgraph_trailer *trailer;
	struct ftrace_ret_stack *head;
	u32 start = st->busy;
	u32 users, end;

	if (unlikely(!wanted))
		return -EBUSY;
	if (unlikely(start + FGRAPH_HEAD_WORDS + FGRAPH_ROOM_WORDS > st->limit))
		return fgraph_miss_call(st, wanted);

	WRITE_ONCE(st->busy, start + FGRAPH_HEAD_WORDS);
	/* What is written is taken before */
	barrier();
	head = fgraph_head(st, start);
	head->ret = from->ret;
	head->func = from->func;
#ifdef HAVE_FUNCTION_GRAPH_FP_TEST
	head->fp = from->fp;
#endif
#ifdef HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
	head->retp = from->retp;
#endif
	head->times.calltime = 0;
	memset(head->data_words, 0, sizeof(head->data_words));

	if (unlikely(nested))
		users = fgraph_enter_nested(st, head, fregs, sig, wanted);
	else
		users = fgraph_enter_users(st, head, fregs, sig, wanted, false);
	if (!users) {
		WRITE_ONCE(st->busy, start);
		return -EBUSY;
	}

	head->epoch = READ_ONCE(fgraph_epoch);
	end = st->busy + FGRAPH_TRAILER_WORDS;
	WRITE_ONCE(st->busy, end);
	barrier();
	trailer = fgraph_trailer(st, end);
	trailer->users = users;
	trailer->start = start;
	trailer->prev = st->curr;
	/* Walkers see it when it is complete */
	barrier();
	WRITE_ONCE(st->curr, end);
	return 0;
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
 * function_graph_enter_regs - a traced function is entered; for arch code only
 * @ret:		where it will return to
 * @func:		its address
 * @frame_pointer:	compared with what ftrace_return_to_handler() gets, on
 *			an arch with HAVE_FUNCTION_GRAPH_FP_TEST
 * @retp:		where the return address is, on an arch with
 *			HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
 * @fregs:		the registers at the call, on an arch with
 *			CONFIG_HAVE_FUNCTION_GRAPH_ARGS
 *
 * Context: any.
 * Return: 0 if the arch must make the call return to return_to_handler; a
 * negative error if nobody wants to know of it.
 */
int function_graph_enter_regs(unsigned long ret, unsigned long func,
			      unsigned long frame_pointer, unsigned long *retp,
			      const struct ftrace_regs *fregs)
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
	int err = -EBUSY;
	u32 outer;

	if (unlikely(ftrace_graph_is_dead()) || fgraph_is_direct(ret))
		return -EBUSY;

	/* A stack is only freed when this task is known not to be here */
	preempt_disable_notrace();
	st = READ_ONCE(current->ret_stack);
	if (unlikely(!st))
		goto out;

	if (likely(fgraph_enter_context(st, &outer))) {
		err = fgraph_push_frame(st, &head, fregs, outer);
		fgraph_leave_context(st, outer);
	} else {
		fgraph_refuse_recursion(func);
		do_ftrace_record_recursion(func, ret);
	}
out:
	preempt_enable_notrace();
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

/* Tell @gops, unless an older user of its slot had accepted the call. */
static __always_inline void fgraph_return_user(struct fgraph_ops *gops,
					       struct fgraph_task *task,
					       struct fgraph_call *call,
					       u32 epoch)
{
	/* The stub of an empty slot is too young for any frame */
	if (unlikely((s32)(epoch - gops->epoch) < 0))
		return;

	call->task = task;
	call->depth = --task->depth;
	/* An interrupt from here on is not deeper than the call */
	barrier();
	gops->retfunc(gops, call);
}

/* Tell each of @users, who accepted the call. */
static __always_inline void fgraph_return_users(struct fgraph_stack *st,
						struct ftrace_ret_stack *head,
						const unsigned long *retregs,
						unsigned long users)
{
	struct fgraph_ops **user = fgraph_array;
	struct fgraph_core_call core __uninitialized;
	struct fgraph_task *task = st->task;

	/* The loop sets the rest for each user */
	core.call.func = head->func;
	core.call.retregs = retregs;
	core.rettime = 0;
	core.trace_ctx = 0;
	core.stack = st;
	core.head = head;

	for (; users; users >>= 1, user++, task++) {
		unsigned long empty = fgraph_skip_slots(&users);

		user += empty;
		task += empty;
		fgraph_return_user(READ_ONCE(*user), task, &core.call, head->epoch);
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
	unsigned long ret;
	u32 start, outer;
	bool guarded;

	if (unlikely(!st || !st->curr))
		return fgraph_panic();

	trailer = fgraph_trailer(st, st->curr);
	head = fgraph_head(st, trailer->start);
	if (fgraph_bad_frame_pointer(head, frame_pointer))
		return (unsigned long)panic;

	if (!IS_ENABLED(CONFIG_HAVE_FUNCTION_GRAPH_RETVAL))
		retregs = NULL;

	preempt_disable_notrace();
	guarded = fgraph_enter_context(st, &outer);
	fgraph_return_users(st, head, retregs, trailer->users);
	if (likely(guarded))
		fgraph_leave_context(st, outer);
	/*
	 * The task may be preempted here, and then a walker of its stack needs the
	 * frame. A stack with a frame is not freed.
	 */
	preempt_enable_notrace();

	/* The frame is not used any more. Walkers lose it before its memory is free. */
	ret = head->ret;
	start = trailer->start;
	WRITE_ONCE(st->curr, trailer->prev);
	barrier();
	WRITE_ONCE(st->busy, start);
	if (unlikely(!start && !(READ_ONCE(fgraph_active) & FGRAPH_LIVE)))
		fgraph_stack_drained();

	return likely(ret) ? ret : fgraph_panic();
}
