// SPDX-License-Identifier: GPL-2.0
/*
 * The table of signatures of the kernel, as a module that can be loaded for a trace
 * and unloaded afterwards. The build fills in section .fgraph_table when vmlinux is
 * linked.
 */
#include <linux/compiler.h>
#include <linux/module.h>

#include "fgraph_sig.h"

static const struct fgraph_sig_blob fgraph_table __used __section(".fgraph_table");

static int __init fgraph_signatures_init(void)
{
	const struct fgraph_sig_blob *blob = &fgraph_table;

	/* The build replaces the table after the compiler has seen it as zeroes. */
	OPTIMIZER_HIDE_VAR(blob);
	return fgraph_add_signatures(blob, THIS_MODULE);
}
module_init(fgraph_signatures_init);

static void __exit fgraph_signatures_exit(void)
{
	fgraph_remove_signatures();
}
module_exit(fgraph_signatures_exit);

MODULE_DESCRIPTION("Signatures of the kernel's functions, for the function graph tracer");
MODULE_LICENSE("GPL");
