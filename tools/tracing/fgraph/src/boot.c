// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "boot.h"
#include "tracefs.h"
#include "util.h"

static const char parameters[] =
	"  ftrace=function_graph\n"
	"  ftrace_graph_keep=error\n"
	"  ftrace_graph_filter=" BOOT_ROOTS "\n"
	"  ftrace_graph_notrace=*printk*\n"
	"  fgraph_stack=32K\n"
	"  trace_options=funcgraph-args,funcgraph-names,funcgraph-retaddr\n"
	"  trace_event=printk:console";

/* The columns of the trace, see line.h. They belong to the top level, so they are restored. */
static struct {
	const char	*file;
	const char	*value;
	char		*before;
} columns[] = {
	{ "options/funcgraph-abstime", "1", NULL },
	{ "options/funcgraph-cpu", "0", NULL },
	{ "options/funcgraph-duration", "1", NULL },
	{ "options/funcgraph-overhead", "0", NULL },
	{ "options/funcgraph-overrun", "0", NULL },
	{ "options/funcgraph-proc", "1", NULL },
	{ "options/funcgraph-retval", "1", NULL },
	{ "options/funcgraph-retval-hex", "0", NULL },
	{ "options/funcgraph-tail", "1", NULL },
	{ "options/latency-format", "0", NULL },
};

static bool has_boot_trace(void)
{
	char *tracer = read_file(tracefs_dir(), "current_tracer");
	char *rules = read_file(tracefs_dir(), "set_graph_keep");
	bool found = tracer && !strcmp(tracer, "function_graph\n") && rules &&
		     strstr(rules, "error");

	free(tracer);
	free(rules);
	return found;
}

const char *open_boot_trace(void)
{
	size_t i;

	open_tracefs();
	if (!has_boot_trace())
		die("--boot: the kernel did not trace its boot: its command line needs\n%s",
		    parameters);
	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		columns[i].before = read_file(tracefs_dir(), columns[i].file);
		write_file(tracefs_dir(), columns[i].file, columns[i].value, 0);
	}
	return print_text("%s/trace", tracefs_path());
}

void close_boot_trace(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].before)
			write_file(tracefs_dir(), columns[i].file, columns[i].before, 0);
		free(columns[i].before);
		columns[i].before = NULL;
	}
}
