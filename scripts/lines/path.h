/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths of source files.
 *
 * line_program.h has the names of which a path consists.
 */
#ifndef LINES_PATH_H
#define LINES_PATH_H

char *join_path(const char *directory, const char *name);
const char *relative_path(const char *path, const char *root, const char *directory);

#endif /* LINES_PATH_H */
