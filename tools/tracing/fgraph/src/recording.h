/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that record kept.
 */
#ifndef FGRAPH_RECORDING_H
#define FGRAPH_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct recording - what a file says about its trace
 * @name:	the name of the file
 * @kernel:	the kernel that was traced, or NULL if the file does not say
 * @host:	the name of the machine, or NULL
 * @date:	when the trace began, as in ISO 8601, or NULL
 * @command:	the command that was traced; "" if there was none
 * @pid:	its process, or 0 if the file does not say
 * @status:	its status, as from waitpid()
 * @lost:	how many events were lost
 * @damaged:	how many lines cannot be lines of a trace
 * @complete:	the file has an end
 * @partial:	rules left calls out
 */
struct recording {
	const char	*name;
	char		*kernel;
	char		*host;
	char		*date;
	char		*command;
	pid_t		pid;
	int		status;
	unsigned long	lost;
	unsigned long	damaged;
	bool		complete;
	bool		partial;
};

/**
 * read_recording - read a file of record, or a trace that the kernel printed
 * @recording:	is filled in. When @use is called, it has what comes before the line.
 * @name:	its name; "-" is the standard input
 * @use:	is called with each line of the trace. Returns false if it cannot be one.
 *
 * The file is read once, so a large one takes little memory. Ends the program if it is
 * another file.
 */
void read_recording(struct recording *recording, const char *name, bool (*use)(char *text));

struct call;
struct task;

/**
 * read_calls - read the calls of a file of record
 * @recording:	is filled in
 * @name:	its name; "-" is the standard input
 * @use:	is called with each call that returned and that no other one encloses
 *
 * Idle tasks are left out: each CPU has one, and all have the number 0.
 */
void read_calls(struct recording *recording, const char *name,
		void (*use)(struct task *task, const struct call *root));

/* Complain about what is missing in a file. Damaged lines were left out, or were used. */
void complain_about_recording(const struct recording *recording, bool left_out);

#endif
