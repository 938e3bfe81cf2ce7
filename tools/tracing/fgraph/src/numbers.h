/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts as numbers: equal texts have the same number, and are in memory once. What differs
 * between two runs by chance is the same in all texts that are compared.
 */
#ifndef FGRAPH_NUMBERS_H
#define FGRAPH_NUMBERS_H

#include <stddef.h>
#include <sys/types.h>

/* The number of a text; NULL has 0 */
unsigned int number_of(const char *text);

/* The text of a number, or NULL */
const char *text_of(unsigned int number);

/* Numbers are less than this. */
size_t count_texts(void);

/**
 * number_key - find the number of arguments or of a result, as they are compared
 * @text:	the text, or NULL
 * @pid:	the thread that made the call
 *
 * Addresses, long numbers and @pid are left out.
 */
unsigned int number_key(const char *text, pid_t pid);

/* The number of a function's name without what the compiler or the machine adds to it */
unsigned int number_function(const char *func);

#endif
