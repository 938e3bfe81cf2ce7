// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of printing by a signature: prototypes, arguments and results.
 *
 * The signatures and the recorded words are written by hand, so that each kind of type
 * occurs. Strings that are not signatures must do no harm.
 */
#include <linux/fgraph.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../trace_graph_symbol.h"
#include "../trace_graph_value.h"
#include "fgraph_values_kunit.h"

/**
 * struct fgv_text - a signature, recorded words, and the expected texts
 * @sig:	the signature
 * @enums:	the enumerators of each enum that the signature passes by value
 * @words:	the recorded words of the arguments
 * @ret:	the two return registers
 * @nr_ret:	the number of recorded return registers, 0 means one
 * @prototype:	the expected prototype of a function "f"
 * @args:	the expected arguments
 * @retval:	the expected result, or NULL to skip the check
 */
struct fgv_text {
	const char	*sig;
	const char	*enums[2];
	unsigned long	words[13];
	unsigned long	ret[2];
	unsigned int	nr_ret;
	const char	*prototype;
	const char	*args;
	const char	*retval;
};

/* Garbage in the bits above a narrow value in its word */
#define DIRT		(~0xffffffffUL)
#define DIRT16		(0xdead0000UL)

#define FGV_TWELVE \
	"a=1, b=2, arg3=3, arg4=4, arg5=5, arg6=6, arg7=7, arg8=8, arg9=9, arg10=10, arg11=11, l=12"

static const struct fgv_text fgv_texts[] = {
	/* Numbers and names of parameters */
	{ .sig = "0v", .prototype = "void f(void)", .args = "" },
	{ .sig = "1vi1:", .words = { -1 }, .prototype = "void f(int :)",
	  .args = ":=-1" },
	{ .sig = "2vi1ai3bcd", .words = { 1, -2UL },
	  .prototype = "void f(int a, int bcd)", .args = "a=1, bcd=-2" },
	{ .sig = "2vi0j0", .words = { 1, 2 },
	  .prototype = "void f(int, unsigned int)", .args = "arg1=1, arg2=0x2" },
	{ .sig = "1iPKc3fmtz", .words = { 0x1000 }, .ret = { 7 },
	  .prototype = "int f(const char *fmt, ...)", .args = "fmt=0x1000, ...",
	  .retval = "7" },

	/* Integers */
	{ .sig = "1bb1x", .words = { 0xff00 }, .ret = { 0x101 },
	  .prototype = "bool f(bool x)", .args = "x=false", .retval = "true" },
	{ .sig = "1aa1x", .words = { DIRT16 | 0xfb }, .ret = { 0x80 },
	  .prototype = "signed char f(signed char x)", .args = "x=-5",
	  .retval = "-128" },
	{ .sig = "1hh1x", .words = { DIRT16 | 0xfb }, .ret = { DIRT16 },
	  .prototype = "unsigned char f(unsigned char x)", .args = "x=0xfb",
	  .retval = "0x0" },
	{ .sig = "1ss1x", .words = { DIRT16 | 0xfffb }, .ret = { 0x7fff },
	  .prototype = "short f(short x)", .args = "x=-5", .retval = "32767" },
	{ .sig = "1tt1x", .words = { DIRT16 | 0xfffb }, .ret = { 3 },
	  .prototype = "unsigned short f(unsigned short x)", .args = "x=0xfffb",
	  .retval = "0x3" },
	{ .sig = "1ii1x", .words = { 0xfffffffbUL }, .ret = { -22U },
	  .prototype = "int f(int x)", .args = "x=-5",
	  .retval = "-22 (EINVAL)" },
	{ .sig = "1ii1x", .words = { -4096UL }, .ret = { -4095UL },
	  .prototype = "int f(int x)", .args = "x=-4096", .retval = "-4095" },
	{ .sig = "1jj1x", .words = { 0xfffffffbUL }, .ret = { -1UL },
	  .prototype = "unsigned int f(unsigned int x)", .args = "x=0xfffffffb",
	  .retval = "0xffffffff" },
	{ .sig = "1ll1x", .words = { -5UL }, .ret = { LONG_MAX - LONG_MAX },
	  .prototype = "long f(long x)", .args = "x=-5", .retval = "0" },
	{ .sig = "1ll1x", .words = { -100UL }, .ret = { -1UL },
	  .prototype = "long f(long x)", .args = "x=-100",
	  .retval = "-1 (EPERM)" },
	{ .sig = "1ll1x", .words = { -4095UL }, .ret = { -4096UL },
	  .prototype = "long f(long x)", .args = "x=-4095", .retval = "-4096" },
	{ .sig = "1mm1x", .words = { 16 }, .ret = { -12UL },
	  .prototype = "unsigned long f(unsigned long x)", .args = "x=0x10",
#ifdef CONFIG_64BIT
	  .retval = "0xfffffffffffffff4 (ENOMEM)" },
#else
	  .retval = "0xfffffff4 (ENOMEM)" },
#endif
	{ .sig = "1dd1x", .words = { 16 }, .prototype = "double f(double x)",
	  .args = "x=<unknown>", .retval = "<unknown>" },
	{ .sig = "1uu1x", .words = { 16 },
	  .prototype = "/* unknown */ f(/* unknown */ x)",
	  .args = "x=<unknown>", .retval = "<unknown>" },

	/* Sizes and offsets, and typedefs of them */
	{ .sig = "1T6size_tmKT6size_tm1n", .words = { 200 }, .ret = { 0 },
	  .prototype = "size_t f(const size_t n)", .args = "n=200",
	  .retval = "0" },
	{ .sig = "1T6size_tmT3my_T6size_tm1n", .words = { -1UL }, .ret = { -12UL },
	  .prototype = "size_t f(my_ n)",
#ifdef CONFIG_64BIT
	  .args = "n=18446744073709551615", .retval = "18446744073709551604" },
#else
	  .args = "n=4294967295", .retval = "4294967284" },
#endif
	{ .sig = "1T3my_T7ssize_tlT\x84j1n", .words = { -1UL }, .ret = { -22UL },
	  .prototype = "my_ f(size_t n)", .args = "n=4294967295",
	  .retval = "-22 (EINVAL)" },
	{ .sig = "2T7size_t_mT4sizem1aPT6size_tm1b", .words = { 200, 200 },
	  .ret = { 200 }, .prototype = "size_t_ f(size a, size_t *b)",
	  .args = "a=0xc8, b=0xc8", .retval = "0xc8" },

	/* IDs, modes, devices, flags of allocations */
	{ .sig = "2vT5uid_tj1u#4_T6kgid_tS01g", .words = { 65534, DIRT | 1000 },
	  .prototype = "void f(uid_t u, kgid_t g)", .args = "u=65534, g=1000" },
	{ .sig = "2T7umode_ttT7umode_tt1mT6mode_tj1n", .words = { DIRT16 | 0100644, 0 },
	  .ret = { 0755 }, .prototype = "umode_t f(umode_t m, mode_t n)",
	  .args = "m=0100644, n=0", .retval = "0755" },
	{ .sig = "1T5dev_tjT5dev_tj3dev", .words = { DIRT | 0x800011 }, .ret = { 0 },
	  .prototype = "dev_t f(dev_t dev)", .args = "dev=8:17", .retval = "0:0" },
	{ .sig = "2vT5gfp_tj1gT5gfp_tj1h", .words = { 0xdc0, 0 },
	  .prototype = "void f(gfp_t g, gfp_t h)",
	  .args = "g=0xdc0 (GFP_KERNEL|__GFP_ZERO), h=0x0" },

	/* Numbers in network order */
	{ .sig = "2T6__be16tT6__be16t5sportT6__be32j5daddr",
	  .words = { DIRT16 | 0x5000, DIRT | 0x0100007f }, .ret = { 0x0008 },
	  .prototype = "__be16 f(__be16 sport, __be32 daddr)",
	  .args = "sport=80 (__be16), daddr=0x7f000001 (__be32)",
	  .retval = "2048 (__be16)" },

	/* Types and functions whose results are not errors */
	{ .sig = "0+0T3s64x", .ret = { -5UL, -1UL }, .nr_ret = 8 / sizeof(long),
	  .prototype = "s64 f(void)", .args = "", .retval = "-5" },
	{ .sig = "0T7ktime_tx", .ret = { -1UL, -1UL }, .nr_ret = 8 / sizeof(long),
	  .prototype = "ktime_t f(void)", .args = "", .retval = "-1" },
	{ .sig = "0!T7ktime_tx", .ret = { 0xffffffeaUL }, .prototype = "ktime_t f(void)",
	  .args = "", .retval = "0xffffffea" },
	{ .sig = "0-i", .ret = { -1U }, .prototype = "int f(void)", .args = "",
	  .retval = "-1" },
	{ .sig = "2mPS8shrinker0PS>shrink_control2sc", .words = { 1, 2 }, .ret = { -2UL },
	  .prototype = "unsigned long f(struct shrinker *, struct shrink_control *sc)",
	  .args = "arg1=0x1, sc=0x2",
#ifdef CONFIG_64BIT
	  .retval = "0xfffffffffffffffe (SHRINK_EMPTY)" },
#else
	  .retval = "0xfffffffe (SHRINK_EMPTY)" },
#endif

	/* Results that are errors in another form */
	{ .sig = "0*Pv", .ret = { (-12UL << 2) | 2 }, .prototype = "void *f(void)",
	  .args = "", .retval = "-12 (ENOMEM)" },
	{ .sig = "0*Pv", .ret = { 0x402 }, .prototype = "void *f(void)", .args = "",
	  .retval = "0x402" },
	{ .sig = "0T<blk_status_th", .ret = { DIRT16 | 10 },
	  .prototype = "blk_status_t f(void)", .args = "", .retval = "10 (BLK_STS_IOERR)" },
	{ .sig = "0T:vm_fault_tj", .ret = { 0x201 }, .prototype = "vm_fault_t f(void)",
	  .args = "", .retval = "0x201 (VM_FAULT_OOM|VM_FAULT_LOCKED)" },
	{ .sig = "0T;netdev_tx_tCi0", .enums = { "NETDEV_TX_OK,NETDEV_TX_BUSY=16" },
	  .ret = { 16 }, .prototype = "netdev_tx_t f(void)", .args = "",
	  .retval = "16 (NETDEV_TX_BUSY)" },

	/* A number with two names prints the name of the item. */
	{ .sig = "2vCj3num1aCj3num1b", .enums = { "F,N_BASE,N_A=1,N_B,N_LAST=2",
						  "N_MAX=3,N_END=3" },
	  .words = { 1, 3 }, .prototype = "void f(enum num a, enum num b)",
	  .args = "a=1 (N_A), b=3 (N_MAX)" },

	/* Characters */
	{ .sig = "2cc1xc1y", .words = { 'A', DIRT16 | '\n' }, .ret = { '\'' },
	  .prototype = "char f(char x, char y)", .args = "x=65 ('A'), y=10 ('\\n')",
	  .retval = "39 ('\\'')" },
	{ .sig = "2cc1xc1y", .words = { 0, 27 }, .ret = { '\\' },
	  .prototype = "char f(char x, char y)",
	  .args = "x=0 ('\\0'), y=27 ('\\x1b')", .retval = "92 ('\\\\')" },

	{ .sig = "2cc1xc1y", .words = { ',', ' ' }, .ret = { '*' },
	  .prototype = "char f(char x, char y)",
	  .args = "x=44 ('\\x2c'), y=32 (' ')", .retval = "42 ('*')" },

	/* Pointers */
	{ .sig = "2PvPv1pPKv1q", .words = { 0, -12UL }, .ret = { 0x1234 },
	  .prototype = "void *f(void *p, const void *q)",
	  .args = "p=NULL, q=-12", .retval = "0x1234" },
	{ .sig = "1PPKcT5gfp_tj5flags", .words = { 0xcc0 }, .ret = { 16 },
	  .prototype = "const char **f(gfp_t flags)", .args = "flags=0xcc0 (GFP_KERNEL)",
	  .retval = "0x10" },
	{ .sig = "1vPS\x80\x81", .words = { 16 },
	  .prototype = "void f(struct task_struct *sk_buff)",
	  .args = "sk_buff=0x10" },
	{ .sig = "1vKPc1p", .words = { 16 },
	  .prototype = "void f(char *const p)", .args = "p=0x10" },
	{ .sig = "2vPVKS4page1pRPc1q", .words = { 16, 0 },
	  .prototype = "void f(volatile const struct page *p, char *restrict q)",
	  .args = "p=0x10, q=NULL" },
	{ .sig = "2vPFiPKvPKvE3cmpPFvE1g", .words = { 0, 16 },
	  .prototype = "void f(int (*cmp)(const void *, const void *), void (*g)(void))",
	  .args = "cmp=NULL, g=0x10" },
	{ .sig = "1vPA3_A_i1p", .words = { 0 },
	  .prototype = "void f(int (*p)[3][])", .args = "p=NULL" },
	{ .sig = "1vPA4_PFizE1p", .words = { 0 },
	  .prototype = "void f(int (*(*p)[4])(...))", .args = "p=NULL" },
	{ .sig = "1PFPvlEi1n", .words = { 2 }, .ret = { 0 },
	  .prototype = "void *(*f(int n))(long)", .args = "n=2", .retval = "NULL" },
	{ .sig = "1vT;work_func_tPFvE2fn", .words = { 0 },
	  .prototype = "void f(work_func_t fn)", .args = "fn=NULL" },

	/* Enums */
	{ .sig = "2Cj3numCj3num1xCj3num1y",
	  .enums = { "ZERO,ONE,TWO,TEN=10", "ZERO,ONE,TWO,TEN=10" },
	  .words = { 10, 2 }, .ret = { 5 },
	  .prototype = "enum num f(enum num x, enum num y)",
	  .args = "x=10 (TEN), y=2", .retval = "5" },
	{ .sig = "2vCi01xT2etCi01y", .enums = { "A=-5,B,C=7", "X" },
	  .words = { -4U, DIRT16 << 16 },
	  .prototype = "void f(enum {...} x, et y)", .args = "x=-4 (B), y=0 (X)" },
	{ .sig = "1vCj2fl1x", .enums = { "NONE,A,B,HIGH=8" }, .words = { 11 },
	  .prototype = "void f(enum fl x)", .args = "x=11 (A|B|HIGH)" },
	{ .sig = "1vCj2fl1x", .enums = { "NONE,A,B,HIGH=8" }, .words = { 12 },
	  .prototype = "void f(enum fl x)", .args = "x=12" },

	/* Enums that are not flags, because two enumerators share a bit */
	{ .sig = "2vCj4type1xCj4type1y",
	  .enums = { "PIDTYPE_PID,PIDTYPE_TGID,PIDTYPE_PGID,PIDTYPE_SID,PIDTYPE_MAX",
		     "A=1,B,LAST=2" },
	  .words = { 5, 3 }, .prototype = "void f(enum type x, enum type y)",
	  .args = "x=5, y=3" },
	{ .sig = "2vCj4type1xCi4type1y",
	  .enums = { "A=1,B,BOTH", "A=1,B,MINUS=-1" }, .words = { 3, 3 },
	  .prototype = "void f(enum type x, enum type y)",
	  .args = "x=3 (BOTH), y=3" },

	/* Enums that are not flags, because the enumerators only count up to 2 */
	{ .sig = "2vCj4type1xCi4type1y", .enums = { "A,B,C", "A=1,B,MINUS=-4" },
	  .words = { 3, 3 }, .prototype = "void f(enum type x, enum type y)",
	  .args = "x=3, y=3" },
	{ .sig = "2vCj4type1xCi4type1y",
	  .enums = { "A,B,C,D=4", "A=1,B,LAST=1073741824" }, .words = { 3, 3 },
	  .prototype = "void f(enum type x, enum type y)",
	  .args = "x=3 (B|C), y=3 (A|B)" },

	/* Structs, by value and by reference */
	{ .sig = "1S1sPS1s1p", .words = { 16 },
	  .prototype = "struct s f(struct s *p)", .args = "p=0x10" },
	{ .sig = "1#3_S1s#3_U01x", .words = { DIRT | 0xaa123456 },
	  .ret = { DIRT | 0x11223344 }, .prototype = "struct s f(union {...} x)",
	  .args = "x={0x123456}", .retval = "{0x223344}" },
	{ .sig = "1v#0_S1s1xi1y", .words = { 5 },
	  .prototype = "void f(struct s x, int y)", .args = "x={}, y=5" },
	{ .sig = "2&S1s&S1s1xi1y", .words = { 0x10, 5 }, .ret = { 0x20 },
	  .prototype = "struct s f(struct s x, int y)",
	  .args = "x=0x10 (by reference), y=5",
	  .retval = "0x20 (by reference)" },
	{ .sig = "2&S1s&S1s1xi1y", .words = { 0, 5 }, .ret = { 0 },
	  .prototype = "struct s f(struct s x, int y)",
	  .args = "x=NULL (by reference), y=5",
	  .retval = "NULL (by reference)" },

	/* Results of clones, which have no type */
	{ .sig = "1!i!i1x", .ret = { -22U }, .prototype = "int f(int x)",
	  .args = "x=<optimized out>", .retval = "-22 (EINVAL)" },
	{ .sig = "1!bi1x", .words = { 1 }, .ret = { 200 },
	  .prototype = "bool f(int x)", .args = "x=1", .retval = "0xc8" },
	{ .sig = "1!Pvi1x", .words = { 1 }, .ret = { 0 },
	  .prototype = "void *f(int x)", .args = "x=1", .retval = "0" },

	/* Places of values */
	{ .sig = "1v!i1xi1y?d1z", .words = { 5 },
	  .prototype = "void f(int x, int y, double z)",
	  .args = "x=<optimized out>, y=5, z=<unknown>" },
	{ .sig = "2+1v@2i1x@0i1yi1z", .words = { 1, 2, 3 },
	  .prototype = "void f(int x, int y, int z)", .args = "x=3, y=1, z=2" },
	{ .sig = "1vi1xi1y", .words = { 5 },
	  .prototype = "void f(int x, int y)", .args = "x=5, y=<unknown>" },
	{ .sig = "6+6vi1ai1bi0i0i0i0i0i0i0i0i0i1l",
	  .words = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 },
	  .prototype = "void f(int a, int b, int, int, int, int, int, int, int, int, int, int l)",
	  .args = FGV_TWELVE },

#ifdef CONFIG_64BIT
	{ .sig = "1xx1x", .words = { -5UL }, .ret = { 1UL << 40 },
	  .prototype = "long long f(long long x)", .args = "x=-5",
	  .retval = "1099511627776" },
	{ .sig = "1T6loff_txT8sector_ty1x", .words = { -5UL }, .ret = { -22UL },
	  .prototype = "loff_t f(sector_t x)",
	  .args = "x=18446744073709551611", .retval = "-22 (EINVAL)" },
	{ .sig = "2on1x", .words = { 5, 0 }, .ret = { 1, 2 }, .nr_ret = 2,
	  .prototype = "unsigned __int128 f(__int128 x)", .args = "x=0x5",
	  .retval = "0x20000000000000001" },
	{ .sig = "0o", .ret = { 1, 2 }, .prototype = "unsigned __int128 f(void)",
	  .args = "", .retval = "<unknown>" },
	{ .sig = "0+5#12_S1s#40_S3big1x", .words = { 1, 2, 3, 4, 5 },
	  .ret = { 1, DIRT | 2 }, .nr_ret = 2,
	  .prototype = "struct s f(struct big x)",
	  .args = "x={0x1 0x2 0x3 0x4 0x5}", .retval = "{0x1 0x2}" },
	{ .sig = "1vCy1e1x", .enums = { "A,B=4294967296,C=-1" },
	  .words = { 1UL << 32 }, .prototype = "void f(enum e x)",
	  .args = "x=4294967296 (B)" },
#else
	{ .sig = "2xx1x", .words = { -5UL, -1UL }, .ret = { 0, 1 }, .nr_ret = 2,
	  .prototype = "long long f(long long x)", .args = "x=-5",
	  .retval = "4294967296" },
	{ .sig = "2T6loff_txT8sector_ty1x", .words = { -5UL, -1UL },
	  .ret = { -22UL, -1UL }, .nr_ret = 2,
	  .prototype = "loff_t f(sector_t x)",
	  .args = "x=18446744073709551611", .retval = "-22 (EINVAL)" },
	{ .sig = "3vi1x@1y1y", .words = { 1, 2, 3 },
	  .prototype = "void f(int x, unsigned long long y)",
	  .args = "x=1, y=0x300000002" },
#endif
};

/* A table of signatures with one function, laid out as in a section */
struct fgv_table {
	struct fgraph_site	sites[3];
	struct trace_seq	seq;
	char			text[3][256];
};

static struct fgv_table *fgv_alloc_table(struct kunit *test)
{
	struct fgv_table *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, table);
	return table;
}

/* Copy the strings into the table, because a site refers to them by 32-bit offsets. */
static struct fgraph_sig fgv_make_sig(struct fgv_table *table, const char *sig,
				      const char *const enums[2])
{
	int i, nr = 1;

	strscpy(table->text[0], sig, sizeof(table->text[0]));
	for (; nr <= 2 && enums && enums[nr - 1]; nr++)
		strscpy(table->text[nr], enums[nr - 1], sizeof(table->text[nr]));
	for (i = 0; i < nr; i++) {
		struct fgraph_site *site = &table->sites[i];

		site->site = (char *)table - (char *)&site->site;
		site->string = table->text[i] - (char *)&site->string;
	}
	return (struct fgraph_sig){
		.text = table->text[0],
		.site = table->sites,
		.end = table->sites + nr,
	};
}

static const char *fgv_string(struct trace_seq *s)
{
	trace_seq_putc(s, '\0');
	return s->buffer;
}

/* Expect a separator between arguments, and no comma inside an argument. */
static void fgv_check_separators(struct kunit *test, const struct fgraph_sig *sig,
				 const char *args)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	int nr = 0;

	fgraph_sig_result(&walk, sig, &value);
	while (fgraph_sig_parameter(&walk, &value))
		nr++;
	for (nr += walk.variadic; nr > 1; nr--) {
		args = strstr(args, ", ");
		KUNIT_ASSERT_NOT_NULL(test, args);
		args += 2;
	}
	KUNIT_EXPECT_NULL(test, strchr(args, ','));
}

static void fgv_check_text(struct kunit *test, struct fgv_table *table,
			   const struct fgv_text *text)
{
	struct fgraph_sig sig = fgv_make_sig(table, text->sig, text->enums);
	const struct graph_words args = {
		.words = text->words,
		.nr = fgraph_sig_regs(sig.text) + fgraph_sig_stack(sig.text),
	};
	const struct graph_words ret = { .words = text->ret, .nr = text->nr_ret ?: 1 };
	struct trace_seq *s = &table->seq;

	trace_seq_init(s);
	fgraph_print_prototype(&s->seq, &sig, "f");
	KUNIT_EXPECT_STREQ_MSG(test, fgv_string(s), text->prototype, "%s", text->sig);

	trace_seq_init(s);
	print_graph_sig_args(s, &sig, &args);
	KUNIT_EXPECT_STREQ_MSG(test, fgv_string(s), text->args, "%s", text->sig);
	fgv_check_separators(test, &sig, s->buffer);

	if (!text->retval)
		return;
	trace_seq_init(s);
	print_graph_sig_retval(s, &sig, &ret);
	KUNIT_EXPECT_STREQ_MSG(test, fgv_string(s), text->retval, "%s", text->sig);
}

static void fgv_texts_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(fgv_texts); i++)
		fgv_check_text(test, table, &fgv_texts[i]);
}

/* The errors of results, including results that print without the name of an error */
static const struct {
	const char	*sig;
	unsigned long	ret;
	long		error;
} fgv_errors[] = {
	{ "0i", DIRT | -22U, -22 },
	{ "0i", 22, 0 },
	{ "0-i", -1U, 0 },
	{ "0T3s64x", -5UL, 0 },
	{ "0T7pgoff_tm", -1UL, 0 },
	{ "0m", -12UL, -12 },
	{ "1mPS>shrink_control2sc", -2UL, 0 },
	{ "0Pv", (-12UL << 2) | 2, (-12L << 2) | 2 },
	{ "0*Pv", (-12UL << 2) | 2, -12 },
	{ "0*Pv", 0x1000, 0 },
	{ "0T<blk_status_th", 0, 0 },
	{ "0T<blk_status_th", DIRT16 | 10, -EIO },
	{ "0T<blk_status_th", 17, -ENODEV },
	{ "0T:vm_fault_tj", 0x304, 0 },
	{ "0T:vm_fault_tj", 0x800, 0 },
	{ "0T:vm_fault_tj", 0x205, -ENOMEM },
	{ "0T;netdev_tx_tCi0", 0, 0 },
	{ "0T;netdev_tx_tCi0", 16, -EBUSY },
	{ "0!T<blk_status_th", 10, 0 },
};

static void fgv_errors_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	unsigned long words[2] = { 0, -1UL };
	struct fgraph_sig sig;
	int i;

	for (i = 0; i < ARRAY_SIZE(fgv_errors); i++) {
		sig = fgv_make_sig(table, fgv_errors[i].sig, NULL);
		words[0] = fgv_errors[i].ret;
		KUNIT_EXPECT_EQ_MSG(test, graph_sig_result_error(&sig, words, 2),
				    fgv_errors[i].error, "%s", fgv_errors[i].sig);
	}
	/* A rule compares the error in an entry of an XArray. */
	KUNIT_EXPECT_EQ(test, (s64)graph_form_number(FGRAPH_XA_ENTRY, (-12UL << 2) | 2,
						     sizeof(long)), -12);
	KUNIT_EXPECT_EQ(test, graph_form_number(FGRAPH_XA_ENTRY, 0x402, sizeof(long)), 0x402);
}

/* Results in plain hexadecimal: the bits of the type alone, and never a wrong value */
static const struct {
	const char	*sig;
	unsigned long	ret[2];
	unsigned int	nr_ret;
	const char	*retval;
} fgv_hex_texts[] = {
	{ "0i", { DIRT | -22U }, 1, "0xffffffea" },
	{ "0b", { 0xff01 }, 1, "0x1" },
	{ "0b", { 0xff00 }, 1, "0x0" },
	{ "0a", { DIRT16 | 0xfb }, 1, "0xfb" },
	{ "0t", { DIRT16 | 0xfffb }, 1, "0xfffb" },
	{ "0c", { DIRT16 | 'A' }, 1, "0x41" },
	{ "0Ci0", { DIRT | 2 }, 1, "0x2" },
	{ "0T7ssize_ti", { DIRT | -1U }, 1, "0xffffffff" },
	{ "0Pv", { 0x1234 }, 1, "0x1234" },
	{ "0Pv", { 0 }, 1, "0x0" },
	{ "0#3_S1s", { DIRT | 0xaa123456 }, 1, "0x123456" },
	{ "0#0_S1s", { 5 }, 1, "0x0" },
	{ "1&S1s", { 0x20 }, 1, "0x20" },
	/* A result without a type, not in a recorded register, or of an unknown type */
	{ "0!b", { DIRT16 | 1 }, 1, "0xdead0001" },
	{ "0?S1s", { 5 }, 1, "<unknown>" },
	{ "0d", { 5 }, 1, "<unknown>" },
	{ "0u", { 5 }, 1, "<unknown>" },
#ifdef CONFIG_64BIT
	{ "0l", { -22UL }, 1, "0xffffffffffffffea" },
	{ "0o", { 1, 2 }, 2, "0x20000000000000001" },
	{ "0o", { 1, 0 }, 2, "0x1" },
	{ "0#12_S1s", { 1, DIRT | 2 }, 2, "0x20000000000000001" },
	{ "0o", { 1, 2 }, 1, "<unknown>" },
#else
	{ "0l", { -22UL }, 1, "0xffffffea" },
	{ "0x", { 1, 2 }, 2, "0x200000001" },
	{ "0x", { 1, 0 }, 2, "0x1" },
	{ "0#6_S1s", { 1, 0xdead0002UL }, 2, "0x200000001" },
	{ "0x", { 1, 2 }, 1, "<unknown>" },
#endif
};

static void fgv_hex_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	struct trace_seq *s = &table->seq;
	int i;

	for (i = 0; i < ARRAY_SIZE(fgv_hex_texts); i++) {
		struct fgraph_sig sig = fgv_make_sig(table, fgv_hex_texts[i].sig, NULL);
		const struct graph_words ret = {
			.words = fgv_hex_texts[i].ret,
			.nr = fgv_hex_texts[i].nr_ret,
		};

		trace_seq_init(s);
		print_graph_sig_retval_hex(s, &sig, &ret);
		KUNIT_EXPECT_STREQ_MSG(test, fgv_string(s), fgv_hex_texts[i].retval,
				       "%s", fgv_hex_texts[i].sig);
	}
}

/* Results of a function without a signature */
static const struct {
	unsigned long	word;
	const char	*retval;
} fgv_untyped[] = {
	{ 0, "0" },
	{ 1, "0x1" },
	{ 200, "0xc8" },
	/* No error is narrower than an int */
	{ 240, "0xf0" },
	{ 241, "0xf1" },
	{ 251, "0xfb" },
	{ 255, "0xff" },
	{ 256, "0x100" },
	{ 61440, "0xf000" },
	{ 61441, "0xf001" },
	{ 65514, "0xffea" },
	{ 65535, "0xffff" },
	{ 65536, "0x10000" },
	/* Errors in the low 32 bits */
	{ 0x7fffffea, "0x7fffffea" },
	{ 0xffffefffUL, "0xffffefff" },
	{ 0xfffff000UL, "0xfffff000" },
	{ 0xfffff001UL, "-4095" },
	{ 0xffffffeaUL, "-22 (EINVAL)" },
	{ 0xffffffffUL, "-1 (EPERM)" },
	{ 0x1fffffeaUL, "0x1fffffea" },
	/* Errors in all bits */
	{ -1UL, "-1 (EPERM)" },
	{ -22UL, "-22 (EINVAL)" },
	{ -4095UL, "-4095" },
#ifdef CONFIG_64BIT
	{ -4096UL, "0xfffffffffffff000" },
	{ 0x100000000UL, "0x100000000" },
	{ 0x1fffff001UL, "0x1fffff001" },
	{ 0x1ffffffeaUL, "0x1ffffffea" },
	{ 0x1ffffffffUL, "0x1ffffffff" },
	{ 0x7fffffffffffffeaUL, "0x7fffffffffffffea" },
	{ 0xfffffffeffffffeaUL, "0xfffffffeffffffea" },
#else
	{ -4096UL, "0xfffff000" },
#endif
};

static void fgv_untyped_test(struct kunit *test)
{
	struct trace_seq *s = &fgv_alloc_table(test)->seq;
	const unsigned long words[] = { 0x10, 0, -22UL };
	struct graph_words args;
	int i;

	for (i = 0; i < ARRAY_SIZE(fgv_untyped); i++) {
		char expected[32];

		snprintf(expected, sizeof(expected), "ret=%s", fgv_untyped[i].retval);
		trace_seq_init(s);
		args = (struct graph_words){ .words = &fgv_untyped[i].word, .nr = 1 };
		print_graph_retval(s, 0, &args, 0);
		KUNIT_EXPECT_STREQ(test, fgv_string(s), expected);
	}

	/* Arguments never print as errors. Unrecorded arguments print as "..." */
	trace_seq_init(s);
	args = (struct graph_words){ .words = words, .nr = 3 };
	print_graph_args(s, 0, &args);
#ifdef CONFIG_64BIT
	KUNIT_EXPECT_STREQ(test, fgv_string(s),
			   "(arg1=0x10, arg2=0, arg3=0xffffffffffffffea)");
#else
	KUNIT_EXPECT_STREQ(test, fgv_string(s),
			   "(arg1=0x10, arg2=0, arg3=0xffffffea)");
#endif
	trace_seq_init(s);
	args.nr = 0;
	print_graph_args(s, 0, &args);
	KUNIT_EXPECT_STREQ(test, fgv_string(s), "(...)");
}

/* Each char prints as its number and a quoted text without a comma or a newline. */
static void fgv_all_chars_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	struct fgraph_sig sig = fgv_make_sig(table, "1vc1x", NULL);
	struct trace_seq *s = &table->seq;
	unsigned long word;
	const struct graph_words args = { .words = &word, .nr = 1 };

	for (word = 0; word < 256; word++) {
		char number[8];

		trace_seq_init(s);
		print_graph_sig_args(s, &sig, &args);
		fgv_string(s);
		snprintf(number, sizeof(number), "x=%d ('", (char)word);
		KUNIT_EXPECT_PTR_EQ(test, strstr(s->buffer, number), (char *)s->buffer);
		KUNIT_EXPECT_STREQ(test, s->buffer + strlen(s->buffer) - 2, "')");
		KUNIT_EXPECT_NULL(test, strchr(s->buffer, ','));
		KUNIT_EXPECT_NULL(test, strchr(s->buffer, '\n'));
	}
}

/* A pointer to a function prints with the name of the function. */
static void fgv_symbol_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	struct fgraph_sig sig = fgv_make_sig(table, "1vPFiPKczE1f", NULL);
	unsigned long word = (unsigned long)_printk;
	const struct graph_words args = { .words = &word, .nr = 1 };
	struct trace_seq *s = &table->seq;
	char expected[64];

	trace_seq_init(s);
	print_graph_sig_args(s, &sig, &args);
	snprintf(expected, sizeof(expected), "f=0x%lx (_printk)", word);
	KUNIT_EXPECT_STREQ(test, fgv_string(s), expected);
}

/* A truncated or invalid signature prints up to the point where it breaks. */
static void fgv_broken_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	const unsigned long words[2 * FGRAPH_MAX_WORDS] = { };
	const struct graph_words recorded = { .words = words, .nr = 2 };
	struct trace_seq *s = &table->seq;
	struct fgraph_sig sig;
	int i;

	sig = fgv_make_sig(table, "2vi1xi\xff", NULL);
	trace_seq_init(s);
	print_graph_sig_args(s, &sig, &recorded);
	KUNIT_EXPECT_STREQ(test, fgv_string(s), "x=0, ...");

	sig = fgv_make_sig(table, "2vi1xq1y", NULL);
	trace_seq_init(s);
	fgraph_print_prototype(&s->seq, &sig, "f");
	KUNIT_EXPECT_STREQ(test, fgv_string(s), "void f(int x, ...)");
	trace_seq_init(s);
	print_graph_sig_args(s, &sig, &recorded);
	KUNIT_EXPECT_STREQ(test, fgv_string(s), "x=0, ...");

	for (i = 0; i < ARRAY_SIZE(fgv_texts); i++) {
		int len;

		for (len = 1; len < strlen(fgv_texts[i].sig); len++) {
			sig = fgv_make_sig(table, fgv_texts[i].sig, fgv_texts[i].enums);
			table->text[0][len] = 0;
			trace_seq_init(s);
			fgraph_print_prototype(&s->seq, &sig, "f");
			print_graph_sig_args(s, &sig, &recorded);
			print_graph_sig_retval(s, &sig, &recorded);
			KUNIT_EXPECT_FALSE(test, trace_seq_has_overflowed(s));
		}
	}
}

/* Random strings of the letters of signatures, some deeply nested, do no harm. */
static void fgv_garbage_test(struct kunit *test)
{
	static const char letters[] = "vbcijxnuPPPPKKVRA_FFEzSUCCT0112233@#&!?_=,+\x80\xff";
	struct fgv_table *table = fgv_alloc_table(test);
	const unsigned long words[2 * FGRAPH_MAX_WORDS] = { };
	const struct graph_words recorded = { .words = words, .nr = 2 };
	struct trace_seq *s = &table->seq;
	struct rnd_state rnd;
	char text[128];
	int round, i;

	prandom_seed_state(&rnd, 20221211);
	for (round = 0; round < 20000; round++) {
		struct fgraph_sig sig;

		for (i = 0; i < sizeof(text) - 1; i++)
			text[i] = letters[prandom_u32_state(&rnd) %
					  (sizeof(letters) - 1)];
		if (round % 4)
			memcpy(text, "2+2", 3);
		if (round % 8 == 7)
			memset(text + 3, "PFAKT"[round % 5], 100);
		text[prandom_u32_state(&rnd) % sizeof(text)] = 0;
		text[sizeof(text) - 1] = 0;

		sig = fgv_make_sig(table, text, NULL);
		strscpy(table->text[1], text + 3, sizeof(table->text[1]));
		trace_seq_init(s);
		fgraph_print_prototype(&s->seq, &sig, "f");
		print_graph_sig_args(s, &sig, &recorded);
		print_graph_sig_retval(s, &sig, &recorded);
	}
}

/* The entries of a module are sorted by site. Entries of one site keep their order. */
static void fgv_sort_test(struct kunit *test)
{
	static const int order[] = { 3, 1, 1, 9, 1, 3, 0, 9, 2, 1 };
	static const char *const sorted[] = { "6", "1", "2", "4", "9", "8", "0",
					      "5", "3", "7" };
	struct {
		struct fgraph_site	sites[ARRAY_SIZE(order)];
		char			strings[ARRAY_SIZE(order)][2];
		char			code[10];
	} *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, table);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		struct fgraph_site *site = &table->sites[i];

		table->strings[i][0] = '0' + i;
		site->site = &table->code[order[i]] - (char *)&site->site;
		site->string = table->strings[i] - (char *)&site->string;
	}

	KUNIT_ASSERT_EQ(test, fgraph_sort_sites(table->sites, ARRAY_SIZE(order)), 0);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		struct fgraph_site *site = &table->sites[i];

		KUNIT_EXPECT_STREQ(test, (char *)&site->string + site->string,
				   sorted[i]);
		KUNIT_EXPECT_EQ(test, (char *)&site->site + site->site - table->code,
				order[sorted[i][0] - '0']);
	}
}

static void fgv_check_name(struct kunit *test, struct trace_seq *s,
			   struct graph_symbols *symbols, unsigned long addr)
{
	char expected[KSYM_SYMBOL_LEN];

	snprintf(expected, sizeof(expected), "%ps", (void *)addr);
	trace_seq_init(s);
	print_graph_symbol(s, symbols, addr);
	KUNIT_EXPECT_STREQ(test, fgv_string(s), expected);
}

/*
 * A symbol prints the same if its name is cached, if another name takes its place in
 * the cache, and without a cache.
 */
static void fgv_names_test(struct kunit *test)
{
	struct fgv_table *table = fgv_alloc_table(test);
	struct graph_symbols *symbols = alloc_graph_symbols(GFP_KERNEL);
	unsigned long printk = fgraph_func_addr(_printk);
	unsigned long addr;

	KUNIT_ASSERT_NOT_NULL(test, symbols);
	for (addr = printk - SZ_128K; addr < printk + SZ_128K; addr += 256) {
		fgv_check_name(test, &table->seq, symbols, addr);
		fgv_check_name(test, &table->seq, symbols, printk);
		fgv_check_name(test, &table->seq, symbols, addr);
	}
	fgv_check_name(test, &table->seq, NULL, printk);
	/* The name of a function in a module includes the module */
	fgv_check_name(test, &table->seq, symbols, fgraph_func_addr(fgv_names_test));
	kfree(symbols);
}

static struct kunit_case fgraph_values_text_cases[] = {
	KUNIT_CASE(fgv_texts_test),
	KUNIT_CASE(fgv_errors_test),
	KUNIT_CASE(fgv_hex_test),
	KUNIT_CASE(fgv_untyped_test),
	KUNIT_CASE(fgv_all_chars_test),
	KUNIT_CASE(fgv_symbol_test),
	KUNIT_CASE(fgv_names_test),
	KUNIT_CASE(fgv_broken_test),
	KUNIT_CASE(fgv_garbage_test),
	KUNIT_CASE(fgv_sort_test),
	{ }
};

struct kunit_suite fgraph_values_text_suite = {
	.name = "fgraph_values_text",
	.test_cases = fgraph_values_text_cases,
};
