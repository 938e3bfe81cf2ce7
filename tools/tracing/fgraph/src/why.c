// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph why: which system calls failed, and which functions returned the error.
 *
 *	mount(...) = -22 (EINVAL)		the system call
 *	  path_mount > vfs_parse_fs_param	the chain: each returned the error to the
 *						one before it, see chain.h
 *	  before that: vfs_parse_fs_param_source(...) = -519 (ENOPARAM)
 *						another error in the last function of the chain
 *
 * The chain is what was recorded. It is no cause: an inlined function, or one that cannot
 * be traced, is missing in it.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "call.h"
#include "chain.h"
#include "fgraph.h"
#include "finding.h"
#include "instance.h"
#include "line.h"
#include "syscall.h"
#include "text.h"

/*
 * A signal interrupted a system call that returns one of these. The kernel restarts it, or the
 * program gets EINTR.
 */
static const int restarts[] = { -512, -513, -514, -516 };

/*
 * A program often tries what fails with one of these, and goes on: it looks for a file in
 * several places, for a terminal, for children, or for a feature of the kernel.
 */
static const char *const expected[] = {
	"ENOENT", "ENOSYS", "ENOTTY", "EAGAIN", "ECHILD", NULL
};

static unsigned long failures;

/* The kernel knows the names of errors: it refuses others. */
static void check_errors(void)
{
	char *rule = print_text("error:%s\n", options.errors);
	char *what = print_text("-e %s", options.errors);

	set_rules(rule, what);
	free(rule);
	free(what);
}

static void why_write_rules(void)
{
	if (options.errors)
		check_errors();
	set_rules("error\n", "error");
}

static bool is_wanted(const struct call *call)
{
	char *copy, *item, *rest;
	bool found = false;

	if (!options.errors)
		return false;
	copy = copy_text(options.errors);
	for (item = strtok_r(copy, ",", &rest); item && !found;
	     item = strtok_r(NULL, ",", &rest))
		found = !strcmp(item, call->error_name) || atoi(item) == -call->error;
	free(copy);
	return found;
}

static bool is_restart(const struct call *root)
{
	size_t i;

	for (i = 0; i < sizeof(restarts) / sizeof(*restarts); i++)
		if (root->error == restarts[i])
			return true;
	return false;
}

/* The result of these is a register of the program. */
static bool returns_from_signal(const char *name)
{
	return !strcmp(name, "rt_sigreturn") || !strcmp(name, "sigreturn");
}

/* Print a call, and those in it that returned the same error. */
static const struct call *print_chain(FILE *out, const struct call *call, bool args)
{
	const struct call *inner;
	char *seen = NULL;

	for (; (inner = find_origin(call, call->error)); call = inner) {
		fputs(call->func, out);
		if (args && options.verbose)
			print_args(out, call->args);
		else if (args)
			print_new_texts(out, call->args, &seen);
		fputs(" → ", out);
	}
	fputs(bold(), out);
	fputs(call->func, out);
	fputs(plain(), out);
	if (args)
		print_args(out, call->args);
	print_result(out, call);
	if (call->missed)
		fputs(" (calls in it were missed)", out);
	fputc('\n', out);
	free(seen);
	return call;
}

/*
 * Print the calls that returned the same error before one of the chain, to the same function:
 * any of them may be where the error came from.
 */
static void print_others(FILE *out, const struct call *root, const struct call *last, bool args)
{
	const struct call *call, *other;

	for (call = last; call != root; call = call->parent)
		for (other = call->parent->first; other != call; other = other->next)
			if (other->error == last->error && !got_error(other)) {
				fputs("  or: ", out);
				print_chain(out, other, args);
			}
}

/* Print the calls of which each may have succeeded in place of @call. */
static void print_candidates(FILE *out, const struct call *call)
{
	const struct call *candidate = next_candidate(call, NULL), *end, *inner;
	const char *separator = "  it tried: ";

	if (!candidate)
		return;
	for (; candidate; candidate = next_candidate(call, candidate)) {
		for (end = candidate; (inner = find_origin(end, end->error)); end = inner)
			;
		fprintf(out, "%s%s", separator, end->func);
		separator = ", ";
	}
	fputc('\n', out);
}

/* Lines about the functions that returned the error of a system call, or NULL */
static char *describe_chain(const struct call *root, bool args)
{
	const struct call *call = find_origin(root, root->error), *before;
	struct text text;
	FILE *out;

	if (!call && !root->first && !root->missed)
		return NULL;
	out = open_text(&text);
	if (call) {
		fputs("  ", out);
		call = print_chain(out, call, args);
		print_others(out, root, call, args);
		print_candidates(out, call);
	} else {
		call = root;
		fputs(root->missed ? "  calls in it were missed\n" : "", out);
	}
	before = find_before(call);
	if (before) {
		fputs("  before that: ", out);
		print_chain(out, before, args);
	}
	return close_text(&text);
}

/*
 * The functions of the chain that got texts, with the texts. In which of them a text of the
 * program could be read depends on the state of its page.
 */
static char *describe_texts(const struct call *root)
{
	const struct call *call = find_origin(root, root->error);
	const char *separator = "";
	struct text text, part;
	char *seen = NULL, *args;
	FILE *out = open_text(&text);

	for (; call; call = find_origin(call, call->error)) {
		print_new_texts(open_text(&part), call->args, &seen);
		args = close_text(&part);
		if (*args) {
			fprintf(out, "%s%s%s", separator, call->func, args);
			separator = " → ";
		}
		free(args);
	}
	free(seen);
	return close_text(&text);
}

/* The name of a function is before its module. */
static bool is_of_function(const struct call *call)
{
	char *name = print_text("%.*s", (int)strcspn(call->func, " "), call->func);
	bool matches = !fnmatch(options.glob, name, 0);

	free(name);
	return matches;
}

static bool matches_glob(const struct call *root)
{
	const struct call *call;

	if (!options.glob)
		return false;
	if (!fnmatch(options.glob, syscall_name(root), 0))
		return true;
	for (call = root; call; call = next_call(root, call))
		if (call->error == root->error && is_of_function(call))
			return true;
	return false;
}

/* Failures are equal if the same functions returned the error. Their texts may differ. */
static void use_failure(struct task *task, const struct call *root)
{
	struct finding *finding;

	failures++;
	finding = add_finding(describe_syscall(root), describe_where(task, root),
			      describe_chain(root, true),
			      describe_chain(root, options.verbose));
	add_texts(finding, describe_texts(root));
	task->failure = finding;
	free(task->failure_where);
	task->failure_where = describe_where(task, root);
	if (options.verbose || !is_in_list(expected, root->error_name) || is_wanted(root) ||
	    matches_glob(root))
		finding->in_full = true;
	show_finding(finding);
}

/* Errors that the kernel handled: the system call did not return them. */
static void use_handled(struct task *task, const struct call *root)
{
	const struct call *call;
	struct finding *finding;
	struct text text;
	char *details;
	FILE *out;

	for (call = root; call; call = next_call(root, call)) {
		if (!call->error || (call->parent && call->parent->error == call->error))
			continue;
		out = open_text(&text);
		fputs("  handled: ", out);
		print_chain(out, call, true);
		details = close_text(&text);
		finding = add_finding(describe_syscall(root), describe_where(task, root),
				      details, copy_text(details));
		finding->in_full = true;
		show_finding(finding);
	}
}

/* A process ends with a status that is not 0: its last failure may be the reason. */
static void use_exit(struct task *task)
{
	struct finding *finding = task->failure;

	if (!finding || finding->in_full)
		return;
	finding->in_full = true;
	/* Other processes may have gone on after it. */
	free(finding->where);
	finding->where = copy_text(task->failure_where);
	if (!options.cmd)
		print_finding(finding);
}

static void why_add_line(const struct line *line)
{
	struct task *task = find_task(line);
	struct call *root;

	if (line->kind == LINE_EVENT) {
		if (is_event(line, "sys_exit_group("))
			use_exit(task);
		return;
	}
	root = add_line(task, line);
	if (!root)
		return;
	if (syscall_name(root) && !returns_from_signal(syscall_name(root))) {
		if (root->error && (!is_restart(root) || options.verbose))
			use_failure(task, root);
		else if (options.verbose)
			use_handled(task, root);
	}
	free_call(root);
}

static void why_cmd_ended(pid_t pid, int status)
{
	struct line line = { .pid = pid, .task = "" };

	if (status)
		use_exit(find_task(&line));
}

static void why_report(void)
{
	if (failures)
		fprintf(options.report, "fgraph: %lu system call%s failed\n", failures,
			failures == 1 ? "" : "s");
	else
		fprintf(options.report, "fgraph: no system call failed\n");
	if (!options.cmd)
		print_repeated_findings();
	else
		print_all_findings("Programs often go on after such a failure:");
}

const struct command why_command = {
	.name		= "why",
	.options	= "+e:f:u:p:ad:o:b:vh",
	.run		= run_trace,
	.write_rules	= why_write_rules,
	.add_line	= why_add_line,
	.cmd_ended	= why_cmd_ended,
	.report		= why_report,
};
