/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace of the boot: what the parameters ftrace=function_graph and ftrace_graph_keep= of
 * the kernel left in the buffer of the top level.
 */
#ifndef FGRAPH_BOOT_H
#define FGRAPH_BOOT_H

/**
 * open_boot_trace - let the kernel print the trace of the boot
 *
 * Return: the name of a file with the trace. Ends the program with a message if the kernel
 * did not trace its boot.
 */
const char *open_boot_trace(void);

/* Let the kernel print traces as before. */
void close_boot_trace(void);

/* The functions that the boot is about, for -r */
#define BOOT_ROOTS "do_one_initcall,really_probe"

#endif
