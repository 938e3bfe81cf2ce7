// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of traced calls, with the signatures that the build made.
 *
 * The function_graph tracer runs in its own instance. The tests call the target
 * functions with known arguments and results. They compare the recorded words and the
 * printed text of each call with these values.
 */
#include <linux/err.h>
#include <linux/fgraph.h>
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/seq_buf.h>
#include <linux/trace.h>

#include "../trace_graph.h"
#include "../trace_graph_event.h"
#include "../trace_graph_func.h"
#include "../trace_graph_value.h"
#include "fgraph_values_kunit.h"
#include "fgraph_values_targets_kunit.h"

/* The largest number of calls that are recorded at a time */
#define FGV_CALLS	8

/* A recorded call */
struct fgv_call {
	unsigned long	func;
	int		depth;
	unsigned long	retaddr;
	unsigned int	nr;
	unsigned long	words[TRACE_GRAPH_MAX_ARGS];
	unsigned int	nr_ret;
	unsigned long	ret[2];
	bool		returned;
};

/* The instance, and the recorded calls of the task @pid */
static struct {
	struct trace_array	*tr;
	pid_t			pid;
	unsigned int		nr;
	struct fgv_call		calls[FGV_CALLS];
	struct trace_seq	seq;
} fgv;

static int fgv_set_filter(struct ftrace_ops *ops)
{
	unsigned char filter[] = "fgv_*";	/* ftrace_set_filter() modifies it */

	return ftrace_set_filter(ops, filter, strlen(filter), 1);
}

/* Set an option of the instance: "NAME" or "noNAME". */
static int fgv_set_option(const char *option)
{
	char buffer[32];

	/* trace_set_options() modifies its argument */
	strscpy(buffer, option, sizeof(buffer));
	return trace_set_options(fgv.tr, buffer);
}

static void fgv_take_entry(const struct trace_entry *ent, const void *end)
{
	const struct ftrace_graph_ent_entry *entry = (const void *)ent;
	struct graph_parts parts;
	struct fgv_call *call;

	if (fgv.nr == FGV_CALLS)
		return;
	call = &fgv.calls[fgv.nr++];
	graph_get_parts(&parts, entry->graph_ent.flags, entry->graph_ent.nr_args, entry->args,
			end);
	*call = (struct fgv_call){
		.func		= entry->graph_ent.func,
		.depth		= entry->graph_ent.depth,
		.retaddr	= parts.retaddr,
		.nr		= min_t(unsigned int, parts.nr_args, ARRAY_SIZE(call->words)),
	};
	memcpy(call->words, parts.args, call->nr * sizeof(long));
}

/* Add a return event to the last recorded call that matches and has not returned. */
static void fgv_take_return(const struct trace_entry *ent, const void *end)
{
	const struct ftrace_graph_ret_entry *entry = (const void *)ent;
	struct fgv_call *call = &fgv.calls[fgv.nr];
	struct graph_parts parts;

	while (call-- > fgv.calls) {
		if (call->returned || call->func != entry->ret.func ||
		    call->depth != entry->ret.depth)
			continue;
		graph_get_parts(&parts, entry->ret.flags, 0, entry->words, end);
		call->returned = true;
		call->ret[0] = entry->ret.retval;
		call->ret[1] = parts.high;
		call->nr_ret = parts.flags & GRAPH_WITH_HIGH ? 2 : 1;
		return;
	}
}

static void fgv_take_event(struct ring_buffer_event *event)
{
	const struct trace_entry *ent = ring_buffer_event_data(event);
	const void *end = (const void *)ent + ring_buffer_event_length(event);

	if (ent->pid != fgv.pid)
		return;
	switch (ent->type) {
	case TRACE_GRAPH_ENT:
		fgv_take_entry(ent, end);
		break;
	case TRACE_GRAPH_RET:
		fgv_take_return(ent, end);
		break;
	}
}

/* Start recording the calls of @task. */
static void fgv_start_task(struct task_struct *task)
{
	ring_buffer_reset(fgv.tr->array_buffer.buffer);
	fgv.nr = 0;
	fgv.pid = task->pid;
}

/*
 * Start recording the calls of the current task. The task stays on its CPU, so that the
 * events are in order.
 */
static void fgv_start(struct kunit *test)
{
	migrate_disable();
	fgv_start_task(current);
}

/* Take the events since the start from the ring buffer. */
static void fgv_take(void)
{
	struct trace_buffer *buffer = fgv.tr->array_buffer.buffer;
	struct ring_buffer_event *event;
	int cpu;

	for_each_online_cpu(cpu)
		while ((event = ring_buffer_consume(buffer, cpu, NULL, NULL)))
			fgv_take_event(event);
}

/* Stop recording. Expect @nr calls. */
static void fgv_stop(struct kunit *test, unsigned int nr)
{
	migrate_enable();
	fgv_take();
	KUNIT_ASSERT_EQ(test, fgv.nr, nr);
}

/* Return the line of @call as in a trace, in the form of a leaf function. */
static const char *fgv_line(const struct fgv_call *call)
{
	const struct graph_words args = { .words = call->words, .nr = call->nr };
	const struct graph_words ret = { .words = call->ret, .nr = call->nr_ret };
	struct trace_seq *s = &fgv.seq;

	trace_seq_init(s);
	trace_seq_printf(s, "%ps", (void *)call->func);
	/* Print a clone under the name of its origin */
	s->seq.len = strcspn(s->buffer, ". ");
	print_graph_args(s, call->func, &args);
	trace_seq_putc(s, ';');
	if (call->returned && graph_has_result(NULL, call->func)) {
		trace_seq_putc(s, ' ');
		print_graph_retval(s, call->func, &ret, 0);
	}
	trace_seq_putc(s, '\0');
	return s->buffer;
}

/* Stop recording. Expect one call, which prints as @line. */
static void fgv_expect(struct kunit *test, const char *line)
{
	fgv_stop(test, 1);
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[0]), line);
}

#define FGV_CHECK(test, call, line) do {	\
	fgv_start(test);			\
	(void)(call);				\
	fgv_expect(test, line);			\
} while (0)

/* Pass all bits of @word to @fn, so that the bits above the type contain garbage. */
static long fgv_call_raw(void *fn, unsigned long word)
{
	long (*raw)(unsigned long word) = fn;

	/* Hide the function, because the compiler may drop a call with a wrong type */
	OPTIMIZER_HIDE_VAR(raw);
	return raw(word);
}

#define FGV_DIRT	(0xdeadbeefUL << (BITS_PER_LONG - 32))

static void fgv_integers_test(struct kunit *test)
{
	FGV_CHECK(test, fgv_bool(true), "fgv_bool(x=true); ret=true");
	FGV_CHECK(test, fgv_bool(false), "fgv_bool(x=false); ret=false");
	FGV_CHECK(test, fgv_schar(-5), "fgv_schar(x=-5); ret=-5");
	FGV_CHECK(test, fgv_uchar(251), "fgv_uchar(x=0xfb); ret=0xfb");
	FGV_CHECK(test, fgv_short(-5), "fgv_short(x=-5); ret=-5");
	FGV_CHECK(test, fgv_ushort(0xfffb), "fgv_ushort(x=0xfffb); ret=0xfffb");
	FGV_CHECK(test, fgv_int(5), "fgv_int(x=5); ret=5");
	FGV_CHECK(test, fgv_int(-22), "fgv_int(x=-22); ret=-22 (EINVAL)");
	FGV_CHECK(test, fgv_uint(-5), "fgv_uint(x=0xfffffffb); ret=0xfffffffb");
	FGV_CHECK(test, fgv_long(-4096), "fgv_long(x=-4096); ret=-4096");
	/* An argument does not print as an error, because -100 may be AT_FDCWD */
	FGV_CHECK(test, fgv_long(-100), "fgv_long(x=-100); ret=-100 (ENETDOWN)");
	FGV_CHECK(test, fgv_ulong(0x1234), "fgv_ulong(x=0x1234); ret=0x1234");
	FGV_CHECK(test, fgv_llong(-1LL << 40),
		  "fgv_llong(x=-1099511627776); ret=-1099511627776");
	FGV_CHECK(test, fgv_ullong(1ULL << 40),
		  "fgv_ullong(x=0x10000000000); ret=0x10000000000");
#ifdef CONFIG_ARCH_SUPPORTS_INT128
	FGV_CHECK(test, fgv_u128((unsigned __int128)2 << 64 | 1),
		  "fgv_u128(x=0x20000000000000001); ret=0x20000000000000001");
#endif
}

/* Sizes and offsets print in decimal, also through further typedefs. */
static void fgv_sizes_test(struct kunit *test)
{
	FGV_CHECK(test, fgv_size(200), "fgv_size(x=200); ret=200");
	FGV_CHECK(test, fgv_my_size(0), "fgv_my_size(x=0); ret=0");
	FGV_CHECK(test, fgv_ssize(200), "fgv_ssize(x=200); ret=200");
	FGV_CHECK(test, fgv_ssize(-EINVAL),
		  "fgv_ssize(x=-22); ret=-22 (EINVAL)");
	FGV_CHECK(test, fgv_loff(1LL << 40),
		  "fgv_loff(x=1099511627776); ret=1099511627776");
	FGV_CHECK(test, fgv_loff(-EINVAL), "fgv_loff(x=-22); ret=-22 (EINVAL)");
	FGV_CHECK(test, fgv_sector(-1ULL),
		  "fgv_sector(x=18446744073709551615); ret=18446744073709551615");
}

static void fgv_garbage_above_test(struct kunit *test)
{
#ifdef CONFIG_64BIT
	FGV_CHECK(test, fgv_call_raw(fgv_int, FGV_DIRT | 0xfffffffb),
		  "fgv_int(x=-5); ret=-5 (EIO)");
	FGV_CHECK(test, fgv_call_raw(fgv_uint, FGV_DIRT | 7),
		  "fgv_uint(x=0x7); ret=0x7");
	FGV_CHECK(test, fgv_call_raw(fgv_enum, FGV_DIRT | FGV_TWO),
		  "fgv_enum(x=2 (FGV_TWO)); ret=2 (FGV_TWO)");
#endif
	FGV_CHECK(test, fgv_call_raw(fgv_schar, 0xdead00fbUL),
		  "fgv_schar(x=-5); ret=-5");
}

/* funcgraph-retval-hex prints only the bits of the type of the result. */
static void fgv_retval_hex_test(struct kunit *test)
{
	struct fgv_call *call = &fgv.calls[0];
	struct trace_seq *s = &fgv.seq;

	fgv_start(test);
	fgv_call_raw(fgv_schar, 0xdead00fbUL);
	fgv_stop(test, 1);

	trace_seq_init(s);
	print_graph_retval(s, call->func,
			   &(struct graph_words){ .words = call->ret, .nr = call->nr_ret },
			   TRACE_GRAPH_PRINT_RETVAL_HEX);
	trace_seq_putc(s, '\0');
	KUNIT_EXPECT_STREQ(test, (char *)s->buffer, "ret=0xfb");
}

static void fgv_characters_test(struct kunit *test)
{
	FGV_CHECK(test, fgv_char('A'), "fgv_char(x=65 ('A')); ret=65 ('A')");
	FGV_CHECK(test, fgv_char('\n'), "fgv_char(x=10 ('\\n')); ret=10 ('\\n')");
	FGV_CHECK(test, fgv_char(0), "fgv_char(x=0 ('\\0')); ret=0 ('\\0')");
}

static void fgv_pointers_test(struct kunit *test)
{
	unsigned long known = (unsigned long)_printk;
	char line[128];

	FGV_CHECK(test, fgv_pointer(NULL), "fgv_pointer(x=NULL); ret=NULL");
	FGV_CHECK(test, fgv_pointer((void *)0x1234),
		  "fgv_pointer(x=0x1234); ret=0x1234");
	FGV_CHECK(test, fgv_pointer(ERR_PTR(-ENOMEM)),
		  "fgv_pointer(x=-12); ret=-12 (ENOMEM)");
	FGV_CHECK(test, fgv_string((char *)0x1234),
		  "fgv_string(x=0x1234); ret=0x1234");

	snprintf(line, sizeof(line),
		 "fgv_function(x=0x%lx (_printk)); ret=0x%lx (_printk)", known, known);
	FGV_CHECK(test, fgv_function((fgv_fn_t)known), line);
}

static void fgv_enums_test(struct kunit *test)
{
	FGV_CHECK(test, fgv_enum(FGV_TEN),
		  "fgv_enum(x=10 (FGV_TEN)); ret=10 (FGV_TEN)");
	FGV_CHECK(test, fgv_enum(100), "fgv_enum(x=100); ret=100");
	FGV_CHECK(test, fgv_enum_signed(FGV_MINUS_FOUR),
		  "fgv_enum_signed(x=-4 (FGV_MINUS_FOUR)); ret=-4 (FGV_MINUS_FOUR)");
	FGV_CHECK(test, fgv_enum_wide(FGV_WIDE),
		  "fgv_enum_wide(x=1099511627776 (FGV_WIDE)); ret=1099511627776 (FGV_WIDE)");
	FGV_CHECK(test, fgv_flags(FGV_A | FGV_C),
		  "fgv_flags(x=9 (FGV_A|FGV_C)); ret=9 (FGV_A|FGV_C)");
	FGV_CHECK(test, fgv_flags(FGV_A | 16), "fgv_flags(x=17); ret=17");
	/* 5 contains the bits of two enumerators, but they are not flags */
	FGV_CHECK(test, fgv_pid_type(5), "fgv_pid_type(x=5); ret=5");
	FGV_CHECK(test, fgv_pid_type(PIDTYPE_PGID),
		  "fgv_pid_type(x=2 (PIDTYPE_PGID)); ret=2 (PIDTYPE_PGID)");
}

static struct trace_iterator *fgv_open(struct kunit *test)
{
	struct trace_iterator *iter = kunit_kzalloc(test, sizeof(*iter), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, iter);
	iter->tr = fgv.tr;
	iter->trace = fgv.tr->current_trace;
	iter->array_buffer = &fgv.tr->array_buffer;
	iter->cpu_file = RING_BUFFER_ALL_CPUS;
	graph_trace_open(iter);
	return iter;
}

/* Return the next line that a reader of trace_pipe gets, or NULL at the end. */
const char *fgv_next_line(struct trace_iterator *iter)
{
	struct trace_buffer *buffer = iter->array_buffer->buffer;
	enum print_line_t ret;

	trace_seq_init(&iter->seq);
	if (!trace_find_next_entry_inc(iter))
		return NULL;
	ret = print_trace_line(iter);
	if (ret == TRACE_TYPE_PARTIAL_LINE)
		return "";
	if (ret != TRACE_TYPE_NO_CONSUME)
		ring_buffer_consume(buffer, iter->cpu, NULL, NULL);
	trace_seq_putc(&iter->seq, '\0');
	return iter->seq.buffer;
}

static void fgv_expect_line(struct kunit *test, struct trace_iterator *iter,
			    const char *part)
{
	const char *line = fgv_next_line(iter);

	KUNIT_ASSERT_NOT_NULL(test, line);
	KUNIT_EXPECT_NOT_ERR_OR_NULL_MSG(test, strstr(line, part), "no %s in: %.80s",
					 part, line);
}

/*
 * A line that is longer than a page does not disturb other lines. One of these lines
 * belongs to a call that contains another call.
 */
static void fgv_long_line_test(struct kunit *test)
{
	struct trace_iterator *iter = fgv_open(test);

	fgv_start(test);
	fgv_call_long_line(FGV_LONG_FLAGS, FGV_LONG_FLAGS);
	fgv_int(5);
	migrate_enable();

	fgv_expect_line(test, iter, "[LINE TOO BIG]\n");
	fgv_expect_line(test, iter, "[LINE TOO BIG]\n");
	fgv_expect_line(test, iter, "} /* fgv_call_long_line");
	fgv_expect_line(test, iter, "(x=5); /* ret=5 */\n");
	KUNIT_EXPECT_NULL(test, fgv_next_line(iter));
	graph_trace_close(iter);
}

/* Return the number after @key in @line, or -1. */
static int fgv_number_in(const char *line, const char *key)
{
	const char *p = strstr(line, key);
	int number;

	return p && sscanf(p + strlen(key), "%d", &number) == 1 ? number : -1;
}

/* Expect @nr calls of fgv_move(), of which each prints as two lines. */
static void fgv_expect_moves(struct kunit *test, struct trace_iterator *iter, int nr)
{
	int entries = 0, returns = 0;
	const char *line;

	while ((line = fgv_next_line(iter))) {
		entries += !!strstr(line, "(cpu=");
		returns += !!strstr(line, " ret=");
		KUNIT_EXPECT_NULL_MSG(test, strstr(line, ";"), "a leaf: %s", line);
	}
	KUNIT_EXPECT_EQ(test, entries, nr);
	KUNIT_EXPECT_EQ(test, returns, nr);
}

/*
 * A task changes its CPU in each call. So in the buffer of a CPU, each entry is followed by
 * the return of another call of the same function, at the same depth.
 */
static void fgv_moves_test(struct kunit *test)
{
	static const char *const clocks[] = { "counter", "global", "local" };
	int a = cpumask_first(cpu_online_mask), b = cpumask_last(cpu_online_mask);
	struct trace_iterator *iter = fgv_open(test);
	int i;

	if (a == b)
		kunit_skip(test, "needs two CPUs");
	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		KUNIT_ASSERT_EQ(test, tracing_set_clock(fgv.tr, clocks[i]), 0);
		set_cpus_allowed_ptr(current, cpumask_of(a));
		fgv_start_task(current);
		fgv_move(b);
		fgv_move(a);
		fgv_move(b);
		fgv_move(a);
		fgv_expect_moves(test, iter, 4);
	}
	graph_trace_close(iter);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

/* Call fgv_int() with the @nr numbers from @from on. */
static void fgv_count(int from, int nr)
{
	int i;

	for (i = from; i < from + nr; i++)
		fgv_int(i);
}

/* Expect that each line with an argument and a result belongs to one call, and a mark of losses. */
static void fgv_expect_pairs(struct kunit *test, struct trace_iterator *iter)
{
	bool lost = false;
	const char *line;
	int x, ret;

	while ((line = fgv_next_line(iter))) {
		lost |= !!strstr(line, "[LOST ");
		x = fgv_number_in(line, "x=");
		ret = fgv_number_in(line, "ret=");
		if (x >= 0 && ret >= 0)
			KUNIT_EXPECT_EQ_MSG(test, x, ret, "%s", line);
	}
	KUNIT_EXPECT_TRUE(test, lost);
}

/*
 * Events are lost between an entry, which is the last event of the page that is read, and
 * the return of a later call. The number of calls that fit into a page determines in
 * which rounds this happens.
 */
static void fgv_lose_events(struct kunit *test)
{
	struct trace_iterator *iter;
	int round;

	for (round = 0; round < 32; round++) {
		iter = fgv_open(test);
		fgv_start(test);
		fgv_count(0, 100 + round);
		fgv_next_line(iter);
		fgv_count(1000, 2000);
		migrate_enable();
		fgv_expect_pairs(test, iter);
		graph_trace_close(iter);
	}
}

/* With the second clock, the times do not show that the return belongs to a later call. */
static void fgv_lost_test(struct kunit *test)
{
	struct trace_buffer *buffer = fgv.tr->array_buffer.buffer;
	unsigned long size = ring_buffer_size(buffer, 0);

	KUNIT_ASSERT_GE(test, ring_buffer_resize(buffer, 2 * PAGE_SIZE, RING_BUFFER_ALL_CPUS), 0);
	fgv_lose_events(test);
	KUNIT_ASSERT_EQ(test, tracing_set_clock(fgv.tr, "counter"), 0);
	fgv_lose_events(test);
	KUNIT_ASSERT_EQ(test, tracing_set_clock(fgv.tr, "local"), 0);
	ring_buffer_resize(buffer, size, RING_BUFFER_ALL_CPUS);
}

/* Return true if the calling convention passes a result of @size in memory. */
static bool fgv_result_in_memory(size_t size)
{
	if (IS_ENABLED(CONFIG_64BIT))
		return size > 16;
	if (IS_ENABLED(CONFIG_X86_32))
		return size > 8 || !is_power_of_2(size);
	return size > 4;
}

/* Return true if the calling convention passes an argument of @size by reference. */
static bool fgv_argument_in_memory(size_t size)
{
	return IS_ENABLED(CONFIG_64BIT) && !IS_ENABLED(CONFIG_X86_64) && size > 16;
}

/* Print the words of a struct, or its address if it is in memory. */
static void fgv_add_struct(struct seq_buf *s, const void *bytes, size_t size,
			   bool in_memory, unsigned long address)
{
	const char *separator = "{";
	unsigned long word;
	size_t pos;

	if (in_memory) {
		seq_buf_printf(s, "0x%lx (by reference)", address);
		return;
	}
	for (pos = 0; pos < size; pos += sizeof(word)) {
		word = 0;
		memcpy(&word, bytes + pos, min(sizeof(word), size - pos));
		seq_buf_printf(s, "%s0x%lx", separator, word);
		separator = " ";
	}
	seq_buf_printf(s, "}");
}

/*
 * Return true if the place of the argument is unknown. AAPCS passes a struct that is
 * aligned to two words from an even register on. DWARF does not describe the
 * alignment: a packed struct has none, and a bitfield without a name may cause it.
 * After the address of the result in r0, the struct may therefore be in r1 or in r2.
 * Only fgv_struct_8() has a location list.
 */
static bool fgv_place_is_unknown(size_t size)
{
	return IS_ENABLED(CONFIG_ARM) &&
	       (size == sizeof(struct fgv_12) || size == sizeof(struct fgv_16));
}

/*
 * Return true if the address of a result in memory is known. On x86, a function returns
 * this address. On arm, functions that GCC compiled also return it.
 */
static bool fgv_result_place_is_known(size_t size)
{
	return (IS_ENABLED(CONFIG_X86) || IS_ENABLED(CONFIG_ARM)) &&
	       fgv_result_in_memory(size);
}

/*
 * Stop recording. Expect one call of a function that returned its argument, the struct
 * @x, in the memory that the caller had provided at @result.
 */
static void fgv_expect_struct(struct kunit *test, const char *name, const void *x,
			      const void *result, size_t size)
{
	struct seq_buf line;
	char buffer[128];

	fgv_stop(test, 1);
	seq_buf_init(&line, buffer, sizeof(buffer));
	seq_buf_printf(&line, "%s(x=", name);
	if (fgv_place_is_unknown(size))
		seq_buf_printf(&line, "<unknown>");
	else
		fgv_add_struct(&line, x, size, fgv_argument_in_memory(size), 0);
	seq_buf_printf(&line, "); ret=");
	if (fgv_result_in_memory(size) && !fgv_result_place_is_known(size))
		seq_buf_printf(&line, "<unknown>");
	else
		fgv_add_struct(&line, x, size, fgv_result_in_memory(size),
			       (unsigned long)result);
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[0]), buffer);
	KUNIT_EXPECT_EQ(test, memcmp(result, x, size), 0);
}

/*
 * A caller passes the address of a result in memory before the arguments. The compiler
 * may choose any address, so pass it explicitly if the address is printed.
 */
#define FGV_CHECK_STRUCT(test, function, value) do {			\
	typeof(value) _x = (value), _result;				\
	void *(*_raw)(void *result, typeof(_x) x) = (void *)function;	\
									\
	OPTIMIZER_HIDE_VAR(_raw);					\
	fgv_start(test);						\
	if (fgv_result_place_is_known(sizeof(_x)))			\
		_raw(&_result, _x);					\
	else								\
		_result = function(_x);					\
	fgv_expect_struct(test, #function, &_x, &_result, sizeof(_x));	\
} while (0)

static void fgv_structs_test(struct kunit *test)
{
	FGV_CHECK_STRUCT(test, fgv_struct_1, ((struct fgv_1){ { 7 } }));
	FGV_CHECK_STRUCT(test, fgv_struct_3, ((struct fgv_3){ { 1, 2, 3 } }));
	FGV_CHECK_STRUCT(test, fgv_struct_8, ((struct fgv_8){ 5 }));
	FGV_CHECK_STRUCT(test, fgv_struct_12, ((struct fgv_12){ { 1, 2, 3 } }));
	FGV_CHECK_STRUCT(test, fgv_struct_16, ((struct fgv_16){ 5, 6 }));
}

static void fgv_large_struct_test(struct kunit *test)
{
	const struct fgv_40 big = { { 1, 2, 3, 4, 5 } };
	void (*raw)(int before, const struct fgv_40 *x, int after) =
		(void *)fgv_struct_40;
	struct seq_buf line;
	char buffer[128];

	OPTIMIZER_HIDE_VAR(raw);
	fgv_start(test);
	/* Pass the address explicitly, because the compiler would pass a copy */
	if (fgv_argument_in_memory(sizeof(big)))
		raw(1, &big, 2);
	else
		fgv_struct_40(1, big, 2);
	fgv_stop(test, 1);
	seq_buf_init(&line, buffer, sizeof(buffer));
	seq_buf_printf(&line, "fgv_struct_40(before=1, x=");
	fgv_add_struct(&line, &big, sizeof(big),
		       fgv_argument_in_memory(sizeof(big)), (unsigned long)&big);
	seq_buf_printf(&line, ", after=2);");
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[0]), buffer);
}

static void fgv_many_test(struct kunit *test)
{
	FGV_CHECK(test, (fgv_void(), 0), "fgv_void();");
	FGV_CHECK(test, (fgv_void_arg(-1), 0), "fgv_void_arg(x=-1);");
	FGV_CHECK(test, fgv_twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
		  "fgv_twelve(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8, i=9, j=10, k=11, l=12); ret=1");
	FGV_CHECK(test, fgv_mixed(-1, 2, -3, 4, true, NULL, -7, 8),
		  "fgv_mixed(a=-1, b=0x2, c=-3, d=0x4, e=true, f=NULL, g=-7, h=0x8); ret=-1 (EPERM)");
	FGV_CHECK(test, fgv_variadic(1, 2, 3), "fgv_variadic(x=1, ...); ret=1");
}

/* Two functions with one name, in two files, have different signatures. */
static void fgv_twins_test(struct kunit *test)
{
	fgv_start(test);
	fgv_call_twin_a(5);
	fgv_call_twin_b(NULL);
	fgv_stop(test, 4);
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[1]),
			   "fgv_twin(number=5); ret=5");
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[3]),
			   "fgv_twin(string=NULL); ret=0");
}

/*
 * Return true if the function of @call is a clone of GCC with this suffix. GCC adds a
 * suffix to the name of a function whose parameters it changed, and the symbol table
 * contains the name with the suffix.
 */
static bool fgv_is_clone(const struct fgv_call *call, const char *suffix)
{
	char name[KSYM_SYMBOL_LEN];

	snprintf(name, sizeof(name), "%ps", (void *)call->func);
	return strstr(name, suffix);
}

/* Return true if the function of @call is a clone. Both kinds of clones lack a parameter here. */
static bool fgv_lost_parameter(const struct fgv_call *call)
{
	return fgv_is_clone(call, ".isra.") || fgv_is_clone(call, ".constprop.");
}

/*
 * Return the expected text of a parameter with the value 5 that a clone keeps. If the
 * register of the parameter never changes, GCC may emit no location list. The place of
 * the parameter in a clone is then unknown.
 */
static const char *fgv_kept_parameter(const struct fgv_call *call, const char *name)
{
	enum fgraph_place place = FGRAPH_IN_WORDS;
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;

	preempt_disable();
	if (fgraph_find_signature(call->func, &sig) &&
	    fgraph_sig_result(&walk, &sig, &value))
		while (fgraph_sig_parameter(&walk, &value))
			if (value.name_len == strlen(name) &&
			    !strncmp(value.name, name, value.name_len))
				place = value.place;
	preempt_enable();
	return fgv_lost_parameter(call) && place == FGRAPH_NOT_RECORDED ?
		"<unknown>" : "5";
}

/* Expect that a parameter prints as @value, or as "<...>" without a value. */
static void fgv_expect_no_false_value(struct kunit *test, const struct fgv_call *call,
				      const char *name, const char *value)
{
	const char *shown = strstr(fgv_line(call), name);

	KUNIT_ASSERT_NOT_NULL(test, shown);
	shown += strlen(name);
	KUNIT_EXPECT_TRUE_MSG(test, shown[0] == '<' || str_has_prefix(shown, value),
			      "wrong value in \"%s\", expected %s", fgv_line(call), value);
}

/*
 * LLVM changes parameters without a change of the name, so the test cannot tell which
 * parameters are removed.
 */
static void fgv_expect_changed(struct kunit *test, const struct fgv_call *unused,
			       const struct fgv_call *constant)
{
	fgv_expect_no_false_value(test, unused, "gone=", "3,");
	fgv_expect_no_false_value(test, unused, "kept=", "5)");
	fgv_expect_no_false_value(test, constant, "kept=", "5,");
	fgv_expect_no_false_value(test, constant, "seven=", "7)");
}

/*
 * A parameter that the compiler removed prints without a value. A parameter that the
 * compiler kept prints with the right value. If the first parameter is removed, the
 * second parameter is in its place, which DWARF describes.
 */
static void fgv_clones_test(struct kunit *test)
{
	const struct fgv_call *unused = &fgv.calls[1], *constant = &fgv.calls[2];
	char line[80];

	fgv_start(test);
	fgv_call_clones(5);
	fgv_stop(test, 3);
	if (IS_ENABLED(CONFIG_CC_IS_CLANG)) {
		fgv_expect_changed(test, unused, constant);
		return;
	}

	snprintf(line, sizeof(line), "fgv_unused(gone=%s, kept=%s); ret=%s",
		 fgv_lost_parameter(unused) ? "<optimized out>" : "3",
		 fgv_kept_parameter(unused, "kept"),
		 fgv_is_clone(unused, ".isra.") ? "0x5" : "5");
	KUNIT_EXPECT_STREQ(test, fgv_line(unused), line);

	snprintf(line, sizeof(line), "fgv_constant(kept=%s, seven=%s); ret=%s",
		 fgv_kept_parameter(constant, "kept"),
		 fgv_lost_parameter(constant) ? "<optimized out>" : "7",
		 fgv_is_clone(constant, ".isra.") ? "0xc" : "12");
	KUNIT_EXPECT_STREQ(test, fgv_line(constant), line);
}

/* Return true if the result in the signature of @call is optimized out. */
static bool fgv_result_is_gone(const struct fgv_call *call)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	struct fgraph_sig sig;
	bool gone;

	preempt_disable();
	gone = fgraph_find_signature(call->func, &sig) &&
		fgraph_sig_result(&walk, &sig, &value) &&
		value.place == FGRAPH_OPTIMIZED_OUT;
	preempt_enable();
	return gone;
}

/*
 * A result without a type, like the result of fgv_member.isra.0, prints like the result
 * of a function without a signature. Not every compiler makes this clone.
 */
static void fgv_untyped_result_test(struct kunit *test)
{
	const struct fgv_12 x = { { -EINVAL, 2, 3 } };
	bool clone;
	char line[64];

	fgv_start(test);
	fgv_call_member(&x);
	fgv_stop(test, 2);

	clone = fgv_is_clone(&fgv.calls[1], ".isra.");
	KUNIT_EXPECT_EQ(test, fgv_result_is_gone(&fgv.calls[1]), clone);
	if (clone)
		strscpy(line, "fgv_member(x=<optimized out>); ret=-22 (EINVAL)",
			sizeof(line));
	else
		snprintf(line, sizeof(line),
			 "fgv_member(x=0x%lx); ret=-22 (EINVAL)", (long)&x);
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[1]), line);
}

/* The first arguments are in registers, the others on the stack. All are recorded. */
static void fgv_stack_words_test(struct kunit *test)
{
	int i;

	fgv_start(test);
	fgv_twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	fgv_stop(test, 1);

	KUNIT_ASSERT_EQ(test, fgv.calls[0].nr, 12);
	for (i = 0; i < 12; i++)
		KUNIT_EXPECT_EQ(test, lower_32_bits(fgv.calls[0].words[i]), i + 1);
	KUNIT_EXPECT_EQ(test, lower_32_bits(fgv.calls[0].ret[0]), 1);
}

/* Both words of a wide result are recorded. */
static void fgv_result_words_test(struct kunit *test)
{
	fgv_start(test);
	fgv_long(-2);
#ifdef CONFIG_64BIT
	fgv_struct_16((struct fgv_16){ 0x123456789abcdef0, -1 });
#else
	fgv_ullong(0x123456789abcdef0);
#endif
	fgv_stop(test, 2);

	KUNIT_EXPECT_EQ(test, fgv.calls[0].ret[0], -2UL);
	KUNIT_ASSERT_EQ(test, fgv.calls[1].nr_ret, 2);
#ifdef CONFIG_64BIT
	KUNIT_EXPECT_EQ(test, fgv.calls[1].ret[0], 0x123456789abcdef0);
	KUNIT_EXPECT_EQ(test, fgv.calls[1].ret[1], -1UL);
#else
	KUNIT_EXPECT_EQ(test, fgv.calls[1].ret[0], 0x9abcdef0);
	KUNIT_EXPECT_EQ(test, fgv.calls[1].ret[1], 0x12345678);
#endif
}

/*
 * One word of a narrow result is recorded. fgraph_may_be_odd() is not exact, so the
 * second word of a few functions may be recorded as well. The functions below are close
 * together, so this affects few of them.
 */
static void fgv_narrow_results_test(struct kunit *test)
{
	int i, second = 0;

	fgv_start(test);
	fgv_bool(true);
	fgv_char(1);
	fgv_schar(1);
	fgv_uchar(1);
	fgv_short(1);
	fgv_ushort(1);
	fgv_int(1);
	fgv_uint(1);
	fgv_stop(test, 8);

	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, fgv.calls[i].ret[0] & 1, 1);
		second += fgv.calls[i].nr_ret - 1;
	}
	KUNIT_EXPECT_LE(test, second, 3);
}

static void fgv_expect_caller(struct kunit *test, const struct fgv_call *call,
			      const char *name)
{
	char caller[KSYM_SYMBOL_LEN];

	snprintf(caller, sizeof(caller), "%pB", (void *)call->retaddr);
	caller[strcspn(caller, "+")] = 0;
	KUNIT_EXPECT_STREQ(test, caller, name);
}

/* Set @option, and record the calls of two nested functions. */
static void fgv_call_two(struct kunit *test, const char *option)
{
	KUNIT_ASSERT_EQ(test, fgv_set_option(option), 0);
	fgv_start(test);
	fgv_call_twin_a(7);
	fgv_stop(test, 2);
	KUNIT_EXPECT_EQ(test, fgv.calls[0].depth, 0);
	KUNIT_EXPECT_EQ(test, fgv.calls[1].depth, 1);
}

/* Arguments and return addresses are recorded by option, in each combination. */
static void fgv_options_test(struct kunit *test)
{
	const struct fgv_call *outer = &fgv.calls[0], *inner = &fgv.calls[1];

	fgv_call_two(test, "funcgraph-retaddr");
	fgv_expect_caller(test, outer, "fgv_call_two");
	fgv_expect_caller(test, inner, "fgv_call_twin_a");
	KUNIT_ASSERT_EQ(test, inner->nr, 1);
	KUNIT_EXPECT_EQ(test, lower_32_bits(inner->words[0]), 7);

	/* Record words of the stack together with the return address */
	fgv_start(test);
	fgv_twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	fgv_stop(test, 1);
	fgv_expect_caller(test, outer, __func__);
	KUNIT_ASSERT_EQ(test, outer->nr, 12);
	KUNIT_EXPECT_EQ(test, lower_32_bits(outer->words[11]), 12);

	fgv_call_two(test, "nofuncgraph-args");
	fgv_expect_caller(test, inner, "fgv_call_twin_a");
	KUNIT_EXPECT_EQ(test, inner->nr, 0);
	KUNIT_EXPECT_STREQ(test, fgv_line(inner), "fgv_twin(...); ret=7");

	fgv_call_two(test, "nofuncgraph-retaddr");
	KUNIT_EXPECT_EQ(test, inner->retaddr, 0);
	KUNIT_EXPECT_EQ(test, inner->nr, 0);
	FGV_CHECK(test, (fgv_void(), 0), "fgv_void();");

	fgv_call_two(test, "funcgraph-args");
	KUNIT_EXPECT_EQ(test, inner->retaddr, 0);
	KUNIT_EXPECT_EQ(test, inner->nr, 1);
}

/* A call that does not return prints without a result. */
static int fgv_exit_thread(void *arg)
{
	struct completion *started = arg;

	complete(started);
	fgv_exit(9);
	return 0;
}

static void fgv_noreturn_test(struct kunit *test)
{
	DECLARE_COMPLETION_ONSTACK(started);
	struct task_struct *task = kthread_create(fgv_exit_thread, &started, "fgv");

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	get_task_struct(task);
	fgv_start_task(task);
	wake_up_process(task);
	wait_for_completion(&started);
	KUNIT_EXPECT_EQ(test, kthread_stop(task), 9);
	put_task_struct(task);
	fgv_take();
	KUNIT_ASSERT_EQ(test, fgv.nr, 1);
	KUNIT_EXPECT_STREQ(test, fgv_line(&fgv.calls[0]), "fgv_exit(x=9);");
}

/*
 * Find the signature of @func. ftrace hooks a function at its start or a few
 * instructions after it. Return the address of the hook, or 0 if @func has no
 * signature.
 */
static unsigned long fgv_find_signature(void *func, struct fgraph_sig *sig)
{
	unsigned long addr = fgraph_func_addr(func);
	int i;

	for (i = 0; i < 64; i++)
		if (fgraph_find_signature(addr + i, sig))
			return addr + i;
	return 0;
}

/* Expect that the lookup of @func returns its record if @expected. */
static void fgv_expect_lookup(struct kunit *test, void *func, bool expected)
{
	const struct graph_func *found;
	const char *text = NULL;
	struct fgraph_sig sig;
	unsigned long addr;

	preempt_disable();
	addr = fgv_find_signature(func, &sig);
	found = graph_find_func(addr);
	if (found)
		text = found->sig;
	preempt_enable();

	KUNIT_ASSERT_NE(test, addr, 0);
	KUNIT_EXPECT_PTR_EQ(test, text, expected ? sig.text : NULL);
}

static int fgv_refuse_entry(struct fgraph_ops *gops, struct fgraph_call *call)
{
	return 0;
}

static void fgv_ignore_return(struct fgraph_ops *gops, struct fgraph_call *call)
{
}

/*
 * While records of functions are in use, the lookup returns the record of each function
 * in a filter. With a user that has no filter, it returns that of every function.
 */
static void fgv_one_lookup_test(struct kunit *test)
{
	static struct fgraph_ops filtered, unfiltered;
	const struct fgraph_ops gops = {
		.name		= "lookup",
		.entryfunc	= fgv_refuse_entry,
		.retfunc	= fgv_ignore_return,
	};

	KUNIT_ASSERT_EQ(test, tracing_set_tracer(fgv.tr, "nop"), 0);
	filtered = gops;
	unfiltered = gops;
	KUNIT_EXPECT_EQ(test, fgv_set_filter(&filtered.ops), 0);
	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&filtered), 0);

	fgv_expect_lookup(test, fgv_int, false);
	graph_funcs_get();
	fgv_expect_lookup(test, fgv_int, true);
	fgv_expect_lookup(test, values_unnamed, false);

	KUNIT_EXPECT_EQ(test, register_ftrace_graph(&unfiltered), 0);
	fgv_expect_lookup(test, fgv_int, true);
	fgv_expect_lookup(test, values_unnamed, true);
	unregister_ftrace_graph(&unfiltered);
	fgv_expect_lookup(test, values_unnamed, false);

	graph_funcs_put();
	fgv_expect_lookup(test, fgv_int, false);

	unregister_ftrace_graph(&filtered);
	ftrace_free_filter(&filtered.ops);
	KUNIT_ASSERT_EQ(test, tracing_set_tracer(fgv.tr, "function_graph"), 0);
}

static void fgv_prototypes_test(struct kunit *test)
{
	static const struct {
		void		*func;
		const char	*prototype;
	} known[] = {
		{ fgv_void, "void f(void)" },
		{ fgv_function, "fgv_fn_t f(fgv_fn_t x)" },
		{ fgv_flags, "fgv_flags_t f(fgv_flags_t x)" },
		{ fgv_enum_wide, "enum fgv_wide f(enum fgv_wide x)" },
		{ fgv_struct_40, "void f(int before, struct fgv_40 x, int after)" },
		{ fgv_variadic, "int f(int x, ...)" },
	};
	struct fgraph_sig sig;
	int i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		trace_seq_init(&fgv.seq);
		preempt_disable();
		if (fgv_find_signature(known[i].func, &sig))
			fgraph_print_prototype(&fgv.seq.seq, &sig, "f");
		preempt_enable();
		trace_seq_putc(&fgv.seq, '\0');
		KUNIT_EXPECT_STREQ(test, fgv.seq.buffer, known[i].prototype);
	}
}

/* Skip a test if the build created no signatures. */
int fgv_need_signatures(struct kunit *test)
{
	struct fgraph_sig sig;
	bool known;

	preempt_disable();
	known = fgv_find_signature(fgv_int, &sig);
	preempt_enable();
	if (!known)
		kunit_skip(test, "the build created no signatures");
	return 0;
}

static void fgv_calls_suite_exit(struct kunit_suite *suite)
{
	if (!fgv.tr)
		return;
	tracing_set_tracer(fgv.tr, "nop");
	trace_array_put(fgv.tr);
	trace_array_destroy(fgv.tr);
	fgv.tr = NULL;
}

static int fgv_calls_suite_init(struct kunit_suite *suite)
{
	int ret;

	fgv.tr = trace_array_get_by_name("fgraph_values");
	if (!fgv.tr)
		return -ENOMEM;

	ret = fgv_set_filter(fgv.tr->ops);
	ret = ret ?: tracing_set_tracer(fgv.tr, "function_graph");
	ret = ret ?: fgv_set_option("funcgraph-args");
	ret = ret ?: fgv_set_option("funcgraph-retval");
	if (ret)
		fgv_calls_suite_exit(suite);
	return ret;
}

static struct kunit_case fgraph_values_calls_cases[] = {
	KUNIT_CASE(fgv_integers_test),
	KUNIT_CASE(fgv_sizes_test),
	KUNIT_CASE(fgv_garbage_above_test),
	KUNIT_CASE(fgv_retval_hex_test),
	KUNIT_CASE(fgv_characters_test),
	KUNIT_CASE(fgv_pointers_test),
	KUNIT_CASE(fgv_enums_test),
	KUNIT_CASE(fgv_structs_test),
	KUNIT_CASE(fgv_large_struct_test),
	KUNIT_CASE(fgv_many_test),
	KUNIT_CASE(fgv_long_line_test),
	KUNIT_CASE(fgv_moves_test),
	KUNIT_CASE(fgv_lost_test),
	KUNIT_CASE(fgv_twins_test),
	KUNIT_CASE(fgv_clones_test),
	KUNIT_CASE(fgv_untyped_result_test),
	KUNIT_CASE(fgv_stack_words_test),
	KUNIT_CASE(fgv_result_words_test),
	KUNIT_CASE(fgv_narrow_results_test),
	KUNIT_CASE(fgv_options_test),
	KUNIT_CASE(fgv_noreturn_test),
	KUNIT_CASE(fgv_prototypes_test),
	KUNIT_CASE(fgv_one_lookup_test),
	{ }
};

static struct kunit_suite fgraph_values_calls_suite = {
	.name = "fgraph_values_calls",
	.suite_init = fgv_calls_suite_init,
	.suite_exit = fgv_calls_suite_exit,
	.init = fgv_need_signatures,
	.test_cases = fgraph_values_calls_cases,
};

kunit_test_suites(&fgraph_values_text_suite, &fgraph_values_load_suite,
		  &fgraph_values_calls_suite, &fgraph_keep_suite, &fgraph_names_suite,
		  &fgraph_exprs_suite);

MODULE_DESCRIPTION("KUnit tests of arguments and return values in function_graph");
MODULE_LICENSE("GPL");
