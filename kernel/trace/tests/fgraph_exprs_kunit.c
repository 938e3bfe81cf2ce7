// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of rules on values. Each test writes a rule to set_graph_keep of an instance,
 * calls a target function with a value, and checks whether the call was recorded.
 */
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ring_buffer.h>
#include <linux/trace.h>

#include "../trace.h"
#include "../trace_graph_rules.h"
#include "fgraph_keep_targets_kunit.h"
#include "fgraph_names_targets_kunit.h"
#include "fgraph_values_kunit.h"
#include "fgraph_values_targets_kunit.h"

static struct trace_array *fxk_tr;

/* Replace the rules. */
static void fxk_set_rules(struct kunit *test, const char *rules)
{
	KUNIT_ASSERT_EQ_MSG(test, trace_graph_set_rules(fxk_tr, rules), 0, "%s", rules);
}

static void fxk_clear(void)
{
	tracing_reset_online_cpus(&fxk_tr->array_buffer);
}

/* Return the number of calls that were recorded. None of them has a recorded caller. */
static unsigned long fxk_count(void)
{
	return ring_buffer_entries(fxk_tr->array_buffer.buffer);
}

/* Numbers */

#define FXK_CALL(name, type)				\
static void fxk_##name(long long value)			\
{							\
	fgv_##name((type)value);			\
}

FXK_CALL(bool, bool)
FXK_CALL(char, char)
FXK_CALL(schar, signed char)
FXK_CALL(uchar, unsigned char)
FXK_CALL(short, short)
FXK_CALL(ushort, unsigned short)
FXK_CALL(int, int)
FXK_CALL(uint, unsigned int)
FXK_CALL(long, long)
FXK_CALL(ulong, unsigned long)
FXK_CALL(llong, long long)
FXK_CALL(ullong, unsigned long long)
FXK_CALL(size, size_t)
FXK_CALL(loff, loff_t)
FXK_CALL(enum, enum fgv_number)
FXK_CALL(enum_signed, enum fgv_signed)
FXK_CALL(enum_wide, enum fgv_wide)
FXK_CALL(flags, fgv_flags_t)
FXK_CALL(be16, __force __be16)
FXK_CALL(be32, __force __be32)
FXK_CALL(mode, umode_t)
FXK_CALL(device, dev_t)
FXK_CALL(gfp, __force gfp_t)

static void fxk_status(long long value)
{
	struct fkt_script script = { .pos = value ? "K=10" : "K=9" };

	fkt_run(&script);
}

static void fxk_fault(long long value)
{
	struct fkt_script script = { .pos = value ? "F=3" : "F=2" };

	fkt_run(&script);
}

static void fxk_pointer(long long value)
{
	fgv_pointer((void *)(long)value);
}

/* A rule, a call, and two values for the call: one that is kept, and one that is not kept */
static const struct fxk_number {
	const char	*rule;
	void		(*call)(long long value);
	long long	kept;
	long long	other;
} fxk_numbers[] = {
	{ "fgv_bool: x == true", fxk_bool, 1, 0 },
	{ "fgv_bool: ret == false", fxk_bool, 0, 1 },
	{ "fgv_bool: x != 0", fxk_bool, 1, 0 },
	{ "fgv_char: x == 'A'", fxk_char, 'A', 'B' },
	{ "fgv_char: x == '\\n'", fxk_char, '\n', 'n' },
	{ "fgv_char: x == '\\''", fxk_char, '\'', '\\' },
	{ "fgv_char: ret == '\\\\'", fxk_char, '\\', 'n' },
	{ "fgv_char: x == '\\x41'", fxk_char, 'A', 'x' },
	{ "fgv_char: x == '\\101'", fxk_char, 'A', '1' },
	{ "fgv_char: x > 64", fxk_char, 65, 64 },
	{ "fgv_schar: x < 0", fxk_schar, -1, 1 },
	{ "fgv_schar: x == -128", fxk_schar, -128, 127 },
	{ "fgv_uchar: x >= 255", fxk_uchar, 255, 127 },
	{ "fgv_short: x <= -2", fxk_short, -2, -1 },
	{ "fgv_ushort: x > 0x7fff", fxk_ushort, 0x8000, 0x7fff },
	{ "fgv_int: x == -5", fxk_int, -5, 5 },
	{ "fgv_int: ret == -EIO", fxk_int, -EIO, EIO },
	/* A name is the error that a function returns, with or without a minus. */
	{ "fgv_int: ret == EIO", fxk_int, -EIO, EIO },
	{ "fgv_int: ret == 5", fxk_int, EIO, -EIO },
	{ "fgv_int: ret < 0", fxk_int, -1, 0 },
	{ "fgv_int: error", fxk_int, -EIO, EIO },
	{ "fgv_int: error:EIO,-ENOMEM", fxk_int, -ENOMEM, -EINVAL },
	{ "fgv_int: !error", fxk_int, 5, -5 },
	{ "fgv_int: x < 0 && !error:EIO", fxk_int, -EINVAL, -EIO },
	{ "fgv_* !fgv_int: x == 5", fxk_uint, 5, 6 },
	/* Values of the task */
	{ "fgv_int: pid > 0 && uid == 0 && cpu < 8192 && x == 5", fxk_int, 5, 6 },
	{ "fgv_int: comm ~ \"kunit*\" && x == 5", fxk_int, 5, 6 },
	{ "fgv_int: x > -5", fxk_int, 0, -5 },
	{ "fgv_int: x & -16", fxk_int, 16, 15 },
	{ "fgv_uint: x == -0", fxk_uint, 0, 1 },
	{ "fgv_uint: x > 2147483647", fxk_uint, 0x80000000, 0x7fffffff },
	{ "fgv_uint: x & 0x80", fxk_uint, 0x81, 0x7f },
	{ "fgv_long: x < -1", fxk_long, -2, -1 },
	{ "fgv_llong: x == -5000000000", fxk_llong, -5000000000LL, 5000000000LL },
	{ "fgv_llong: ret > 4294967296", fxk_llong, BIT_ULL(32) + 1, 1 },
	{ "fgv_llong: x == -9223372036854775808", fxk_llong, S64_MIN, 0 },
	{ "fgv_ullong: x > 0x7fffffffffffffff", fxk_ullong, S64_MIN, S64_MAX },
	{ "fgv_ullong: x == 18446744073709551615", fxk_ullong, -1, 1 },
	{ "fgv_ullong: ret & 0x100000000", fxk_ullong, BIT_ULL(32), 1 },
	{ "fgv_size: x > 65536", fxk_size, 65537, 65536 },
	{ "fgv_loff: x < 0", fxk_loff, -1, BIT_ULL(40) },
	{ "fgv_enum: x == FGV_TEN", fxk_enum, FGV_TEN, FGV_TWO },
	{ "fgv_enum: ret >= 2", fxk_enum, FGV_TWO, FGV_ONE },
	{ "fgv_enum_signed: x == FGV_MINUS_FIVE", fxk_enum_signed, -5, -4 },
	{ "fgv_enum_signed: x < 0", fxk_enum_signed, -4, 0 },
	{ "fgv_enum_wide: x == FGV_WIDE", fxk_enum_wide, FGV_WIDE, 0 },
	{ "fgv_flags: x & FGV_C", fxk_flags, 9, 3 },
	/* Numbers in network order, as they print */
	{ "fgv_be16: x == 80", fxk_be16, 0x5000, 80 },
	{ "fgv_be32: ret > 0x7f000000", fxk_be32, 0x0100007f, 0x7f },
	/* Other values as they print */
	{ "fgv_mode: x == 0100644", fxk_mode, 0100644, 644 },
	{ "fgv_device: ret == 8:17", fxk_device, 0x800011, 17 },
	{ "fgv_device: x >= 8:0 && x < 9:0", fxk_device, 0x800011, 0x900000 },
	{ "fgv_gfp: x == GFP_KERNEL", fxk_gfp, 0xcc0, 0xdc0 },
	{ "fgv_gfp: x & __GFP_ZERO", fxk_gfp, 0xdc0, 0xcc0 },
	{ "fkt_status: ret == BLK_STS_IOERR", fxk_status, 1, 0 },
	{ "fkt_fault: ret & VM_FAULT_OOM", fxk_fault, 1, 0 },
	/* An error in place of an address is negative. All other addresses are not. */
	{ "fgv_pointer: ret < 0", fxk_pointer, -ENOMEM, -4096 },
	{ "fgv_pointer: ret == -ENOMEM", fxk_pointer, -ENOMEM, ENOMEM },
	{ "fgv_pointer: x == NULL", fxk_pointer, 0, 4096 },
	{ "fgv_pointer: x > 4096", fxk_pointer, -8192, 4096 },
	{ "fgv_ulong: ret < 0", fxk_ulong, -EINVAL, -4096 },
	{ "fgv_ulong: ret == -EINVAL", fxk_ulong, -EINVAL, EINVAL },
	{ "fgv_ulong: x > 5", fxk_ulong, -EINVAL, 5 },
	{ "fgv_pointer: x & 0x1000", fxk_pointer, 0x1000, 0x2000 },
#ifdef CONFIG_64BIT
	{ "fgv_pointer: x > 0x7fffffffffffffff", fxk_pointer, -8192, -ENOMEM },
	{ "fgv_pointer: x <= 0x7fffffffffffffff", fxk_pointer, -ENOMEM, -8192 },
	{ "fgv_ulong: ret >= 0xffff888000000000", fxk_ulong, -4096, -ENOMEM },
	{ "fgv_ulong: ret < 0xffffffffffff0000", fxk_ulong, -ENOMEM, -4096 },
#else
	{ "fgv_pointer: x > 0x7fffffff", fxk_pointer, -8192, -ENOMEM },
	{ "fgv_ulong: ret < 0xffff0000", fxk_ulong, -ENOMEM, -4096 },
#endif
};

static void fxk_expect(struct kunit *test, const struct fxk_number *number)
{
	fxk_set_rules(test, number->rule);
	fxk_clear();
	number->call(number->other);
	KUNIT_EXPECT_EQ_MSG(test, fxk_count(), 0, "%s keeps %lld", number->rule, number->other);
	number->call(number->kept);
	KUNIT_EXPECT_EQ_MSG(test, fxk_count(), 1, "%s drops %lld", number->rule, number->kept);
}

static void fxk_expect_all(struct kunit *test, const struct fxk_number *rules, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		fxk_expect(test, &rules[i]);
}

static void fxk_numbers_test(struct kunit *test)
{
	fxk_expect_all(test, fxk_numbers, ARRAY_SIZE(fxk_numbers));
}

/* The same constant, compared with values of different sizes */
static void fxk_sizes_test(struct kunit *test)
{
	static const struct fxk_number rules[] = {
		/* The register of an int may contain more bits. */
		{ "fgv_[il]?[to]*: x == -2", fxk_int, 0x1fffffffeLL, 2 },
		{ "fgv_[il]?[to]*: x == -2", fxk_llong, -2, 0x1fffffffeLL },
	};

	fxk_expect_all(test, rules, ARRAY_SIZE(rules));
}

/* && before ||, parentheses, and ! before parentheses */
static void fxk_logic_test(struct kunit *test)
{
	static const struct fxk_number rules[] = {
		{ "fgv_int: x > 1 && x < 5", fxk_int, 4, 5 },
		{ "fgv_int: x == 1 || x == 2 && ret == 3", fxk_int, 1, 2 },
		{ "fgv_int: (x == 1 || x == 2) && ret < 2", fxk_int, 1, 2 },
		{ "fgv_int: !(x == 1)", fxk_int, 2, 1 },
		{ "fgv_int: !(x == 1 || !(ret > 1))", fxk_int, 2, 0 },
		{ "fgv_int:(((x!=1)))&&ret!=2", fxk_int, 0, 2 },
		{ "fgv_int: ! ( x == 1 ) ", fxk_int, 2, 1 },
		{ "fgv_int: x>0&&x&4", fxk_int, 4, 3 },
		/* An argument on the stack of some archs, and many words */
		{ "fgv_int: x==1||x==2||x==3||x==4||x==5||x==6||x==7||x==8||x==9||ret==10",
		  fxk_int, 10, 11 },
	};

	fxk_expect_all(test, rules, ARRAY_SIZE(rules));
}

static void fxk_twelve(long long value)
{
	fgv_twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, value);
}

static void fxk_mixed(long long value)
{
	fgv_mixed(-1, BIT_ULL(40), -3, 4, true, NULL, value, 8);
}

/* Arguments in any register and on the stack */
static void fxk_places_test(struct kunit *test)
{
	static const struct fxk_number rules[] = {
		{ "fgv_twelve: a == 1 && f == 6 && g == 7 && l == 12", fxk_twelve, 12, 13 },
		{ "fgv_mixed: a == -1 && b == 0x10000000000 && c == -3 && g == -7000000000",
		  fxk_mixed, -7000000000LL, 7 },
		{ "fgv_mixed: d == 4 && e == true && f == NULL && g == -7 && h == 8",
		  fxk_mixed, -7, 7 },
		/* Two values, also of different types */
		{ "fgv_twelve: l == k", fxk_twelve, 11, 12 },
		{ "fgv_twelve: l <= k && l > a", fxk_twelve, 11, 1 },
		{ "fgv_mixed: g < a", fxk_mixed, -7, 7 },
		{ "fgv_mixed: g >= b", fxk_mixed, BIT_ULL(40), -7 },
	};

	fxk_expect_all(test, rules, ARRAY_SIZE(rules));
}

/* Texts */

static void fxk_expect_text(struct kunit *test, const char *rule, const char *text, bool kept)
{
	fxk_set_rules(test, rule);
	fxk_clear();
	fgn_char(text);
	KUNIT_EXPECT_EQ_MSG(test, fxk_count(), kept, "%s: \"%s\"", rule, text);
}

static void fxk_texts_test(struct kunit *test)
{
	fxk_expect_text(test, "fgn_char: object == \"/etc/motd\"", "/etc/motd", true);
	fxk_expect_text(test, "fgn_char: object == \"/etc/motd\"", "/etc/mo", false);
	fxk_expect_text(test, "fgn_char: object == \"/etc/motd\"", "/etc/motd2", false);
	fxk_expect_text(test, "fgn_char: object != \"/etc/motd\"", "/etc/motd2", true);
	fxk_expect_text(test, "fgn_char: object ~ \"/etc/*\"", "/etc/motd", true);
	fxk_expect_text(test, "fgn_char: object ~ \"/etc/*\"", "/usr/motd", false);
	fxk_expect_text(test, "fgn_char: object ~ \"*.conf\"", "app.conf", true);
	fxk_expect_text(test, "fgn_char: object ~ \"*.conf\"", "app.conf.old", false);
	fxk_expect_text(test, "fgn_char: object ~ \"*app*\"", "/etc/app.conf", true);
	fxk_expect_text(test, "fgn_char: object ~ \"/e*/m[no]td\"", "/etc/motd", true);
	/* In the filter of an event, these would not be globs. */
	fxk_expect_text(test, "fgn_char: object ~ \"1*\"", "12", true);
	fxk_expect_text(test, "fgn_char: object ~ \"!*\"", "!x", true);
	fxk_expect_text(test, "fgn_char: object ~ \"!*\"", "x", false);
	fxk_expect_text(test, "fgn_char: object == \"a && (b\"", "a && (b", true);
	fxk_expect_text(test, "fgn_char: ret == \"text\" && object == \"text\"", "text", true);
	fxk_expect_text(test, "fgn_char: ret == \"text\"", "test", false);
	fxk_expect_text(test, "fgn_char: object == \"\"", "", true);
	/* A text ends at the first unprintable byte. The mark of a cut does not match. */
	fxk_expect_text(test, "fgn_char: object == \"ends\"", "ends\n", false);
	fxk_expect_text(test, "fgn_char: object ~ \"ends*\"", "ends\n", true);
}

/* An expression is false if one of its values is not known. */
static void fxk_unknown_test(struct kunit *test)
{
	fxk_expect_text(test, "fgn_char: object != \"text\"", NULL, false);
	fxk_expect_text(test, "fgn_char: object != \"text\"", ERR_PTR(-EIO), false);
	fxk_expect_text(test, "fgn_char: object != \"text\" || ret == NULL", NULL, false);
	fxk_expect_text(test, "fgn_char: object == NULL", NULL, true);
}

static void fxk_objects_test(struct kunit *test)
{
	struct dentry dentry = { .d_name.name = "motd" };

	fxk_set_rules(test, "fgn_dentry: object == \"motd\" && ret ~ \"m*\"");
	fxk_clear();
	fgn_dentry(&dentry);
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
	dentry.d_name.name = "moth";
	fgn_dentry(&dentry);
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
}

/* At most two arguments with a name can be compared */
static void fxk_two_texts_test(struct kunit *test)
{
	static const char three[] = "fgn_many: a == \"\" && c == \"\" && d == \"\"";

	fxk_set_rules(test, "fgn_many: a == \"one\" && d == \"four\" && b == 2");
	fxk_clear();
	fgn_many("one", 2, "three", "four");
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
	fgn_many("one", 2, "three", "for");
	fgn_many("one", 3, "three", "four");
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
	KUNIT_EXPECT_EQ(test, trace_graph_set_rules(fxk_tr, three), -EINVAL);
	/* The limit is for all rules together, because each call holds the names for all of them */
	KUNIT_EXPECT_EQ(test, trace_graph_set_rules(fxk_tr, "fgn_many: a == \"one\" && b == 1\n"
						    "fgn_man*: c == \"three\" || d == \"four\""),
			-EINVAL);
	fxk_set_rules(test, "fgn_many: a == \"one\" && b == 1\nfgn_man*: d == \"four\"");
	fxk_clear();
	fgn_many("one", 2, "three", "for");
	KUNIT_EXPECT_EQ(test, fxk_count(), 0);
	fgn_many("one", 1, "three", "for");
	fgn_many("two", 2, "three", "four");
	KUNIT_EXPECT_EQ(test, fxk_count(), 2);
}

/* Rules */

static void fxk_sleep(void)
{
	/* If ticks were late, jiffies catch up and end it too soon. */
	msleep(300);
}

static void fxk_time_test(struct kunit *test)
{
	struct fkt_script script = { .pos = "a(@)", .action = fxk_sleep };

	fxk_set_rules(test, "fkt_a: time >= 10ms && time < 1000s");
	fxk_clear();
	fkt_run(&script);
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
	script.pos = "a(@)";
	fxk_set_rules(test, "fkt_a: time > 1000s");
	fkt_run(&script);
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
}

/* A call is kept if one rule keeps it. */
static void fxk_two_rules_test(struct kunit *test)
{
	fxk_set_rules(test, "fgv_int: x == 1\nfgv_*int: x == 2\nerror:EIO");
	fxk_clear();
	fgv_int(0);
	fgv_uint(1);
	KUNIT_EXPECT_EQ(test, fxk_count(), 0);
	fgv_int(1);
	fgv_int(2);
	fgv_uint(2);
	fgv_int(-EIO);
	KUNIT_EXPECT_EQ(test, fxk_count(), 4);
}

/* Rules that were replaced have no effect on an open call. */
static void fxk_replace_rules(void)
{
	trace_graph_set_rules(fxk_tr, "fkt_b: ret == 5");
}

static void fxk_change_test(struct kunit *test)
{
	struct fkt_script script = { .pos = "a(@ b=5)=5", .action = fxk_replace_rules };

	fxk_set_rules(test, "fkt_a: ret == 5");
	fxk_clear();
	fkt_run(&script);
	/* fkt_b(), and its caller */
	KUNIT_EXPECT_EQ(test, fxk_count(), 3);
}

/* The values of a recorded call are not shown unless an option is set. */
static void fxk_hidden_test(struct kunit *test)
{
	unsigned long small, args;
	char option[32] = "funcgraph-args";

	migrate_disable();
	fxk_set_rules(test, "fgn_char: object == \"text\"");
	fxk_clear();
	fgn_char("text");
	small = ring_buffer_bytes_cpu(fxk_tr->array_buffer.buffer, raw_smp_processor_id());
	KUNIT_EXPECT_EQ(test, trace_set_options(fxk_tr, option), 0);
	fxk_clear();
	fgn_char("text");
	args = ring_buffer_bytes_cpu(fxk_tr->array_buffer.buffer, raw_smp_processor_id());
	migrate_enable();
	KUNIT_EXPECT_EQ(test, args - small, sizeof(long));
}

/* Rules that are refused, each for a different reason. exprs.tc checks the places. */
static void fxk_refused_test(struct kunit *test)
{
	static const char *const rules[] = {
		"fgv_no_such: ret < 0", "fgv_int: y == 1", "fgv_int: x", "fgv_int: x == ",
		"fgv_int: x == 5 &&", "fgv_int: (x == 5", "fgv_int: x == 5)", "fgv_int: !x == 5",
		"fgv_int: x == 5000000000", "fgv_uint: x == -1", "fgv_bool: x == 2",
		"fgv_int: x == 2147483648", "fgv_int: x == -2147483649", "fgv_schar: x == 128",
		"fgv_int: x == EFOO", "fgv_int: x == 5x", "fgv_int: x == \"5\"",
		"fgv_int: x ~ 5", "fgv_string: x < \"5\"", "fgv_string: x == \"5",
		"fgv_void: ret == 0", "fgv_struct_16: x == 0", "fgv_int: x == 5 y == 6",
		"fgv_char: x == 'ab'", "fgv_char: x == 'abcdef'", "fgv_char: x == ''",
		"fgv_pointer: x & -16", "fgv_ulong: ret & -4095", "fgv_pointer: x == -4096",
		"fgv_enum: x == FGV_FOUR", "fgv_int: x == NULL",
		"fgv_int: time > 5", "1: ret == 0", "!fgv_int: ret == 0", ": ret == 0",
		"fgv_uint: x < 0", "fgv_size: ret < 0", "fgv_void fgv_struct_16: ret == 0",
		"fgv_string: x == \"1234567890123456789012345678901234567890123456789\"",
		"fgv_int:mod:no_such: x == 5", "fgv_int: x & ret", "fgv_int: x ~ ret",
		"fgv_int: error == 5", "fgv_int: error:", "fgv_int: error:EFOO",
		"fgn_pick: comm == \"a\" && a == \"a\" && b == \"a\" && ret == \"a\"",
		"fgv_int: comm == 5", "fgv_int: comm > \"a\"", "fgv_int: x == comm",
	};
	unsigned int i;

	fxk_set_rules(test, "fgv_int: x == 5");
	for (i = 0; i < ARRAY_SIZE(rules); i++)
		KUNIT_EXPECT_EQ_MSG(test, trace_graph_set_rules(fxk_tr, rules[i]), -EINVAL, "%s",
				    rules[i]);
	/* The last valid rule is in force. */
	fxk_clear();
	fgv_int(5);
	fgv_int(6);
	KUNIT_EXPECT_EQ(test, fxk_count(), 1);
}

static int fxk_suite_init(struct kunit_suite *suite)
{
	static const char *const options[] = { NULL };

	fxk_tr = fkk_create("fgraph_exprs", "f[gk][vnt]_*", options);
	return fxk_tr ? 0 : -ENOMEM;
}

static void fxk_suite_exit(struct kunit_suite *suite)
{
	fkk_destroy(fxk_tr);
}

static void fxk_exit(struct kunit *test)
{
	char option[32] = "nofuncgraph-args";

	trace_set_options(fxk_tr, option);
	trace_graph_set_rules(fxk_tr, "");
}

static struct kunit_case fgraph_exprs_cases[] = {
	KUNIT_CASE(fxk_numbers_test),
	KUNIT_CASE(fxk_sizes_test),
	KUNIT_CASE(fxk_logic_test),
	KUNIT_CASE(fxk_places_test),
	KUNIT_CASE(fxk_texts_test),
	KUNIT_CASE(fxk_unknown_test),
	KUNIT_CASE(fxk_objects_test),
	KUNIT_CASE(fxk_two_texts_test),
	KUNIT_CASE(fxk_time_test),
	KUNIT_CASE(fxk_two_rules_test),
	KUNIT_CASE(fxk_change_test),
	KUNIT_CASE(fxk_hidden_test),
	KUNIT_CASE(fxk_refused_test),
	{ }
};

struct kunit_suite fgraph_exprs_suite = {
	.name = "fgraph_exprs",
	.suite_init = fxk_suite_init,
	.suite_exit = fxk_suite_exit,
	.init = fgv_need_signatures,
	.exit = fxk_exit,
	.test_cases = fgraph_exprs_cases,
};
