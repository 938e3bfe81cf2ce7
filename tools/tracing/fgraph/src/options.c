// SPDX-License-Identifier: GPL-2.0
/*
 * The options of the commands.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fgraph.h"
#include "record.h"
#include "text.h"

struct options options = {
	.threshold = "1ms", .buffer_kb = 4096, .sort = 'e', .lines = 20,
	.form = "text",
};

static const char *color = "auto";

/* Options without a short form */
#define COLOR	'1'
#define FOLDED	'2'
#define JSON	'3'
#define HTML	'4'
#define FOLLOW	'5'

/**
 * struct option_info - an option
 * @letter:	its short form, or a digit if it has none; command->options contains it
 * @name:	its long form
 * @value:	what its value is, NULL if it has none
 * @help:	what it does
 * @command:	the only command for which this holds, or NULL
 */
struct option_info {
	char			letter;
	const char		*name;
	const char		*value;
	const char		*help;
	const struct command	*command;
};

static const struct option_info infos[] = {
	{ 'e', "errors", "ERROR,...",
	  "show failures with these errors in full, such as ENOENT", NULL },
	{ 'f', "functions", "GLOB",
	  "show failures in functions or system calls of this name in full", &why_command },
	{ 'f', "functions", "GLOB", "show functions of this name", &top_command },
	{ 'f', "functions", "GLOB",
	  "trace functions of this name, and what they call", &record_command },
	{ 't', "time", "TIME", "how long a slow system call takes: ns, us, ms or s; 1ms", NULL },
	{ 'k', "keep", "RULE", "keep only calls that this rule of set_graph_keep selects", NULL },
	{ 's', "sort", "COLUMN", "sort by calls, time or errors; errors", NULL },
	{ 'n', "lines", "LINES", "how many lines a table that is no terminal has; 20", NULL },
	{ 'u', "user", "USER", "run CMD as this user", NULL },
	{ 'p', "pid", "PID,...",
	  "trace processes that run, with all threads and new children", NULL },
	{ 'a', "all", NULL, "trace the whole machine", NULL },
	{ 'i', "input", "TRACE", "use a file that record kept, best with -k error", NULL },
	{ FOLLOW, "follow", NULL,
	  "go on after CMD ended, until all that it started ended; ^C ends", NULL },
	{ 'd', "duration", "SECONDS", "end after so long, without CMD; otherwise ^C ends", NULL },
	{ 'o', "output", "FILE", "write the trace to FILE; " TRACE_FILE, &record_command },
	{ 'o', "output", "FILE", "write the report to FILE", NULL },
	{ 'b', "buffer", "KB", "size of the trace buffer of each CPU; 4096", NULL },
	{ 'v', "verbose", NULL,
	  "show restarts, errors that the kernel handled, and each value", &why_command },
	{ 'v', "verbose", NULL, "show each value", NULL },
	{ COLOR, "color", "WHEN",
	  "always, never or auto: on a terminal, unless NO_COLOR is set", NULL },
	{ FOLDED, "folded", NULL, "stacks for flame graphs", NULL },
	{ JSON, "json", NULL, "the trace event format, for Perfetto and speedscope", NULL },
	{ HTML, "html", NULL, "a page with trees to fold and search", NULL },
	{ 'h', "help", NULL, "print this text", NULL },
};

static const char usage_text[] =
"usage: fgraph why    [OPTION...] CMD [ARG...]\n"
"       fgraph slow   [OPTION...] CMD [ARG...]\n"
"       fgraph top    [OPTION...]\n"
"       fgraph record [OPTION...] CMD [ARG...]\n"
"       fgraph report [OPTION...] [TRACE]\n"
"       in place of CMD: -p PID,... or -a; why: -i TRACE\n"
"\n"
"why: which system calls of CMD and its children failed, and in which function\n"
"slow: which of them took long, and where the time went\n"
"top: how often each function of the kernel is called, takes time, and fails\n"
"record: keep a trace in a file, report: print it\n"
"\n"
"fgraph COMMAND --help prints the options of a command, fgraph --version the version.\n"
"\n"
"The exit status is that of CMD; 125 if fgraph failed, 126 if CMD cannot be executed,\n"
"127 if it was not found.\n";

void show_usage(FILE *out, int status)
{
	fputs(usage_text, out);
	exit(status);
}

static bool applies(const struct option_info *info)
{
	return strchr(command->options, info->letter) &&
	       (!info->command || info->command == command);
}

/* The first row of a letter that applies */
static const struct option_info *find_info(char letter)
{
	size_t i;

	for (i = 0; i < sizeof(infos) / sizeof(*infos); i++)
		if (infos[i].letter == letter && applies(&infos[i]))
			return &infos[i];
	return NULL;
}

static void print_option(const struct option_info *info)
{
	char *name = print_text("--%s%s%s", info->name, info->value ? "=" : "",
				info->value ?: "");

	if (isalpha(info->letter))
		printf("  -%c, %-20s %s\n", info->letter, name, info->help);
	else
		printf("      %-20s %s\n", name, info->help);
	free(name);
}

static void __noreturn show_help(void)
{
	size_t i;

	printf("usage: fgraph %s [OPTION...]%s\n\n", command->name, command->operands);
	for (i = 0; i < sizeof(infos) / sizeof(*infos); i++)
		if (find_info(infos[i].letter) == &infos[i])
			print_option(&infos[i]);
	exit(0);
}

unsigned int parse_number(char option, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (!*text || *end || *text == '-' || !number || number > 1000000000)
		die("-%c %s: a number greater than 0 is needed", option, text);
	return number;
}

/* In upper case, and by the name that the kernel prints */
static char *parse_errors(const char *text)
{
	static const char *const aliases[][2] = {
		{ "EWOULDBLOCK", "EAGAIN" }, { "ENOTSUP", "EOPNOTSUPP" },
		{ "EDEADLOCK", "EDEADLK" },
	};
	char *copy = copy_text(text), *item, *rest, *longer, *list = copy_text("");
	size_t i;

	for (i = 0; copy[i]; i++)
		copy[i] = toupper((unsigned char)copy[i]);
	for (item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		for (i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
			if (!strcmp(item, aliases[i][0]))
				item = (char *)aliases[i][1];
		longer = print_text("%s%s%s", list, *list ? "," : "", item);
		free(list);
		list = longer;
	}
	free(copy);
	return list;
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

static double parse_seconds(const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds > 0 && seconds < 1e9))
		die("-d %s: a number greater than 0 is needed", text);
	return seconds;
}

static void parse_option(int option)
{
	switch (option) {
	case 'e':
		options.errors = parse_errors(optarg);
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
	case 'i':
		options.input = optarg;
		break;
	case 'd':
		options.seconds = parse_seconds(optarg);
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
	case COLOR:
		color = optarg;
		break;
	case FOLLOW:
		options.follow = true;
		break;
	case FOLDED:
		options.form = "folded";
		break;
	case JSON:
		options.form = "json";
		break;
	case HTML:
		options.form = "html";
		break;
	case 'h':
		show_help();
	}
}

static void check_options(void)
{
	if (command == &top_command && options.cmd)
		die("top is about the whole machine: see fgraph --help");
	if (command == &report_command && options.cmd && options.cmd[1])
		die("report takes one file: see fgraph report --help");
	if (command->run != run_trace)
		return;
	if (options.input && (options.cmd || options.all || options.pids))
		die("-i needs no command, -p or -a: the trace is in the file");
	if (!options.input && !!options.cmd + options.all + !!options.pids != 1)
		die("either a command, -p PID or -a is needed: see fgraph --help");
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

/* The short options, in the form that getopt_long() takes */
static char *make_short_options(void)
{
	struct text text;
	FILE *out = open_text(&text);
	const struct option_info *info;
	const char *letter;

	/* The options end where the command begins, and ":" tells a missing value apart. */
	fputs("+:", out);
	for (letter = command->options; *letter; letter++) {
		info = find_info(*letter);
		if (info && isalpha(*letter))
			fprintf(out, "%c%s", *letter, info->value ? ":" : "");
	}
	return close_text(&text);
}

static struct option *make_long_options(void)
{
	struct option *long_options = allocate((strlen(command->options) + 1) *
					       sizeof(*long_options));
	struct option *option = long_options;
	const struct option_info *info;
	const char *letter;

	for (letter = command->options; *letter; letter++) {
		info = find_info(*letter);
		if (!info)
			continue;
		option->name = info->name;
		option->has_arg = info->value ? required_argument : no_argument;
		option->val = *letter;
		option++;
	}
	return long_options;
}

static void __noreturn refuse_option(int result, const char *arg)
{
	/* One of several letters in an argument is known by its letter alone. */
	char *name = arg[0] == '-' && arg[1] == '-' ? copy_text(arg) : print_text("-%c", optopt);

	name[strcspn(name, "=")] = '\0';
	if (result == ':')
		die("%s needs a value: see fgraph %s --help", name, command->name);
	die("%s is no option of fgraph %s: see fgraph %s --help", name, command->name,
	    command->name);
}

void parse_options(int argc, char **argv)
{
	struct option *long_options = make_long_options();
	char *short_options = make_short_options();
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			refuse_option(option, argv[optind - 1]);
		parse_option(option);
	}
	free(short_options);
	free(long_options);
	if (optind < argc)
		options.cmd = argv + optind;
	check_options();
	want_color(color);
}
