// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "stream.h"
#include "util.h"

struct options options = {
	.threshold = "1ms", .buffer_kb = 4096, .sort = 'e', .lines = 20, .again = 1,
	.when_color = "auto",
};

unsigned int parse_number(char option, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (!*text || *end || *text == '-' || !number || number > 1000000000)
		die("-%c %s: must be a positive integer", option, text);
	return number;
}

const char *find_error(const char *name)
{
	static const char *const aliases[][2] = {
		{ "EWOULDBLOCK", "EAGAIN" }, { "ENOTSUP", "EOPNOTSUPP" },
		{ "EDEADLOCK", "EDEADLK" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(name, aliases[i][0]))
			return aliases[i][1];
	return name;
}

/* In upper case, and by the name that the kernel prints */
static void set_errors(const char *text)
{
	char *copy = copy_text(text), *item, *rest, *longer, *list = copy_text("");
	size_t i;

	for (i = 0; copy[i]; i++)
		copy[i] = toupper((unsigned char)copy[i]);
	for (item = strtok_r(copy, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		longer = print_text("%s%s%s", list, *list ? "," : "", find_error(item));
		free(list);
		list = longer;
	}
	free(copy);
	options.errors = list;
}

void set_seconds(const char *text)
{
	char *end;

	options.seconds = strtod(text, &end);
	if (end == text || *end || !(options.seconds > 0 && options.seconds < 1e9))
		die("-d %s: must be a positive number of seconds", text);
}

static void set_buffer(const char *text)
{
	options.buffer_kb = parse_number('b', text);
}

static bool want_color(void)
{
	const char *no_color = getenv("NO_COLOR");

	if (!strcmp(options.when_color, "always"))
		return true;
	if (!strcmp(options.when_color, "never"))
		return false;
	if (strcmp(options.when_color, "auto"))
		die("--color=%s: must be always, never or auto", options.when_color);
	return options.report && isatty(fileno(options.report)) && !(no_color && *no_color);
}

void set_color(void)
{
	options.color = !options.json && want_color();
}

const struct option_row errors_option = {
	'e', "errors", "ERROR,...", "show failures with these errors in full, such as ENOENT",
	.use = set_errors,
};

const struct option_row functions_option = {
	'f', "functions", "GLOB",
	"show failures in full if a function or system call matches GLOB",
	.text = &options.glob,
};

const struct option_row only_option = {
	0, "only", "WORD,...", "show only failures with these errors, system calls or paths",
	.text = &options.only,
};

const struct option_row roots_option = {
	'r', "roots", "GLOB,...", "begin at functions that match GLOB, not at system calls",
	.text = &options.roots,
};

/* There may be several, each a line. */
static void add_show(const char *text)
{
	options.shows = print_text("%s%s\n", options.shows ?: "", text);
}

const struct option_row show_option = {
	0, "show", "LINE",
	"show members behind pointers, by a LINE of set_graph_show; may be repeated",
	.use = add_show,
};

const struct option_row user_option = {
	'u', "user", "USER", "run CMD as USER", .text = &options.user,
};

const struct option_row pid_option = {
	'p', "pid", "PID,...", "trace running processes, with their threads and new children",
	.text = &options.pids,
};

const struct option_row all_option = {
	'a', "all", NULL, "trace the whole machine", .flag = &options.all,
};

const struct option_row input_option = {
	'i', "input", "TRACE", "read TRACE, which fgraph record wrote, best with -k error",
	.text = &options.input,
};

const struct option_row follow_option = {
	0, "follow", NULL, "trace until all processes that CMD started have ended, or ^C",
	.flag = &options.follow,
};

const struct option_row duration_option = {
	'd', "duration", "SECONDS", "stop after SECONDS, with -p or -a; otherwise ^C stops",
	.use = set_seconds,
};

const struct option_row output_option = {
	'o', "output", "FILE", "write the report to FILE", .text = &options.file,
};

const struct option_row buffer_option = {
	'b', "buffer", "KB",
	"size of the trace buffer of each CPU, in KiB; default 4096",
	.use = set_buffer,
};

const struct option_row timestamps_option = {
	'T', "timestamps", NULL, "show when a system call began, in seconds of the trace clock",
	.flag = &options.timestamps,
};

const struct option_row color_option = {
	0, "color", "WHEN", "always, never or auto: on a terminal, unless NO_COLOR is set",
	.text = &options.when_color,
};

static const struct option_row help_option = {
	'h', "help", NULL, "print this text", .text = NULL,
};

static void print_option(const struct option_row *row)
{
	char *name = print_text("--%s%s%s", row->name, row->value ? "=" : "", row->value ?: "");

	if (row->letter)
		printf("  -%c, %-20s %s\n", row->letter, name, row->help);
	else
		printf("      %-20s %s\n", name, row->help);
	free(name);
}

static void __noreturn show_help(const struct command *command)
{
	size_t i;

	printf("usage: fgraph %s [OPTION...]%s\n\n", command->name, command->operands);
	for (i = 0; command->options[i]; i++)
		print_option(command->options[i]);
	print_option(&help_option);
	exit(0);
}

void check_targets(void)
{
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
	if (options.input && options.shows)
		die("--show needs a trace of its own, not -i");
}

/* The short options, in the form that getopt_long() takes */
static char *make_short_options(const struct option_row *const *row)
{
	struct text text;
	FILE *out = open_text(&text);

	/* The options end where the command begins, and ":" tells a missing value apart. */
	fputs("+:h", out);
	for (; *row; row++)
		if ((*row)->letter)
			fprintf(out, "%c%s", (*row)->letter, (*row)->value ? ":" : "");
	return close_text(&text);
}

/* getopt_long() returns LONG_OPTION and the index of the row for a long option. */
#define LONG_OPTION	256

static struct option *make_long_options(const struct option_row *const *rows)
{
	struct option *long_options;
	size_t count;

	for (count = 0; rows[count]; count++)
		;
	long_options = allocate((count + 2) * sizeof(*long_options));
	long_options[count].name = help_option.name;
	long_options[count].val = help_option.letter;
	while (count--) {
		long_options[count].name = rows[count]->name;
		long_options[count].has_arg = rows[count]->value ? required_argument :
								   no_argument;
		long_options[count].val = LONG_OPTION + count;
	}
	return long_options;
}

static const struct option_row *find_row(const struct option_row *const *rows, int option)
{
	if (option >= LONG_OPTION)
		return rows[option - LONG_OPTION];
	while ((*rows)->letter != option)
		rows++;
	return *rows;
}

static void use_option(const struct option_row *row, const char *value)
{
	if (row->text)
		*row->text = value;
	if (row->flag)
		*row->flag = true;
	if (row->use)
		row->use(value);
}

/* @arg is the argument before the next one, whose option getopt_long() refuses with @result. */
static void __noreturn refuse_option(const struct command *command, int result, const char *arg)
{
	/* A letter is known alone: @arg is before its argument while letters follow it. */
	bool is_letter = optopt && optopt < LONG_OPTION && optopt != help_option.letter;
	char *name = is_letter ? print_text("'-%c'", optopt) :
				 print_text("'%.*s'", (int)strcspn(arg, "="), arg);

	if (result == '?' && !is_letter && optopt)
		die("option %s takes no value: see fgraph %s --help", name, command->name);
	if (result == ':')
		die("option %s requires an argument: see fgraph %s --help", name, command->name);
	die("unrecognized option %s: see fgraph %s --help", name, command->name);
}

void parse_options(const struct command *command, int argc, char **argv)
{
	struct option *long_options = make_long_options(command->options);
	char *short_options = make_short_options(command->options);
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			refuse_option(command, option, argv[optind - 1]);
		if (option == help_option.letter)
			show_help(command);
		use_option(find_row(command->options, option), optarg);
	}
	free(short_options);
	free(long_options);
	if (optind < argc)
		options.cmd = argv + optind;
	want_color();
	command->check();
}
