/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way through a trace, of a command that runs or of a file that record kept.
 */
#ifndef FGRAPH_SESSION_H
#define FGRAPH_SESSION_H

#include <stdbool.h>
#include <sys/types.h>

struct line;

/**
 * struct question - what a command asks of a trace
 * @needs_times: the lines of the trace have times
 * @needs_callers: return true if they have return addresses, or NULL
 * @write_rules: write to set_graph_keep what the instance keeps
 * @add_text:	use the text of a line of the trace
 * @add_line:	use a line of the trace; this or @add_text may be NULL
 * @is_answered: return true if a trace without a command may end, or NULL
 * @cmd_ended:	use the status of the command that was run, as from waitpid(), or NULL
 * @report:	print what is left to print
 */
struct question {
	bool		needs_times;
	bool		(*needs_callers)(void);
	void		(*write_rules)(void);
	void		(*add_text)(const char *text);
	void		(*add_line)(const struct line *line);
	bool		(*is_answered)(void);
	void		(*cmd_ended)(pid_t pid, int status);
	void		(*report)(void);
};

/* Trace what the user wants to be traced, until its end. Return the exit status. */
int run_trace(const struct question *question);

/* How many events of the trace were lost so far */
unsigned long lost_events(void);

#endif
