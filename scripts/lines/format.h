/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of a file of lines, such as vmlinux.lines.
 *
 * write.c writes it. fgraph maps it, and searches it in place.
 *
 *	struct lines_header
 *	char build_id[build_id_size]
 *	struct lines_section[nr_sections]
 *	struct lines_piece[nr_pieces]		by section, then by offset
 *	struct lines_origin[nr_origins]		the functions that were inlined somewhere
 *	uint32_t files[nr_files]		strings
 *	unsigned char code[code_size]
 *	char strings[strings_size]		each ends with a zero byte
 *
 * All numbers are little endian, and each part begins at a multiple of 4. A string is
 * named by its offset in strings[], a file and an origin by its index. File 0 is not known,
 * as is line 0.
 *
 * A piece is contiguous code of one function. A kernel has one section, whose base is the
 * address of the symbol _text. Each section of a module with code has an entry, and its base
 * is the address that /sys/module/NAME/sections contains.
 *
 * The code of a piece ends where that of the next one begins:
 *
 *	uleb length				of the piece, in units
 *	uleb file, uleb line			where its function is defined
 *	uleb nr_scopes				without the function itself, which is scope 0
 *	nr_scopes times
 *		uleb distance << 1 | has_file	parent = the scope's number - distance
 *		uleb origin
 *		if has_file: uleb file		of the call; else the file of the parent
 *		sleb line			of the call, from the line of the parent
 *	opcodes
 *
 * The opcodes set registers. LINES_SPECIAL and higher ones also add a line:
 *
 *	scope	0 at first
 *	line	one for each scope, at first where its function is defined
 *	file	that of the scope, whenever the scope changes
 *	address	0 at first; in units
 *	is_stmt	0 at first
 *
 * Code belongs to the last line at its address. The lines before it are statements that begin
 * there, but whose code is behind it. A line whose is_stmt is 0 goes on with a statement. Code
 * before the first line belongs to the line where the function is defined.
 *
 * A unit has 1 << unit_shift bytes.
 */
#ifndef LINES_FORMAT_H
#define LINES_FORMAT_H

#include <stdint.h>

#define LINES_MAGIC	"fglines"	/* with its zero byte, eight bytes */
#define LINES_VERSION	1

struct lines_header {
	char magic[8];
	uint32_t version;
	uint32_t unit_shift;
	uint32_t build_id_size;
	uint32_t nr_sections;
	uint32_t nr_pieces;
	uint32_t nr_origins;
	uint32_t nr_files;
	uint32_t code_size;
	uint32_t strings_size;
};

struct lines_section {
	uint32_t name;		/* a string, "" for a kernel */
	uint32_t nr_pieces;
};

struct lines_piece {
	uint32_t offset;	/* from the base of its section */
	uint32_t code;		/* an offset in code[] */
};

struct lines_origin {
	uint32_t name;		/* a string, "" if it is not known */
	uint16_t file;
	uint16_t line;		/* one that is too large is not known */
};

enum {
	LINES_SCOPE,		/* uleb: the scope */
	LINES_NEXT,		/* the scope after the highest that was used */
	LINES_FILE,		/* uleb: the file */
	LINES_ADDRESS,		/* uleb: is added to the address */
	LINES_LINE,		/* sleb: is added to the line */
	LINES_STMT,		/* is_stmt is negated */
	LINES_NEAR,		/* + n: n + LINES_NEAR_BASE is added to the scope */
};

#define LINES_NEAR_BASE	(-12)
#define LINES_NR_NEAR	22

/*
 * A special opcode is LINES_SPECIAL + address * LINES_RANGE + line - LINES_BASE: both are
 * added to the registers.
 */
#define LINES_SPECIAL	(LINES_NEAR + LINES_NR_NEAR)
#define LINES_BASE	(-3)
#define LINES_RANGE	12
#define LINES_MAX_ADDRESS ((255 - LINES_SPECIAL) / LINES_RANGE - 1)

#endif /* LINES_FORMAT_H */
