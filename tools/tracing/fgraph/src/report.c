// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph report: print a trace that record kept: as text, or in a form for other programs.
 * It needs no kernel, and reads the file once, so a large one takes little memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "fgraph.h"
#include "line.h"
#include "record.h"
#include "report.h"
#include "text.h"

static unsigned long damaged, lost;
static bool complete;

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

static void use_comment(const char *text)
{
	if (!strncmp(text, "# lost: ", strlen("# lost: ")))
		lost = strtoul(text + strlen("# lost: "), NULL, 10);
	complete = !strcmp(text, TRACE_END);
}

/* Use a line of the trace, which is cut into parts. */
static void use_line(const struct form *form, char *text)
{
	struct call *root;
	struct task *task;
	struct line line;

	if (!form)
		fprintf(options.report, "%s\n", text);
	parse_line(text, &line);
	if (line.kind == LINE_OTHER)
		damaged++;
	if (line.kind == LINE_LOST)
		forget_open_calls();
	if (line.pid)
		use_exec(&line);
	if (!form || line.kind == LINE_OTHER || line.kind == LINE_LOST || line.kind == LINE_EVENT)
		return;
	/* Each CPU has an idle task, and all have this number. */
	if (!line.pid)
		return;
	task = find_task(&line);
	root = add_line(task, &line);
	if (!root)
		return;
	form->add(task, root);
	free_call(root);
}

static FILE *open_trace(const char *name)
{
	FILE *trace = fopen(name, "re");
	char *text = NULL;
	size_t room = 0;

	if (!trace)
		die("%s: %s", name, strerror(errno));
	if (getline(&text, &room, trace) < 0 || strcmp(text, TRACE_MAGIC "\n"))
		die("%s: this is no file of fgraph record", name);
	free(text);
	return trace;
}

static void read_trace(FILE *trace, const struct form *form)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t length;

	while ((length = getline(&text, &room, trace)) > 0) {
		/* The file ends in the middle of a line. */
		if (text[length - 1] != '\n')
			break;
		text[length - 1] = '\0';
		clean_text(text);
		if (*text == '#')
			use_comment(text);
		else
			use_line(form, text);
	}
	free(text);
}

static int run_report(void)
{
	const char *name = options.cmd ? options.cmd[0] : TRACE_FILE;
	const struct form *form = find_form();
	FILE *trace = open_trace(name);

	open_report();
	if (form && form->begin)
		form->begin();
	read_trace(trace, form);
	if (form && form->end)
		form->end();
	fclose(trace);
	if (fflush(options.report) || ferror(options.report))
		die("cannot write the report: %s", strerror(errno));
	keep_report();
	if (damaged)
		complain("%s: %lu lines are damaged%s", name, damaged,
			 form ? ", and were left out" : "");
	if (!complete)
		complain("%s: the end is missing: the report is about what is there", name);
	if (lost)
		complain("%s: %lu events were lost when it was recorded", name, lost);
	return 0;
}

const struct command report_command = {
	.name	= "report",
	.options = "+o:h",
	.run	= run_report,
};
