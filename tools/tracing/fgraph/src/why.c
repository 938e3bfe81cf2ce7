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
 * The chain is what was recorded. It is not the cause: an inlined function, or one that cannot
 * be traced, is missing in it.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "boot.h"
#include "call.h"
#include "chain.h"
#include "explain.h"
#include "fgraph.h"
#include "finding.h"
#include "instance.h"
#include "line.h"
#include "message.h"
#include "options.h"
#include "quote.h"
#include "rank.h"
#include "root.h"
#include "select.h"
#include "session.h"
#include "setup.h"
#include "source.h"
#include "stream.h"
#include "syscall.h"
#include "text.h"
#include "thread.h"
#include "util.h"
#include "way.h"
#include "way_text.h"
#include "why.h"
#include "work.h"

/*
 * A signal interrupted a system call that returns one of these. The kernel restarts it, or the
 * program gets EINTR.
 */
static const int restarts[] = { -512, -513, -514, -516 };

static unsigned long failures, shown;
static bool all_are_syscalls = true;
static bool one_decides;
static int cmd_status;
static bool cmd_has_status;

static void why_write_rules(void)
{
	check_selection();
	add_tasks_of_the_kernel();
	set_rules("error\n", "error");
}

static bool is_restart(const struct call *root)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(restarts); i++)
		if (root->error == restarts[i])
			return true;
	return false;
}

/* The result of these is a register of the program. */
static bool returns_from_signal(const char *name)
{
	return !strcmp(name, "rt_sigreturn") || !strcmp(name, "sigreturn");
}

/* Remember the last failure of a task that may be the reason of what it does next. */
static void remember_failure(struct task *task, struct finding *finding,
			     const struct call *root, enum rank rank)
{
	if (rank == RANK_USUAL || (task->failure && (int)rank < task->failure_rank))
		return;
	set_failure(task, finding);
	task->failure_rank = rank;
	task->failed = moment_of(root);
}

/* Findings with the same key are equal. With --by-process, it contains the process. */
static char *make_key(const struct task *task, const char *brief, const char *details)
{
	return print_text("%d %s\n%s", options.by_process ? process_of(task->pid) : 0, brief,
			  details);
}

/* A driver is tried again while a device lacks something: all tries are one failure. */
static bool is_deferred(const struct call *root)
{
	return !strcmp(root->error_name, "EPROBE_DEFER");
}

/* Failures are equal if the same functions returned the error. Their texts may differ. */
static char *make_failure_key(const struct task *task, const struct call *root, const char *way)
{
	char *brief = describe_root(root, options.verbose);
	char *chain = is_deferred(root) ? NULL : describe_chain(root, options.verbose);
	char *details = print_text("%s%s", chain ?: "", way), *key;

	key = make_key(task, brief, details);
	free(details);
	free(brief);
	free(chain);
	return key;
}

static struct finding *add_failure(struct task *task, const struct call *root, char *brief,
				   char *details, char *key)
{
	struct moment when = moment_of(root);
	struct where where = where_of(task, &when);

	return add_finding(brief, &where, details, key);
}

/* What is said about a failure after its first line, with a way through its last function */
static char *describe_details(struct task *task, const struct call *root, const char *way)
{
	char *failure, *details;

	if (options.json)
		return describe_failure_in_json(task, root);
	failure = describe_failure(task, root);
	details = print_text("%s%s", failure, way);
	free(failure);
	return details;
}

/* Count a failure among equal ones, or add it. @brief is taken over. */
static struct finding *find_failure(struct task *task, const struct call *root, char *brief,
				    const char *way)
{
	char *key = make_failure_key(task, root, way);
	struct finding *finding = find_finding(key);

	if (finding) {
		finding->count++;
		if (is_deferred(root))
			renew_finding(finding, describe_details(task, root, way));
		free(key);
		free(brief);
		return finding;
	}
	finding = add_failure(task, root, brief, describe_details(task, root, way), key);
	if (finding)
		finding->origin = copy_text(find_end(root)->func);
	return finding;
}

/* The call of the function with probes that returned the error: the last one that failed */
static const struct call *find_probed_call(const struct call *root)
{
	const struct call *call, *found = NULL, *end = find_end(root);

	if (!strcmp(end->func, options.in))
		return end;
	for (call = root; options.is_named && call; call = next_call(root, call))
		if (call->error && !strcmp(call->func, options.in))
			found = call;
	return found;
}

/*
 * The way through the function with probes, in the chain of a call: "" if no function has probes,
 * NULL if the way is not known
 */
static char *find_way_text(struct task *task, const struct call *begin)
{
	const struct call *call;
	struct way *way;

	if (!options.in)
		return copy_text("");
	call = find_probed_call(begin);
	way = call ? find_way(task, call) : NULL;
	return way ? describe_way(way, call) : NULL;
}

static void count_failure(const struct call *root)
{
	failures++;
	if (!syscall_name(root))
		all_are_syscalls = false;
}

static void use_failure(struct task *task, const struct call *root)
{
	char *brief = describe_root(root, true), *texts, *way;
	struct finding *finding;
	enum rank rank;

	count_failure(root);
	way = is_selected(root, root, brief) ? find_way_text(task, root) : NULL;
	if (!way) {
		free(brief);
		return;
	}
	shown++;
	texts = describe_texts(root);
	rank = find_rank(root, brief, texts);
	finding = find_failure(task, root, brief, way);
	free(way);
	if (!finding) {
		free(texts);
		return;
	}
	add_texts(finding, texts);
	remember_failure(task, finding, root, rank);
	if (options.in || options.verbose || options.only || !is_expected(root) ||
	    is_wanted(root) || matches_glob(root) || next_message(task, root, NULL))
		finding->in_full = true;
	show_finding(finding);
}

/*
 * The kernel answers a request to a netlink socket by a message, which contains the error. The
 * system call that sent the request succeeds.
 */
static const struct call *find_failed_request(const struct call *root, const struct call *last)
{
	const struct call *call = last ?: root;

	while ((call = next_call(root, call)))
		if (call->error && call->parent && !strcmp(call->parent->func, "netlink_rcv_skb"))
			return call;
	return NULL;
}

/* A call in a system call that succeeded, in a line that begins with @title */
static char *describe_call(const struct task *task, const char *title, const struct call *root,
			   const struct call *call)
{
	struct text text;
	FILE *out;

	if (options.json)
		return describe_call_in_json(task, title, root, call);
	out = open_text(&text);
	fprintf(out, "  %s", strcmp(title, "handled") ? "" : "handled: ");
	print_chain(out, call, true);
	print_client(out, task);
	return close_text(&text);
}

/* Add a call that failed in a root that did not. @brief is taken over. */
static struct finding *add_call(struct task *task, const struct call *root,
				const struct call *call, const char *title, char *brief)
{
	char *way = find_way_text(task, call), *chain, *details, *key;
	struct finding *finding;

	if (!way) {
		free(brief);
		return NULL;
	}
	chain = describe_call(task, title, root, call);
	details = print_text("%s%s", chain, way);
	free(chain);
	free(way);
	key = make_key(task, brief, details);
	finding = add_failure(task, root, brief, details, key);
	if (!finding)
		return NULL;
	finding->in_full = true;
	if (!finding->origin)
		finding->origin = copy_text(find_end(call)->func);
	return finding;
}

static void use_failed_request(struct task *task, const struct call *root,
			       const struct call *request)
{
	char *syscall = describe_root(root, true), *brief;
	struct finding *finding;

	count_failure(root);
	brief = print_text("%s, the answer is %d (%s)", syscall, request->error,
			   request->error_name);
	free(syscall);
	if (!is_selected(root, request, brief)) {
		free(brief);
		return;
	}
	shown++;
	finding = add_call(task, root, request, "request", brief);
	if (!finding)
		return;
	remember_failure(task, finding, root, RANK_FAILURE);
	show_finding(finding);
}

/* Return true if a request in a system call that succeeded failed. */
static bool use_requests(struct task *task, const struct call *root)
{
	const struct call *request = NULL;
	bool found = false;

	while ((request = find_failed_request(root, request))) {
		use_failed_request(task, root, request);
		found = true;
	}
	return found;
}

/*
 * An error ends in a function that returns nothing, such as that of a work item: no caller gets
 * it. A call whose return is not recorded, because its thread ended, is such a function, too.
 */
static void use_lost_error(struct task *task, const struct call *root, const struct call *call)
{
	char *text = describe_root(root, true), *brief;
	struct finding *finding;

	count_failure(root);
	brief = print_text("%s, %d (%s) ended in %s", text, call->error, call->error_name,
			   call->parent == root ? "it" : call->parent->func);
	free(text);
	if (!is_selected(root, call, brief)) {
		free(brief);
		return;
	}
	shown++;
	finding = add_call(task, root, call, "lost", brief);
	if (!finding)
		return;
	remember_failure(task, finding, root, RANK_FAILURE);
	show_finding(finding);
}

/* No caller gets the error of a call. The thread of an interrupt returns something else. */
static bool is_lost(const struct call *root, const struct call *call)
{
	return call->error && !call->got_error && call != root &&
	       (!call->parent->ret || call->parent == root);
}

/* "1 (IRQ_HANDLED)": handlers of timers and interrupts cannot return an error. */
static bool returns_enumerator(const struct call *call)
{
	const char *name = strchr(call->ret, '(');

	return !call->error && name && isupper((unsigned char)name[1]) &&
	       strspn(call->ret, "0123456789") == (size_t)(name - call->ret - 1);
}

/* Errors end in a root that cannot return them. Another one succeeded in spite of those in it. */
static bool ends_errors(const struct call *root)
{
	return !root->ret || returns_enumerator(root) || is_dispatched(root);
}

static void use_lost_errors(struct task *task, const struct call *root)
{
	const struct call *call;

	if (!ends_errors(root))
		return;
	for (call = root; call; call = next_call(root, call))
		if (is_lost(root, call) && !is_inner_root(call))
			use_lost_error(task, root, call);
}

/* With -r A,B, a call of B in A may fail while A succeeds, or fails with another error. */
static void use_inner_roots(struct task *task, const struct call *root)
{
	const struct call *call = root;

	while ((call = next_call(root, call)))
		if (is_inner_root(call))
			use_failure(task, call);
}

/* Errors that the kernel handled: the system call did not return them. */
static void use_handled(struct task *task, const struct call *root)
{
	const struct call *call;
	struct finding *finding;
	char *brief;

	for (call = root; call; call = next_call(root, call)) {
		if (!call->error || (call->parent && call->parent->error == call->error) ||
		    (ends_errors(root) && is_lost(root, call)))
			continue;
		brief = describe_root(root, true);
		if (!is_selected(root, call, brief)) {
			free(brief);
			continue;
		}
		finding = add_call(task, root, call, "handled", brief);
		if (finding)
			show_finding(finding);
	}
}

/* A root that returned no error may contain some. */
static void use_inner_errors(struct task *task, const struct call *root)
{
	if (options.roots || is_dispatched(root))
		use_lost_errors(task, root);
	else if (use_requests(task, root))
		return;
	if (options.verbose)
		use_handled(task, root);
}

/* A thread ended in a call. */
static void use_open_root(struct task *task)
{
	const struct call *root = task->open;

	while (root && root->parent)
		root = root->parent;
	if (!root || !options.roots || !is_root(root))
		return;
	use_lost_errors(task, root);
	use_inner_roots(task, root);
}

/* The last failure of a task may be the reason of what it does now. */
static void use_last_failure(struct task *task)
{
	struct finding *finding = task->failure;

	set_failure(task, NULL);
	one_decides = true;
	if (finding->decides)
		return;
	finding->decides = true;
	/* Other processes may have gone on after it. */
	finding->where = where_of(task, &task->failed);
	if (finding->in_full && !options.cmd)
		return;
	finding->in_full = true;
	if (!options.cmd && !options.json)
		print_finding(finding);
}

static void use_message(struct task *task)
{
	if (task->failure)
		use_last_failure(task);
}

/* A process ends with a status that is not 0. */
static void use_exit(struct task *task)
{
	if (task->failure && task->failure_rank == RANK_FAILURE)
		use_last_failure(task);
}

static void use_root(struct task *task, const struct call *root)
{
	if (root->error && (!is_restart(root) || options.verbose))
		use_failure(task, root);
	else
		use_inner_errors(task, root);
	use_inner_roots(task, root);
}

static void use_dispatched(struct task *task, const struct call *dispatcher)
{
	const struct call *call;

	for (call = dispatcher->first; call; call = call->next)
		use_root(task, call);
}

/* Use the outermost calls that -r names. */
static void use_named(struct task *task, const struct call *call)
{
	if (is_root(call)) {
		use_root(task, call);
		return;
	}
	for (call = call->first; call; call = call->next)
		use_named(task, call);
}

static void use_tree(struct task *task, const struct call *root)
{
	if (!is_of_command(task, root))
		return;
	if (is_dispatcher(root))
		use_dispatched(task, root);
	else if (options.roots)
		use_named(task, root);
	else if (is_root(root) && !returns_from_signal(root_name(root)))
		use_root(task, root);
	else
		return;
	free_ways(task);
}

static void why_add_line(const struct line *line)
{
	struct task *task = find_task(line);
	struct call *root;

	if (line->kind == LINE_EVENT) {
		if (is_event(line, "sys_exit_group("))
			use_exit(task);
		else if (is_event(line, "sched_process_exit:"))
			use_open_root(task);
		else if (is_event(line, "sys_write"))
			use_message(task);
		else if (is_event(line, "console: "))
			add_message(task, line);
		else if (!use_work_event(task, line))
			add_way_event(task, line);
		return;
	}
	root = add_line(task, line);
	if (!root)
		return;
	use_tree(task, root);
	forget_messages(task, root);
	free_call(root);
}

static void why_cmd_ended(pid_t pid, int status)
{
	struct line line = { .pid = pid, .task = UNKNOWN_TASK };

	cmd_status = status;
	cmd_has_status = true;
	if (status)
		use_exit(find_task(&line));
}

/* Say how the command ended if that is not explained by what follows. */
static void print_status(void)
{
	int sig = WIFSIGNALED(cmd_status) ? WTERMSIG(cmd_status) : 0;

	if (sig)
		fprintf(options.report, "fgraph: signal %d (%s) ended %s\n", sig,
			strsignal(sig), options.cmd[0]);
	if (!cmd_status || one_decides)
		return;
	if (sig)
		fprintf(options.report, "fgraph: no failure was recorded that explains it\n");
	else
		fprintf(options.report, "fgraph: no failure was recorded that explains status %d\n",
			WEXITSTATUS(cmd_status));
}

static void print_summary(void)
{
	const char *what = options.roots || !all_are_syscalls ? "call" : "system call";

	if (!failures)
		fprintf(options.report, "fgraph: no %s failed\n", what);
	else
		fprintf(options.report, "fgraph: %lu %s%s failed", failures, what,
			failures == 1 ? "" : "s");
	if (failures && options.only)
		fprintf(options.report, ", %lu of them selected by --only", shown);
	fputs(failures ? "\n" : "", options.report);
	print_status();
}

static void print_cmd_in_json(void)
{
	char *cmd = copy_text(""), *longer;
	char **arg;

	for (arg = options.cmd; *arg; arg++) {
		longer = print_text("%s%s%s", cmd, *cmd ? " " : "", *arg);
		free(cmd);
		cmd = longer;
	}
	print_json_member(options.report, "command", cmd);
	free(cmd);
	/* A file that was cut off has no status. */
	if (!cmd_has_status)
		return;
	if (WIFSIGNALED(cmd_status))
		fprintf(options.report, ",\"signal\":%d", WTERMSIG(cmd_status));
	else
		fprintf(options.report, ",\"status\":%d", WEXITSTATUS(cmd_status));
}

static void report_in_json(void)
{
	begin_json();
	print_all_findings(NULL);
	fprintf(options.report, "\n],\"failed\":%lu,\"left_out\":%lu,\"lost_events\":%lu",
		failures, count_left_out(), lost_events());
	if (options.cmd)
		print_cmd_in_json();
	fputs("}\n", options.report);
}

static void why_report(void)
{
	const char *title = options.roots ?
		"Such a failure often means that there is no device:" :
		"Programs often go on after such a failure:";

	if (options.json) {
		report_in_json();
		return;
	}
	print_summary();
	if (!options.cmd)
		print_repeated_findings();
	else
		print_all_findings(title);
}

const struct question why_question = {
	.needs_times	= true,
	.needs_callers	= has_source_lines,
	.write_rules	= why_write_rules,
	.add_line	= why_add_line,
	.cmd_ended	= why_cmd_ended,
	.report		= why_report,
};

static int run_why(void)
{
	return run_trace(&why_question);
}

static void check_why(void)
{
	if (!options.boot) {
		check_targets();
		return;
	}
	if (options.cmd || options.all || options.pids)
		die("--boot needs no command, -p or -a: the boot is over");
	options.roots = options.roots ?: BOOT_ROOTS;
}

static const struct option_row boot_option = {
	0, "boot", NULL, "explain what failed at boot, when the kernel traced that",
	.flag = &options.boot,
};

static const struct option_row verbose_option = {
	'v', "verbose", NULL, "show interrupted system calls, handled errors and each value",
	.flag = &options.verbose,
};

static const struct option_row process_option = {
	0, "by-process", NULL, "show the failures of each process together",
	.flag = &options.by_process,
};

static const struct option_row json_option = {
	0, "json", NULL, "print the report in JSON", .flag = &options.json,
};

static const struct option_row lines_option = {
	0, "lines", "DIR", "use the tables of source lines in DIR, with -i of another machine",
	.text = &options.lines_dir,
};

static const struct option_row *const why_options[] = {
	&roots_option, &show_option, &errors_option, &functions_option, &only_option,
	&user_option, &pid_option, &all_option, &boot_option,
	&input_option, &follow_option, &duration_option, &output_option, &buffer_option,
	&lines_option, &verbose_option, &timestamps_option, &process_option, &json_option,
	&color_option, NULL
};

const struct command why_command = {
	.name		= "why",
	.options	= why_options,
	.operands	= " CMD [ARG...]",
	.check		= check_why,
	.run		= run_why,
};
