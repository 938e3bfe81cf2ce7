/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a chain begins: at a system call, a program that the kernel starts, a work item or the
 * thread of an interrupt; or with -r at a function of this name.
 */
#ifndef FGRAPH_ROOT_H
#define FGRAPH_ROOT_H

#include <stdbool.h>
#include <stddef.h>

struct call;

/*
 * Return true if a chain begins at a call that no other root encloses. With -r, a trace of a file
 * or of the boot may contain calls around it.
 */
bool is_root(const struct call *call);

/* Name a function of the kernel that calls work items or threads of interrupts; NULL at the end. */
const char *name_dispatcher(size_t i);

/* Return true if a call is one of such a function: chains begin at the calls in it. */
bool is_dispatcher(const struct call *call);

/* Return true if a call is a work item or the thread of an interrupt. */
bool is_dispatched(const struct call *call);

/*
 * Return true if a call is one of a function that -r names, within a root, and failed with an
 * error that the root did not return. A chain begins there, too.
 */
bool is_inner_root(const struct call *call);

/* The name of a system call, or else of the function */
const char *root_name(const struct call *root);

/**
 * describe_root - describe a root, with arguments and its result
 * @root:	the root
 * @paths:	with the paths that the kernel copied, if it is a system call
 *
 * Return: a text, which the caller frees.
 */
char *describe_root(const struct call *root, bool paths);

/**
 * next_glob - take a word of a list such as that of -r
 * @list:	the rest of the list, which becomes shorter
 *
 * Return: the word, which the caller frees; NULL at the end.
 */
char *next_glob(const char **list);

#endif
