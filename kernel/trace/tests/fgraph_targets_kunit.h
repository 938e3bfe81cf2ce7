/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_TESTS_FGRAPH_TARGETS_KUNIT_H
#define _KERNEL_TRACE_TESTS_FGRAPH_TARGETS_KUNIT_H

#include <linux/compiler.h>
#include <linux/types.h>

/* The functions that the KUnit tests of fgraph trace; nothing else is. */

#define FGK_LEAVES	5

/* How far into a function its hook may be; none begins so near behind a leaf */
#define FGK_HOOK_BYTES	16

typedef int (*fgk_leaf_t)(int x);
typedef void (*fgk_fn_t)(void *arg);

/* Leaves. Each returns @x plus its number. */
int fgk_leaf_0(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_1(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_2(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_3(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_4(int x) __aligned(FGK_HOOK_BYTES);

/* As many calls, each inside the one before. Returns how many there were. */
int fgk_recurse(int calls) __aligned(FGK_HOOK_BYTES);

/* Calls fgk_middle(), that calls fgk_inner(), that calls @fn. Returns 123. */
int fgk_outer(fgk_fn_t fn, void *arg);
int fgk_middle(fgk_fn_t fn, void *arg);
int fgk_inner(fgk_fn_t fn, void *arg);

/* Leaves the rest to fgk_tail_inner() with a jump. Returns 45. */
int fgk_tail_outer(fgk_fn_t fn, void *arg);
int fgk_tail_inner(fgk_fn_t fn, void *arg);

/* Return @ret, or where they were called from. */
int fgk_return_int(int ret);
void *fgk_return_pointer(void *ret);
u64 fgk_return_u64(u64 ret);
#ifdef CONFIG_ARCH_SUPPORTS_INT128
unsigned __int128 fgk_return_u128(u64 low, u64 high);
#endif
/* With a nop at fgk_breakpoint, for a kprobe that is no hook of ftrace */
extern const char fgk_breakpoint[];
void fgk_hit_breakpoint(void);

unsigned long fgk_return_caller(void);

#endif /* _KERNEL_TRACE_TESTS_FGRAPH_TARGETS_KUNIT_H */
