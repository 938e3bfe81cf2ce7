// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../../scripts/lines/format.h"
#include "place.h"
#include "util.h"

const struct place *place_at(const struct places *places, size_t depth)
{
	return &places->all[places->nr - 1 - depth];
}

bool is_same_line(const struct place *a, const struct place *b)
{
	return a->line == b->line && !strcmp(a->file, b->file);
}

struct table {
	void				*map;
	size_t				size;
	unsigned int			unit_shift;
	const unsigned char		*build_id;
	const struct lines_section	*sections;
	const struct lines_piece	*pieces;
	const struct lines_origin	*origins;
	const uint32_t			*files;
	const unsigned char		*code;
	const char			*strings;
	uint32_t			build_id_size, nr_sections, nr_pieces, nr_origins, nr_files,
					code_size, strings_size;
};

/* Return the next part of a file, which @left gets smaller by, or NULL if it is too large. */
static const void *take_part(const unsigned char **at, size_t *left, uint64_t nr, size_t size)
{
	const void *part = *at;
	uint64_t bytes = (nr * size + 3) & ~3ULL;

	if (!*at || bytes > *left) {
		*at = NULL;
		return NULL;
	}
	*at += bytes;
	*left -= bytes;
	return part;
}

/* Find the parts of a table. Return NULL or what is wrong. */
static const char *use_table(struct table *table)
{
	const struct lines_header *header = table->map;
	const unsigned char *at = table->map;
	size_t left = table->size;

	if (!take_part(&at, &left, 1, sizeof(*header)) ||
	    memcmp(header->magic, LINES_MAGIC, sizeof(LINES_MAGIC)))
		return "not a table of source lines";
	if (le32toh(header->version) != LINES_VERSION)
		return "a table of source lines of another version";
	table->unit_shift = le32toh(header->unit_shift);
	table->build_id_size = le32toh(header->build_id_size);
	table->nr_sections = le32toh(header->nr_sections);
	table->nr_pieces = le32toh(header->nr_pieces);
	table->nr_origins = le32toh(header->nr_origins);
	table->nr_files = le32toh(header->nr_files);
	table->code_size = le32toh(header->code_size);
	table->strings_size = le32toh(header->strings_size);

	table->build_id = take_part(&at, &left, table->build_id_size, 1);
	table->sections = take_part(&at, &left, table->nr_sections, sizeof(*table->sections));
	table->pieces = take_part(&at, &left, table->nr_pieces, sizeof(*table->pieces));
	table->origins = take_part(&at, &left, table->nr_origins, sizeof(*table->origins));
	table->files = take_part(&at, &left, table->nr_files, sizeof(*table->files));
	table->code = take_part(&at, &left, table->code_size, 1);
	table->strings = take_part(&at, &left, table->strings_size, 1);
	if (!table->strings || table->unit_shift > 31 || !table->strings_size ||
	    table->strings[table->strings_size - 1])
		return "a damaged table of source lines";
	return NULL;
}

struct table *open_table(const char *file, const char **error)
{
	struct table *table = allocate(sizeof(*table));
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat stat;

	*error = NULL;
	if (fd < 0 || fstat(fd, &stat)) {
		*error = "cannot be read";
	} else if (!stat.st_size) {
		*error = "not a table of source lines";
	} else {
		table->size = stat.st_size;
		table->map = mmap(NULL, table->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (table->map == MAP_FAILED) {
			table->map = NULL;
			*error = "cannot be read";
		} else {
			*error = use_table(table);
		}
	}
	if (fd >= 0)
		close(fd);
	if (!*error)
		return table;
	close_table(table);
	return NULL;
}

void close_table(struct table *table)
{
	if (!table)
		return;
	if (table->map)
		munmap(table->map, table->size);
	free(table);
}

bool has_build_id(const struct table *table, const char *id)
{
	char digits[3];
	uint32_t i;

	for (i = 0; i < table->build_id_size; i++) {
		snprintf(digits, sizeof(digits), "%02x", table->build_id[i]);
		if (strncmp(id + 2 * i, digits, 2))
			return false;
	}
	return i && !id[2 * i];
}

static const char *string_at(const struct table *table, uint32_t offset)
{
	return offset < table->strings_size ? table->strings + offset : "";
}

static const char *file_name(const struct table *table, uint64_t file)
{
	return file < table->nr_files ? string_at(table, le32toh(table->files[file])) : "";
}

/* The code of a piece, while it is read */
struct code {
	const unsigned char *at, *end;
	bool is_damaged;
};

static uint64_t read_uleb(struct code *code)
{
	uint64_t number = 0;
	unsigned int shift;

	for (shift = 0; shift < 64; shift += 7) {
		if (code->at == code->end)
			break;
		number |= (uint64_t)(*code->at & 0x7f) << shift;
		if (!(*code->at++ & 0x80))
			return number;
	}
	code->is_damaged = true;
	return 0;
}

static int64_t read_sleb(struct code *code)
{
	const unsigned char *begin = code->at;
	uint64_t number = read_uleb(code);
	unsigned int bits = 7 * (code->at - begin);

	if (code->at > begin && (code->at[-1] & 0x40) && bits < 64)
		number |= -1ULL << bits;
	return number;
}

/* A scope of a piece: scope 0 is its function, each other one a function that was inlined */
struct scope {
	uint64_t	parent;
	const char	*func;
	uint64_t	file;		/* where the function is defined */
	unsigned int	line;
	uint64_t	call_file;	/* where it is called */
	unsigned int	call_line;
	unsigned int	last_line;	/* the register */
};

/* Read a scope after the first one. Return false if the table is damaged. */
static bool read_scope(const struct table *table, struct code *code, struct scope *scopes,
		       uint64_t number)
{
	uint64_t distance = read_uleb(code), origin = read_uleb(code);
	struct scope *scope = &scopes[number], *parent;
	bool has_file = distance & 1;

	distance >>= 1;
	if (!distance || distance > number || origin >= table->nr_origins)
		return false;
	scope->parent = number - distance;
	parent = &scopes[scope->parent];
	scope->func = string_at(table, le32toh(table->origins[origin].name));
	scope->file = le16toh(table->origins[origin].file);
	scope->line = le16toh(table->origins[origin].line);
	scope->last_line = scope->line;
	scope->call_file = has_file ? read_uleb(code) : parent->file;
	scope->call_line = parent->line + read_sleb(code);
	return !code->is_damaged;
}

/* Read the begin of a piece. Return its scopes, or NULL. */
static struct scope *read_scopes(const struct table *table, struct code *code, uint64_t *nr)
{
	uint64_t file = read_uleb(code), line = read_uleb(code), i;
	struct scope *scopes;

	*nr = read_uleb(code) + 1;
	/* Each scope has three bytes or more. */
	if (code->is_damaged || *nr > (uint64_t)(code->end - code->at) / 3 + 1)
		return NULL;
	scopes = allocate(*nr * sizeof(*scopes));
	scopes[0] = (struct scope){ .file = file, .line = line, .last_line = line };
	for (i = 1; i < *nr; i++) {
		if (!read_scope(table, code, scopes, i)) {
			free(scopes);
			return NULL;
		}
	}
	return scopes;
}

/* The registers of opcodes */
struct registers {
	uint64_t	scope, highest, file, address;
	bool		is_stmt;
};

/* A piece, while it is read */
struct reader {
	struct code	code;
	uint64_t	length;		/* in units */
	struct scope	*scopes;
	uint64_t	nr;		/* of scopes */
	struct registers registers;
};

/* Run an opcode that adds no line. */
static bool run_opcode(struct reader *reader, unsigned int opcode)
{
	struct registers *registers = &reader->registers;
	struct code *code = &reader->code;

	switch (opcode) {
	case LINES_SCOPE:
		registers->scope = read_uleb(code);
		break;
	case LINES_NEXT:
		registers->scope = registers->highest + 1;
		break;
	case LINES_FILE:
		registers->file = read_uleb(code);
		return true;
	case LINES_ADDRESS:
		registers->address += read_uleb(code);
		return true;
	case LINES_LINE:
		reader->scopes[registers->scope].last_line += read_sleb(code);
		return true;
	case LINES_STMT:
		registers->is_stmt = !registers->is_stmt;
		return true;
	default:
		registers->scope += (int)opcode - LINES_NEAR + LINES_NEAR_BASE;
	}
	if (registers->scope >= reader->nr)
		return false;
	registers->file = reader->scopes[registers->scope].file;
	if (registers->scope > registers->highest)
		registers->highest = registers->scope;
	return true;
}

/* Run opcodes until one adds a line. Return false at the end, or if the table is damaged. */
static bool read_line(struct reader *reader)
{
	struct code *code = &reader->code;

	while (code->at < code->end && !code->is_damaged) {
		unsigned int opcode = *code->at++;

		if (opcode < LINES_SPECIAL) {
			if (!run_opcode(reader, opcode)) {
				code->is_damaged = true;
				return false;
			}
			continue;
		}
		opcode -= LINES_SPECIAL;
		reader->registers.address += opcode / LINES_RANGE;
		reader->scopes[reader->registers.scope].last_line +=
			LINES_BASE + (int)(opcode % LINES_RANGE);
		return true;
	}
	return false;
}

/* Return the places from the scope of a line to the function. */
static struct places list_places(const struct table *table, const struct scope *scopes,
				 const struct registers *found, unsigned int line)
{
	uint64_t scope = found->scope, file = found->file, s;
	struct places places = { .nr = 1 };
	size_t i;

	for (s = scope; s; s = scopes[s].parent)
		places.nr++;
	places.all = allocate(places.nr * sizeof(*places.all));
	for (i = 0; i < places.nr; i++) {
		places.all[i] = (struct place){ scopes[scope].func, file_name(table, file), line };
		file = scopes[scope].call_file;
		line = scopes[scope].call_line;
		scope = scopes[scope].parent;
	}
	places.definition = (struct place){ NULL, file_name(table, scopes[0].file),
					    scopes[0].line };
	return places;
}

/* Begin to read a piece. Return false if the table is damaged. */
static bool open_piece(const struct table *table, uint32_t piece, struct reader *reader)
{
	uint32_t begin = le32toh(table->pieces[piece].code), end = table->code_size;

	memset(reader, 0, sizeof(*reader));
	if (piece + 1 < table->nr_pieces)
		end = le32toh(table->pieces[piece + 1].code);
	if (begin > end || end > table->code_size)
		return false;
	reader->code = (struct code){ table->code + begin, table->code + end, false };
	reader->length = read_uleb(&reader->code);
	reader->scopes = read_scopes(table, &reader->code, &reader->nr);
	if (!reader->scopes)
		return false;
	reader->registers.file = reader->scopes[0].file;
	return true;
}

/*
 * Find the last piece that begins at @offset or before it, and begin to read it. @offset becomes
 * the distance from its begin, in bytes. Return false if it does not contain the address.
 */
static bool find_piece(const struct table *table, const char *section, uint64_t *offset,
		       struct reader *reader)
{
	uint64_t first = 0, low, high, middle;
	uint32_t nr = 0, i;

	for (i = 0; i < table->nr_sections; i++) {
		nr = le32toh(table->sections[i].nr_pieces);
		if (!strcmp(string_at(table, le32toh(table->sections[i].name)), section))
			break;
		first += nr;
	}
	if (i == table->nr_sections || first + nr > table->nr_pieces)
		return false;
	for (low = first, high = first + nr; low < high;) {
		middle = low + (high - low) / 2;
		if (le32toh(table->pieces[middle].offset) <= *offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first || !open_piece(table, low - 1, reader))
		return false;
	*offset -= le32toh(table->pieces[low - 1].offset);
	if (*offset >> table->unit_shift < reader->length)
		return true;
	free(reader->scopes);
	return false;
}

struct places find_places(const struct table *table, const char *section, uint64_t offset)
{
	struct places places = { };
	struct registers found;
	struct reader reader;
	unsigned int line;

	if (!find_piece(table, section, &offset, &reader))
		return places;
	/* The last line that begins at the address or before it */
	found = reader.registers;
	line = reader.scopes[0].line;
	while (read_line(&reader) && reader.registers.address <= offset >> table->unit_shift) {
		found = reader.registers;
		line = reader.scopes[found.scope].last_line;
	}
	if (!reader.code.is_damaged)
		places = list_places(table, reader.scopes, &found, line);
	free(reader.scopes);
	return places;
}

size_t list_rows(const struct table *table, const char *section, uint64_t offset,
		 struct row **rows)
{
	uint64_t start = offset;
	struct reader reader;
	size_t nr = 0;

	*rows = NULL;
	if (!find_piece(table, section, &offset, &reader))
		return 0;
	start -= offset;
	/* A row takes one byte of code or more. */
	*rows = allocate((reader.code.end - reader.code.at + 1) * sizeof(**rows));
	while (read_line(&reader) && reader.registers.address < reader.length) {
		const struct registers *registers = &reader.registers;

		(*rows)[nr].offset = start + (registers->address << table->unit_shift);
		(*rows)[nr].is_stmt = registers->is_stmt;
		(*rows)[nr++].places = list_places(table, reader.scopes, registers,
						   reader.scopes[registers->scope].last_line);
	}
	free(reader.scopes);
	if (!reader.code.is_damaged)
		return nr;
	while (nr)
		free((*rows)[--nr].places.all);
	return 0;
}
