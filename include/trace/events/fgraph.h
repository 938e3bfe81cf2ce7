/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM fgraph

#if !defined(_TRACE_FGRAPH_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_FGRAPH_H

#include <linux/tracepoint.h>

/**
 * kept - called at the return of a call that a rule of set_graph_keep keeps
 * @func:	the address of the function
 * @retval:	the result, extended to 64 bits by its type
 * @error:	the error that the result means, a negative number, or 0
 * @duration:	the duration of the call, in ns
 * @depth:	the number of open calls that enclose it
 * @name1:	the text or the name of an object behind the first pointer that has one, or ""
 * @name2:	that of the second one
 */
TRACE_EVENT(kept,
	TP_PROTO(unsigned long func, s64 retval, int error, u64 duration, int depth,
		 const char *name1, const char *name2),
	TP_ARGS(func, retval, error, duration, depth, name1, name2),

	TP_STRUCT__entry(
		__field(unsigned long,	func)
		__field(s64,		retval)
		__field(u64,		duration)
		__field(int,		error)
		__field(int,		depth)
		__string(name1,		name1)
		__string(name2,		name2)
	),

	TP_fast_assign(
		__entry->func = func;
		__entry->retval = retval;
		__entry->duration = duration;
		__entry->error = error;
		__entry->depth = depth;
		__assign_str(name1, name1);
		__assign_str(name2, name2);
	),

	TP_printk("func=%ps retval=%lld error=%d duration=%llu depth=%d name1=%s name2=%s",
		  (void *)__entry->func, __entry->retval, __entry->error,
		  __entry->duration, __entry->depth, __get_str(name1), __get_str(name2))
);

#endif /* _TRACE_FGRAPH_H */

#include <trace/define_trace.h>
