// SPDX-License-Identifier: GPL-2.0
/*
 * fgraph-lines: writes the table of source lines of a kernel or a module, which fgraph
 * reads. The input needs debug information.
 *
 * Each file uses only the files above it in this list, and those of scripts/signatures up
 * to ranges:
 *
 *   format		the format of the table
 *   path		paths of source files
 *   line_program	line number programs of DWARF
 *   lines		the lines of a kernel or a module, in memory
 *   inlined		reads them from line number programs and DIEs
 *   bytes		bytes that are collected in memory
 *   raw			a section of lines in an object
 *   tables		the strings, files and origins of the table
 *   encode		the code of a piece
 *   write		writes the table
 *   main		the program
 */
#include <stdio.h>
#include <string.h>

#include "../signatures/util.h"
#include "write.h"

int main(int argc, char *argv[])
{
	set_program_name("fgraph-lines");
	if (argc != 4 || strcmp(argv[1], "-o")) {
		fputs("usage: fgraph-lines -o TABLE VMLINUX|MODULE\n", stderr);
		return 1;
	}
	write_lines(argv[2], argv[3], true);
	return 0;
}
