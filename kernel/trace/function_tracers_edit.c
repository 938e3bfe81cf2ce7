// SPDX-License-Identifier: GPL-2.0
/*
 * The files set_ftrace_filter and set_ftrace_notrace of the top level, while a user is
 * selected in function_tracers.
 *
 * This file then implements opening and closing them. A write edits a copy of the filter, in
 * an ftrace_ops that belongs to the open file, because the user may unregister in the
 * meantime. When the file is closed, the user is looked up again by its name. Commands always
 * belong to the top level.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "fgraph_internal.h"
#include "ftrace_internal.h"
#include "function_tracers.h"
#include "trace.h"

/* Return the filter or the notrace hash of @ops. */
static struct ftrace_hash **hash_of_ops(struct ftrace_ops *ops, bool is_notrace)
{
	return is_notrace ? &ops->func_hash->notrace_hash :
			 &ops->func_hash->filter_hash;
}

/* Opened for reading: list the filters of all */

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

	if (!function_tracer_is_editable(ft))
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
	ret = visit_function_tracers(show_filter, &list);
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

/* Opened for writing: edit the filter of the selected tracer */

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

	ret = find_function_tracer(edit->name, &ft, FT_ERR_LOST_EDIT);
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
	const char *name = selected_function_tracer();
	struct filter_edit *edit;
	int ret;

	if (!name || !strcmp(name, TOP_LEVEL))
		return NULL;

	edit = kzalloc(struct_size(edit, name, strlen(name) + 1), GFP_KERNEL);
	if (!edit)
		return ERR_PTR(-ENOMEM);

	ftrace_ops_init(&edit->ops);
	edit->is_notrace = is_notrace;
	strcpy(edit->name, name);
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
	ret = find_function_tracer(edit->name, &ft, FT_ERR_LOST_EDIT);
	if (!ret) {
		ret = apply_filter(&ft, edit);
		if (ret == -ENOMEM)
			log_function_tracer_error(edit->name, FT_ERR_NO_MEMORY);
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

	if (!selected_function_tracer())
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
