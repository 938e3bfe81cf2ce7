/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source lines of code of the running kernel and its modules, by the tables of lines in
 * /lib/modules/RELEASE/lines: one for "vmlinux", and one for each module.
 */
#ifndef FGRAPH_SOURCE_H
#define FGRAPH_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "place.h"

struct spot;

/* Return true if there is a table of the running kernel. */
bool has_source_lines(void);

/**
 * find_source - find the source lines of an address
 * @spot:	the address
 * @is_return:	it is a return address: the call before it counts
 *
 * Return: the places; none if there is no table, or no table of this build.
 */
struct places find_source(const struct spot *spot, bool is_return);

/* Print " fs/namei.c:3359", or nothing if the file or the line is not known. */
void print_place(FILE *out, const struct place *place);

#endif
