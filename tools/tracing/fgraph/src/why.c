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
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "call.h"
#include "chain.h"
#include "fgraph.h"
#include "finding.h"
#include "instance.h"
#include "line.h"
#include "message.h"
#include "syscall.h"
#include "text.h"
#include "tracefs.h"

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

/**
 * enum rank - how likely it is that a failure decides what the program does next
 * @RANK_USUAL:	not at all: each program does this, and goes on
 * @RANK_QUESTION: hardly: the program asks what something is, or whether it is there yet
 * @RANK_FAILURE: it may
 */
enum rank { RANK_USUAL, RANK_QUESTION, RANK_FAILURE };

/* The C library tries what an old kernel lacks. A shell waits until no child is left. */
static const struct {
	const char	*syscall;
	const char	*error;
	enum rank	rank;
} ranks[] = {
	{ "arch_prctl", "EINVAL", RANK_USUAL }, { "getrandom", "EAGAIN", RANK_USUAL },
	{ "rseq", "ENOSYS", RANK_USUAL }, { "wait4", "ECHILD", RANK_USUAL },
	{ "waitid", "ECHILD", RANK_USUAL }, { "waitpid", "ECHILD", RANK_USUAL },
	{ "lseek", "ESPIPE", RANK_QUESTION }, { "_llseek", "ESPIPE", RANK_QUESTION },
	{ "readlink", "EINVAL", RANK_QUESTION }, { "readlinkat", "EINVAL", RANK_QUESTION },
	{ "read", "EAGAIN", RANK_QUESTION }, { "readv", "EAGAIN", RANK_QUESTION },
	{ "write", "EAGAIN", RANK_QUESTION }, { "writev", "EAGAIN", RANK_QUESTION },
	{ "recvfrom", "EAGAIN", RANK_QUESTION }, { "recvmsg", "EAGAIN", RANK_QUESTION },
	{ "sendto", "EAGAIN", RANK_QUESTION }, { "sendmsg", "EAGAIN", RANK_QUESTION },
	{ "accept", "EAGAIN", RANK_QUESTION }, { "accept4", "EAGAIN", RANK_QUESTION },
	{ "futex", "EAGAIN", RANK_QUESTION }, { NULL, "ENOSYS", RANK_QUESTION },
	{ NULL, "ENOTTY", RANK_QUESTION },
};

/*
 * Each program looks for libraries to load first, for translated messages, and for the size of
 * the terminal: TIOCGWINSZ.
 */
static const struct {
	const char	*text;
	const char	*error;
} usual_texts[] = {
	{ "/etc/ld.so.preload", "ENOENT" }, { "/locale/", "ENOENT" }, { "cmd=0x5413,", "ENOTTY" },
};

static unsigned long failures;
static bool one_decides;
static int cmd_status;

/* The kernel knows the names of errors: it refuses others. */
static void check_errors(void)
{
	char *rule = print_text("error:%s\n", options.errors);
	char *what = print_text("-e %s", options.errors);

	set_rules(rule, what);
	free(rule);
	free(what);
}

/* A module may follow the name of a function, and another line. */
static bool glob_matches(const char *text)
{
	char *name = print_text("%.*s", (int)strcspn(text, "\n "), text);
	bool matches = !fnmatch(options.glob, name, 0);

	free(name);
	return matches;
}

static bool glob_matches_function(void)
{
	char *functions = read_file(tracefs_dir(), "available_filter_functions"), *at;
	bool matches = !functions;

	for (at = functions; at && *at && !matches; at += *at == '\n') {
		matches = glob_matches(at);
		at += strcspn(at, "\n");
	}
	free(functions);
	return matches;
}

static bool glob_matches_syscall(void)
{
	static const char prefix[] = "sys_enter_";
	int fd = openat(tracefs_dir(), "events/syscalls", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	bool matches = !dir;

	while (!matches && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			matches = !fnmatch(options.glob, entry->d_name + strlen(prefix), 0);
	if (dir)
		closedir(dir);
	return matches;
}

static void check_glob(void)
{
	if (options.glob && !glob_matches_function() && !glob_matches_syscall())
		die("-f %s: no function and no system call has this name", options.glob);
}

static void why_write_rules(void)
{
	check_glob();
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
			if (other->error == last->error && !other->got_error) {
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

static bool matches_glob(const struct call *root)
{
	const struct call *call;

	if (!options.glob)
		return false;
	if (!fnmatch(options.glob, syscall_name(root), 0))
		return true;
	for (call = root; call; call = next_call(root, call))
		if (call->error == root->error && glob_matches(call->func))
			return true;
	return false;
}

static enum rank find_rank(const struct call *root, const char *brief, const char *texts)
{
	size_t i;

	for (i = 0; i < sizeof(usual_texts) / sizeof(*usual_texts); i++)
		if (!strcmp(root->error_name, usual_texts[i].error) &&
		    (strstr(brief, usual_texts[i].text) || strstr(texts, usual_texts[i].text)))
			return RANK_USUAL;
	for (i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
		if (!strcmp(root->error_name, ranks[i].error) &&
		    (!ranks[i].syscall || !strcmp(syscall_name(root), ranks[i].syscall)))
			return ranks[i].rank;
	return RANK_FAILURE;
}

/* Remember the last failure of a task that may be the reason of what it does next. */
static void remember_failure(struct task *task, struct finding *finding,
			     const struct call *root, enum rank rank)
{
	if (rank == RANK_USUAL || (task->failure && (int)rank < task->failure_rank))
		return;
	set_failure(task, finding);
	task->failure_rank = rank;
	task->failure_ns = root->ns;
}

/* The chain of a failure, and what the kernel logged */
static char *describe_details(struct task *task, const struct call *root)
{
	char *chain = describe_chain(root, true), *messages = describe_messages(task, root);
	char *details = print_text("%s%s", chain ?: "", messages);

	free(chain);
	free(messages);
	return details;
}

/* Failures are equal if the same functions returned the error. Their texts may differ. */
static char *make_key(const struct call *root)
{
	char *brief = describe_syscall(root, options.verbose);
	char *chain = describe_chain(root, options.verbose);
	char *key = print_text("%s\n%s", brief, chain ?: "");

	free(brief);
	free(chain);
	return key;
}

static void use_failure(struct task *task, const struct call *root)
{
	char *brief = describe_syscall(root, true), *texts = describe_texts(root);
	enum rank rank = find_rank(root, brief, texts);
	char *key = make_key(root);
	struct finding *finding = find_finding(key);

	failures++;
	if (finding) {
		finding->count++;
		free(key);
		free(brief);
	} else {
		finding = add_finding(brief, describe_where(task, root->ns),
				      describe_details(task, root), key);
	}
	if (!finding) {
		free(texts);
		return;
	}
	add_texts(finding, texts);
	remember_failure(task, finding, root, rank);
	if (options.verbose || !is_in_list(expected, root->error_name) || is_wanted(root) ||
	    matches_glob(root))
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

static void use_failed_request(struct task *task, const struct call *root,
			       const struct call *request)
{
	char *syscall = describe_syscall(root, true), *brief, *details;
	struct finding *finding;
	struct text text;
	FILE *out;

	failures++;
	brief = print_text("%s, the answer is %d (%s)", syscall, request->error,
			   request->error_name);
	free(syscall);
	out = open_text(&text);
	fputs("  ", out);
	print_chain(out, request, true);
	details = close_text(&text);
	finding = add_finding(brief, describe_where(task, root->ns), details,
			      print_text("%s\n%s", brief, details));
	if (!finding)
		return;
	remember_failure(task, finding, root, RANK_FAILURE);
	finding->in_full = true;
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

/* Errors that the kernel handled: the system call did not return them. */
static void use_handled(struct task *task, const struct call *root)
{
	const struct call *call;
	struct finding *finding;
	struct text text;
	char *brief, *details;
	FILE *out;

	for (call = root; call; call = next_call(root, call)) {
		if (!call->error || (call->parent && call->parent->error == call->error))
			continue;
		out = open_text(&text);
		fputs("  handled: ", out);
		print_chain(out, call, true);
		details = close_text(&text);
		brief = describe_syscall(root, true);
		finding = add_finding(brief, describe_where(task, root->ns), details,
				      print_text("%s\n%s", brief, details));
		if (!finding)
			return;
		finding->in_full = true;
		show_finding(finding);
	}
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
	free(finding->where);
	finding->where = describe_where(task, task->failure_ns);
	if (finding->in_full && !options.cmd)
		return;
	finding->in_full = true;
	if (!options.cmd)
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

static void why_add_line(const struct line *line)
{
	struct task *task = find_task(line);
	struct call *root;

	if (line->kind == LINE_EVENT) {
		if (is_event(line, "sys_exit_group("))
			use_exit(task);
		else if (is_event(line, "sys_write"))
			use_message(task);
		else if (is_event(line, "console: "))
			add_message(task, line);
		return;
	}
	root = add_line(task, line);
	if (!root)
		return;
	if (syscall_name(root) && !returns_from_signal(syscall_name(root))) {
		if (root->error && (!is_restart(root) || options.verbose))
			use_failure(task, root);
		else if (!use_requests(task, root) && options.verbose)
			use_handled(task, root);
	}
	forget_messages(task, root);
	free_call(root);
}

static void why_cmd_ended(pid_t pid, int status)
{
	struct line line = { .pid = pid, .task = UNKNOWN_TASK };

	cmd_status = status;
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

static void why_report(void)
{
	if (failures)
		fprintf(options.report, "fgraph: %lu system call%s failed\n", failures,
			failures == 1 ? "" : "s");
	else
		fprintf(options.report, "fgraph: no system call failed\n");
	print_status();
	if (!options.cmd)
		print_repeated_findings();
	else
		print_all_findings("Programs often go on after such a failure:");
}

const struct command why_command = {
	.name		= "why",
	.options	= "efupai5dobv1h",
	.operands	= " CMD [ARG...]",
	.run		= run_trace,
	.needs_times	= true,
	.write_rules	= why_write_rules,
	.add_line	= why_add_line,
	.cmd_ended	= why_cmd_ended,
	.report		= why_report,
};
