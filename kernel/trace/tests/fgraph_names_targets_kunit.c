// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/types.h>

#include "fgraph_names_targets_kunit.h"

#define FGN(type)						\
	noinline __noclone const struct type *			\
	fgn_##type(const struct type *object)			\
	{							\
		asm volatile("" : "+r" (object));		\
		return object;					\
	}
#include "fgraph_names_types_kunit.h"

noinline __noclone const char *fgn_char(const char *object)
{
	asm volatile("" : "+r" (object));
	return object;
}

noinline __noclone void fgn_pt_regs(struct pt_regs *object)
{
	asm volatile("" : : "r" (object));
}

noinline __noclone void fgn_many(const char *a, long b, const char *c, const char *d)
{
	asm volatile("" : : "r" (a), "r" (b), "r" (c), "r" (d));
}

noinline __noclone void fgn_sized(const char *text, size_t count)
{
	asm volatile("" : : "r" (text), "r" (count));
}

noinline __noclone void fgn_sized_int(const char *text, int len)
{
	asm volatile("" : : "r" (text), "r" (len));
}

noinline __noclone void fgn_address(struct sockaddr *addr, int addrlen)
{
	asm volatile("" : : "r" (addr), "r" (addrlen));
}

noinline __noclone void fgn_truncate(const char *path, long length)
{
	asm volatile("" : : "r" (path), "r" (length));
}

noinline __noclone void fgn_fill(char *text, size_t size)
{
	asm volatile("" : : "r" (text), "r" (size));
}

noinline __noclone void fgn_fill_page(char *page)
{
	asm volatile("" : : "r" (page));
}

noinline __noclone void fgn_store(char *buf, size_t nbytes)
{
	asm volatile("" : : "r" (buf), "r" (nbytes));
}

noinline __noclone void fgn_reset(char *buf, size_t nbytes)
{
	asm volatile("" : : "r" (buf), "r" (nbytes));
}

noinline __noclone void fgn_create(const char *name, size_t size)
{
	asm volatile("" : : "r" (name), "r" (size));
}

noinline __noclone const char *fgn_pick(const char *a, const char *b)
{
	asm volatile("" : "+r" (a) : "r" (b));
	return a;
}
