// SPDX-License-Identifier: GPL-2.0
/* The code of a piece in a file of lines */
#include <stdlib.h>

#include "encode.h"
#include "format.h"
#include "../signatures/util.h"

static void encode_scope(struct encoder *encoder, const struct piece *piece, size_t number)
{
	const struct scope *scope = &piece->scopes[number];
	const struct origin *parent = piece->scopes[scope->parent].origin;
	bool has_file = scope->call_file != parent->file;

	put_uleb(encoder->code, (number - scope->parent) << 1 | has_file);
	put_uleb(encoder->code, scope->origin->index);
	if (has_file)
		put_uleb(encoder->code, use_file(encoder->tables, scope->call_file));
	put_sleb(encoder->code, (int64_t)scope->call_line - parent->line);
}

/* The registers of the reader of opcodes */
struct registers {
	size_t scope, highest;
	size_t file;
	uint64_t address;
	bool is_stmt;
	uint32_t *lines;
};

static void change_scope(struct bytes *code, const struct piece *piece,
			 struct registers *registers, size_t scope)
{
	size_t near = scope - registers->scope - LINES_NEAR_BASE;

	if (scope == registers->scope)
		return;
	if (scope == registers->highest + 1) {
		put_byte(code, LINES_NEXT);
	} else if (near < LINES_NR_NEAR) {
		put_byte(code, LINES_NEAR + near);
	} else {
		put_byte(code, LINES_SCOPE);
		put_uleb(code, scope);
	}
	registers->scope = scope;
	registers->file = piece->scopes[scope].origin->file;
	if (scope > registers->highest)
		registers->highest = scope;
}

static void encode_line(struct encoder *encoder, const struct piece *piece,
			struct registers *registers, const struct line *line)
{
	uint64_t distance = (line->offset >> encoder->unit_shift) - registers->address;
	int64_t lines = (int64_t)line->line - registers->lines[line->scope];
	struct bytes *code = encoder->code;

	change_scope(code, piece, registers, line->scope);
	if (line->file != registers->file) {
		put_byte(code, LINES_FILE);
		put_uleb(code, use_file(encoder->tables, line->file));
		registers->file = line->file;
	}
	if (line->is_stmt != registers->is_stmt) {
		put_byte(code, LINES_STMT);
		registers->is_stmt = line->is_stmt;
	}
	registers->address += distance;
	if (distance > LINES_MAX_ADDRESS) {
		put_byte(code, LINES_ADDRESS);
		put_uleb(code, distance);
		distance = 0;
	}
	registers->lines[line->scope] = line->line;
	if (lines < LINES_BASE || lines >= LINES_BASE + LINES_RANGE) {
		put_byte(code, LINES_LINE);
		put_sleb(code, lines);
		lines = 0;
	}
	put_byte(code, LINES_SPECIAL + distance * LINES_RANGE + lines - LINES_BASE);
}

static void encode_lines(struct encoder *encoder, const struct piece *piece)
{
	struct registers registers = { .file = piece->scopes[0].origin->file };

	registers.lines = xcalloc(piece->nr_scopes, sizeof(*registers.lines));
	for (size_t i = 0; i < piece->nr_scopes; i++)
		registers.lines[i] = piece->scopes[i].origin->line;
	for (size_t i = 0; i < piece->nr_lines; i++)
		encode_line(encoder, piece, &registers, &piece->lines[i]);
	free(registers.lines);
}

void encode_piece(struct encoder *encoder, const struct piece *piece)
{
	const struct origin *origin = piece->scopes[0].origin;

	put_uleb(encoder->code, piece->length >> encoder->unit_shift);
	put_uleb(encoder->code, use_file(encoder->tables, origin->file));
	put_uleb(encoder->code, origin->line);
	put_uleb(encoder->code, piece->nr_scopes - 1);
	for (size_t i = 1; i < piece->nr_scopes; i++)
		encode_scope(encoder, piece, i);
	encode_lines(encoder, piece);
}
