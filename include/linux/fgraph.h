/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fgraph: callbacks at the entry and at the return of functions.
 *
 * Up to FGRAPH_MAX_USERS users trace at the same time. Each user has its own filter,
 * and private data in each call that it accepts. The core is in
 * kernel/trace/fgraph.c. Documentation/trace/fgraph.rst describes how to use it.
 */
#ifndef _LINUX_FGRAPH_H
#define _LINUX_FGRAPH_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/llist.h>
#include <linux/types.h>

struct fgraph_call;
struct fgraph_ops;
struct ftrace_regs;
struct task_struct;

/*
 * The common part of struct rethook_node and struct kretprobe_instance, which begins at
 * their member llist. FGRAPH_ASSERT_HOOK() checks their layout.
 */
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

/**
 * struct fgraph_areas - the areas that a user has on shadow stacks
 * @size:	size of an area in bytes; 0: there are none
 * @closed:	fgraph_close_areas() was called
 * @pushed:	how many areas were pushed on a CPU, less those that were popped there. An
 *		area may be popped on another CPU. Only the sum counts the areas in use.
 * @left:	the areas in use after fgraph_close_areas()
 * @release:	called when no area is in use after fgraph_close_areas(). The user may
 *		then free this struct.
 * @rcu:	defers the sum, then @release
 *
 * Many CPUs push areas of the same user, so they must not share a counter.
 */
struct fgraph_areas {
	size_t			size;
	bool			closed;
	long __percpu		*pushed;
	atomic_long_t		left;
	void			(*release)(struct fgraph_areas *areas);
	struct rcu_head		rcu;
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Maximum number of registered users */
#define FGRAPH_MAX_USERS	16

/* Maximum number of words that one user can reserve in one call */
#define FGRAPH_MAX_DATA_WORDS	32

/*
 * Default size of a shadow stack: room for about 90 calls, or for one call with maximum data.
 * The parameter fgraph_stack raises it, up to the maximum.
 */
#define FGRAPH_STACK_BYTES	8192
#define FGRAPH_MAX_STACK_BYTES	65536

extern unsigned int fgraph_stack_bytes;

/* Maximum size of the area of one call, see fgraph_push_area() */
#define FGRAPH_MAX_AREA_BYTES	512

struct fgraph_stack;

/**
 * struct fgraph_task - state of a user in a task
 * @state:	for the user; zero at first, and again after each registration
 * @overrun:	number of calls that the user missed in this task, because the shadow
 *		stack was full
 *
 * The task and its interrupts share this state.
 */
struct fgraph_task {
	u64	state;
	u32	overrun;

	/* private: for the core only */
	u32	epoch;
	u32	depth;
};

/**
 * struct fgraph_call - a traced call, as one user sees it
 * @func:	address of the function
 * @depth:	number of enclosing calls that this user accepted
 * @task:	state of this user in this task
 * @retregs:	in a retfunc, the two return registers of the calling convention, the
 *		least significant word first; NULL if the arch lacks
 *		CONFIG_HAVE_FUNCTION_GRAPH_RETVAL
 * @fregs:	in an entryfunc, the registers at the call, for
 *		fgraph_read_args(); NULL if the arch lacks
 *		CONFIG_HAVE_FUNCTION_GRAPH_ARGS. It shares memory with @retregs.
 *
 * The struct is valid until the callback returns.
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
 * fgraph does not trace functions that this callback calls. With interrupts off, it
 * traces them one level deep, because an interrupt looks the same at its entry.
 *
 * Context: any, NMI included, with preemption disabled, also where RCU is not
 * watching. The callback must not sleep.
 * Return: non-zero to accept the call: @gops->retfunc is then called once, when
 * the function returns. Zero to refuse the call.
 */
typedef int (*fgraph_entryfunc_t)(struct fgraph_ops *gops,
				  struct fgraph_call *call);

/**
 * typedef fgraph_retfunc_t - called when an accepted call returns
 * @gops:	the user
 * @call:	the call
 *
 * Context: same as fgraph_entryfunc_t.
 */
typedef void (*fgraph_retfunc_t)(struct fgraph_ops *gops,
				 struct fgraph_call *call);

/**
 * typedef fgraph_wants_task_t - check whether a user may accept calls of a task
 * @gops:	the user
 * @task:	the task
 *
 * Context: any context in which a task may be forked, with preemption disabled.
 * Return: true if the user may accept calls of @task.
 */
typedef bool (*fgraph_wants_task_t)(struct fgraph_ops *gops,
				    struct task_struct *task);

/**
 * struct fgraph_ops - a user of fgraph
 * @name:	name of the user in messages and in function_tracers
 * @entryfunc:	called at the entry of each function that the filter contains
 * @retfunc:	called at the return of each call that @entryfunc accepted
 * @wants_task:	selects tasks; NULL selects all tasks. A task that no user selects needs
 *		no shadow stack for frames. Calls of a task without a shadow stack are
 *		not traced. If a task has one for another reason, @entryfunc is also
 *		called for its calls. The result for a task must not change while the
 *		user is registered. Users in kernel/trace may select more tasks if they
 *		then call fgraph_tasks_changed().
 * @ops:	contains the filter. ftrace_set_filter() and its variants change it. If
 *		it is zeroed, the user traces every function. fgraph_share_filter()
 *		makes it follow the filter of another ftrace_ops.
 * @private:	for the user
 */
struct fgraph_ops {
	const char		*name;
	fgraph_entryfunc_t	entryfunc;
	fgraph_retfunc_t	retfunc;
	fgraph_wants_task_t	wants_task;
	struct ftrace_ops	ops;
	void			*private;

	/* private: for the core only; number of the registration, index in fgraph_array */
	u32			epoch;
	int			slot;
	struct ftrace_ops_hash	*shared_hash;
};

/* The time of the entry, and how long the task had slept before, both in ns */
struct fgraph_times {
	u64	calltime;
	u64	slept;
} __packed __aligned(sizeof(long));

/*
 * The head of a frame on the shadow stack. Arch code reads @ret. @times is valid if a
 * user called fgraph_take_calltime() at the entry; otherwise calltime is 0.
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
	/* Number of words that the user of each slot reserved */
	u8		data_words[FGRAPH_MAX_USERS] __aligned(sizeof(long));
	u32		epoch;
};

/* A reader remembers the open calls up to this depth. */
#define FTRACE_RETFUNC_DEPTH \
	(FGRAPH_STACK_BYTES / sizeof(struct ftrace_ret_stack))

#ifndef fgraph_func_addr
/**
 * fgraph_func_addr - Get the address of a function from a pointer to it
 * @ptr:	a pointer to a function
 *
 * Compare the address with struct fgraph_call::func, or pass it to
 * ftrace_set_filter_ip() and other functions that take addresses. An arch whose
 * pointers contain more than the address defines its own macro in asm/ftrace.h.
 *
 * Return: the address.
 */
#define fgraph_func_addr(ptr)	((unsigned long)dereference_function_descriptor((void *)(ptr)))
#endif

int register_ftrace_graph(struct fgraph_ops *gops);
void unregister_ftrace_graph(struct fgraph_ops *gops);
unsigned long fgraph_count_missed(const struct fgraph_ops *gops);
unsigned long fgraph_count_recursed(const struct fgraph_ops *gops);

#ifdef CONFIG_DYNAMIC_FTRACE
void fgraph_share_filter(struct fgraph_ops *gops, struct ftrace_ops *ops);
#else
static inline void fgraph_share_filter(struct fgraph_ops *gops, struct ftrace_ops *ops) { }
#endif

unsigned int fgraph_room(const struct fgraph_call *call);
void *fgraph_reserve_words(struct fgraph_call *call, unsigned int words);
void *fgraph_retrieve_words(const struct fgraph_call *call);
u64 fgraph_take_calltime(struct fgraph_call *call);
u64 fgraph_calltime(const struct fgraph_call *call, bool sleep_time);
u64 fgraph_rettime(struct fgraph_call *call);
unsigned long fgraph_return_address(const struct fgraph_call *call);
int fgraph_read_args(const struct fgraph_call *call, unsigned long *words,
		     unsigned int regs, unsigned int stack);

bool fgraph_open_areas(struct fgraph_areas *areas, size_t size,
		       void (*release)(struct fgraph_areas *areas));
void fgraph_close_areas(struct fgraph_areas *areas);
void *fgraph_push_area(struct fgraph_areas *areas);
void fgraph_pop_area(struct fgraph_areas *areas);
void fgraph_drop_area(struct fgraph_areas *areas);
unsigned long fgraph_find_hook(const struct llist_head *hooks, struct llist_node **cur,
			       unsigned long frame, unsigned long trampoline);
unsigned long fgraph_find_hooked_caller(const struct llist_node *node,
					const struct pt_regs *regs);

/**
 * fgraph_is_area - check whether memory of a call is on the shadow stack
 * @task:	the task of the call: the current task, or a dead one
 * @area:	what fgraph_push_area() returned for the call, or memory of a pool
 *
 * The address shows where the memory is. A flag would take room on the stack.
 *
 * Context: any.
 * Return: true if @area is on the shadow stack of @task.
 */
static __always_inline bool fgraph_is_area(const struct task_struct *task,
					   const void *area)
{
	return (unsigned long)area - (unsigned long)task->ret_stack < fgraph_stack_bytes;
}

/* Arch code that hooked calls return to. It calls ftrace_return_to_handler(). */
void return_to_handler(void);

/**
 * fgraph_find_caller - find the caller of a call whose return a probe handles
 * @ret:	the return address that the probe replaced
 * @node:	the last hook that probes have for this call
 * @regs:	the registers at the return, on the stack of the call
 *
 * If fgraph hooked the call before the probe, @ret is return_to_handler().
 *
 * Context: in the trampoline, with preemption disabled.
 * Return: the address in the caller; 0 if it is not found.
 */
static __always_inline unsigned long
fgraph_find_caller(unsigned long ret, const struct llist_node *node,
		   const struct pt_regs *regs)
{
	if (likely(ret != (unsigned long)
			  dereference_kernel_function_descriptor(return_to_handler)))
		return ret;
	return fgraph_find_hooked_caller(node, regs);
}

int function_graph_enter_regs(unsigned long ret, unsigned long func,
			      unsigned long frame_pointer, unsigned long *retp,
			      const struct ftrace_regs *fregs);

/* For an arch without CONFIG_HAVE_FUNCTION_GRAPH_ARGS */
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
 * Without DYNAMIC_FTRACE, arch code compares these pointers with ftrace_stub_graph and
 * ftrace_graph_entry_stub to see whether fgraph has a user. No code calls them.
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

/* Macros do not evaluate their arguments: struct fgraph_ops is not defined here. */
#define fgraph_share_filter(gops, ops) do { } while (0)
#define register_ftrace_graph(gops) ({ -1; })
#define unregister_ftrace_graph(gops) do { } while (0)

static inline unsigned long
ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
		      unsigned long *retp)
{
	return ret;
}

static inline bool fgraph_open_areas(struct fgraph_areas *areas, size_t size,
				     void (*release)(struct fgraph_areas *areas))
{
	return false;
}

static inline void fgraph_close_areas(struct fgraph_areas *areas) { }
static inline void *fgraph_push_area(struct fgraph_areas *areas) { return NULL; }
static inline void fgraph_pop_area(struct fgraph_areas *areas) { }
static inline void fgraph_drop_area(struct fgraph_areas *areas) { }

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

static inline unsigned long
fgraph_find_caller(unsigned long ret, const struct llist_node *node,
		   const struct pt_regs *regs)
{
	return ret;
}

static inline void pause_graph_tracing(void) { }
static inline void unpause_graph_tracing(void) { }
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#endif /* _LINUX_FGRAPH_H */
