/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The source of the running kernel: in the directory that --source names, or in
 * /lib/modules/RELEASE/source.
 */
#ifndef FGRAPH_LISTING_H
#define FGRAPH_LISTING_H

/**
 * copy_source_line - read a line of a source file
 * @file:	its path in the source tree, or an absolute one
 * @line:	its number
 *
 * Return: the line, without control characters, which the caller frees; or NULL.
 */
char *copy_source_line(const char *file, unsigned int line);

#endif
