/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory, texts and messages of this program.
 */
#ifndef FGRAPH_UTIL_H
#define FGRAPH_UTIL_H

#include <stdbool.h>
#include <stddef.h>

#define __noreturn	__attribute__((noreturn))
#define __printf(a, b)	__attribute__((format(printf, a, b)))

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof(*(array)))

/*
 * The exit statuses of env and timeout: the program itself failed, CMD cannot be executed, CMD
 * was not found
 */
#define EXIT_FGRAPH	125
#define EXIT_NO_EXEC	126
#define EXIT_NOT_FOUND	127

/* Print "fgraph: " and the text to stderr, and end with EXIT_FGRAPH. */
__noreturn void die(const char *format, ...) __printf(1, 2);

/* Print "fgraph: " and the text to stderr. */
void complain(const char *format, ...) __printf(1, 2);

/* Memory that is zero; more memory; copies. They end the program if there is none. */
void *allocate(size_t size);
void *reallocate(void *memory, size_t size);
char *copy_text(const char *text);
char *print_text(const char *format, ...) __printf(1, 2);

/* A hash of a text, for tables of any size */
unsigned int hash_text(const char *text);

/* Return true if @list, which ends with NULL, contains @text. */
bool is_in_list(const char *const *list, const char *text);

struct timespec;

/* How many seconds passed since a time of CLOCK_MONOTONIC */
double seconds_since(const struct timespec *start);

#endif
