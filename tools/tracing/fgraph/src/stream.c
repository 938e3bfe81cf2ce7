// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "stream.h"
#include "util.h"

/**
 * struct stream - a stream into memory
 * @next:	another one that is not in use
 * @text:	the memory
 * @size:	the size of the text in it
 * @out:	the stream
 */
struct stream {
	struct stream	*next;
	char		*text;
	size_t		size;
	FILE		*out;
};

static struct stream *unused;

/* To create a stream costs more than to print a short text. */
FILE *open_text(struct text *text)
{
	struct stream *stream = unused;

	if (stream) {
		unused = stream->next;
	} else {
		stream = allocate(sizeof(*stream));
		stream->out = open_memstream(&stream->text, &stream->size);
	}
	if (!stream->out)
		die("out of memory");
	text->stream = stream;
	return stream->out;
}

char *close_text(struct text *text)
{
	struct stream *stream = text->stream;
	char *copy;

	if (fflush(stream->out))
		die("out of memory");
	copy = print_text("%.*s", (int)stream->size, stream->text);
	rewind(stream->out);
	stream->size = 0;
	stream->next = unused;
	unused = stream;
	return copy;
}
