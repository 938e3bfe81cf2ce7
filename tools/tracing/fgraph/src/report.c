// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph report: print a trace that record kept: as text, or in a form for other programs.
 * It needs no kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "call.h"
#include "fgraph.h"
#include "line.h"
#include "options.h"
#include "output.h"
#include "record.h"
#include "recording.h"
#include "report.h"
#include "summary.h"
#include "util.h"

/* NULL is text. */
static const struct form *form;

static struct recording recording;

static const struct form *find_form(void)
{
	return options.folded ? &folded_form : options.json ? &json_form :
	       options.html ? &html_form : NULL;
}

static void print_head_line(const char *name, const char *value)
{
	if (value && *value)
		fprintf(options.report, "%s%s\n", name, value);
}

/* Print what the file says about the trace. */
static void print_head(void)
{
	print_head_line(TRACE_KERNEL, recording.kernel);
	print_head_line(TRACE_HOST, recording.host);
	print_head_line(TRACE_DATE, recording.date);
	print_head_line(TRACE_COMMAND, recording.command);
}

/* Print what is before the lines or the calls, once the file is known to be one of record. */
static void begin_output(void)
{
	static bool begun;

	if (begun)
		return;
	begun = true;
	if (!form)
		print_head();
	else if (form->begin)
		form->begin();
}

/* Print a line of the trace, and count events that were lost. */
static bool print_line(char *text)
{
	struct line line;

	begin_output();
	fprintf(options.report, "%s\n", text);
	parse_line(text, &line);
	if (line.kind == LINE_LOST)
		recording.lost += line.lost;
	return line.kind != LINE_OTHER;
}

static void print_root(struct task *task, const struct call *root)
{
	begin_output();
	add_to_summary(root);
	form->add(task, root);
}

static int run_report(void)
{
	const char *file = options.cmd ? options.cmd[0] : TRACE_FILE;

	form = find_form();
	begin_summary(&recording);
	open_report(stdout);
	if (form)
		read_calls(&recording, file, print_root);
	else
		read_recording(&recording, file, print_line);
	begin_output();
	if (form && form->end)
		form->end();
	finish_report();
	keep_report();
	complain_about_recording(&recording, form);
	return 0;
}

static void check_report(void)
{
	if (options.cmd && options.cmd[1])
		die("report takes one file: see fgraph report --help");
}

static const struct option_row folded_option = {
	0, "folded", NULL, "print stacks for flame graphs", .flag = &options.folded,
};

static const struct option_row json_option = {
	0, "json", NULL, "print the trace event format, for Perfetto and speedscope",
	.flag = &options.json,
};

static const struct option_row html_option = {
	0, "html", NULL, "print a page with trees to fold and search", .flag = &options.html,
};

static const struct option_row *const report_options[] = {
	&output_option, &folded_option, &json_option, &html_option, NULL
};

const struct command report_command = {
	.name		= "report",
	.options	= report_options,
	.operands	= " [TRACE]",
	.check		= check_report,
	.run		= run_report,
};
