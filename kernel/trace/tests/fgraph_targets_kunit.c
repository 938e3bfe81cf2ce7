// SPDX-License-Identifier: GPL-2.0
/*
 * The target functions of the KUnit tests of fgraph. Unlike the tests, this file is
 * compiled with the hooks of ftrace.
 *
 * Each function contains a barrier. Without it, the compiler could treat the function
 * as pure and omit calls of it. A barrier after an inner call also keeps that call
 * from becoming a jump.
 */
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "fgraph_targets_kunit.h"

noinline __noclone int fgk_leaf_0(int x)
{
	barrier();
	return x;
}

noinline __noclone int fgk_leaf_1(int x)
{
	barrier();
	return x + 1;
}

noinline __noclone int fgk_leaf_2(int x)
{
	barrier();
	return x + 2;
}

noinline __noclone int fgk_leaf_3(int x)
{
	barrier();
	return x + 3;
}

noinline __noclone int fgk_leaf_4(int x)
{
	barrier();
	return x + 4;
}

noinline __noclone int fgk_recurse(int calls)
{
	int inside = 0;

	if (calls > 1)
		inside = fgk_recurse(calls - 1);
	barrier();
	return inside + 1;
}

noinline __noclone int fgk_inner(fgk_fn_t fn, void *arg)
{
	fn(arg);
	barrier();
	return 3;
}

noinline __noclone int fgk_middle(fgk_fn_t fn, void *arg)
{
	int inside = fgk_inner(fn, arg);

	barrier();
	return inside + 20;
}

noinline __noclone int fgk_outer(fgk_fn_t fn, void *arg)
{
	int inside = fgk_middle(fn, arg);

	barrier();
	return inside + 100;
}

noinline __noclone int fgk_tail_inner(fgk_fn_t fn, void *arg)
{
	int ret = 45;

	fn(arg);
	/*
	 * Otherwise LLVM returns the constant in the caller, and the call of this
	 * function is not a jump.
	 */
	OPTIMIZER_HIDE_VAR(ret);
	return ret;
}

noinline __noclone int fgk_tail_outer(fgk_fn_t fn, void *arg)
{
	barrier();
	return fgk_tail_inner(fn, arg);
}

noinline __noclone int fgk_return_int(int ret)
{
	barrier();
	return ret;
}

noinline __noclone void *fgk_return_pointer(void *ret)
{
	barrier();
	return ret;
}

noinline __noclone u64 fgk_return_u64(u64 ret)
{
	barrier();
	return ret;
}

#ifdef CONFIG_ARCH_SUPPORTS_INT128
noinline __noclone unsigned __int128 fgk_return_u128(u64 low, u64 high)
{
	barrier();
	return (unsigned __int128)high << 64 | low;
}
#endif

/*
 * The symbol is typed as a function because kprobes need the odd address of a Thumb
 * instruction.
 */
noinline __noclone void fgk_hit_breakpoint(void)
{
	asm volatile(".globl fgk_breakpoint\n\t"
		     ".type fgk_breakpoint, %function\n"
		     "fgk_breakpoint:\n\t"
		     "nop\n\t"
		     ".size fgk_breakpoint, . - fgk_breakpoint");
}

noinline __noclone unsigned long fgk_return_caller(void)
{
	barrier();
	return (unsigned long)__builtin_return_address(0);
}

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("KUnit tests of fgraph");
