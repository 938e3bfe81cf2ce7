// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of functions, and the functions that were inlined.
 *
 * A DIE of an inlined function lies within the DIE of the function that it was inlined
 * into, perhaps in a lexical block, and has ranges of code within those of that function.
 * So the deepest DIE with a range that contains an address is the function whose line the
 * row of that address is.
 */
#include <stdlib.h>
#include <string.h>

#include "inlined.h"
#include "line_program.h"
#include "../signatures/ranges.h"
#include "../signatures/util.h"

/* DIEs that nest deeper are an error of the compiler, or an attack. */
#define MAX_DEPTH	512

/* The code of one scope */
struct extent {
	struct address start;
	uint64_t length;
	unsigned int depth;
	size_t scope;
};

struct reader {
	struct lines *lines;
	const struct unit *unit;
	struct line_program program;
	size_t *files;			/* the strings of program.files[] */
	size_t unknown;			/* the string of a file without a name */
	struct row *rows;		/* of all sequences, by address */
	size_t nr_rows, rows_room;

	/* The function that is being read */
	struct scope *scopes;
	size_t nr_scopes, scopes_room;
	struct extent *extents;
	size_t nr_extents, extents_room;
	size_t scope;			/* whose extents are being added */
	unsigned int depth;
};

static size_t file_string(const struct reader *reader, uint64_t file)
{
	return file < reader->program.nr_files ? reader->files[file] : reader->unknown;
}

static void find_file(const struct reader *reader, const struct die *die, unsigned int name,
		      size_t *file)
{
	uint64_t number;

	if (find_uint(die, name, &number))
		*file = file_string(reader, number);
}

/*
 * Return: the function that a DIE is an instance of. With LTO, the function can be in
 * another unit, whose files have other numbers: no file is known then.
 */
static struct origin *read_origin(const struct reader *reader, const struct die *die)
{
	size_t file = reader->unknown, name = reader->unknown;
	struct die holder;
	uint64_t line = 0;

	if (read_inherited(die, DW_AT_name, &holder) && die_name(&holder))
		name = intern_string(reader->lines, die_name(&holder));
	if (read_inherited(die, DW_AT_decl_line, &holder)) {
		find_uint(&holder, DW_AT_decl_line, &line);
		if (holder.unit == reader->unit && read_inherited(die, DW_AT_decl_file, &holder))
			find_file(reader, &holder, DW_AT_decl_file, &file);
	}
	return intern_origin(reader->lines, name, file, line);
}

static void add_extent(void *data, struct address start, uint64_t length)
{
	struct reader *reader = data;

	if (!start.section || !length)
		return;
	grow(reader->extents, reader->nr_extents, reader->extents_room);
	reader->extents[reader->nr_extents++] =
		(struct extent){ start, length, reader->depth, reader->scope };
}

static void add_scope(struct reader *reader, const struct die *die, size_t parent)
{
	struct scope scope = { .parent = parent, .call_file = reader->unknown,
			       .origin = read_origin(reader, die) };
	uint64_t line;

	find_file(reader, die, DW_AT_call_file, &scope.call_file);
	if (find_uint(die, DW_AT_call_line, &line))
		scope.call_line = line;
	grow(reader->scopes, reader->nr_scopes, reader->scopes_room);
	reader->scope = reader->nr_scopes;
	reader->scopes[reader->nr_scopes++] = scope;
	visit_ranges(die, add_extent, reader);
}

static void read_inner_scopes(struct reader *reader, const struct die *die, size_t parent)
{
	struct die child;

	if (++reader->depth > MAX_DEPTH)
		die_at(reader->unit->dwarf->info, die->offset, "DIEs nest too deeply");
	for_each_child(&child, die) {
		if (child.tag == DW_TAG_inlined_subroutine) {
			add_scope(reader, &child, parent);
			read_inner_scopes(reader, &child, reader->nr_scopes - 1);
		} else if (child.tag == DW_TAG_lexical_block) {
			read_inner_scopes(reader, &child, parent);
		}
	}
	reader->depth--;
}

static int compare_extents(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return compare_addresses(&x->start, &y->start) ?: compare_uints(x->depth, y->depth) ?:
	       compare_uints(x->scope, y->scope);
}

static bool row_is_to(const void *row, const void *address)
{
	return compare_addresses(&((const struct row *)row)->address, address) <= 0;
}

/* The state at an address. The addresses of a piece are visited in their order. */
struct position {
	const struct row *row;		/* the next one */
	const struct extent *extent;	/* the next one */
	const struct extent **open;	/* those that contain the address */
	size_t nr_open, open_room;
	struct line line;
};

static uint64_t end_of(const struct extent *extent)
{
	return extent->start.offset + extent->length;
}

static bool is_same_line(const struct line *a, const struct line *b)
{
	return a->scope == b->scope && a->file == b->file && a->line == b->line;
}

/*
 * The last line of an address is what its code belongs to. Those before it matter if a statement
 * begins there: the compiler moved its code.
 */
static void add_line(struct piece *piece, const struct line *line)
{
	struct line *last = piece->nr_lines ? &piece->lines[piece->nr_lines - 1] : NULL;

	if (last && is_same_line(last, line) &&
	    (last->is_stmt || !line->is_stmt || last->offset == line->offset)) {
		last->is_stmt |= line->is_stmt;
		return;
	}
	if (last && last->offset == line->offset && !last->is_stmt) {
		*last = *line;
		return;
	}
	grow(piece->lines, piece->nr_lines, piece->lines_room);
	piece->lines[piece->nr_lines++] = *line;
}

/* Return: the next address after @offset where a row or an extent begins or ends. */
static uint64_t next_change(const struct reader *reader, const struct position *at,
			    uint64_t offset, struct address end)
{
	uint64_t next = end.offset;

	if (at->row < reader->rows + reader->nr_rows &&
	    at->row->address.section == end.section && at->row->address.offset < next)
		next = at->row->address.offset;
	if (at->extent < reader->extents + reader->nr_extents &&
	    at->extent->start.section == end.section && at->extent->start.offset < next)
		next = at->extent->start.offset;
	for (size_t i = 0; i < at->nr_open; i++) {
		if (end_of(at->open[i]) < next)
			next = end_of(at->open[i]);
	}
	return next > offset ? next : offset + 1;
}

/* Opens and closes the extents at an address. Returns false if there are none. */
static bool change_scope(const struct reader *reader, struct position *at,
			 struct address address)
{
	const struct extent *deepest = NULL;
	size_t kept = 0, before = at->nr_open;

	while (at->extent < reader->extents + reader->nr_extents &&
	       compare_addresses(&at->extent->start, &address) <= 0) {
		if (at->extent->start.section == address.section) {
			grow(at->open, at->nr_open, at->open_room);
			at->open[at->nr_open++] = at->extent;
			before = SIZE_MAX;
		}
		at->extent++;
	}
	for (size_t i = 0; i < at->nr_open; i++) {
		if (end_of(at->open[i]) <= address.offset)
			continue;
		at->open[kept++] = at->open[i];
		if (!deepest || at->open[i]->depth >= deepest->depth)
			deepest = at->open[i];
	}
	at->nr_open = kept;
	at->line.scope = deepest ? deepest->scope : 0;
	return kept != before;
}

static struct line line_of(const struct reader *reader, const struct row *row,
			   const struct position *at)
{
	return (struct line){
		.offset = at->line.offset,
		.scope = at->line.scope,
		.file = row->end ? reader->unknown : file_string(reader, row->file),
		.line = row->end ? 0 : row->line,
		.is_stmt = row->is_stmt,
	};
}

/*
 * Use the rows up to an address. If a scope begins or ends there, it is not known which of them
 * belong to it, but for the last one.
 */
static void use_rows(const struct reader *reader, struct position *at,
		     struct address address, struct piece *piece, bool is_changed)
{
	const struct row *end = at->row, *row;
	struct line line;

	while (end < reader->rows + reader->nr_rows &&
	       compare_addresses(&end->address, &address) <= 0)
		end++;
	at->line.is_stmt = false;
	if (end == at->row)
		return;
	at->line = line_of(reader, end - 1, at);
	for (row = at->row; row < end - 1; row++) {
		if (!row->is_stmt || compare_addresses(&row->address, &address))
			continue;
		line = line_of(reader, row, at);
		if (is_same_line(&line, &at->line))
			at->line.is_stmt = true;
		else if (!is_changed && line.line)
			add_line(piece, &line);
	}
	at->row = end;
}

/* Moves to an address. */
static void move_to(const struct reader *reader, struct position *at,
		    struct address address, struct piece *piece)
{
	bool is_changed = change_scope(reader, at, address);

	at->line.offset = address.offset - piece->start.offset;
	use_rows(reader, at, address, piece, is_changed);
	add_line(piece, &at->line);
}

static void fill_piece(const struct reader *reader, struct piece *piece)
{
	struct position at = { .extent = reader->extents };
	struct address address = piece->start, end = piece->start;

	end.offset += piece->length;
	at.row = reader->rows + count_below(&address, reader->rows, reader->nr_rows,
					    sizeof(*reader->rows), row_is_to);
	at.line.file = reader->unknown;
	/* A row before the piece, of the same sequence, may reach into it. */
	if (at.row > reader->rows && at.row[-1].address.section == address.section)
		at.row--;
	while (address.offset < end.offset) {
		move_to(reader, &at, address, piece);
		address.offset = next_change(reader, &at, address.offset, end);
	}
	free(at.open);
}

/* The compiler moves the code of a statement not further than so many lines. */
#define MAX_MOVE 256

/* Is there code of a statement after its begin? */
static bool continues(const struct piece *piece, size_t statement)
{
	size_t end = statement + MAX_MOVE;

	if (end > piece->nr_lines)
		end = piece->nr_lines;
	for (size_t i = statement + 1; i < end; i++) {
		if (is_same_line(&piece->lines[i], &piece->lines[statement]) &&
		    !piece->lines[i].is_stmt)
			return true;
	}
	return false;
}

/*
 * Drops statements whose code is elsewhere. A statement without code of its own, such as a return
 * before "}", has its begin at code that continues another line.
 */
static void drop_lines(struct piece *piece)
{
	size_t nr = 0;

	for (size_t i = 0; i < piece->nr_lines; i++) {
		if (i + 1 < piece->nr_lines &&
		    piece->lines[i].offset == piece->lines[i + 1].offset &&
		    piece->lines[i + 1].is_stmt && !continues(piece, i))
			continue;
		piece->lines[nr++] = piece->lines[i];
	}
	piece->nr_lines = nr;
}

/* Gives a piece the scopes that its lines use, and those that contain them. */
static void number_scopes(const struct reader *reader, struct piece *piece)
{
	size_t *numbers = xcalloc(reader->nr_scopes, sizeof(*numbers));

	grow_by(piece->scopes, piece->nr_scopes, piece->scopes_room, reader->nr_scopes);
	piece->scopes[piece->nr_scopes++] = reader->scopes[0];
	for (size_t i = 0; i < piece->nr_lines; i++) {
		size_t scope = piece->lines[i].scope, chain[MAX_DEPTH + 1], nr = 0;

		for (size_t s = scope; s && !numbers[s]; s = reader->scopes[s].parent)
			chain[nr++] = s;
		while (nr--) {
			struct scope *new = &piece->scopes[piece->nr_scopes];

			*new = reader->scopes[chain[nr]];
			new->parent = numbers[new->parent];
			numbers[chain[nr]] = piece->nr_scopes++;
		}
		piece->lines[i].scope = numbers[scope];
	}
	free(numbers);
}

/* A function has not more code than this before its low_pc. */
#define MAX_ENTRY 64

/*
 * The symbol of a function may begin before its low_pc: GCC leaves out the instructions of
 * -fpatchable-function-entry. Let the piece begin there, before its first line.
 */
static void begin_at_symbol(const struct reader *reader, struct piece *piece)
{
	const struct spans *functions = &reader->unit->dwarf->file->functions;
	size_t left = count_spans_to(functions, piece->start);
	const struct span *symbol = next_span(functions, piece->start, &left);
	uint64_t distance = symbol ? piece->start.offset - symbol->start.offset : 0;

	if (distance > MAX_ENTRY)
		return;
	piece->start.offset -= distance;
	piece->length += distance;
	for (size_t i = 0; i < piece->nr_lines; i++)
		piece->lines[i].offset += distance;
}

static void read_function(struct reader *reader, const struct die *die)
{
	size_t nr_pieces;

	reader->nr_scopes = 0;
	reader->nr_extents = 0;
	reader->depth = 0;
	add_scope(reader, die, 0);
	nr_pieces = reader->nr_extents;
	if (!nr_pieces)
		return;
	for (size_t i = 0; i < nr_pieces; i++)
		add_piece(reader->lines, reader->extents[i].start, reader->extents[i].length);
	read_inner_scopes(reader, die, 0);
	qsort(reader->extents, reader->nr_extents, sizeof(*reader->extents), compare_extents);
	for (size_t i = 0; i < nr_pieces; i++) {
		struct piece *piece = &reader->lines->pieces[reader->lines->nr_pieces -
							     nr_pieces + i];

		fill_piece(reader, piece);
		drop_lines(piece);
		number_scopes(reader, piece);
		begin_at_symbol(reader, piece);
	}
}

/* Rows of contiguous code */
struct sequence {
	struct address start;
	size_t first, nr;
};

static int compare_sequences(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	return compare_addresses(&x->start, &y->start) ?: compare_uints(x->first, y->first);
}

/* Return: the number of rows from @first to the end of their sequence, with that. */
static size_t count_sequence(const struct line_program *program, size_t first)
{
	size_t nr = 0;

	while (first + nr < program->nr_rows && !program->rows[first + nr++].end)
		;
	return nr;
}

/* Copies the rows in the order of addresses. Sequences do not overlap. */
static void sort_rows(struct reader *reader)
{
	const struct line_program *program = &reader->program;
	struct sequence *sequences = NULL;
	size_t nr = 0, room = 0, length;

	for (size_t i = 0; i < program->nr_rows; i += length) {
		length = count_sequence(program, i);
		if (!program->rows[i].address.section)
			continue;
		grow(sequences, nr, room);
		sequences[nr++] = (struct sequence){ program->rows[i].address, i, length };
	}
	if (nr)
		qsort(sequences, nr, sizeof(*sequences), compare_sequences);
	reader->nr_rows = 0;
	grow_by(reader->rows, reader->nr_rows, reader->rows_room, program->nr_rows);
	for (size_t i = 0; i < nr; i++) {
		memcpy(reader->rows + reader->nr_rows, program->rows + sequences[i].first,
		       sequences[i].nr * sizeof(*reader->rows));
		reader->nr_rows += sequences[i].nr;
	}
	free(sequences);
}

static void open_unit(struct reader *reader, const struct die *top)
{
	read_line_program(top, &reader->program);
	if (*reader->program.directory)
		reader->lines->directory = reader->program.directory;
	reader->files = xcalloc(reader->program.nr_files, sizeof(*reader->files));
	for (size_t i = 0; i < reader->program.nr_files; i++)
		reader->files[i] = intern_string(reader->lines, reader->program.files[i]);
	sort_rows(reader);
}

static void read_unit(struct reader *reader)
{
	struct die top, child;

	if (reader->unit->type_offset || !read_unit_die(reader->unit, &top))
		return;
	open_unit(reader, &top);
	for_each_child(&child, &top) {
		if (child.tag == DW_TAG_subprogram && !find_attribute(&child, DW_AT_declaration))
			read_function(reader, &child);
	}
	free(reader->files);
	free_line_program(&reader->program);
}

/* Collects the lines of all functions. */
void collect_lines(struct lines *lines, struct dwarf *dwarf)
{
	struct reader reader = { .lines = lines, .unknown = intern_string(lines, "") };

	for (size_t i = 0; i < dwarf->nr_units; i++) {
		reader.unit = &dwarf->units[i];
		read_unit(&reader);
	}
	free(reader.rows);
	free(reader.scopes);
	free(reader.extents);
}
