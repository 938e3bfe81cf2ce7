// SPDX-License-Identifier: GPL-2.0
/* Writes a file of lines, in the format of format.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "format.h"
#include "inlined.h"
#include "raw.h"
#include "write.h"
#include "../signatures/relocate.h"
#include "../signatures/util.h"

struct writer {
	struct file *file;
	struct tables tables;
	unsigned int unit_shift;
	struct bytes sections, pieces, code;
	size_t nr_sections, nr_pieces;
};

/* Return: the logarithm of the largest unit that divides all addresses, up to 4 bytes. */
static unsigned int find_unit_shift(const struct lines *lines)
{
	uint64_t all = 4;

	for (size_t i = 0; i < lines->nr_pieces; i++) {
		const struct piece *piece = &lines->pieces[i];

		all |= piece->start.offset | piece->length;
		for (size_t j = 0; j < piece->nr_lines; j++)
			all |= piece->lines[j].offset;
	}
	return __builtin_ctzll(all);
}

/* Return: the address from which offsets count in a section. */
static uint64_t base_of(const struct file *file)
{
	if (file->relocatable)
		return 0;
	for (size_t i = 1; i < file->nr_symbols; i++) {
		if (file->symbols[i].name && !strcmp(file->symbols[i].name, "_text"))
			return file->symbols[i].value;
	}
	die("%s: no symbol _text", file->name);
}

static void end_section(struct writer *writer, size_t section, size_t nr_pieces)
{
	const char *name = writer->file->relocatable ?
			   writer->file->sections[section].name : "";

	if (!nr_pieces)
		return;
	put_number(&writer->sections, add_string_to(&writer->tables, name));
	put_number(&writer->sections, nr_pieces);
	writer->nr_sections++;
}

/* Code below the base or far from it, such as vectors, has no entry. */
static void write_pieces(struct writer *writer)
{
	uint64_t base = base_of(writer->file), address;
	size_t section = 0, first = 0;
	struct encoder encoder = {
		.tables		= &writer->tables,
		.code		= &writer->code,
		.unit_shift	= writer->unit_shift,
	};

	for (size_t i = 0; i < writer->tables.lines->nr_pieces; i++) {
		const struct piece *piece = &writer->tables.lines->pieces[i];

		address = piece->start.offset;
		if (!writer->file->relocatable)
			address += writer->file->sections[piece->start.section].header.sh_addr;
		if (address < base || (address - base) >> 32)
			continue;
		if (writer->file->relocatable && piece->start.section != section) {
			end_section(writer, section, writer->nr_pieces - first);
			section = piece->start.section;
			first = writer->nr_pieces;
		}
		put_number(&writer->pieces, address - base);
		put_number(&writer->pieces, writer->code.nr);
		encode_piece(&encoder, piece);
		writer->nr_pieces++;
	}
	end_section(writer, section, writer->nr_pieces - first);
}

/* Reads a note. Return: false if it is not that of the build ID, which goes to @id. */
static bool read_build_id(struct cursor *cursor, struct bytes *id)
{
	uint64_t name_size = read_uint(cursor, 4), size = read_uint(cursor, 4);
	bool is_id = read_uint(cursor, 4) == NT_GNU_BUILD_ID && name_size == 4;
	const unsigned char *name = cursor->section->data + cursor->pos, *content;

	skip_bytes(cursor, (name_size + 3) & ~3ULL);
	content = cursor->section->data + cursor->pos;
	is_id &= !memcmp(name, "GNU", 4);
	skip_bytes(cursor, is_id ? size : (size + 3) & ~3ULL);
	if (is_id)
		put_bytes(id, content, size);
	return is_id;
}

/* Return: the build ID. Its size is 0 if there is none. */
static struct bytes find_build_id(struct file *file)
{
	struct bytes id = {};

	for (size_t i = 1; i < file->nr_sections; i++) {
		struct cursor cursor;

		if (file->sections[i].header.sh_type != SHT_NOTE)
			continue;
		cursor = open_cursor(&file->sections[i], 0);
		while (cursor.end - cursor.pos >= 12) {
			if (read_build_id(&cursor, &id))
				return id;
		}
	}
	return id;
}

static void write_part(FILE *to, struct bytes *bytes)
{
	static const char zeros[3];

	if (bytes->nr)
		fwrite(bytes->all, 1, bytes->nr, to);
	fwrite(zeros, 1, -bytes->nr & 3, to);
	free(bytes->all);
}

static void write_file(struct writer *writer, FILE *to)
{
	struct bytes id = find_build_id(writer->file), header = {};

	put_bytes(&header, LINES_MAGIC, sizeof(LINES_MAGIC));
	put_number(&header, LINES_VERSION);
	put_number(&header, writer->unit_shift);
	put_number(&header, id.nr);
	put_number(&header, writer->nr_sections);
	put_number(&header, writer->nr_pieces);
	put_number(&header, writer->tables.nr_origins);
	put_number(&header, writer->tables.nr_files);
	put_number(&header, writer->code.nr);
	put_number(&header, writer->tables.string_bytes.nr);
	write_part(to, &header);
	write_part(to, &id);
	write_part(to, &writer->sections);
	write_part(to, &writer->pieces);
	write_part(to, &writer->tables.origin_bytes);
	write_part(to, &writer->tables.file_bytes);
	write_part(to, &writer->code);
	write_part(to, &writer->tables.string_bytes);
}

/**
 * write_lines - write the lines of a kernel or a module
 * @name:	the file to write; an old one is replaced
 * @from:	vmlinux or a module with a section of lines or debug information
 * @needed:	die if it has none. Otherwise the table is empty: a module can consist of
 *		assembly.
 *
 * Dies if @from cannot be read.
 */
void write_lines(const char *name, const char *from, bool needed)
{
	struct file *file = open_elf(from);
	struct writer writer = { .file = file };
	struct lines *lines = new_lines();
	struct dwarf *dwarf = NULL;
	FILE *to;

	if (!read_lines_section(lines, file)) {
		dwarf = open_dwarf(file);
		if (!dwarf && needed)
			die("%s: has no debug information", from);
		if (dwarf)
			collect_lines(lines, dwarf);
	}
	sort_pieces(lines);
	writer.unit_shift = find_unit_shift(lines);
	begin_tables(&writer.tables, lines, from);
	add_origins(&writer.tables);
	write_pieces(&writer);
	to = fopen(name, "w");
	if (!to)
		die("%s: %m", name);
	write_file(&writer, to);
	if (ferror(to) || fclose(to))
		die("%s: %m", name);
	free_tables(&writer.tables);
	free_lines(lines);
	close_dwarf(dwarf);
	close_elf(file);
}
