/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a chain begins: at a system call or a program that the kernel starts, or with -r at a
 * function of this name.
 */
#ifndef FGRAPH_ROOT_H
#define FGRAPH_ROOT_H

#include <stdbool.h>

struct call;

/* Return true if a chain begins at a call: nothing that is recorded encloses it. */
bool is_root(const struct call *call);

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
