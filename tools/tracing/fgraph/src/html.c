// SPDX-License-Identifier: GPL-2.0
/*
 * A page that contains all it needs: the files in page/, with the calls in place of @CALLS@.
 *
 *	{"calls":[[depth,begin,ns,name,text,recorded,note,error,chain],...],"head":{...}}
 *
 * A call comes before those in it. 0 stands for a text that is not there. The chain of an error
 * begins where chain is 1, and goes on where it is 2. A root has depth 0,
 * and more fields: [...,pid,task,syscall]. Its begin is in the clock of the trace, that of
 * other calls is counted from the begin of their root. All times are in ns.
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "chain.h"
#include "options.h"
#include "quote.h"
#include "report.h"
#include "stream.h"
#include "summary.h"
#include "syscall.h"
#include "text.h"
#include "util.h"

static const char page[] =
#include "page.inc"
;

#define CALLS	"@CALLS@\n"

/* A page with so many calls has some 30 MB. */
#define MAX_CALLS	200000

static unsigned long calls, left_out;

/* Print a text, which is freed, or 0. */
static void print_field(char *text)
{
	fputc(',', options.report);
	if (text && *text)
		print_json_string(options.report, text);
	else
		fputc('0', options.report);
	free(text);
}

/* The arguments and the result, as why prints them */
static char *describe_rest(const struct call *call, const char *name)
{
	struct text text;
	FILE *out;
	char *all, *rest;

	if (name) {
		all = describe_syscall(call, true);
		rest = copy_text(all + strlen(name));
		free(all);
		return rest;
	}
	out = open_text(&text);
	print_args(out, call->args);
	print_result(out, call);
	return close_text(&text);
}

/*
 * The call as the trace has it, or NULL if that says no more. Its function is in it only if it
 * is not @name already.
 */
static char *describe_recorded(const struct call *call, const char *name, const char *rest)
{
	char *text = print_text("%s(%s)%s%s%s%s", name ? call->func : "", call->args ?: "…",
				call->ret ? " = " : "", call->ret ?: "",
				call->results ? ", " : "", call->results ?: "");

	if (strcmp(text, rest))
		return text;
	free(text);
	return NULL;
}

/* Describe a call beyond its arguments and its result. */
static char *describe_note(const struct call *call)
{
	struct text text;
	FILE *out = open_text(&text);

	if (call->slept_ns) {
		fputs("asleep ", out);
		print_ns(out, call->slept_ns);
	}
	if (call->missed)
		fprintf(out, "%sits calls were not recorded", call->slept_ns ? ", " : "");
	return close_text(&text);
}

/*
 * 1 if the chain of an error begins with a call, the outermost one that returned the error; 2 if
 * the chain goes on with it; otherwise 0. @next is the next call of the chain.
 */
static int place_in_chain(const struct call *call, const struct call **next)
{
	bool begins = !*next && call->error && (!call->parent || !call->parent->error);

	if (call != *next && !begins)
		return 0;
	*next = find_origin(call, call->error);
	return begins ? 1 : 2;
}

/* When a call began: a root in the clock of the trace, another one after its root */
static void print_begin(const struct call *call, const struct call *root)
{
	if (call == root)
		fprintf(options.report, ",%llu", begin_ns(call));
	else
		fprintf(options.report, ",%lld", (long long)(begin_ns(call) - begin_ns(root)));
}

static void print_row(const struct call *call, const struct call *root,
		      const struct call **next_in_chain)
{
	const char *name = call == root ? syscall_name(call) : NULL;
	char *rest = describe_rest(call, name), *recorded = describe_recorded(call, name, rest);

	fprintf(options.report, "%s[%u", calls ? ",\n" : "", call->depth - root->depth);
	print_begin(call, root);
	fprintf(options.report, ",%llu,", call->ns);
	print_json_string(options.report, name ?: call->func);
	print_field(rest);
	print_field(recorded);
	print_field(describe_note(call));
	print_field(call->error ? copy_text(call->error_name) : NULL);
	fprintf(options.report, ",%d", place_in_chain(call, next_in_chain));
}

/* The fields that a root alone has */
static void print_root_fields(const struct task *task, const struct call *root)
{
	fprintf(options.report, ",%d,", task->pid);
	print_json_string(options.report, task->name);
	fprintf(options.report, ",%d", !!syscall_name(root));
}

static void html_begin(void)
{
	/* A page on a terminal has no colours of it. */
	options.color = false;
	fprintf(options.report, "%.*s{\"calls\":[\n", (int)(strstr(page, CALLS) - page), page);
}

static void html_add(struct task *task, const struct call *root)
{
	const struct call *call, *next_in_chain = NULL;

	if (calls >= MAX_CALLS) {
		left_out++;
		return;
	}
	for (call = root; call; call = next_call(root, call)) {
		print_row(call, root, &next_in_chain);
		if (call == root)
			print_root_fields(task, root);
		fputc(']', options.report);
		calls++;
	}
}

static void html_end(void)
{
	fputs("\n],\"head\":{", options.report);
	print_trace_summary();
	fprintf(options.report, ",\"left_out\":%lu}}\n%s", left_out,
		strstr(page, CALLS) + strlen(CALLS));
	if (left_out)
		complain("%lu system calls are left out: a page has at most %d calls", left_out,
			 MAX_CALLS);
}

const struct form html_form = {
	.begin	= html_begin,
	.add	= html_add,
	.end	= html_end,
};
