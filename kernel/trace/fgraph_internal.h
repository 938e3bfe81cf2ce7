/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of fgraph share:
 *
 *	fgraph.c	calls: the entry and the return of a traced function
 *	fgraph_users.c	users: registration
 *	fgraph_hash.c	which users want which functions, and the signatures of these
 *	fgraph_stack.c	the shadow stack of each task: memory, sleep time
 *	fgraph_unwind.c	true return addresses of hooked calls
 *	function_tracers.c
 *			the tracefs file that lists users, and lets set_ftrace_filter
 *			edit the filter of one
 *
 * The rules of locks, lifetimes and order, with the test of each, are in
 * Documentation/trace/fgraph.rst, "How the core holds together".
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

/* Where areas start if there are none: below, there is room for a trailer. */
#define FGRAPH_MAX_LIMIT	(FGRAPH_STACK_WORDS - FGRAPH_TRAILER_WORDS)

/* Frames keep this distance from areas, so that deep calls do not starve probes. */
#define FGRAPH_ROOM_BYTES	1024
#define FGRAPH_ROOM_WORDS	(FGRAPH_ROOM_BYTES / sizeof(long))

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

/**
 * struct fgraph_core_call - a call, with what users do not see of it
 * @call:	what callbacks get
 * @stack:	the shadow stack of the task
 * @head:	the head of the frame
 * @rettime:	when the call returns, or 0: no user has asked yet
 * @trace_ctx:	the context that instances record, or 0: none has recorded yet
 * @sig:	the signature of the function, or NULL: it must be searched for
 *
 * The last three are found for the first user that needs them, for all users.
 */
struct fgraph_core_call {
	struct fgraph_call	call;
	struct fgraph_stack	*stack;
	struct ftrace_ret_stack	*head;
	u64			rettime;
	unsigned int		trace_ctx;
	const char		*sig;
};

/* The core's view of a call that a callback got */
static __always_inline struct fgraph_core_call *
fgraph_core_call(const struct fgraph_call *call)
{
	return container_of(call, struct fgraph_core_call, call);
}

/* fgraph_take_calltime() and fgraph_rettime(), inlined for callers at each call */
static __always_inline u64 __fgraph_take_calltime(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);
	struct fgraph_times *times = &core->head->times;

	if (!times->calltime) {
		times->calltime = trace_clock_local();
		times->slept = core->stack->slept;
	}
	return times->calltime;
}

static __always_inline u64 __fgraph_rettime(struct fgraph_call *call)
{
	struct fgraph_core_call *core = fgraph_core_call(call);

	if (!core->rettime)
		core->rettime = trace_clock_local();
	return core->rettime;
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

/* fgraph_users.c */
void fgraph_synchronize(void);

/* fgraph_unwind.c */
unsigned long fgraph_unhook_probe(unsigned long ret, const struct llist_node **cur);

/* fgraph_stack.c; the first four need ftrace_lock. */
int fgraph_update_tasks(void);
int fgraph_start_stacks(void);
void fgraph_stop_stacks(void);
void fgraph_free_stacks(void);
void fgraph_stack_drained(void);
unsigned int fgraph_count_stacks(void);

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * A function, or an empty slot; who wants it, a bit each; and its signature, or
 * NULL if that must be searched for
 */
struct fgraph_hash_slot {
	unsigned long		func;
	unsigned long		users;
	const char		*sig;
};

/* The functions that users name, or all, and who wants the @others */
struct fgraph_hash {
	struct rcu_head		rcu;
	unsigned long		others;
	/* The number of slots is a power of two: 1 << bits, mask + 1 */
	unsigned int		bits;
	unsigned long		mask;
	struct fgraph_hash_slot	slots[];
};

extern struct fgraph_hash __rcu *fgraph_hash;

/* The slot that has @func, or that would */
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
 * Who wants @func, a bit each, and in @sig its signature, or NULL if that must be
 * searched for. Preemption must be disabled.
 */
static __always_inline unsigned long fgraph_look_up_func(unsigned long func,
							 const char **sig)
{
	/* Not rcu_dereference(): RCU may not be watching */
	const struct fgraph_hash_slot *slot =
		fgraph_find_hash_slot(rcu_dereference_raw(fgraph_hash), func);

	*sig = READ_ONCE(slot->sig);
	return slot->users;
}

/* fgraph_users.c; it needs ftrace_lock. */
int fgraph_own_filter(struct fgraph_ops *gops);

/* fgraph_hash.c; these need ftrace_lock. */
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
