// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph: asks the function graph tracer a question about a command or a machine.
 *
 * A file uses files of its own line and of the lines below it. Only of call.h, fgraph.h, record.h
 * and report.h, it may use types and names from lines above it:
 *
 *	fgraph.c	the program
 *	line_command.c	its command line, which asks why twice
 *	why.c, slow.c, top.c, record.c, report.c, where.c, diff.c	its other commands
 *	diff_text.c, diff_json.c, diff_html.c	the forms of diff
 *	diff_rows.c	what is shown of a system call that differs
 *	difference.c, part.c, pair.c	which system calls differ, and where in them
 *	align.c, forest.c, numbers.c	which calls of two runs are the same; all calls of a run
 *	select.c, rank.c	which failures are shown, and in which order
 *	explain.c, explain_json.c	what is said about a failure
 *	folded.c, json.c, html.c	the forms of a report; page/ is the page around the calls
 *	summary.c	what they say about all calls
 *	steps.c		the source lines between a system call and that function
 *	way.c, way_text.c	the way of a call through the statements of a function
 *	decision.c, branch.c	the statement of a way that decided which error is returned
 *	session.c	the way through a trace
 *	setup.c, command.c	what an instance records, and the command that is traced
 *	recording.c, output.c	the file that record kept, and that of the report
 *	chain.c		from a system call to the function that returned the error
 *	root.c		where chains begin
 *	syscall.c	system calls
 *	path.c, flags.c	their arguments
 *	call.c		trees of calls
 *	finding.c, finding_json.c	what was found out, each once
 *	line.c, message.c, thread.c	what the lines of the trace contain
 *	probe.c		probes at the statements of a function
 *	source.c, listing.c	the source lines of addresses, and their text
 *	code.c		where code is in the kernel or in a module
 *	place.c, symbol.c	tables of source lines, and the symbols of the kernel
 *	instance.c, guard.c, kprobe.c	an instance of tracing with its probes, and the process that
 *			removes it
 *	boot.c		the trace that the kernel keeps of its boot
 *	process.c, signals.c, progress.c	processes in -p, signals, and the terminal
 *	tracefs.c	the files of tracing
 *	text.c, quote.c, capability.c	how values are shown
 *	options.c	what the user wants
 *	stream.c, util.c	texts, memory and messages
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fgraph.h"
#include "options.h"
#include "util.h"

/* The version of the series. Packages of a kernel with the series have it in their names. */
#define FGRAPH_VERSION	"1.0"

static const char usage_text[] =
"usage: fgraph why    [OPTION...] CMD [ARG...]\n"
"       fgraph slow   [OPTION...] CMD [ARG...]\n"
"       fgraph top    [OPTION...]\n"
"       fgraph record [OPTION...] CMD [ARG...]\n"
"       fgraph report [OPTION...] [TRACE]\n"
"       fgraph line   [OPTION...] CMD [ARG...]\n"
"       fgraph diff   [OPTION...] GOOD BAD\n"
"       fgraph where  [OPTION...] ADDRESS...\n"
"       in place of CMD: -p PID,... or -a; why: -i TRACE\n"
"\n"
"why: which system calls of CMD and its children failed, and in which function\n"
"slow: which of them took long, and where the time went\n"
"top: how often each function of the kernel is called, takes time, and fails\n"
"record: keep a trace in a file, report: print it\n"
"line: which lines of that function the call that failed came to: CMD is run twice\n"
"diff: where a run that fails parts from one that works\n"
"where: which source lines addresses are\n"
"\n"
"fgraph COMMAND --help prints the options of a command, fgraph --version the version.\n"
"\n"
"The exit status is that of CMD; 125 if fgraph failed, 126 if CMD cannot be executed,\n"
"127 if it was not found.\n";

static void __noreturn show_usage(FILE *out, int status)
{
	fputs(usage_text, out);
	exit(status);
}

/* If the caller closed one of the first three files, no other file must become it. */
static void open_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	close(fd);
}

int main(int argc, char **argv)
{
	static const struct command *const commands[] = {
		&why_command, &slow_command, &top_command, &record_command,
		&report_command, &where_command, &line_command, &diff_command,
	};
	const struct command *command = NULL;
	size_t i;

	open_standard_files();
	if (argc < 2)
		show_usage(stderr, EXIT_FGRAPH);
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		show_usage(stdout, 0);
	if (!strcmp(argv[1], "--version")) {
		puts("fgraph " FGRAPH_VERSION);
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[1], commands[i]->name))
			command = commands[i];
	if (!command)
		die("%s: unknown command: see fgraph --help", argv[1]);
	parse_options(command, argc - 1, argv + 1);
	return command->run();
}
