/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Line number programs: the rows that map addresses to lines, and the names of files.
 *
 * dwarf.h reads the DIE of the unit that refers to a program.
 */
#ifndef LINES_LINE_PROGRAM_H
#define LINES_LINE_PROGRAM_H

#include "../signatures/dwarf.h"

struct row {
	struct address address;
	uint32_t file;		/* an index in files[] */
	uint32_t line;		/* 0: the code has no line */
	bool is_stmt;		/* a good place for a breakpoint */
	bool end;		/* the first address after the sequence */
};

struct line_program {
	const char *directory;	/* where the compiler ran, or "" */
	char **files;		/* paths, absolute if the directory is known */
	size_t nr_files, files_room;
	struct row *rows;	/* sequence after sequence; by address within each */
	size_t nr_rows, rows_room;
};

bool read_line_program(const struct die *unit_die, struct line_program *program);
void free_line_program(struct line_program *program);

#endif /* LINES_LINE_PROGRAM_H */
