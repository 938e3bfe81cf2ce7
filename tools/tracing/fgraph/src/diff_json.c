// SPDX-License-Identifier: GPL-2.0
/*
 *	{"good":{"name":...,"command":...,"status":0},"bad":{...},"equal":57,"chance":0,
 *	 "differences":[{"weight":"fails","before":57,"good_thread":{...},"bad_thread":{...},
 *	   "part":{"function":"__fs_parse","good":{"arguments":...,"result":...},"bad":{...}},
 *	   "rows":[{"depth":0,"good":...,"bad":...},...]},...]}
 *
 * The rows are those of the text. A row without "good" or "bad" is about one run alone.
 */
#include <stdio.h>
#include <sys/wait.h>

#include "diff_form.h"
#include "diff_rows.h"
#include "options.h"
#include "quote.h"

static FILE *out;

static void print_run(const char *side, const struct recording *recording)
{
	fprintf(out, "\"%s\":{\"name\":", side);
	print_json_string(out, recording->name);
	print_json_member(out, "command", recording->command);
	if (recording->kernel)
		print_json_member(out, "kernel", recording->kernel);
	if (WIFSIGNALED(recording->status))
		fprintf(out, ",\"signal\":%d", WTERMSIG(recording->status));
	else if (recording->pid)
		fprintf(out, ",\"status\":%d", WEXITSTATUS(recording->status));
	fputs("},", out);
}

static void print_side(const char *side, const struct node *node)
{
	if (!node)
		return;
	fprintf(out, ",\"%s\":{\"arguments\":", side);
	print_json_string(out, text_of(node->args) ?: "");
	if (node->ret)
		print_json_member(out, "result", text_of(node->ret));
	fputc('}', out);
}

static void print_part(const struct runs *runs, struct pair part)
{
	const struct node *good = good_node(runs, part), *bad = bad_node(runs, part);

	fputs(",\"part\":{\"function\":", out);
	print_json_string(out, text_of((good ?: bad)->func));
	print_side("good", good);
	print_side("bad", bad);
	fputc('}', out);
}

static void print_rows(const struct rows *rows)
{
	const char *separator = ",\"rows\":[";
	size_t i;

	for (i = 0; i < rows->count; i++) {
		fprintf(out, "%s{\"depth\":%u", separator, rows->list[i].depth);
		if (rows->list[i].good)
			print_json_member(out, "good", rows->list[i].good);
		if (rows->list[i].bad)
			print_json_member(out, "bad", rows->list[i].bad);
		fputc('}', out);
		separator = ",";
	}
	fputc(']', out);
}

static void print_strand(const char *side, const struct forest *forest, size_t nr)
{
	if (nr == NO_CALL)
		return;
	fprintf(out, ",\"%s\":{\"tid\":%d", side, forest->strands[nr].pid);
	print_json_member(out, "name", forest->strands[nr].name);
	fputc('}', out);
}

static void print_difference(const struct runs *runs, const struct difference *difference)
{
	static const char *const weights[] = {
		[FAILS] = "fails", [FAILS_ALONE] = "fails alone",
		[OTHER_RESULT] = "other result", [MINOR] = "minor",
	};
	struct pair part;
	struct rows rows = explain_difference(runs, difference, &part);

	fprintf(out, "{\"weight\":\"%s\",\"before\":%zu",
		weights[difference->weight], difference->before);
	print_strand("good_thread", runs->good, difference->strands.good);
	print_strand("bad_thread", runs->bad, difference->strands.bad);
	print_part(runs, part);
	print_rows(&rows);
	fputc('}', out);
	free_rows(&rows);
}

void print_diff_json(const struct runs *runs, const struct differences *differences)
{
	size_t i;

	out = options.report;
	fputc('{', out);
	print_run("good", &runs->good->recording);
	print_run("bad", &runs->bad->recording);
	fprintf(out, "\"equal\":%zu,\"chance\":%zu,\"differences\":[",
		differences->equal, differences->chance);
	for (i = 0; i < differences->count; i++) {
		fputs(i ? ",\n" : "", out);
		print_difference(runs, &differences->list[i]);
	}
	fputs("]}\n", out);
}
