/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of a linked kernel: prints, sorts and copies it.
 *
 * object_write.h has written its parts; text.h has the format of the strings.
 */
#ifndef SIGNATURES_TABLE_H
#define SIGNATURES_TABLE_H

int dump_signatures(const char *name);
int sort_signatures(const char *name);
int copy_signatures(const char *name, const char *copy);

#endif /* SIGNATURES_TABLE_H */
