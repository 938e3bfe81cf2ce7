/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that a probe event names as the source does, see trace_probe_sig.c. Include
 * trace_probe.h before.
 */
#ifndef _KERNEL_TRACE_PROBE_SIG_H
#define _KERNEL_TRACE_PROBE_SIG_H

#include <linux/types.h>

/* The maximum number of words of parameters that an event of a return keeps */
#define PROBE_ENTRY_WORDS	16

/**
 * struct probe_entry - the words of parameters that an event of a return keeps
 * @words:	how to load each one at the entry: FETCH_OP_REG or FETCH_OP_STACK
 * @nr:		the number of @words
 * @named:	the event names values, also if it keeps none
 */
struct probe_entry {
	struct fetch_insn	words[PROBE_ENTRY_WORDS];
	unsigned int		nr;
	bool			named;
};

/* The maximum length of the name of a type */
#define PROBE_TYPE_BYTES	16

#ifdef CONFIG_PROBE_EVENTS_BY_NAME
void traceprobe_set_func(const char *symbol, const void *addr);
void traceprobe_copy_entry(struct probe_entry *entry);
const char **traceprobe_expand_args(int *argc, const char **argv, unsigned int flags);
unsigned int traceprobe_written_arg(unsigned int i);
bool traceprobe_is_named(const char *arg, unsigned int flags);
const char *traceprobe_find_field(const char *arg, unsigned int flags, size_t *len);
int traceprobe_find_type(const char *arg, const char **type, char *room, unsigned int flags,
			 int offs);
int traceprobe_parse_named(const char *arg, const struct fetch_type *type,
			   struct fetch_insn **pcode, const struct fetch_insn *end,
			   unsigned int flags, int offs);
#else
static inline void traceprobe_set_func(const char *symbol, const void *addr) { }
static inline void traceprobe_copy_entry(struct probe_entry *entry) { }

static inline const char **traceprobe_expand_args(int *argc, const char **argv,
						  unsigned int flags)
{
	return NULL;
}

static inline unsigned int traceprobe_written_arg(unsigned int i)
{
	return i;
}

static inline bool traceprobe_is_named(const char *arg, unsigned int flags)
{
	return false;
}

static inline const char *traceprobe_find_field(const char *arg, unsigned int flags, size_t *len)
{
	return NULL;
}

static inline int traceprobe_find_type(const char *arg, const char **type, char *room,
				       unsigned int flags, int offs)
{
	return 0;
}

static inline int traceprobe_parse_named(const char *arg, const struct fetch_type *type,
					 struct fetch_insn **pcode,
					 const struct fetch_insn *end,
					 unsigned int flags, int offs)
{
	return -EINVAL;
}
#endif

#endif /* _KERNEL_TRACE_PROBE_SIG_H */
