// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "call.h"
#include "chain.h"
#include "explain.h"
#include "message.h"
#include "options.h"
#include "steps.h"
#include "stream.h"
#include "text.h"

const struct call *print_chain(FILE *out, const struct call *call, bool args)
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

static void print_others(FILE *out, const struct call *root, const struct call *last, bool args)
{
	const struct call *other = NULL;

	while ((other = next_other(root, last, other))) {
		fputs("  or: ", out);
		print_chain(out, other, args);
	}
}

/* Print the calls of which each may have succeeded in place of @call. */
static void print_candidates(FILE *out, const struct call *call)
{
	const struct call *candidate = next_candidate(call, NULL);
	const char *separator = "  it tried: ";

	if (!candidate)
		return;
	for (; candidate; candidate = next_candidate(call, candidate)) {
		fprintf(out, "%s%s", separator, find_end(candidate)->func);
		separator = ", ";
	}
	fputc('\n', out);
}

char *describe_chain(const struct call *root, bool args)
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
		if (args)
			print_steps(out, root);
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

char *describe_texts(const struct call *root)
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

void print_client(FILE *out, const struct task *task)
{
	if (task->client.tid)
		fprintf(out, "  in work queued by %s[%d]\n", task->client.name, task->client.tid);
}

/* A warning begins with what matters. */
#define MAX_MESSAGES	8

char *describe_failure(const struct task *task, const struct call *root)
{
	const struct message *message = NULL;
	char *chain = describe_chain(root, true);
	struct text text;
	FILE *out = open_text(&text);
	unsigned int nr = 0;

	fputs(chain ?: "", out);
	free(chain);
	while ((message = next_message(task, root, message)))
		if (nr++ < MAX_MESSAGES)
			fprintf(out, "  kernel: %s\n", message->text);
	if (nr > MAX_MESSAGES)
		fprintf(out, "  kernel: %u more messages\n", nr - MAX_MESSAGES);
	print_client(out, task);
	return close_text(&text);
}
