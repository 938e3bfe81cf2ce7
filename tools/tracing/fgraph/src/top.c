// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph top: a table of functions, how often they are called, how long they take, and how
 * often they fail. The function profiler of the kernel counts, and writes no trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "fgraph.h"
#include "guard.h"
#include "options.h"
#include "output.h"
#include "text.h"
#include "tracefs.h"
#include "util.h"

#define BUCKETS		4096

/* How many lines a terminal has that does not know */
#define LINES		24

/* How often the table refreshes */
#define INTERVAL_MS	1000

/**
 * struct function - a line of the table: the sums of all CPUs
 * @next:	another function
 * @name:	the function. The profiler shows at most 30 bytes.
 * @calls:	how often it was called
 * @ns:		how long its calls took
 * @errors:	how many of them returned an error
 * @last:	the last error, "-" if there was none
 */
struct function {
	struct function		*next;
	char			name[32];
	unsigned long long	calls;
	unsigned long long	ns;
	unsigned long long	errors;
	char			last[24];
};

static struct function *buckets[BUCKETS];
static struct function **table;
static size_t functions;
static bool counts_errors;
static volatile sig_atomic_t ended, stopped;
static bool has_keys;

static bool disable_profiler(void)
{
	write_file(tracefs_dir(), "function_profile_enabled", "0", 0);
	return true;
}

static void enable_profiler(void)
{
	char *enabled = read_file(tracefs_dir(), "function_profile_enabled");
	int error;

	if (!enabled)
		die("this kernel has no function profiler: it needs CONFIG_FUNCTION_PROFILER");
	if (*enabled != '0')
		die("the function profiler is in use: echo 0 >%s/function_profile_enabled ends it",
		    tracefs_path());
	free(enabled);
	start_guard(disable_profiler, tracefs_dir());
	error = write_file(tracefs_dir(), "function_profile_enabled", "1", 0);
	if (error)
		die("cannot start the function profiler: %s", strerror(error));
}

static struct function *find_function(const char *name)
{
	struct function **bucket = &buckets[hash_text(name) % BUCKETS], *function;

	for (function = *bucket; function; function = function->next)
		if (!strcmp(function->name, name))
			return function;
	function = allocate(sizeof(*function));
	strcpy(function->name, name);
	strcpy(function->last, "-");
	function->next = *bucket;
	*bucket = function;
	table = realloc(table, (functions + 1) * sizeof(*table));
	if (!table)
		die("out of memory");
	table[functions++] = function;
	return function;
}

/* "  vfs_statx     3    308.802 us      102.934 us      23857.27 us      3    ENOENT" */
static void add_profile_line(const char *line)
{
	unsigned long long calls, errors = 0;
	struct function *function;
	char name[32], last[24] = "-";
	double us;
	int n;

	n = sscanf(line, " %31s %llu %lf us %*f us %*f us %llu %23s", name, &calls, &us, &errors,
		   last);
	if (n < 3 || (options.glob && fnmatch(options.glob, name, 0)))
		return;
	counts_errors |= n == 5;
	function = find_function(name);
	function->calls += calls;
	function->ns += us * 1000 + 0.5;
	function->errors += errors;
	if (errors)
		strcpy(function->last, last);
}

/* Read the files of all CPUs. Return false if there is none. */
static bool read_profile(void)
{
	char *file, *text, *line, *rest;
	unsigned int cpu;
	size_t i;

	for (i = 0; i < functions; i++) {
		table[i]->calls = 0;
		table[i]->ns = 0;
		table[i]->errors = 0;
	}
	for (cpu = 0; ; cpu++) {
		file = print_text("trace_stat/function%u", cpu);
		text = read_file(tracefs_dir(), file);
		free(file);
		if (!text)
			return cpu;
		for (line = strtok_r(text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			add_profile_line(line);
		free(text);
	}
}

static int compare_numbers(unsigned long long a, unsigned long long b)
{
	return (a < b) - (a > b);
}

/* The largest number first. Functions of which it is the same are in the order of calls. */
static int compare_functions(const void *p, const void *q)
{
	const struct function *a = *(struct function *const *)p;
	const struct function *b = *(struct function *const *)q;
	int order = 0;

	if (options.sort == 't')
		order = compare_numbers(a->ns, b->ns);
	else if (options.sort == 'e')
		order = compare_numbers(a->errors, b->errors);
	return order ?: compare_numbers(a->calls, b->calls) ?: strcmp(a->name, b->name);
}

static void print_head(void)
{
	const char *sorted = "calls";

	if (options.sort == 't')
		sorted = "time";
	else if (options.sort == 'e')
		sorted = "errors";
	fprintf(options.report, "%s%-30s %12s %12s %10s  %s%s\n", bold(), "FUNCTION", "CALLS",
		"TIME", "ERRORS", "LAST ERROR", plain());
	if (has_keys)
		fprintf(options.report,
			"%ssorted by %s; keys: c calls, t time, e errors, q quit%s\n", dim(),
			sorted, plain());
}

static void print_function(const struct function *function)
{
	fprintf(options.report, "%-30s %12llu ", function->name, function->calls);
	print_ns_column(options.report, 12, function->ns);
	fputc(' ', options.report);
	if (!counts_errors)
		fprintf(options.report, "%10s  %s\n", "-", "-");
	else if (function->errors)
		fprintf(options.report, "%s%10llu  %s%s\n", red(), function->errors,
			function->last, plain());
	else
		fprintf(options.report, "%10s  %s\n", "0", "-");
}

static void print_table(size_t lines)
{
	size_t i;

	qsort(table, functions, sizeof(*table), compare_functions);
	print_head();
	for (i = 0; i < functions && i < lines; i++)
		if (table[i]->calls || table[i]->ns)
			print_function(table[i]);
	fflush(options.report);
}

/* On a terminal */
static void refresh(void)
{
	struct winsize size = { .ws_row = LINES };

	read_profile();
	ioctl(fileno(options.report), TIOCGWINSZ, &size);
	fputs("\033[H\033[J", options.report);
	print_table(size.ws_row > 4 ? size.ws_row - 4 : 1);
}

static void handle_end(int signal)
{
	(void)signal;
	ended = true;
}

/* Keys count at once, and are not shown. */
static void set_terminal(const struct termios *before)
{
	struct termios keys = *before;

	keys.c_lflag &= ~(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

static void handle_stop(int signal)
{
	(void)signal;
	stopped = true;
}

/* ^Z: the shell gets its terminal as it was. */
static void stop(const struct termios *before)
{
	tcsetattr(STDIN_FILENO, TCSANOW, before);
	raise(SIGSTOP);
	stopped = false;
	set_terminal(before);
}

static void handle_key(void)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) != 1 || key == 'q')
		ended = true;
	else if (strchr("cte", key))
		options.sort = key;
}

/* @before is NULL without a terminal. */
static void show_tables(const struct termios *before)
{
	struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec began;

	clock_gettime(CLOCK_MONOTONIC, &began);
	while (!ended && (!options.seconds || seconds_since(&began) < options.seconds)) {
		if (before)
			refresh();
		if (poll(&keys, !!before, INTERVAL_MS) == 1)
			handle_key();
		if (before && stopped)
			stop(before);
	}
}

static int run_top(void)
{
	struct sigaction end = { .sa_handler = handle_end };
	struct sigaction stop_signal = { .sa_handler = handle_stop };
	struct termios before;
	bool terminal;

	open_report(stdout);
	terminal = isatty(fileno(options.report)) && !tcgetattr(STDIN_FILENO, &before);
	has_keys = terminal;
	open_tracefs();
	if (options.glob && !function_exists(options.glob))
		die("-f %s: no function that can be traced has this name", options.glob);
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	/* A caller that ignores it, such as nohup, wants the table to go on. */
	if (signal(SIGHUP, SIG_IGN) != SIG_IGN)
		sigaction(SIGHUP, &end, NULL);
	sigaction(SIGQUIT, &end, NULL);
	if (terminal)
		sigaction(SIGTSTP, &stop_signal, NULL);
	enable_profiler();
	keep_report();
	if (terminal)
		set_terminal(&before);
	show_tables(terminal ? &before : NULL);
	if (terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	else if (read_profile())
		print_table(options.lines);
	finish_report();
	return 0;
}

static void check_top(void)
{
	if (options.cmd)
		die("top is about the whole machine: see fgraph --help");
}

static void set_column(const char *name)
{
	if (strcmp(name, "calls") && strcmp(name, "time") && strcmp(name, "errors"))
		die("-s %s: must be calls, time or errors", name);
	options.sort = *name;
}

static void set_lines(const char *text)
{
	options.lines = parse_number('n', text);
}

static const struct option_row glob_option = {
	'f', "functions", "GLOB", "show functions whose name matches GLOB", .text = &options.glob,
};

static const struct option_row sort_option = {
	's', "sort", "COLUMN", "sort by calls, time or errors; default errors", .use = set_column,
};

static const struct option_row seconds_option = {
	'd', "duration", "SECONDS", "stop after SECONDS; otherwise ^C stops", .use = set_seconds,
};

static const struct option_row lines_option = {
	'n', "lines", "LINES", "print LINES lines if not on a terminal; default 20",
	.use = set_lines,
};

static const struct option_row *const top_options[] = {
	&glob_option, &sort_option, &lines_option, &seconds_option, &output_option,
	&color_option, NULL
};

const struct command top_command = {
	.name		= "top",
	.options	= top_options,
	.operands	= "",
	.check		= check_top,
	.run		= run_top,
};
