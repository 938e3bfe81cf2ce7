// SPDX-License-Identifier: GPL-2.0
/*
 * True return addresses of hooked calls, for unwinders and for the graph tracer.
 *
 * fgraph, a kretprobe and an fprobe each replace a return address by their trampoline.
 * All of them may hook the same call. The address that a hook replaced is then the
 * trampoline of the hook before:
 *
 *	place on the kernel stack -> return_to_handler
 *	ret of the fgraph frame   -> kretprobe trampoline
 *	ret_addr of the instance  -> the caller
 *
 * An unwinder takes one step at a time: ftrace_graph_ret_addr() searches the frames of
 * the shadow stack, and fgraph_find_hook() searches the list of kretprobes or fprobes of
 * the task. fgraph_stack.c allocates the shadow stack, and fgraph.c pushes its frames.
 *
 * With parts of fgraph.c:
 * Copyright (c) 2008-2009 Frederic Weisbecker <fweisbec@gmail.com>
 * Mostly borrowed from function tracer which
 * is Copyright (c) Steven Rostedt <srostedt@redhat.com>
 */
#include <linux/kprobes.h>
#include <linux/rethook.h>

#include "fgraph_internal.h"

/*
 * Set @head to the frame that ends at @end, and return the end of the frame before it,
 * or 0. Another task may run while its stack is walked, so no value that is read from
 * its stack is trusted.
 */
static u32 fgraph_walk(struct fgraph_stack *st, u32 end,
		       struct ftrace_ret_stack **head)
{
	u32 start = READ_ONCE(fgraph_trailer(st, end)->start);
	u32 prev = READ_ONCE(fgraph_trailer(st, end)->prev);

	*head = start + FGRAPH_HEAD_WORDS <= end ? fgraph_head(st, start) : NULL;
	return prev < end ? prev : 0;
}

static u32 fgraph_walk_from(struct fgraph_stack *st)
{
	u32 end = st ? READ_ONCE(st->curr) : 0;

	return end <= fgraph_stack_words() ? end : 0;
}

/**
 * ftrace_graph_get_ret_stack - find a frame on the shadow stack of a task
 * @task: the task
 * @idx: index of the frame, 0 for the last frame that was pushed
 *
 * Context: any. The frame may be used until preemption is enabled. If @task is another task,
 * it must not exit, and the frame may change at the same time.
 * Return: the frame, or NULL if there are fewer frames.
 */
struct ftrace_ret_stack *
ftrace_graph_get_ret_stack(struct task_struct *task, int idx)
{
	struct fgraph_stack *st = READ_ONCE(task->ret_stack);
	struct ftrace_ret_stack *head = NULL;
	u32 end = fgraph_walk_from(st);

	if (idx < 0)
		return NULL;

	for (; end && idx >= 0; idx--)
		end = fgraph_walk(st, end, &head);

	return idx < 0 ? head : NULL;
}

/*
 * After a tail call, two functions share one place of the return address. There are two
 * frames for this return, and the frame of the outer function contains the true
 * address. If a kretprobe hooked the return between the two, an unwinder searches once
 * for each frame. The search continues at @idx.
 */
#ifdef HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
static struct ftrace_ret_stack *
fgraph_find_frame(struct task_struct *task, int *idx, unsigned long *retp)
{
	struct fgraph_stack *st = READ_ONCE(task->ret_stack);
	struct ftrace_ret_stack *head;
	u32 end = fgraph_walk_from(st);

	if (idx && *idx > 0 && *idx < end)
		end = *idx;
	while (end) {
		end = fgraph_walk(st, end, &head);
		if (!head || head->retp != retp || fgraph_is_hooked(head->ret))
			continue;
		if (idx)
			*idx = end;
		return head;
	}
	return NULL;
}
#else
static struct ftrace_ret_stack *
fgraph_find_frame(struct task_struct *task, int *idx, unsigned long *retp)
{
	struct ftrace_ret_stack *head;

	do {
		head = ftrace_graph_get_ret_stack(task, (*idx)++);
	} while (head && fgraph_is_hooked(head->ret));

	return head;
}
#endif

/**
 * ftrace_graph_ret_addr - find the true return address of a stack entry
 * @task:	the task that owns the stack
 * @idx:	position of the walk; zero before the first call. May be NULL with
 *		HAVE_FUNCTION_GRAPH_RET_ADDR_PTR: the search then begins at the last
 *		frame.
 * @ret:	the return address that the unwinder found
 * @retp:	the place where the unwinder found @ret; ignored if the arch does not
 *		define HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
 *
 * The function graph tracer replaces return addresses by return_to_handler.
 *
 * Context: any; the stack of @task must not change at the same time.
 * Return: the original address; @ret if it was not replaced.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx,
				    unsigned long ret, unsigned long *retp)
{
	struct ftrace_ret_stack *head;

	if (!fgraph_is_hooked(ret))
		return ret;

	/* An empty stack may be freed, but not while preemption is disabled. */
	preempt_disable_notrace();
	head = fgraph_find_frame(task, idx, retp);
	if (head)
		ret = READ_ONCE(head->ret);
	preempt_enable_notrace();

	return ret;
}

/* No kernel stack has room for more nested calls. */
#define FGRAPH_MAX_WALK		1024

/**
 * fgraph_find_hook - find the return address of a call that kretprobes or fprobes hooked
 * @hooks:	the rethooks or the kretprobe_instances of another task
 * @cur:	position of the walk; points to NULL before the first call
 * @frame:	the frame of the call
 * @trampoline:	the trampoline that hooked calls return to
 *
 * The task may wake up and return from its calls. Its shadow stack may then contain
 * anything in place of the hooks. So hooks are read with functions that expect faults,
 * and the length of the walk is limited.
 *
 * Context: any.
 * Return: the true return address, or 0.
 */
unsigned long fgraph_find_hook(const struct llist_head *hooks, struct llist_node **cur,
			       unsigned long frame, unsigned long trampoline)
{
	struct llist_node *next = READ_ONCE(hooks->first);
	struct fgraph_hook copy;
	int i;

	for (i = 0; i < FGRAPH_MAX_WALK; i++) {
		if (*cur && get_kernel_nofault(next, &(*cur)->next))
			break;
		if (!next || copy_from_kernel_nofault(&copy, next, sizeof(copy)))
			break;
		*cur = next;
		if (copy.frame == frame && copy.ret_addr != trampoline)
			return copy.ret_addr;
	}
	return 0;
}
NOKPROBE_SYMBOL(fgraph_find_hook);

/* Return the list of hooks of the current task, or NULL if @ret is not a trampoline. */
static const struct llist_head *fgraph_find_hooks(unsigned long ret)
{
#ifdef CONFIG_RETHOOK
	if (is_rethook_trampoline(ret))
		return &current->rethooks;
#endif
#ifdef CONFIG_KRETPROBES
	if (is_kretprobe_trampoline(ret))
		return &current->kretprobe_instances;
#endif
	return NULL;
}

/**
 * fgraph_unhook_probe - find the return address that a call had before a probe hooked it
 * @ret:	the return address of the call, as fgraph found it at the entry
 * @cur:	position of the walk over the hooks; points to NULL before the first call
 *
 * The last hook of the current task belongs to this call, because later calls have
 * returned. If a probe hooked this call after fgraph, it removes its hook before fgraph
 * handles the return.
 *
 * Context: within a callback.
 * Return: @ret if no probe hooked the call before fgraph. Otherwise, the address that the
 * probe replaced, or 0 if it is not found.
 */
unsigned long fgraph_unhook_probe(unsigned long ret, const struct llist_node **cur)
{
	const struct llist_head *hooks = fgraph_find_hooks(ret);
	const struct fgraph_hook *hook;
	const struct llist_node *node;

	if (likely(!hooks))
		return ret;

	for (node = *cur ? (*cur)->next : hooks->first; node; node = node->next) {
		hook = container_of(node, struct fgraph_hook, llist);
		*cur = node;
		if (hook->ret_addr != ret)
			return hook->ret_addr;
	}
	return 0;
}

/* Implement fgraph_find_caller(). Frames of functions that the trampoline calls are below @regs. */
unsigned long fgraph_find_hooked_caller(const struct llist_node *node,
					const struct pt_regs *regs)
{
#ifdef HAVE_FUNCTION_GRAPH_RET_ADDR_PTR
	struct ftrace_ret_stack *head;
	unsigned long ret;
	int i;

	for (i = 0; (head = ftrace_graph_get_ret_stack(current, i)); i++) {
		if ((unsigned long)head->retp < (unsigned long)regs)
			continue;
		ret = fgraph_unhook_probe(head->ret, &node);
		if (!fgraph_is_hooked(ret))
			return ret;
	}
#endif
	return 0;
}
NOKPROBE_SYMBOL(fgraph_find_hooked_caller);
