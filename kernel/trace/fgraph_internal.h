/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of fgraph share:
 *
 *	fgraph.c	the calls: what happens at the entry and at the return of
 *			a traced function
 *	fgraph_users.c	the users: how they come and go
 *	fgraph_attr.c	which users want which functions, and what signatures
 *			those have
 *	function_tracers.c
 *			the tracefs file that lists them, and lets
 *			set_ftrace_filter edit the filter of one
 *	fgraph_stack.c	the shadow stack of each task: memory, walks, sleep time
 *
 * What holds it together: each rule, what breaks without it, and in brackets what
 * shows that: a case of fgraph_kunit, a file of test.d/fgraph, or "-" where nothing
 * that is run does, as it takes another machine or an order that cannot be forced.
 *
 * Locks
 *
 * ftrace_lock: users, filters and stacks come and go under it. Else two users take
 *	one slot, or a stack is freed that a new user counts on. [make stress]
 * trace_types_lock, cpus_read_lock() and regex_lock come before ftrace_lock, so
 *	function_tracers.c only tries regex_lock. [FLAVOR=debug]
 * No lock on the way of a call: it may be an NMI, or in the middle of ftrace_lock.
 *	What must be done is left to irq_work, and then to a worker, as PREEMPT_RT
 *	may sleep even for memory. [interrupts_at_any_point; PREEMPT_RT: -]
 *
 * Lifetimes
 *
 * Callbacks, and all that reads a stack, disable preemption, and what goes waits for
 *	RCU tasks rude: functions are traced where RCU is not watching. Else a
 *	callback runs, or a stack or hash is read, that has been freed.
 *	[no_callback_after_unregister]
 * With PREEMPTION it waits for RCU tasks, too: a task may have been preempted on a
 *	trampoline that goes. [-]
 * A user's bit goes first, then its slot, then the hooks, and a new one does it the
 *	other way round. Else a call meets a user that is not ready.
 *	[make stress]
 * A frame has the epoch in which it was made, a user that of its registration, and
 *	the stub that of the next one. Else a new user gets returns of the one that
 *	had its slot, or a slot without a user gets any.
 *	[new_user_of_slot_gets_no_return_of_old_one,
 *	returned_user_gets_no_return_of_before, slot-reuse.tc]
 * What a user has in a task has an epoch, too. Else a new user begins with the depth and
 *	the state of an old one. [task_state_is_of_one_registration]
 * A stack goes when there is no user and nothing on it: with the last user, or with the
 *	last return. ftrace_lock is held over the wait, so that no user comes who
 *	would push on it. [shadow_stack_goes_when_it_has_drained, memory.tc]
 * A task that dies takes its stack along, with frames that never return; what
 *	kretprobes and fprobes count is given back. [fork-exec.tc, kretprobe.tc]
 * A task that is forked copies no stack, and gets its own before it runs; one that was
 *	overlooked gets it as soon as there is memory. Else its calls are missing.
 *	[child_is_traced_from_its_first_call, no-memory-fork.tc]
 * Areas alone give a task its stack after its first call, which has a pool. The mark for
 *	that is of one run of users of areas: an old one is void. Otherwise 50,000 threads
 *	have 400 MB of stacks, or a task never gets one. [sleeping_tasks_have_no_stack,
 *	task_gets_stack_from_each_first_probe, memory.tc]
 * The address of an instance says whether it is on the stack: a task gets a stack, and
 *	loses it, while it is in a call that has its instance from the pool.
 *	[stack_is_freed_before_pooled_call_returns, pooled_call_returns_beside_stack]
 * The idle task of a CPU that comes up again begins with an empty stack: what was on
 *	it will never return. [hotplug.tc]
 * ftrace_kill() clears no flag of an ops, so fgraph itself knows what it has started.
 *	Else it stops it twice. [-]
 *
 * Barriers between CPUs
 *
 * fgraph_array[slot] is stored with release and fgraph_active with release after it;
 *	fgraph_read_active() acquires. Else a call finds the bit of a user and calls
 *	the stub, or a user whose fields are old. [-]
 * fgraph_epoch is stored before the bit. Else a frame that a new user accepts seems to
 *	be older than it, and it misses the return. [-]
 * FGRAPH_LOOK_UP is set before functions get hooked for a second user, and cleared
 *	after the wait that follows its end. Else those who are there see functions
 *	that they do not want. [newcomer_sees_only_what_it_wants]
 * The hash of functions is published before they are hooked. Else a call of what was
 *	just hooked is lost. [-]
 * cmpxchg() gives a stack to a task when it is initialized, and only one. [-]
 *
 * Points of interruption: an interrupt, or an NMI, may come at each instruction. They
 * are all in interrupt_at_each_instruction and nmi_at_each_instruction, in the order of
 * stores on their own CPU: compiler barriers do.
 *
 * busy goes up before what is below it is written, and down after it was read. Else an
 *	interrupt writes its frames over that of the call.
 * curr is stored when the frame is complete, and goes back before busy does. Else a
 *	walker of the stack reads half a frame.
 * What a user has in a task is cleared before it gets its epoch. Else the state that an
 *	interrupt has written is lost.
 * The depth goes up before entryfunc and down before retfunc. Else calls of an interrupt
 *	have that of the call. [interrupt_is_one_deeper, too]
 * context is set before a callback runs, and restored after the frame has gone. Else
 *	what a callback calls is traced, for ever. [callbacks_are_not_traced, too]
 * Where areas start is stored first, then limit, which follows from it, at a push and at
 *	a pop. Otherwise an interrupt that pushes and pops in between leaves a limit that
 *	does not fit. [probes_and_users_share_the_stack; a limit for good: -]
 *
 * Calls that are not as others
 *
 * With a full stack the call is counted, not traced, and one that was accepted has its
 *	trailer reserved. [full_stack_skips_calls, missed_is_counted_for_who_wants_it]
 * Frames leave room to areas. Otherwise a deep trace starves probes.
 *	[full_stack_has_room_for_probes]
 * After a tail call, two frames have one return address: the true one is that of the
 *	first. [tail_call_knows_where_it_returns_to, stack_with_tail_call_is_true]
 * Fprobes and kretprobes do not hook a return where RCU is not watching, as rethook
 *	frees by RCU. [probe_misses_what_rcu_does_not_watch,
 *	fprobe_misses_what_rcu_does_not_watch]
 * A walker of another task's stack trusts nothing that it reads: the task may run.
 *	[stack_of_sleeping_task_is_true, make stress]
 *
 * Entry and return in assembly, in arch/
 *
 * return_to_handler saves both registers of a result, and gives them back. Else callers
 *	get another result. [retregs_hold_the_return_value, retregs_hold_the_second_word]
 * x86 and i386 put the address of return_to_handler back where the return took it from,
 *	and riscv and i386 make frames at the entry. Else a backtrace ends in a
 *	callback, or leaves a function out. [stack_in_entryfunc_is_true, stack-dump.tc]
 * At the entry, arguments are where a call has them: in the registers, and on the stack
 *	at a known distance. [args.tc; fgraph_values_calls: fgv_stack_words_test]
 */
#ifndef _KERNEL_TRACE_FGRAPH_INTERNAL_H
#define _KERNEL_TRACE_FGRAPH_INTERNAL_H

#include <linux/fgraph.h>
#include <linux/hash.h>
#include <linux/trace_clock.h>
#include <linux/uaccess.h>

#include <asm/sections.h>

struct ftrace_ops_hash;

struct fgraph_stack {
	/* See fgraph.c; they count words */
	u32			curr;
	u32			busy;
	u32			limit;
	/* The context of the callbacks that run, see fgraph_enter_context() */
	u32			context;
	/* Where areas start: @limit, or above it while they are few */
	u32			areas;
	/* How long the task slept while it had this stack, in ns */
	u64			slept;
	u64			sleeps_since;
	struct fgraph_task	task[FGRAPH_MAX_USERS];
	/* On the way to being freed */
	struct fgraph_stack	*next;
	unsigned long		words[] __aligned(sizeof(u64));
};

/*
 * The end of a frame: who accepted, where it starts, and where the one before it
 * ends. One word on a 64-bit arch, and read and written as a whole.
 */
struct fgraph_trailer {
	u16	users;
	u16	start;
	u16	prev;
	u16	unused;
} __aligned(sizeof(long));

/* How many words a shadow stack has */
#define FGRAPH_STACK_WORDS \
	((FGRAPH_STACK_BYTES - sizeof(struct fgraph_stack)) / sizeof(long))

/* What of them a frame has at its start and at its end */
#define FGRAPH_HEAD_WORDS	(sizeof(struct ftrace_ret_stack) / sizeof(long))
#define FGRAPH_TRAILER_WORDS	(sizeof(struct fgraph_trailer) / sizeof(long))

/* Where areas start if there are none: frames leave room for a trailer below them */
#define FGRAPH_MAX_AREAS	(FGRAPH_STACK_WORDS - FGRAPH_TRAILER_WORDS)

/* How much of the stack is left to areas, so that deep calls do not starve probes */
#define FGRAPH_ROOM_BYTES	1024

/* How many words frames can take at most, without the last trailer */
#define FGRAPH_MAX_BUSY		(FGRAPH_MAX_AREAS - FGRAPH_ROOM_BYTES / sizeof(long))

static inline struct ftrace_ret_stack *fgraph_head(struct fgraph_stack *st,
						   u32 start)
{
	return (struct ftrace_ret_stack *)&st->words[start];
}

/* The trailer of the frame that ends at @end, which is not 0. */
static inline struct fgraph_trailer *fgraph_trailer(struct fgraph_stack *st,
						    u32 end)
{
	return (struct fgraph_trailer *)&st->words[end] - 1;
}

/* Whether a return address is what fgraph has put there */
static inline bool fgraph_is_hooked(unsigned long ret)
{
	return ret == (unsigned long)
		dereference_kernel_function_descriptor(return_to_handler);
}

/*
 * The live slots, a bit each, and whether to look up which of them want the
 * function. When one user is alone that is not needed, as the hooks are then just
 * where that user wants them. Both are in one word so that they are read at once.
 */
#define FGRAPH_LIVE		(BIT(FGRAPH_MAX_USERS) - 1)
#define FGRAPH_LOOK_UP		BIT(FGRAPH_MAX_USERS)

/*
 * Calls of each user on a CPU: @outer and @nested were accepted, @missed found no
 * room, @recursed were made by callbacks. An entry that interrupts another one counts
 * as @nested: so nothing can interrupt the increment of @outer, which is not atomic.
 */
struct fgraph_calls {
	unsigned long	outer[FGRAPH_MAX_USERS];
	unsigned long	nested[FGRAPH_MAX_USERS];
	unsigned long	missed[FGRAPH_MAX_USERS];
	unsigned long	recursed[FGRAPH_MAX_USERS];
};

/* fgraph_users.c */
extern struct fgraph_ops *fgraph_array[FGRAPH_MAX_USERS];
extern struct fgraph_ops fgraph_stub;
extern unsigned long fgraph_active;
extern u32 fgraph_epoch;
DECLARE_PER_CPU(struct fgraph_calls, fgraph_calls);

/* fgraph_take_calltime() and fgraph_rettime(), for who asks at each call */
static __always_inline u64 __fgraph_take_calltime(struct fgraph_call *call)
{
	struct fgraph_times *times = &call->head->times;

	if (!times->calltime) {
		times->calltime = trace_clock_local();
		times->slept = call->stack->slept;
	}
	return times->calltime;
}

static __always_inline u64 __fgraph_rettime(struct fgraph_call *call)
{
	if (!call->rettime)
		call->rettime = trace_clock_local();
	return call->rettime;
}

#ifdef CONFIG_HAVE_FUNCTION_GRAPH_ARGS
/*
 * ftrace_regs_copy_args() of an arch that has the registers in a row. The words may
 * be in an event, which is aligned as an int is. One by one, as some archs have a
 * memcpy() that takes so few of them byte by byte.
 */
static __always_inline void fgraph_copy_words(void *to, const unsigned long *from,
					      unsigned long nr)
{
	struct event_word {
		unsigned long	word;
	} __packed __aligned(sizeof(int));
	struct event_word *words = to;
	unsigned long i;

	for (i = 0; i < nr; i++)
		words[i].word = READ_ONCE_NOCHECK(from[i]);
}

/*
 * The count may be wrong: there is so much stack only in the page where it goes on
 * below the arguments.
 */
static __always_inline int fgraph_copy_stack(unsigned long *words,
					     const unsigned long *from,
					     unsigned long nr)
{
	unsigned long below = (unsigned long)from - 1;
	unsigned long last = (unsigned long)(from + nr) - 1;

	if (unlikely((below ^ last) & PAGE_MASK))
		return copy_from_kernel_nofault(words, from, nr * sizeof(long));

	fgraph_copy_words(words, from, nr);
	return 0;
}

/*
 * fgraph_read_args() for who knows that the arch has so many registers. @words may
 * be in an event, too.
 */
static __always_inline int fgraph_copy_args(const struct fgraph_call *call,
					    unsigned long *words,
					    unsigned long regs, unsigned long stack)
{
	if (unlikely(!call->fregs))
		return -EOPNOTSUPP;
	ftrace_regs_copy_args(call->fregs, words, regs);
	if (likely(!stack))
		return 0;
	return fgraph_copy_stack(words + regs,
				 ftrace_regs_stack_args(call->fregs), stack);
}
#else
#define FTRACE_ARG_REGS		0

static inline int fgraph_copy_args(const struct fgraph_call *call,
				   unsigned long *words,
				   unsigned long regs, unsigned long stack)
{
	return -EOPNOTSUPP;
}
#endif

/* Walk the users: NULL asks for the first, and is the end. Needs ftrace_lock. */
struct fgraph_ops *fgraph_next_user(const struct fgraph_ops *gops);

/* How many calls @gops accepted since it was registered. Needs ftrace_lock. */
unsigned long fgraph_count_calls(const struct fgraph_ops *gops);

/* fgraph_stack.c; the first three need ftrace_lock. */
int fgraph_start_stacks(void);
void fgraph_stop_stacks(void);
void fgraph_free_stacks(void);
void fgraph_stack_drained(void);
unsigned int fgraph_count_stacks(void);
unsigned long fgraph_unhook_probe(unsigned long ret, const struct llist_node **cur);

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * A function, or an empty slot; who wants it, a bit each; and its signature, or
 * NULL if that must be searched for
 */
struct fgraph_attr {
	unsigned long		func;
	unsigned long		users;
	const char		*sig;
};

/* The functions that users name, or all, and who wants the @others */
struct fgraph_attrs {
	struct rcu_head		rcu;
	unsigned long		others;
	unsigned int		bits;
	struct fgraph_attr	slots[];
};

extern struct fgraph_attrs __rcu *fgraph_attrs;

/* The slot that has @func, or that would */
static __always_inline struct fgraph_attr *
fgraph_find_attr(struct fgraph_attrs *attrs, unsigned long func)
{
	unsigned long hash = hash_long(func, attrs->bits);
	struct fgraph_attr *attr;

	for (;; hash++) {
		attr = &attrs->slots[hash & (BIT(attrs->bits) - 1)];
		if (likely(attr->func == func) || !attr->func)
			return attr;
	}
}

/*
 * Who wants @func, a bit each, and in @sig its signature, or NULL if that must be
 * searched for. Preemption must be disabled.
 */
static __always_inline unsigned long fgraph_look_up_func(unsigned long func,
							 const char **sig)
{
	/* Not rcu_dereference(): RCU may not be watching */
	const struct fgraph_attr *attr =
		fgraph_find_attr(rcu_dereference_raw(fgraph_attrs), func);

	*sig = READ_ONCE(attr->sig);
	return attr->users;
}

/* fgraph_users.c; it needs ftrace_lock. */
int fgraph_own_filter(struct fgraph_ops *gops);

/* fgraph_attr.c; these need ftrace_lock. */
int fgraph_update_filter(struct ftrace_ops *graph_ops);
void fgraph_forget_functions(void);
void fgraph_forget_signatures(void);
void fgraph_drop_filter(struct ftrace_ops *graph_ops);
bool fgraph_filter_in_use(const struct ftrace_ops_hash *hash);
#else
static inline unsigned long fgraph_look_up_func(unsigned long func, const char **sig)
{
	*sig = NULL;
	return FGRAPH_LIVE;
}

static inline int fgraph_update_filter(struct ftrace_ops *graph_ops) { return 0; }
static inline void fgraph_forget_functions(void) { }
static inline void fgraph_forget_signatures(void) { }
static inline void fgraph_drop_filter(struct ftrace_ops *graph_ops) { }
static inline bool fgraph_filter_in_use(const struct ftrace_ops_hash *hash) { return false; }
#endif

#endif /* _KERNEL_TRACE_FGRAPH_INTERNAL_H */
