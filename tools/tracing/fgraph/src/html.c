// SPDX-License-Identifier: GPL-2.0
/*
 * A page that contains all it needs: the calls as trees to fold and search. Errors are red, and
 * a bar shows how much of its system call a call took.
 */
#include <stdlib.h>
#include <string.h>

#include "fgraph.h"
#include "report.h"
#include "text.h"

static const char page_begin[] =
"<!DOCTYPE html>\n"
"<html lang=\"en\">\n"
"<head>\n"
"<meta charset=\"utf-8\"/>\n"
"<title>fgraph</title>\n"
"<style>\n"
"body { font: 13px/1.5 monospace; margin: 1em; color: #222; background: #fff; }\n"
"header { position: sticky; top: 0; background: #fff; padding: .4em 0; z-index: 1; }\n"
"input { font: inherit; width: 24em; }\n"
"details, .leaf { margin-left: 1.4em; }\n"
"main > details, main > .leaf { margin: .3em 0; }\n"
"summary { cursor: pointer; }\n"
".leaf { padding-left: 1em; }\n"
".bar { display: inline-block; width: 80px; height: .7em; background: #eee; }\n"
".bar i { display: block; height: 100%; background: #69c; }\n"
".time { display: inline-block; width: 7em; text-align: right; padding: 0 .8em; color: #555; }\n"
".task { color: #888; }\n"
".error { color: #c00; font-weight: bold; }\n"
".args { color: #777; }\n"
".hit { background: #fe8; }\n"
"</style>\n"
"</head>\n"
"<body>\n"
"<header>\n"
"<input id=\"search\" type=\"search\" placeholder=\"search: function, argument, error\"/>\n"
"<button id=\"open\">unfold all</button> <button id=\"close\">fold all</button>\n"
"<span id=\"count\"></span>\n"
"</header>\n"
"<main>\n";

static const char page_end[] =
"</main>\n"
"<script>\n"
"const all = s => Array.from(document.querySelectorAll(s));\n"
"const fold = open => all('details').forEach(d => d.open = open);\n"
"document.getElementById('open').onclick = () => fold(true);\n"
"document.getElementById('close').onclick = () => fold(false);\n"
"document.getElementById('search').oninput = event => {\n"
"  const text = event.target.value.toLowerCase();\n"
"  let count = 0, first;\n"
"  all('.hit').forEach(e => e.classList.remove('hit'));\n"
"  if (text) {\n"
"    fold(false);\n"
"    all('.call').forEach(call => {\n"
"      if (!call.textContent.toLowerCase().includes(text))\n"
"        return;\n"
"      call.classList.add('hit');\n"
"      count++;\n"
"      first = first || call;\n"
"      for (let p = call.parentElement.parentElement; p; p = p.parentElement)\n"
"        if (p.tagName === 'DETAILS')\n"
"          p.open = true;\n"
"    });\n"
"  }\n"
"  if (first)\n"
"    first.scrollIntoView({ block: 'center' });\n"
"  document.getElementById('count').textContent = text ? count + ' calls' : '';\n"
"};\n"
"</script>\n"
"</body>\n"
"</html>\n";

static void print_escaped(const char *text)
{
	size_t length;

	for (; *text; text += length ?: 1) {
		length = utf8_length(text);
		if (!length || ((unsigned char)*text < ' ' && *text != '\t'))
			fputc('?', options.report);
		else if (*text == '<')
			fputs("&lt;", options.report);
		else if (*text == '>')
			fputs("&gt;", options.report);
		else if (*text == '&')
			fputs("&amp;", options.report);
		else
			fprintf(options.report, "%.*s", (int)length, text);
	}
}

/* A page with so many calls has some 50 MB. */
#define MAX_CALLS	200000

static unsigned long calls, left_out;

static void print_line(const struct call *call, const struct call *root)
{
	fprintf(options.report,
		"<span class=\"bar\"><i style=\"width:%llu%%\"></i></span><span class=\"time\">",
		root->ns ? call->ns * 100 / root->ns : 0);
	print_ns(options.report, call->ns);
	fputs("</span><span class=\"call\">", options.report);
	print_escaped(call->func);
	fputs("<span class=\"args\">(", options.report);
	print_escaped(call->args ?: "…");
	fputs(")</span>", options.report);
	if (call->ret) {
		fprintf(options.report, " = <span%s>", call->error ? " class=\"error\"" : "");
		print_escaped(call->ret);
		fputs("</span>", options.report);
	}
	fputs("</span>", options.report);
}

/* The calls in a system call that failed are unfolded at first. */
static void print_tree(const struct task *task, const struct call *call, const struct call *root)
{
	const struct call *inner;

	if (call->first)
		fprintf(options.report, "<details%s><summary>", root->error ? " open=\"\"" : "");
	else
		fputs("<div class=\"leaf\">", options.report);
	print_line(call, root);
	if (call == root) {
		fputs(" <span class=\"task\">", options.report);
		print_escaped(task->name);
		fprintf(options.report, "[%d]</span>", task->pid);
	}
	fputs(call->first ? "</summary>\n" : "</div>\n", options.report);
	for (inner = call->first; inner; inner = inner->next)
		print_tree(task, inner, root);
	if (call->first)
		fputs("</details>\n", options.report);
}

static void html_begin(void)
{
	fputs(page_begin, options.report);
}

static void html_add(struct task *task, const struct call *root)
{
	const struct call *call;

	if (calls >= MAX_CALLS) {
		left_out++;
		return;
	}
	for (call = root; call; call = next_call(root, call))
		calls++;
	print_tree(task, root, root);
}

static void html_end(void)
{
	if (left_out) {
		fprintf(options.report, "<p>%lu more system calls are left out.</p>\n", left_out);
		complain("%lu system calls are left out: a page has at most %d calls", left_out,
			 MAX_CALLS);
	}
	fputs(page_end, options.report);
}

const struct form html_form = {
	.name	= "html",
	.begin	= html_begin,
	.add	= html_add,
	.end	= html_end,
};
