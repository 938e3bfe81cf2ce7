/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of kernel probes. Those of an instance have a group of its name, so that the guard
 * finds them.
 */
#ifndef FGRAPH_KPROBE_H
#define FGRAPH_KPROBE_H

#include <stdint.h>

/* The events: a statement begins, which has a number; and a function returns. */
#define KPROBE_LINE	"fgraph_line"
#define KPROBE_RETURN	"fgraph_return"
#define KPROBE_NUMBER	"number="
#define KPROBE_RESULT	"result="

/* Return the group of an instance. The caller frees it. */
char *kprobe_group(const char *instance);

/**
 * add_kprobe_line - add a probe to the event KPROBE_LINE
 * @instance:	name of the instance
 * @address:	where the statement begins
 * @number:	its number
 *
 * Return: 0, or an error number.
 */
int add_kprobe_line(const char *instance, uint64_t address, unsigned int number);

/**
 * add_kprobe_return - add a probe to the event KPROBE_RETURN
 * @instance:	name of the instance
 * @func:	the function, as SYMBOL, SYMBOL+OFFSET or MODULE:SYMBOL. The kernel refuses
 *		$retval with an address alone.
 *
 * Return: 0, or an error number.
 */
int add_kprobe_return(const char *instance, const char *func);

/**
 * remove_kprobes - remove the events of an instance
 * @instances:	the directory of instances
 * @instance:	name of the instance
 *
 * Return: 0, or an error number: EBUSY if an event is enabled.
 */
int remove_kprobes(int instances, const char *instance);

#endif
