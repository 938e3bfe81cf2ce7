// SPDX-License-Identifier: GPL-2.0
/*
 * A function for the KUnit tests of values, that has the name of another one in
 * fgraph_values_targets_kunit.c, and not its type. This file is instrumented.
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
