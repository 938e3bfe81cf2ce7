// SPDX-License-Identifier: GPL-2.0
/*
 * Where arguments and results are at the entry and at the return of a function:
 * as the ABI has it, and as DWARF says.
 *
 * The ABIs are the psABI documents of x86-64, i386 (with -mregparm=3 and
 * -freg-struct-return, as the kernel is built), AAPCS, AAPCS64 and RISC-V LP64.
 * They differ in few things, which struct abi lists; one function follows them all.
 */
#include "dwarf.h"
#include "signatures.h"

/* How a machine passes what is floating point */
enum floating {
	FLOATING_AS_INTEGER,	/* soft float */
	FLOATING_IN_VECTOR,	/* in registers of its own */
	FLOATING_ON_STACK,
};

/**
 * struct abi - how a machine passes arguments and results
 * @nr_registers:	for arguments
 * @registers:		their numbers in DWARF
 * @max_in_registers:	the size of a struct, above which it goes to the stack
 * @max_by_value:	the size above which it is passed by reference
 * @max_result:		the size of a struct, above which it is returned in memory
 * @odd_results_in_memory: so are structs that no integer has the size of
 * @unaligned_in_memory: and structs with members that are not aligned
 * @memory_is_argument:	where that is, the caller tells in the first register
 * @memory_is_result:	and gets it in the first register
 * @even:		what needs more alignment than a word begins in an even register
 * @split:		the last registers and the stack can share an argument
 * @backfill:		later arguments can get registers when one did not fit
 * @by_stack:		some functions take everything on the stack
 * @max_alignment:	of an argument on the stack
 */
struct abi {
	unsigned int nr_registers;
	unsigned char registers[8];
	unsigned int max_in_registers;
	unsigned int max_by_value;
	unsigned int max_result;
	bool odd_results_in_memory;
	bool unaligned_in_memory;
	bool memory_is_argument;
	bool memory_is_result;
	bool even;
	bool split;
	bool backfill;
	bool by_stack;
	unsigned int max_alignment;
	enum floating floating;
};

const struct abi abi_x86_64 = {
	.nr_registers = 6,
	.registers = { 5, 4, 1, 2, 8, 9 },
	.max_in_registers = 16,
	.max_result = 16,
	.unaligned_in_memory = true,
	.memory_is_argument = true,
	.memory_is_result = true,
	.backfill = true,
	.max_alignment = 16,
	.floating = FLOATING_IN_VECTOR,
};

const struct abi abi_i386 = {
	.nr_registers = 3,
	.registers = { 0, 2, 1 },
	.max_result = 8,
	.odd_results_in_memory = true,
	.memory_is_argument = true,
	.memory_is_result = true,
	.by_stack = true,
	.max_alignment = 4,
	.floating = FLOATING_ON_STACK,
};

const struct abi abi_arm = {
	.nr_registers = 4,
	.registers = { 0, 1, 2, 3 },
	.max_result = 4,
	.memory_is_argument = true,
	.even = true,
	.split = true,
	.max_alignment = 8,
};

const struct abi abi_arm64 = {
	.nr_registers = 8,
	.registers = { 0, 1, 2, 3, 4, 5, 6, 7 },
	.max_by_value = 16,
	.max_result = 16,
	.even = true,
	.max_alignment = 16,
	.floating = FLOATING_IN_VECTOR,
};

const struct abi abi_riscv64 = {
	.nr_registers = 8,
	.registers = { 10, 11, 12, 13, 14, 15, 16, 17 },
	.max_by_value = 16,
	.max_result = 16,
	.memory_is_argument = true,
	.split = true,
	.max_alignment = 16,
};

static bool is_aggregate(const struct layout *layout)
{
	return layout->tag == DW_TAG_structure_type ||
	       layout->tag == DW_TAG_union_type ||
	       layout->tag == DW_TAG_array_type;
}

static bool result_is_in_memory(const struct abi *abi, const struct layout *layout)
{
	if (!is_aggregate(layout))
		return false;
	if (abi->odd_results_in_memory && (layout->size & (layout->size - 1)))
		return true;
	return layout->size > abi->max_result ||
	       (abi->unaligned_in_memory && layout->unaligned);
}

/* Whether the machine has functions that take everything on the stack */
bool calls_by_stack(const struct file *file)
{
	return file->machine->abi->by_stack;
}

/**
 * start_call - begin to place the arguments of a call
 * @call:		gets the state
 * @file:		of which machine
 * @result:		what the function returns: it may need an argument, too
 * @all_on_stack:	no argument is in a register
 */
void start_call(struct call *call, const struct file *file,
		const struct layout *result, bool all_on_stack)
{
	*call = (struct call){
		.abi = file->machine->abi,
		.word = file->word,
		.all_on_stack = all_on_stack,
	};
	if (!call->abi->memory_is_argument || !result_is_in_memory(call->abi, result))
		return;
	if (all_on_stack)
		call->stack = 1;
	else
		call->registers = 1;
}

static bool may_use_registers(const struct call *call, const struct layout *layout)
{
	const struct abi *abi = call->abi;

	if (call->all_on_stack)
		return false;
	if (layout->floating && abi->floating == FLOATING_ON_STACK)
		return false;
	if (!is_aggregate(layout))
		return true;
	if (abi->max_in_registers && layout->size > abi->max_in_registers)
		return false;
	return !(abi->unaligned_in_memory && layout->unaligned);
}

static struct place place_on_stack(struct call *call, unsigned int words,
				   uint64_t alignment)
{
	struct place place = { PLACE_WORDS, .nr_stack = words };
	unsigned int step;

	if (alignment > call->abi->max_alignment)
		alignment = call->abi->max_alignment;
	step = alignment > call->word ? alignment / call->word : 1;
	call->stack = DIV_ROUND_UP(call->stack, step) * step;
	place.first_stack = call->stack;
	call->stack += words;
	return place;
}

/* Return: false if the registers do not suffice; some may be used up then. */
static bool place_in_registers(struct call *call, struct place *place,
			       unsigned int words, uint64_t alignment)
{
	const struct abi *abi = call->abi;
	unsigned int first = call->registers, left;

	if (abi->even && alignment > call->word)
		first += first % 2;
	left = first < abi->nr_registers ? abi->nr_registers - first : 0;

	*place = (struct place){ PLACE_WORDS, .first_register = first };
	if (words <= left) {
		place->nr_registers = words;
		call->registers = first + words;
		return true;
	}
	if (abi->split && left && !call->stack) {
		place->nr_registers = left;
		place->nr_stack = words - left;
		call->registers = abi->nr_registers;
		call->stack = words - left;
		return true;
	}
	if (!abi->backfill)
		call->registers = abi->nr_registers;
	return false;
}

/**
 * place_argument - where the next argument of a call is
 * @call:	the call, so far
 * @layout:	of the argument's type
 */
struct place place_argument(struct call *call, const struct layout *layout)
{
	unsigned int words = DIV_ROUND_UP(layout->size, call->word);
	const struct abi *abi = call->abi;
	uint64_t alignment = layout->alignment;
	struct place place;
	bool by_reference;

	if (layout->floating && abi->floating == FLOATING_IN_VECTOR)
		return (struct place){ PLACE_UNKNOWN };

	by_reference = abi->max_by_value && layout->size > abi->max_by_value;
	if (by_reference) {
		words = 1;
		alignment = call->word;
	}
	/* What has no size is not passed. */
	if (!words)
		return (struct place){ PLACE_WORDS };

	if (!may_use_registers(call, layout) ||
	    !place_in_registers(call, &place, words, alignment))
		place = place_on_stack(call, words, alignment);
	place.by_reference = by_reference;
	return place;
}

/* Where a result is: of registers, those for results are meant. */
struct place place_result(const struct file *file, const struct layout *layout)
{
	const struct abi *abi = file->machine->abi;
	struct place place = { PLACE_WORDS };

	place.nr_registers = DIV_ROUND_UP(layout->size, file->word);
	if (layout->floating && abi->floating != FLOATING_AS_INTEGER)
		place.kind = PLACE_UNKNOWN;
	if (result_is_in_memory(abi, layout)) {
		if (!abi->memory_is_result)
			place.kind = PLACE_UNKNOWN;
		place.by_reference = true;
		place.nr_registers = 1;
	}
	return place;
}

/* Whether DW_OP_fbreg counts from the CFA, which is where stack arguments begin */
static bool frame_base_is_cfa(const struct die *function)
{
	const struct value *value = find_attribute(function, DW_AT_frame_base);
	struct cursor cursor;

	if (!value || value->class != VALUE_BLOCK || value->number != 1)
		return false;
	cursor = (struct cursor){ function->unit->dwarf->info, value->pos,
				  value->pos + 1 };
	return read_uint(&cursor, 1) == DW_OP_call_frame_cfa;
}

/* One of the things that a location can be, or a piece of it */
struct location {
	enum { LOCATION_REGISTER, LOCATION_AT_REGISTER, LOCATION_FRAME,
	       LOCATION_OTHER } kind;
	uint64_t number;
};

static struct location read_location(struct cursor *cursor)
{
	unsigned int op = read_uint(cursor, 1);

	if (op >= DW_OP_reg0 && op <= DW_OP_reg31)
		return (struct location){ LOCATION_REGISTER, op - DW_OP_reg0 };
	if (op == DW_OP_regx)
		return (struct location){ LOCATION_REGISTER, read_uleb(cursor) };
	if (op == DW_OP_fbreg)
		return (struct location){ LOCATION_FRAME, read_sleb(cursor) };
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31 && !read_sleb(cursor))
		return (struct location){ LOCATION_AT_REGISTER, op - DW_OP_breg0 };
	return (struct location){ LOCATION_OTHER };
}

/* Compares a location with the first word of @place, and goes to the next. */
static enum found take_word(struct place *place, const struct file *file,
			    const struct location *location, const struct die *function)
{
	const struct abi *abi = file->machine->abi;

	if (place->nr_registers) {
		if (location->kind == (place->by_reference ? LOCATION_AT_REGISTER :
				       LOCATION_REGISTER) &&
		    location->number == abi->registers[place->first_register]) {
			place->nr_registers--;
			place->first_register++;
			return FOUND_THERE;
		}
	} else if (place->nr_stack && location->kind == LOCATION_FRAME &&
		   frame_base_is_cfa(function) &&
		   location->number == (uint64_t)place->first_stack * file->word) {
		place->nr_stack--;
		place->first_stack++;
		return FOUND_THERE;
	}
	return location->kind == LOCATION_REGISTER ? FOUND_ELSEWHERE : FOUND_NOTHING;
}

/**
 * find_at_entry - compare what DWARF says of a parameter with where it should be
 * @param:	the parameter
 * @function:	its function
 * @entry:	address of the first instruction
 * @place:	where the ABI has it
 *
 * Return: FOUND_NOTHING if DWARF does not tell where it is. So it is with what
 * lives in memory: DWARF gives its place in the frame, which the function fills.
 */
enum found find_at_entry(const struct die *param, const struct die *function,
			 struct address entry, const struct place *place)
{
	const struct file *file = param->unit->dwarf->file;
	enum found found = FOUND_NOTHING;
	struct place rest = *place;
	struct cursor cursor;

	if (place->kind != PLACE_WORDS || !find_location_at(param, entry, &cursor))
		return FOUND_NOTHING;
	while (cursor.pos < cursor.end) {
		struct location location = read_location(&cursor);

		found = take_word(&rest, file, &location, function);
		if (found != FOUND_THERE || cursor.pos == cursor.end ||
		    read_uint(&cursor, 1) != DW_OP_piece)
			break;
		read_uleb(&cursor);
	}
	return found;
}
