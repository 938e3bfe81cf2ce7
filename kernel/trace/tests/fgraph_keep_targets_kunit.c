// SPDX-License-Identifier: GPL-2.0
/*
 * The target functions of the KUnit tests of set_graph_keep. Unlike the tests, this file
 * is compiled with the hooks of ftrace.
 */
#include <linux/compiler.h>
#include <linux/ctype.h>
#include <linux/kthread.h>

#include "fgraph_keep_targets_kunit.h"

static notrace long long fkt_parse_number(struct fkt_script *s)
{
	bool negative = *s->pos == '-';
	long long number = 0;

	for (s->pos += negative; isdigit(*s->pos); s->pos++)
		number = number * 10 + *s->pos - '0';
	return negative ? -number : number;
}

/* Run the script between the parentheses of a call. Return the number after it. */
static noinline notrace long long fkt_run_call(struct fkt_script *s)
{
	if (*s->pos == '(') {
		s->pos++;
		fkt_run(s);
		s->pos++;
	}
	if (*s->pos != '=')
		return 0;
	s->pos++;
	return fkt_parse_number(s);
}

#define FKT_TARGET(name, type)				\
noinline __noclone type name(struct fkt_script *s)	\
{							\
	return (type)fkt_run_call(s);			\
}

FKT_TARGET(fkt_a, int)
FKT_TARGET(fkt_b, int)
FKT_TARGET(fkt_c, int)
FKT_TARGET(fkt_d, int)
FKT_TARGET(fkt_bool, bool)
FKT_TARGET(fkt_uint, unsigned int)
FKT_TARGET(fkt_long, long)
FKT_TARGET(fkt_ulong, unsigned long)
FKT_TARGET(fkt_size, size_t)
FKT_TARGET(fkt_ssize, ssize_t)
FKT_TARGET(fkt_llong, long long)
FKT_TARGET(fkt_status, __force blk_status_t)
FKT_TARGET(fkt_fault, __force vm_fault_t)

noinline __noclone void *fkt_pointer(struct fkt_script *s)
{
	return (void *)(long)fkt_run_call(s);
}

noinline __noclone void fkt_void(struct fkt_script *s)
{
	fkt_run_call(s);
}

/* Run a script up to its end or to a closing parenthesis. */
notrace void fkt_run(struct fkt_script *s)
{
	while (*s->pos && *s->pos != ')') {
		switch (*s->pos++) {
		case '@':
			s->action();
			break;
		case 'a':
			fkt_a(s);
			break;
		case 'b':
			fkt_b(s);
			break;
		case 'c':
			fkt_c(s);
			break;
		case 'd':
			fkt_d(s);
			break;
		case 'B':
			fkt_bool(s);
			break;
		case 'U':
			fkt_uint(s);
			break;
		case 'L':
			fkt_long(s);
			break;
		case 'M':
			fkt_ulong(s);
			break;
		case 'Z':
			fkt_size(s);
			break;
		case 'S':
			fkt_ssize(s);
			break;
		case 'X':
			fkt_llong(s);
			break;
		case 'P':
			fkt_pointer(s);
			break;
		case 'V':
			fkt_void(s);
			break;
		case 'K':
			fkt_status(s);
			break;
		case 'F':
			fkt_fault(s);
			break;
		}
	}
}

noinline __noclone int fkt_deep(int calls, int result)
{
	if (calls > 1)
		fkt_deep(calls - 1, result);
	barrier();
	return result;
}

noinline __noclone int fkt_named(int calls, const char *name)
{
	if (calls > 1)
		fkt_named(calls - 1, name);
	barrier();
	return -22;
}

noinline __noclone void fkt_exit(struct fkt_script *s)
{
	fkt_run_call(s);
	kthread_complete_and_exit(NULL, 0);
}
