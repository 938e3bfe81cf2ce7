/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of strings, files and origins in a file of lines.
 *
 * lines.h has the content. encode.h uses the numbers that the tables give to it.
 */
#ifndef LINES_TABLES_H
#define LINES_TABLES_H

#include "bytes.h"
#include "lines.h"

struct tables {
	struct lines *lines;
	const char *name;		/* of the kernel or module, for messages */
	char *root;			/* the directory of the source, or NULL */
	uint32_t *strings;		/* the place of each string in the file, or 0 */
	uint16_t *files;		/* the number of each string as a file, or 0 */
	struct bytes string_bytes, file_bytes, origin_bytes;
	size_t nr_files, nr_origins;
};

void begin_tables(struct tables *tables, struct lines *lines, const char *name);
void free_tables(struct tables *tables);
uint32_t add_string_to(struct tables *tables, const char *text);
uint16_t use_file(struct tables *tables, size_t string);
void add_origins(struct tables *tables);

#endif /* LINES_TABLES_H */
