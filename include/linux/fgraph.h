/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fgraph: callbacks at the entry and at the return of functions.
 *
 * Up to FGRAPH_MAX_USERS users trace at the same time, each with a filter of
 * its own and with private data in every call that it accepts. The core is
 * kernel/trace/fgraph.c; Documentation/trace/fgraph.rst tells how to use it.
 */
#ifndef _LINUX_FGRAPH_H
#define _LINUX_FGRAPH_H

#include <linux/ftrace.h>
#include <linux/llist.h>

struct fgraph_call;
struct fgraph_ops;
struct ftrace_regs;
struct task_struct;

/* A rethook_node and a kretprobe_instance are the same from their llist on */
struct fgraph_hook {
	struct llist_node	llist;
	void			*owner;
	unsigned long		ret_addr;
	unsigned long		frame;
};

#define FGRAPH_ASSERT_HOOK(type, frame_member)					\
	static_assert(offsetof(type, ret_addr) - offsetof(type, llist) ==	\
		      offsetof(struct fgraph_hook, ret_addr) &&			\
		      offsetof(type, frame_member) - offsetof(type, llist) ==	\
		      offsetof(struct fgraph_hook, frame))

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* How many users can be registered at the same time */
#define FGRAPH_MAX_USERS	16

/* How many words one user can reserve in one call */
#define FGRAPH_MAX_DATA_WORDS	32

/* The shadow stack of a task, all in: some 90 calls, or one with all data of all users */
#define FGRAPH_STACK_BYTES	8192

/* How many of them others may have for one call, see fgraph_push_area() */
#define FGRAPH_MAX_AREA_BYTES	512

struct fgraph_stack;

/**
 * struct fgraph_task - what a user has in a task
 * @state:	the user's own; zero at first, and for each registration anew
 * @overrun:	calls that the user missed in this task so far, because the
 *		shadow stack was full
 *
 * Interrupts of the task share it.
 */
struct fgraph_task {
	u64	state;
	u32	overrun;

	/* private: the core's */
	u32	epoch;
	u32	depth;
};

/**
 * struct fgraph_call - one traced call, as one user sees it
 * @func:	address of the function
 * @depth:	how many calls that this user accepted enclose this one
 * @task:	what this user has in this task
 * @retregs:	in a retfunc, the return registers of the arch's calling
 *		convention, two words, the least significant first; NULL where
 *		the arch lacks CONFIG_HAVE_FUNCTION_GRAPH_RETVAL
 * @fregs:	in an entryfunc, the registers at the call, for
 *		fgraph_read_args(); NULL where the arch lacks
 *		CONFIG_HAVE_FUNCTION_GRAPH_ARGS. It is in the place of @retregs.
 *
 * It lives as long as the callback that gets it.
 */
struct fgraph_call {
	unsigned long		func;
	int			depth;
	struct fgraph_task	*task;
	union {
		const unsigned long		*retregs;
		const struct ftrace_regs	*fregs;
	};
};

/**
 * typedef fgraph_entryfunc_t - called when a traced function is entered
 * @gops:	the user
 * @call:	the call
 *
 * Context: any, NMI included, with preemption disabled, also where RCU is not
 * watching. It must not sleep. A function that it calls is not traced by fgraph; with
 * interrupts off, one such call is.
 * Return: non-zero to accept the call: @gops->retfunc is then called once, when
 * the function returns; zero to refuse it.
 */
typedef int (*fgraph_entryfunc_t)(struct fgraph_ops *gops,
				  struct fgraph_call *call);

/**
 * typedef fgraph_retfunc_t - called when an accepted call returns
 * @gops:	the user
 * @call:	the call
 *
 * Context: as fgraph_entryfunc_t.
 */
typedef void (*fgraph_retfunc_t)(struct fgraph_ops *gops,
				 struct fgraph_call *call);

/**
 * typedef fgraph_wants_task_t - tells whether a user may accept calls of a task
 * @gops:	the user
 * @task:	the task
 *
 * Context: any that a task may be forked in, with preemption disabled.
 */
typedef bool (*fgraph_wants_task_t)(struct fgraph_ops *gops,
				    struct task_struct *task);

/**
 * struct fgraph_ops - a user of fgraph
 * @name:	what messages call it
 * @entryfunc:	called at the entry of each function that @ops wants
 * @retfunc:	called at the return of each call that @entryfunc accepted
 * @wants_task:	tells of which tasks; NULL: of all. Those that nobody wants have no
 *		shadow stack, and nobody is asked about their calls. The answer holds
 *		while the user is registered, but for users in kernel/trace, which
 *		tell by fgraph_tasks_changed() that there may be more tasks.
 * @ops:	holds the filter: ftrace_set_filter() and its kin take it. Zeroed,
 *		it wants every function. fgraph_share_filter() makes it follow
 *		the filter of another ftrace_ops.
 * @private:	the user's own
 */
struct fgraph_ops {
	const char		*name;
	fgraph_entryfunc_t	entryfunc;
	fgraph_retfunc_t	retfunc;
	fgraph_wants_task_t	wants_task;
	struct ftrace_ops	ops;
	void			*private;

	/* private: the core's; the registration, and the index in its array */
	u32			epoch;
	int			slot;
	struct ftrace_ops_hash	*shared_hash;
};

/* When a call was entered, and how long its task had slept before, in ns */
struct fgraph_times {
	u64	calltime;
	u64	slept;
} __packed __aligned(sizeof(long));

/*
 * What the shadow stack holds first of each call. Arch code reads @ret. There are
 * @times once a user has taken the time of the entry.
 */
struct ftrace_ret_stack {
	unsigned long	ret;
	unsigned long	func;
#ifdef HAVE_FUNCTION_GRAPH_FP_TEST
	unsigned long	fp;
#endif
#ifdef HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
	unsigned long	*retp;
#endif
	struct fgraph_times times;
	/* How much private data the user of each slot has */
	u8		data_words[FGRAPH_MAX_USERS] __aligned(sizeof(long));
	u32		epoch;
};

/* No depth is larger than this */
#define FTRACE_RETFUNC_DEPTH \
	(FGRAPH_STACK_BYTES / sizeof(struct ftrace_ret_stack))

#ifndef fgraph_func_addr
/**
 * fgraph_func_addr - Where the function is that a pointer points to
 * @ptr:	a pointer to a function
 *
 * To be used for struct fgraph_call::func, ftrace_set_filter_ip() and other
 * places that take addresses. An arch whose pointers have more in them than the
 * address has its own in asm/ftrace.h.
 *
 * Return: the address.
 */
#define fgraph_func_addr(ptr)	((unsigned long)dereference_function_descriptor((void *)(ptr)))
#endif

int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
void fgraph_share_filter(struct fgraph_ops *gops, struct ftrace_ops *ops);
unsigned long fgraph_count_missed(const struct fgraph_ops *gops);
unsigned long fgraph_count_recursed(const struct fgraph_ops *gops);

void *fgraph_reserve_data(struct fgraph_call *call, unsigned int words);
void *fgraph_retrieve_data(const struct fgraph_call *call);
u64 fgraph_take_calltime(struct fgraph_call *call);
u64 fgraph_calltime(const struct fgraph_call *call, bool sleep_time);
u64 fgraph_rettime(struct fgraph_call *call);
unsigned long fgraph_return_address(const struct fgraph_call *call);
int fgraph_read_args(const struct fgraph_call *call, unsigned long *words,
		     unsigned int regs, unsigned int stack);

size_t fgraph_get_areas(size_t size);
void fgraph_put_areas(void);
void *fgraph_push_area(size_t size);
void fgraph_pop_area(size_t size);
unsigned long fgraph_find_hook(const struct llist_head *hooks, struct llist_node **cur,
			       unsigned long frame, unsigned long trampoline);

/**
 * fgraph_is_area - tell an area from other memory
 * @task:	the task of the call, which is the current one, or dead
 * @area:	what fgraph_push_area() returned for the call, or what a pool has
 *
 * The address is enough: a flag would take room on the stack.
 *
 * Context: any.
 * Return: whether it is on the shadow stack.
 */
static __always_inline bool fgraph_is_area(const struct task_struct *task,
					   const void *area)
{
	return (unsigned long)area - (unsigned long)task->ret_stack < FGRAPH_STACK_BYTES;
}

/* Where hooked calls return to: arch code that calls ftrace_return_to_handler() */
void return_to_handler(void);

int function_graph_enter_regs(unsigned long ret, unsigned long func,
			      unsigned long frame_pointer, unsigned long *retp,
			      const struct ftrace_regs *fregs);

/* For an arch that has no CONFIG_HAVE_FUNCTION_GRAPH_ARGS */
static inline int function_graph_enter(unsigned long ret, unsigned long func,
				       unsigned long frame_pointer,
				       unsigned long *retp)
{
	return function_graph_enter_regs(ret, func, frame_pointer, retp, NULL);
}

unsigned long ftrace_return_to_handler(unsigned long frame_pointer,
				       const unsigned long *retregs);

struct ftrace_ret_stack *
ftrace_graph_get_ret_stack(struct task_struct *task, int idx);

unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp);

/*
 * Sometimes we don't want to trace a function with the function
 * graph tracer but we want them to keep traced by the usual function
 * tracer if the function graph tracer is not configured.
 */
#define __notrace_funcgraph		notrace

DECLARE_STATIC_KEY_FALSE(kill_ftrace_graph);

/**
 * ftrace_graph_is_dead - returns true if ftrace_graph_stop() was called
 *
 * ftrace_graph_stop() is called when a severe error is detected in
 * the function graph tracing. This function is called by the critical
 * paths of function graph to keep those paths from doing any more harm.
 */
static inline bool ftrace_graph_is_dead(void)
{
	return static_branch_unlikely(&kill_ftrace_graph);
}

void ftrace_graph_stop(void);

/*
 * Without DYNAMIC_FTRACE, arch code compares these with ftrace_stub_graph and
 * ftrace_graph_entry_stub to see whether anybody traces. Nothing calls them.
 */
extern void (*ftrace_graph_return)(void);
extern void (*ftrace_graph_entry)(void);
void ftrace_graph_entry_stub(void);

void ftrace_graph_init_task(struct task_struct *t);
void ftrace_graph_exit_task(struct task_struct *t);
void ftrace_graph_init_idle_task(struct task_struct *t, int cpu);
void ftrace_graph_start_idle(void);

static inline void pause_graph_tracing(void)
{
	atomic_inc(&current->tracing_graph_pause);
}

static inline void unpause_graph_tracing(void)
{
	atomic_dec(&current->tracing_graph_pause);
}
#else /* !CONFIG_FUNCTION_GRAPH_TRACER */

#define __notrace_funcgraph

static inline void ftrace_graph_init_task(struct task_struct *t) { }
static inline void ftrace_graph_exit_task(struct task_struct *t) { }
static inline void ftrace_graph_init_idle_task(struct task_struct *t, int cpu) { }
static inline void ftrace_graph_start_idle(void) { }

/* These are macros because a user's fgraph_ops may not be defined. */
#define fgraph_share_filter(gops, ops) do { } while (0)
#define register_ftrace_graph(gops) ({ -1; })
#define unregister_ftrace_graph(gops) do { } while (0)

static inline unsigned long
ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
		      unsigned long *retp)
{
	return ret;
}

static inline size_t fgraph_get_areas(size_t size) { return 0; }
static inline void fgraph_put_areas(void) { }
static inline void *fgraph_push_area(size_t size) { return NULL; }
static inline void fgraph_pop_area(size_t size) { }

static inline bool fgraph_is_area(const struct task_struct *task, const void *area)
{
	return false;
}

static inline unsigned long
fgraph_find_hook(const struct llist_head *hooks, struct llist_node **cur,
		 unsigned long frame, unsigned long trampoline)
{
	return 0;
}

static inline void pause_graph_tracing(void) { }
static inline void unpause_graph_tracing(void) { }
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _LINUX_FGRAPH_H */
