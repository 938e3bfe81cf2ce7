/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of arguments and return values, and the errors that return values mean:
 *
 *	trace_graph_value.c	values of each type
 *	trace_graph_form.c	values that mean more than their C type, see enum fgraph_form
 */
#ifndef _KERNEL_TRACE_GRAPH_VALUE_H
#define _KERNEL_TRACE_GRAPH_VALUE_H

#include <linux/err.h>
#include <linux/sizes.h>

#include "fgraph_sig.h"

struct trace_iterator;
struct trace_seq;

/**
 * struct graph_words - what was recorded of the arguments or of the result of a call
 * @words:	the recorded words
 * @nr:		the number of @words
 * @names:	the recorded names of pointers, see trace_graph_name.h
 * @nr_names:	the number of words in @names
 * @hide_names:	print only the members among @names
 * @iter:	the iterator at the event to print, or NULL. A pointer to a function of
 *		a module that was loaded after this event is printed without a symbol.
 */
struct graph_words {
	const unsigned long	*words;
	unsigned int		nr;
	const unsigned long	*names;
	unsigned int		nr_names;
	bool			hide_names;
	const struct trace_iterator *iter;
};

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/* trace_graph_form.c */
u64 graph_form_number(enum fgraph_form form, u64 bits, unsigned int bytes);
bool graph_find_form_constant(enum fgraph_form form, const char *word, size_t len,
			      u64 *bits);
bool print_graph_form(struct trace_seq *s, const struct fgraph_value *value, u64 bits);
long graph_form_error(enum fgraph_form form, u64 bits);

/* trace_graph_value.c */
bool graph_value_is_signed(const struct fgraph_value *value);
bool graph_find_enumerator(const struct fgraph_value *value, const char *name,
			   unsigned int len, s64 *number);
void print_graph_value(struct trace_seq *s, const struct fgraph_value *value,
		       const struct graph_words *recorded);
#endif

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
/*
 * Return true if a result may be an error. The low 32 bits of an error are an error, and a
 * status is a small number. So the type of most results is not needed.
 */
static __always_inline bool graph_may_be_error(unsigned long func, unsigned long result)
{
	return unlikely((u32)result >= (u32)-MAX_ERRNO) ||
		(unlikely((u32)result - 1 < SZ_1M) && fgraph_may_be_odd(func));
}

bool graph_has_result(const struct trace_iterator *iter, unsigned long func);
long graph_sig_result_error(const struct fgraph_sig *sig, const unsigned long *words,
			    unsigned int nr);
long graph_result_error(unsigned long func, const unsigned long *words);
s64 graph_result_number(unsigned long func, const unsigned long *words);
bool graph_result_is_null(unsigned long func, const unsigned long *words);
void print_graph_sig_retval(struct trace_seq *s, const struct fgraph_sig *sig,
			    const struct graph_words *ret);
void print_graph_sig_retval_hex(struct trace_seq *s, const struct fgraph_sig *sig,
				const struct graph_words *ret);
void print_graph_retval(struct trace_seq *s, unsigned long func,
			const struct graph_words *ret, u32 flags);
#endif

#ifdef CONFIG_FUNCTION_GRAPH_ARGS
void print_graph_sig_args(struct trace_seq *s, const struct fgraph_sig *sig,
			  const struct graph_words *args);
void print_graph_bare_args(struct trace_seq *s, unsigned long func,
			   const struct graph_words *args);
void print_graph_args(struct trace_seq *s, unsigned long func,
		      const struct graph_words *args);
#endif

#endif /* _KERNEL_TRACE_GRAPH_VALUE_H */
