// SPDX-License-Identifier: GPL-2.0
/*
 * The text of values that mean more than their C type, because of their typedef or their
 * function, see enum fgraph_form; and the errors that such results contain:
 *
 *	type		value			prints as		is the error
 *	umode_t		33188			0100644
 *	__be16		0x5000			80 (__be16)
 *	blk_status_t	10			10 (BLK_STS_IOERR)	EIO
 *	XArray entry	-46			-12 (ENOMEM)		ENOMEM
 */
#include <linux/blk_types.h>
#include <linux/errname.h>
#include <linux/kdev_t.h>
#include <linux/mm_types.h>
#include <linux/netdevice.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/xarray.h>

#include <trace/events/mmflags.h>

#include "fgraph_sig.h"
#include "trace_graph_value.h"

/* A value or a flag of a status type, and the error that it means, or 0 */
struct graph_status {
	u32		bits;
	u32		error;
	const char	*name;
};

#define BLK_STATUS(name, error)	{ (__force u32)BLK_STS_##name, error, "BLK_STS_" #name }

/* The errors are those of blk_status_to_errno(). */
static const struct graph_status blk_statuses[] = {
	BLK_STATUS(OK,			0),
	BLK_STATUS(NOTSUPP,		EOPNOTSUPP),
	BLK_STATUS(TIMEOUT,		ETIMEDOUT),
	BLK_STATUS(NOSPC,		ENOSPC),
	BLK_STATUS(TRANSPORT,		ENOLINK),
	BLK_STATUS(TARGET,		EREMOTEIO),
	BLK_STATUS(NEXUS,		EBADE),
	BLK_STATUS(MEDIUM,		ENODATA),
	BLK_STATUS(PROTECTION,		EILSEQ),
	BLK_STATUS(RESOURCE,		ENOMEM),
	BLK_STATUS(IOERR,		EIO),
	BLK_STATUS(DM_REQUEUE,		EREMCHG),
	BLK_STATUS(AGAIN,		EAGAIN),
	BLK_STATUS(DEV_RESOURCE,	EBUSY),
	BLK_STATUS(ZONE_RESOURCE,	EIO),
	BLK_STATUS(ZONE_OPEN_RESOURCE,	ETOOMANYREFS),
	BLK_STATUS(ZONE_ACTIVE_RESOURCE, EOVERFLOW),
	BLK_STATUS(OFFLINE,		ENODEV),
};

#define VM_FAULT(name, error)	{ (__force u32)VM_FAULT_##name, error, "VM_FAULT_" #name }

/* VM_FAULT_FALLBACK is not an error: a smaller page is tried next. */
static const struct graph_status vm_faults[] = {
	VM_FAULT(OOM,			ENOMEM),
	VM_FAULT(SIGBUS,		EFAULT),
	VM_FAULT(MAJOR,			0),
	VM_FAULT(WRITE,			0),
	VM_FAULT(HWPOISON,		EHWPOISON),
	VM_FAULT(HWPOISON_LARGE,	EHWPOISON),
	VM_FAULT(SIGSEGV,		EFAULT),
	VM_FAULT(NOPAGE,		0),
	VM_FAULT(LOCKED,		0),
	VM_FAULT(RETRY,			0),
	VM_FAULT(FALLBACK,		0),
	VM_FAULT(DONE_COW,		0),
	VM_FAULT(NEEDDSYNC,		0),
	VM_FAULT(COMPLETED,		0),
};

static bool is_word(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && !strncmp(word, name, len);
}

/* Return the status of these bits, or NULL if they have no name. */
static const struct graph_status *find_blk_status(u64 bits)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(blk_statuses); i++)
		if (blk_statuses[i].bits == bits)
			return &blk_statuses[i];
	return NULL;
}

static void print_blk_status(struct trace_seq *s, u64 bits)
{
	const struct graph_status *status = find_blk_status(bits);

	trace_seq_printf(s, "%llu", bits);
	if (status)
		trace_seq_printf(s, " (%s)", status->name);
}

static void print_vm_fault(struct trace_seq *s, u64 bits)
{
	const char *separator = " (";
	unsigned int i;

	trace_seq_printf(s, "0x%llx", bits);
	for (i = 0; i < ARRAY_SIZE(vm_faults); i++) {
		if (!(bits & vm_faults[i].bits))
			continue;
		trace_seq_printf(s, "%s%s", separator, vm_faults[i].name);
		separator = "|";
	}
	if (*separator == '|')
		trace_seq_putc(s, ')');
}

static void print_big_endian(struct trace_seq *s, unsigned int bytes, u64 number)
{
	if (bytes == sizeof(__be16))
		trace_seq_printf(s, "%llu (__be16)", number);
	else
		trace_seq_printf(s, "0x%llx (__be%u)", number, 8 * bytes);
}

static void print_gfp(struct trace_seq *s, u64 bits)
{
	gfp_t gfp = (__force gfp_t)bits;

	trace_seq_printf(s, "0x%llx", bits);
	if (gfp)
		trace_seq_printf(s, " (%pGg)", &gfp);
}

static bool print_xa_error(struct trace_seq *s, unsigned long entry)
{
	int error = xa_err((void *)entry);
	const char *name = error ? errname(-error) : NULL;

	if (error)
		trace_seq_printf(s, name ? "%d (%s)" : "%d", error, name);
	return error;
}

/**
 * graph_form_number - return a value as a number
 * @form:	the form of the value
 * @bits:	its bits
 * @bytes:	its size
 *
 * Return: @bits; a big-endian number in the order of the CPU; the error in an entry of an
 * XArray.
 */
u64 graph_form_number(enum fgraph_form form, u64 bits, unsigned int bytes)
{
	int error;

	if (form == FGRAPH_XA_ENTRY) {
		error = xa_err((void *)(unsigned long)bits);
		return error ? (u64)(s64)error : bits;
	}
	if (form != FGRAPH_BIG_ENDIAN)
		return bits;
	switch (bytes) {
	case sizeof(__be16):
		return be16_to_cpu((__force __be16)bits);
	case sizeof(__be32):
		return be32_to_cpu((__force __be32)bits);
	default:
		return be64_to_cpu((__force __be64)bits);
	}
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_form_number);

/**
 * print_graph_form - print a value whose form has its own text
 * @s:		the buffer to print to
 * @value:	the value; it takes at least one recorded word
 * @bits:	its bits
 *
 * Return: false if the value prints like other values of its C type.
 */
bool print_graph_form(struct trace_seq *s, const struct fgraph_value *value, u64 bits)
{
	switch (value->form) {
	case FGRAPH_OCTAL:
		trace_seq_printf(s, bits ? "0%llo" : "%llo", bits);
		return true;
	case FGRAPH_DEVICE:
		trace_seq_printf(s, "%u:%u", MAJOR((u32)bits), MINOR((u32)bits));
		return true;
	case FGRAPH_GFP:
		print_gfp(s, bits);
		return true;
	case FGRAPH_BIG_ENDIAN:
		print_big_endian(s, value->bytes,
				 graph_form_number(value->form, bits, value->bytes));
		return true;
	case FGRAPH_BLK_STATUS:
		print_blk_status(s, bits);
		return true;
	case FGRAPH_VM_FAULT:
		print_vm_fault(s, bits);
		return true;
	case FGRAPH_XA_ENTRY:
		return print_xa_error(s, bits);
	default:
		return false;
	}
}

static const struct trace_print_flags graph_gfp_flags[] = { __def_gfpflag_names };

static bool find_gfp(const char *word, size_t len, u64 *bits)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(graph_gfp_flags); i++) {
		if (!is_word(word, len, graph_gfp_flags[i].name))
			continue;
		*bits = graph_gfp_flags[i].mask;
		return true;
	}
	return false;
}

static bool find_status(const struct graph_status *statuses, unsigned int nr,
			const char *word, size_t len, u64 *bits)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!is_word(word, len, statuses[i].name))
			continue;
		*bits = statuses[i].bits;
		return true;
	}
	return false;
}

/* Parse "major:minor". */
static bool find_device(const char *word, size_t len, u64 *bits)
{
	unsigned int major, minor;
	char text[24], end;

	if (len >= sizeof(text))
		return false;
	memcpy(text, word, len);
	text[len] = '\0';
	if (sscanf(text, "%u:%u%c", &major, &minor, &end) != 2 ||
	    MAJOR(MKDEV(major, 0)) != major || minor > MINORMASK)
		return false;
	*bits = MKDEV(major, minor);
	return true;
}

/**
 * graph_find_form_constant - find the value that prints as a word
 * @form:	the form of the value
 * @word:	the word, such as "8:17" of a dev_t
 * @len:	its length
 * @bits:	set to the value
 *
 * Return: true if a value of this form prints like this.
 */
bool graph_find_form_constant(enum fgraph_form form, const char *word, size_t len, u64 *bits)
{
	switch (form) {
	case FGRAPH_DEVICE:
		return find_device(word, len, bits);
	case FGRAPH_GFP:
		return find_gfp(word, len, bits);
	case FGRAPH_BLK_STATUS:
		return find_status(blk_statuses, ARRAY_SIZE(blk_statuses), word, len, bits);
	case FGRAPH_VM_FAULT:
		return find_status(vm_faults, ARRAY_SIZE(vm_faults), word, len, bits);
	default:
		return false;
	}
}

static long vm_fault_error(u64 bits)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vm_faults); i++)
		if (bits & vm_faults[i].bits && vm_faults[i].error)
			return -(long)vm_faults[i].error;
	return 0;
}

/**
 * graph_form_error - find the error that a result means because of its form
 * @form:	the form, which is FGRAPH_XA_ENTRY or fgraph_is_status()
 * @bits:	the result
 *
 * Context: any.
 * Return: the error, from -MAX_ERRNO to -1, or 0. The result does not print as an error,
 * unless the form is FGRAPH_XA_ENTRY.
 */
long graph_form_error(enum fgraph_form form, u64 bits)
{
	const struct graph_status *status;

	switch (form) {
	case FGRAPH_XA_ENTRY:
		return xa_err((void *)(unsigned long)bits);
	case FGRAPH_BLK_STATUS:
		status = find_blk_status(bits);
		return status ? -(long)status->error : -EIO;
	case FGRAPH_VM_FAULT:
		return vm_fault_error(bits);
	case FGRAPH_NETDEV_TX:
		return bits == NETDEV_TX_BUSY ? -EBUSY : 0;
	default:
		return 0;
	}
}
