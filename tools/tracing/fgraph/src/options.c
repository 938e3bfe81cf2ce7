// SPDX-License-Identifier: GPL-2.0
/*
 * The options of the commands.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fgraph.h"
#include "record.h"

struct options options = {
	.threshold = "1ms", .buffer_kb = 4096, .sort = 'e', .lines = 20,
	.form = "text",
};

static const char *color = "auto";

/* An option without a short form */
#define LONG_OPTION	0x100

static const char usage_text[] =
"usage: fgraph why    [-e ERROR,...] [-f GLOB] [OPTION...] CMD [ARG...]\n"
"       fgraph slow   [-t TIME] [OPTION...] CMD [ARG...]\n"
"       fgraph top    [-s COLUMN] [-n LINES] [-f GLOB] [-d SECONDS] [-o FILE]\n"
"       fgraph record [-k RULE] [-f GLOB] [OPTION...] CMD [ARG...]\n"
"       fgraph report [--folded | --json | --html] [-o FILE] [TRACE]\n"
"       in place of CMD: -p PID,... or -a\n"
"\n"
"why: which system calls of CMD and its children failed, and in which function\n"
"slow: which of them took long, and where the time went\n"
"top: how often each function of the kernel is called, takes time, and fails\n"
"record: keep a trace in a file, report: print it\n"
"\n"
"  -e ERROR,...  show failures with these errors in full, such as -e ENOENT\n"
"  -f GLOB       why: show failures in functions or system calls of this name in full;\n"
"                top: show these functions; record: these functions and what they call\n"
"  -t TIME       how long a slow system call takes: ns, us, ms or s; 1ms\n"
"  -k RULE       keep only calls that this rule of set_graph_keep selects\n"
"  -s COLUMN     sort by calls, time or errors; errors\n"
"  -n LINES      how many lines the table has if it is not on a terminal; 20\n"
"  -u USER       run CMD as this user\n"
"  -p PID,...    trace processes that run, with all their threads and new children\n"
"  -a            trace the whole machine\n"
"  --follow      go on after CMD ended, until all that it started ended; ^C ends\n"
"  -d SECONDS    end after so long, without CMD; otherwise ^C ends\n"
"  -o FILE       write the report to FILE; record: the trace, " TRACE_FILE "\n"
"  -b KB         size of the trace buffer of each CPU; 4096\n"
"  -v            show all that was recorded: restarts, errors that the kernel handled,\n"
"                and each value\n"
"  --color=WHEN  always, never or auto: on a terminal, unless NO_COLOR is set\n"
"  --folded      stacks for flame graphs\n"
"  --json        the trace event format, for Perfetto and speedscope\n"
"  --html        a page with trees to fold and search\n"
"  -h            this text\n"
"\n"
"The exit status is that of CMD; 125 if fgraph failed, 126 if CMD cannot be executed,\n"
"127 if it was not found.\n";

void show_usage(FILE *out, int status)
{
	fputs(usage_text, out);
	exit(status);
}

unsigned int parse_number(char option, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (!*text || *end || *text == '-' || !number || number > 1000000000)
		die("-%c %s: a number greater than 0 is needed", option, text);
	return number;
}

static char parse_column(const char *name)
{
	if (strcmp(name, "calls") && strcmp(name, "time") && strcmp(name, "errors"))
		die("-s %s: calls, time or errors is needed", name);
	return *name;
}

static bool want_color(const char *when)
{
	const char *no_color = getenv("NO_COLOR");

	if (!strcmp(when, "always"))
		return true;
	if (!strcmp(when, "never"))
		return false;
	if (strcmp(when, "auto"))
		die("--color=%s: always, never or auto is needed", when);
	return options.report && isatty(fileno(options.report)) && !(no_color && *no_color);
}

/* There may be several rules, each a line. */
static void add_rule(const char *rule)
{
	options.rules = print_text("%s%s\n", options.rules ?: "", rule);
}

static void set_form(const char *form)
{
	if (command != &report_command)
		die("--%s is an option of fgraph report", form);
	options.form = form;
}

static void parse_option(int option)
{
	switch (option) {
	case 'e':
		options.errors = optarg;
		break;
	case 'f':
		options.glob = optarg;
		break;
	case 't':
		options.threshold = optarg;
		break;
	case 'u':
		options.user = optarg;
		break;
	case 'p':
		options.pids = optarg;
		break;
	case 'a':
		options.all = true;
		break;
	case 'd':
		options.seconds = parse_number(option, optarg);
		break;
	case 'k':
		add_rule(optarg);
		break;
	case 's':
		options.sort = parse_column(optarg);
		break;
	case 'n':
		options.lines = parse_number(option, optarg);
		break;
	case 'o':
		options.file = optarg;
		break;
	case 'b':
		options.buffer_kb = parse_number(option, optarg);
		break;
	case 'v':
		options.verbose = true;
		break;
	case 'c':
		color = optarg;
		break;
	case 'f' | LONG_OPTION:
		options.follow = true;
		break;
	case 'F':
		set_form("folded");
		break;
	case 'J':
		set_form("json");
		break;
	case 'H':
		set_form("html");
		break;
	case 'h':
		show_usage(stdout, 0);
	case ':':
		die("-%c needs a value: see fgraph -h", optopt);
	default:
		if (optopt)
			die("-%c is no option of fgraph %s: see fgraph -h", optopt,
			    command->name);
		die("there is no such option: see fgraph -h");
	}
}

static void check_options(void)
{
	if (command == &top_command && options.cmd)
		die("top is about the whole machine: see fgraph -h");
	if (command->run != run_trace && options.follow)
		die("--follow is no option of fgraph %s: see fgraph -h", command->name);
	if (command->run != run_trace)
		return;
	if (!!options.cmd + options.all + !!options.pids != 1)
		die("either a command, -p PID or -a is needed: see fgraph -h");
	if (options.cmd && options.seconds)
		die("-d needs -p or -a: a command ends by itself");
	if (!options.cmd && options.user)
		die("-u needs a command");
	if (!options.cmd && options.follow)
		die("--follow needs a command");
}

void set_color(void)
{
	options.color = want_color(color);
}

void parse_options(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "color", required_argument, NULL, 'c' },
		{ "folded", no_argument, NULL, 'F' },
		{ "follow", no_argument, NULL, 'f' | LONG_OPTION },
		{ "json", no_argument, NULL, 'J' },
		{ "html", no_argument, NULL, 'H' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	char *with_values;
	int option;

	/* The options end where the command begins, and ":" tells a missing value apart. */
	with_values = print_text("+:%s", command->options + 1);
	opterr = 0;
	while ((option = getopt_long(argc, argv, with_values, long_options, NULL)) != -1)
		parse_option(option);
	if (optind < argc)
		options.cmd = argv + optind;
	check_options();
	want_color(color);
}
