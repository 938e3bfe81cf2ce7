/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of function_tracers share:
 *
 *	function_tracers.c		the file function_tracers: the list, and the
 *					selection of a tracer
 *	function_tracers_edit.c		set_ftrace_filter and set_ftrace_notrace while a
 *					tracer is selected
 *	function_tracers_find.c		walks over all function tracers
 */
#ifndef _KERNEL_TRACE_FUNCTION_TRACERS_H
#define _KERNEL_TRACE_FUNCTION_TRACERS_H

struct fgraph_ops;
struct ftrace_ops;
struct trace_array;

/* Names of the top level and, with the name of the instance after it, of an instance */
#define TOP_LEVEL	"trace"
#define INSTANCES	"instances/"

/**
 * struct function_tracer - a user of function tracing
 * @name:	its name in function_tracers
 * @ops:	the ftrace_ops that contains its filter
 * @gops:	the user of fgraph, or NULL if it traces entries only
 * @tr:		the instance, or NULL if it is not an instance
 */
struct function_tracer {
	const char		*name;
	struct ftrace_ops	*ops;
	struct fgraph_ops	*gops;
	struct trace_array	*tr;
};

typedef int (*function_tracer_fn)(const struct function_tracer *ft, void *data);

/* Index of function_tracer_errors[] */
enum function_tracer_error {
	FT_ERR_UNKNOWN,
	FT_ERR_AMBIGUOUS,
	FT_ERR_OWNER,
	FT_ERR_GONE,
	FT_ERR_LOST_EDIT,
	FT_ERR_NO_MEMORY,
};

/* function_tracers_find.c; the first two functions need trace_types_lock and ftrace_lock. */
int visit_function_tracers(function_tracer_fn fn, void *data);
int find_function_tracer(const char *name, struct function_tracer *ft,
			 enum function_tracer_error if_unknown);
bool function_tracer_is_editable(const struct function_tracer *ft);
void log_function_tracer_error(const char *name, enum function_tracer_error error);

/* function_tracers.c */
const char *selected_function_tracer(void);

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

#endif /* _KERNEL_TRACE_FUNCTION_TRACERS_H */
