// SPDX-License-Identifier: GPL-2.0
/*
 * The meaning of the results of some functions. A result from -4095 to -1 is an error, unless
 * its type excludes this. These functions have the type of an error, but return something else.
 * A function belongs here if a trace of it shows a false error. The test of signatures on the
 * host checks that the kernel has each of them.
 */
#include <stdbool.h>
#include <string.h>

#include "result.h"
#include "util.h"

static const struct {
	const char	*function;
	char		meaning;
} results[] = {
	/* The priority of a realtime task is negative. */
	{ "task_prio",			'-' },

	/* NUMA_NO_NODE is -1, as is the result if no CPU or run queue is found. */
	{ "find_energy_efficient_cpu",	'-' },
	{ "find_later_rq",		'-' },
	{ "find_lowest_rq",		'-' },
	{ "next_demotion_node",		'-' },
	{ "phys_to_target_node",	'-' },
	{ "pxm_to_node",		'-' },
	{ "select_idle_core",		'-' },
	{ "select_idle_cpu",		'-' },
	{ "select_idle_smt",		'-' },
	{ "tsk_fork_get_node",		'-' },

	/* -1 means that the timer is running and cannot be cancelled. */
	{ "__try_to_del_timer_sync",	'-' },
	{ "alarm_try_to_cancel",	'-' },
	{ "common_hrtimer_try_to_cancel", '-' },
	{ "hrtimer_try_to_cancel",	'-' },
	{ "try_to_del_timer_sync",	'-' },

	/* -1 means that there is no free bit, no room, no digit, or no suitable type. */
	{ "__sbitmap_get_word",		'-' },
	{ "__sbitmap_queue_get",	'-' },
	{ "find_suitable_fallback",	'-' },
	{ "hex_to_bin",			'-' },
	{ "sbitmap_get",		'-' },
	{ "sbitmap_get_shallow",	'-' },
	{ "sbitmap_queue_get_shallow",	'-' },
	{ "seq_buf_bprintf",		'-' },
	{ "seq_buf_path",		'-' },
	{ "seq_buf_printf",		'-' },
	{ "seq_buf_putc",		'-' },
	{ "seq_buf_putmem",		'-' },
	{ "seq_buf_putmem_hex",		'-' },
	{ "seq_buf_puts",		'-' },
	{ "seq_buf_vprintf",		'-' },

	/* A fraction in thousandths, and -1000 if the request can be met */
	{ "fragmentation_index",	'-' },

	/* The number of exclusive waiters that are left to wake, and -1 without a limit */
	{ "__wake_up_common",		'-' },

	/* An error in an entry of an XArray is shifted, see XA_ERROR(). */
	{ "__xa_cmpxchg",		'*' },
	{ "__xa_erase",			'*' },
	{ "__xa_store",			'*' },
	{ "xa_erase",			'*' },
	{ "xa_load",			'*' },
	{ "xa_store",			'*' },
	{ "xas_find",			'*' },
	{ "xas_find_conflict",		'*' },
	{ "xas_find_marked",		'*' },
	{ "xas_load",			'*' },
	{ "xas_result",			'*' },
	{ "xas_store",			'*' },
};

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/*
 * A function such as cmp_name(), sort_cmp() or strcmp() returns which of two things comes
 * first. But nft_cmp_init() and icmp_init() return errors.
 */
static bool is_comparison(const char *function)
{
	const char *last = strrchr(function, '_');
	size_t len;

	last = last ? last + 1 : function;
	len = strlen(last);
	return starts_with(function, "cmp_") || starts_with(function, "compare_") ||
	       !strcmp(last, "cmp") || !strcmp(last, "compare") ||
	       (len > 3 && !strcmp(last + len - 3, "cmp") &&
		(starts_with(last, "str") || starts_with(last, "mem")));
}

/* Spells the meaning of the result of @function, if it does not follow from the type. */
void encode_meaning(struct text *text, const char *function)
{
	if (!function)
		return;
	if (is_comparison(function))
		add_char(text, '-');
	for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
		if (!strcmp(function, results[i].function))
			add_char(text, results[i].meaning);
	}
}
