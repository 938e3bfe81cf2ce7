/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source lines of code of the kernel and its modules, by the tables of lines in
 * /lib/modules/RELEASE/lines: one for "vmlinux", and one for each module. The kernel is the one
 * that runs, or that of a file which record kept.
 */
#ifndef FGRAPH_SOURCE_H
#define FGRAPH_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "place.h"
#include "util.h"

struct spot;

/* Return true if there is a table of the kernel. */
bool has_source_lines(void);

/* End the program with a message that says how to get a table of the running kernel. */
void __noreturn die_without_lines(void);

/* Set the release of the kernel, if it is not the one that runs. */
void set_release(const char *name);

/**
 * find_source - find the source lines of an address
 * @spot:	the address
 * @is_return:	it is a return address: the call before it counts
 *
 * Return: the places; none if there is no table, or no table of this build.
 */
struct places find_source(const struct spot *spot, bool is_return);

/* The same for an address in a module, or with @module NULL in the kernel */
struct places find_source_at(const char *module, uint64_t address);

/**
 * list_rows_at - list the rows of a function
 * @module:	a module, NULL for the kernel
 * @address:	an address in the contiguous code that is listed
 * @rows:	as in list_rows(), but with addresses in place of offsets
 *
 * Return: how many.
 */
size_t list_rows_at(const char *module, uint64_t address, struct row **rows);

/* Print " fs/namei.c:3359", or nothing if the file or the line is not known. */
void print_place(FILE *out, const struct place *place);

#endif
