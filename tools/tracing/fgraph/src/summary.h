/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers and names about all calls of a report.
 */
#ifndef FGRAPH_SUMMARY_H
#define FGRAPH_SUMMARY_H

#include "call.h"

struct recording;

/* Count calls of a trace, which is being read. */
void begin_summary(const struct recording *recording);

/* Count a system call, or a function that was recorded without a caller. */
void add_to_summary(const struct call *root);

/* Print what is known about the whole trace, at its end, as members of an object. */
void print_trace_summary(void);

#endif
