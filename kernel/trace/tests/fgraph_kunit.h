/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit tests of fgraph share. They are about
 *
 *	fgraph_users_kunit.c	users that come and go
 *	fgraph_filter_kunit.c	who sees which function
 *	fgraph_slots_kunit.c	all slots taken: users that refuse, a full shadow stack
 *	fgraph_data_kunit.c	all slots taken: data in a call, state in a task
 *	fgraph_calls_kunit.c	all slots taken: what callbacks get, and interrupts
 *	fgraph_tasks_kunit.c	tasks and their shadow stacks
 *	fgraph_unwind_kunit.c	return addresses
 *	fgraph_sweep_kunit.c	an interrupt at each instruction
 *	fgraph_nmi_kunit.c	and an NMI, on x86
 *	fgraph_direct_kunit.c	direct trampolines, on x86_64
 *	fgraph_kretprobe_kunit.c	kretprobes and fprobes, on the same shadow stacks
 *
 * They need all the slots: nobody else may be using fgraph meanwhile. No test
 * is decided by time; to wait for a user to go takes RCU tasks 0.1 s and more,
 * however, so users are reused where that is no part of the test.
 */
#ifndef _KERNEL_TRACE_TESTS_FGRAPH_KUNIT_H
#define _KERNEL_TRACE_TESTS_FGRAPH_KUNIT_H

#include <linux/completion.h>
#include <linux/fgraph.h>
#include <kunit/test.h>

#include "fgraph_targets_kunit.h"

/* How long to wait for what must happen soon, in jiffies */
#define FGK_PATIENCE	(10 * HZ)

/* What a user can find wrong: bits in fgk_user::errors */
enum fgk_error {
	FGK_BAD_DEPTH			= BIT(0),
	FGK_BAD_DATA			= BIT(1),
	FGK_BAD_SIZE			= BIT(2),
	FGK_RESERVED_TWICE		= BIT(3),
	FGK_BAD_RESERVATION		= BIT(4),
	FGK_RETURN_OF_NO_CALL		= BIT(5),
	FGK_BAD_STATE			= BIT(6),
	FGK_BAD_TIME			= BIT(7),
};

/**
 * struct fgk_user - a user of fgraph that checks what it gets
 * @gops:	what is registered
 * @task:	whose calls it accepts; everybody's if NULL
 * @words:	how many words of data it reserves in each call; a call without
 *		room for them it does not accept
 * @refuse:	it accepts no call
 * @missed_before: see fgk_missed()
 * @recursed_before: see fgk_recursed()
 * @at_entry:	called for each call of @task, accepted or not
 * @at_return:	called for each return
 * @entered:	how many calls it accepted
 * @returned:	how many of them have returned
 * @refused:	how many it did not accept, because of @refuse
 * @no_room:	how many it did not accept, because there was no room for @words
 * @deepest:	the largest depth of an accepted call, -1 if there was none
 * @leaves:	a bit for each leaf of which it accepted a call
 * @errors:	what was wrong, of enum fgk_error
 *
 * Callbacks may run in interrupts: all that they write is atomic, and what they
 * find wrong is told by the test case, not by them.
 */
struct fgk_user {
	struct fgraph_ops	gops;

	struct task_struct	*task;
	unsigned int		words;
	bool			refuse;
	long			missed_before;
	long			recursed_before;
	void			(*at_entry)(struct fgk_user *user,
					    struct fgraph_call *call);
	void			(*at_return)(struct fgk_user *user,
					     struct fgraph_call *call);

	atomic_t		entered;
	atomic_t		returned;
	atomic_t		refused;
	atomic_t		no_room;
	atomic_t		deepest;
	atomic_t		leaves;
	atomic_t		errors;
};

/**
 * struct fgk_sleeper - a kthread that sleeps in traced functions when told
 * @task:	the kthread
 * @enter:	tells it to call fgk_outer()
 * @inside:	it tells that it is in fgk_inner() and about to sleep
 * @leave:	tells it to call fgk_leaf_0() and to return
 * @outside:	it tells that it has returned from fgk_outer()
 * @result:	what fgk_outer() returned
 */
struct fgk_sleeper {
	struct task_struct	*task;
	struct completion	enter;
	struct completion	inside;
	struct completion	leave;
	struct completion	outside;
	int			result;
};

#define FGK_STACK_ENTRIES	48

/* A stack, as stack_trace_save() sees it */
struct fgk_trace {
	unsigned long	entries[FGK_STACK_ENTRIES];
	unsigned int	nr;
};

extern const fgk_leaf_t fgk_leaves[FGK_LEAVES];

void fgk_init_user(struct fgk_user *user, const char *name);
void fgk_reset_user(struct fgk_user *user);
struct fgk_user *fgk_new_user(struct kunit *test, const char *name);
void fgk_register(struct kunit *test, struct fgk_user *user);
void fgk_unregister(struct fgk_user *user);
long fgk_missed(const struct fgk_user *user);
long fgk_recursed(const struct fgk_user *user);
int fgk_filter_all(struct fgk_user *user);
void fgk_add_filter(struct kunit *test, struct fgk_user *user, void *func);
void fgk_set_filter(struct kunit *test, struct fgk_user *user, void *func);

bool fgk_is(const struct fgraph_call *call, const void *func);
void fgk_found(struct fgk_user *user, enum fgk_error error);
void fgk_call_leaves(struct kunit *test);
void fgk_do_nothing(void *arg);

void fgk_expect_calls(struct kunit *test, struct fgk_user *user, int calls);
void fgk_expect_no_errors(struct kunit *test, struct fgk_user *user);

struct fgk_sleeper *fgk_new_sleeper(struct kunit *test);
void fgk_sleeper_enter(struct kunit *test, struct fgk_sleeper *sleeper);
void fgk_sleeper_leave(struct kunit *test, struct fgk_sleeper *sleeper);
bool fgk_stack_goes(struct task_struct *task);
bool fgk_gets_stack(struct task_struct *task);

extern struct fgk_user fgk_all[FGRAPH_MAX_USERS];

#define for_each_fgk_user(user) \
	for ((user) = fgk_all; (user) < fgk_all + FGRAPH_MAX_USERS; (user)++)

int fgk_register_all(struct kunit_suite *suite);
void fgk_unregister_all(struct kunit_suite *suite);
int fgk_reset_all(struct kunit *test);
void fgk_expect_calls_of_all(struct kunit *test, int calls);

/* fgraph_unwind_kunit.c */
void fgk_save_trace(void *trace);
unsigned int fgk_count_same(const struct fgk_trace *a, const struct fgk_trace *b);
unsigned int fgk_find_callers(const struct fgk_trace *trace, const void *func);

/* fgraph_direct_kunit.c: trampolines, and what they call */
void fgk_direct_before(void *arg);
void fgk_direct_around(void *arg);
void fgk_direct_called(void);
void fgk_direct_returned(void);

#endif /* _KERNEL_TRACE_TESTS_FGRAPH_KUNIT_H */
