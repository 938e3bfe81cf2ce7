/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines of an object, in a section that the linker joins with those of other objects.
 *
 * The kernel's build drops the debug information of each object, so the lines are kept in
 * this section until the kernel or module is linked. write.h reads it then. Each object adds
 * a chunk of 32-bit numbers, in the byte order of the machine. Strings are offsets in
 * strings[], files are strings, and origins are indexes:
 *
 *	version, size			of the chunk
 *	strings				where the strings begin, an offset in the chunk
 *	directory			where the compiler ran, a string
 *	nr_origins
 *	nr_origins times: name, file, line
 *	nr_pieces
 *	nr_pieces times:
 *		address			8 bytes at a multiple of 8; a 32-bit machine uses the
 *					first 4
 *		length, nr_scopes, nr_lines
 *		nr_scopes times: parent, origin, call_file, call_line
 *		nr_lines times: offset, scope, file, line, is_stmt
 *	strings				up to the end
 */
#ifndef LINES_RAW_H
#define LINES_RAW_H

#include "lines.h"

struct debug_section;
struct file;

/* The linker ignores addresses of discarded code in a section of this kind. */
#define LINES_SECTION	".debug_fgraph_lines"

struct debug_section *make_lines_section(struct file *file);
void free_lines_section(struct debug_section *section);
bool read_lines_section(struct lines *lines, struct file *file);

#endif /* LINES_RAW_H */
