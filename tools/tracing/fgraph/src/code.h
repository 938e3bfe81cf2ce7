/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where code is: in which section of a module, or where in the kernel. This is asked of the
 * running kernel; or of the file that record kept, which contains it for the addresses in it.
 */
#ifndef FGRAPH_CODE_H
#define FGRAPH_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "symbol.h"

/* The name that the kernel has as a module */
#define KERNEL_MODULE	"vmlinux"

/**
 * struct code - where code is
 * @module:	its module, or KERNEL_MODULE
 * @section:	the name of its section, "" in the kernel
 * @offset:	its offset in the section; in the kernel, from the symbol _text
 */
struct code {
	char		*module;
	char		*section;
	uint64_t	offset;
};

/**
 * find_code - find where the code of an address is
 * @spot:	the address
 * @code:	gets the answer; free_code() frees it
 *
 * Return: false if it is not known.
 */
bool find_code(const struct spot *spot, struct code *code);

/* The same for an address of the running kernel. @module is NULL in the kernel. */
bool find_code_at(const char *module, uint64_t address, struct code *code);

void free_code(struct code *code);

/* The build ID of the kernel or a module, as hexadecimal digits; NULL if it is not known */
char *copy_build_id(const char *module);

/**
 * print_code - print where the code of an address is, for a file
 * @out:	the file
 * @text:	the address, as in a trace
 *
 * Prints each address once, and the build ID before the first one of a module.
 */
void print_code(FILE *out, const char *text);

/* Use the values of comments that print_code() printed. */
void add_code(const char *value);
void add_build_id(const char *value);

#endif
