/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The findings of a command. Equal findings are counted, and shown once.
 */
#ifndef FGRAPH_FINDING_H
#define FGRAPH_FINDING_H

#include <stdbool.h>
#include <stdio.h>

#include <sys/types.h>

#include "call.h"

/**
 * struct where - where something was found
 * @name:	the name of the thread
 * @tid:	its ID
 * @pid:	its process
 * @when:	when it was
 */
struct where {
	char		name[16];
	pid_t		tid;
	pid_t		pid;
	struct moment	when;
};

/* Where something in a call of a thread was found */
struct where where_of(const struct task *task, const struct moment *when);

/* How many different texts of equal findings are shown. One more says that there are more. */
#define MAX_TEXTS	10

/**
 * struct texts - the texts of an equal finding
 * @next:	those of another one
 * @text:	the texts
 */
struct texts {
	struct texts	*next;
	char		*text;
};

/**
 * struct finding - something that was found
 * @next:	the finding after it
 * @next_in_bucket: for the search
 * @brief:	a line about it
 * @where:	where the first one was
 * @details:	more lines, with their newlines, or NULL; with --json members of an object
 * @key:	what is the same in equal findings; NULL is @brief
 * @origin:	the function where the error came from, with its module, or NULL
 * @texts:	the different texts of equal findings, those of the first one first
 * @count:	how often it was found
 * @users:	how many tasks remember it
 * @newest:	the details are those of the last one
 * @in_full:	show the details
 * @decides:	it may be the reason of what the program did next: show it first
 * @shown:	it was printed
 */
struct finding {
	struct finding	*next, *next_in_bucket;
	char		*brief;
	struct where	where;
	char		*details;
	char		*key;
	char		*origin;
	struct texts	*texts;
	unsigned long	count;
	unsigned int	users;
	bool		newest;
	bool		in_full;
	bool		decides;
	bool		shown;
};

/* The finding with this key, or NULL */
struct finding *find_finding(const char *key);

/**
 * add_finding - count a finding
 * @brief:	a line about it; taken over
 * @where:	where it was
 * @details:	more lines, or NULL; taken over
 * @key:	findings with the same one are equal; NULL is @brief; taken over
 *
 * Findings take memory, so there is a limit. A trace without a command forgets the oldest one.
 * The report of a command is printed at the end: what is too much is counted.
 * With --by-process, findings of two processes are not equal.
 *
 * Return: the finding, or NULL if it is too much.
 */
struct finding *add_finding(char *brief, const struct where *where, char *details, char *key);

/* Let the details be those of the last one of equal findings. @details is taken over. */
void renew_finding(struct finding *finding, char *details);

/**
 * add_texts - remember texts in which equal findings differ
 * @finding:	the finding
 * @texts:	the texts, or "" if they are not known; taken over
 */
void add_texts(struct finding *finding, char *texts);

/* Let a task remember a finding, or NULL, in place of the one before. */
void set_failure(struct task *task, struct finding *finding);

/* Print a finding at once, unless that waits for the end of a command, or was done before. */
void show_finding(struct finding *finding);

/* Print a finding, with its details if it is to be shown in full. */
void print_finding(struct finding *finding);

/**
 * print_all_findings - print those that decide, then the others in full, then the rest
 * @title:	the line before the others
 *
 * With --by-process, those of each process together. With --json, in the order of the trace.
 */
void print_all_findings(const char *title);

/* Print those that were found more than once, without details. */
void print_repeated_findings(void);

/* The finding that is shown first: one that decides, or else the last one in full; or NULL */
const struct finding *find_answer(void);

/* How many findings were too much */
unsigned long count_left_out(void);

/* Print what is before the first finding in JSON, unless it was printed. */
void begin_json(void);

/* Print an object of JSON, with a comma before it unless it is the first one. */
void print_finding_in_json(const struct finding *finding);

#endif
