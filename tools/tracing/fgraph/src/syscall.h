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

/* The name of the system call of a function such as __x64_sys_mount, or NULL */
const char *syscall_name(const char *func);

/* Print a system call, with arguments and its result. */
void print_syscall(FILE *out, const struct call *call);

/* The same as a text, which the caller frees */
char *describe_syscall(const struct call *call);

#endif
