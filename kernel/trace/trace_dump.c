// SPDX-License-Identifier: GPL-2.0
/*
 * The parameter ftrace_dump_on_oops= of the kernel: the instances whose buffers are printed at
 * an oops and at a panic.
 *
 *	ftrace_dump_on_oops=boot,probes=orig_cpu
 *
 * An instance may be created later. The items "0", "1", "2" and "orig_cpu" are about the top
 * level.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "trace.h"
#include "trace_dump.h"

/*
 * The instances of the list. @tr is NULL while there is no instance of this name. The lock
 * trace_types_lock protects it. An oops cannot wait for that, so a reader disables preemption.
 */
static struct {
	char			name[64];
	enum ftrace_dump_mode	mode;
	struct trace_array	*tr;
} dumped[8];

static bool __init is_orig_cpu(const char *mode)
{
	return !strcmp(mode, "orig_cpu") || !strcmp(mode, "2");
}

/* Return false if there is no room. */
static bool __init add_name(const char *name, enum ftrace_dump_mode mode)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(dumped) && *dumped[i].name; i++)
		;
	if (i == ARRAY_SIZE(dumped) || strscpy(dumped[i].name, name, sizeof(dumped[i].name)) <= 0)
		return false;
	dumped[i].mode = mode;
	return true;
}

/* Use an item of the list. Return false if it is wrong. */
static bool __init parse_item(char *item)
{
	char *mode = strchr(item, '=');
	bool valid = true;

	if (mode) {
		*mode = '\0';
		valid = is_orig_cpu(mode + 1) && add_name(item, DUMP_ORIG);
		*mode = '=';
	} else if (is_orig_cpu(item)) {
		ftrace_dump_on_oops = DUMP_ORIG;
	} else if (!strcmp(item, "1")) {
		ftrace_dump_on_oops = DUMP_ALL;
	} else if (!strcmp(item, "0")) {
		ftrace_dump_on_oops = DUMP_NONE;
	} else {
		valid = add_name(item, DUMP_ALL);
	}
	return valid;
}

/**
 * trace_dump_parse - use the value of the parameter ftrace_dump_on_oops=
 * @list:	the value, which is changed. An item that is wrong does not affect the others.
 */
void __init trace_dump_parse(char *list)
{
	char *item;

	while ((item = strsep(&list, ",")))
		if (!parse_item(item))
			pr_err("ftrace_dump_on_oops=: %s: not NAME or NAME=orig_cpu, or too many\n",
			       item);
}

/**
 * trace_dump_add - let the buffer of a new instance be printed at an oops
 * @tr:		the instance. Nothing happens if the parameter does not name it.
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_dump_add(struct trace_array *tr)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(dumped); i++)
		if (!strcmp(dumped[i].name, tr->name))
			WRITE_ONCE(dumped[i].tr, tr);
}

/**
 * trace_dump_remove - do not print the buffer of an instance at an oops any more
 * @tr:		the instance, which may be freed afterwards
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_dump_remove(struct trace_array *tr)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(dumped); i++) {
		if (dumped[i].tr != tr)
			continue;
		WRITE_ONCE(dumped[i].tr, NULL);
		/* An oops may be printing it. */
		synchronize_rcu();
	}
}

/**
 * trace_dump_named_instances - print the buffers of the instances in the parameter
 *
 * Context: any.
 */
void trace_dump_named_instances(void)
{
	struct trace_array *tr;
	int i;

	preempt_disable_notrace();
	for (i = 0; i < ARRAY_SIZE(dumped); i++) {
		tr = READ_ONCE(dumped[i].tr);
		if (tr)
			trace_dump_instance(tr, dumped[i].mode);
	}
	preempt_enable_notrace();
}
