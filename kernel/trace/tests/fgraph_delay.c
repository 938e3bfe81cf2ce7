// SPDX-License-Identifier: GPL-2.0
/*
 * A slow function, for tests of programs that find such a function:
 *
 *	# echo 30 > /sys/kernel/debug/fgraph_delay
 *
 * The write sleeps for 30 ms in fgraph_delay_sleep(), which also gets a text.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/module.h>

static struct dentry *fgraph_delay_file;

/* The arguments of this call can be recognized in a trace. */
static noinline __noclone int fgraph_delay_sleep(int ms, const char *reason)
{
	msleep(ms);
	return strlen(reason);
}

static int fgraph_delay_set(void *data, u64 ms)
{
	return fgraph_delay_sleep(ms, "test of a delay") > 0 ? 0 : -EINVAL;
}

DEFINE_DEBUGFS_ATTRIBUTE(fgraph_delay_fops, NULL, fgraph_delay_set, "%llu\n");

static int __init fgraph_delay_init(void)
{
	fgraph_delay_file = debugfs_create_file_unsafe("fgraph_delay", 0200, NULL, NULL,
						       &fgraph_delay_fops);
	return PTR_ERR_OR_ZERO(fgraph_delay_file);
}

static void __exit fgraph_delay_exit(void)
{
	debugfs_remove(fgraph_delay_file);
}

module_init(fgraph_delay_init);
module_exit(fgraph_delay_exit);
MODULE_DESCRIPTION("Test module with a slow function");
MODULE_LICENSE("GPL");
