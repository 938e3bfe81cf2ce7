// SPDX-License-Identifier: GPL-2.0
/*
 * An NMI after some time, from the timer of the local APIC. The manual does not tell
 * what becomes of a delivery mode there; QEMU's APIC delivers as it is told. Where
 * no NMI comes, the test fails.
 */
#include <linux/nmi.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/nmi.h>

#include "fgraph_sweep_kunit.h"

static bool fgk_nmi_armed;

/* What the timer was at before */
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
		return "not for a real machine";
	if (apic_read(APIC_LVTT) & APIC_LVT_TIMER_TSCDEADLINE)
		return "the timer of the APIC has a deadline";
	if (register_nmi_handler(NMI_LOCAL, fgk_nmi, 0, "fgraph_kunit"))
		return "there is another handler of NMIs";
	return NULL;
}

static void fgk_clean_up_nmi(void)
{
	unregister_nmi_handler(NMI_LOCAL, "fgraph_kunit");
}

/* The clock of QEMU's APIC has a GHz. */
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

/* Give the timer back. What it was to tell is due at once. */
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
