// SPDX-License-Identifier: GPL-2.0
/*
 * A target function of the KUnit tests of values. It has the same name as a function in
 * fgraph_values_targets_kunit.c, but another type. This file is compiled with the hooks
 * of ftrace.
 */
#include <linux/compiler.h>

#include "fgraph_values_targets_kunit.h"

static noinline __used int fgv_twin(const char *string)
{
	barrier();
	return !!string;
}

noinline int fgv_call_twin_b(const char *x)
{
	int ret = fgv_twin(x);

	barrier();
	return ret;
}
