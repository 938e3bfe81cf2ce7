/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_TESTS_FGRAPH_SWEEP_KUNIT_H
#define _KERNEL_TRACE_TESTS_FGRAPH_SWEEP_KUNIT_H

#include <linux/types.h>

/**
 * struct fgk_trigger - a source of one interrupt after a given time
 * @prepare:	called once before the sweep; returns NULL, or the reason why the
 *		trigger cannot be used
 * @clean_up:	undoes @prepare
 * @arm:	requests one interrupt after @ns nanoseconds, which calls
 *		fgk_sweep_land()
 * @disarm:	called after the interrupt has arrived or is overdue
 * @is_exact:	the interrupt arrives exactly @ns nanoseconds after @arm
 *
 * @arm and @disarm are called with preemption disabled.
 */
struct fgk_trigger {
	const char	*(*prepare)(void);
	void		(*clean_up)(void);
	void		(*arm)(unsigned int ns);
	void		(*disarm)(void);
	bool		is_exact;
};

#ifdef CONFIG_X86_LOCAL_APIC
/* fgraph_nmi_kunit.c */
extern const struct fgk_trigger fgk_nmi_trigger;
#endif

void fgk_sweep_land(unsigned long ip);

#endif /* _KERNEL_TRACE_TESTS_FGRAPH_SWEEP_KUNIT_H */
