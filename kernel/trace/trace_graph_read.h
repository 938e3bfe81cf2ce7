/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading memory of the kernel without faults: for trace_graph_name.c and
 * trace_graph_member.c.
 *
 * All words are aligned, so that no word is in two pages.
 */
#ifndef _KERNEL_TRACE_GRAPH_READ_H
#define _KERNEL_TRACE_GRAPH_READ_H

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <asm/sections.h>

/*
 * Return true if the memory at @addr may be read. The area of vmalloc() also contains the
 * registers of devices, and reading one can change it. So only the stack of the task and
 * modules are read there.
 */
static __always_inline bool graph_is_kernel_address(unsigned long addr)
{
	if (addr < TASK_SIZE_MAX || IS_ERR_VALUE(addr) ||
	    !copy_from_kernel_nofault_allowed((void *)addr, sizeof(long)))
		return false;
	return likely(addr < VMALLOC_START || addr >= VMALLOC_END) ||
		object_is_on_stack((void *)addr) ||
		/* Some archs have the kernel itself there. */
		__is_kernel(addr) ||
		/* RCU protects the list of modules, but does not watch idle code. */
		(rcu_is_watching() && __module_address(addr));
}

/* Read an aligned word of the kernel. Return false if it cannot be read. */
static __always_inline bool graph_read_word(unsigned long *word, unsigned long addr)
{
	if (addr % sizeof(long) || !graph_is_kernel_address(addr))
		return false;
	__get_kernel_nofault(word, (unsigned long *)addr, unsigned long, fault);
	return true;
fault:
	return false;
}

#endif /* _KERNEL_TRACE_GRAPH_READ_H */
