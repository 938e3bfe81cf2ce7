/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the kernel that kernel/trace/fgraph_sig_text.c and trace_graph_value.c
 * use, for user space. build.sh replaces each header that they include by this file.
 */
#ifndef FUZZ_KERNEL_H
#define FUZZ_KERNEL_H

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

#define __KERNEL__
#define __weak			__attribute__((weak))
#define fallthrough		__attribute__((fallthrough))
#define noinline		__attribute__((noinline))
#define EXPORT_SYMBOL_GPL(symbol)
#define IS_MODULE(option)	0
#define IS_ENABLED(option)	1
#define CONFIG_FGRAPH_SIGNATURE_READER	1
#define CONFIG_FUNCTION_GRAPH_ARGS	1
#define CONFIG_FUNCTION_GRAPH_RETVAL	1

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define BITS_PER_LONG		(8 * (int)sizeof(long))
#define min_t(type, a, b)	((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define MAX_ERRNO		4095
#define IS_ERR_VALUE(value)	((unsigned long)(value) >= -4095UL)
#define U8_MAX			0xffU
#define U16_MAX			0xffffU
#define U32_MAX			0xffffffffU
#define hex_asc_lo(n)		("0123456789abcdef"[(n) & 15])

#define likely(what)		(what)
#define unlikely(what)		(what)
#define preempt_disable_notrace()	do { } while (0)
#define preempt_enable_notrace()	do { } while (0)

static inline s64 sign_extend64(u64 value, int bit)
{
	int shift = 63 - bit;

	return (s64)(value << shift) >> shift;
}

/* A buffer of one page, as in the kernel */
struct seq_buf {
	char	buffer[4096];
	size_t	len;
};

struct trace_seq {
	struct seq_buf seq;
};

void seq_buf_putmem(struct seq_buf *s, const void *mem, unsigned int len);
void seq_buf_printf(struct seq_buf *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void trace_seq_printf(struct trace_seq *s, const char *fmt, ...);
int num_to_str(char *buf, int size, unsigned long long num, unsigned int width);

#define trace_seq_putmem(s, mem, len)	seq_buf_putmem(&(s)->seq, mem, len)
#define trace_seq_puts(s, string)	seq_buf_putmem(&(s)->seq, string, strlen(string))
#define trace_seq_putc(s, c)		seq_buf_putmem(&(s)->seq, &(char){ c }, 1)

static inline bool test_bit(unsigned long nr, const unsigned long *bits)
{
	return bits[nr / BITS_PER_LONG] >> (nr % BITS_PER_LONG) & 1;
}

static inline const char *errname(int err)
{
	return strerrorname_np(err);
}

static inline unsigned long fgraph_func_addr(unsigned long ptr)
{
	return ptr;
}

static inline bool kallsyms_lookup_size_offset(unsigned long addr,
					       unsigned long *size, unsigned long *offset)
{
	*size = *offset = addr & 16;
	return addr & 1;
}

struct trace_iterator;

/* Modules are never unloaded here. */
#define SHRINK_STOP		(~0UL)
#define SHRINK_EMPTY		(~0UL - 1)

struct fgraph_value;

/* No forms here: their text does not depend on the text of the signature. */
static inline bool print_graph_form(struct trace_seq *s, const struct fgraph_value *value,
				    u64 bits)
{
	return false;
}

static inline long graph_form_error(int form, u64 bits)
{
	return 0;
}

static inline bool graph_hides_pointers(const struct trace_iterator *iter)
{
	return false;
}

static inline bool graph_hides_word(const struct trace_iterator *iter, unsigned long word)
{
	return false;
}

static inline bool graph_func_has_name(const struct trace_iterator *iter,
				       unsigned long addr)
{
	return true;
}

static inline bool graph_func_is_there(const struct trace_iterator *iter,
				       unsigned long addr)
{
	return true;
}

#define TRACE_GRAPH_MAX_ARGS		32
#define TRACE_GRAPH_PRINT_RETVAL_HEX	1

struct fgraph_sig;

struct graph_words {
	const unsigned long	*words;
	unsigned int		nr;
	const unsigned long	*names;
	unsigned int		nr_names;
	bool			hide_names;
	const struct trace_iterator *iter;
};

/* No names are recorded here. */
static inline void print_graph_pointer_name(struct trace_seq *s,
					    const unsigned long *names, unsigned int nr,
					    unsigned int word, bool of_result)
{
}

void print_graph_sig_args(struct trace_seq *s, const struct fgraph_sig *sig,
			  const struct graph_words *args);
void print_graph_sig_retval(struct trace_seq *s, const struct fgraph_sig *sig,
			    const struct graph_words *ret);

#endif
