/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fgraph: what its commands share.
 */
#ifndef FGRAPH_H
#define FGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#define __noreturn	__attribute__((noreturn))
#define __printf(a, b)	__attribute__((format(printf, a, b)))

/* The version, which changes when the form of what is printed does */
#define FGRAPH_VERSION	"1.0"

/*
 * The exit statuses of env and timeout: the program itself failed, CMD cannot be executed, CMD
 * was not found
 */
#define EXIT_FGRAPH	125
#define EXIT_NO_EXEC	126
#define EXIT_NOT_FOUND	127

/**
 * struct options - what the user wants
 * @cmd:	what to run, or NULL with @all or @pids
 * @user:	who runs it, or NULL for the caller
 * @input:	a file that record kept, to use in place of a trace, or NULL
 * @all:	trace all processes
 * @pids:	processes to trace, numbers with a comma between them, or NULL
 * @follow:	go on after @cmd ended, until all that it started ended
 * @seconds:	when to end with @all or @pids; 0 is never
 * @errors:	error names or numbers to show in full, with a comma between them, or NULL
 * @glob:	failures in functions of this name are shown in full; or NULL
 * @threshold:	how long a slow call takes, as set_graph_keep understands it
 * @verbose:	show all that was recorded
 * @color:	use colours
 * @buffer_kb:	size of the trace buffer of each CPU, in KiB
 * @report:	where the findings go
 * @file:	the name of the file that @report is, or NULL
 * @rules:	rules of set_graph_keep, with newlines, for record
 * @form:	form of a report: text, folded, json or html
 * @sort:	column of the table of top: c, t or e
 * @lines:	how many lines it has
 */
struct options {
	char		**cmd;
	const char	*user;
	const char	*input;
	bool		all;
	const char	*pids;
	bool		follow;
	double		seconds;
	const char	*errors;
	const char	*glob;
	const char	*threshold;
	bool		verbose;
	bool		color;
	unsigned int	buffer_kb;
	FILE		*report;
	const char	*file;
	const char	*rules;
	const char	*form;
	char		sort;
	unsigned int	lines;
};

struct line;

/**
 * struct command - a command of fgraph
 * @name:	its name
 * @options:	its options, see options.c
 * @operands:	what follows them
 * @run:	do it. Return the exit status. The others are for run_trace().
 * @needs_times: the lines of the trace have times
 * @write_rules: write to set_graph_keep what the instance keeps
 * @add_text:	use the text of a line of the trace
 * @add_line:	use a line of the trace; one of both may be NULL
 * @cmd_ended:	use the status of the command that was run, as from waitpid()
 * @report:	print what is left to print
 */
struct command {
	const char	*name;
	const char	*options;
	const char	*operands;
	int		(*run)(void);
	bool		needs_times;
	void		(*write_rules)(void);
	void		(*add_text)(const char *text);
	void		(*add_line)(const struct line *line);
	void		(*cmd_ended)(pid_t pid, int status);
	void		(*report)(void);
};

extern const struct command why_command, slow_command, top_command, record_command,
			    report_command;
extern const struct command *command;
extern struct options options;

/* Let this process have the signals of the caller of fgraph. */
void restore_signals(void);

/* Trace what the user wants to be traced, until its end. Return the exit status. */
int run_trace(void);

/* Set options. Ends the program with a message if they are wrong. */
void parse_options(int argc, char **argv);

/* Open the report. A file is created beside the one that it replaces. */
void open_report(void);

/* Let the file of the report, which may grow still, replace the one that was there. */
void keep_report(void);

/* Decide whether the report has colours. */
void set_color(void);

/* A number that is greater than 0, of an option */
unsigned int parse_number(char option, const char *text);

__noreturn void show_usage(FILE *out, int status);

/* Print "fgraph: " and the text to stderr, and end with EXIT_FGRAPH. */
__noreturn void die(const char *format, ...) __printf(1, 2);

/* Clear the line that shows the progress on a terminal. */
void clear_progress(void);

/* Print "fgraph: " and the text to stderr. */
void complain(const char *format, ...) __printf(1, 2);

/* Memory that is zero; copies. They end the program if there is none. */
void *allocate(size_t size);
char *copy_text(const char *text);
char *print_text(const char *format, ...) __printf(1, 2);

/* A hash of a text, for tables of any size */
unsigned int hash_text(const char *text);

/* Return true if @list, which ends with NULL, contains @text. */
bool is_in_list(const char *const *list, const char *text);

struct timespec;

/* How many seconds passed since a time of CLOCK_MONOTONIC */
double seconds_since(const struct timespec *start);

#endif
