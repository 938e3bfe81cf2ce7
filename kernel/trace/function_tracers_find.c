// SPDX-License-Identifier: GPL-2.0
/*
 * Walks over all function tracers: instances, users of fgraph, and users that trace entries
 * only.
 *
 * trace_types_lock keeps instances from being removed. ftrace_lock keeps other users
 * registered.
 */
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "function_tracers.h"
#include "trace.h"

static const char *function_tracer_errors[] = {
	[FT_ERR_UNKNOWN]	= "No such function tracer",
	[FT_ERR_AMBIGUOUS]	= "More than one function tracer has this name",
	[FT_ERR_OWNER]		= "Only its owner can set the filter of this tracer",
	[FT_ERR_GONE]		= "This function tracer unregistered; selection reset",
	[FT_ERR_LOST_EDIT]	= "This function tracer unregistered while its filter was edited",
	[FT_ERR_NO_MEMORY]	= "Out of memory: the filter of this tracer was not changed",
};

/**
 * log_function_tracer_error - add an error to error_log
 * @name:	the name of the function tracer
 * @error:	the error
 *
 * Context: may sleep.
 */
void log_function_tracer_error(const char *name, enum function_tracer_error error)
{
	tracing_log_err(NULL, "function_tracers", name, function_tracer_errors,
			error, 0);
}

/* Call @fn for @ft, with the formatted name. */
static __printf(4, 5) int
visit_tracer(struct function_tracer *ft, function_tracer_fn fn, void *data,
	     const char *fmt, ...)
{
	va_list args;
	int ret;

	va_start(args, fmt);
	ft->name = kvasprintf(GFP_KERNEL, fmt, args);
	va_end(args);
	if (!ft->name)
		return -ENOMEM;

	ret = fn(ft, data);
	kfree(ft->name);
	return ret;
}

/* Return the registered user of fgraph that records into @tr, or NULL. */
static struct fgraph_ops *find_instance_gops(const struct trace_array *tr)
{
	struct fgraph_ops *gops;

	for (gops = fgraph_next_user(NULL); gops; gops = fgraph_next_user(gops))
		if (gops == tr->gops)
			return gops;
	return NULL;
}

/* Visit an instance while it traces functions, or the top level, which is always listed. */
static int visit_instance(struct trace_array *tr, function_tracer_fn fn, void *data)
{
	struct function_tracer ft = {
		.ops	= tr->ops,
		.gops	= find_instance_gops(tr),
		.tr	= tr,
	};

	if (tr->flags & TRACE_ARRAY_FL_GLOBAL)
		return visit_tracer(&ft, fn, data, TOP_LEVEL);
	if (!ft.gops && !(tr->ops && tr->ops->flags & FTRACE_OPS_FL_ENABLED))
		return 0;
	return visit_tracer(&ft, fn, data, INSTANCES "%s", tr->name);
}

static int visit_instances(function_tracer_fn fn, void *data)
{
	struct trace_array *tr;
	int ret = 0;

	/* The top level is the last entry of the list. */
	list_for_each_entry_reverse(tr, &ftrace_trace_arrays, list) {
		ret = visit_instance(tr, fn, data);
		if (ret)
			break;
	}
	return ret;
}

static bool gops_are_of_instance(const struct fgraph_ops *gops)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		if (tr->gops == gops)
			return true;
	return false;
}

/* Visit the users of fgraph that are not instances. */
static int visit_graph_users(function_tracer_fn fn, void *data)
{
	struct fgraph_ops *gops;
	int ret = 0;

	for (gops = fgraph_next_user(NULL); gops && !ret;
	     gops = fgraph_next_user(gops)) {
		struct function_tracer ft = {
			.ops	= &gops->ops,
			.gops	= gops,
		};

		if (gops_are_of_instance(gops))
			continue;
		if (gops->name)
			ret = visit_tracer(&ft, fn, data, "%s", gops->name);
		else
			ret = visit_tracer(&ft, fn, data, "%ps", gops->entryfunc);
	}
	return ret;
}

static bool ops_are_of_instance(const struct ftrace_ops *ops)
{
	struct trace_array *tr;

	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		if (tr->ops == ops)
			return true;
	return false;
}

/* Visit the users that trace entries only and are not instances. They have no names. */
static int visit_other_ops(function_tracer_fn fn, void *data)
{
	struct ftrace_ops *ops;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		struct function_tracer ft = { .ops = ops };
		int ret;

		if (ops == &ftrace_list_end || ops->func == ftrace_graph_func ||
		    ops_are_of_instance(ops))
			continue;
		ret = visit_tracer(&ft, fn, data, "%ps", ops->saved_func);
		if (ret)
			return ret;
	} while_for_each_ftrace_op(ops);
	return 0;
}

/**
 * visit_function_tracers - call a function for each tracer until it returns non-zero
 * @fn:		the function
 * @data:	passed to @fn
 *
 * Context: may sleep; trace_types_lock and ftrace_lock must be held.
 * Return: what @fn returned last; 0 if there is no tracer; -ENOMEM.
 */
int visit_function_tracers(function_tracer_fn fn, void *data)
{
	return visit_instances(fn, data) ?: visit_graph_users(fn, data) ?:
		visit_other_ops(fn, data);
}

/**
 * function_tracer_is_editable - check whether the filter of a tracer may be edited
 * @ft:		the tracer
 *
 * Return: true if it may. Other filters belong to other code.
 */
bool function_tracer_is_editable(const struct function_tracer *ft)
{
	return ft->tr || ft->gops;
}

struct tracer_search {
	const char		*name;
	struct function_tracer	found;
	int			count;
};

static int match_tracer(const struct function_tracer *ft, void *data)
{
	struct tracer_search *search = data;

	if (!strcmp(ft->name, search->name)) {
		search->found = *ft;
		search->count++;
	}
	return 0;
}

/**
 * find_function_tracer - find the only tracer with a name, whose filter must be editable
 * @name:	the name
 * @ft:		set to the tracer
 * @if_unknown:	the error to log if no tracer has this name
 *
 * Context: may sleep; trace_types_lock and ftrace_lock must be held.
 * Return: 0, -ENOMEM, or -EINVAL after adding the reason to error_log.
 */
int find_function_tracer(const char *name, struct function_tracer *ft,
			 enum function_tracer_error if_unknown)
{
	struct tracer_search search = { .name = name };
	int ret = visit_function_tracers(match_tracer, &search);

	if (ret)
		return ret;

	*ft = search.found;
	ft->name = name;
	if (!search.count)
		log_function_tracer_error(name, if_unknown);
	else if (search.count > 1)
		log_function_tracer_error(name, FT_ERR_AMBIGUOUS);
	else if (!function_tracer_is_editable(ft))
		log_function_tracer_error(name, FT_ERR_OWNER);
	else
		return 0;
	return -EINVAL;
}
