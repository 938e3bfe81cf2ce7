// SPDX-License-Identifier: GPL-2.0
/*
 * Where arguments and results are at the entry and at the return of a function:
 * as the ABI has it, and as DWARF says.
 *
 * The ABIs are the psABI documents of x86-64, i386 (with -mregparm=3 and
 * -freg-struct-return, as the kernel is built), AAPCS, AAPCS64 and RISC-V LP64.
 * They differ in few things, which struct abi lists; one function follows them all.
 */
#include <limits.h>

#include "dwarf.h"
#include "signatures.h"

/* How a machine passes what is floating point */
enum floating {
	FLOATING_AS_INTEGER,	/* soft float */
	FLOATING_IN_VECTOR,	/* in registers of its own */
	FLOATING_ON_STACK,
};

/* What the alignment of an argument is */
enum alignment {
	ALIGNMENT_OF_TYPE,
	ALIGNMENT_OF_TYPEDEF,	/* the same, unless a typedef says otherwise */
	ALIGNMENT_OF_MEMBERS,	/* without what the struct itself wants */
};

/**
 * struct abi - how a machine passes arguments and results
 * @nr_registers:	for arguments
 * @registers:		their numbers in DWARF
 * @max_in_registers:	the size of a struct, above which it goes to the stack
 * @max_by_value:	the size above which it is passed by reference
 * @max_result:		the size of a struct, above which it is returned in memory
 * @blocks_in_memory: so are results that are not like an integer
 * @unaligned_in_memory: so are structs with members that are not aligned
 * @padding_left_out: words of padding alone take no register
 * @memory_is_argument:	where that is, the caller tells in the first register
 * @memory_is_result:	and gets it in the first register. On arm, GCC does so; AAPCS
 *			leaves it open
 * @even:		what needs more alignment than a word begins in an even register,
 *			if it has so many words
 * @split:		the last registers and the stack can share an argument
 * @backfill:		later arguments can get registers when one did not fit
 * @by_stack:		some functions take everything on the stack
 * @strict_alignment:	integers are aligned, and what is like one by its size. Of the
 *			latter, GCC does not tell whether the user wanted that, too.
 * @llvm_packs:		LLVM before 18 does not align an integer of two words, and splits it
 * @llvm_more_registers:	LLVM uses more of them for the arguments of static functions
 * @alignment:		whose it is, of an argument
 * @max_alignment:	of an argument on the stack
 * @over_alignment:	with at least that much, a struct may be aligned more: GCC does so if
 *			it contains a scalar with such a type
 */
struct abi {
	unsigned int nr_registers;
	unsigned char registers[8];
	unsigned int max_in_registers;
	unsigned int max_by_value;
	unsigned int max_result;
	bool blocks_in_memory;
	bool unaligned_in_memory;
	bool padding_left_out;
	bool memory_is_argument;
	bool memory_is_result;
	unsigned int even;
	bool split;
	bool backfill;
	bool by_stack;
	bool strict_alignment;
	bool llvm_packs;
	bool llvm_more_registers;
	enum alignment alignment;
	unsigned int max_alignment;
	unsigned int over_alignment;
	enum floating floating;
};

const struct abi abi_x86_64 = {
	.nr_registers = 6,
	.registers = { 5, 4, 1, 2, 8, 9 },
	.max_in_registers = 16,
	.max_result = 16,
	.unaligned_in_memory = true,
	.padding_left_out = true,
	.memory_is_argument = true,
	.memory_is_result = true,
	.backfill = true,
	.llvm_packs = true,
	.max_alignment = UINT_MAX,
	.floating = FLOATING_IN_VECTOR,
};

const struct abi abi_i386 = {
	.nr_registers = 3,
	.registers = { 0, 2, 1 },
	.max_result = 8,
	.blocks_in_memory = true,
	.memory_is_argument = true,
	.memory_is_result = true,
	.by_stack = true,
	.max_alignment = 4,
	.over_alignment = 16,
	.floating = FLOATING_ON_STACK,
};

const struct abi abi_arm = {
	.nr_registers = 4,
	.registers = { 0, 1, 2, 3 },
	.max_result = 4,
	.memory_is_argument = true,
	.memory_is_result = true,
	.even = 1,
	.split = true,
	.strict_alignment = true,
	.alignment = ALIGNMENT_OF_MEMBERS,
	.max_alignment = 8,
};

const struct abi abi_arm64 = {
	.nr_registers = 8,
	.registers = { 0, 1, 2, 3, 4, 5, 6, 7 },
	.max_by_value = 16,
	.max_result = 16,
	.even = 2,
	.alignment = ALIGNMENT_OF_MEMBERS,
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
	.strict_alignment = true,
	.llvm_more_registers = true,
	.alignment = ALIGNMENT_OF_TYPEDEF,
	.max_alignment = 16,
};

/* A member that is not aligned makes all of it so. */
static bool is_unaligned(const struct layout *layout, bool hidden)
{
	uint16_t unaligned = layout->unaligned | (hidden ? layout->hidden : 0);

	return layout->size && unaligned & 1;
}

/*
 * Whether memory never has it, because it is nothing but bitfields without a name. GCC
 * looks at that on x86_64 only. LLVM does so everywhere, and then uses no registers
 * either; but on x86_64, what is too large for them is in memory.
 */
static bool is_left_out(const struct abi *abi, const struct layout *layout)
{
	if (!is_aggregate(layout) || !layout->empty)
		return false;
	if (layout->llvm)
		return !abi->max_in_registers || layout->size <= abi->max_in_registers;
	return abi->padding_left_out;
}

/* @hidden: with the bitfields without a name that it may have */
static bool result_is_in_memory(const struct abi *abi, const struct layout *layout,
				bool hidden)
{
	if (!is_aggregate(layout) || is_left_out(abi, layout))
		return false;
	return layout->size > abi->max_result ||
	       (abi->blocks_in_memory && layout->block) ||
	       (abi->unaligned_in_memory && is_unaligned(layout, hidden));
}

/* Whether DWARF leaves open if a result is in memory */
bool may_be_in_memory(const struct file *file, const struct layout *result)
{
	const struct abi *abi = file->machine->abi;

	return !result_is_in_memory(abi, result, false) &&
	       result_is_in_memory(abi, result, true);
}

/*
 * How many registers a value wants that has so many words. What looks like padding
 * can be a bitfield without a name, too, and these take registers. What has no value is
 * made of one at least.
 */
static unsigned int count_registers(const struct abi *abi, const struct layout *layout,
				    unsigned int word, unsigned int words, enum guess guess)
{
	unsigned int registers = guess == GUESS_ONE_FIELD || layout->empty;

	if (!abi->padding_left_out || !is_aggregate(layout) || guess == GUESS_MOST)
		return words;
	for (unsigned int i = 0; i < words; i++) {
		if (layout->held >> (i * word) & ((1U << word) - 1))
			registers++;
	}
	return registers < words ? registers : words;
}

/* Whether the machine has functions that take everything on the stack */
bool calls_by_stack(const struct file *file)
{
	return file->machine->abi->by_stack;
}

/* Whether what the ABI has on the stack can be in a register in static functions */
bool has_more_registers(const struct file *file)
{
	return file->machine->abi->llvm_more_registers;
}

/* Whether a type can have more alignment than DWARF tells */
bool forgets_alignment(const struct file *file)
{
	return file->machine->abi->strict_alignment;
}

/* Whether a bitfield without a name aligns the type that it is in */
bool hidden_members_align(const struct file *file)
{
	return file->machine->abi->alignment == ALIGNMENT_OF_MEMBERS;
}

/* Whether LLVM may not align it to more than a word */
static bool is_packed_by_llvm(const struct call *call, const struct layout *layout)
{
	return call->abi->llvm_packs && layout->llvm && layout->size > call->word;
}

/*
 * It shares an integer between the last register and any word of the stack. For what
 * follows, clang believes that the register is free.
 */
static bool is_split_by_llvm(const struct call *call, const struct layout *layout)
{
	return !is_aggregate(layout) && is_packed_by_llvm(call, layout) &&
	       call->registers + 1 == call->abi->nr_registers;
}

/*
 * LLVM may have it in memory, and GCC in registers, or the other way round: LLVM goes by
 * the alignment of typedefs, and GCC by that of the types.
 */
static bool is_doubtful(const struct abi *abi, const struct layout *layout)
{
	return layout->unknown ||
	       (layout->llvm && abi->unaligned_in_memory &&
		layout->size <= abi->max_result &&
		(layout->odd || (is_aggregate(layout) && is_unaligned(layout, true))));
}

/**
 * start_call - begin to place the arguments of a call
 * @call:		gets the state
 * @file:		of which machine
 * @result:		what the function returns: it may need an argument, too
 * @hidden:		with the bitfields without a name that this may have
 * @all_on_stack:	no argument is in a register
 */
void start_call(struct call *call, const struct file *file,
		const struct layout *result, bool hidden, bool all_on_stack)
{
	*call = (struct call){
		.abi = file->machine->abi,
		.word = file->word,
		.all_on_stack = all_on_stack,
	};
	call->lost = is_doubtful(call->abi, result);
	if (!call->abi->memory_is_argument ||
	    !result_is_in_memory(call->abi, result, hidden))
		return;
	if (all_on_stack)
		call->stack = 1;
	else
		call->registers = 1;
}

static bool may_use_registers(const struct call *call, const struct layout *layout,
			      bool hidden)
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
	return !(abi->unaligned_in_memory && is_unaligned(layout, hidden));
}

/* Where LLVM differs from GCC, its alignment is within the bounds as well. */
static void widen_for_llvm(const struct call *call, const struct layout *layout,
			   struct range *alignment)
{
	/* The members of a packed struct have none. */
	if (call->abi->alignment == ALIGNMENT_OF_MEMBERS && is_aggregate(layout))
		alignment->low = 1;
	/* It goes by the type itself, not by its typedefs. */
	if (call->abi->alignment == ALIGNMENT_OF_TYPEDEF) {
		if (alignment->low > layout->alignment.low)
			alignment->low = layout->alignment.low;
		if (alignment->high < layout->alignment.high)
			alignment->high = layout->alignment.high;
	}
	if (is_packed_by_llvm(call, layout) && alignment->low > call->word)
		alignment->low = call->word;
}

/* The bounds between which the alignment of an argument is, where it matters */
static struct range argument_alignment(const struct call *call, const struct layout *layout)
{
	struct range alignment = layout->alignment;
	uint64_t most = call->abi->max_alignment, over = call->abi->over_alignment;

	/* GCC 12 ignores the typedef of a scalar. Others may not, where it is larger. */
	if (call->abi->alignment == ALIGNMENT_OF_TYPEDEF && is_aggregate(layout))
		alignment = layout->declared;
	else if (call->abi->alignment == ALIGNMENT_OF_TYPEDEF &&
		 alignment.high < layout->declared.high)
		alignment.high = layout->declared.high;
	else if (call->abi->alignment == ALIGNMENT_OF_MEMBERS && is_aggregate(layout))
		alignment = layout->members;
	if (layout->llvm)
		widen_for_llvm(call, layout, &alignment);
	if (alignment.low > most)
		alignment.low = most;
	if (alignment.high > most && !(over && alignment.high >= over && is_aggregate(layout)))
		alignment.high = most;
	return alignment;
}

static struct place place_on_stack(struct call *call, unsigned int words,
				   uint64_t alignment)
{
	struct place place = { PLACE_WORDS, .nr_stack = words };
	unsigned int step;

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

	if (abi->even && words >= abi->even && alignment > call->word)
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

/* In registers if they suffice, or on the stack */
static struct place place_words(struct call *call, const struct layout *layout,
				unsigned int words, uint64_t alignment, enum guess guess)
{
	unsigned int registers = 0;
	struct place place;

	if (may_use_registers(call, layout, guess != GUESS_LEAST))
		registers = count_registers(call->abi, layout, call->word, words, guess);
	if (registers && place_in_registers(call, &place, registers, alignment)) {
		if (registers < words && !(layout->held & 1))
			place.kind = PLACE_UNKNOWN;
		return place;
	}
	if (is_left_out(call->abi, layout))
		return (struct place){ PLACE_WORDS };
	return place_on_stack(call, words, alignment);
}

/**
 * place_argument - where the next argument of a call is
 * @call:	the call, so far
 * @layout:	of the argument's type
 * @guess:	of what DWARF does not tell: whether the alignment is the upper bound, and
 *		padding takes registers, or is a bitfield
 */
struct place place_argument(struct call *call, const struct layout *layout,
			    enum guess guess)
{
	bool high = guess != GUESS_LEAST;
	struct range range = argument_alignment(call, layout);
	uint64_t alignment = high ? range.high : range.low;
	unsigned int words = DIV_ROUND_UP(layout->size, call->word);
	const struct abi *abi = call->abi;
	struct place place;
	bool by_reference;

	call->lost |= is_doubtful(abi, layout) || is_split_by_llvm(call, layout);
	if (call->lost || (layout->floating && abi->floating == FLOATING_IN_VECTOR))
		return (struct place){ PLACE_UNKNOWN };

	if (layout->llvm && is_left_out(abi, layout))
		return (struct place){ PLACE_WORDS };

	by_reference = abi->max_by_value && layout->size > abi->max_by_value;
	if (by_reference) {
		words = 1;
		alignment = call->word;
	}
	/* A parameter without a size is not passed, but can leave out a register or a word. */
	if (!words) {
		if (abi->even == 1 && alignment > call->word)
			call->registers += call->registers % 2;
		if (high)
			place_on_stack(call, 0, alignment);
		return (struct place){ PLACE_WORDS };
	}

	place = place_words(call, layout, words, alignment, guess);
	place.by_reference = by_reference;
	return place;
}

/*
 * Where a result is: of registers, those for results are meant.
 * @hidden: with the bitfields without a name that it may have
 */
struct place place_result(const struct file *file, const struct layout *layout, bool hidden)
{
	const struct abi *abi = file->machine->abi;
	struct place place = { PLACE_WORDS };
	unsigned int words = DIV_ROUND_UP(layout->size, file->word);

	if (is_left_out(abi, layout))
		words = 0;
	if (result_is_in_memory(abi, layout, hidden)) {
		if (!abi->memory_is_result)
			place.kind = PLACE_UNKNOWN;
		place.by_reference = true;
		place.nr_registers = 1;
	} else {
		place.nr_registers = count_registers(abi, layout, file->word, words,
						     GUESS_LEAST);
		if (place.nr_registers < words && !(layout->held & 1))
			place.kind = PLACE_UNKNOWN;
	}
	if (is_doubtful(abi, layout) ||
	    (layout->floating && abi->floating != FLOATING_AS_INTEGER))
		place.kind = PLACE_UNKNOWN;
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

/* What is below the stack arguments is in the frame, which the function fills. */
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
		/* The most significant bytes of a word can come first. */
		if (file->big_endian && number >= 0)
			number -= number % file->word;
		if (number >= 0 && frame_base_is_cfa(function))
			return (struct location){ LOCATION_STACK, number };
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31 && !read_sleb(cursor)) {
		return (struct location){ LOCATION_AT_REGISTER, op - DW_OP_breg0 };
	}
	return (struct location){ LOCATION_OTHER };
}

/*
 * GCC writes an exprloc for a function whose variables it does not track, too. Then
 * the register is the one that the allocator gave to the parameter: it gets there
 * after the entry. What the caller put on the stack stays there.
 */
static bool is_home(const struct die *param, const struct evidence *evidence)
{
	const struct value *value = find_attribute(param, DW_AT_location);

	if (!value || value->class != VALUE_BLOCK)
		return false;
	for (unsigned int i = 0; i < evidence->nr; i++) {
		if (evidence->pieces[i].kind != LOCATION_STACK)
			return true;
	}
	return false;
}

/**
 * find_at_entry - read what DWARF says of a parameter at the entry of a function
 * @param:	the parameter
 * @function:	its function
 * @entry:	address of the first instruction
 */
struct evidence find_at_entry(const struct die *param, const struct die *function,
			      struct address entry)
{
	unsigned int word = param->unit->dwarf->file->word;
	struct evidence evidence = { 0 };
	struct cursor cursor;

	if (!find_location_at(param, entry, &cursor))
		return evidence;
	while (cursor.pos < cursor.end && evidence.nr < ARRAY_SIZE(evidence.pieces)) {
		struct location location = read_location(&cursor, function);

		if (location.kind == LOCATION_OTHER)
			break;
		/* More of the expression makes something else of it. */
		if (cursor.pos < cursor.end && read_uint(&cursor, 1) != DW_OP_piece)
			break;
		evidence.pieces[evidence.nr++] = location;
		if (cursor.pos < cursor.end && read_uleb(&cursor) != word)
			break;
	}
	evidence.home = is_home(param, &evidence);
	return evidence;
}

/* Compares a piece with a word of @place. */
static bool is_word(const struct file *file, const struct location *piece,
		    const struct place *place, unsigned int word)
{
	if (word < place->nr_registers)
		return piece->kind == (place->by_reference ? LOCATION_AT_REGISTER :
							     LOCATION_REGISTER) &&
		       piece->number ==
		       file->machine->abi->registers[place->first_register + word];
	word -= place->nr_registers;
	return word < place->nr_stack && piece->kind == LOCATION_STACK &&
	       piece->number == (uint64_t)(place->first_stack + word) * file->word;
}

/**
 * compare_place - compare what DWARF says of a parameter with where it should be
 * @file:	of which machine
 * @evidence:	what DWARF says
 * @place:	where the ABI has it
 */
enum found compare_place(const struct file *file, const struct evidence *evidence,
			 const struct place *place)
{
	/* What has no size can be said to be anywhere. */
	if (evidence->home || (!place->nr_registers && !place->nr_stack))
		return FOUND_NOTHING;
	/* What the callee is told the address of, it may have copied. */
	for (unsigned int i = 0; i < evidence->nr; i++) {
		if (!is_word(file, &evidence->pieces[i], place, i))
			return evidence->pieces[i].kind == LOCATION_AT_REGISTER ?
			       FOUND_NOTHING : FOUND_ELSEWHERE;
	}
	return evidence->nr ? FOUND_THERE : FOUND_NOTHING;
}

/* The index of an argument register, or as many as there are */
static unsigned int find_register(const struct abi *abi, uint64_t number)
{
	unsigned int i = 0;

	while (i < abi->nr_registers && abi->registers[i] != number)
		i++;
	return i;
}

/**
 * evident_place - where a parameter is, as DWARF says
 * @file:	of which machine
 * @evidence:	what DWARF says
 * @layout:	of the parameter's type
 *
 * Return: a place that is gone if DWARF says nothing, and not known if it is where
 * no word is recorded, in memory that a register points to, or somewhere else than
 * at the entry.
 */
struct place evident_place(const struct file *file, const struct evidence *evidence,
			   const struct layout *layout)
{
	const struct location *first = &evidence->pieces[0];
	unsigned int words = DIV_ROUND_UP(layout->size, file->word);
	struct place place = { PLACE_WORDS };

	if (!words)
		return place;
	if (!evidence->nr)
		return (struct place){ PLACE_GONE };
	/* The callee may have loaded the address from elsewhere; no list tells. */
	if (evidence->home || first->kind == LOCATION_AT_REGISTER)
		return (struct place){ PLACE_UNKNOWN };
	if (first->kind == LOCATION_STACK) {
		place.first_stack = first->number / file->word;
		place.nr_stack = words;
	} else {
		place.first_register = find_register(file->machine->abi, first->number);
		place.nr_registers = words;
	}
	if (place.first_register + place.nr_registers > file->machine->abi->nr_registers ||
	    (place.nr_registers && evidence->nr != place.nr_registers) ||
	    compare_place(file, evidence, &place) != FOUND_THERE)
		return (struct place){ PLACE_UNKNOWN };
	return place;
}
