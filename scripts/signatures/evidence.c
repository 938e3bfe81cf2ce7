// SPDX-License-Identifier: GPL-2.0
/* The evidence of DWARF: locations of a parameter at the entry of its function. */
#include "evidence.h"
#include "ranges.h"
#include "util.h"

/*
 * Return: true if offsets of DW_OP_fbreg are relative to the CFA, where the stack
 * arguments begin.
 */
static bool frame_base_is_cfa(const struct die *function)
{
	struct cursor cursor;

	return find_block(function, DW_AT_frame_base, &cursor) &&
	       cursor.end - cursor.pos == 1 &&
	       read_uint(&cursor, 1) == DW_OP_call_frame_cfa;
}

/*
 * Reads a location. A negative offset is not evidence, because the function itself
 * fills its frame below the stack arguments.
 */
static struct location read_location(struct cursor *cursor, const struct die *function)
{
	unsigned int op = read_uint(cursor, 1);
	const struct file *file = function->unit->dwarf->file;
	int64_t number;

	if (op >= DW_OP_reg0 && op <= DW_OP_reg31)
		return (struct location){ LOCATION_REGISTER, op - DW_OP_reg0 };
	if (op == DW_OP_regx)
		return (struct location){ LOCATION_REGISTER, read_uleb(cursor) };
	if (op == DW_OP_fbreg) {
		number = read_sleb(cursor);
		/* A value smaller than a word is in the last bytes of its word. */
		if (file->big_endian && number >= 0)
			number -= number % file->word;
		if (number >= 0 && frame_base_is_cfa(function))
			return (struct location){ LOCATION_STACK, number };
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31 && !read_sleb(cursor)) {
		return (struct location){ LOCATION_AT_REGISTER, op - DW_OP_breg0 };
	}
	return (struct location){ LOCATION_OTHER };
}

/**
 * find_at_entry - read the locations of a parameter at the entry of a function
 * @param:	the parameter
 * @function:	its function
 * @entry:	the address of the first instruction
 *
 * Return: the evidence, without any pieces if DWARF contains none.
 */
struct evidence find_at_entry(const struct die *param, const struct die *function,
			      struct address entry)
{
	unsigned int word = param->unit->dwarf->file->word;
	struct evidence evidence = { 0 };
	bool in_register = false;
	struct cursor cursor;

	if (!find_location_at(param, entry, &cursor))
		return evidence;
	while (cursor.pos < cursor.end && evidence.nr < ARRAY_SIZE(evidence.pieces)) {
		struct location location = read_location(&cursor, function);

		if (location.kind == LOCATION_OTHER)
			break;
		/*
		 * After another operation, the location is no longer a register or
		 * stack word.
		 */
		if (cursor.pos < cursor.end && read_uint(&cursor, 1) != DW_OP_piece)
			break;
		evidence.pieces[evidence.nr++] = location;
		in_register |= location.kind != LOCATION_STACK;
		if (cursor.pos < cursor.end && read_uleb(&cursor) != word)
			break;
	}
	/*
	 * GCC writes an exprloc if it does not track variables. The allocator chose its
	 * register, and the function copies the parameter there after the entry. A
	 * stack argument stays in its place.
	 */
	evidence.home = in_register && find_block(param, DW_AT_location, &cursor);
	return evidence;
}
