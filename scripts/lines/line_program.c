// SPDX-License-Identifier: GPL-2.0
/*
 * Line number programs.
 *
 * A program is a list of opcodes for a machine whose registers are an address, a file
 * and a line. An opcode changes registers, and some append them as a row. Versions 2 to
 * 4 have lists of directories and files that end with an empty entry. In version 5, the
 * lists have a format, and count from 0.
 */
#include <stdlib.h>
#include <string.h>

#include "line_program.h"
#include "path.h"
#include "../signatures/relocate.h"
#include "../signatures/util.h"

/* The header of a program, and the registers */
struct machine_state {
	const struct unit *unit;
	struct line_program *program;
	struct cursor cursor;
	unsigned int version;
	unsigned int min_length;	/* of an instruction, in bytes */
	bool default_is_stmt;
	int line_base;
	unsigned int line_range;
	unsigned int opcode_base;
	size_t lengths;			/* the place of the numbers of operands */
	char **directories;
	size_t nr_directories, directories_room;

	struct row row;
};

static uint64_t read_length(struct machine_state *state)
{
	uint64_t length = read_uint(&state->cursor, 4);
	unsigned int size = 4;

	if (length == 0xffffffff) {
		length = read_uint(&state->cursor, 8);
		size = 8;
	}
	if (size != state->unit->offset_size)
		die_at(state->cursor.section, state->cursor.pos,
		       "offsets of %u bytes, but those of the unit have %u", size,
		       state->unit->offset_size);
	return length;
}

static void add_directory(struct machine_state *state, const char *name)
{
	grow(state->directories, state->nr_directories, state->directories_room);
	state->directories[state->nr_directories++] =
		join_path(state->program->directory, name);
}

static void add_file(struct machine_state *state, const char *name, uint64_t directory)
{
	struct line_program *program = state->program;

	if (directory >= state->nr_directories)
		die_at(state->cursor.section, state->cursor.pos,
		       "directory %llu of %zu", (unsigned long long)directory,
		       state->nr_directories);
	grow(program->files, program->nr_files, program->files_room);
	program->files[program->nr_files++] = join_path(state->directories[directory], name);
}

/* Versions 2 to 4. Directory 0 is where the compiler ran; there is no file 0. */
static void read_lists_4(struct machine_state *state, const char *unit_name)
{
	struct cursor *cursor = &state->cursor;
	const char *name;

	add_directory(state, "");
	while (*(name = read_string(cursor)))
		add_directory(state, name);
	add_file(state, unit_name, 0);
	while (*(name = read_string(cursor))) {
		uint64_t directory = read_uleb(cursor);

		read_uleb(cursor);	/* the time */
		read_uleb(cursor);	/* the length */
		add_file(state, name, directory);
	}
}

/* Reads one entry of a list of version 5. */
static void read_entry(struct machine_state *state, const struct cursor *format,
		       unsigned int nr_fields, const char **name, uint64_t *directory)
{
	struct cursor fields = *format;

	*name = "";
	*directory = 0;
	for (unsigned int i = 0; i < nr_fields; i++) {
		struct attribute_spec spec = { .name = read_uleb(&fields),
					       .form = read_uleb(&fields) };
		struct value value = read_value(state->unit, &state->cursor, &spec);

		if (spec.name == DW_LNCT_path && value.class == VALUE_STRING)
			*name = value.string;
		else if (spec.name == DW_LNCT_directory_index && value.class == VALUE_UINT)
			*directory = value.number;
	}
}

static void read_list_5(struct machine_state *state, bool of_files)
{
	struct cursor *cursor = &state->cursor;
	unsigned int nr_fields = read_uint(cursor, 1);
	struct cursor format = *cursor;
	uint64_t nr, directory;
	const char *name;

	for (unsigned int i = 0; i < 2 * nr_fields; i++)
		read_uleb(cursor);
	nr = read_uleb(cursor);
	/* Each entry has a byte or more. */
	if (nr && (!nr_fields || nr > cursor->end - cursor->pos))
		die_at(cursor->section, cursor->pos, "a list of %llu names",
		       (unsigned long long)nr);
	while (nr--) {
		read_entry(state, &format, nr_fields, &name, &directory);
		if (of_files)
			add_file(state, name, directory);
		else
			add_directory(state, name);
	}
}

static void read_header(struct machine_state *state, const char *unit_name)
{
	struct cursor *cursor = &state->cursor;
	size_t start = cursor->pos, program;
	uint64_t length = read_length(state);

	if (length > cursor->end - cursor->pos)
		die_at(cursor->section, start, "a line number program ends beyond its section");
	cursor->end = cursor->pos + length;
	state->version = read_uint(cursor, 2);
	if (state->version < 2 || state->version > 5)
		die_at(cursor->section, start,
		       "a line number program of version %u, expected 2 to 5", state->version);
	if (state->version >= 5)
		skip_bytes(cursor, 2);	/* sizes of addresses and segments */
	length = read_uint(cursor, state->unit->offset_size);
	if (length > cursor->end - cursor->pos)
		die_at(cursor->section, start, "a header ends beyond its line number program");
	program = cursor->pos + length;
	state->min_length = read_uint(cursor, 1);
	if (state->version >= 4 && read_uint(cursor, 1) != 1)
		die_at(cursor->section, start, "a line number program for bundles of instructions");
	state->default_is_stmt = read_uint(cursor, 1);
	state->line_base = (int8_t)read_uint(cursor, 1);
	state->line_range = read_uint(cursor, 1);
	state->opcode_base = read_uint(cursor, 1);
	if (!state->line_range || !state->opcode_base)
		die_at(cursor->section, start, "invalid header of a line number program");
	state->lengths = cursor->pos;
	skip_bytes(cursor, state->opcode_base - 1);
	if (state->version >= 5) {
		read_list_5(state, false);
		read_list_5(state, true);
	} else {
		read_lists_4(state, unit_name);
	}
	cursor->pos = program;
}

static void reset_registers(struct machine_state *state)
{
	/* A program of version 5 begins with file 1, too. */
	state->row = (struct row){ .file = 1, .line = 1, .is_stmt = state->default_is_stmt };
}

static void append_row(struct machine_state *state)
{
	struct line_program *program = state->program;

	if (!state->row.end && state->row.file >= program->nr_files)
		die_at(state->cursor.section, state->cursor.pos, "a row of file %u of %zu",
		       state->row.file, program->nr_files);
	grow(program->rows, program->nr_rows, program->rows_room);
	program->rows[program->nr_rows++] = state->row;
}

static void advance_address(struct machine_state *state, uint64_t instructions)
{
	state->row.address.offset += instructions * state->min_length;
}

static void run_extended(struct machine_state *state)
{
	struct cursor *cursor = &state->cursor;
	uint64_t length = read_uleb(cursor);
	size_t start = cursor->pos, pos;

	skip_bytes(cursor, length);
	cursor->pos = start;
	switch (length ? read_uint(cursor, 1) : 0) {
	case DW_LNE_end_sequence:
		state->row.end = true;
		append_row(state);
		reset_registers(state);
		break;
	case DW_LNE_set_address:
		pos = cursor->pos;
		if (length != 1 + state->unit->address_size)
			die_at(cursor->section, pos, "an address of %llu bytes",
			       (unsigned long long)length - 1);
		state->row.address = relocated_address(cursor->section, pos,
						       read_uint(cursor, length - 1));
		break;
	}
	cursor->pos = start + length;
}

static void run_special(struct machine_state *state, unsigned int opcode)
{
	opcode -= state->opcode_base;
	advance_address(state, opcode / state->line_range);
	state->row.line += state->line_base + (int)(opcode % state->line_range);
	append_row(state);
}

/* An opcode that only compilers of the future know has operands that can be skipped. */
static void skip_operands(struct machine_state *state, unsigned int opcode)
{
	unsigned int nr = state->cursor.section->data[state->lengths + opcode - 1];

	while (nr--)
		read_uleb(&state->cursor);
}

static void run_opcode(struct machine_state *state)
{
	struct cursor *cursor = &state->cursor;
	unsigned int opcode = read_uint(cursor, 1);

	if (opcode >= state->opcode_base) {
		run_special(state, opcode);
		return;
	}
	switch (opcode) {
	case DW_LNS_extended:
		run_extended(state);
		break;
	case DW_LNS_copy:
		append_row(state);
		break;
	case DW_LNS_advance_pc:
		advance_address(state, read_uleb(cursor));
		break;
	case DW_LNS_advance_line:
		state->row.line += read_sleb(cursor);
		break;
	case DW_LNS_set_file:
		state->row.file = read_uleb(cursor);
		break;
	case DW_LNS_negate_stmt:
		state->row.is_stmt = !state->row.is_stmt;
		break;
	case DW_LNS_const_add_pc:
		advance_address(state, (255 - state->opcode_base) / state->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		state->row.address.offset += read_uint(cursor, 2);
		break;
	default:
		skip_operands(state, opcode);
	}
}

static void free_directories(struct machine_state *state)
{
	for (size_t i = 0; i < state->nr_directories; i++)
		free(state->directories[i]);
	free(state->directories);
}

/**
 * read_line_program - read the rows of a unit
 * @unit_die:	the DIE of the unit
 * @program:	gets the rows and the names of files; for free_line_program()
 *
 * Return: false if the unit has no line number program.
 */
bool read_line_program(const struct die *unit_die, struct line_program *program)
{
	const struct value *offset = find_attribute(unit_die, DW_AT_stmt_list);
	const struct unit *unit = unit_die->unit;
	struct cursor from = { unit->dwarf->info, unit_die->offset, unit->end };
	struct machine_state state = { .unit = unit, .program = program };

	*program = (struct line_program){ 0 };
	program->directory = find_string(unit_die, DW_AT_comp_dir) ?: "";
	/* DWARF 3 and clang may use a form of numbers. */
	if (!offset || (offset->class != VALUE_SECTION_OFFSET && offset->class != VALUE_UINT))
		return false;
	state.cursor = open_cursor(need_section(unit->dwarf, ".debug_line", &from),
				   offset->number);
	read_header(&state, die_name(unit_die) ?: "");
	reset_registers(&state);
	while (state.cursor.pos < state.cursor.end)
		run_opcode(&state);
	free_directories(&state);
	return true;
}

void free_line_program(struct line_program *program)
{
	for (size_t i = 0; i < program->nr_files; i++)
		free(program->files[i]);
	free(program->files);
	free(program->rows);
}
