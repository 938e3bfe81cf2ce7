// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of set_graph_keep: which calls are recorded, and how they print.
 *
 * Each test runs a script of calls, see fgraph_keep_targets_kunit.h, in an instance with
 * rules, and compares the trace of its own task with the expected text. The only column
 * of the trace is the function calls.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/fgraph.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/trace.h>
#include <linux/trace_clock.h>

#include "../trace_graph.h"
#include "../trace_graph_rules.h"
#include "fgraph_keep_targets_kunit.h"
#include "fgraph_values_kunit.h"

#ifdef CONFIG_64BIT
#define FKK_ULONG_LINE	"fkt_ulong(); /* ret=0xffffffffffffffea (EINVAL) */\n"
#else
#define FKK_ULONG_LINE	"fkt_ulong(); /* ret=0xffffffea (EINVAL) */\n"
#endif

#define FKK_TEXT_BYTES	65536

/* The instances, the rules that actions set, and a trace as text */
static struct {
	struct trace_array	*tr;
	struct trace_array	*other;
	const char		*rules;
	char			text[FKK_TEXT_BYTES];
	struct trace_iterator	*iter;
} fkk;

/* Create an instance that records the calls of the functions of a glob. */
struct trace_array *fkk_create(const char *name, const char *glob,
			       const char *const *options)
{
	unsigned char filter[32];	/* ftrace_set_filter() modifies it. */
	struct trace_array *tr = trace_array_get_by_name(name);
	char option[32];
	int ret;

	if (!tr)
		return NULL;
	strscpy(filter, glob, sizeof(filter));
	ret = ftrace_set_filter(tr->ops, filter, strlen(filter), 1);
	ret = ret ?: tracing_set_tracer(tr, "function_graph");
	for (; !ret && *options; options++) {
		strscpy(option, *options, sizeof(option));
		ret = trace_set_options(tr, option);
	}
	if (!ret)
		return tr;
	trace_array_put(tr);
	trace_array_destroy(tr);
	return NULL;
}

void fkk_destroy(struct trace_array *tr)
{
	if (!tr)
		return;
	tracing_set_tracer(tr, "nop");
	trace_array_put(tr);
	trace_array_destroy(tr);
}

static void fkk_set_option(struct kunit *test, const char *name)
{
	char option[32];

	strscpy(option, name, sizeof(option));
	KUNIT_ASSERT_EQ(test, trace_set_options(fkk.tr, option), 0);
}

static void fkk_set_rules(struct kunit *test, const char *rules)
{
	KUNIT_ASSERT_EQ(test, trace_graph_set_rules(fkk.tr, rules), 0);
}

/* Remove the names of modules, which follow the names of functions. */
static void fkk_strip_modules(char *text)
{
	char *start, *end;

	while ((start = strstr(text, " [")) && (end = strchr(start, ']')))
		memmove(start, end + 1, strlen(end + 1) + 1);
}

/* Read the trace of @tr as text, and empty its buffer. */
static const char *fkk_read(struct trace_array *tr)
{
	struct trace_iterator *iter = fkk.iter;
	const char *line;
	size_t used = 0;

	memset(iter, 0, sizeof(*iter));
	iter->tr = tr;
	iter->trace = tr->current_trace;
	iter->array_buffer = &tr->array_buffer;
	iter->cpu_file = RING_BUFFER_ALL_CPUS;

	graph_trace_open(iter);
	while ((line = fgv_next_line(iter)) && used < sizeof(fkk.text) - 1)
		used += scnprintf(fkk.text + used, sizeof(fkk.text) - used, "%s", line);
	graph_trace_close(iter);
	fkk.text[used] = '\0';
	fkk_strip_modules(fkk.text);
	tracing_reset_online_cpus(&tr->array_buffer);
	return fkk.text;
}

/* Count the lines of a trace that contain @part. */
static unsigned int fkk_count(const char *text, const char *part)
{
	unsigned int nr = 0;

	for (; (text = strstr(text, part)); text++)
		nr++;
	return nr;
}

/* Run a script on one CPU, so that the events are in order. */
static void fkk_run(const char *text, void (*action)(void))
{
	struct fkt_script script = { .pos = text, .action = action };

	migrate_disable();
	fkt_run(&script);
	migrate_enable();
}

static void fkk_expect(struct kunit *test, const char *script, void (*action)(void),
		       const char *trace)
{
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	fkk_run(script, action);
	KUNIT_EXPECT_STREQ_MSG(test, fkk_read(fkk.tr), trace, "script: %s", script);
}

/* Rules */

static void fkk_paths_test(struct kunit *test)
{
	fkk_set_rules(test, "error");

	fkk_expect(test, "a(b c)=5", NULL, "");
	fkk_expect(test, "a=-22", NULL, "fkt_a(); /* ret=-22 (EINVAL) */\n");
	/* Only the path to the call that failed */
	fkk_expect(test, "a(b c(d=-2) b)=0", NULL,
		   "fkt_a() {\n"
		   "  fkt_c() {\n"
		   "    fkt_d(); /* ret=-2 (ENOENT) */\n"
		   "  } /* fkt_c ret=0 */\n"
		   "} /* fkt_a ret=0 */\n");
	/* Callers are written once. */
	fkk_expect(test, "a(b=-5 c(d) d=-22)=-22", NULL,
		   "fkt_a() {\n"
		   "  fkt_b(); /* ret=-5 (EIO) */\n"
		   "  fkt_d(); /* ret=-22 (EINVAL) */\n"
		   "} /* fkt_a ret=-22 (EINVAL) */\n");
	/* A kept call prints as a leaf if no call in it was kept. */
	fkk_expect(test, "a(b c)=-1 a=-4095 a=-4096", NULL,
		   "fkt_a(); /* ret=-1 (EPERM) */\n"
		   "fkt_a(); /* ret=-4095 */\n");
}

/* Wait for the clock, which is coarse on some machines. */
static void fkk_wait_for_clock(void)
{
	u64 start = trace_clock_local();

	while (trace_clock_local() == start)
		cpu_relax();
}

static void fkk_errors_test(struct kunit *test)
{
	fkk_set_rules(test, "error:EINVAL,5");
	fkk_expect(test, "a=-22 a=-5 a=-2 a=-1 a=5 a=22", NULL,
		   "fkt_a(); /* ret=-22 (EINVAL) */\n"
		   "fkt_a(); /* ret=-5 (EIO) */\n");

	/* The rule also works with spaces, signs, other names and a comment */
	fkk_set_rules(test, "# a comment\n error: -EINVAL , EWOULDBLOCK\t,-5\n\n");
	fkk_expect(test, "a=-22 a=-5 a=-2 a=-11", NULL,
		   "fkt_a(); /* ret=-22 (EINVAL) */\n"
		   "fkt_a(); /* ret=-5 (EIO) */\n"
		   "fkt_a(); /* ret=-11 (EAGAIN) */\n");

	fkk_set_rules(test, "error\n!error:EAGAIN,ENOENT\n");
	fkk_expect(test, "a=-22 a=-11 a=-2 a=-512", NULL,
		   "fkt_a(); /* ret=-22 (EINVAL) */\n"
		   "fkt_a(); /* ret=-512 (ERESTARTSYS) */\n");

	/* Another rule may keep a call with an unwanted error. */
	fkk_set_rules(test, "error\n!error:EAGAIN\nslow:1ns");
	fkk_expect(test, "a(@)=-11", fkk_wait_for_clock, "fkt_a(); /* ret=-11 (EAGAIN) */\n");
}

/* A result counts as an error if it prints as one. */
static void fkk_types_test(struct kunit *test)
{
	fkk_set_rules(test, "error");
	fkk_expect(test, "B=1 U=-22 Z=-22 V=-22 L=-4096", NULL, "");
	fkk_expect(test, "L=-22 M=-22 S=-22 X=-22 P=-22", NULL,
		   "fkt_long(); /* ret=-22 (EINVAL) */\n"
		   FKK_ULONG_LINE
		   "fkt_ssize(); /* ret=-22 (EINVAL) */\n"
		   "fkt_llong(); /* ret=-22 (EINVAL) */\n"
		   "fkt_pointer(); /* ret=-22 (EINVAL) */\n");
	/* The low half of a number looks like an error. */
	fkk_expect(test, "X=8589934570 X=4294967274", NULL, "");
}

/*
 * A status counts as an error by its type, and a rule compares the error that the kernel
 * converts it to.
 */
static void fkk_statuses_test(struct kunit *test)
{
	if (!fgraph_have_signatures())
		kunit_skip(test, "the signatures of the kernel are not loaded");

	fkk_set_rules(test, "error");
	fkk_expect(test, "K=0 F=0 F=512 F=2048 a=10", NULL, "");
	fkk_expect(test, "K=10 F=513", NULL,
		   "fkt_status(); /* ret=10 (BLK_STS_IOERR) */\n"
		   "fkt_fault(); /* ret=0x201 (VM_FAULT_OOM|VM_FAULT_LOCKED) */\n");
	fkk_set_rules(test, "error:ENOMEM");
	fkk_expect(test, "K=10 F=1", NULL, "fkt_fault(); /* ret=0x1 (VM_FAULT_OOM) */\n");
}

/* Only a signature shows that a result is a pointer. */
static void fkk_null_test(struct kunit *test)
{
	if (!fgraph_have_signatures())
		kunit_skip(test, "the signatures of the kernel are not loaded");

	fkk_set_rules(test, "null");
	fkk_expect(test, "a=0 B=0 M=0 P=0 P=4096 P=-22 V", NULL,
		   "fkt_pointer(); /* ret=NULL */\n");
}

/* No result depends on time: one limit is shorter than any call, the other longer. */
static void fkk_slow_test(struct kunit *test)
{
	fkk_set_rules(test, "slow:1ns");
	fkk_expect(test, "a(b(@))", fkk_wait_for_clock,
		   "fkt_a() {\n"
		   "  fkt_b(); /* ret=0 */\n"
		   "} /* fkt_a ret=0 */\n");

	fkk_set_rules(test, "slow:1000000s");
	fkk_expect(test, "a(b)", NULL, "");
	/* The shorter of two durations counts. */
	fkk_set_rules(test, "slow:1ns\nslow:1000000s");
	fkk_expect(test, "a(@)", fkk_wait_for_clock, "fkt_a(); /* ret=0 */\n");
}

static void fkk_sleep(void)
{
	msleep(2500);
}

static void fkk_sleep_test(struct kunit *test)
{
	fkk_set_rules(test, "slow:2s");
	fkk_expect(test, "a(b(@) c)", fkk_sleep,
		   "fkt_a() {\n"
		   "  fkt_b(); /* ret=0 */\n"
		   "} /* fkt_a ret=0 */\n");

	fkk_set_option(test, "nosleep-time");
	fkk_expect(test, "a(b(@) c)", fkk_sleep, "");
	fkk_set_option(test, "sleep-time");
}

/* The shadow stack has room for as many words of arguments as a call has. */
static void fkk_args_test(struct kunit *test)
{
	fkk_set_rules(test, "error");
	fkk_set_option(test, "funcgraph-args");
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	fkt_deep(2, -22);
	KUNIT_EXPECT_STREQ(test, fkk_read(fkk.tr),
			   "fkt_deep(calls=2, result=-22) {\n"
			   "  fkt_deep(calls=1, result=-22); /* ret=-22 (EINVAL) */\n"
			   "} /* fkt_deep ret=-22 (EINVAL) */\n");
	fkk_set_option(test, "nofuncgraph-args");
}

/* Interrupts */

static void fkk_interrupt(struct irq_work *work)
{
	fkk_run("b(c=-5)", NULL);
}

static struct irq_work fkk_irq_work = IRQ_WORK_INIT_HARD(fkk_interrupt);

static void fkk_raise_interrupt(void)
{
	/* Only an interrupt may run it. */
	preempt_disable();
	irq_work_queue(&fkk_irq_work);
	while (irq_work_is_busy(&fkk_irq_work))
		cpu_relax();
	preempt_enable();
}

/* Interrupted calls are not callers. */
static void fkk_interrupt_test(struct kunit *test)
{
	fkk_set_rules(test, "error");
	fkk_expect(test, "a(@)", fkk_raise_interrupt,
		   "  fkt_b() {\n"
		   "    fkt_c(); /* ret=-5 (EIO) */\n"
		   "  } /* fkt_b ret=0 */\n");
	fkk_expect(test, "a(@ d=-22)", fkk_raise_interrupt,
		   "  fkt_b() {\n"
		   "    fkt_c(); /* ret=-5 (EIO) */\n"
		   "  } /* fkt_b ret=0 */\n"
		   "fkt_a() {\n"
		   "  fkt_d(); /* ret=-22 (EINVAL) */\n"
		   "} /* fkt_a ret=0 */\n");
}

/* Buffers */

static void fkk_clear(void)
{
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
}

/* A return whose entry was lost is not written. The entry is written again if needed. */
static void fkk_clear_test(struct kunit *test)
{
	fkk_set_rules(test, "error");
	fkk_expect(test, "a(b=-5 @)", fkk_clear, "");
	fkk_expect(test, "a(b=-5 @ c)=-22", fkk_clear,
		   "fkt_a() { /* repeated */\n"
		   "} /* fkt_a ret=-22 (EINVAL) */\n");
	fkk_expect(test, "a(b=-5 c(@ d=-22))", fkk_clear,
		   "fkt_a() { /* repeated */\n"
		   "  fkt_c() {\n"
		   "    fkt_d(); /* ret=-22 (EINVAL) */\n"
		   "  } /* fkt_c ret=0 */\n"
		   "} /* fkt_a ret=0 */\n");
}

static void fkk_fail_often(void)
{
	int i;

	for (i = 0; i < PAGE_SIZE / 8; i++)
		fkk_run("b=-5", NULL);
}

/* The entry of a long call is repeated, so that the end of a full buffer contains it. */
static void fkk_wrap_test(struct kunit *test)
{
	struct trace_buffer *buffer = fkk.tr->array_buffer.buffer;
	const char *text, *end = "} /* fkt_a ret=0 */\n";
	unsigned long size = ring_buffer_size(buffer, raw_smp_processor_id());
	unsigned int repeated;

	fkk_set_rules(test, "error");
	KUNIT_ASSERT_GE(test, ring_buffer_resize(buffer, 4 * PAGE_SIZE,
						 RING_BUFFER_ALL_CPUS), 0);
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	fkk_run("a(@)", fkk_fail_often);
	KUNIT_EXPECT_GT(test, ring_buffer_overruns(buffer), 0);

	text = fkk_read(fkk.tr);
	ring_buffer_resize(buffer, size, RING_BUFFER_ALL_CPUS);
	KUNIT_ASSERT_GT(test, strlen(text), strlen(end));
	KUNIT_EXPECT_STREQ(test, text + strlen(text) - strlen(end), end);
	repeated = fkk_count(text, "fkt_a() { /* repeated */\n");
	/* A generation is about two pages of about five. */
	KUNIT_EXPECT_GE(test, repeated, 1);
	KUNIT_EXPECT_LE(test, repeated, 3);
}

static void fkk_tracing_off(void)
{
	ring_buffer_record_off(fkk.tr->array_buffer.buffer);
}

static void fkk_tracing_on(void)
{
	ring_buffer_record_on(fkk.tr->array_buffer.buffer);
}

/* Only the state of tracing_on at the return counts. */
static void fkk_tracing_on_test(struct kunit *test)
{
	fkk_set_rules(test, "error");
	fkk_expect(test, "a(b(c=-5 @)=-22 d=-22)=-1", fkk_tracing_off,
		   "fkt_a() {\n"
		   "  fkt_b() {\n"
		   "    fkt_c(); /* ret=-5 (EIO) */\n");
	fkk_expect(test, "a(b(@)=-22)", fkk_tracing_on,
		   "fkt_a() {\n"
		   "  fkt_b(); /* ret=-22 (EINVAL) */\n"
		   "} /* fkt_a ret=0 */\n");
}

/* Rules that change while calls are open */

static void fkk_change_rules(void)
{
	trace_graph_set_rules(fkk.tr, fkk.rules);
}

/* Set @before, run a script whose "@" sets @after, and expect a trace. */
static void fkk_expect_change(struct kunit *test, const char *before, const char *after,
			      const char *script, const char *trace)
{
	fkk_set_rules(test, before);
	fkk.rules = after;
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	/*
	 * The task need not stay on one CPU, because setting rules sleeps, and one task
	 * has few events.
	 */
	fkt_run(&(struct fkt_script){ .pos = script, .action = fkk_change_rules });
	KUNIT_EXPECT_STREQ_MSG(test, fkk_read(fkk.tr), trace, "script: %s", script);
}

static void fkk_change_test(struct kunit *test)
{
	struct cpumask *allowed = kunit_kzalloc(test, cpumask_size(), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, allowed);
	cpumask_copy(allowed, current->cpus_ptr);
	set_cpus_allowed_ptr(current, cpumask_of(raw_smp_processor_id()));

	/*
	 * If a call was entered without rules, its entry was written, and its return is
	 * also written.
	 */
	fkk_expect_change(test, "", "error", "a(@ b c=-5)",
			  "fkt_a() {\n"
			  "  fkt_c(); /* ret=-5 (EIO) */\n"
			  "} /* fkt_a ret=0 */\n");
	/* A call that was held under rules that were removed is dropped. */
	fkk_expect_change(test, "error", "", "a(@ b)=-22",
			  "  fkt_b(); /* ret=0 */\n");
	/* Its return is written if its entry was written. */
	fkk_expect_change(test, "error", "", "a(c=-5 @)",
			  "fkt_a() {\n"
			  "  fkt_c(); /* ret=-5 (EIO) */\n"
			  "} /* fkt_a ret=0 */\n");
	/* The rules at the return count. */
	fkk_expect_change(test, "error:EIO", "error:EINVAL", "a(b=-22 c=-5 @ c=-5 d=-22)",
			  "fkt_a() {\n"
			  "  fkt_c(); /* ret=-5 (EIO) */\n"
			  "  fkt_d(); /* ret=-22 (EINVAL) */\n"
			  "} /* fkt_a ret=0 */\n");

	set_cpus_allowed_ptr(current, allowed);
}

static void fkk_instances_test(struct kunit *test)
{
	fkk_set_rules(test, "error:EIO");
	KUNIT_ASSERT_EQ(test, trace_graph_set_rules(fkk.other, "error:EINVAL"), 0);
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	tracing_reset_online_cpus(&fkk.other->array_buffer);
	fkk_run("a(b=-5 c=-22)", NULL);
	KUNIT_EXPECT_STREQ(test, fkk_read(fkk.tr),
			   "fkt_a() {\n"
			   "  fkt_b(); /* ret=-5 (EIO) */\n"
			   "} /* fkt_a ret=0 */\n");
	KUNIT_EXPECT_STREQ(test, fkk_read(fkk.other),
			   "fkt_a() {\n"
			   "  fkt_c(); /* ret=-22 (EINVAL) */\n"
			   "} /* fkt_a ret=0 */\n");
}

/* A wrong rule changes nothing. */
static void fkk_wrong_rules_test(struct kunit *test)
{
	static const char *const wrong[] = {
		"err", "error:", "error:EIO,", "error:,EIO", "error:EFOO", "error:0",
		"error:4096", "error:5x", "!error", "!error:EIO", "slow", "slow:", "slow:5",
		"slow:us", "slow:0us", "slow:5 us", "slow:5min", "slow:99999999999999999999ns",
		"slow:9999999999999s", "nullx", "error\nslow:5", "error:EIO ENOMEM",
		"error:EIO,--EPERM", "slow:1.5.5ms", "slow:.ms", "slow:0.1ns",
	};
	int i;

	fkk_set_rules(test, "error:EIO");
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		KUNIT_EXPECT_EQ_MSG(test, trace_graph_set_rules(fkk.tr, wrong[i]), -EINVAL,
				    "%s", wrong[i]);
	fkk_expect(test, "a=-5 b=-22", NULL, "fkt_a(); /* ret=-5 (EIO) */\n");
}

/* The shadow stack */

/* More calls than fit on the shadow stack, and fewer than fit on the kernel stack */
#define FKK_TOO_DEEP	200
#define FKK_DEPTH	60
#define FKK_NAMES_DEPTH	40

/* At least 60 nested calls with two arguments fit. */
static void fkk_depth_test(struct kunit *test)
{
	const char *text;

	fkk_set_rules(test, "error");
	fkk_set_option(test, "funcgraph-args");
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	fkt_deep(FKK_DEPTH, -22);
	text = fkk_read(fkk.tr);
	KUNIT_EXPECT_EQ(test, fkk_count(text, "calls="), FKK_DEPTH);
	KUNIT_EXPECT_EQ(test, fkk_count(text, "missed"), 0);
	fkk_set_option(test, "nofuncgraph-args");
}

/* Nested calls with a name of 48 bytes. A call may fit although its name does not. */
static void fkk_names_depth_test(struct kunit *test)
{
	static const char name[] __aligned(8) =
		"123456789012345678901234567890123456789012345678";
	unsigned int calls, names;
	const char *text;

	fkk_set_rules(test, "error");
	fkk_set_option(test, "funcgraph-args");
	fkk_set_option(test, "funcgraph-names");
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	fkt_named(FKK_TOO_DEEP, name);
	text = fkk_read(fkk.tr);
	fkk_set_option(test, "nofuncgraph-names");
	calls = fkk_count(text, "calls=");
	names = fkk_count(text, name);
	kunit_info(test, "%u calls, %u of them with a name\n", calls, names);
	KUNIT_EXPECT_GE(test, names, FKK_NAMES_DEPTH);
	KUNIT_EXPECT_GE(test, calls, names);
}

/* Calls without room are missed. A return that encloses them is marked. */
static void fkk_full_test(struct kunit *test)
{
	unsigned long missed = fgraph_count_missed(fkk.tr->gops);
	const char *text;
	unsigned int nr;

	fkk_set_rules(test, "error");
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	fkt_deep(FKK_TOO_DEEP, -22);
	text = fkk_read(fkk.tr);
	nr = fkk_count(text, "fkt_deep() {\n") + 1;
	KUNIT_EXPECT_GE(test, nr, FKK_DEPTH);
	KUNIT_EXPECT_EQ(test, fkk_count(text, "ret=-22 (EINVAL) missed */\n"), nr);
	KUNIT_EXPECT_EQ(test, fgraph_count_missed(fkk.tr->gops) - missed,
			FKK_TOO_DEEP - nr);
	fkk_expect(test, "a=-5", NULL, "fkt_a(); /* ret=-5 (EIO) */\n");
}

/* Tasks that end */

static int fkk_exit_thread(void *started)
{
	struct fkt_script script = { .pos = "(b=-5)" };

	complete(started);
	fkt_exit(&script);
	return 0;
}

/* A call that never returns stays open. */
static void fkk_exit_test(struct kunit *test)
{
	DECLARE_COMPLETION_ONSTACK(started);
	struct task_struct *task = kthread_create(fkk_exit_thread, &started, "fkk");

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	fkk_set_rules(test, "error");
	tracing_reset_online_cpus(&fkk.tr->array_buffer);
	get_task_struct(task);
	wake_up_process(task);
	wait_for_completion(&started);
	kthread_stop(task);
	put_task_struct(task);
	KUNIT_EXPECT_STREQ(test, fkk_read(fkk.tr),
			   "fkt_exit() {\n"
			   "  fkt_b(); /* ret=-5 (EIO) */\n");
}

static void fkk_suite_exit(struct kunit_suite *suite)
{
	fkk_destroy(fkk.tr);
	fkk_destroy(fkk.other);
	kfree(fkk.iter);
	memset(&fkk, 0, sizeof(fkk));
}

static int fkk_suite_init(struct kunit_suite *suite)
{
	static const char *const options[] = {
		"nocontext-info", "funcgraph-retval", NULL
	};

	fkk.iter = kzalloc(sizeof(*fkk.iter), GFP_KERNEL);
	if (fkk.iter)
		fkk.tr = fkk_create("fgraph_keep", "fkt_*", options);
	if (fkk.tr)
		fkk.other = fkk_create("fgraph_keep_other", "fkt_*", options);
	if (fkk.other)
		return 0;
	fkk_suite_exit(suite);
	return -ENOMEM;
}

static void fkk_exit(struct kunit *test)
{
	fkk_tracing_on();
	fkk_set_option(test, "sleep-time");
	fkk_set_option(test, "nofuncgraph-args");
	fkk_set_option(test, "nofuncgraph-names");
	trace_graph_set_rules(fkk.tr, "");
	trace_graph_set_rules(fkk.other, "");
}

static struct kunit_case fgraph_keep_cases[] = {
	KUNIT_CASE(fkk_paths_test),
	KUNIT_CASE(fkk_errors_test),
	KUNIT_CASE(fkk_types_test),
	KUNIT_CASE(fkk_statuses_test),
	KUNIT_CASE(fkk_null_test),
	KUNIT_CASE(fkk_slow_test),
	KUNIT_CASE(fkk_sleep_test),
	KUNIT_CASE(fkk_args_test),
	KUNIT_CASE(fkk_interrupt_test),
	KUNIT_CASE(fkk_clear_test),
	KUNIT_CASE(fkk_wrap_test),
	KUNIT_CASE(fkk_tracing_on_test),
	KUNIT_CASE(fkk_change_test),
	KUNIT_CASE(fkk_instances_test),
	KUNIT_CASE(fkk_wrong_rules_test),
	KUNIT_CASE(fkk_depth_test),
	KUNIT_CASE(fkk_names_depth_test),
	KUNIT_CASE(fkk_full_test),
	KUNIT_CASE(fkk_exit_test),
	{ }
};

struct kunit_suite fgraph_keep_suite = {
	.name = "fgraph_keep",
	.suite_init = fkk_suite_init,
	.suite_exit = fkk_suite_exit,
	.init = fgv_need_signatures,
	.exit = fkk_exit,
	.test_cases = fgraph_keep_cases,
};
