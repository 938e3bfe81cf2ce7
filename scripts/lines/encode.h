/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code of a piece in a file of lines, which format.h describes.
 *
 * tables.h numbers strings, files and origins. write.h writes the file.
 */
#ifndef LINES_ENCODE_H
#define LINES_ENCODE_H

#include "tables.h"

struct encoder {
	struct tables *tables;
	struct bytes *code;		/* where the code is added */
	unsigned int unit_shift;
};

void encode_piece(struct encoder *encoder, const struct piece *piece);

#endif /* LINES_ENCODE_H */
