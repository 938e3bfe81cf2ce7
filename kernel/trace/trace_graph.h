/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the graph tracers share:
 *
 *	trace_functions_graph.c	the tracer function_graph
 *	trace_graph_reader.c	the reader of a trace
 *	trace_graph_line.c	the text of a line
 *	trace_graph_event.c	the events of calls: writing and reading
 *	trace_graph_record.c	the callbacks that record entries and returns
 *	trace_graph_keep.c	the callbacks that record only calls that rules keep
 *	trace_graph_func.c	what is known of each traced function
 *	trace_graph_value.c	the text of arguments and return values
 *	trace_graph_form.c	the text of modes, devices, statuses and so on
 *	trace_graph_name.c	the names of pointers
 *	trace_graph_symbol.c	the names of addresses
 *
 * trace_irqsoff.c and trace_sched_wakeup.c also use these functions to record and
 * print calls. fgraph.c calls the callbacks, and fgraph_sig.c finds signatures.
 */
#ifndef _LINUX_KERNEL_TRACE_GRAPH_H
#define _LINUX_KERNEL_TRACE_GRAPH_H

#include <linux/fgraph.h>
#include <linux/sizes.h>

#include "fgraph_sig.h"
#include "trace.h"

void trace_graph_return(struct fgraph_ops *gops, struct fgraph_call *call);
int trace_graph_entry(struct fgraph_ops *gops, struct fgraph_call *call);
void trace_graph_function(struct trace_array *tr, unsigned long ip,
			  unsigned long parent_ip, unsigned int trace_ctx);

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* Flag options */
#define TRACE_GRAPH_PRINT_OVERRUN       0x1
#define TRACE_GRAPH_PRINT_CPU           0x2
#define TRACE_GRAPH_PRINT_OVERHEAD      0x4
#define TRACE_GRAPH_PRINT_PROC          0x8
#define TRACE_GRAPH_PRINT_DURATION      0x10
#define TRACE_GRAPH_PRINT_ABS_TIME      0x20
#define TRACE_GRAPH_PRINT_REL_TIME      0x40
#define TRACE_GRAPH_PRINT_IRQS          0x80
#define TRACE_GRAPH_PRINT_TAIL          0x100
#define TRACE_GRAPH_SLEEP_TIME          0x200
#define TRACE_GRAPH_GRAPH_TIME          0x400
#define TRACE_GRAPH_PRINT_RETVAL        0x800
#define TRACE_GRAPH_PRINT_RETVAL_HEX    0x1000
#define TRACE_GRAPH_PRINT_ARGS          0x2000
#define TRACE_GRAPH_PRINT_RETADDR       0x4000
#define TRACE_GRAPH_PRINT_NAMES         0x8000
#define TRACE_GRAPH_PRINT_SLEPT         0x10000
#define TRACE_GRAPH_PRINT_FILL_SHIFT	28
#define TRACE_GRAPH_PRINT_FILL_MASK	(0x3 << TRACE_GRAPH_PRINT_FILL_SHIFT)

#ifdef CONFIG_FUNCTION_PROFILER
void ftrace_graph_sleep_time_control(bool enable);
extern void ftrace_graph_graph_time_control(bool enable);
#else
static inline void ftrace_graph_sleep_time_control(bool enable) { }
static inline void ftrace_graph_graph_time_control(bool enable) { }
#endif

extern enum print_line_t
print_graph_function_flags(struct trace_iterator *iter, u32 flags);
extern void print_graph_headers_flags(struct seq_file *s, u32 flags);
extern void
trace_print_graph_duration(unsigned long long duration, struct trace_seq *s);
extern void graph_trace_open(struct trace_iterator *iter);
extern void graph_trace_close(struct trace_iterator *iter);
bool graph_func_has_name(const struct trace_iterator *iter, unsigned long addr);
bool graph_func_is_there(const struct trace_iterator *iter, unsigned long addr);
bool graph_hides_pointers(const struct trace_iterator *iter);
bool graph_hides_word(const struct trace_iterator *iter, unsigned long word);
int trace_graph_record_entry(struct trace_array *tr, struct fgraph_call *call,
			     unsigned int trace_ctx);
void trace_graph_record_return(struct trace_array *tr, struct fgraph_call *call,
			       unsigned int trace_ctx);

/*
 * Return the context of a call, given the context of its callback. fgraph disables
 * preemption around callbacks; subtract this level. PREEMPT_DISABLE_OFFSET is 0 if the
 * kernel does not count levels.
 */
static inline unsigned int trace_graph_callback_ctx(unsigned int trace_ctx)
{
	return trace_ctx - PREEMPT_DISABLE_OFFSET;
}

/*
 * Bits of fgraph_task::state, as a graph tracer uses it. They are set while the task
 * is in a call of set_graph_function or set_graph_notrace. The state also stores the
 * depth of this call:
 *
 *	bits 16..31	the call of set_graph_function, valid with
 *			TRACE_GRAPH_FL_GRAPH
 *	bits 32..63	the call of set_graph_notrace, valid with
 *			TRACE_GRAPH_FL_NOTRACE
 */
#define TRACE_GRAPH_FL_GRAPH	BIT(0)
/* The call of set_graph_function is in an interrupt, so also trace interrupts. */
#define TRACE_GRAPH_FL_IRQ	BIT(1)
#define TRACE_GRAPH_FL_NOTRACE	BIT(2)
#define TRACE_GRAPH_DEPTH_SHIFT	16
#define TRACE_GRAPH_NOTRACE_SHIFT	32

#ifdef CONFIG_DYNAMIC_FTRACE
void ftrace_free_graph_scope(struct trace_array *tr);

static inline int ftrace_graph_addr(struct trace_array *tr,
				    struct fgraph_call *call)
{
	unsigned long addr = call->func;
	int ret = 0;
	struct ftrace_hash *hash;

	preempt_disable_notrace();

	/*
	 * Have to open code "rcu_dereference_sched()" because the
	 * function graph tracer can be called when RCU is not
	 * "watching".
	 * Protected with schedule_on_each_cpu(ftrace_sync)
	 */
	hash = rcu_dereference_protected(tr->graph_scope.filter_hash,
					 !preemptible());

	if (ftrace_hash_empty(hash)) {
		ret = 1;
		goto out;
	}

	if (ftrace_lookup_ip(hash, addr)) {

		/*
		 * ftrace_graph_addr_finish() clears the state when this
		 * call returns.
		 */
		call->task->state = TRACE_GRAPH_FL_GRAPH |
				    (u64)call->depth << TRACE_GRAPH_DEPTH_SHIFT;

		/*
		 * If no irqs are to be traced, but a set_graph_function
		 * is set, and called by an interrupt handler, we still
		 * want to trace it.
		 */
		if (in_hardirq())
			call->task->state |= TRACE_GRAPH_FL_IRQ;
		ret = 1;
	}

out:
	preempt_enable_notrace();
	return ret;
}

static inline void ftrace_graph_addr_finish(struct fgraph_call *call)
{
	u64 state = call->task->state;

	if (state & TRACE_GRAPH_FL_GRAPH &&
	    call->depth == state >> TRACE_GRAPH_DEPTH_SHIFT)
		call->task->state = 0;
}

static inline int ftrace_graph_notrace_addr(struct trace_array *tr,
					    unsigned long addr)
{
	int ret = 0;
	struct ftrace_hash *notrace_hash;

	preempt_disable_notrace();

	/*
	 * Have to open code "rcu_dereference_sched()" because the
	 * function graph tracer can be called when RCU is not
	 * "watching".
	 * Protected with schedule_on_each_cpu(ftrace_sync)
	 */
	notrace_hash = rcu_dereference_protected(tr->graph_scope.notrace_hash,
						 !preemptible());

	if (!ftrace_hash_empty(notrace_hash) &&
	    ftrace_lookup_ip(notrace_hash, addr))
		ret = 1;

	preempt_enable_notrace();
	return ret;
}
#else
static inline void ftrace_free_graph_scope(struct trace_array *tr) { }

static inline int ftrace_graph_addr(struct trace_array *tr,
				    struct fgraph_call *call)
{
	return 1;
}

static inline int ftrace_graph_notrace_addr(struct trace_array *tr,
					    unsigned long addr)
{
	return 0;
}

static inline void ftrace_graph_addr_finish(struct fgraph_call *call)
{ }
#endif /* CONFIG_DYNAMIC_FTRACE */

int trace_graph_start(struct trace_array *tr, u32 flags);
void trace_graph_stop(struct trace_array *tr);
void trace_graph_use_flags(struct trace_array *tr, u32 flags);
void trace_graph_use_scope(struct trace_array *tr);
void trace_graph_init_tracefs(struct trace_array *tr, struct dentry *d_tracer);

#ifdef CONFIG_DYNAMIC_FTRACE
bool function_tracers_save_selection(const struct trace_array *tr);
void function_tracers_restore_selection(const struct trace_array *tr);
#else
static inline bool function_tracers_save_selection(const struct trace_array *tr)
{
	return false;
}

static inline void function_tracers_restore_selection(const struct trace_array *tr) { }
#endif

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
/* trace_graph_keep.c */
void trace_graph_new_generation(struct trace_array *tr);
void trace_graph_use_callbacks(struct trace_array *tr);

/* trace_graph_action.c */
int trace_graph_prepare_actions(struct trace_array *tr);

/* trace_graph_rules.c */
int trace_graph_set_rules(struct trace_array *tr, const char *text);
void trace_graph_init_keep(struct trace_array *tr, struct dentry *d_tracer);
void trace_graph_free_keep(struct trace_array *tr);
#else
static inline void trace_graph_use_callbacks(struct trace_array *tr) { }
static inline int trace_graph_prepare_actions(struct trace_array *tr)
{
	return 0;
}

static inline void trace_graph_init_keep(struct trace_array *tr,
					 struct dentry *d_tracer) { }
#endif

struct graph_symbols;

struct graph_symbols *alloc_graph_symbols(gfp_t gfp);
void print_graph_symbol(struct trace_seq *s, struct graph_symbols *symbols,
			unsigned long addr);

/* The recorded words of the arguments or of the result, and the names of pointers */
struct graph_words {
	const unsigned long	*words;
	unsigned int		nr;
	const unsigned long	*names;
	unsigned int		nr_names;
};

struct fgraph_sig;
struct fgraph_value;

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/* trace_graph_form.c */
u64 graph_form_number(enum fgraph_form form, u64 bits, unsigned int bytes);
bool graph_find_form_constant(enum fgraph_form form, const char *word, size_t len,
			      u64 *bits);
bool print_graph_form(struct trace_seq *s, const struct fgraph_value *value, u64 bits);
long graph_form_error(enum fgraph_form form, u64 bits);

bool graph_value_is_signed(const struct fgraph_value *value);
bool graph_find_enumerator(const struct fgraph_value *value, const char *name,
			   unsigned int len, s64 *number);
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

bool graph_returns_nothing(unsigned long func);
long graph_sig_result_error(const struct fgraph_sig *sig, const unsigned long *words,
			    unsigned int nr);
long graph_result_error(unsigned long func, const unsigned long *words);
bool graph_result_is_null(unsigned long func, const unsigned long *words);
void print_graph_sig_retval(struct trace_seq *s, const struct fgraph_sig *sig,
			    const unsigned long *words, unsigned int nr);
void print_graph_sig_retval_hex(struct trace_seq *s, const struct fgraph_sig *sig,
				const unsigned long *words, unsigned int nr);
void print_graph_retval(struct trace_seq *s, const struct trace_iterator *iter,
			unsigned long func, const struct graph_words *ret, u32 flags);
#endif

#ifdef CONFIG_FUNCTION_GRAPH_ARGS
/* The maximum number of recorded words of the arguments of a call */
#define TRACE_GRAPH_MAX_ARGS	32

void print_graph_sig_args(struct trace_seq *s, const struct fgraph_sig *sig,
			  const unsigned long *words, unsigned int nr);
void print_graph_args(struct trace_seq *s, const struct trace_iterator *iter,
		      unsigned long func, const struct graph_words *args);
#else
#define TRACE_GRAPH_MAX_ARGS	0
#endif

static inline bool ftrace_graph_ignore_func(struct trace_array *tr,
					    struct fgraph_call *call)
{
	unsigned int max_depth = READ_ONCE(tr->graph_scope.max_depth);

	if (max_depth && call->depth >= max_depth)
		return true;

	/*
	 * Trace it when it is-nested-in or is a function enabled. A callback
	 * that refuses the call after this must call
	 * ftrace_graph_addr_finish().
	 */
	return !(call->task->state & TRACE_GRAPH_FL_GRAPH ||
		 ftrace_graph_addr(tr, call));
}

#else /* CONFIG_FUNCTION_GRAPH_TRACER */
static inline void ftrace_free_graph_scope(struct trace_array *tr) { }
static inline void trace_graph_use_scope(struct trace_array *tr) { }
static inline bool graph_hides_pointers(const struct trace_iterator *iter)
{
	return false;
}

static inline void trace_graph_init_tracefs(struct trace_array *tr,
					    struct dentry *d_tracer) { }
static inline enum print_line_t
print_graph_function_flags(struct trace_iterator *iter, u32 flags)
{
	return TRACE_TYPE_UNHANDLED;
}
#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#ifndef CONFIG_FUNCTION_GRAPH_RETVAL
static inline void trace_graph_new_generation(struct trace_array *tr) { }
static inline void trace_graph_free_keep(struct trace_array *tr) { }
#endif

#endif /* _LINUX_KERNEL_TRACE_GRAPH_H */
