// SPDX-License-Identifier: GPL-2.0
/*
 * The target functions of the KUnit tests of values. Unlike the tests, this file is
 * compiled with the hooks of ftrace.
 *
 * Each function contains a barrier or a call. Without it, the compiler could treat the
 * function as pure and omit calls of it.
 */
#include <linux/compiler.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "fgraph_values_targets_kunit.h"

#define FGV_TARGET(name, type)			\
noinline __noclone type name(type x)		\
{						\
	barrier();				\
	return x;				\
}

/* The call makes GCC move @x, and therefore emit a location list for it. */
#define FGV_MOVING_TARGET(name, type)		\
noinline __noclone type name(type x)		\
{						\
	ktime_get();				\
	return x;				\
}

FGV_TARGET(fgv_bool, bool)
FGV_TARGET(fgv_char, char)
FGV_TARGET(fgv_schar, signed char)
FGV_TARGET(fgv_uchar, unsigned char)
FGV_TARGET(fgv_short, short)
FGV_TARGET(fgv_ushort, unsigned short)
FGV_TARGET(fgv_int, int)
FGV_TARGET(fgv_uint, unsigned int)
FGV_TARGET(fgv_long, long)
FGV_TARGET(fgv_ulong, unsigned long)
FGV_TARGET(fgv_llong, long long)
FGV_TARGET(fgv_ullong, unsigned long long)
FGV_TARGET(fgv_size, size_t)
FGV_TARGET(fgv_my_size, fgv_size_t)
FGV_TARGET(fgv_ssize, ssize_t)
FGV_TARGET(fgv_loff, loff_t)
FGV_TARGET(fgv_sector, sector_t)
#ifdef CONFIG_ARCH_SUPPORTS_INT128
FGV_TARGET(fgv_u128, unsigned __int128)
#endif
FGV_TARGET(fgv_be16, __be16)
FGV_TARGET(fgv_be32, __be32)
FGV_TARGET(fgv_mode, umode_t)
FGV_TARGET(fgv_device, dev_t)
FGV_TARGET(fgv_gfp, gfp_t)
FGV_TARGET(fgv_pointer, void *)
FGV_TARGET(fgv_string, const char *)
FGV_TARGET(fgv_function, fgv_fn_t)
FGV_TARGET(fgv_enum, enum fgv_number)
FGV_TARGET(fgv_enum_signed, enum fgv_signed)
FGV_TARGET(fgv_enum_wide, enum fgv_wide)
FGV_TARGET(fgv_flags, fgv_flags_t)
FGV_TARGET(fgv_pid_type, enum pid_type)
FGV_TARGET(fgv_struct_1, struct fgv_1)
FGV_TARGET(fgv_struct_3, struct fgv_3)
FGV_MOVING_TARGET(fgv_struct_8, struct fgv_8)
FGV_TARGET(fgv_struct_12, struct fgv_12)
FGV_TARGET(fgv_struct_16, struct fgv_16)

noinline __noclone int fgv_long_line(enum fgv_long x, enum fgv_long y)
{
	barrier();
	return x & y;
}

noinline __noclone int fgv_call_long_line(enum fgv_long x, enum fgv_long y)
{
	int ret = fgv_long_line(x, y);

	barrier();
	return ret;
}

noinline __noclone void fgv_void(void)
{
	barrier();
}

noinline __noclone void fgv_void_arg(int x)
{
	barrier();
}

noinline __noclone void fgv_struct_40(int before, struct fgv_40 x, int after)
{
	barrier();
}

noinline __noclone int fgv_twelve(int a, int b, int c, int d, int e, int f,
				  int g, int h, int i, int j, int k, int l)
{
	barrier();
	return a;
}

noinline __noclone long fgv_mixed(signed char a, u64 b, short c, u32 d, bool e,
				  void *f, s64 g, unsigned char h)
{
	barrier();
	return a;
}

noinline __noclone int fgv_variadic(int x, ...)
{
	barrier();
	return x;
}

noinline __noclone void fgv_exit(int x)
{
	barrier();
	kthread_complete_and_exit(NULL, x);
}

/*
 * fgraph_values_twin_kunit.c contains another function of this name. __used keeps the
 * compiler from changing the parameters.
 */
static noinline __used int fgv_twin(int number)
{
	barrier();
	return number;
}

noinline struct fgv_16 *values_unnamed(struct fgv_16 *x)
{
	barrier();
	return x;
}

noinline int fgv_call_twin_a(int x)
{
	int ret = fgv_twin(x);

	barrier();
	return ret;
}

/*
 * The compiler may remove a parameter from a function if it is unused, or if it is the
 * same in all calls.
 */
static noinline int fgv_unused(int gone, int kept)
{
	barrier();
	return kept;
}

/* The call of ktime_get() has the same purpose as in FGV_MOVING_TARGET(). */
static noinline int fgv_constant(int kept, int seven)
{
	ktime_get();
	return kept + seven;
}

noinline int fgv_call_clones(int x)
{
	int ret = fgv_unused(3, x) + fgv_constant(x, 7);

	barrier();
	return ret;
}

/*
 * The compiler may replace the parameter, an address, by the only member that the
 * function reads.
 */
static noinline int fgv_member(const struct fgv_12 *x)
{
	int member = x->a[0];

	barrier();
	return member;
}

noinline int fgv_call_member(const struct fgv_12 *x)
{
	int ret = fgv_member(x);

	barrier();
	return ret;
}

/* A call in which the task changes its CPU */
noinline __noclone int fgv_move(int cpu)
{
	return set_cpus_allowed_ptr(current, cpumask_of(cpu)) ?: cpu;
}
