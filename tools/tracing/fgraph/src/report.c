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
#include "record.h"
#include "recording.h"
#include "report.h"

/* NULL is text. */
static const struct form *form;

unsigned long long self_ns(const struct call *call)
{
	unsigned long long ns = 0;
	const struct call *inner;

	for (inner = call->first; inner; inner = inner->next)
		ns += inner->ns;
	return call->ns > ns ? call->ns - ns : 0;
}

size_t utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t length, i;

	if (byte[0] < 0x80)
		return 1;
	if (byte[0] < 0xc2 || byte[0] > 0xf4)
		return 0;
	length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
	for (i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	/* Too long, a surrogate, or too large */
	if ((byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f) ||
	    (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f))
		return 0;
	return length;
}

static const struct form *find_form(void)
{
	static const struct form *const forms[] = { &folded_form, &json_form, &html_form };
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strcmp(forms[i]->name, options.form))
			return forms[i];
	return NULL;
}

/* Use a line of the trace, which is cut into parts. */
static bool use_line(char *text)
{
	struct call *root;
	struct task *task;
	struct line line;

	if (!form)
		fprintf(options.report, "%s\n", text);
	parse_line(text, &line);
	if (line.kind == LINE_OTHER)
		return false;
	if (line.kind == LINE_LOST)
		forget_open_calls();
	if (line.pid)
		use_exec(&line);
	/* Each CPU has an idle task, and all have the number 0. */
	if (!form || line.kind == LINE_LOST || line.kind == LINE_EVENT || !line.pid)
		return true;
	task = find_task(&line);
	root = add_line(task, &line);
	if (root) {
		form->add(task, root);
		free_call(root);
	}
	return true;
}

static int run_report(void)
{
	struct recording recording;

	form = find_form();
	open_report();
	if (form && form->begin)
		form->begin();
	recording = read_recording(options.cmd ? options.cmd[0] : TRACE_FILE, use_line);
	if (form && form->end)
		form->end();
	if (fflush(options.report) || ferror(options.report))
		die("cannot write the report: %s", strerror(errno));
	keep_report();
	complain_about_recording(&recording, form);
	return 0;
}

const struct command report_command = {
	.name	= "report",
	.options = "o234h",
	.operands = " [TRACE]",
	.run	= run_report,
};
