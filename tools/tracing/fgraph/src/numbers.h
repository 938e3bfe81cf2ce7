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
 * number_text - find the numbers of arguments or of a result
 * @text:	the text, or NULL
 * @pid:	the thread that made the call
 * @shown:	gets the number of the text with the same digits for each address
 * @compared:	gets the number of the text that has no long number and no @pid either
 */
void number_text(const char *text, pid_t pid, unsigned int *shown, unsigned int *compared);

#endif
