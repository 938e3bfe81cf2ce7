// SPDX-License-Identifier: GPL-2.0
/*
 * The file function_tracers of tracefs lists the users of function tracing. It also
 * selects the user whose filter set_ftrace_filter and set_ftrace_notrace of the top level
 * edit.
 *
 * By default, these two files edit the filter of the tracer of the top level. They return
 * to it when the selected user unregisters, because programs that write them may not
 * expect a selection.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "function_tracers.h"
#include "trace.h"

/*
 * The name of the selected tracer, and the ftrace_ops with its filter. NULL selects the
 * top level. Protected by ftrace_lock.
 */
static char *selected_tracer;
static const struct ftrace_ops *selected_ops;

/* The list */

static bool tracer_is_selected(const char *name)
{
	return !strcmp(name, selected_tracer ?: TOP_LEVEL);
}

static void show_hash_count(struct seq_file *m, struct ftrace_hash *hash,
			    const char *if_empty)
{
	if (ftrace_hash_empty(hash))
		seq_printf(m, " %7s", if_empty);
	else
		seq_printf(m, " %7lu", hash->count);
}

static int show_tracer(const struct function_tracer *ft, void *data)
{
	struct seq_file *m = data;

	seq_printf(m, "%c%-28s", tracer_is_selected(ft->name) ? '*' : ' ', ft->name);
	if (ft->gops)
		seq_printf(m, " %4d", ft->gops->slot);
	else
		seq_puts(m, "    -");

	show_hash_count(m, ft->ops->func_hash->filter_hash, "all");
	show_hash_count(m, ft->ops->func_hash->notrace_hash, "0");

	if (ft->gops)
		seq_printf(m, " %12lu %9lu %9lu\n", fgraph_count_calls(ft->gops),
			   fgraph_count_missed(ft->gops),
			   fgraph_count_recursed(ft->gops));
	else
		seq_puts(m, "            -         -         -\n");
	return 0;
}

static int show_tracers(struct seq_file *m, void *v)
{
	int ret;

	seq_printf(m, "# %u shadow stacks of %u bytes\n", fgraph_count_stacks(),
		   fgraph_stack_bytes);
	seq_puts(m, "#NAME                         SLOT  FILTER NOTRACE        CALLS    MISSED RECURSION\n");

	mutex_lock(&trace_types_lock);
	mutex_lock(&ftrace_lock);
	ret = visit_function_tracers(show_tracer, m);
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&trace_types_lock);
	return ret;
}

/* The selection */

/* Take ownership of @name, which may be NULL, and free the old name. Needs ftrace_lock. */
static void set_selection(char *name, const struct ftrace_ops *ops)
{
	kfree(selected_tracer);
	WRITE_ONCE(selected_tracer, name);
	selected_ops = ops;
}

/**
 * selected_function_tracer - get the name of the selected tracer
 *
 * Context: any; the name is valid while ftrace_lock is held.
 * Return: the name; NULL if none was selected, so that the top level is.
 */
const char *selected_function_tracer(void)
{
	return READ_ONCE(selected_tracer);
}

/**
 * function_tracers_forget - end the selection of a user that stops tracing functions
 * @ops: the ftrace_ops that contains its filter
 *
 * If the user is selected, the filter files edit the filter of the top level again.
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void function_tracers_forget(const struct ftrace_ops *ops)
{
	if (!selected_tracer || ops != selected_ops)
		return;

	log_function_tracer_error(selected_tracer, FT_ERR_GONE);
	set_selection(NULL, NULL);
}

/**
 * function_tracers_save_selection - keep the selection while the tracer of an instance restarts
 * @tr: the instance
 *
 * The tracer may unregister without losing the selection, until
 * function_tracers_restore_selection(). Readers and writers of the files never see this state,
 * because trace_types_lock is held throughout.
 *
 * Context: may sleep; trace_types_lock must be held; takes ftrace_lock.
 * Return: true if the tracer is selected. Then the caller must call
 * function_tracers_restore_selection().
 */
bool function_tracers_save_selection(const struct trace_array *tr)
{
	bool selected;

	mutex_lock(&ftrace_lock);
	selected = selected_ops && tr->gops && selected_ops == &tr->gops->ops;
	if (selected)
		selected_ops = NULL;
	mutex_unlock(&ftrace_lock);
	return selected;
}

/**
 * function_tracers_restore_selection - undo function_tracers_save_selection() after the restart
 * @tr: the instance
 *
 * If the restart failed, the selection ends.
 *
 * Context: may sleep; trace_types_lock must be held; takes ftrace_lock.
 */
void function_tracers_restore_selection(const struct trace_array *tr)
{
	mutex_lock(&ftrace_lock);
	selected_ops = tr->gops ? &tr->gops->ops : NULL;
	if (!selected_ops) {
		log_function_tracer_error(selected_tracer, FT_ERR_GONE);
		set_selection(NULL, NULL);
	}
	mutex_unlock(&ftrace_lock);
}

/*
 * Return the ftrace_ops that function_tracers_forget() gets when @ft stops tracing. Return
 * NULL for the tracer of the top level, which is always listed.
 */
static const struct ftrace_ops *ops_that_go(const struct function_tracer *ft)
{
	if (ft->tr && ft->tr->flags & TRACE_ARRAY_FL_GLOBAL)
		return NULL;
	return ft->gops ? &ft->gops->ops : ft->ops;
}

/* Select @name, and take ownership of it. An empty name selects the top level. */
static int select_tracer(char *name)
{
	struct function_tracer ft;
	int ret = 0;

	mutex_lock(&trace_types_lock);
	mutex_lock(&ftrace_lock);
	if (!*name) {
		set_selection(NULL, NULL);
	} else {
		ret = find_function_tracer(name, &ft, FT_ERR_UNKNOWN);
		if (!ret) {
			set_selection(name, ops_that_go(&ft));
			name = NULL;
		}
	}
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&trace_types_lock);

	kfree(name);
	return ret;
}

static ssize_t function_tracers_write(struct file *file, const char __user *ubuf,
				      size_t cnt, loff_t *ppos)
{
	char *text, *name;
	int ret;

	/* The maximum length of the name of an instance, with its prefix */
	if (cnt > sizeof(INSTANCES) + NAME_MAX + 1)
		return -EINVAL;

	text = memdup_user_nul(ubuf, cnt);
	if (IS_ERR(text))
		return PTR_ERR(text);
	name = kstrdup(strim(text), GFP_KERNEL);
	kfree(text);
	if (!name)
		return -ENOMEM;

	ret = select_tracer(name);
	if (ret)
		return ret;
	*ppos += cnt;
	return cnt;
}

static int function_tracers_open(struct inode *inode, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	return ret ?: single_open(file, show_tracers, NULL);
}

static const struct file_operations function_tracers_fops = {
	.open		= function_tracers_open,
	.read		= seq_read,
	.write		= function_tracers_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static __init int function_tracers_init(void)
{
	mutex_lock(&ftrace_lock);
	fgraph_user_gone = function_tracers_forget;
	mutex_unlock(&ftrace_lock);

	if (tracing_init_dentry())
		return 0;
	trace_create_file("function_tracers", TRACE_MODE_WRITE, NULL, NULL,
			  &function_tracers_fops);
	return 0;
}
fs_initcall(function_tracers_init);
