/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of the flags and constants that system calls take, as in the headers of the
 * kernel for the machine that fgraph is compiled for.
 */
#ifndef FGRAPH_FLAGS_H
#define FGRAPH_FLAGS_H

#include <stdbool.h>
#include <stdio.h>

/**
 * print_flags - print an argument by names
 * @out:	where to
 * @syscall:	the name of the system call
 * @arg:	the name of the argument
 * @word:	the argument
 *
 * Return: false if the argument has no names. Nothing is printed then.
 */
bool print_flags(FILE *out, const char *syscall, const char *arg, unsigned long long word);

#endif
