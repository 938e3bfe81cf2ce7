// SPDX-License-Identifier: GPL-2.0
/*
 * The file set_graph_keep of an instance: the rules that select the calls that
 * function_graph records, one rule a line. Documentation/trace/fgraph.rst describes them.
 *
 * The rules that were written take effect when the file is closed: they replace the rules in
 * force or, with ">>", are added to them. So several writers can add rules at once without
 * losing one. If a rule was refused, the rules in force stay as they are.
 */
#include <linux/ctype.h>
#include <linux/errname.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "trace.h"
#include "trace_graph.h"
#include "trace_graph_action.h"
#include "trace_graph_keep.h"
#include "trace_graph_match.h"
#include "trace_graph_rules.h"
#include "trace_graph_tests.h"
#include "trace_graph_verdict.h"
#include "trace_graph_word.h"

/* Useful lists of rules are shorter. */
#define GRAPH_RULES_MAX_BYTES	PAGE_SIZE

/**
 * struct rules_edit - rules that are being written
 * @tr:		the instance
 * @rules:	the rules, or NULL
 * @removed:	the rules on values in force that the writer removed; NULL after the last one
 * @no_errors:	the writer removed all rules for errors that are in force
 * @no_null:	the writer removed the rule "null"
 * @no_slow:	the writer removed the rule "slow:"
 * @shows:	the rules are those of set_graph_show
 * @appends:	@rules are added to those in force. Otherwise, they replace them.
 * @changed:	@rules change the rules in force
 * @refused:	a rule was refused, so @rules will not be used
 */
struct rules_edit {
	struct trace_array	*tr;
	struct graph_rules	*rules;
	struct graph_expr	*removed[GRAPH_MAX_EXPRS + 1];
	bool			no_errors;
	bool			no_null;
	bool			no_slow;
	bool			shows;
	bool			appends;
	bool			changed;
	bool			refused;
};

/* Parser */

/*
 * Set the bits of the errors of a list of names with commas between them. Spaces may be around
 * a name, and a minus before it.
 */
static int parse_errors(const struct rule_text *text, const char *list,
			unsigned long *errors)
{
	unsigned int number;
	size_t len;

	for (;; list++) {
		list = skip_spaces(list);
		list += *list == '-';
		len = strcspn(list, ", \t");
		if (!len)
			return graph_refuse_rule(text, RULE_ERR_NO_ERROR_NAME, list);
		number = graph_find_error(list, len);
		if (!number)
			return graph_refuse_rule(text, RULE_ERR_ERROR_NAME, list);
		__set_bit(number, errors);
		list = skip_spaces(list + len);
		if (!*list)
			return 0;
		if (*list != ',')
			return graph_refuse_rule(text, RULE_ERR_COMMA, list);
	}
}

/*
 * Add a rule that names no function, to the rules of each of its actions. A call is kept if
 * one rule keeps it, so the shorter of two durations is in force.
 */
static void add_result_rule(const struct rule_text *text, struct graph_rules *rules,
			    const struct graph_result_rules *rule)
{
	unsigned int i;

	for (i = 0; i < GRAPH_NR_ACTIONS; i++) {
		struct graph_result_rules *r = &rules->results[i];

		if (!(text->actions & BIT(i)))
			continue;
		bitmap_or(r->wanted, r->wanted, rule->wanted, MAX_ERRNO + 1);
		r->all_errors |= rule->all_errors;
		r->null |= rule->null;
		r->slow = min_not_zero(r->slow, rule->slow);
	}
}

static int parse_all_errors(const struct rule_text *text, struct graph_rules *rules)
{
	add_result_rule(text, rules, &(struct graph_result_rules){ .all_errors = true });
	return 0;
}

/* Parse the errors of "error:". Of two rules for an error, the later one counts. */
static int parse_wanted(const struct rule_text *text, const char *list,
			struct graph_rules *rules)
{
	struct graph_result_rules rule = { };
	int ret = parse_errors(text, list, rule.wanted);

	add_result_rule(text, rules, &rule);
	bitmap_andnot(rules->unwanted, rules->unwanted, rule.wanted, MAX_ERRNO + 1);
	return ret;
}

static bool wants_errors_of(const struct graph_result_rules *rules)
{
	return rules->all_errors || !bitmap_empty(rules->wanted, MAX_ERRNO + 1);
}

static bool wants_errors(const struct graph_rules *rules)
{
	const struct graph_result_rules *r;

	for (r = rules->results; r < rules->results + GRAPH_NR_ACTIONS; r++)
		if (wants_errors_of(r))
			return true;
	return false;
}

/* Return the rules of the file that are in force, or NULL. Needs trace_types_lock. */
static struct graph_rules *rules_in_force(const struct rules_edit *edit)
{
	return edit->shows ? graph_locked_shows(edit->tr) : graph_locked_rules(edit->tr);
}

/* Return the rules in force that those of @edit are added to, or NULL. Needs trace_types_lock. */
static const struct graph_rules *rules_before(const struct rules_edit *edit)
{
	return edit->appends ? rules_in_force(edit) : NULL;
}

static int parse_unwanted(const struct rule_text *text, const char *list,
			  const struct rules_edit *edit)
{
	const struct graph_rules *before;
	bool wanted = wants_errors(edit->rules);

	mutex_lock(&trace_types_lock);
	before = rules_before(edit);
	if (before)
		wanted |= wants_errors(before);
	mutex_unlock(&trace_types_lock);
	if (!wanted)
		return graph_refuse_rule(text, RULE_ERR_NO_ERRORS, text->line);
	return parse_errors(text, list, edit->rules->unwanted);
}

static int parse_null(const struct rule_text *text, struct graph_rules *rules)
{
	if (!fgraph_have_signatures())
		return graph_refuse_rule(text, RULE_ERR_NO_SIGNATURES, text->line);
	add_result_rule(text, rules, &(struct graph_result_rules){ .null = true });
	return 0;
}

static int parse_slow(const struct rule_text *text, const char *duration,
		      struct graph_rules *rules)
{
	struct graph_result_rules rule = { };
	int ret = graph_parse_duration(text, duration, strlen(duration), &rule.slow);

	if (!ret)
		add_result_rule(text, rules, &rule);
	return ret;
}

/*
 * Remove the rules of one kind: those of the writer now, and those in force when the
 * writer closes the file. Return false if there is none. Needs trace_types_lock.
 */
static bool remove_errors(struct rules_edit *edit, const struct graph_rules *before)
{
	struct graph_rules *rules = edit->rules;
	bool there = wants_errors(rules) || (before && wants_errors(before));
	struct graph_result_rules *r;

	for (r = rules->results; r < rules->results + GRAPH_NR_ACTIONS; r++) {
		r->all_errors = false;
		bitmap_zero(r->wanted, MAX_ERRNO + 1);
	}
	bitmap_zero(rules->unwanted, MAX_ERRNO + 1);
	edit->no_errors = true;
	return there;
}

static bool remove_null(struct rules_edit *edit, const struct graph_rules *before)
{
	struct graph_result_rules *r = edit->rules->results;
	bool there = before && before->null;

	for (; r < edit->rules->results + GRAPH_NR_ACTIONS; r++) {
		there |= r->null;
		r->null = false;
	}
	edit->no_null = true;
	return there;
}

static bool remove_slow(struct rules_edit *edit, const struct graph_rules *before)
{
	struct graph_result_rules *r = edit->rules->results;
	bool there = before && before->slow;

	for (; r < edit->rules->results + GRAPH_NR_ACTIONS; r++) {
		there |= !!r->slow;
		r->slow = 0;
	}
	edit->no_slow = true;
	return there;
}

static bool is_removed(const struct rules_edit *edit, const struct graph_expr *expr)
{
	unsigned int i;

	for (i = 0; edit->removed[i]; i++)
		if (edit->removed[i] == expr)
			return true;
	return false;
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* Remove a rule on values, which is found by its text. */
static bool remove_expr(struct rules_edit *edit, const struct graph_rules *before,
			const char *line)
{
	struct graph_expr **exprs = edit->rules->exprs;
	unsigned int i, nr = 0;

	for (i = 0; exprs[i]; i++) {
		if (strcmp(graph_expr_text(exprs[i]), line))
			continue;
		graph_put_expr(exprs[i]);
		memmove(&exprs[i], &exprs[i + 1], (GRAPH_MAX_EXPRS - i) * sizeof(*exprs));
		return true;
	}
	while (edit->removed[nr])
		nr++;
	for (i = 0; before && before->exprs[i] && nr < GRAPH_MAX_EXPRS; i++) {
		if (strcmp(graph_expr_text(before->exprs[i]), line) ||
		    is_removed(edit, before->exprs[i]))
			continue;
		edit->removed[nr] = before->exprs[i];
		graph_get_expr(edit->removed[nr]);
		return true;
	}
	return false;
}

/* Count the rules on values when those of @edit are in force. Needs trace_types_lock. */
static unsigned int count_exprs(const struct rules_edit *edit)
{
	const struct graph_rules *before = rules_before(edit);
	unsigned int i, nr = 0;

	while (edit->rules->exprs[nr])
		nr++;
	for (i = 0; before && before->exprs[i]; i++)
		nr += !is_removed(edit, before->exprs[i]);
	return nr;
}

static int parse_expr(const struct rule_text *text, const struct rules_edit *edit)
{
	int ret;

	mutex_lock(&trace_types_lock);
	if (count_exprs(edit) < GRAPH_MAX_EXPRS)
		ret = graph_add_expr(text, edit->rules, edit->appends);
	else
		ret = graph_refuse_rule(text, text->shows ? SHOW_ERR_LINES : RULE_ERR_EXPRS,
					text->line);
	mutex_unlock(&trace_types_lock);
	return ret;
}
#else
static int parse_expr(const struct rule_text *text, const struct rules_edit *edit)
{
	return graph_refuse_rule(text, RULE_ERR_NO_SIGNATURES, text->line);
}

static bool remove_expr(struct rules_edit *edit, const struct graph_rules *before,
			const char *line)
{
	return false;
}
#endif

/* Parse "!RULE", except "!error:". */
static int parse_removal(const struct rule_text *text, struct rules_edit *edit)
{
	const char *rule = skip_spaces(text->line + 1);
	const struct graph_rules *before;
	bool there;

	mutex_lock(&trace_types_lock);
	before = rules_before(edit);
	if (!strcmp(rule, "error"))
		there = remove_errors(edit, before);
	else if (!strcmp(rule, "null"))
		there = remove_null(edit, before);
	else if (!strcmp(rule, "slow"))
		there = remove_slow(edit, before);
	else
		there = remove_expr(edit, before, rule);
	mutex_unlock(&trace_types_lock);
	return there ? 0 : graph_refuse_rule(text, RULE_ERR_NO_RULE, text->line);
}

/* Add the rule of a line, which is modified, to those of @edit. */
static int parse_rule(struct rule_text *text, char *line, struct rules_edit *edit)
{
	struct graph_rules *rules = edit->rules;
	size_t len;
	int ret;

	ret = graph_parse_actions(text, line);
	if (ret)
		return ret;
	len = str_has_prefix(line, "error:");
	if (len)
		return parse_wanted(text, line + len, rules);
	len = str_has_prefix(line, "!error:");
	if (len)
		return parse_unwanted(text, line + len, edit);
	len = str_has_prefix(line, "slow:");
	if (len)
		return parse_slow(text, line + len, rules);
	if (!strcmp(line, "null"))
		return parse_null(text, rules);
	if (!strcmp(line, "error"))
		return parse_all_errors(text, rules);
	if (*line == '!')
		return parse_removal(text, edit);
	if (strchr(line, ':'))
		return parse_expr(text, edit);
	return graph_refuse_rule(text, RULE_ERR_UNKNOWN, line);
}

/* Add the members of a line of set_graph_show, or remove the line. */
static int parse_show(struct rule_text *text, const char *line, struct rules_edit *edit)
{
	if (*line == '!')
		return parse_removal(text, edit);
	if (strchr(line, ':'))
		return parse_expr(text, edit);
	return graph_refuse_rule(text, SHOW_ERR_COLON, line);
}

static int parse_line(struct rules_edit *edit, char *line)
{
	struct rule_text text = { .tr = edit->tr, .line = line, .shows = edit->shows };
	char *whole;
	int ret;

	if (!*line || *line == '#')
		return 0;
	whole = kstrdup(line, GFP_KERNEL);
	if (!whole)
		return -ENOMEM;
	text.whole = whole;
	ret = edit->shows ? parse_show(&text, line, edit) : parse_rule(&text, line, edit);
	kfree(whole);
	return ret;
}

/* Parse @len bytes that a zero byte follows. */
static int parse_rules(struct rules_edit *edit, char *lines, size_t len)
{
	struct rule_text text = { .tr = edit->tr, .shows = edit->shows };
	char *line, *end;
	int ret;

	if (strlen(lines) != len) {
		end = lines + strlen(lines);
		line = strrchr(lines, '\n');
		text.line = line ? line + 1 : lines;
		text.whole = text.line;
		return graph_refuse_rule(&text, RULE_ERR_NUL, end);
	}

	while ((line = strsep(&lines, "\n"))) {
		ret = parse_line(edit, strim(line));
		if (ret)
			return ret;
	}
	return 0;
}

/* Sum up the rules of all actions. Return false if the rules keep nothing. */
static bool sum_rules(struct graph_rules *rules)
{
	unsigned int i, actions = 0;

	bitmap_zero(rules->errors, MAX_ERRNO + 1);
	rules->null = false;
	rules->slow = 0;
	for (i = 0; i < GRAPH_NR_ACTIONS; i++) {
		const struct graph_result_rules *r = &rules->results[i];

		bitmap_or(rules->errors, rules->errors, r->wanted, MAX_ERRNO + 1);
		if (r->all_errors)
			bitmap_fill(rules->errors, MAX_ERRNO + 1);
		rules->null |= r->null;
		rules->slow = min_not_zero(rules->slow, r->slow);
		if (wants_errors_of(r) || r->null || r->slow)
			actions |= BIT(i);
	}
	rules->any_result = rules->null || rules->slow;
	for (i = 0; rules->exprs[i]; i++) {
		actions |= graph_expr_actions(rules->exprs[i]);
		rules->any_result |= graph_expr_reads_results(rules->exprs[i]);
	}

	bitmap_andnot(rules->errors, rules->errors, rules->unwanted, MAX_ERRNO + 1);
	/* Bit 0 is for results that are not errors. */
	__clear_bit(0, rules->errors);
	rules->acts = actions & ~BIT(GRAPH_ONLY_KEEP);
	return actions;
}

/*
 * Add the expressions of @old in front of the new ones. Expressions without room, because
 * another writer was faster, are logged. Needs trace_types_lock.
 */
static void merge_exprs(const struct rules_edit *edit, const struct graph_rules *old)
{
	struct graph_expr *added[GRAPH_MAX_EXPRS + 1];
	struct graph_rules *rules = edit->rules;
	struct graph_expr **end = rules->exprs;
	struct rule_text text = { .tr = edit->tr, .shows = edit->shows };
	unsigned int i;

	memcpy(added, rules->exprs, sizeof(added));
	memset(rules->exprs, 0, sizeof(added));
	for (i = 0; old->exprs[i]; i++) {
		if (is_removed(edit, old->exprs[i]))
			continue;
		graph_get_expr(old->exprs[i]);
		*end++ = old->exprs[i];
	}
	for (i = 0; added[i]; i++) {
		if (end < rules->exprs + GRAPH_MAX_EXPRS) {
			*end++ = added[i];
			continue;
		}
		text.line = graph_expr_text(added[i]);
		text.whole = text.line;
		graph_refuse_rule(&text, edit->shows ? SHOW_ERR_LINES : RULE_ERR_EXPRS,
				  text.line);
		graph_put_expr(added[i]);
	}
}

/* Add the rules in force before those of @edit. Needs trace_types_lock. */
static void merge_rules(const struct rules_edit *edit)
{
	const struct graph_rules *old = rules_before(edit);
	struct graph_rules *rules = edit->rules;
	DECLARE_BITMAP(unwanted, MAX_ERRNO + 1);
	unsigned int i;

	if (!old)
		return;
	bitmap_copy(unwanted, old->unwanted, MAX_ERRNO + 1);
	for (i = 0; i < GRAPH_NR_ACTIONS; i++) {
		const struct graph_result_rules *more = &old->results[i];
		struct graph_result_rules *r = &rules->results[i];

		bitmap_andnot(unwanted, unwanted, r->wanted, MAX_ERRNO + 1);
		if (!edit->no_errors) {
			bitmap_or(r->wanted, r->wanted, more->wanted, MAX_ERRNO + 1);
			r->all_errors |= more->all_errors;
		}
		r->null |= more->null && !edit->no_null;
		if (!edit->no_slow)
			r->slow = min_not_zero(r->slow, more->slow);
	}
	if (!edit->no_errors)
		bitmap_or(rules->unwanted, rules->unwanted, unwanted, MAX_ERRNO + 1);
	merge_exprs(edit, old);
}

/* Rules in force */

/* Free rules that no call uses, or NULL. Needs trace_types_lock. */
static void free_rules(struct graph_rules *rules)
{
	unsigned int i;

	if (!rules)
		return;
	graph_free_tests(rules);
	for (i = 0; rules->exprs[i]; i++)
		graph_put_expr(rules->exprs[i]);
	kfree(rules);
}

/* Replace the rules in force by @rules, or by none. Needs trace_types_lock. */
static void replace_rules(const struct rules_edit *edit, struct graph_rules *rules)
{
	struct graph_rules *old = rules_in_force(edit);
	struct trace_array *tr = edit->tr;

	rcu_assign_pointer(*(edit->shows ? &tr->graph_keep.shows : &tr->graph_keep.rules),
			   rules);
	if (edit->shows)
		trace_graph_use_scope(tr);
	else if (tr->gops)
		trace_graph_use_callbacks(tr);
	if (old)
		fgraph_synchronize();
	free_rules(old);
}

/*
 * Put the rules of @edit into force, and take them from it. If there is no memory for this,
 * the previous rules stay in force.
 */
static int use_rules(struct rules_edit *edit)
{
	int ret = 0;

	mutex_lock(&trace_types_lock);
	merge_rules(edit);
	if (!sum_rules(edit->rules) && !*edit->rules->exprs) {
		replace_rules(edit, NULL);
	} else {
		ret = graph_make_tests(edit->rules);
		if (!ret) {
			replace_rules(edit, edit->rules);
			edit->rules = NULL;
		}
	}
	mutex_unlock(&trace_types_lock);
	return ret;
}

/* Begin without rules. */
static int alloc_rules(struct rules_edit *edit)
{
	int ret;

	edit->rules = kzalloc(sizeof(*edit->rules), GFP_KERNEL);
	if (!edit->rules)
		return -ENOMEM;
	mutex_lock(&trace_types_lock);
	ret = trace_graph_alloc_keep(edit->tr);
	mutex_unlock(&trace_types_lock);
	return ret;
}

/* Free the rules of @edit that are not in force. */
static void free_edited_rules(struct rules_edit *edit)
{
	unsigned int i;

	mutex_lock(&trace_types_lock);
	free_rules(edit->rules);
	for (i = 0; edit->removed[i]; i++)
		graph_put_expr(edit->removed[i]);
	mutex_unlock(&trace_types_lock);
}

/* Use the rules of a text. Those in force are replaced, or stay with @edit->appends. */
static int change_rules(struct rules_edit *edit, const char *text)
{
	char *lines = kstrdup(text, GFP_KERNEL);
	int ret;

	ret = alloc_rules(edit);
	if (!ret)
		ret = lines ? parse_rules(edit, lines, strlen(lines)) : -ENOMEM;
	kfree(lines);
	if (!ret)
		ret = use_rules(edit);
	free_edited_rules(edit);
	return ret;
}

/**
 * trace_graph_set_rules - replace the rules of an instance
 * @tr:		the instance
 * @text:	the rules, as they are written to the file set_graph_keep
 *
 * Context: may sleep; takes trace_types_lock.
 * Return: 0 on success, -ENOMEM, or -EINVAL after a line in error_log, if a rule is
 * wrong. After an error, the previous rules stay in force.
 */
int trace_graph_set_rules(struct trace_array *tr, const char *text)
{
	struct rules_edit edit = { .tr = tr };

	return change_rules(&edit, text);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(trace_graph_set_rules);

/**
 * trace_graph_add_rules - add to the rules of an instance
 * @tr:		the instance
 * @text:	the rules, as they are appended to the file set_graph_keep
 *
 * Context: may sleep; takes trace_types_lock.
 * Return: as trace_graph_set_rules()
 */
int trace_graph_add_rules(struct trace_array *tr, const char *text)
{
	struct rules_edit edit = { .tr = tr, .appends = true };

	return change_rules(&edit, text);
}

/**
 * trace_graph_free_keep - free the rules of an instance that is removed
 * @tr:		the instance, whose tracer was stopped
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_free_keep(struct trace_array *tr)
{
	free_rules(graph_locked_rules(tr));
	free_rules(graph_locked_shows(tr));
	free_percpu(tr->graph_keep.cpu);
}

/* The file */

static void show_errors(struct seq_file *m, const char *rule, const unsigned long *errors,
			const char *end)
{
	const char *separator = rule, *name;
	unsigned int number;

	for_each_set_bit(number, errors, MAX_ERRNO + 1) {
		name = errname(number);
		seq_puts(m, separator);
		if (name)
			seq_puts(m, name);
		else
			seq_printf(m, "%u", number);
		separator = ",";
	}
	if (separator != rule)
		seq_puts(m, end);
}

/* Show the rules that name no function. "!error:" removes errors of the rules before it. */
static void show_results(struct seq_file *m, const struct graph_rules *rules)
{
	const struct graph_result_rules *r;
	unsigned int i;

	for (i = 0, r = rules->results; i < GRAPH_NR_ACTIONS; i++, r++) {
		if (r->all_errors)
			seq_printf(m, "error%s", graph_action_ends[i]);
		show_errors(m, "error:", r->wanted, graph_action_ends[i]);
	}
	show_errors(m, "!error:", rules->unwanted, graph_action_ends[GRAPH_ONLY_KEEP]);
	for (i = 0, r = rules->results; i < GRAPH_NR_ACTIONS; i++, r++) {
		if (r->null)
			seq_printf(m, "null%s", graph_action_ends[i]);
		if (r->slow)
			graph_show_duration(m, "slow:", r->slow, graph_action_ends[i]);
	}
}

static int graph_keep_show(struct seq_file *m, void *unused)
{
	const struct rules_edit *edit = m->private;
	const struct graph_rules *rules;
	unsigned int i;

	mutex_lock(&trace_types_lock);
	rules = rules_in_force(edit);
	if (rules) {
		show_results(m, rules);
		for (i = 0; rules->exprs[i]; i++)
			graph_show_expr(m, rules->exprs[i]);
	}
	mutex_unlock(&trace_types_lock);
	return 0;
}

static ssize_t graph_keep_write(struct file *file, const char __user *ubuf, size_t cnt,
				loff_t *ppos)
{
	struct rules_edit *edit = ((struct seq_file *)file->private_data)->private;
	const struct rule_text text = {
		.tr = edit->tr, .line = "", .whole = "", .shows = edit->shows,
	};
	bool refused = edit->refused;
	char *lines;
	int ret;

	/* If this write fails, the previous rules stay in force. */
	edit->refused = true;
	if (cnt > GRAPH_RULES_MAX_BYTES) {
		graph_refuse_rule(&text, RULE_ERR_LENGTH, text.line);
		return -E2BIG;
	}
	lines = memdup_user_nul(ubuf, cnt);
	if (IS_ERR(lines))
		return PTR_ERR(lines);

	ret = parse_rules(edit, lines, cnt);
	kfree(lines);
	if (ret)
		return ret;
	edit->refused = refused;
	edit->changed = true;
	*ppos += cnt;
	return cnt;
}

static void free_edit(struct rules_edit *edit)
{
	free_edited_rules(edit);
	trace_array_put(edit->tr);
	kfree(edit);
}

static int open_rules(struct inode *inode, struct file *file, bool shows)
{
	struct trace_array *tr = inode->i_private;
	struct rules_edit *edit;
	int ret;

	ret = tracing_check_open_get_tr(tr);
	if (ret)
		return ret;

	edit = kzalloc(sizeof(*edit), GFP_KERNEL);
	if (!edit) {
		trace_array_put(tr);
		return -ENOMEM;
	}
	edit->tr = tr;
	edit->shows = shows;
	if (file->f_mode & FMODE_WRITE) {
		edit->changed = file->f_flags & O_TRUNC;
		edit->appends = !edit->changed;
		/* Closing a file cannot return an error, so allocate now. */
		ret = alloc_rules(edit);
	}
	if (!ret)
		ret = single_open(file, graph_keep_show, edit);
	if (ret)
		free_edit(edit);
	return ret;
}

static int graph_keep_open(struct inode *inode, struct file *file)
{
	return open_rules(inode, file, false);
}

static int graph_keep_release(struct inode *inode, struct file *file)
{
	struct rules_edit *edit = ((struct seq_file *)file->private_data)->private;

	if (edit->changed && !edit->refused && use_rules(edit))
		pr_warn("%pD: out of memory, so the rules stay as they are\n", file);
	free_edit(edit);
	return single_release(inode, file);
}

static const struct file_operations graph_keep_fops = {
	.open		= graph_keep_open,
	.read		= seq_read,
	.write		= graph_keep_write,
	.llseek		= tracing_lseek,
	.release	= graph_keep_release,
};

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
static int graph_show_open(struct inode *inode, struct file *file)
{
	return open_rules(inode, file, true);
}

static const struct file_operations graph_show_fops = {
	.open		= graph_show_open,
	.read		= seq_read,
	.write		= graph_keep_write,
	.llseek		= tracing_lseek,
	.release	= graph_keep_release,
};
#endif

/**
 * trace_graph_init_keep - create the files set_graph_keep and set_graph_show of an instance
 * @tr:		the instance
 * @d_tracer:	its directory
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_init_keep(struct trace_array *tr, struct dentry *d_tracer)
{
	trace_create_file("set_graph_keep", TRACE_MODE_WRITE, d_tracer, tr,
			  &graph_keep_fops);
#ifdef CONFIG_FUNCTION_GRAPH_NAMES
	trace_create_file("set_graph_show", TRACE_MODE_WRITE, d_tracer, tr,
			  &graph_show_fops);
#endif
}
