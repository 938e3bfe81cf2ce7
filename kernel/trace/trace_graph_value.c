// SPDX-License-Identifier: GPL-2.0
/*
 * How the function graph tracer prints the values of functions.
 *
 * The grammar, for people and for machines, is name=VALUE or
 * name=VALUE (annotation); the name of what a function returns is "ret".
 */
#include <linux/err.h>
#include <linux/errname.h>

#include "trace.h"

/*
 * Nothing here tells of what type a return value is. If the low 8, 16, 32 or all
 * bits of it, and nothing above, are an error code, it is taken for one: callers
 * look at no more of the register either, and what the function leaves in the
 * rest is up to the compiler.
 *
 * Returns the error code, or 0.
 */
static long guess_error_code(unsigned long retval)
{
	long err = retval;

	if (retval <= U8_MAX)
		err = (s8)retval;
	else if (retval <= U16_MAX)
		err = (s16)retval;
	else if (retval <= U32_MAX)
		err = (s32)retval;

	return IS_ERR_VALUE(err) ? err : 0;
}

/**
 * print_graph_retval - print the return value of a function
 * @s:		where to
 * @retval:	the value
 * @flags:	the options of the function graph tracer
 */
void print_graph_retval(struct trace_seq *s, unsigned long retval, u32 flags)
{
	const char *name;
	long err;

	if (flags & TRACE_GRAPH_PRINT_RETVAL_HEX) {
		trace_seq_printf(s, "ret=0x%lx", retval);
		return;
	}

	err = guess_error_code(retval);
	if (!err) {
		trace_seq_printf(s, retval ? "ret=0x%lx" : "ret=%lx", retval);
		return;
	}

	trace_seq_printf(s, "ret=%ld", err);
	name = errname(-err);
	if (name)
		trace_seq_printf(s, " (%s)", name);
}
