// SPDX-License-Identifier: GPL-2.0
/*
 * The file function_tracers of tracefs lists the users of function tracing. It also
 * selects the user whose filter set_ftrace_filter and set_ftrace_notrace of the top level
 * edit.
 *
 * By default, these two files edit the filter of the tracer of the top level. They return
 * to it when the selected user unregisters, because programs that write them may not
 * expect a selection. While a user is selected, this file implements opening and closing
 * them. A write edits a copy of the filter, in an ftrace_ops that belongs to the open
 * file, because the user may unregister in the meantime. When the file is closed, the user
 * is looked up again by its name. Commands always belong to the top level.
 *
 * trace_types_lock keeps instances from being removed. ftrace_lock keeps other users
 * registered.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "trace.h"
#include "trace_graph.h"

#define TOP_LEVEL	"trace"
#define INSTANCES	"instances/"

/*
 * The name of the selected tracer, and the ftrace_ops with its filter. NULL selects the
 * top level. Protected by ftrace_lock.
 */
static char *selected_tracer;
static const struct ftrace_ops *selected_ops;

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

static const char *function_tracer_errors[] = {
	[FT_ERR_UNKNOWN]	= "No such function tracer",
	[FT_ERR_AMBIGUOUS]	= "More than one function tracer has this name",
	[FT_ERR_OWNER]		= "Only its owner can set the filter of this tracer",
	[FT_ERR_GONE]		= "This function tracer unregistered; selection reset",
	[FT_ERR_LOST_EDIT]	= "This function tracer unregistered while its filter was edited",
	[FT_ERR_NO_MEMORY]	= "Out of memory: the filter of this tracer was not changed",
};

static void log_tracer_error(const char *name, enum function_tracer_error error)
{
	tracing_log_err(NULL, "function_tracers", name, function_tracer_errors,
			error, 0);
}

/* Walks over all function tracers */

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

/*
 * Call @fn for each tracer until it returns non-zero. Needs trace_types_lock and
 * ftrace_lock.
 */
static int visit_tracers(function_tracer_fn fn, void *data)
{
	return visit_instances(fn, data) ?: visit_graph_users(fn, data) ?:
		visit_other_ops(fn, data);
}

/* Return true if the filter may be edited. Other filters belong to other code. */
static bool filter_is_editable(const struct function_tracer *ft)
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

/*
 * Find the only tracer with this @name. Its filter must be editable. Return 0, -ENOMEM, or
 * -EINVAL after adding the reason to error_log. Needs trace_types_lock and ftrace_lock.
 */
static int find_tracer(const char *name, struct function_tracer *ft,
		       enum function_tracer_error if_unknown)
{
	struct tracer_search search = { .name = name };
	int ret = visit_tracers(match_tracer, &search);

	if (ret)
		return ret;

	*ft = search.found;
	ft->name = name;
	if (!search.count)
		log_tracer_error(name, if_unknown);
	else if (search.count > 1)
		log_tracer_error(name, FT_ERR_AMBIGUOUS);
	else if (!filter_is_editable(ft))
		log_tracer_error(name, FT_ERR_OWNER);
	else
		return 0;
	return -EINVAL;
}

/* The file function_tracers */

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
	ret = visit_tracers(show_tracer, m);
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&trace_types_lock);
	return ret;
}

/* Take ownership of @name, which may be NULL, and free the old name. Needs ftrace_lock. */
static void set_selection(char *name, const struct ftrace_ops *ops)
{
	kfree(selected_tracer);
	WRITE_ONCE(selected_tracer, name);
	selected_ops = ops;
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

	log_tracer_error(selected_tracer, FT_ERR_GONE);
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
		log_tracer_error(selected_tracer, FT_ERR_GONE);
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
		ret = find_tracer(name, &ft, FT_ERR_UNKNOWN);
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

/* set_ftrace_filter and set_ftrace_notrace, opened for reading: list the filters of all */

/* Return the filter or the notrace hash of @ops. */
static struct ftrace_hash **hash_of_ops(struct ftrace_ops *ops, bool is_notrace)
{
	return is_notrace ? &ops->func_hash->notrace_hash :
			 &ops->func_hash->filter_hash;
}

struct filter_list {
	struct seq_file	*m;
	bool		is_notrace;
};

static void show_hash(const struct filter_list *list, const char *name,
		      struct ftrace_hash *hash)
{
	struct ftrace_func_entry *entry;
	int i;

	if (ftrace_hash_empty(hash)) {
		seq_printf(list->m, "[ %s] #### %s ####\n", name, list->is_notrace ?
			   "no functions disabled" : "all functions enabled");
		return;
	}

	for (i = 0; i < 1 << hash->size_bits; i++)
		hlist_for_each_entry(entry, &hash->buckets[i], hlist)
			/* The entry of a function of an unloaded module is 0 */
			if (entry->ip)
				seq_printf(list->m, "[ %s] %ps\n", name,
					   (void *)entry->ip);
}

static int show_filter(const struct function_tracer *ft, void *data)
{
	const struct filter_list *list = data;

	if (!filter_is_editable(ft))
		return 0;

	show_hash(list, ft->name, *hash_of_ops(ft->ops, list->is_notrace));
	if (ft->tr)
		ftrace_show_pending(list->m, ft->name, ft->tr, list->is_notrace);
	return 0;
}

static int show_filters(struct seq_file *m, bool is_notrace)
{
	struct filter_list list = { .m = m, .is_notrace = is_notrace };
	int ret;

	mutex_lock(&trace_types_lock);
	mutex_lock(&ftrace_lock);
	ret = visit_tracers(show_filter, &list);
	if (!ret && !is_notrace)
		ftrace_show_commands(m, global_ops.private);
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&trace_types_lock);
	return ret;
}

static int show_filter_hashes(struct seq_file *m, void *v)
{
	return show_filters(m, false);
}

static int show_notrace_hashes(struct seq_file *m, void *v)
{
	return show_filters(m, true);
}

static const struct file_operations list_filters_fops = {
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int list_filters(struct file *file, bool is_notrace)
{
	int ret = tracing_check_open_get_tr(NULL);

	if (ret)
		return ret;
	replace_fops(file, &list_filters_fops);
	return single_open(file, is_notrace ? show_notrace_hashes : show_filter_hashes,
			   NULL);
}

/* The same files, opened for writing: edit the filter of the selected tracer */

struct filter_edit {
	struct ftrace_ops	ops;
	bool			is_notrace;
	char			name[];
};

/*
 * Copy the filter of the selected tracer to @edit. Needs trace_types_lock and
 * ftrace_lock.
 */
static int copy_filter(struct filter_edit *edit)
{
	struct ftrace_hash **to = hash_of_ops(&edit->ops, edit->is_notrace);
	struct function_tracer ft;
	int ret;

	ret = find_tracer(edit->name, &ft, FT_ERR_LOST_EDIT);
	if (ret)
		return ret;

	/* An instance can keep a filter for a module that is not loaded yet */
	edit->ops.private = ft.tr;

	*to = alloc_and_copy_ftrace_hash(FTRACE_HASH_DEFAULT_BITS,
					 *hash_of_ops(ft.ops, edit->is_notrace));
	return *to ? 0 : -ENOMEM;
}

static void free_filter_edit(struct filter_edit *edit)
{
	ftrace_free_filter(&edit->ops);
	kfree(edit);
}

/*
 * Return the filter to edit, an ERR_PTR, or NULL if the top level is selected. Needs
 * trace_types_lock and ftrace_lock.
 */
static struct filter_edit *alloc_filter_edit(bool is_notrace)
{
	struct filter_edit *edit;
	int ret;

	if (tracer_is_selected(TOP_LEVEL))
		return NULL;

	edit = kzalloc(struct_size(edit, name, strlen(selected_tracer) + 1),
		       GFP_KERNEL);
	if (!edit)
		return ERR_PTR(-ENOMEM);

	ftrace_ops_init(&edit->ops);
	edit->is_notrace = is_notrace;
	strcpy(edit->name, selected_tracer);
	ret = copy_filter(edit);
	if (!ret)
		return edit;

	free_filter_edit(edit);
	return ERR_PTR(ret);
}

static struct filter_edit *start_filter_edit(bool is_notrace)
{
	struct filter_edit *edit;

	mutex_lock(&trace_types_lock);
	mutex_lock(&ftrace_lock);
	edit = alloc_filter_edit(is_notrace);
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&trace_types_lock);
	return edit;
}

/*
 * Replace the filter of @ft by the edited filter. Return -EAGAIN if another task holds the
 * lock of the filter.
 */
static int apply_filter(const struct function_tracer *ft, struct filter_edit *edit)
{
	struct mutex *regex_lock; /* protects the filter of @ft */
	int ret = 0;

	if (ft->gops && !ft->tr)
		ret = fgraph_own_filter(ft->gops);
	if (ret)
		return ret;

	/* All other code takes regex_lock before ftrace_lock. */
	regex_lock = &ft->ops->func_hash->regex_lock;
	if (!mutex_trylock(regex_lock))
		return -EAGAIN;
	ret = ftrace_hash_move_and_update_ops(ft->ops,
					      hash_of_ops(ft->ops, edit->is_notrace),
					      *hash_of_ops(&edit->ops, edit->is_notrace),
					      !edit->is_notrace);
	mutex_unlock(regex_lock);
	return ret;
}

static int finish_filter_edit(struct filter_edit *edit)
{
	struct function_tracer ft;
	int ret;

	mutex_lock(&trace_types_lock);
	mutex_lock(&ftrace_lock);
	ret = find_tracer(edit->name, &ft, FT_ERR_LOST_EDIT);
	if (!ret) {
		ret = apply_filter(&ft, edit);
		if (ret == -ENOMEM)
			log_tracer_error(edit->name, FT_ERR_NO_MEMORY);
	}
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&trace_types_lock);
	return ret;
}

/**
 * function_tracers_open_filter - open a filter file of the top level
 * @inode:	inode of the file
 * @file:	the file
 * @is_notrace:	true for set_ftrace_notrace
 *
 * Context: may sleep; takes trace_types_lock and ftrace_lock.
 * Return: 0 if the file is open; a negative error; 1 if no tracer is selected, or if the
 * file is opened to change the filter of the top level. Then the caller must open it.
 */
int function_tracers_open_filter(struct inode *inode, struct file *file,
				 bool is_notrace)
{
	struct filter_edit *edit;
	int ret;

	if (!READ_ONCE(selected_tracer))
		return 1;
	if (!(file->f_mode & FMODE_WRITE))
		return list_filters(file, is_notrace);

	edit = start_filter_edit(is_notrace);
	if (IS_ERR_OR_NULL(edit))
		return edit ? PTR_ERR(edit) : 1;

	ret = ftrace_regex_open(NULL, &edit->ops, FTRACE_ITER_SELECTED |
				(is_notrace ? FTRACE_ITER_NOTRACE : FTRACE_ITER_FILTER),
				inode, file);
	if (ret)
		free_filter_edit(edit);
	return ret;
}

/**
 * function_tracers_release_filter - apply an edited filter when the file is closed
 * @ops:	the ftrace_ops that the file was opened with, with FTRACE_ITER_SELECTED. It
 *		contains the edited filter.
 *
 * close() does not report errors. If the user unregistered, or if there is no memory, the
 * filter is not changed, and error_log contains the reason.
 *
 * Context: may sleep; takes trace_types_lock and ftrace_lock.
 */
void function_tracers_release_filter(struct ftrace_ops *ops)
{
	struct filter_edit *edit = container_of(ops, struct filter_edit, ops);

	/* The owner of the lock may have a lower priority. Let it run. */
	while (finish_filter_edit(edit) == -EAGAIN)
		schedule_timeout_uninterruptible(1);
	free_filter_edit(edit);
}

static __init int function_tracers_init(void)
{
	if (tracing_init_dentry())
		return 0;
	trace_create_file("function_tracers", TRACE_MODE_WRITE, NULL, NULL,
			  &function_tracers_fops);
	return 0;
}
fs_initcall(function_tracers_init);
