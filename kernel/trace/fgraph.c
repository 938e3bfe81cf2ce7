// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph: hooks the entry and the return of functions for many users.
 *
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 *
 * Highly modified by Steven Rostedt (VMware).
 *
 * An entry hook calls function_graph_enter(). This calls the entryfunc of each user
 * that traces the function. If a user accepts the call, fgraph pushes a frame on the
 * shadow stack of the task. The arch then replaces the return address of the call by
 * return_to_handler, which calls ftrace_return_to_handler(). This calls the retfunc of
 * each user that accepted, pops the frame and returns the true return address.
 *
 * An example of a shadow stack, on x86_64. Users 0 and 1 trace a(), only user 1 traces b(),
 * and a() has called b(). User 0 reserves two words in each call, user 1 one word. Before, a
 * kretprobe pushed an area of four words.
 *
 *	word	content
 *
 *		struct fgraph_stack: the marks, sleep times, state of each user in the task
 *	0	ret			a(): the head, struct ftrace_ret_stack
 *	1	func
 *	2	retp
 *	3	calltime
 *	4	slept
 *	5-6	data_words		2, 1, 0, 0, ...
 *	7	epoch
 *	8-9	data of user 0		private data, in the order of slots
 *	10	data of user 1
 *	11	users, start, prev	struct fgraph_trailer: users 0 and 1, 0, 0
 *	12-19	ret, ..., epoch		b(): the head; data_words is 0, 1, 0, 0, ...
 *	20	data of user 1
 *	21	users, start, prev	user 1, 12, 12
 *	22	free			curr and busy are 22
 *	...
 *	964	room for a trailer	limit is 964
 *	965-968	area			see fgraph_push_area()
 *
 * The words below @busy are in use. @curr is the end of the last complete frame, where
 * walkers start. @prev of its trailer is the end of the frame before. A frame is built
 * between @curr and @busy, and only a single store to @curr completes it: before this store,
 * @curr is 12 in the example. An interrupt or an NMI at any point of an entry or a return
 * pushes its own frames above @busy. It walks only complete frames, and restores both marks.
 * Frames end before @limit. A user accepts a call before its frame has a trailer, so there
 * is room for a trailer between @limit and the areas. Without areas, @limit is 968.
 *
 * Epochs. A slot of fgraph_array is reused, but frames may exist for days. So registrations
 * have numbers, their epochs, and each epoch is stored where a user might be mistaken for an
 * earlier user of its slot:
 *
 *	epoch of	stored by			when
 *
 *	a user		register_ftrace_graph()		before its slot is set:
 *							fgraph_epoch + 1
 *	the stub	register_ftrace_graph()		then: the epoch of the user + 1
 *	fgraph_epoch	register_ftrace_graph()		before the bit of the user is set in
 *							fgraph_active: the epoch of the user
 *	a task state	fgraph_renew_task()		when the user gets the first call of
 *							the task: the epoch of the user
 *	a frame		fgraph_push_frame()		after users accepted: fgraph_epoch
 *
 * A user gets no return of a frame that is older than its own epoch, nor any return while
 * the stub is in its slot. Two epochs are compared by their difference, which may wrap. An
 * example: x and y use slot 0, one after the other, and a task calls a(), then b(). "state"
 * is the state of slot 0 in the task, and "frame" is the last frame.
 *
 *	event				fgraph_epoch	slot 0	stub	state	frame
 *
 *	x registers			1		1	2	0	-
 *	x accepts a()			1		1	2	1	1
 *	x unregisters			1		stub	2	1	1
 *	y registers			2		2	3	1	1
 *	a() returns: 1 < 2, not to y	2		2	3	1	-
 *	y accepts b()			2		2	3	2	2
 *	b() returns: to y		2		2	3	2	-
 *
 * The epoch of a frame is at least the epoch of each user that accepts, because of the fence
 * in fgraph_renew_task(). It is older than the epoch of any user that gets one of their
 * slots later, because unregister_ftrace_graph() waits for the entry before the slot is
 * reused.
 *
 * Callbacks run with preemption disabled. unregister_ftrace_graph() waits until they are
 * done.
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

/* Frames */

/* Reset @task, the state of @gops in a task, if it belongs to an older registration. */
static __always_inline void fgraph_renew_task(struct fgraph_task *task,
					      const struct fgraph_ops *gops)
{
	if (likely(task->epoch == gops->epoch))
		return;

	/*
	 * The stub has the epoch of the next registration. If it were stored here, the
	 * next user of the slot would not reset the state.
	 */
	if (unlikely(gops == &fgraph_stub))
		return;

	/*
	 * Pairs with smp_store_release() of fgraph_active in register_ftrace_graph().
	 * After this fence, the task reads fgraph_epoch for the frames that @gops accepts.
	 * The value is not older than the epoch of @gops.
	 */
	smp_rmb();
	*task = (struct fgraph_task){ };
	/*
	 * Store the epoch last. An interrupt before this store also resets the state, so
	 * it never uses the old state.
	 */
	barrier();
	task->epoch = gops->epoch;
}

/*
 * The recursion guard. A call that a callback makes must not be traced, because the
 * recursion might never end. A call of an interrupt that interrupts the callback must be
 * traced. So fgraph_stack::context is the context of the innermost running callbacks, and
 * a call in the same context is refused. Callbacks of outer contexts cannot run before
 * the inner callbacks are done.
 *
 * At its entry and exit, an interrupt does not look like an interrupt, but interrupts
 * are off. So with interrupts off, the guard accepts one more call of the same context,
 * as ftrace_test_recursion_trylock() does. Unlike that function, the guard stores its
 * state in the shadow stack. This is cheap enough to guard the return also.
 *
 * Exceptions that count as an NMI nest: if a callback calls a function with a
 * breakpoint, it takes such an exception, and the handler may be traced. All of these
 * exceptions are one context. The guard accepts no second call in this context, because
 * a third breakpoint within the handlers of two is fatal.
 */
#define FGRAPH_CONTEXT_MASK	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)

/*
 * Return the number of the current context. It is even, and greater than the numbers of
 * the contexts that this context can interrupt.
 */
static __always_inline u32 fgraph_context(void)
{
	if (likely(!(preempt_count() & FGRAPH_CONTEXT_MASK)))
		return 2;
	return 2 * (interrupt_context_level() + 1);
}

/*
 * Enter the guard. Return true if callbacks may run. @outer is then the value for
 * fgraph_leave_context(). It is 0 if no other callback is interrupted. Preemption must
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

/* Count a call that found no room for the data of the user of @slot. */
void *fgraph_miss_words(struct fgraph_call *call, unsigned int slot)
{
	this_cpu_inc(fgraph_calls.missed[slot]);
	call->task->overrun++;
	return NULL;
}

/**
 * fgraph_reserve_words - reserve private data of a user in a call
 * @call:	the call, as the entryfunc got it
 * @words:	number of words, 1 to FGRAPH_MAX_DATA_WORDS
 *
 * The data is aligned to a word and not initialized. The retfunc gets it with
 * fgraph_retrieve_words(). It is freed if the entryfunc returns 0.
 *
 * Context: only within an entryfunc.
 * Return: the data, or NULL if @words is out of range, if the user already reserved
 * data in this call, or if the shadow stack has no room. fgraph_count_missed() and
 * &fgraph_task.overrun count the calls without room.
 */
void *fgraph_reserve_words(struct fgraph_call *call, unsigned int words)
{
	const struct ftrace_ret_stack *head = fgraph_core_call(call)->head;

	if (!words || words > FGRAPH_MAX_DATA_WORDS ||
	    head->data_words[fgraph_call_slot(call)])
		return NULL;
	return __fgraph_reserve_words(call, words);
}
EXPORT_SYMBOL_GPL(fgraph_reserve_words);

/**
 * fgraph_room - count the words that can be reserved
 * @call:	the call, as the entryfunc got it
 *
 * Context: only within an entryfunc that has not reserved data in this call.
 * Return: the maximum number of words that fgraph_reserve_words() accepts now.
 */
unsigned int fgraph_room(const struct fgraph_call *call)
{
	const struct fgraph_stack *st = fgraph_core_call(call)->stack;
	int room = st->limit - FGRAPH_ROOM_WORDS - st->busy;

	return clamp(room, 0, FGRAPH_MAX_DATA_WORDS);
}

/**
 * fgraph_retrieve_words - get the private data of a user in a call
 * @call:	the call
 *
 * Context: within a callback.
 * Return: what fgraph_reserve_words() returned in this call, or NULL if the user did not
 * call it or there was no room.
 */
void *fgraph_retrieve_words(const struct fgraph_call *call)
{
	return __fgraph_retrieve_words(call);
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_words);

/**
 * fgraph_first_caller - begin a walk over the calls that enclose a call
 * @call:	the call, as the retfunc of a user got it
 * @caller:	the walk; fgraph_next_caller() moves it to the innermost such call
 *
 * Context: only within a retfunc.
 */
void fgraph_first_caller(const struct fgraph_call *call, struct fgraph_caller *caller)
{
	caller->stack = fgraph_core_call(call)->stack;
	caller->slot = fgraph_call_slot(call);
	/* The returning call has the last complete frame. */
	caller->end = caller->stack->curr;
}

/* Find the innermost frame that ends at @caller->end or before, and that the user accepted. */
static bool fgraph_find_caller_frame(struct fgraph_caller *caller)
{
	struct fgraph_stack *st = caller->stack;
	u32 epoch = st->task[caller->slot].epoch;
	struct fgraph_trailer *trailer;

	for (; caller->end; caller->end = trailer->prev) {
		trailer = fgraph_trailer(st, caller->end);
		caller->head = fgraph_head(st, trailer->start);
		/* This frame and all that enclose it are older than the user. */
		if ((s32)(caller->head->epoch - epoch) < 0)
			return false;
		if (trailer->users & BIT(caller->slot)) {
			caller->data = fgraph_frame_data(caller->head, caller->slot);
			return true;
		}
	}
	return false;
}

/**
 * fgraph_next_caller - find the next call that encloses a call
 * @caller:	the walk, from fgraph_first_caller()
 *
 * The walk goes outwards, and includes calls that an interrupt interrupted. It ends at
 * the outermost call that the user accepted.
 *
 * Context: only within the retfunc that began the walk.
 * Return: true if the user accepted another call that is still open: @caller->head
 * belongs to this call, and @caller->data is the data of the user in it, or NULL.
 */
bool fgraph_next_caller(struct fgraph_caller *caller)
{
	if (!caller->end)
		return false;
	caller->end = fgraph_trailer(caller->stack, caller->end)->prev;
	return fgraph_find_caller_frame(caller);
}

/**
 * fgraph_find_open_call - find the innermost open call of the current task
 * @gops:	the user, registered
 * @caller:	set to the call, as by fgraph_next_caller()
 *
 * A call whose entryfunc runs has no complete frame, and is not found.
 *
 * Context: any, with preemption disabled.
 * Return: false if @gops accepted no call that is open.
 */
bool fgraph_find_open_call(const struct fgraph_ops *gops, struct fgraph_caller *caller)
{
	struct fgraph_stack *st = READ_ONCE(current->ret_stack);

	if (!st || st->task[gops->slot].epoch != gops->epoch)
		return false;
	caller->stack = st;
	caller->slot = gops->slot;
	caller->end = READ_ONCE(st->curr);
	return fgraph_find_caller_frame(caller);
}

/**
 * fgraph_take_calltime - record the time of the entry of a call
 * @call:	the call, as the entryfunc got it
 *
 * The time is the same for all users.
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
 * fgraph_calltime - get the time of the entry of a call
 * @call:	the call, as the retfunc got it
 * @sleep_time:	true to count the time that the task slept since the entry. If false,
 *		the returned time is later by the sleep time.
 *
 * Context: only within a retfunc.
 * Return: the time of the entry, in ns of trace_clock_local(); 0 if no entryfunc called
 * fgraph_take_calltime().
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
 * fgraph_rettime - get the time of the return of a call
 * @call:	the call, as the retfunc got it
 *
 * The time is the same for all users.
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
 * fgraph_return_address - get the address that a call returns to
 * @call:	the call
 *
 * Context: within a callback.
 * Return: the true address, even if the call is hooked; 0 if it is not found.
 */
unsigned long fgraph_return_address(const struct fgraph_call *call)
{
	const struct ftrace_ret_stack *own = fgraph_core_call(call)->head;
	const struct llist_node *hook = NULL;
	unsigned long ret = fgraph_unhook_probe(own->ret, &hook);
	struct ftrace_ret_stack *head;
	int i;

	/* After a tail call, the frame of the outer function contains the true address. */
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

/* Return true within a retfunc. In an entryfunc, the frame is not complete yet. */
static bool fgraph_is_return(const struct fgraph_core_call *core)
{
	const struct fgraph_stack *st = core->stack;

	return (const unsigned long *)core->head < &st->words[st->curr];
}

/**
 * fgraph_read_args - read the arguments of a call
 * @call:	the call, as the entryfunc got it
 * @words:	buffer for @regs + @stack words
 * @regs:	number of argument registers, beginning with the first register
 * @stack:	number of words of arguments on the stack, beginning with the first word
 *
 * The registers and words contain what the caller stored. The types of the function and
 * the calling convention of the arch define the place of each argument, and the unused
 * bits of a register or word with a narrow argument.
 *
 * Context: only within an entryfunc.
 * Return: 0; -EOPNOTSUPP if the arch does not support arguments; -EINVAL if @regs is
 * more than the number of argument registers, or within a retfunc; -EFAULT if the stack
 * cannot be read. After an error, @words is undefined.
 */
int fgraph_read_args(const struct fgraph_call *call, unsigned long *words,
		     unsigned int regs, unsigned int stack)
{
	if (fgraph_is_return(fgraph_core_call(call)))
		return -EINVAL;
	if (call->fregs && regs > FTRACE_ARG_REGS)
		return -EINVAL;
	return fgraph_copy_args(call, words, regs, stack);
}
EXPORT_SYMBOL_GPL(fgraph_read_args);

/* Entry */

/*
 * Return a bit for each live user that traces @func. Set @info to its info if a lookup is
 * needed, and to NULL otherwise.
 *
 * READ_ONCE() is enough, without a fence in each call. All data of a user is read
 * through its pointer in fgraph_array, which was stored with release. A call that sees
 * the bit before the pointer calls the stub, which refuses. The user does not need this
 * call, which began before its registration was complete. For the epoch, see
 * fgraph_renew_task().
 */
static __always_inline unsigned long fgraph_find_users(unsigned long func,
						       const void **info)
{
	unsigned long active = READ_ONCE(fgraph_active);

	*info = NULL;
	if (likely(!(active & FGRAPH_LOOK_UP)))
		return active;
	return active & fgraph_look_up_func(func, info);
}

/* Account a call dropped on a full shadow stack, for each user in @wanted. */
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

/* Count a call of @func that a callback made, for each user that traces @func. */
static noinline void fgraph_refuse_recursion(unsigned long func)
{
	const void *info;
	unsigned long wanted = fgraph_find_users(func, &info);
	int i;

	for_each_set_bit(i, &wanted, FGRAPH_MAX_USERS)
		this_cpu_inc(fgraph_calls.recursed[i]);
}

/* Count an accepted call in @count or, if @nested, in the nested counter of @slot. */
static __always_inline void fgraph_count_call(unsigned long *count,
					      unsigned long slot, bool nested)
{
	if (nested)
		this_cpu_inc(fgraph_calls.nested[slot]);
	else
		(*count)++;
}

/* Call the entryfunc of @gops. Return true if it accepts the call. */
static __always_inline bool fgraph_enter_user(struct fgraph_ops *gops,
					      struct fgraph_task *task,
					      struct fgraph_call *call)
{
	call->task = task;
	call->depth = task->depth++;
	/* Calls of an interrupt from here on are one level deeper. */
	barrier();
	if (gops->entryfunc(gops, call))
		return true;

	task->depth--;
	return false;
}

/* Free the data of the user of @slot. It is the last data of the frame. */
static __always_inline void fgraph_drop_data(struct fgraph_stack *st,
					     struct ftrace_ret_stack *head,
					     unsigned long slot)
{
	WRITE_ONCE(st->busy, st->busy - head->data_words[slot]);
	head->data_words[slot] = 0;
}

/*
 * Shift out the zero bits below the first set bit of @slots, and return their number.
 * Users get the lowest free slots, so usually there are no such bits. This test is
 * faster than __ffs() on an arch that has no instruction for it.
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

/* Let the user of @slot accept or refuse the call of @core. Return true if it accepts. */
static __always_inline bool fgraph_enter_slot(struct fgraph_core_call *core,
					      struct fgraph_ops **user,
					      struct fgraph_task *task, unsigned long *count,
					      unsigned long slot, bool nested)
{
	struct fgraph_ops *gops = READ_ONCE(*user);

	fgraph_renew_task(task, gops);
	if (fgraph_enter_user(gops, task, &core->call)) {
		fgraph_count_call(count, slot, nested);
		return true;
	}
	fgraph_drop_data(core->stack, core->head, slot);
	return false;
}

/*
 * Call the entryfunc of each user in @wanted. Return a bit for each user that accepts
 * the call.
 *
 * The loops of this function and of fgraph_return_slots() run once for each user: keep
 * them short. Pointers walk the arrays, because few archs have an instruction that
 * addresses an element of an array of structs.
 */
static __always_inline u32 fgraph_enter_slots(struct fgraph_core_call *core,
					      unsigned long wanted, bool nested)
{
	unsigned long *count = this_cpu_ptr(&fgraph_calls)->outer;
	struct fgraph_ops **user = fgraph_array;
	struct fgraph_task *task = core->stack->task;
	unsigned long users = wanted;

	for (; wanted; wanted >>= 1, user++, task++, count++) {
		unsigned long empty = fgraph_skip_slots(&wanted);

		user += empty;
		task += empty;
		count += empty;
		if (!fgraph_enter_slot(core, user, task, count, user - fgraph_array, nested))
			users &= ~BIT(user - fgraph_array);
	}

	return users;
}

/* Handle an entry for other users than that of slot 0. */
static noinline u32 fgraph_enter_many(struct fgraph_core_call *core, unsigned long wanted)
{
	return fgraph_enter_slots(core, wanted, false);
}

/* Handle an entry that interrupts a callback. */
static noinline u32 fgraph_enter_nested(struct fgraph_core_call *core, unsigned long wanted)
{
	return fgraph_enter_slots(core, wanted, true);
}

/* See fgraph_enter_slots(). Usually there is one user, which has slot 0. */
static __always_inline u32 fgraph_enter_users(struct fgraph_stack *st,
					      struct ftrace_ret_stack *head,
					      const struct ftrace_regs *fregs,
					      const void *info,
					      unsigned long wanted, bool nested)
{
	struct fgraph_core_call core __uninitialized;

	/* The callbacks of each user set the other members. */
	core.call.func = head->func;
	core.call.fregs = fregs;
	core.info = info;
	core.trace_ctx = 0;
	core.stack = st;
	core.head = head;

	if (unlikely(nested))
		return fgraph_enter_nested(&core, wanted);
	if (unlikely(wanted != BIT(0)))
		return fgraph_enter_many(&core, wanted);
	return fgraph_enter_slot(&core, fgraph_array, st->task,
				 this_cpu_ptr(&fgraph_calls)->outer, 0, false);
}

/* Push a frame for the call, if a user accepts it. */
static __always_inline int fgraph_push_frame(struct fgraph_stack *st,
					     const struct ftrace_ret_stack *from,
					     const struct ftrace_regs *fregs,
					     bool nested)
{
	const void *info;
	unsigned long wanted = fgraph_find_users(from->func, &info);
	struct fgraph_trailer *trailer;
	struct ftrace_ret_stack *head;
	u32 start = st->busy;
	u32 users, end;

	if (unlikely(!wanted))
		return -EBUSY;
	if (unlikely(start + FGRAPH_HEAD_WORDS + FGRAPH_ROOM_WORDS > st->limit))
		return fgraph_miss_call(st, wanted);

	WRITE_ONCE(st->busy, start + FGRAPH_HEAD_WORDS);
	/* Raise busy first: an interrupt pushes its frames above it. */
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

	users = fgraph_enter_users(st, head, fregs, info, wanted, nested);
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
	/* The frame must be complete before walkers see it. */
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
 * function_graph_enter_regs - handle the entry of a traced function; for arch code only
 * @ret:		the return address of the call
 * @func:		the address of the function
 * @frame_pointer:	compared with the argument of ftrace_return_to_handler(), on
 *			an arch with HAVE_FUNCTION_GRAPH_FP_TEST
 * @retp:		the place of the return address, on an arch with
 *			HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
 * @fregs:		the registers at the call, on an arch with
 *			CONFIG_HAVE_FUNCTION_GRAPH_ARGS
 *
 * Context: any.
 * Return: 0 if the arch must make the call return to return_to_handler; a
 * negative error if no user accepts the call.
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

	/* The stack is not freed while preemption is disabled, see fgraph_free_stacks(). */
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

/* Return */

/* Handle a corrupt shadow stack. The return address is lost. */
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

/* Call the retfunc of @gops, unless an older user of its slot accepted the call. */
static __always_inline void fgraph_return_user(struct fgraph_ops *gops,
					       struct fgraph_task *task,
					       struct fgraph_call *call,
					       u32 epoch)
{
	/* The stub of an empty slot is younger than any frame. */
	if (unlikely((s32)(epoch - gops->epoch) < 0))
		return;

	call->task = task;
	call->depth = --task->depth;
	/* Calls of an interrupt from here on are not deeper than this call. */
	barrier();
	gops->retfunc(gops, call);
}

/* Call the retfunc of each user in @users. */
static noinline void fgraph_return_slots(struct fgraph_core_call *core, unsigned long users)
{
	struct fgraph_ops **user = fgraph_array;
	struct fgraph_task *task = core->stack->task;
	u32 epoch = core->head->epoch;

	for (; users; users >>= 1, user++, task++) {
		unsigned long empty = fgraph_skip_slots(&users);

		user += empty;
		task += empty;
		fgraph_return_user(READ_ONCE(*user), task, &core->call, epoch);
	}
}

/* Call the retfunc of each user in @users, which are the users that accepted the call. */
static __always_inline void fgraph_return_users(struct fgraph_stack *st,
						struct ftrace_ret_stack *head,
						const unsigned long *retregs,
						unsigned long users)
{
	struct fgraph_core_call core __uninitialized;

	/* The callbacks of each user set the other members. */
	core.call.func = head->func;
	core.call.retregs = retregs;
	core.rettime = 0;
	core.trace_ctx = 0;
	core.stack = st;
	core.head = head;

	if (unlikely(users != BIT(0)))
		fgraph_return_slots(&core, users);
	else
		fgraph_return_user(READ_ONCE(fgraph_array[0]), st->task, &core.call,
				   head->epoch);
}

/**
 * ftrace_return_to_handler - handle the return of a call that has a frame
 * @frame_pointer:	compared with the argument of function_graph_enter(), on an
 *			arch with HAVE_FUNCTION_GRAPH_FP_TEST
 * @retregs:		the two return registers, on an arch with
 *			CONFIG_HAVE_FUNCTION_GRAPH_RETVAL
 *
 * Only return_to_handler calls this function.
 *
 * The recursion guard keeps functions that a retfunc calls from being traced. Otherwise
 * they would return to this function forever. If the guard is taken, the retfuncs are
 * still called, because each user gets a return for each call that it accepted.
 *
 * Return: the true return address of the call.
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
	 * The task may be preempted here. A walker of its stack then needs the frame. A
	 * stack that contains a frame is not freed.
	 */
	preempt_enable_notrace();

	/* The frame is no longer used. Hide it from walkers before its memory is free. */
	ret = head->ret;
	start = trailer->start;
	WRITE_ONCE(st->curr, trailer->prev);
	barrier();
	WRITE_ONCE(st->busy, start);
	if (unlikely(!start && !(READ_ONCE(fgraph_active) & FGRAPH_LIVE)))
		fgraph_stack_drained();

	return likely(ret) ? ret : fgraph_panic();
}
