// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph diff: where a run that fails parts from one that works.
 *
 * The runs are files of record. With --good and --bad, two commands are run, and recorded to
 * files without a name. What differs between several runs of one side is chance.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diff_form.h"
#include "difference.h"
#include "fgraph.h"
#include "options.h"
#include "output.h"
#include "signals.h"
#include "util.h"

static const char *commands[2];
static const char *const sides[] = { "good", "bad" };
static unsigned int nr_runs = 1;

/* In a process of its own, which ends with its parent */
static void __noreturn record_and_exit(const char *command, int fd, pid_t parent)
{
	char **cmd = allocate(4 * sizeof(*cmd));

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* The report is alone on the standard output. */
	if (getppid() != parent || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(EXIT_FGRAPH);
	cmd[0] = "sh";
	cmd[1] = "-c";
	cmd[2] = (char *)command;
	options.cmd = cmd;
	options.file = print_text("/proc/self/fd/%d", fd);
	options.quiet = true;
	exit(record_command.run());
}

/* Run a command, and keep its trace in a file. Return the status of the process that did it. */
static int record(const char *command, FILE *file)
{
	pid_t pid, self = getpid();
	int status;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("cannot start a process: %s", strerror(errno));
	if (!pid)
		record_and_exit(command, fileno(file), self);
	if (waitpid(pid, &status, 0) != pid)
		die("a process was lost: %s", strerror(errno));
	return status;
}

/* The first run of a side is compared with the other side. Others show what is chance in it. */
static void add_run(struct forest **forest, struct forest *run)
{
	if (!*forest) {
		*forest = run;
		return;
	}
	complain_about_recording(&run->recording, true);
	mark_chance(&(struct runs){ *forest, run });
	free_forest(run);
}

static struct forest *run_command(int side)
{
	FILE *file = tmpfile();
	struct forest *run;
	int status;
	char *name;

	if (!file)
		die("cannot create a temporary file: %s", strerror(errno));
	status = record(commands[side], file);
	/* It failed, which it said, or a signal ended it. */
	if (fseek(file, 0, SEEK_END) || !ftell(file))
		exit(end_as(status));
	name = print_text("/proc/self/fd/%d", fileno(file));
	run = read_forest(name);
	if (!run->recording.complete)
		exit(end_as(status));
	fclose(file);
	free(name);
	run->recording.name = sides[side];
	free(run->recording.command);
	run->recording.command = copy_text(commands[side]);
	return run;
}

/* The machine changes: runs of both sides alternate. */
static struct runs run_commands(void)
{
	struct runs runs = { NULL, NULL };
	unsigned int i;

	for (i = 0; i < nr_runs; i++) {
		add_run(&runs.good, run_command(0));
		add_run(&runs.bad, run_command(1));
	}
	return runs;
}

/* Read files, with a comma between their names. */
static struct forest *read_files(const char *names)
{
	char *list = copy_text(names), *rest = list, *name;
	struct forest *forest = NULL;

	while ((name = strsep(&rest, ",")))
		add_run(&forest, read_forest(name));
	return forest;
}

static struct runs read_runs(void)
{
	return (struct runs){ read_files(options.cmd[0]), read_files(options.cmd[1]) };
}

static int run_diff(void)
{
	struct differences differences;
	struct runs runs = commands[0] ? run_commands() : read_runs();

	open_report(stdout);
	differences = find_differences(&runs);
	if (options.json)
		print_diff_json(&runs, &differences);
	else if (options.html)
		print_diff_html(&runs, &differences);
	else
		print_diff_text(&runs, &differences);
	finish_report();
	keep_report();
	complain_about_recording(&runs.good->recording, true);
	complain_about_recording(&runs.bad->recording, true);
	return 0;
}

static void check_diff(void)
{
	if (!commands[0] != !commands[1])
		die("--good and --bad need each other");
	if (commands[0] && options.cmd)
		die("--good and --bad take the place of files");
	if (!commands[0] && (nr_runs > 1 || options.user))
		die("--runs and -u need --good and --bad");
	if (!commands[0] && (!options.cmd || !options.cmd[1] || options.cmd[2]))
		die("diff takes two files of fgraph record: see fgraph diff --help");
	if (options.json && options.html)
		die("--json and --html exclude each other");
}

static void set_runs(const char *text)
{
	nr_runs = parse_number('n', text);
}

static const struct option_row good_option = {
	0, "good", "CMD", "run CMD, a line for the shell, as the good run", .text = &commands[0],
};

static const struct option_row bad_option = {
	0, "bad", "CMD", "run CMD as the bad run", .text = &commands[1],
};

static const struct option_row runs_option = {
	'n', "runs", "N", "run both N times, and leave out what differs by chance; default 1",
	.use = set_runs,
};

static const struct option_row verbose_option = {
	'v', "verbose", NULL, "show all that differs, and each value as the trace has it",
	.flag = &options.verbose,
};

static const struct option_row json_option = {
	0, "json", NULL, "print an object of JSON", .flag = &options.json,
};

static const struct option_row html_option = {
	0, "html", NULL, "print a page with two columns", .flag = &options.html,
};

static const struct option_row *const diff_options[] = {
	&good_option, &bad_option, &runs_option, &verbose_option, &user_option, &output_option,
	&json_option, &html_option, &buffer_option, &color_option, NULL
};

const struct command diff_command = {
	.name		= "diff",
	.options	= diff_options,
	.operands	= " GOOD[,GOOD...] BAD[,BAD...]",
	.check		= check_diff,
	.run		= run_diff,
};
