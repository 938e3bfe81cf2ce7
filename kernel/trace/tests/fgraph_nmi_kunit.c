// SPDX-License-Identifier: GPL-2.0
/*
 * The trigger that makes fgraph_sweep_kunit.c interrupt calls with an NMI.
 *
 * The timer of the local APIC delivers the NMI. The manual does not define a delivery
 * mode for the timer, but the APIC of QEMU honours it. If no NMI arrives, the test
 * fails.
 */
#include <linux/nmi.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/nmi.h>

#include "fgraph_sweep_kunit.h"

static bool fgk_nmi_armed;

/* The saved registers of the timer */
static u32 fgk_lvtt, fgk_tdcr, fgk_tmict;

static int fgk_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!fgk_nmi_armed)
		return NMI_DONE;
	fgk_nmi_armed = false;
	fgk_sweep_land(regs->ip);
	return NMI_HANDLED;
}

static const char *fgk_prepare_nmi(void)
{
	if (!boot_cpu_has(X86_FEATURE_HYPERVISOR))
		return "runs only in a virtual machine";
	if (apic_read(APIC_LVTT) & APIC_LVT_TIMER_TSCDEADLINE)
		return "the APIC timer is in TSC deadline mode";
	if (register_nmi_handler(NMI_LOCAL, fgk_nmi, 0, "fgraph_kunit"))
		return "cannot register an NMI handler";
	return NULL;
}

static void fgk_clean_up_nmi(void)
{
	unregister_nmi_handler(NMI_LOCAL, "fgraph_kunit");
}

/* The APIC timer of QEMU counts at 1 GHz: one count is 1 ns. */
static void fgk_arm_nmi(unsigned int ns)
{
	unsigned long flags;

	local_irq_save(flags);
	fgk_lvtt = apic_read(APIC_LVTT);
	fgk_tdcr = apic_read(APIC_TDCR);
	fgk_tmict = apic_read(APIC_TMICT);
	fgk_nmi_armed = true;
	apic_write(APIC_LVTT, APIC_DM_NMI | APIC_LVT_TIMER_ONESHOT);
	apic_write(APIC_TDCR, APIC_TDR_DIV_1);
	apic_write(APIC_TMICT, ns);
	local_irq_restore(flags);
}

/* Restore the timer. A one-shot timer expires at once, because it may be overdue. */
static void fgk_disarm_nmi(void)
{
	unsigned long flags;

	local_irq_save(flags);
	fgk_nmi_armed = false;
	apic_write(APIC_LVTT, fgk_lvtt);
	apic_write(APIC_TDCR, fgk_tdcr);
	apic_write(APIC_TMICT, fgk_lvtt & APIC_LVT_TIMER_PERIODIC ? fgk_tmict : 1);
	local_irq_restore(flags);
}

const struct fgk_trigger fgk_nmi_trigger = {
	.prepare	= fgk_prepare_nmi,
	.clean_up	= fgk_clean_up_nmi,
	.arm		= fgk_arm_nmi,
	.disarm		= fgk_disarm_nmi,
	.is_exact	= true,
};
