/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of recordmcount that generates signatures of functions from DWARF.
 *
 * Each file uses only the files above it in this list:
 *
 *   util		errors, memory, files, arrays, trees
 *   text		the text of signatures, the section of strings
 *   machine		one row for each machine: relocations, registers, ABI
 *   spans		spans of addresses; finds the spans that contain an address
 *   elf		ELF files: sections, symbols, relocations, cursors
 *   dwarf_form		units, abbreviations and the forms of values
 *   dwarf		units and DIEs; dwarf_constants.h defines the constants
 *   ranges		lists of address ranges and of locations
 *   type		types, as a signature spells them
 *   layout		the layout of a type: its properties that matter to an ABI
 *   abi		places of arguments and results, by the ABI
 *   evidence		locations of a parameter at the entry, by DWARF
 *   place		places of parameters, by the ABI and the evidence
 *   encode		the signature of one function
 *   reach		the structs that parameters and results lead to
 *   members		the members of these structs
 *   object_write	writes signatures into an object
 *   object		collects the signatures of an object
 *   table		sorts and copies the table of a linked kernel
 *   module		the members of structs that only a module has
 *   main		the options of recordmcount for signatures
 *
 * include/linux/fgraph_sig_format.h and fgraph_members_format.h describe the formats of the
 * result.
 *
 * The reader does not trust its input. It reads through bounded cursors, and follows a
 * limited number of references. If it does not understand its input, the program ends
 * with a message and changes no file.
 */
#ifndef SIGNATURES_MAIN_H
#define SIGNATURES_MAIN_H

/* For getopt() */
#define SIGNATURE_OPTIONS	"s:f:p:L:l:m:M:d:t:c:"

int do_signatures(int option, int argc, char *argv[]);
void print_signature_usage(void);

#endif /* SIGNATURES_MAIN_H */
