/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the KUnit tests of fgraph share. Each file tests one topic:
 *
 *	fgraph_users_kunit.c	registration and unregistration of users
 *	fgraph_filter_kunit.c	the filter of each user
 *	fgraph_slots_kunit.c	all slots taken: users that refuse, a full shadow stack
 *	fgraph_data_kunit.c	all slots taken: data in a call, state in a task
 *	fgraph_calls_kunit.c	all slots taken: arguments of callbacks, and interrupts
 *	fgraph_tasks_kunit.c	tasks and their shadow stacks
 *	fgraph_unwind_kunit.c	return addresses and backtraces
 *	fgraph_sweep_kunit.c	an interrupt at each instruction
 *	fgraph_nmi_kunit.c	the NMI for fgraph_sweep_kunit.c, on x86
 *	fgraph_direct_kunit.c	direct trampolines, on x86_64
 *	fgraph_kretprobe_kunit.c	kretprobes and fprobes on the same shadow stacks
 *
 * Two more files support the tests: fgraph_fixture_kunit.c contains the users and
 * the sleeping task, fgraph_targets_kunit.c contains the traced functions.
 *
 * The tests need all slots: nothing else may use fgraph while they run. Their results
 * do not depend on time. Unregistering a user waits for a grace period of RCU tasks,
 * which takes 0.1 s or more. Tests therefore reuse users unless they test the
 * registration itself.
 */
#ifndef _KERNEL_TRACE_TESTS_FGRAPH_KUNIT_H
#define _KERNEL_TRACE_TESTS_FGRAPH_KUNIT_H

#include <linux/completion.h>
#include <linux/fgraph.h>
#include <kunit/test.h>

#include "fgraph_targets_kunit.h"

/* Timeout of events that must occur soon, in jiffies */
#define FGK_PATIENCE	(60 * HZ)

/* The errors that a user can detect: bits in fgk_user::errors */
enum fgk_error {
	FGK_BAD_DEPTH			= BIT(0),
	FGK_BAD_DATA			= BIT(1),
	FGK_BAD_SIZE			= BIT(2),
	FGK_RESERVED_TWICE		= BIT(3),
	FGK_BAD_RESERVATION		= BIT(4),
	FGK_RETURN_OF_NO_CALL		= BIT(5),
	FGK_BAD_STATE			= BIT(6),
	FGK_BAD_TIME			= BIT(7),
	FGK_BAD_ARGS			= BIT(8),
};

/**
 * struct fgk_user - a user of fgraph that checks the arguments of its callbacks
 * @gops:	the fgraph_ops of the user
 * @task:	the task whose calls the user accepts, or NULL for all tasks
 * @words:	the number of words of data that the user reserves in each call; the
 *		user refuses a call without room for them
 * @refuse:	the user refuses all calls
 * @missed_before: the missed calls at the last reset or registration
 * @recursed_before: the recursive calls at the last reset or registration
 * @at_entry:	called at the entry of each call of @task, accepted or not
 * @at_return:	called at the return of each accepted call
 * @entered:	the number of accepted calls
 * @returned:	the number of accepted calls that have returned
 * @refused:	the number of calls that were refused because of @refuse
 * @no_room:	the number of calls that were refused because there was no room for
 *		@words
 * @deepest:	the largest depth of a call of @task, -1 if there was none
 * @leaves:	a bit for each leaf of which the user accepted a call
 * @errors:	the detected errors, bits of enum fgk_error
 *
 * Callbacks may run in interrupts. They write all fields atomically, and they only
 * record errors; the test case reports them.
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
 * struct fgk_sleeper - a kthread that sleeps in traced functions on request
 * @task:	the kthread
 * @enter:	completed by the test: the kthread calls fgk_outer()
 * @inside:	completed by the kthread: it is in fgk_inner() and about to sleep
 * @leave:	completed by the test: the kthread calls fgk_leaf_0() and returns
 * @outside:	completed by the kthread: it has returned from fgk_outer()
 * @result:	the return value of fgk_outer()
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

/* A backtrace, as stack_trace_save() stores it */
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

/* fgraph_direct_kunit.c: trampolines, and the functions that they call */
void fgk_direct_before(void *arg);
void fgk_direct_around(void *arg);
void fgk_direct_called(void);
void fgk_direct_returned(void);

#endif /* _KERNEL_TRACE_TESTS_FGRAPH_KUNIT_H */
