/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The paths that a system call got. The kernel copies them before it uses them, so functions
 * that were recorded have them as arguments.
 */
#ifndef FGRAPH_PATH_H
#define FGRAPH_PATH_H

struct call;

/**
 * find_path - find the text of a path
 * @root:	the system call
 * @name:	the name of one of its arguments
 *
 * Return: the text in quotes, which the caller frees, or NULL if it is not known.
 */
char *find_path(const struct call *root, const char *name);

#endif
