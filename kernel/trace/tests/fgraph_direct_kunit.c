// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: users and a direct trampoline hook the same function.
 *
 * The trampolines work like those of BPF. Users register and unregister while a
 * trampoline is attached, and a trampoline is attached and detached while a user is
 * registered.
 */
#include <linux/ftrace.h>
#include <linux/objtool.h>
#include <linux/stringify.h>

#include <asm/ibt.h>
#include <asm/linkage.h>

#include "fgraph_kunit.h"

static int fgk_direct_calls;
static int fgk_direct_returns;

/* The trampolines call the next two functions. */
void fgk_direct_called(void)
{
	fgk_direct_calls++;
}

void fgk_direct_returned(void)
{
	fgk_direct_returns++;
}

/* The offset of the first instruction after the hook of a function */
#define FGK_BEHIND_HOOK	(ENDBR_INSN_SIZE + MCOUNT_INSN_SIZE)

/*
 * fgk_direct_before() returns to the hooked function. fgk_direct_around() calls the
 * hooked function and then returns to its caller, like a trampoline of fexit.
 */
asm("	.pushsection	.text, \"ax\", @progbits\n"
"	.type		fgk_direct_before, @function\n"
"	.globl		fgk_direct_before\n"
"fgk_direct_before:"
	ASM_ENDBR
"	pushq %rbp\n"
"	movq %rsp, %rbp\n"
"	pushq %rdi\n"
"	call fgk_direct_called\n"
"	popq %rdi\n"
"	leave\n"
	ASM_RET
"	.size		fgk_direct_before, .-fgk_direct_before\n"
"	.type		fgk_direct_around, @function\n"
"	.globl		fgk_direct_around\n"
"fgk_direct_around:"
	ASM_ENDBR
"	addq $8, %rsp\n"
"	pushq %rbp\n"
"	movq %rsp, %rbp\n"
"	pushq %rdi\n"
"	subq $8, %rsp\n"
"	call fgk_direct_called\n"
"	movq -8(%rbp), %rdi\n"
"	call fgk_leaf_0 + " __stringify(FGK_BEHIND_HOOK) "\n"
"	movq %rax, -8(%rbp)\n"
"	call fgk_direct_returned\n"
"	movq -8(%rbp), %rax\n"
"	leave\n"
	ASM_RET
"	.size		fgk_direct_around, .-fgk_direct_around\n"
"	.popsection\n"
);

/* The code removes the return address into the hooked function from the stack. */
STACK_FRAME_NON_STANDARD(fgk_direct_around);

/*
 * Call the function ten times. For each call, expect @direct calls of the trampoline,
 * @around returns through it, and @seen calls that @user accepted.
 */
static void fgk_expect_direct(struct kunit *test, int direct, int around,
			      struct fgk_user *user, int seen)
{
	int i;

	fgk_direct_calls = 0;
	fgk_direct_returns = 0;
	fgk_reset_user(user);
	user->words = 2;
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, fgk_leaf_0(i), i);
	KUNIT_EXPECT_EQ(test, fgk_direct_calls, 10 * direct);
	KUNIT_EXPECT_EQ(test, fgk_direct_returns, 10 * around);
	fgk_expect_calls(test, user, 10 * seen);
}

static void fgk_mix_with_direct(struct kunit *test, void *trampoline, int around)
{
	unsigned long func = fgraph_func_addr(fgk_leaf_0);
	unsigned long direct = (unsigned long)trampoline;
	struct fgk_user *a = fgk_new_user(test, "a");
	struct fgk_user *b = fgk_new_user(test, "b");

	fgk_set_filter(test, a, fgk_leaf_0);
	fgk_set_filter(test, b, fgk_leaf_0);

	KUNIT_ASSERT_EQ(test, register_ftrace_direct(func, direct), 0);
	fgk_expect_direct(test, 1, around, a, 0);
	fgk_register(test, a);
	fgk_expect_direct(test, 1, around, a, 1);
	fgk_register(test, b);
	fgk_expect_direct(test, 1, around, b, 1);
	unregister_ftrace_graph(&a->gops);
	fgk_expect_direct(test, 1, around, a, 0);
	fgk_expect_direct(test, 1, around, b, 1);

	KUNIT_EXPECT_EQ(test, unregister_ftrace_direct(func, direct), 0);
	fgk_expect_direct(test, 0, 0, b, 1);
	KUNIT_ASSERT_EQ(test, register_ftrace_direct(func, direct), 0);
	fgk_expect_direct(test, 1, around, b, 1);
	unregister_ftrace_graph(&b->gops);
	fgk_expect_direct(test, 1, around, b, 0);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_direct(func, direct), 0);
	fgk_expect_direct(test, 0, 0, b, 0);
}

static void users_meet_direct_trampoline(struct kunit *test)
{
	fgk_mix_with_direct(test, fgk_direct_before, 0);
}

static void users_meet_trampoline_around_the_call(struct kunit *test)
{
	fgk_mix_with_direct(test, fgk_direct_around, 1);
}

static struct kunit_case fgraph_direct_cases[] = {
	KUNIT_CASE(users_meet_direct_trampoline),
	KUNIT_CASE(users_meet_trampoline_around_the_call),
	{ }
};

static struct kunit_suite fgraph_direct_suite = {
	.name = "fgraph_direct",
	.test_cases = fgraph_direct_cases,
};

kunit_test_suite(fgraph_direct_suite);
