/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the kernel that kernel/trace/fgraph_members.c and trace_graph_path.c use, for
 * user space, besides those of fuzz_kernel.h. build.sh replaces each header that they include
 * by this file.
 */
#ifndef MEMBERS_KERNEL_H
#define MEMBERS_KERNEL_H

#include <stdlib.h>

/* The functions that find members are declared with this option only. */
#define CONFIG_FUNCTION_GRAPH_NAMES	1

#include "fuzz_kernel.h"

typedef uint16_t u16;

#define CONFIG_MODULES		1
#define __init
#define GFP_KERNEL		0

#define kvmalloc(size, flags)	malloc(size)
#define kvfree(memory)		free(memory)
#define struct_size(p, member, nr)	(sizeof(*(p)) + (nr) * sizeof((p)->member[0]))
#define sort(base, nr, size, compare, swap)	qsort(base, nr, size, compare)
#define min(a, b)		((a) < (b) ? (a) : (b))
#define pr_warn(...)		fprintf(stderr, __VA_ARGS__)
#define simple_strtoul		strtoul
#define simple_strtoull		strtoull
#define smp_store_release(p, value)	(*(p) = (value))
#define smp_load_acquire(p)	(*(p))

static inline size_t str_has_prefix(const char *string, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(string, prefix, len) ? 0 : len;
}

/* There is one thread, so a lock only shows whether it is held. */
struct mutex {
	bool held;
};

#define DEFINE_MUTEX(name)	struct mutex name
#define lockdep_assert_held(lock)	mutex_check(lock, true)

static inline void mutex_check(const struct mutex *lock, bool held)
{
	if (lock->held != held)
		abort();
}

static inline void mutex_lock(struct mutex *lock)
{
	mutex_check(lock, false);
	lock->held = true;
}

static inline void mutex_unlock(struct mutex *lock)
{
	mutex_check(lock, true);
	lock->held = false;
}

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name)		struct list_head name = { &(name), &(name) }
#define list_entry(at, type, member)	((type *)((char *)(at) - offsetof(type, member)))
#define list_for_each_entry(p, head, member)				\
	for (p = list_entry((head)->next, typeof(*(p)), member);	\
	     &(p)->member != (head);					\
	     p = list_entry((p)->member.next, typeof(*(p)), member))
#define list_for_each_entry_safe(p, n, head, member)			\
	for (p = list_entry((head)->next, typeof(*(p)), member);	\
	     n = list_entry((p)->member.next, typeof(*(p)), member),	\
	     &(p)->member != (head);					\
	     p = n)

static inline void list_add(struct list_head *new, struct list_head *head)
{
	*new = (struct list_head){ head->next, head };
	new->next->prev = new;
	head->next = new;
}

static inline void list_del(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
}

struct module {
	const char	*name;
	unsigned int	num_fgraph_sites;
	unsigned int	fgraph_members_size;
	const char	*fgraph_members;
};

enum { MODULE_STATE_COMING, MODULE_STATE_GOING };

#define NOTIFY_OK	0

struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long state, void *data);
	int priority;
};

int register_module_notifier(struct notifier_block *nb);
#define core_initcall(function)	int init_members(void) { return function(); }
int init_members(void);

struct fgraph_value;
bool graph_value_is_signed(const struct fgraph_value *value);

#endif /* MEMBERS_KERNEL_H */
