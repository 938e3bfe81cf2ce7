// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of fgraph: an interrupt at each instruction of a traced call.
 *
 * If the clock counts instructions, as in a guest of QEMU with -icount, a timer expires
 * a known number of instructions after it was set. Each round sets the timer, spins,
 * and makes a traced call:
 *
 *	set the timer     call begins            call returns
 *	|                 |                      |
 *	+---- spinning ---+-- entry -- return ---+
 *	                       ^ interrupt
 *
 * The spinning time varies in steps of one instruction, so that the interrupt lands on
 * each instruction of the entry and the return. The interrupt calls traced functions
 * itself and walks the stack. After each round, the state must be as if no interrupt
 * had arrived.
 *
 * The test records the address where each interrupt landed. If the clock distinguishes
 * each instruction from the next, the clock proves that no instruction was skipped.
 * Otherwise the test repeats the pass until a pass finds no new address.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/sort.h>
#include <linux/timex.h>
#include <linux/vmalloc.h>

#include <asm/irq_regs.h>

#include "../fgraph_internal.h"
#include "fgraph_kunit.h"
#include "fgraph_sweep_kunit.h"

#define FGK_SWEEP_USERS		4
/* The index of the user that refuses all calls */
#define FGK_SWEEP_REFUSES	2
/* Calls from the callbacks of the first user: at entry and return of four calls */
#define FGK_SWEEP_RECURSED	8

/* The largest size of return_to_handler(), in bytes */
#define FGK_RETURN_BYTES	128

#define FGK_MAX_LANDINGS	BIT(18)
#define FGK_MAX_PASSES		24

/*
 * The delay of a timer, in cycles, that is allowed because its clock is coarser than
 * get_cycles()
 */
#define FGK_MAX_LATE		64

/*
 * A round of fgk_spin() has fewer instructions than FGK_MAX_STRIDE. With FGK_MIN_SPINS
 * rounds or more, both loops of fgk_spin() run.
 */
#define FGK_MAX_STRIDE		16
#define FGK_MIN_SPINS		(FGK_MAX_STRIDE + 2)
#define FGK_MAX_SPINS		10000

/* The stage of the swept call when the interrupt arrives */
enum fgk_stage {
	FGK_BEFORE,
	FGK_INSIDE,
	FGK_AFTER,
};

/*
 * FGK_FIND_TIME sets the timer later in each round, until the interrupt arrives after
 * the swept call although fgk_spin() is short. FGK_FIND_DELAY then makes fgk_spin()
 * longer, until the interrupt arrives before the call. FGK_SWEEP steps through all
 * shorter lengths, one instruction apart, until the interrupt arrives after the call
 * again.
 */
enum fgk_phase {
	FGK_FIND_TIME,
	FGK_FIND_DELAY,
	FGK_SWEEP,
	FGK_DONE,
};

/* The errors that a round can detect: bits */
enum fgk_sweep_error {
	FGK_WRONG_INTERRUPTS		= BIT(0),
	FGK_WRONG_RESULT		= BIT(1),
	FGK_WRONG_COUNT			= BIT(2),
	FGK_WRONG_CALLBACK		= BIT(3),
	FGK_WRONG_MISSED		= BIT(4),
	FGK_WRONG_DEPTH			= BIT(5),
	FGK_WRONG_MARKS			= BIT(6),
	FGK_WRONG_TRACE			= BIT(7),
	FGK_HOOK_IN_TRACE		= BIT(8),
};

/*
 * The landing of an interrupt: the interrupted address, the number of the interrupted
 * instruction in the swept call, and the time since the timer was set, in cycles. The
 * numbers of instructions begin at a constant offset.
 */
struct fgk_landing {
	unsigned long	ip;
	long		instruction;
	long		took;
};

struct fgk_sweep {
	const struct fgk_trigger	*trigger;
	struct fgk_user			*users[FGK_SWEEP_USERS];
	/* The backtrace without users */
	struct fgk_trace		plain;
	/* The return address of hooked functions */
	unsigned long			hook;
	/* The clock distinguishes each instruction from the next */
	bool				exact;

	/* The phase, and the number of successive landings after the swept call */
	enum fgk_phase			phase;
	unsigned int			first_spins, after;
	/* The shortest time from setting the timer to the interrupt */
	long				least;

	/* This round: the expiry of the timer, and the arguments of fgk_spin() */
	unsigned int			ns, spins, longer;
	/* Its highest bits are the argument of fgk_wait() */
	u32				random;
	enum fgk_stage			stage, landed_at;
	/* The retfunc of the last user has been called for the swept call */
	bool				returning;
	cycles_t			armed, start;
	struct fgk_landing		landing;
	int				interrupts;
	int				result, result_inside;
	struct fgk_trace		trace;
	/* The depth of fgk_outer() for each user, when the interrupt called it */
	int				depth[FGK_SWEEP_USERS];

	/* All rounds */
	struct fgk_landing		*landings;
	int				nr_landings;
	int				nr_addresses;
	int				rounds, wrong_rounds, passes;
	/* The number of times that a user saw the interrupt outside, or inside, the swept call */
	int				shallow, deep;
	/* The number of backtraces that ended early, at the return of the swept call */
	int				cut;
};

/* The current sweep, because an interrupt handler gets no argument */
static struct fgk_sweep *fgk_sweep;

/*
 * Spin for @spins rounds, of which @longer are one instruction longer than the others.
 * Both loops must run, because skipping a loop changes the number of instructions.
 */
static noinline void fgk_spin(unsigned int spins, unsigned int longer)
{
	unsigned int i;

	for (i = spins - longer; i; i--)
		asm volatile(".rept 8\n\tnop\n\t.endr");
	for (i = longer; i; i--)
		asm volatile(".rept 9\n\tnop\n\t.endr");
}

/*
 * The clock of a timer is coarser than get_cycles(). A round begins at any phase of it: if the
 * phase changed from round to round as the delay does, some instructions would never be
 * interrupted.
 */
static noinline void fgk_wait(unsigned int rounds)
{
	while (rounds--)
		asm volatile("nop");
}

static long fgk_measure_spin(unsigned int spins, unsigned int longer)
{
	unsigned long flags;
	cycles_t cycles;

	local_irq_save(flags);
	cycles = get_cycles();
	fgk_spin(spins, longer);
	cycles = get_cycles() - cycles;
	local_irq_restore(flags);
	return cycles;
}

/*
 * If the clock counts instructions, the same code always takes the same time. With a
 * coarse clock, the measured times may differ by one tick.
 */
static bool fgk_clock_counts_instructions(void)
{
	long first = fgk_measure_spin(10000, 1);
	int i;

	for (i = 0; i < 20; i++)
		if (abs(fgk_measure_spin(10000, 1) - first) > 1)
			return false;
	return first > 0;
}

static bool fgk_clock_is_exact(void)
{
	int i;

	for (i = 1; i < 20; i++)
		if (fgk_measure_spin(100, i + 1) - fgk_measure_spin(100, i) != 1)
			return false;
	return true;
}

/* The handler of the interrupt, called by each trigger */
void fgk_sweep_land(unsigned long ip)
{
	struct fgk_sweep *sweep = fgk_sweep;

	sweep->landing.took = get_cycles() - sweep->armed;
	sweep->landing.ip = ip;
	sweep->landed_at = sweep->stage;
	sweep->returning = atomic_read(&sweep->users[FGK_SWEEP_USERS - 1]->returned);
	WRITE_ONCE(sweep->interrupts, sweep->interrupts + 1);
	sweep->result_inside = fgk_outer(fgk_save_trace, &sweep->trace);
}

static struct hrtimer fgk_timer;

static enum hrtimer_restart fgk_timer_expires(struct hrtimer *timer)
{
	fgk_sweep_land(instruction_pointer(get_irq_regs()));
	return HRTIMER_NORESTART;
}

static const char *fgk_prepare_timer(void)
{
	hrtimer_init(&fgk_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	fgk_timer.function = fgk_timer_expires;
	return NULL;
}

static void fgk_arm_timer(unsigned int ns)
{
	hrtimer_start(&fgk_timer, ns_to_ktime(ns), HRTIMER_MODE_REL_PINNED_HARD);
}

static void fgk_disarm_timer(void)
{
	hrtimer_cancel(&fgk_timer);
}

static const struct fgk_trigger fgk_timer_trigger = {
	.prepare	= fgk_prepare_timer,
	.clean_up	= fgk_disarm_timer,
	.arm		= fgk_arm_timer,
	.disarm		= fgk_disarm_timer,
};

/* Make the swept call. Its callers are traced, so that backtraces must find them. */
static void fgk_call_swept(void *arg)
{
	unsigned int patience = 1000000;
	struct fgk_sweep *sweep = arg;

	sweep->random = next_pseudo_random32(sweep->random);
	preempt_disable();
	fgk_wait(sweep->random >> 28);
	sweep->armed = get_cycles();
	sweep->trigger->arm(sweep->ns);
	fgk_spin(sweep->spins, sweep->longer);
	sweep->start = get_cycles();
	WRITE_ONCE(sweep->stage, FGK_INSIDE);
	sweep->result = fgk_leaf_1(41);
	WRITE_ONCE(sweep->stage, FGK_AFTER);
	while (!READ_ONCE(sweep->interrupts) && --patience)
		barrier();
	sweep->trigger->disarm();
	preempt_enable();
}

/* Run a round. Without users, save the backtrace for comparison instead. */
static void fgk_sweep_or_save(void *arg)
{
	struct fgk_sweep *sweep = arg;

	if (sweep->users[0])
		fgk_call_swept(sweep);
	else
		fgk_save_trace(&sweep->plain);
}

/*
 * Call a target function from a callback. It must not be traced, even if an interrupt
 * arrives during the call. Do not make a call in an interrupt, where the recursion
 * guard admits one more level.
 */
static void fgk_recurse_in_task(struct fgk_user *user, struct fgraph_call *call)
{
	if (!irqs_disabled())
		fgk_leaf_4(1);
}

static void fgk_note_depth(struct fgk_user *user, struct fgraph_call *call)
{
	struct fgk_sweep *sweep = user->gops.private;
	int i;

	if (!sweep->interrupts || !fgk_is(call, fgk_outer))
		return;
	for (i = 0; i < FGK_SWEEP_USERS; i++)
		if (user == sweep->users[i])
			sweep->depth[i] = call->depth;
}

static void fgk_note_depth_and_recurse(struct fgk_user *user, struct fgraph_call *call)
{
	fgk_note_depth(user, call);
	fgk_recurse_in_task(user, call);
}

/*
 * Poison the free part of the shadow stack. Otherwise the remains of a round could hide
 * that the next round does not write a field in time.
 */
static void fgk_poison_stack(void)
{
	struct fgraph_stack *st = current->ret_stack;

	memset(&st->words[st->busy], 0x5a, (st->limit - st->busy) * sizeof(*st->words));
}

static void fgk_prepare_round(struct fgk_sweep *sweep)
{
	int i;

	sweep->stage = FGK_BEFORE;
	sweep->interrupts = 0;
	sweep->result = 0;
	sweep->result_inside = 0;
	sweep->trace.nr = 0;
	fgk_poison_stack();
	for (i = 0; i < FGK_SWEEP_USERS; i++) {
		sweep->depth[i] = -1;
		fgk_reset_user(sweep->users[i]);
		sweep->users[i]->words = i;
		sweep->users[i]->refuse = i == FGK_SWEEP_REFUSES;
		sweep->users[i]->at_entry = fgk_note_depth;
	}
	sweep->users[0]->at_return = fgk_recurse_in_task;
	sweep->users[0]->at_entry = fgk_note_depth_and_recurse;
}

/*
 * Three calls enclose the swept call; the user that refuses calls counts none of them.
 * An interrupt inside the swept call may be one deeper.
 */
static unsigned int fgk_check_depth_inside(struct fgk_sweep *sweep, int i)
{
	int around = i == FGK_SWEEP_REFUSES ? 0 : 3;

	if (sweep->depth[i] == around)
		sweep->shallow++;
	else if (sweep->depth[i] == around + 1 && sweep->landed_at == FGK_INSIDE)
		sweep->deep++;
	else
		return FGK_WRONG_DEPTH;
	return 0;
}

/*
 * A user is called for seven calls: three around the swept call, the swept call, and
 * three in the interrupt.
 */
static unsigned int fgk_check_user(struct fgk_sweep *sweep, int i)
{
	struct fgk_user *user = sweep->users[i];
	int accepted = i == FGK_SWEEP_REFUSES ? 0 : 7;
	unsigned int wrong = 0;

	if (atomic_read(&user->entered) != accepted ||
	    atomic_read(&user->returned) != accepted ||
	    atomic_read(&user->refused) != 7 - accepted)
		wrong |= FGK_WRONG_COUNT;
	if (atomic_read(&user->errors))
		wrong |= FGK_WRONG_CALLBACK;
	if (atomic_read(&user->no_room) || fgk_missed(user) ||
	    fgk_recursed(user) != FGK_SWEEP_RECURSED)
		wrong |= FGK_WRONG_MISSED;
	return wrong | fgk_check_depth_inside(sweep, i);
}

static unsigned int fgk_check_marks(void)
{
	const struct fgraph_stack *st = current->ret_stack;

	if (st->curr || st->busy || st->context || st->limit != fgraph_max_limit())
		return FGK_WRONG_MARKS;
	return 0;
}

/*
 * At the end of a return, the frame is popped and the return address is only in a
 * register. A backtrace may end early only there.
 */
static bool fgk_may_be_cut(const struct fgk_sweep *sweep)
{
	return sweep->landed_at == FGK_INSIDE &&
	       (sweep->returning || sweep->landing.ip - sweep->hook < FGK_RETURN_BYTES);
}

/*
 * The backtrace must end with the traced functions around the swept call and with the
 * callers of the test.
 */
static unsigned int fgk_check_trace(struct fgk_sweep *sweep)
{
	unsigned int callers = fgk_find_callers(&sweep->plain, fgk_inner) - 1;
	const struct fgk_trace *trace = &sweep->trace;
	unsigned int wrong = 0;
	int i;

	if (!trace->nr)
		return FGK_WRONG_TRACE;
	for (i = 0; i < trace->nr - 1; i++)
		if (trace->entries[i] == sweep->hook && sweep->landing.ip != sweep->hook)
			wrong |= FGK_HOOK_IN_TRACE;
	if (fgk_may_be_cut(sweep) && trace->entries[i] - sweep->hook < FGK_RETURN_BYTES)
		sweep->cut++;
	else if (fgk_count_same(trace, &sweep->plain) < sweep->plain.nr - callers)
		wrong |= FGK_WRONG_TRACE;
	return wrong;
}

/* Keep the landing, unless another timer delayed the interrupt. */
static void fgk_keep_landing(struct fgk_sweep *sweep)
{
	struct fgk_landing *landing = &sweep->landing;

	if (sweep->landed_at != FGK_INSIDE || sweep->nr_landings == FGK_MAX_LANDINGS)
		return;
	if (sweep->trigger->is_exact)
		landing->instruction = sweep->armed - sweep->start;
	else
		landing->instruction = landing->took - (sweep->start - sweep->armed);
	if (sweep->exact && landing->took > sweep->least + FGK_MAX_LATE)
		return;
	sweep->landings[sweep->nr_landings++] = *landing;
}

static void fgk_check_round(struct kunit *test, struct fgk_sweep *sweep)
{
	unsigned int wrong = 0;
	int i;

	if (sweep->interrupts != 1)
		wrong |= FGK_WRONG_INTERRUPTS;
	if (sweep->result != 42 || sweep->result_inside != 123)
		wrong |= FGK_WRONG_RESULT;
	for (i = 0; i < FGK_SWEEP_USERS; i++)
		wrong |= fgk_check_user(sweep, i);
	wrong |= fgk_check_marks();
	wrong |= fgk_check_trace(sweep);

	sweep->rounds++;
	fgk_keep_landing(sweep);
	if (!wrong || sweep->wrong_rounds++ > 20)
		return;
	kunit_err(test, "interrupt at %pS: errors %#x, bits of enum fgk_sweep_error\n",
		  (void *)sweep->landing.ip, wrong);
	for (i = 0; wrong >= FGK_WRONG_TRACE && i < sweep->trace.nr; i++)
		kunit_err(test, "  %pS\n", (void *)sweep->trace.entries[i]);
}

/*
 * Register the users after the first call of fgk_sweep_or_save(), which saves the
 * backtrace without users. All rounds follow.
 */
static void fgk_add_sweep_users(struct kunit *test, struct fgk_sweep *sweep)
{
	static const char * const names[] = { "0", "1", "2", "3" };
	int i;

	for (i = 0; i < FGK_SWEEP_USERS; i++) {
		sweep->users[i] = fgk_new_user(test, names[i]);
		sweep->users[i]->gops.private = sweep;
		KUNIT_ASSERT_EQ(test, fgk_filter_all(sweep->users[i]), 0);
		fgk_register(test, sweep->users[i]);
	}
	/* The return address of a traced function is the hook. */
	sweep->hook = fgk_return_caller();
}

static enum fgk_phase fgk_sweep_on(struct fgk_sweep *sweep)
{
	sweep->after = sweep->landed_at == FGK_AFTER ? sweep->after + 1 : 0;
	if (sweep->after > 2 * FGK_MAX_STRIDE || sweep->spins <= FGK_MIN_SPINS)
		return FGK_DONE;

	if (++sweep->longer > FGK_MAX_STRIDE) {
		sweep->longer = 1;
		sweep->spins--;
	}
	return FGK_SWEEP;
}

static enum fgk_phase fgk_next_phase(struct fgk_sweep *sweep)
{
	switch (sweep->phase) {
	case FGK_FIND_TIME:
		sweep->ns += 1000;
		/* The last step is a margin: the sweep ends with late interrupts */
		return sweep->landed_at == FGK_AFTER ? FGK_FIND_DELAY : FGK_FIND_TIME;
	case FGK_FIND_DELAY:
		sweep->least = min(sweep->least, sweep->landing.took);
		if (sweep->landed_at == FGK_BEFORE)
			return FGK_SWEEP;
		sweep->spins += 8;
		sweep->first_spins = sweep->spins;
		return sweep->spins < FGK_MAX_SPINS ? FGK_FIND_DELAY : FGK_DONE;
	default:
		return fgk_sweep_on(sweep);
	}
}

static int fgk_compare_ips(const void *a, const void *b)
{
	const struct fgk_landing *x = a, *y = b;

	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

static int fgk_compare_instructions(const void *a, const void *b)
{
	const struct fgk_landing *x = a, *y = b;

	return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

static void fgk_sort_landings(struct fgk_sweep *sweep,
			      int (*compare)(const void *a, const void *b))
{
	sort(sweep->landings, sweep->nr_landings, sizeof(*sweep->landings), compare, NULL);
}

/* Keep one landing at each address. Return the number of addresses. */
static int fgk_keep_addresses(struct fgk_sweep *sweep)
{
	struct fgk_landing *landings = sweep->landings;
	int i, nr = 0;

	fgk_sort_landings(sweep, fgk_compare_ips);
	for (i = 0; i < sweep->nr_landings; i++)
		if (!nr || landings[nr - 1].ip != landings[i].ip)
			landings[nr++] = landings[i];
	sweep->nr_landings = nr;
	return nr;
}

/*
 * Find the instructions on which no interrupt landed, between the first and the last
 * landing. Print them if @say is true. Return the number of these instructions.
 */
static int fgk_find_gaps(struct kunit *test, struct fgk_sweep *sweep, bool say)
{
	const struct fgk_landing *landing = sweep->landings;
	int missed = 0;
	int i;

	fgk_sort_landings(sweep, fgk_compare_instructions);
	for (i = 1; i < sweep->nr_landings; i++, landing++) {
		long gap = landing[1].instruction - landing[0].instruction - 1;

		if (gap <= 0)
			continue;
		missed += gap;
		if (say)
			kunit_err(test, "no interrupt on %ld instructions between %pS and %pS\n",
				  gap, (void *)landing[0].ip, (void *)landing[1].ip);
	}
	return missed;
}

static bool fgk_found_all(struct kunit *test, struct fgk_sweep *sweep)
{
	int before = sweep->nr_addresses;

	if (sweep->exact)
		return !fgk_find_gaps(test, sweep, false);
	sweep->nr_addresses = fgk_keep_addresses(sweep);
	return sweep->nr_addresses == before;
}

static bool fgk_next_pass(struct kunit *test, struct fgk_sweep *sweep)
{
	if (sweep->phase != FGK_SWEEP || ++sweep->passes == FGK_MAX_PASSES ||
	    fgk_found_all(test, sweep))
		return false;

	sweep->spins = sweep->first_spins;
	sweep->longer = 1;
	sweep->after = 0;
	return true;
}

static bool fgk_next_round(struct kunit *test, struct fgk_sweep *sweep)
{
	enum fgk_phase phase = FGK_FIND_TIME;

	if (sweep->users[0]) {
		fgk_check_round(test, sweep);
		phase = fgk_next_phase(sweep);
		if (phase == FGK_DONE && fgk_next_pass(test, sweep))
			phase = FGK_SWEEP;
	} else {
		fgk_add_sweep_users(test, sweep);
	}
	sweep->phase = phase;
	fgk_prepare_round(sweep);
	return phase != FGK_DONE;
}

/* Expect that interrupts landed in each function that takes part in a traced call. */
static void fgk_expect_functions(struct kunit *test, struct fgk_sweep *sweep)
{
	static const char * const names[] = {
		"function_graph_enter_regs", "fgk_leaf_1", "return_to_handler",
		"ftrace_return_to_handler", "fgk_entry", "fgk_return",
		"fgraph_reserve_words", "fgraph_retrieve_words",
	};
	int landings[ARRAY_SIZE(names)] = { };
	char name[KSYM_SYMBOL_LEN];
	int i, j;

	for (i = 0; i < sweep->nr_landings; i++) {
		snprintf(name, sizeof(name), "%ps", (void *)sweep->landings[i].ip);
		name[strcspn(name, " ")] = '\0';
		for (j = 0; j < ARRAY_SIZE(names); j++)
			landings[j] += !strcmp(name, names[j]);
	}
	for (j = 0; j < ARRAY_SIZE(names); j++) {
		KUNIT_EXPECT_GT_MSG(test, landings[j], 0, "no interrupt landed in %s", names[j]);
		kunit_info(test, "%s: interrupted at %d addresses\n", names[j], landings[j]);
	}
}

/*
 * Return the number of instructions from the first landing to the last one. The
 * landings must be sorted by instruction.
 */
static long fgk_count_instructions(const struct fgk_sweep *sweep)
{
	const struct fgk_landing *landings = sweep->landings;

	if (!sweep->nr_landings)
		return 0;
	return landings[sweep->nr_landings - 1].instruction - landings[0].instruction + 1;
}

static struct fgk_sweep *fgk_new_sweep(struct kunit *test,
				       const struct fgk_trigger *trigger)
{
	struct fgk_sweep *sweep = kunit_kzalloc(test, sizeof(*sweep), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, sweep);
	sweep->trigger = trigger;
	sweep->landings = vmalloc(FGK_MAX_LANDINGS * sizeof(*sweep->landings));
	KUNIT_ASSERT_NOT_NULL(test, sweep->landings);
	sweep->exact = fgk_clock_is_exact();
	sweep->least = LONG_MAX;
	sweep->ns = 1000;
	sweep->spins = FGK_MIN_SPINS;
	sweep->longer = 1;
	fgk_sweep = sweep;
	return sweep;
}

static void fgk_run_sweep(struct kunit *test, const struct fgk_trigger *trigger)
{
	struct fgk_sweep *sweep;
	const char *unusable;

	if (!fgk_clock_counts_instructions())
		kunit_skip(test, "the clock does not count instructions, see -icount of QEMU");
	unusable = trigger->prepare();
	if (unusable)
		kunit_skip(test, "%s", unusable);

	sweep = fgk_new_sweep(test, trigger);
	do {
		fgk_outer(fgk_sweep_or_save, sweep);
	} while (fgk_next_round(test, sweep));
	trigger->clean_up();

	KUNIT_EXPECT_EQ(test, sweep->wrong_rounds, 0);
	KUNIT_EXPECT_GT(test, sweep->shallow, 0);
	KUNIT_EXPECT_GT(test, sweep->deep, 0);
	KUNIT_EXPECT_LT(test, sweep->nr_landings, FGK_MAX_LANDINGS);
	KUNIT_EXPECT_LT(test, sweep->passes, FGK_MAX_PASSES);
	KUNIT_EXPECT_LT(test, sweep->cut, sweep->rounds / 10);
	if (sweep->exact) {
		KUNIT_EXPECT_EQ(test, fgk_find_gaps(test, sweep, true), 0);
		kunit_info(test, "interrupts landed on each of %ld instructions\n",
			   fgk_count_instructions(sweep));
	}
	kunit_info(test, "%d interrupts in %d passes, at %d addresses; %d backtraces ended early\n",
		   sweep->rounds, sweep->passes, fgk_keep_addresses(sweep), sweep->cut);
	fgk_expect_functions(test, sweep);
	vfree(sweep->landings);
}

static void interrupt_at_each_instruction(struct kunit *test)
{
	fgk_run_sweep(test, &fgk_timer_trigger);
}

#ifdef CONFIG_X86_LOCAL_APIC
static void nmi_at_each_instruction(struct kunit *test)
{
	fgk_run_sweep(test, &fgk_nmi_trigger);
}
#endif

static long fgk_measure_call(void)
{
	unsigned long flags;
	cycles_t cycles;
	int i;

	local_irq_save(flags);
	/* Do not measure the lookups that only the first call makes */
	fgk_leaf_1(1);
	cycles = get_cycles();
	for (i = 0; i < 1000; i++)
		fgk_leaf_1(i);
	cycles = get_cycles() - cycles;
	local_irq_restore(flags);
	return cycles;
}

/*
 * Return true if a call takes @cost cycles within FGK_PATIENCE. Lookups end some time
 * after the second user is unregistered.
 */
static bool fgk_call_costs(long cost)
{
	unsigned long deadline = jiffies + FGK_PATIENCE;

	while (abs(fgk_measure_call() - cost) > 1) {
		if (time_after(jiffies, deadline))
			return false;
		msleep(20);
	}
	return true;
}

/*
 * While a second user is registered, each call looks up the users whose filter contains
 * the function. After its unregistration, a call takes as many instructions as before.
 */
static void lone_user_costs_what_it_did(struct kunit *test)
{
	struct fgk_user *user = fgk_new_user(test, "stays");
	struct fgk_user *second = fgk_new_user(test, "second");
	long alone, together;

	if (!fgk_clock_counts_instructions())
		kunit_skip(test, "the clock does not count instructions, see -icount of QEMU");

	fgk_set_filter(test, user, fgk_leaf_1);
	fgk_set_filter(test, second, fgk_leaf_2);
	fgk_register(test, user);
	/* Wait for calls that began in earlier test cases. */
	ssleep(2);
	alone = fgk_measure_call();
	fgk_register(test, second);
	together = fgk_measure_call();
	unregister_ftrace_graph(&second->gops);
	KUNIT_EXPECT_GT(test, together, alone + 10);
	KUNIT_EXPECT_TRUE(test, fgk_call_costs(alone));
	fgk_expect_no_errors(test, user);
}

static struct kunit_case fgraph_sweep_cases[] = {
	KUNIT_CASE(lone_user_costs_what_it_did),
	KUNIT_CASE(interrupt_at_each_instruction),
#ifdef CONFIG_X86_LOCAL_APIC
	KUNIT_CASE(nmi_at_each_instruction),
#endif
	{ }
};

static struct kunit_suite fgraph_sweep_suite = {
	.name = "fgraph_sweep",
	.test_cases = fgraph_sweep_cases,
};

kunit_test_suite(fgraph_sweep_suite);
