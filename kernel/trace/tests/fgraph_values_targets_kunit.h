/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The target functions of the KUnit tests of values, and the types of their values.
 * Most target functions that return a value return their first argument.
 */
#ifndef _KERNEL_TRACE_FGRAPH_VALUES_TARGETS_H
#define _KERNEL_TRACE_FGRAPH_VALUES_TARGETS_H

#include <linux/pid.h>
#include <linux/types.h>

enum fgv_number { FGV_ZERO, FGV_ONE, FGV_TWO, FGV_TEN = 10 };
enum fgv_signed { FGV_MINUS_FIVE = -5, FGV_MINUS_FOUR };
enum fgv_wide { FGV_NARROW, FGV_WIDE = 1LL << 40 };
typedef enum { FGV_A = 1, FGV_B = 2, FGV_C = 8 } fgv_flags_t;

/* The names of all flags in two values of this type fill more than a page. */
#define FGV_LONG_NAME(n) \
	FGV_FLAG_OF_WHICH_THE_NAME_IS_AS_LONG_AS_THE_LINES_OF_A_TEXT_THAT_NOBODY_READS_##n
#define FGV_LONG_FLAG(n)	FGV_LONG_NAME(n) = 1 << (n)
#define FGV_LONG_FLAGS_OF(n)						\
	FGV_LONG_FLAG(n##0), FGV_LONG_FLAG(n##1), FGV_LONG_FLAG(n##2),	\
	FGV_LONG_FLAG(n##3), FGV_LONG_FLAG(n##4), FGV_LONG_FLAG(n##5),	\
	FGV_LONG_FLAG(n##6), FGV_LONG_FLAG(n##7), FGV_LONG_FLAG(n##8),	\
	FGV_LONG_FLAG(n##9)

enum fgv_long {
	FGV_LONG_FLAGS_OF(), FGV_LONG_FLAGS_OF(1), FGV_LONG_FLAGS_OF(2)
};

#define FGV_LONG_FLAGS	((enum fgv_long)((1 << 30) - 1))

typedef size_t fgv_size_t;
typedef int (*fgv_fn_t)(const void *a, const void *b);

struct fgv_1 { u8 b[1]; };
struct fgv_3 { u8 b[3]; };
struct fgv_8 { u64 a; };
struct fgv_12 { u32 a[3]; };
struct fgv_16 { u64 a, b; };
struct fgv_40 { u64 a[5]; };

/* Unlike the other target functions, this one does not match the filter "fgv_*". */
struct fgv_16 *values_unnamed(struct fgv_16 *x);

void fgv_void(void);
void fgv_void_arg(int x);
bool fgv_bool(bool x);
char fgv_char(char x);
signed char fgv_schar(signed char x);
unsigned char fgv_uchar(unsigned char x);
short fgv_short(short x);
unsigned short fgv_ushort(unsigned short x);
int fgv_int(int x);
int fgv_move(int cpu);
__be16 fgv_be16(__be16 x);
__be32 fgv_be32(__be32 x);
umode_t fgv_mode(umode_t x);
dev_t fgv_device(dev_t x);
gfp_t fgv_gfp(gfp_t x);
unsigned int fgv_uint(unsigned int x);
long fgv_long(long x);
unsigned long fgv_ulong(unsigned long x);
long long fgv_llong(long long x);
unsigned long long fgv_ullong(unsigned long long x);
size_t fgv_size(size_t x);
fgv_size_t fgv_my_size(fgv_size_t x);
ssize_t fgv_ssize(ssize_t x);
loff_t fgv_loff(loff_t x);
sector_t fgv_sector(sector_t x);
#ifdef CONFIG_ARCH_SUPPORTS_INT128
unsigned __int128 fgv_u128(unsigned __int128 x);
#endif
void *fgv_pointer(void *x);
const char *fgv_string(const char *x);
fgv_fn_t fgv_function(fgv_fn_t x);
enum fgv_number fgv_enum(enum fgv_number x);
enum fgv_signed fgv_enum_signed(enum fgv_signed x);
enum fgv_wide fgv_enum_wide(enum fgv_wide x);
fgv_flags_t fgv_flags(fgv_flags_t x);
enum pid_type fgv_pid_type(enum pid_type x);
int fgv_long_line(enum fgv_long x, enum fgv_long y);
int fgv_call_long_line(enum fgv_long x, enum fgv_long y);
struct fgv_1 fgv_struct_1(struct fgv_1 x);
struct fgv_3 fgv_struct_3(struct fgv_3 x);
struct fgv_8 fgv_struct_8(struct fgv_8 x);
struct fgv_12 fgv_struct_12(struct fgv_12 x);
struct fgv_16 fgv_struct_16(struct fgv_16 x);
void fgv_struct_40(int before, struct fgv_40 x, int after);
int fgv_twelve(int a, int b, int c, int d, int e, int f, int g, int h, int i,
	       int j, int k, int l);
long fgv_mixed(signed char a, u64 b, short c, u32 d, bool e, void *f, s64 g,
	       unsigned char h);
int fgv_variadic(int x, ...);
void fgv_exit(int x);

int fgv_call_twin_a(int x);
int fgv_call_twin_b(const char *x);
int fgv_call_clones(int x);
int fgv_call_member(const struct fgv_12 *x);

#endif /* _KERNEL_TRACE_FGRAPH_VALUES_TARGETS_H */
