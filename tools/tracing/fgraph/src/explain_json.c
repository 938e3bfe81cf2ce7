// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "call.h"
#include "chain.h"
#include "explain.h"
#include "message.h"
#include "quote.h"
#include "steps.h"
#include "stream.h"
#include "root.h"

/* Print a call as an object. */
static void print_function(FILE *out, const struct call *call)
{
	fputs("{\"function\":", out);
	print_json_string(out, call->func);
	if (call->args)
		print_json_member(out, "arguments", call->args);
	if (call->ret)
		print_json_member(out, "result", call->ret);
	if (call->results)
		print_json_member(out, "at_return", call->results);
	if (call->missed)
		fputs(",\"missed\":true", out);
	fputc('}', out);
}

/* Print an array of a call, and of those in it that returned the same error. */
static void print_functions(FILE *out, const struct call *call)
{
	const char *separator = "[";

	for (; call; call = find_origin(call, call->error)) {
		fputs(separator, out);
		print_function(out, call);
		separator = ",";
	}
	fputc(']', out);
}

static void print_alternatives(FILE *out, const struct call *root, const struct call *last)
{
	const struct call *other = next_other(root, last, NULL);
	const char *separator = ",\"alternatives\":[";

	if (!other)
		return;
	for (; other; other = next_other(root, last, other)) {
		fputs(separator, out);
		print_functions(out, other);
		separator = ",";
	}
	fputc(']', out);
}

static void print_tried(FILE *out, const struct call *call)
{
	const struct call *candidate = next_candidate(call, NULL);
	const char *separator = ",\"tried\":[";

	if (!candidate)
		return;
	for (; candidate; candidate = next_candidate(call, candidate)) {
		fputs(separator, out);
		print_json_string(out, find_end(candidate)->func);
		separator = ",";
	}
	fputc(']', out);
}

static void print_messages(FILE *out, const struct task *task, const struct call *root)
{
	const struct message *message = next_message(task, root, NULL);
	const char *separator = ",\"kernel\":[";

	if (!message)
		return;
	for (; message; message = next_message(task, root, message)) {
		fputs(separator, out);
		print_json_string(out, message->text);
		separator = ",";
	}
	fputc(']', out);
}

/* Print what is known about the end of a chain. */
static void print_end(FILE *out, const struct call *root, const struct call *last)
{
	const struct call *before = find_before(last);

	if (last != root) {
		print_alternatives(out, root, last);
		print_tried(out, last);
	}
	if (!before)
		return;
	fputs(",\"before\":", out);
	print_functions(out, before);
}

static void print_error(FILE *out, const struct call *root, const struct call *call)
{
	fputs("\"syscall\":", out);
	print_json_string(out, root_name(root));
	fprintf(out, ",\"error\":%d", call->error);
	print_json_member(out, "errno", call->error_name);
}

static void print_client_in_json(FILE *out, const struct task *task)
{
	if (task->client.tid)
		fprintf(out, ",\"queued_by\":%d", task->client.tid);
}

char *describe_failure_in_json(const struct task *task, const struct call *root)
{
	const struct call *call = find_origin(root, root->error);
	struct text text;
	FILE *out = open_text(&text);

	print_error(out, root, root);
	if (root->missed)
		fputs(",\"missed\":true", out);
	fputs(",\"chain\":", out);
	if (call)
		print_functions(out, call);
	else
		fputs("[]", out);
	print_steps_in_json(out, root);
	print_end(out, root, find_end(root));
	print_messages(out, task, root);
	print_client_in_json(out, task);
	return close_text(&text);
}

char *describe_call_in_json(const struct task *task, const char *name, const struct call *root,
			    const struct call *call)
{
	struct text text;
	FILE *out = open_text(&text);

	print_error(out, root, call);
	fprintf(out, ",\"%s\":true,\"chain\":", name);
	print_functions(out, call);
	print_client_in_json(out, task);
	return close_text(&text);
}
