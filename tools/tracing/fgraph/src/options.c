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

struct options options = { .threshold = "1ms", .buffer_kb = 4096 };

static const char usage_text[] =
"usage: fgraph why  [-e ERROR,...] [-f GLOB] [OPTION...] CMD [ARG...]\n"
"       fgraph slow [-t TIME] [OPTION...] CMD [ARG...]\n"
"       fgraph slow [-t TIME] [OPTION...] CMD [ARG...]\n"
"       fgraph why | slow [OPTION...] -p PID,... | -a\n"
"\n"
"why: which system calls of CMD and its children failed, and in which function\n"
"slow: which of them took long, and where the time went\n"
"\n"
"  -e ERROR,...  show failures with these errors in full, such as -e ENOENT\n"
"  -f GLOB       show failures in functions or system calls of this name in full\n"
"  -t TIME       how long a slow system call takes: ns, us, ms or s; 1ms\n"
"  -u USER       run CMD as this user\n"
"  -p PID,...    trace processes that run, with all their threads and new children\n"
"  -a            trace the whole machine\n"
"  -d SECONDS    end after so long, with -p or -a; otherwise ^C ends\n"
"  -o FILE       write the report to FILE\n"
"  -b KB         size of the trace buffer of each CPU; 4096\n"
"  -v            show all that was recorded: restarts, errors that the kernel handled,\n"
"                and each value\n"
"  --color=WHEN  always, never or auto: on a terminal, unless NO_COLOR is set\n"
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

static bool want_color(const char *when)
{
	const char *no_color = getenv("NO_COLOR");

	if (!strcmp(when, "always"))
		return true;
	if (!strcmp(when, "never"))
		return false;
	if (strcmp(when, "auto"))
		die("--color=%s: always, never or auto is needed", when);
	return isatty(fileno(options.report)) && !(no_color && *no_color);
}

static void parse_option(int option, const char **file, const char **color)
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
	case 'o':
		*file = optarg;
		break;
	case 'b':
		options.buffer_kb = parse_number(option, optarg);
		break;
	case 'v':
		options.verbose = true;
		break;
	case 'c':
		*color = optarg;
		break;
	case 'h':
		show_usage(stdout, 0);
	default:
		fprintf(stderr, "fgraph: see fgraph -h\n");
		exit(EXIT_FGRAPH);
	}
}

static void check_options(const struct command *command)
{
	if (!!options.cmd + options.all + !!options.pids != 1)
		die("either a command, -p PID or -a is needed: see fgraph -h");
	if (options.cmd && options.seconds)
		die("-d needs -p or -a: a command ends by itself");
	if (!options.cmd && options.user)
		die("-u needs a command");
	if (command != &why_command && (options.errors || options.glob))
		die("-e and -f are options of fgraph why");
}

void parse_options(const struct command *command, int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "color", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	const char *file = NULL, *color = "auto";
	int option;

	/* The options end where the command begins. */
	while ((option = getopt_long(argc, argv, "+e:f:t:u:p:ad:o:b:vh", long_options,
				     NULL)) != -1)
		parse_option(option, &file, &color);
	if (optind < argc)
		options.cmd = argv + optind;
	check_options(command);
	/* The output of a command goes where it goes without fgraph. */
	options.report = options.cmd ? stderr : stdout;
	if (file)
		options.report = fopen(file, "we");
	if (!options.report)
		die("-o %s: %s", file, strerror(errno));
	options.color = want_color(color);
}
