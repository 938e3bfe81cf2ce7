/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text about a system call that failed: the chain of its error, see chain.h.
 */
#ifndef FGRAPH_EXPLAIN_H
#define FGRAPH_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

struct call;
struct task;

/**
 * print_chain - print a call, and those in it that returned the same error
 * @out:	where to
 * @call:	the first one
 * @args:	print the arguments of the last one, and the texts of the others
 *
 * Return: the last one.
 */
const struct call *print_chain(FILE *out, const struct call *call, bool args);

/* Lines about the functions that returned the error of a system call, or NULL */
char *describe_chain(const struct call *root, bool args);

/* Print the thread that queued what a task of the kernel does, if it is known. */
void print_client(FILE *out, const struct task *task);

/* The same lines, what the kernel logged in the system call, and the thread */
char *describe_failure(const struct task *task, const struct call *root);

/* Members of a JSON object with the same content; the first one has no comma before it. */
char *describe_failure_in_json(const struct task *task, const struct call *root);

/* Members about a failed request in a system call, or about a call whose error was handled */
char *describe_call_in_json(const struct task *task, const char *name, const struct call *root,
			    const struct call *call);

/*
 * The functions of the chain that got texts, with the texts. In which of them a text of the
 * program could be read depends on the state of its page.
 */
char *describe_texts(const struct call *root);

#endif
