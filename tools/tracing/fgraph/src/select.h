/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which failures the user wants to see.
 *
 *	-e ERROR,...	these errors in full
 *	-f GLOB		in full what failed in functions or system calls of this name
 *	--only=WORD,...	nothing but these. A word is an error (ENOENT, 2), a path with a
 *			slash ("/etc/" and a star), or a system call (openat). One word of
 *			each kind that is named must match.
 */
#ifndef FGRAPH_SELECT_H
#define FGRAPH_SELECT_H

#include <stdbool.h>

#include "call.h"

/* End the program with a message if these options name what the kernel does not know. */
void check_selection(void);

/* Return true if -e names the error of a call. */
bool is_wanted(const struct call *call);

/* Return true if -f matches a system call, or a function in it that returned its error. */
bool matches_glob(const struct call *root);

/**
 * is_selected - check whether --only lets a failure be shown
 * @root:	the system call
 * @failed:	the call in it that returned the error, or @root
 * @brief:	the line about the failure
 */
bool is_selected(const struct call *root, const struct call *failed, const char *brief);

#endif
