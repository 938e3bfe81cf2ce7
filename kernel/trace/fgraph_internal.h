/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of fgraph share. Of these files, each one knows only those
 * below it:
 *
 *	function_tracers.c	the tracefs file that lists users, see function_tracers.h
 *	fgraph_users.c		users: registration
 *	fgraph_filter.c		the filters of users
 *	fgraph_look_up.c	whether calls are looked up in the hash of functions
 *	fgraph_hooks.c		the one ftrace_ops, which hooks the functions of all users
 *	fgraph_area.c		areas of kretprobes and fprobes on shadow stacks
 *	fgraph_idle.c		the shadow stacks of idle tasks
 *	fgraph_tasks.c		the tasks that get a shadow stack, and when
 *	fgraph_sleep.c		the time that tasks sleep
 *	fgraph.c		calls: the entry and the return of a traced function
 *	fgraph_hash.c		which users trace a function, and its info
 *	fgraph_unwind.c		true return addresses of hooked calls
 *	fgraph_stack.c		the memory of shadow stacks
 *	fgraph_slots.c		the slots of users, and counters of calls
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

/* fgraph_slots.c */
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
 * @info:	the info of the function, or NULL if a user must look it up itself
 *
 * The first user that needs one of the last three members sets it for all users.
 */
struct fgraph_core_call {
	struct fgraph_call	call;
	struct fgraph_stack	*stack;
	struct ftrace_ret_stack	*head;
	u64			rettime;
	unsigned int		trace_ctx;
	const void		*info;
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

/* Return the slot of the user whose callback got @call. */
static __always_inline unsigned int fgraph_call_slot(const struct fgraph_call *call)
{
	const struct fgraph_task *first = fgraph_core_call(call)->stack->task;

	/* A division takes longer, and usually there is one user. */
	return likely(call->task == first) ? 0 : call->task - first;
}

/* Return interrupt_context_level(), in an entryfunc. The recursion guard has computed it. */
static __always_inline unsigned int fgraph_call_level(const struct fgraph_call *call)
{
	return fgraph_core_call(call)->stack->context / 2 - 1;
}

void *fgraph_miss_words(struct fgraph_call *call, unsigned int slot);

/*
 * Inline variants of fgraph_reserve_words() and fgraph_retrieve_words(), for hot paths. The
 * caller knows that @words is in range, and reserves data once in a call.
 */
static __always_inline void *__fgraph_reserve_words(struct fgraph_call *call,
						    unsigned int words)
{
	struct fgraph_stack *st = fgraph_core_call(call)->stack;
	unsigned int slot = fgraph_call_slot(call);
	u32 busy = st->busy;

	if (unlikely(busy + words + FGRAPH_ROOM_WORDS > st->limit))
		return fgraph_miss_words(call, slot);

	WRITE_ONCE(st->busy, busy + words);
	fgraph_core_call(call)->head->data_words[slot] = words;
	/* Raise busy first: an interrupt pushes its frames above it. */
	barrier();
	return &st->words[busy];
}

static __always_inline void *__fgraph_retrieve_words(const struct fgraph_call *call)
{
	return fgraph_frame_data(fgraph_core_call(call)->head, fgraph_call_slot(call));
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
bool fgraph_find_open_call(const struct fgraph_ops *gops, struct fgraph_caller *caller);

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

/* fgraph_slots.c; all but fgraph_synchronize() need ftrace_lock. */
extern unsigned long fgraph_taken;
struct fgraph_ops *fgraph_next_user(const struct fgraph_ops *gops);
unsigned long fgraph_count_calls(const struct fgraph_ops *gops);
void fgraph_reset_counts(int slot);
void fgraph_synchronize(void);

/*
 * fgraph_users.c. If it is not NULL, this is called when a user has unregistered, with the
 * ftrace_ops that contains its filter, and with ftrace_lock.
 */
extern void (*fgraph_user_gone)(const struct ftrace_ops *ops);

/* The events that may begin or end the lookups of calls */
enum fgraph_look_up_event {
	FGRAPH_HOOKS_CHANGED,	/* or the number of users, or the list of ftrace_ops */
	FGRAPH_HOOKS_REMOVED,	/* and calls may be on their way from them */
	/* Only for the worker of fgraph_look_up.c */
	FGRAPH_WAIT_BEGINS,
	FGRAPH_WAIT_IS_OVER,
};

/* fgraph_look_up.c */
void fgraph_update_look_up(enum fgraph_look_up_event event);

/* fgraph_hooks.c; these functions need ftrace_lock. */
int fgraph_start_hooks(void);
bool fgraph_stop_hooks(void);
bool fgraph_hooks_surplus(void);

/* fgraph_unwind.c */
unsigned long fgraph_unhook_probe(unsigned long ret, const struct llist_node **cur);

/*
 * fgraph_stack.c; fgraph_free_stacks() needs ftrace_lock. It also protects the next two
 * variables: whether a user is registered, and the number of users of areas.
 */
extern bool fgraph_frames_wanted;
extern unsigned int fgraph_area_users;

/* Return true if empty stacks are not freed: there is a user of areas or of frames. */
static __always_inline bool fgraph_stacks_wanted(void)
{
	return READ_ONCE(fgraph_area_users) || READ_ONCE(fgraph_frames_wanted);
}

struct fgraph_stack *fgraph_alloc_stack(gfp_t gfp);
void fgraph_free_stack(struct fgraph_stack *st);
void fgraph_free_list(struct fgraph_stack *list);
bool fgraph_stack_is_empty(struct fgraph_stack *st);
void fgraph_free_stacks(void);
void fgraph_free_stacks_soon(void);
bool fgraph_can_queue(void);
void fgraph_stack_drained(void);
unsigned int fgraph_count_stacks(void);

/* fgraph_tasks.c; the first three functions need ftrace_lock. */
int fgraph_update_tasks(void);
int fgraph_start_stacks(void);
void fgraph_stop_stacks(void);
void fgraph_update_tasks_later(void);
int fgraph_alloc_stack_of(struct task_struct *t);
void fgraph_queue_task(struct task_struct *t);

/* fgraph_sleep.c; both functions need ftrace_lock. */
int fgraph_start_sleep_clock(void);
void fgraph_stop_sleep_clock(void);

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * A function, its info or NULL, and a bit for each user that traces it. In an empty slot,
 * @func is 0 and @users equals fgraph_hash::others.
 */
struct fgraph_hash_slot {
	unsigned long		func;
	const void		*info;
	u32			users;
};

/*
 * The functions that filters contain, or all functions. @others contains a bit for each
 * user that traces all functions that are not in the hash. The infos follow the slots.
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
 * Return a bit for each user that traces @func. Set @info to its info, or to NULL if the
 * hash contains none. Preemption must be disabled.
 */
static __always_inline unsigned long fgraph_look_up_func(unsigned long func,
							 const void **info)
{
	/* RCU may not be watching: rcu_dereference() would warn */
	const struct fgraph_hash_slot *slot =
		fgraph_find_hash_slot(rcu_dereference_raw(fgraph_hash), func);

	*info = READ_ONCE(slot->info);
	return slot->users;
}

/**
 * struct fgraph_info_ops - the source of the infos of functions
 * @size:	the size of an info in bytes, a multiple of the size of a long
 * @fill:	return the info of a function, filled into @room, or an info that is never
 *		freed. It may sleep. ftrace_lock is held.
 *
 * fgraph does not know what an info contains. It allocates the room with the hash, and
 * frees it with the hash, after a grace period of RCU tasks rude. So an info is valid
 * until the callback that looked it up enables preemption. The source must call
 * fgraph_info_changed() before something is freed that an info refers to, and then wait
 * for such a grace period.
 */
struct fgraph_info_ops {
	size_t		size;
	const void	*(*fill)(unsigned long func, void *room);
};

/* fgraph_hash.c; fgraph_info_get() and fgraph_info_put() take ftrace_lock, the others need it. */
void fgraph_info_get(const struct fgraph_info_ops *ops);
void fgraph_info_put(void);
void fgraph_info_changed(void);
void fgraph_forget_infos(void);
struct fgraph_hash *fgraph_make_hash(void);
void fgraph_replace_hash(struct fgraph_hash *table);

/* fgraph_hooks.c; these functions need ftrace_lock. */
int fgraph_hook_functions(void);
void fgraph_unhook_functions(void);
void fgraph_drop_hooks(void);

/* fgraph_filter.c; these functions need ftrace_lock. */
int fgraph_own_filter(struct fgraph_ops *gops);
void fgraph_disown_filter(struct fgraph_ops *gops);
#else
static inline unsigned long fgraph_look_up_func(unsigned long func, const void **info)
{
	*info = NULL;
	return FGRAPH_LIVE;
}

static inline int fgraph_hook_functions(void) { return 0; }
static inline void fgraph_unhook_functions(void) { }
static inline void fgraph_drop_hooks(void) { }
static inline void fgraph_disown_filter(struct fgraph_ops *gops) { }
#endif

#endif /* _KERNEL_TRACE_FGRAPH_INTERNAL_H */
