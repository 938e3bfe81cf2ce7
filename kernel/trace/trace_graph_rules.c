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

#include "fgraph_sig.h"
#include "trace.h"
#include "trace_graph.h"
#include "trace_graph_keep.h"

/* Useful lists of rules are shorter. */
#define GRAPH_RULES_MAX_BYTES	PAGE_SIZE

enum rule_error {
	RULE_ERR_UNKNOWN,
	RULE_ERR_NO_ERROR_NAME,
	RULE_ERR_ERROR_NAME,
	RULE_ERR_NO_ERRORS,
	RULE_ERR_NO_SIGNATURES,
	RULE_ERR_EXPRS,
	RULE_ERR_NUL,
	RULE_ERR_LENGTH,
	RULE_ERR_COMMA,
	RULE_ERR_NO_RULE,
};

static const char *rule_errors[] = {
	[RULE_ERR_UNKNOWN]	 =
		"Unknown rule; use error, error:, !error:, null, slow: or FUNCTION: EXPRESSION",
	[RULE_ERR_NO_ERROR_NAME] = "Name of an error expected, such as EINVAL",
	[RULE_ERR_ERROR_NAME]	 = "No error has this name or number",
	[RULE_ERR_NO_ERRORS]	 = "This rule needs a rule 'error' before it",
	[RULE_ERR_NO_SIGNATURES] = "This rule needs signatures, and none are loaded",
	[RULE_ERR_EXPRS]	 = "There are at most 16 rules on values",
	[RULE_ERR_NUL]		 = "A rule must not contain a zero byte",
	[RULE_ERR_NO_RULE]	 = "There is no such rule to remove",
	[RULE_ERR_COMMA]	 = "Comma expected between two errors",
	[RULE_ERR_LENGTH]	 = "One write has at most 4096 bytes",
};

/**
 * struct rules_edit - an open file
 * @tr:		the instance
 * @new:	the rules that were written, or NULL
 * @changed:	@new changes the rules in force
 * @refused:	a rule was refused, so @new will not be used
 */
struct rules_edit {
	struct trace_array	*tr;
	struct graph_rules	*new;
	bool			changed;
	bool			refused;
};

/* Parser */

static int refuse_rule(const struct rule_text *text, enum rule_error error, const char *at)
{
	tracing_log_err(text->tr, "set_graph_keep", text->whole, rule_errors, error,
			at - text->line);
	return -EINVAL;
}

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
			return refuse_rule(text, RULE_ERR_NO_ERROR_NAME, list);
		number = graph_find_error(list, len);
		if (!number)
			return refuse_rule(text, RULE_ERR_ERROR_NAME, list);
		__set_bit(number, errors);
		list = skip_spaces(list + len);
		if (!*list)
			return 0;
		if (*list != ',')
			return refuse_rule(text, RULE_ERR_COMMA, list);
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

/* Return the rules in force that @rules are added to, or NULL. Needs trace_types_lock. */
static const struct graph_rules *rules_before(const struct trace_array *tr,
					      const struct graph_rules *rules)
{
	if (!rules->appends)
		return NULL;
	return rcu_dereference_protected(tr->graph_keep.rules,
					 lockdep_is_held(&trace_types_lock));
}

static int parse_unwanted(const struct rule_text *text, const char *list,
			  struct graph_rules *rules)
{
	const struct graph_rules *before;
	bool wanted = wants_errors(rules);

	mutex_lock(&trace_types_lock);
	before = rules_before(text->tr, rules);
	if (before)
		wanted |= wants_errors(before);
	mutex_unlock(&trace_types_lock);
	if (!wanted)
		return refuse_rule(text, RULE_ERR_NO_ERRORS, text->line);
	return parse_errors(text, list, rules->unwanted);
}

static int parse_null(const struct rule_text *text, struct graph_rules *rules)
{
	if (!fgraph_have_signatures())
		return refuse_rule(text, RULE_ERR_NO_SIGNATURES, text->line);
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
static bool remove_errors(struct graph_rules *rules, const struct graph_rules *before)
{
	bool there = wants_errors(rules) || (before && wants_errors(before));
	struct graph_result_rules *r;

	for (r = rules->results; r < rules->results + GRAPH_NR_ACTIONS; r++) {
		r->all_errors = false;
		bitmap_zero(r->wanted, MAX_ERRNO + 1);
	}
	bitmap_zero(rules->unwanted, MAX_ERRNO + 1);
	rules->no_errors = true;
	return there;
}

static bool remove_null(struct graph_rules *rules, const struct graph_rules *before)
{
	bool there = before && before->null;
	struct graph_result_rules *r;

	for (r = rules->results; r < rules->results + GRAPH_NR_ACTIONS; r++) {
		there |= r->null;
		r->null = false;
	}
	rules->no_null = true;
	return there;
}

static bool remove_slow(struct graph_rules *rules, const struct graph_rules *before)
{
	bool there = before && before->slow;
	struct graph_result_rules *r;

	for (r = rules->results; r < rules->results + GRAPH_NR_ACTIONS; r++) {
		there |= !!r->slow;
		r->slow = 0;
	}
	rules->no_slow = true;
	return there;
}

static bool is_removed(const struct graph_rules *rules, const struct graph_expr *expr)
{
	unsigned int i;

	for (i = 0; rules->removed[i]; i++)
		if (rules->removed[i] == expr)
			return true;
	return false;
}

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* Remove a rule on values, which is found by its text. */
static bool remove_expr(struct graph_rules *rules, const struct graph_rules *before,
			const char *line)
{
	unsigned int i, nr = 0;

	for (i = 0; rules->exprs[i]; i++) {
		if (strcmp(graph_expr_text(rules->exprs[i]), line))
			continue;
		graph_put_expr(rules->exprs[i]);
		memmove(&rules->exprs[i], &rules->exprs[i + 1],
			(GRAPH_MAX_EXPRS - i) * sizeof(*rules->exprs));
		return true;
	}
	while (rules->removed[nr])
		nr++;
	for (i = 0; before && before->exprs[i] && nr < GRAPH_MAX_EXPRS; i++) {
		if (strcmp(graph_expr_text(before->exprs[i]), line) ||
		    is_removed(rules, before->exprs[i]))
			continue;
		rules->removed[nr] = before->exprs[i];
		graph_get_expr(rules->removed[nr]);
		return true;
	}
	return false;
}

static unsigned int count_exprs(struct graph_expr *const *exprs)
{
	unsigned int nr = 0;

	while (exprs[nr])
		nr++;
	return nr;
}

static int parse_expr(const struct rule_text *text, struct graph_rules *rules)
{
	const struct graph_rules *before;
	unsigned int nr;

	mutex_lock(&trace_types_lock);
	nr = count_exprs(rules->exprs);
	before = rules_before(text->tr, rules);
	if (before)
		nr += count_exprs(before->exprs) - count_exprs(rules->removed);
	mutex_unlock(&trace_types_lock);
	if (nr >= GRAPH_MAX_EXPRS)
		return refuse_rule(text, RULE_ERR_EXPRS, text->line);
	return graph_add_expr(text, rules);
}
#else
static int parse_expr(const struct rule_text *text, struct graph_rules *rules)
{
	return refuse_rule(text, RULE_ERR_NO_SIGNATURES, text->line);
}

static bool remove_expr(struct graph_rules *rules, const struct graph_rules *before,
			const char *line)
{
	return false;
}
#endif

/* Parse "!RULE", except "!error:". */
static int parse_removal(const struct rule_text *text, struct graph_rules *rules)
{
	const char *rule = skip_spaces(text->line + 1);
	const struct graph_rules *before;
	bool there;

	mutex_lock(&trace_types_lock);
	before = rules_before(text->tr, rules);
	if (!strcmp(rule, "error"))
		there = remove_errors(rules, before);
	else if (!strcmp(rule, "null"))
		there = remove_null(rules, before);
	else if (!strcmp(rule, "slow"))
		there = remove_slow(rules, before);
	else
		there = remove_expr(rules, before, rule);
	mutex_unlock(&trace_types_lock);
	return there ? 0 : refuse_rule(text, RULE_ERR_NO_RULE, text->line);
}

/* Add the rule of a line, which is modified, to @rules. */
static int parse_rule(struct rule_text *text, char *line, struct graph_rules *rules)
{
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
		return parse_unwanted(text, line + len, rules);
	len = str_has_prefix(line, "slow:");
	if (len)
		return parse_slow(text, line + len, rules);
	if (!strcmp(line, "null"))
		return parse_null(text, rules);
	if (!strcmp(line, "error"))
		return parse_all_errors(text, rules);
	if (*line == '!')
		return parse_removal(text, rules);
	if (strchr(line, ':'))
		return parse_expr(text, rules);
	return refuse_rule(text, RULE_ERR_UNKNOWN, line);
}

static int parse_line(struct trace_array *tr, char *line, struct graph_rules *rules)
{
	struct rule_text text = { .tr = tr, .line = line };
	char *whole;
	int ret;

	if (!*line || *line == '#')
		return 0;
	whole = kstrdup(line, GFP_KERNEL);
	if (!whole)
		return -ENOMEM;
	text.whole = whole;
	ret = parse_rule(&text, line, rules);
	kfree(whole);
	return ret;
}

/* Parse @len bytes that a zero byte follows. */
static int parse_rules(struct trace_array *tr, char *lines, size_t len,
		       struct graph_rules *rules)
{
	struct rule_text text = { .tr = tr };
	char *line, *end;
	int ret;

	if (strlen(lines) != len) {
		end = lines + strlen(lines);
		line = strrchr(lines, '\n');
		text.line = line ? line + 1 : lines;
		text.whole = text.line;
		return refuse_rule(&text, RULE_ERR_NUL, end);
	}

	while ((line = strsep(&lines, "\n"))) {
		ret = parse_line(tr, strim(line), rules);
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
	for (i = 0; rules->exprs[i]; i++)
		actions |= graph_expr_actions(rules->exprs[i]);

	bitmap_andnot(rules->errors, rules->errors, rules->unwanted, MAX_ERRNO + 1);
	/* Bit 0 is for results that are not errors. */
	__clear_bit(0, rules->errors);
	rules->any_result = rules->null || rules->slow;
	rules->acts = actions & ~BIT(GRAPH_ONLY_KEEP);
	return actions;
}

/*
 * Add the expressions of @old in front of those of @rules. Expressions without room,
 * because another writer was faster, are logged. Needs trace_types_lock.
 */
static void merge_exprs(struct trace_array *tr, struct graph_rules *rules,
			const struct graph_rules *old)
{
	struct graph_expr *added[GRAPH_MAX_EXPRS + 1];
	struct graph_expr **end = rules->exprs;
	struct rule_text text = { .tr = tr };
	unsigned int i;

	memcpy(added, rules->exprs, sizeof(added));
	memset(rules->exprs, 0, sizeof(added));
	for (i = 0; old->exprs[i]; i++)
		if (!is_removed(rules, old->exprs[i]))
			*end++ = old->exprs[i];
	graph_get_exprs(rules);
	for (i = 0; added[i]; i++) {
		if (end < rules->exprs + GRAPH_MAX_EXPRS) {
			*end++ = added[i];
			continue;
		}
		text.line = graph_expr_text(added[i]);
		text.whole = text.line;
		refuse_rule(&text, RULE_ERR_EXPRS, text.line);
		graph_put_expr(added[i]);
	}
	for (i = 0; rules->removed[i]; i++) {
		graph_put_expr(rules->removed[i]);
		rules->removed[i] = NULL;
	}
}

/* Add the rules in force before @rules. Needs trace_types_lock. */
static void merge_rules(struct trace_array *tr, struct graph_rules *rules)
{
	const struct graph_rules *old = rules_before(tr, rules);
	DECLARE_BITMAP(unwanted, MAX_ERRNO + 1);
	unsigned int i;

	if (!old)
		return;
	bitmap_copy(unwanted, old->unwanted, MAX_ERRNO + 1);
	for (i = 0; i < GRAPH_NR_ACTIONS; i++) {
		const struct graph_result_rules *more = &old->results[i];
		struct graph_result_rules *r = &rules->results[i];

		bitmap_andnot(unwanted, unwanted, r->wanted, MAX_ERRNO + 1);
		if (!rules->no_errors) {
			bitmap_or(r->wanted, r->wanted, more->wanted, MAX_ERRNO + 1);
			r->all_errors |= more->all_errors;
		}
		r->null |= more->null && !rules->no_null;
		if (!rules->no_slow)
			r->slow = min_not_zero(r->slow, more->slow);
	}
	if (!rules->no_errors)
		bitmap_or(rules->unwanted, rules->unwanted, unwanted, MAX_ERRNO + 1);
	merge_exprs(tr, rules, old);
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
	rules = rcu_dereference_protected(edit->tr->graph_keep.rules,
					  lockdep_is_held(&trace_types_lock));
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
	const struct rule_text text = { .tr = edit->tr, .line = "", .whole = "" };
	bool refused = edit->refused;
	char *lines;
	int ret;

	/* If this write fails, the previous rules stay in force. */
	edit->refused = true;
	if (cnt > GRAPH_RULES_MAX_BYTES) {
		refuse_rule(&text, RULE_ERR_LENGTH, text.line);
		return -E2BIG;
	}
	lines = memdup_user_nul(ubuf, cnt);
	if (IS_ERR(lines))
		return PTR_ERR(lines);

	ret = parse_rules(edit->tr, lines, cnt, edit->new);
	kfree(lines);
	if (ret)
		return ret;
	edit->refused = refused;
	edit->changed = true;
	*ppos += cnt;
	return cnt;
}

/* Begin without rules. Closing a file cannot return an error, so allocate now. */
static int begin_rules(struct rules_edit *edit, const struct file *file)
{
	int ret;

	edit->new = kzalloc(sizeof(*edit->new), GFP_KERNEL);
	if (!edit->new)
		return -ENOMEM;
	edit->changed = file->f_flags & O_TRUNC;
	edit->new->appends = !edit->changed;
	mutex_lock(&trace_types_lock);
	ret = trace_graph_alloc_keep(edit->tr);
	mutex_unlock(&trace_types_lock);
	return ret;
}

static void free_new_rules(struct graph_rules *rules)
{
	mutex_lock(&trace_types_lock);
	graph_free_rules(rules);
	mutex_unlock(&trace_types_lock);
}

static void free_edit(struct rules_edit *edit)
{
	free_new_rules(edit->new);
	trace_array_put(edit->tr);
	kfree(edit);
}

static int graph_keep_open(struct inode *inode, struct file *file)
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
	if (file->f_mode & FMODE_WRITE)
		ret = begin_rules(edit, file);
	if (!ret)
		ret = single_open(file, graph_keep_show, edit);
	if (ret)
		free_edit(edit);
	return ret;
}

/* Put @rules into force, and take ownership of them. */
static void use_new_rules(struct trace_array *tr, struct graph_rules *rules)
{
	mutex_lock(&trace_types_lock);
	merge_rules(tr, rules);
	if (!sum_rules(rules)) {
		graph_free_rules(rules);
		rules = NULL;
	}
	trace_graph_use_rules(tr, rules);
	mutex_unlock(&trace_types_lock);
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
	struct graph_rules *rules = kzalloc(sizeof(*rules), GFP_KERNEL);
	char *lines = kstrdup(text, GFP_KERNEL);
	int ret = -ENOMEM;

	if (rules && lines)
		ret = parse_rules(tr, lines, strlen(lines), rules);
	kfree(lines);
	if (!ret) {
		mutex_lock(&trace_types_lock);
		ret = trace_graph_alloc_keep(tr);
		mutex_unlock(&trace_types_lock);
	}
	if (ret)
		free_new_rules(rules);
	else
		use_new_rules(tr, rules);
	return ret;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(trace_graph_set_rules);

static int graph_keep_release(struct inode *inode, struct file *file)
{
	struct rules_edit *edit = ((struct seq_file *)file->private_data)->private;

	if (edit->changed && !edit->refused) {
		use_new_rules(edit->tr, edit->new);
		edit->new = NULL;
	}
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

/**
 * trace_graph_init_keep - create the file set_graph_keep of an instance
 * @tr:		the instance
 * @d_tracer:	its directory
 *
 * Context: may sleep; with trace_types_lock held.
 */
void trace_graph_init_keep(struct trace_array *tr, struct dentry *d_tracer)
{
	trace_create_file("set_graph_keep", TRACE_MODE_WRITE, d_tracer, tr,
			  &graph_keep_fops);
}
