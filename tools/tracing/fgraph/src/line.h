/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of the trace of function_graph, with the columns funcgraph-proc and
 * funcgraph-duration, with or without funcgraph-abstime. Its form is that of the section "A
 * line as a regular expression" in Documentation/trace/fgraph.rst.
 *
 *	LINE_ENTRY	cat-57  |               |  vfs_read(count=10) { / * <-ksys_read+0x6b/0xd * /
 *	LINE_LEAF	cat-57  |     1.228 us  |    rw_verify_area(); / * ret=0 * /
 *	LINE_RETURN	cat-57  |    12.105 us  |  } / * vfs_read ret=-5 (EIO) * /
 *	LINE_EVENT	cat-57  |               |  / * sys_exit_group(error_code: 1) * /
 *	LINE_LOST	CPU:0 [LOST 4711 EVENTS]
 */
#ifndef FGRAPH_LINE_H
#define FGRAPH_LINE_H

#include <stdbool.h>
#include <sys/types.h>

enum line_kind { LINE_OTHER, LINE_ENTRY, LINE_LEAF, LINE_RETURN, LINE_EVENT, LINE_LOST };

/**
 * struct line - a line of a trace
 * @kind:	what it contains
 * @task:	name of the task, at most 7 bytes
 * @pid:	thread ID of the task
 * @depth:	how many calls enclose it
 * @time_us:	when it was called or returned, in the clock of the trace; with funcgraph-abstime
 * @ns:		duration of the call; of a leaf and a return
 * @slept_ns:	how long the task slept in the call, if the trace contains it
 * @func:	function, with its module
 * @args:	arguments, separated by a comma and a space; NULL if not known
 * @caller:	the return address, as the kernel prints it; NULL if the trace contains none
 * @ret:	result, NULL if there is none; also the text of an event
 * @results:	members that were read at the return, with a space between them; NULL if there
 *		are none
 * @repeated:	the entry occurred before
 * @missed:	calls in this one were not recorded
 * @lost:	how many events were lost; 1 if the trace contains no number
 *
 * The strings are parts of the text that was parsed.
 */
struct line {
	enum line_kind		kind;
	char			*task;
	pid_t			pid;
	unsigned int		depth;
	unsigned long long	time_us;
	unsigned long long	ns;
	unsigned long long	slept_ns;
	char			*func;
	char			*args;
	char			*caller;
	char			*ret;
	char			*results;
	bool			repeated;
	bool			missed;
	unsigned long		lost;
};

/**
 * parse_line - find the parts of a line
 * @text:	the line without its newline; is cut into parts
 * @line:	is filled in
 *
 * A line of another form has the kind LINE_OTHER.
 */
void parse_line(char *text, struct line *line);

/*
 * Return true if a line is one of the head of a trace, is between the lines of two tasks, or
 * marks an interrupt.
 */
bool says_nothing(const char *text);

/* Return true if a line is an event whose text begins with @begin. */
bool is_event(const struct line *line, const char *begin);

#endif
