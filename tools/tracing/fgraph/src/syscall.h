/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls, with the names and types of their arguments. The kernel lists them below
 * events/syscalls; without that, they are shown as the functions that they are.
 */
#ifndef FGRAPH_SYSCALL_H
#define FGRAPH_SYSCALL_H

#include <stdbool.h>
#include <stdio.h>

#include "call.h"

/**
 * copy_syscall_format - copy what the kernel says about the arguments of a system call
 * @func:	a function
 *
 * Return: a line for add_syscall(), which the caller frees; NULL if @func is not a system call, or
 * was copied before.
 */
char *copy_syscall_format(const char *func);

/* Add a system call: its function, a space, and its format. */
void add_syscall(const char *text);

/* The name of a system call, or NULL if @call is not a system call */
const char *syscall_name(const struct call *call);

/**
 * describe_syscall - describe a system call, with arguments and its result
 * @call:	the system call
 * @paths:	with the paths that the kernel copied
 *
 * Return: a text, which the caller frees.
 */
char *describe_syscall(const struct call *call, bool paths);

#endif
