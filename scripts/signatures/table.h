/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints, sorts and copies the table of signatures of a linked kernel.
 *
 * object_write.h writes the parts of the table into objects. text.h prints its strings.
 */
#ifndef SIGNATURES_TABLE_H
#define SIGNATURES_TABLE_H

int dump_signatures(const char *name);
int sort_signatures(const char *name);
int copy_signatures(const char *name, const char *copy);

#endif /* SIGNATURES_TABLE_H */
