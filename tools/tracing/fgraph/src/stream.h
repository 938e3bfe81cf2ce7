/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that are printed into memory.
 */
#ifndef FGRAPH_STREAM_H
#define FGRAPH_STREAM_H

#include <stdio.h>

/**
 * struct text - a text that is printed into memory
 * @stream:	where to, which is used again for the next text
 */
struct text {
	struct stream	*stream;
};

/* Where to print. close_text() returns the text, which the caller frees. */
FILE *open_text(struct text *text);
char *close_text(struct text *text);

#endif
