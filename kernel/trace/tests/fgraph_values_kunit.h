/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit tests of values share:
 *
 *	fgraph_values_text_kunit.c	signatures that are written by hand: each kind of
 *				type, and strings that are no signature
 *	fgraph_values_load_kunit.c	signatures of a module that cannot be right
 *	fgraph_values_calls_kunit.c	calls that are traced, by the signatures that the
 *				build has made
 *	fgraph_values_targets_kunit.c	the functions that those call
 *	fgraph_values_twin_kunit.c	one of the same name as one of them
 */
#ifndef _KERNEL_TRACE_FGRAPH_VALUES_KUNIT_H
#define _KERNEL_TRACE_FGRAPH_VALUES_KUNIT_H

#include <linux/trace_seq.h>
#include <kunit/test.h>

#include "../fgraph_sig.h"

extern struct kunit_suite fgraph_values_text_suite;
extern struct kunit_suite fgraph_values_load_suite;

#endif /* _KERNEL_TRACE_FGRAPH_VALUES_KUNIT_H */
