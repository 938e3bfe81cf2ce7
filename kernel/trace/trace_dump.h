/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instances that ftrace_dump_on_oops= names
 */
#ifndef _KERNEL_TRACE_DUMP_H
#define _KERNEL_TRACE_DUMP_H

#include <linux/kernel.h>

struct trace_array;

void trace_dump_instance(struct trace_array *tr, enum ftrace_dump_mode oops_dump_mode);

void trace_dump_parse(char *list);
void trace_dump_add(struct trace_array *tr);
void trace_dump_remove(struct trace_array *tr);
void trace_dump_named_instances(void);

#endif
