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

/* The name of a system call, or NULL if @call is no system call */
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
