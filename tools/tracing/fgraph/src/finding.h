/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The findings of a command. Equal findings are counted, and shown once.
 */
#ifndef FGRAPH_FINDING_H
#define FGRAPH_FINDING_H

#include <stdbool.h>
#include <stdio.h>

struct task;

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
 * @where:	the task and the duration of the first one, for the end of the line
 * @details:	more lines, with their newlines, or NULL
 * @key:	what is the same in equal findings; NULL is @brief
 * @texts:	the different texts of equal findings, those of the first one first
 * @count:	how often it was found
 * @users:	how many tasks remember it
 * @in_full:	show the details
 * @decides:	it may be the reason of what the program did next: show it first
 * @shown:	it was printed
 */
struct finding {
	struct finding	*next, *next_in_bucket;
	char		*brief;
	char		*where;
	char		*details;
	char		*key;
	struct texts	*texts;
	unsigned long	count;
	unsigned int	users;
	bool		in_full;
	bool		decides;
	bool		shown;
};

/* The finding with this key, or NULL */
struct finding *find_finding(const char *key);

/**
 * add_finding - count a finding
 * @brief:	a line about it; taken over
 * @where:	the task and the duration; taken over
 * @details:	more lines, or NULL; taken over
 * @key:	findings with the same one are equal; NULL is @brief; taken over
 *
 * Findings take memory, so there is a limit. A trace without a command forgets the oldest one.
 * The report of a command is printed at the end: what is too much is counted.
 *
 * Return: the finding, or NULL if it is too much.
 */
struct finding *add_finding(char *brief, char *where, char *details, char *key);

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
 */
void print_all_findings(const char *title);

/* Print those that were found more than once, without details. */
void print_repeated_findings(void);

#endif
