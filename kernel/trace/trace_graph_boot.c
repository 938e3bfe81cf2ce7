// SPDX-License-Identifier: GPL-2.0
/*
 * The parameter ftrace_graph_keep= of the kernel: rules of set_graph_keep at the top level,
 * which are in force when ftrace=function_graph starts to record. Rules are separated by
 * semicolons, because a rule may contain commas and spaces.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "trace.h"
#include "trace_graph_rules.h"

static char boot_rules[COMMAND_LINE_SIZE] __initdata;

static int __init trace_graph_keep_rules(char *rules)
{
	strscpy(boot_rules, rules, sizeof(boot_rules));
	return 1;
}
__setup("ftrace_graph_keep=", trace_graph_keep_rules);

/* Put the rules of the command line into force. One that is wrong does not affect the others. */
void __init trace_graph_use_boot_rules(void)
{
	char *rest = boot_rules, *rule;

	while ((rule = strsep(&rest, ";")))
		if (trace_graph_add_rules(top_trace_array(), rule))
			pr_err("ftrace_graph_keep=: %s: refused, error_log has the reason\n",
			       rule);
}
