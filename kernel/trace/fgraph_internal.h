/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of fgraph share:
 *
 *	fgraph.c	calls: the entry and the return of a traced function
 *	fgraph_users.c	users: registration
 *	fgraph_hash.c	the hash of functions: which users trace a function, and its
 *			signature
 *	fgraph_stack.c	the shadow stack of each task: memory, sleep time
 *	fgraph_unwind.c	true return addresses of hooked calls
 *	function_tracers.c
 *			the tracefs file that lists users and selects the user whose
 *			filter set_ftrace_filter edits
 *
 * Documentation/trace/fgraph.rst, "How the core holds together", contains the rules of
 * locks, lifetimes and order, and the test of each rule.
 */
#ifndef _KERNEL_TRACE_FGRAPH_INTERNAL_H
#define _KERNEL_TRACE_FGRAPH_INTERNAL_H

#include <linux/fgraph.h>
#include <linux/hash.h>
#include <linux/sched/clock.h>
#include <linux/uaccess.h>

#include <asm/sections.h>

struct ftrace_ops_hash;

struct fgraph_stack {
	/* Marks on the stack, in words; see fgraph.c */
	u32			curr;
	u32			busy;
	u32			limit;
	/* Context of the innermost running callbacks, see fgraph_enter_context() */
	u32			context;
	/* The CPU where the task went to sleep, at the time @sleeps_since */
	u64			sleeps_since;
	u32			sleeps_on;
	/* The time that the task slept while it had this stack, in ns */
	u64			slept;
	/* @slept when the task last moved to another CPU, see fgraph_call_moved() */
	u64			moved;
	struct fgraph_task	task[FGRAPH_MAX_USERS];
	/* Links stacks that no task uses: new ones, and those that are about to be freed */
	struct fgraph_stack	*next;
	unsigned long		words[] __aligned(sizeof(u64));
};

/*
 * The end of a frame: a bit for each user that accepted, the start of this frame, and
 * the end of the previous frame. It is complete before fgraph_stack::curr includes it.
 */
struct fgraph_trailer {
	u16	users;
	u16	start;
	u16	prev;
	u16	unused;
} __aligned(sizeof(long));

/* A trailer counts words in 16 bits. */
static_assert(FGRAPH_MAX_STACK_BYTES / sizeof(long) <= U16_MAX);

/* Return the number of words of a shadow stack. */
static inline unsigned int fgraph_stack_words(void)
{
	return (fgraph_stack_bytes - sizeof(struct fgraph_stack)) / sizeof(long);
}

/* Number of words of the head and of the trailer of a frame */
#define FGRAPH_HEAD_WORDS	(sizeof(struct ftrace_ret_stack) / sizeof(long))
#define FGRAPH_TRAILER_WORDS	(sizeof(struct fgraph_trailer) / sizeof(long))

/* Return the limit without areas. A trailer fits between the limit and the areas. */
static inline unsigned int fgraph_max_limit(void)
{
	return fgraph_stack_words() - FGRAPH_TRAILER_WORDS;
}

/* Frames keep this distance from areas, because deep calls would otherwise starve probes. */
#define FGRAPH_ROOM_BYTES	1024
#define FGRAPH_ROOM_WORDS	(FGRAPH_ROOM_BYTES / sizeof(long))

static inline struct ftrace_ret_stack *fgraph_head(struct fgraph_stack *st,
						   u32 start)
{
	return (struct ftrace_ret_stack *)&st->words[start];
}

/* Return the trailer of the frame that ends at @end. @end must not be 0. */
static inline struct fgraph_trailer *fgraph_trailer(struct fgraph_stack *st,
						    u32 end)
{
	return (struct fgraph_trailer *)&st->words[end] - 1;
}

/* Return true if @ret is the address that fgraph puts in place of a return address. */
static inline bool fgraph_is_hooked(unsigned long ret)
{
	return ret == (unsigned long)
		dereference_kernel_function_descriptor(return_to_handler);
}

/*
 * fgraph_active contains a bit for each live slot, and FGRAPH_LOOK_UP if a call must
 * look up which users trace the function. A single user needs no lookup, because only
 * functions that this user traces are hooked. A call reads both at once, because they
 * are in one word.
 */
#define FGRAPH_LIVE		(BIT(FGRAPH_MAX_USERS) - 1)
#define FGRAPH_LOOK_UP		BIT(FGRAPH_MAX_USERS)

/*
 * Counters of the calls of each user on a CPU. @outer and @nested count accepted calls,
 * @missed counts calls that found no room, and @recursed counts calls that callbacks
 * made. An entry that interrupts a callback is counted in @nested. So no interrupt
 * changes @outer during its increment, which is not atomic.
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

/**
 * struct fgraph_core_call - a call, with members that users do not see
 * @call:	what callbacks get
 * @stack:	the shadow stack of the task
 * @head:	the head of the frame
 * @rettime:	time of the return, or 0 if no user needed it yet
 * @trace_ctx:	the context that instances record, or 0 if none recorded yet
 * @sig:	signature of the function, or NULL if a user must search for it
 *
 * The first user that needs one of the last three members sets it for all users.
 */
struct fgraph_core_call {
	struct fgraph_call	call;
	struct fgraph_stack	*stack;
	struct ftrace_ret_stack	*head;
	u64			rettime;
	unsigned int		trace_ctx;
	const char		*sig;
};

/* Return the struct fgraph_core_call of the call that a callback got. */
static __always_inline struct fgraph_core_call *
fgraph_core_call(const struct fgraph_call *call)
{
	return container_of(call, struct fgraph_core_call, call);
}

/* Return the data of the user of @slot in a frame, or NULL if it reserved none. */
static __always_inline void *fgraph_frame_data(struct ftrace_ret_stack *head,
					       unsigned int slot)
{
	unsigned long *data = (unsigned long *)(head + 1);
	unsigned int i;

	if (!head->data_words[slot])
		return NULL;

	for (i = 0; i < slot; i++)
		data += head->data_words[i];
	return data;
}

/**
 * struct fgraph_caller - a walk over the open calls of a user that enclose a call
 * @head:	the head of the frame of such a call
 * @data:	the data of the user in it, or NULL
 */
struct fgraph_caller {
	struct ftrace_ret_stack	*head;
	void			*data;

	/* private: */
	struct fgraph_stack	*stack;
	unsigned int		slot;
	u32			end;
};

/* fgraph.c */
void fgraph_first_caller(const struct fgraph_call *call, struct fgraph_caller *caller);
bool fgraph_next_caller(struct fgraph_caller *caller);

/* Return trace_clock_local(), without disabling preemption: all callers have disabled it. */
static __always_inline u64 fgraph_clock(void)
{
	return sched_clock();
}

/* Inline variants of fgraph_take_calltime() and fgraph_rettime(), for hot paths */
static __always_inline u64 __fgraph_take_calltime(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);
	struct fgraph_times *times = &core->head->times;

	if (!times->calltime) {
		times->calltime = fgraph_clock();
		times->slept = core->stack->slept;
	}
	return times->calltime;
}

/* Return the time of the entry, in a retfunc; see fgraph_calltime(). */
static __always_inline u64 __fgraph_calltime(const struct fgraph_call *call)
{
	return fgraph_core_call(call)->head->times.calltime;
}

/*
 * Return true if the task changed its CPU in the call, after the time of the entry was
 * taken. The buffer of this CPU then does not contain the entry, or it contains other
 * events of the task between the entry and the return.
 */
static __always_inline bool fgraph_call_moved(const struct fgraph_call *call)
{
	const struct fgraph_core_call *core = fgraph_core_call(call);

	return core->stack->moved > core->head->times.slept;
}

static __always_inline u64 __fgraph_rettime(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);

	if (!core->rettime)
		core->rettime = fgraph_clock();
	return core->rettime;
}

#ifdef CONFIG_HAVE_FUNCTION_GRAPH_ARGS
/*
 * Implement ftrace_regs_copy_args() for an arch that stores the argument registers in a
 * row. @to may be in an event, which is only aligned to an int. The loop copies word by
 * word, because the memcpy() of some archs copies a few words byte by byte.
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
 * Copy @nr words of arguments from the stack. @nr may be too large. The stack continues
 * below the arguments, so the page that contains the byte below them is certainly
 * mapped. A copy that leaves this page may fault.
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
 * Variant of fgraph_read_args() for callers that never pass more @regs than the arch has
 * argument registers. @words may also be in an event.
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

/*
 * Return the registered user after @gops, or NULL after the last user. If @gops is NULL,
 * return the first user. Needs ftrace_lock.
 */
struct fgraph_ops *fgraph_next_user(const struct fgraph_ops *gops);

/*
 * Return the number of calls that @gops accepted since it registered. Needs ftrace_lock.
 */
unsigned long fgraph_count_calls(const struct fgraph_ops *gops);

/* fgraph_users.c */
void fgraph_synchronize(void);

/* fgraph_unwind.c */
unsigned long fgraph_unhook_probe(unsigned long ret, const struct llist_node **cur);

/* fgraph_stack.c; the first four functions need ftrace_lock. */
int fgraph_update_tasks(void);
int fgraph_start_stacks(void);
void fgraph_stop_stacks(void);
void fgraph_free_stacks(void);
void fgraph_stack_drained(void);
unsigned int fgraph_count_stacks(void);

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * A function, a bit for each user that traces it, and its signature, or NULL if a user
 * must search for it. In an empty slot, @func is 0 and @users equals
 * fgraph_hash::others.
 */
struct fgraph_hash_slot {
	unsigned long		func;
	const char		*sig;
	u32			users;
	/* graph_plan_names() */
	u32			names;
};

/*
 * The functions that filters contain, or all functions. @others contains a bit for each
 * user that traces all functions that are not in the hash.
 */
struct fgraph_hash {
	struct rcu_head		rcu;
	unsigned long		others;
	/* The number of slots is 1 << bits, and mask is one less */
	unsigned int		bits;
	unsigned long		mask;
	struct fgraph_hash_slot	slots[];
};

extern struct fgraph_hash __rcu *fgraph_hash;

/* Return the slot that contains @func, or the empty slot in its place. */
static __always_inline struct fgraph_hash_slot *
fgraph_find_hash_slot(struct fgraph_hash *table, unsigned long func)
{
	unsigned long hash = hash_long(func, table->bits);
	struct fgraph_hash_slot *slot;

	for (;; hash++) {
		slot = &table->slots[hash & table->mask];
		if (likely(slot->func == func) || !slot->func)
			return slot;
	}
}

/*
 * Return a bit for each user that traces @func. Set @sig to its signature, or to NULL if
 * a user must search for it. Preemption must be disabled.
 */
static __always_inline unsigned long fgraph_look_up_func(unsigned long func,
							 const char **sig)
{
	/* RCU may not be watching: rcu_dereference() would warn */
	const struct fgraph_hash_slot *slot =
		fgraph_find_hash_slot(rcu_dereference_raw(fgraph_hash), func);

	*sig = READ_ONCE(slot->sig);
	return slot->users;
}

/* Return graph_plan_names() of @func. Preemption must be disabled. */
static __always_inline u32 fgraph_look_up_names(unsigned long func)
{
	const struct fgraph_hash_slot *slot =
		fgraph_find_hash_slot(rcu_dereference_raw(fgraph_hash), func);

	return READ_ONCE(slot->names);
}

/* fgraph_users.c; needs ftrace_lock. */
int fgraph_own_filter(struct fgraph_ops *gops);

/* fgraph_hash.c; these functions need ftrace_lock. */
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

static inline u32 fgraph_look_up_names(unsigned long func)
{
	return 0;
}
#endif

#endif /* _KERNEL_TRACE_FGRAPH_INTERNAL_H */
