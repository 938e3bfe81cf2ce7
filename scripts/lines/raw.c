// SPDX-License-Identifier: GPL-2.0
/* The lines of an object, in a section of its own */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "inlined.h"
#include "raw.h"
#include "../signatures/object_write.h"
#include "../signatures/relocate.h"
#include "../signatures/util.h"

#define RAW_VERSION	1

struct raw {
	struct file *file;
	const struct lines *lines;
	struct bytes bytes, strings;
	uint32_t *string_places;	/* the offset of each string plus one, or 0 */
	struct relocated_word *words;
	size_t nr_words, words_room;
};

static void put_word(struct raw *raw, uint32_t number)
{
	unsigned char word[4];

	put_u32(raw->file, word, number);
	put_bytes(&raw->bytes, word, sizeof(word));
}

static void put_string(struct raw *raw, size_t string)
{
	const char *text = string_at(raw->lines, string);

	if (!raw->string_places[string]) {
		raw->string_places[string] = raw->strings.nr + 1;
		put_bytes(&raw->strings, text, strlen(text) + 1);
	}
	put_word(raw, raw->string_places[string] - 1);
}

static void put_address(struct raw *raw, const struct piece *piece, size_t symbol)
{
	while (raw->bytes.nr % 8)
		put_word(raw, 0);
	grow(raw->words, raw->nr_words, raw->words_room);
	raw->words[raw->nr_words++] = (struct relocated_word){
		raw->bytes.nr, symbol, piece->start.offset
	};
	put_word(raw, 0);
	put_word(raw, 0);
}

static void put_piece(struct raw *raw, const struct piece *piece, size_t symbol)
{
	put_address(raw, piece, symbol);
	put_word(raw, piece->length);
	put_word(raw, piece->nr_scopes);
	put_word(raw, piece->nr_lines);
	for (size_t i = 0; i < piece->nr_scopes; i++) {
		const struct scope *scope = &piece->scopes[i];

		put_word(raw, scope->parent);
		put_word(raw, scope->origin->index);
		put_string(raw, scope->call_file);
		put_word(raw, scope->call_line);
	}
	for (size_t i = 0; i < piece->nr_lines; i++) {
		const struct line *line = &piece->lines[i];

		put_word(raw, line->offset);
		put_word(raw, line->scope);
		put_string(raw, line->file);
		put_word(raw, line->line);
		put_word(raw, line->is_stmt);
	}
}

static void put_origins(struct raw *raw)
{
	const struct pool *origins = &raw->lines->origins;

	put_word(raw, origins->nr);
	for (size_t i = 0; i < origins->nr; i++) {
		struct origin *origin = origins->all[i];

		origin->index = i;
		put_string(raw, origin->name);
		put_string(raw, origin->file);
		put_word(raw, origin->line);
	}
}

/* Code whose section has no symbol is left out. Compilers write one with debug information. */
static void put_pieces(struct raw *raw)
{
	size_t *symbols = xcalloc(raw->file->nr_sections, sizeof(*symbols));
	size_t count = raw->bytes.nr;
	uint32_t nr = 0;

	put_word(raw, 0);
	for (size_t i = 0; i < raw->lines->nr_pieces; i++) {
		const struct piece *piece = &raw->lines->pieces[i];
		size_t *symbol = &symbols[piece->start.section];

		if (!*symbol)
			*symbol = find_section_symbol(raw->file, piece->start.section);
		if (!*symbol)
			continue;
		put_piece(raw, piece, *symbol);
		nr++;
	}
	put_u32(raw->file, raw->bytes.all + count, nr);
	free(symbols);
}

static void put_chunk(struct raw *raw, size_t directory)
{
	static const char zeros[8];

	/* The sizes follow when they are known. */
	put_word(raw, RAW_VERSION);
	put_word(raw, 0);
	put_word(raw, 0);
	put_string(raw, directory);
	put_origins(raw);
	put_pieces(raw);
	put_u32(raw->file, raw->bytes.all + 8, raw->bytes.nr);
	put_bytes(&raw->bytes, raw->strings.all, raw->strings.nr);
	put_bytes(&raw->bytes, zeros, -raw->bytes.nr & 7);
	put_u32(raw->file, raw->bytes.all + 4, raw->bytes.nr);
}

/**
 * make_lines_section - make the section of lines of an object
 * @file:	the object
 *
 * Return: the section for write_signatures(), or NULL if the object has no lines.
 */
struct debug_section *make_lines_section(struct file *file)
{
	struct dwarf *dwarf = open_dwarf(file);
	struct debug_section *section = NULL;
	struct lines *lines = new_lines();
	struct raw raw = { .file = file, .lines = lines };
	size_t directory;

	if (dwarf)
		collect_lines(lines, dwarf);
	if (lines->nr_pieces) {
		directory = intern_string(lines, lines->directory ?: "");
		raw.string_places = xcalloc(lines->strings.nr, sizeof(*raw.string_places));
		put_chunk(&raw, directory);
		section = xcalloc(1, sizeof(*section));
		*section = (struct debug_section){ LINES_SECTION, raw.bytes.all, raw.bytes.nr,
						   raw.words, raw.nr_words };
	}
	free(raw.strings.all);
	free(raw.string_places);
	free_lines(lines);
	close_dwarf(dwarf);
	return section;
}

void free_lines_section(struct debug_section *section)
{
	if (!section)
		return;
	free(section->content);
	free((void *)section->words);
	free(section);
}

/* A chunk that is read */
struct chunk {
	struct lines *lines;
	struct cursor cursor;
	size_t begin, end;		/* of the chunk */
	struct cursor strings;
	struct origin **origins;
	size_t nr_origins;
};

static uint32_t get_word(struct chunk *chunk)
{
	return read_uint(&chunk->cursor, 4);
}

static size_t get_string(struct chunk *chunk)
{
	uint32_t offset = get_word(chunk);
	struct cursor strings = chunk->strings;

	skip_bytes(&strings, offset);
	return intern_string(chunk->lines, read_string(&strings));
}

/* Reads the number of things that have @words each. */
static uint32_t get_count(struct chunk *chunk, unsigned int words)
{
	uint32_t nr = get_word(chunk);

	if (nr > (chunk->cursor.end - chunk->cursor.pos) / (4 * words))
		die_at(chunk->cursor.section, chunk->cursor.pos,
		       "%u things in a broken chunk", nr);
	return nr;
}

/* Reads an index that must be less than @nr. */
static uint32_t get_index(struct chunk *chunk, size_t nr)
{
	uint32_t index = get_word(chunk);

	if (index >= nr)
		die_at(chunk->cursor.section, chunk->cursor.pos,
		       "index %u of %zu in a broken chunk", index, nr);
	return index;
}

static void get_origins(struct chunk *chunk)
{
	chunk->nr_origins = get_count(chunk, 3);
	chunk->origins = xcalloc(chunk->nr_origins, sizeof(*chunk->origins));
	for (size_t i = 0; i < chunk->nr_origins; i++) {
		size_t name = get_string(chunk), file = get_string(chunk);

		chunk->origins[i] = intern_origin(chunk->lines, name, file, get_word(chunk));
	}
}

static struct address get_address(struct chunk *chunk)
{
	const struct section *section = chunk->cursor.section;
	unsigned int word = section->file->word;
	size_t pos;
	uint64_t value;

	skip_bytes(&chunk->cursor, (chunk->begin - chunk->cursor.pos) & 7);
	pos = chunk->cursor.pos;
	value = read_uint(&chunk->cursor, word);
	skip_bytes(&chunk->cursor, 8 - word);
	/* The linker stores 0 for discarded code. */
	if (!value && !section->file->relocatable)
		return (struct address){ 0 };
	return relocated_address(section, pos, value);
}

static void get_scopes(struct chunk *chunk, struct piece *piece)
{
	size_t nr = piece->nr_scopes;

	piece->scopes = xcalloc(nr, sizeof(*piece->scopes));
	piece->scopes_room = nr;
	for (size_t i = 0; i < nr; i++) {
		struct scope *scope = &piece->scopes[i];

		scope->parent = get_index(chunk, i ?: 1);
		scope->origin = chunk->origins[get_index(chunk, chunk->nr_origins)];
		scope->call_file = get_string(chunk);
		scope->call_line = get_word(chunk);
	}
}

static void get_lines(struct chunk *chunk, struct piece *piece)
{
	piece->lines = xcalloc(piece->nr_lines, sizeof(*piece->lines));
	piece->lines_room = piece->nr_lines;
	for (size_t i = 0; i < piece->nr_lines; i++) {
		struct line *line = &piece->lines[i];

		line->offset = get_word(chunk);
		line->scope = get_index(chunk, piece->nr_scopes);
		line->file = get_string(chunk);
		line->line = get_word(chunk);
		line->is_stmt = get_word(chunk);
	}
}

static void get_piece(struct chunk *chunk)
{
	struct piece piece = { .start = get_address(chunk) };

	piece.length = get_word(chunk);
	piece.nr_scopes = get_count(chunk, 4);
	piece.nr_lines = get_count(chunk, 5);
	if (!piece.nr_scopes)
		die_at(chunk->cursor.section, chunk->cursor.pos, "no scopes in a broken chunk");
	get_scopes(chunk, &piece);
	get_lines(chunk, &piece);
	if (piece.start.section) {
		*add_piece(chunk->lines, piece.start, piece.length) = piece;
		return;
	}
	free(piece.scopes);
	free(piece.lines);
}

static void read_chunk(struct chunk *chunk)
{
	struct cursor *cursor = &chunk->cursor;
	uint32_t size, strings, nr;

	chunk->begin = cursor->pos;
	if (get_word(chunk) != RAW_VERSION)
		die_at(cursor->section, chunk->begin, "lines of another version");
	size = get_word(chunk);
	strings = get_word(chunk);
	if (size > cursor->end - chunk->begin || strings > size)
		die_at(cursor->section, chunk->begin, "a chunk of %u bytes ends beyond its section",
		       size);
	cursor->end = chunk->begin + size;
	chunk->strings = (struct cursor){ cursor->section, chunk->begin + strings, cursor->end };
	chunk->lines->directory = string_at(chunk->lines, get_string(chunk));
	get_origins(chunk);
	nr = get_count(chunk, 5);
	while (nr--)
		get_piece(chunk);
	free(chunk->origins);
	cursor->pos = cursor->end;
}

/**
 * read_lines_section - read the lines that the objects of a linked file had
 * @lines:	gets them
 * @file:	the kernel or module
 *
 * Return: false if the file has no such section.
 */
bool read_lines_section(struct lines *lines, struct file *file)
{
	struct section *section = find_section(file, LINES_SECTION);
	struct chunk chunk = { .lines = lines };

	if (!section)
		return false;
	chunk.cursor = open_cursor(section, 0);
	while (chunk.cursor.pos < section->size) {
		chunk.cursor.end = section->size;
		read_chunk(&chunk);
	}
	return true;
}
