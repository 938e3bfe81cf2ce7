/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_TESTS_FGRAPH_TARGETS_KUNIT_H
#define _KERNEL_TRACE_TESTS_FGRAPH_TARGETS_KUNIT_H

#include <linux/compiler.h>
#include <linux/types.h>

/*
 * The target functions of the KUnit tests of fgraph. ftrace cannot hook any other
 * function of these tests.
 */

#define FGK_LEAVES	5

/*
 * The hook of a function is less than this many bytes after its start. The alignment
 * ensures that no other target function starts this close after a leaf.
 */
#define FGK_HOOK_BYTES	16

typedef int (*fgk_leaf_t)(int x);
typedef void (*fgk_fn_t)(void *arg);

/* Leaves. Each leaf returns @x plus its number. */
int fgk_leaf_0(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_1(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_2(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_3(int x) __aligned(FGK_HOOK_BYTES);
int fgk_leaf_4(int x) __aligned(FGK_HOOK_BYTES);

/* Makes @calls nested calls, including the first one. Returns @calls. */
int fgk_recurse(int calls) __aligned(FGK_HOOK_BYTES);

/*
 * fgk_outer() calls fgk_middle(), which calls fgk_inner(), which calls @fn.
 * fgk_outer() returns 123.
 */
int fgk_outer(fgk_fn_t fn, void *arg);
int fgk_middle(fgk_fn_t fn, void *arg);
int fgk_inner(fgk_fn_t fn, void *arg);

/* fgk_tail_outer() ends in a tail call of fgk_tail_inner(). Both return 45. */
int fgk_tail_outer(fgk_fn_t fn, void *arg);
int fgk_tail_inner(fgk_fn_t fn, void *arg);

/* Each of these returns its argument. */
int fgk_return_int(int ret);
void *fgk_return_pointer(void *ret);
u64 fgk_return_u64(u64 ret);
#ifdef CONFIG_ARCH_SUPPORTS_INT128
unsigned __int128 fgk_return_u128(u64 low, u64 high);
#endif
/* Contains a nop at fgk_breakpoint, where a kprobe does not use ftrace. */
extern const char fgk_breakpoint[];
void fgk_hit_breakpoint(void);

/* Returns its own return address. */
unsigned long fgk_return_caller(void);

#endif /* _KERNEL_TRACE_TESTS_FGRAPH_TARGETS_KUNIT_H */
