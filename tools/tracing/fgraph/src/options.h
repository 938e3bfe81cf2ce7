/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of the commands. Each command has a table of rows: those that it shares with
 * others are here, and what only one command has is beside that.
 */
#ifndef FGRAPH_OPTIONS_H
#define FGRAPH_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

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
 * @only:	the only failures to show, see select.h, or NULL
 * @glob:	failures in functions of this name are shown in full; or NULL
 * @threshold:	how long a slow call takes, as set_graph_keep understands it
 * @timestamps:	show when a system call began
 * @by_process:	show the findings of each process together
 * @verbose:	show all that was recorded
 * @when_color:	when to use colours: always, never or auto
 * @color:	use colours
 * @buffer_kb:	size of the trace buffer of each CPU, in KiB
 * @live:	the trace goes on: tracefs and /proc are about it
 * @report:	where the findings go
 * @file:	the name of the file that @report is, or NULL
 * @rules:	rules of set_graph_keep, with newlines, for record
 * @shows:	members to show: lines of set_graph_show, or NULL
 * @json:	report in JSON
 * @folded:	report stacks
 * @html:	report a page
 * @quiet:	do not say what is in the file
 * @in:	the function whose statements get probes, with its module, or NULL
 * @is_named:	the user named it
 * @again:	how often the command is run again
 * @source:	directory of the kernel's source, or NULL
 * @lines_dir:	directory with tables of source lines, or NULL
 * @boot:	use the trace of the boot
 * @roots:	functions where chains begin, globs with a comma between them; NULL: system calls
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
	const char	*only;
	const char	*glob;
	const char	*threshold;
	bool		timestamps;
	bool		by_process;
	bool		verbose;
	const char	*when_color;
	bool		color;
	unsigned int	buffer_kb;
	bool		live;
	FILE		*report;
	const char	*file;
	const char	*rules;
	const char	*shows;
	bool		json;
	bool		folded;
	bool		html;
	bool		quiet;
	const char	*in;
	bool		is_named;
	unsigned int	again;
	const char	*source;
	const char	*lines_dir;
	bool		boot;
	const char	*roots;
	char		sort;
	unsigned int	lines;
};

extern struct options options;

/**
 * struct option_row - an option of a command
 * @letter:	its short form, or 0
 * @name:	its long form
 * @value:	what its value is, NULL if it has none
 * @help:	what it does
 * @text:	where its value is stored, or NULL
 * @flag:	what becomes true, or NULL
 * @use:	uses its value, or NULL; ends the program with a message if it is wrong
 */
struct option_row {
	char		letter;
	const char	*name;
	const char	*value;
	const char	*help;
	const char	**text;
	bool		*flag;
	void		(*use)(const char *value);
};

/* Options of several commands */
extern const struct option_row roots_option, errors_option, functions_option, only_option,
			       user_option, pid_option, all_option, input_option, follow_option,
			       duration_option, output_option, buffer_option, timestamps_option,
			       color_option, show_option;

/**
 * struct command - a command of fgraph
 * @name:	its name
 * @options:	its rows, NULL at the end
 * @operands:	what follows them, with a space before it
 * @check:	end the program with a message if the options do not fit together
 * @run:	do it, and return the exit status
 */
struct command {
	const char			*name;
	const struct option_row *const	*options;
	const char			*operands;
	void				(*check)(void);
	int				(*run)(void);
};

/* Set options. Ends the program with a message if they are wrong. */
void parse_options(const struct command *command, int argc, char **argv);

/* For @check of a command that traces: there is one thing to trace. */
void check_targets(void);

/* Decide whether the report has colours. */
void set_color(void);

/* The name by which the kernel prints an error: EAGAIN for EWOULDBLOCK */
const char *find_error(const char *name);

/* Use the value of -d. */
void set_seconds(const char *text);

/* A number that is greater than 0, of an option */
unsigned int parse_number(char option, const char *text);

#endif
