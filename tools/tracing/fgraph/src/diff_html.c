// SPDX-License-Identifier: GPL-2.0
/*
 * A page with the good run in the left column and the bad one in the right column. It needs no
 * script: what is folded is an element "details".
 */
#include <stdlib.h>
#include <sys/wait.h>

#include "diff_form.h"
#include "diff_rows.h"
#include "options.h"

/* Further ones are only counted: a person does not read them. */
#define MAX_SHOWN	500

static const char head[] =
"<!DOCTYPE html>\n"
"<html lang=\"en\">\n"
"<head>\n"
"<meta charset=\"utf-8\">\n"
"<meta name=\"viewport\" content=\"width=device-width\">\n"
"<meta name=\"color-scheme\" content=\"light dark\">\n"
"<meta http-equiv=\"Content-Security-Policy\"\n"
"      content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
"<title>fgraph diff</title>\n"
"<style>\n"
"body { font: 15px/1.4 sans-serif; margin: 1em }\n"
"table { border-collapse: collapse; table-layout: fixed; width: 100% }\n"
"td, th { font: 13px/1.4 monospace; overflow-wrap: anywhere; padding: 1px 6px;\n"
"	 text-align: left; vertical-align: top; width: 50% }\n"
"td + td, th + th { border-left: 1px solid gray }\n"
".good { background: rgba(60, 160, 60, .2) }\n"
".bad { background: rgba(220, 60, 60, .2) }\n"
".part td { font-weight: bold }\n"
"summary { cursor: pointer; margin: 1em 0 .3em }\n"
"</style>\n"
"</head>\n"
"<body>\n";

static FILE *out;

static void print_escaped(const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else
			fputc(*text, out);
	}
}

static void print_cell(const char *text, unsigned int depth, const char *class)
{
	fprintf(out, "<td class=\"%s\" style=\"padding-left:%uem\">", text ? class : "", depth + 1);
	print_escaped(text ?: "");
	fputs("</td>", out);
}

static void print_row(const struct row *row)
{
	bool is_same = is_same_row(row);

	fprintf(out, "<tr%s>", row->is_part ? " class=\"part\"" : "");
	print_cell(row->good, row->depth, is_same ? "" : "good");
	print_cell(row->bad, row->depth, is_same ? "" : "bad");
	fputs("</tr>\n", out);
}

static void print_difference(const struct runs *runs, const struct difference *difference,
			     bool is_first)
{
	struct pair part;
	struct rows rows = explain_difference(runs, difference, &part);
	const struct node *node = good_node(runs, part) ?: bad_node(runs, part);
	size_t i;

	fprintf(out, "<details%s><summary>", is_first ? " open" : "");
	print_escaped(text_of(node->func));
	fprintf(out, ", after %zu equal system calls</summary>\n<table>\n", difference->before);
	for (i = 0; i < rows.count; i++)
		print_row(&rows.list[i]);
	fputs("</table></details>\n", out);
	free_rows(&rows);
}

static void print_title(const struct recording *recording)
{
	fputs("<th>", out);
	print_escaped(recording->name);
	if (*recording->command) {
		fputs(": ", out);
		print_escaped(recording->command);
	}
	if (WIFSIGNALED(recording->status))
		fprintf(out, ": signal %d", WTERMSIG(recording->status));
	else if (recording->pid)
		fprintf(out, ": status %d", WEXITSTATUS(recording->status));
	fputs("</th>", out);
}

void print_diff_html(const struct runs *runs, const struct differences *differences)
{
	size_t i;

	/* A page has no colours of a terminal. */
	options.color = false;
	out = options.report;
	fputs(head, out);
	fputs("<table><tr>", out);
	print_title(&runs->good->recording);
	print_title(&runs->bad->recording);
	fprintf(out, "</tr></table>\n<p>Equal system calls: %zu; others: %zu; by chance: %zu</p>\n",
		differences->equal, differences->count, differences->chance);
	for (i = 0; i < differences->count && i < MAX_SHOWN; i++)
		print_difference(runs, &differences->list[i], !i);
	if (i < differences->count)
		fprintf(out, "<p>%zu more are not shown.</p>\n", differences->count - i);
	fputs("</body>\n</html>\n", out);
}
