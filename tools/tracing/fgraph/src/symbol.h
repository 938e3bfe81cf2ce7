/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of the running kernel and its modules, as /proc/kallsyms lists them.
 */
#ifndef FGRAPH_SYMBOL_H
#define FGRAPH_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct spot - an address as the kernel prints it: "name+0x12/0x34 [module]"
 * @name:	the symbol before the address
 * @module:	its module, NULL in the kernel
 * @offset:	distance from the symbol
 * @size:	distance from the symbol to the next one, 0 if not known
 */
struct spot {
	char		*name;
	char		*module;
	uint64_t	offset;
	uint64_t	size;
};

/* Cut a text into the parts of a spot. Return false if it has another form. */
bool parse_spot(char *text, struct spot *spot);

/**
 * find_address - find the address of a spot
 * @spot:	the spot
 * @address:	gets the address
 *
 * Return: false if the symbol is unknown or hidden, or if several of that name have the size.
 */
bool find_address(const struct spot *spot, uint64_t *address);

/**
 * list_addresses - list the addresses of all symbols with a name
 * @name:	the name
 * @module:	their module, NULL in the kernel
 * @addresses:	gets them; the caller frees them
 *
 * Return: how many.
 */
size_t list_addresses(const char *name, const char *module, uint64_t **addresses);

#endif
