/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a file of lines, in the format of format.h.
 *
 * inlined.h collects the lines.
 */
#ifndef LINES_WRITE_H
#define LINES_WRITE_H

#include <stdbool.h>

void write_lines(const char *name, const char *from, bool needed);

#endif /* LINES_WRITE_H */
