/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the KUnit tests of values share. The files contain:
 *
 *	fgraph_values_text_kunit.c	tests with signatures written by hand: each kind
 *				of type, and strings that are not signatures
 *	fgraph_values_load_kunit.c	tests of modules with invalid signatures
 *	fgraph_values_calls_kunit.c	tests of traced calls, with signatures from the
 *				build
 *	fgraph_values_targets_kunit.c	the target functions of these calls
 *	fgraph_values_twin_kunit.c	a second function with the name of a target
 *	fgraph_keep_kunit.c	tests of set_graph_keep
 *	fgraph_keep_targets_kunit.c	the target functions of these tests
 *	fgraph_names_kunit.c	tests of the names of pointers
 *	fgraph_names_targets_kunit.c	the functions whose signatures these tests use
 *	fgraph_exprs_kunit.c	tests of rules on values
 */
#ifndef _KERNEL_TRACE_FGRAPH_VALUES_KUNIT_H
#define _KERNEL_TRACE_FGRAPH_VALUES_KUNIT_H

#include <linux/trace_seq.h>
#include <kunit/test.h>

#include "../fgraph_sig.h"

struct trace_array;
struct trace_iterator;

extern struct kunit_suite fgraph_values_text_suite;
extern struct kunit_suite fgraph_values_load_suite;
extern struct kunit_suite fgraph_keep_suite;
extern struct kunit_suite fgraph_names_suite;
extern struct kunit_suite fgraph_exprs_suite;

const char *fgv_next_line(struct trace_iterator *iter);
int fgv_need_signatures(struct kunit *test);
struct trace_array *fkk_create(const char *name, const char *glob,
			       const char *const *options);
void fkk_destroy(struct trace_array *tr);

#endif /* _KERNEL_TRACE_FGRAPH_VALUES_KUNIT_H */
