/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signatures of functions, made of DWARF, as a part of recordmcount.
 *
 * A file here uses only those above it in this list:
 *
 *   util		errors, memory, arrays, trees
 *   text		the text of signatures, the section of strings
 *   machine		one row for each machine: relocations, registers, ABI
 *   spans		spans of addresses, and which an address is in
 *   elf		ELF files: sections, symbols, relocations, cursors
 *   dwarf_form		units, abbreviations and the forms of values
 *   dwarf		units and DIEs; dwarf_constants.h has the names of DWARF
 *   ranges		lists of address ranges and of locations
 *   type		types, as a signature spells them
 *   layout		the layout of a type: its properties that matter to an ABI
 *   abi		places of arguments and results, by the ABI
 *   evidence		locations of a parameter at the entry, by DWARF
 *   place		places of parameters, by the ABI and the evidence
 *   encode		the signature of one function
 *   object_write	writes signatures into an object
 *   object		collects the signatures of an object
 *   table		sorts and copies the table of a linked kernel
 *   main		the options of recordmcount for all this
 *
 * include/linux/fgraph_sig_format.h describes the format of the result.
 *
 * The reader does not trust its input. It reads by bounded cursors, and follows a
 * limited number of references. Input that it does not understand ends the program with
 * a message. Nothing has been written by then.
 */
#ifndef SIGNATURES_MAIN_H
#define SIGNATURES_MAIN_H

int do_signatures(int option, int argc, char *argv[]);
void print_signature_usage(void);

#endif /* SIGNATURES_MAIN_H */
