// SPDX-License-Identifier: GPL-2.0
/*
 * The file function_signatures of tracefs. It contains the prototype of each function
 * that can be traced.
 */
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/preempt.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>

#include "fgraph_sig.h"

/*
 * The maximum offset of a call site in its function. At a larger offset, the call site
 * is in an overridden weak function, which is no longer in kallsyms.
 */
#ifndef FTRACE_MCOUNT_MAX_OFFSET
#define FTRACE_MCOUNT_MAX_OFFSET	ULONG_MAX
#endif

static void fgraph_print_signature(struct seq_buf *s, unsigned long func,
				   const char *name)
{
	struct fgraph_sig sig;

	/* The signature is valid until preemption is enabled. */
	preempt_disable();
	if (fgraph_find_signature(func, &sig)) {
		fgraph_print_prototype(s, &sig, name);
		seq_buf_putc(s, ';');
	} else {
		seq_buf_printf(s, "%s /* no signature */", name);
	}
	preempt_enable();
}

/**
 * fgraph_show_signature - show the prototype of a function
 * @m:		the file to write to
 * @func:	the address where ftrace hooks the function
 *
 * Context: may sleep.
 * Return: 0, or SEQ_SKIP if no function is at this address.
 */
int fgraph_show_signature(struct seq_file *m, unsigned long func)
{
	char name[KSYM_NAME_LEN];
	unsigned long offset;
	struct seq_buf s;
	char *modname;
	size_t size;
	char *buf;

	if (!kallsyms_lookup(func, NULL, &offset, &modname, name) ||
	    offset > FTRACE_MCOUNT_MAX_OFFSET)
		return SEQ_SKIP;

	size = seq_get_buf(m, &buf);
	seq_buf_init(&s, (unsigned char *)buf, size);
	fgraph_print_signature(&s, func, name);
	/* If the buffer overflows, seq_file allocates more and calls this again. */
	seq_commit(m, seq_buf_has_overflowed(&s) ? -1 : (int)seq_buf_used(&s));

	if (modname)
		seq_printf(m, " [%s]", modname);
	seq_putc(m, '\n');
	return 0;
}
