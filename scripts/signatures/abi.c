// SPDX-License-Identifier: GPL-2.0
/*
 * The places of arguments and results, as the ABI of a machine defines them.
 *
 * struct abi describes the few differences between the ABIs. The same functions
 * implement all of them.
 */
#include "abi.h"
#include "util.h"

/* Return: true if a type has an unaligned field; with @unnamed, true if it may have one. */
static bool is_unaligned(const struct layout *layout, bool unnamed)
{
	uint16_t unaligned = layout->unaligned | (unnamed ? layout->unnamed : 0);

	return layout->size && unaligned & 1;
}

/*
 * Return: true if a value takes no memory because its type has only unnamed bit-fields.
 * GCC leaves out such a value on x86_64 only. LLVM leaves it out on all machines, also
 * out of registers. But on x86_64, LLVM uses memory for a type that is too large for
 * registers.
 */
static bool is_left_out(const struct abi *abi, const struct layout *layout)
{
	if (!is_aggregate(layout) || !layout->empty)
		return false;
	if (layout->llvm)
		return !abi->max_in_registers || layout->size <= abi->max_in_registers;
	return abi->no_class;
}

/*
 * Return: true if a result is in memory. @unnamed: it has all unnamed bit-fields that
 * it may have.
 */
static bool result_is_in_memory(const struct abi *abi, const struct layout *layout,
				bool unnamed)
{
	if (!is_aggregate(layout) || is_left_out(abi, layout))
		return false;
	return layout->size > abi->max_result ||
	       (abi->blkmode_in_memory && layout->blkmode) ||
	       (abi->unaligned_in_memory && is_unaligned(layout, unnamed));
}

/* Return: true if DWARF leaves open whether a result is in memory or in registers. */
bool may_be_in_memory(const struct file *file, const struct layout *result)
{
	const struct abi *abi = &file->machine->abi;

	return !result_is_in_memory(abi, result, false) &&
	       result_is_in_memory(abi, result, true);
}

/*
 * Return: the number of registers for a value of @words words. On x86_64, an eightbyte
 * of padding has class NO_CLASS and takes no register. But an unnamed bit-field takes
 * one, and DWARF shows it as padding. A type without values has at least one unnamed
 * bit-field.
 */
static unsigned int count_registers(const struct abi *abi, const struct layout *layout,
				    unsigned int word, unsigned int words, enum guess guess)
{
	unsigned int registers = guess == GUESS_ONE_FIELD || layout->empty;

	if (!abi->no_class || !is_aggregate(layout) || guess == GUESS_MOST)
		return words;
	for (unsigned int i = 0; i < words; i++) {
		if (layout->held >> (i * word) & ((1U << word) - 1))
			registers++;
	}
	return registers < words ? registers : words;
}

/* Return: true if LLVM may align a TImode value to a word only. */
static bool is_packed_by_llvm(const struct call *call, const struct layout *layout)
{
	return call->abi->llvm_packs && layout->llvm && layout->size > call->word;
}

/*
 * Return: true if LLVM splits a TImode integer between the last register and the stack.
 * For the next argument, clang treats this register as free.
 */
static bool is_split_by_llvm(const struct call *call, const struct layout *layout)
{
	return !is_aggregate(layout) && is_packed_by_llvm(call, layout) &&
	       call->registers + 1 == call->abi->nr_registers;
}

/*
 * Return: true if the place of a value is uncertain. To find unaligned fields, LLVM
 * uses the alignment of typedefs, and GCC the alignment of types. One may use memory
 * for the value, and the other registers.
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
 * @file:		the file, whose machine defines the ABI
 * @result:		the result, whose address may be an argument
 * @unnamed:		the result has all unnamed bit-fields that it may have
 * @all_on_stack:	no argument is in a register
 */
void start_call(struct call *call, const struct file *file,
		const struct layout *result, bool unnamed, bool all_on_stack)
{
	*call = (struct call){
		.abi = &file->machine->abi,
		.word = file->word,
		.all_on_stack = all_on_stack,
	};
	call->lost = is_doubtful(call->abi, result);
	if (!call->abi->memory_is_argument ||
	    !result_is_in_memory(call->abi, result, unnamed))
		return;
	if (all_on_stack)
		call->stack = 1;
	else
		call->registers = 1;
}

static bool may_use_registers(const struct call *call, const struct layout *layout,
			      bool unnamed)
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
	return !(abi->unaligned_in_memory && is_unaligned(layout, unnamed));
}

/* Widens the bounds of an alignment to include LLVM's alignment where it differs. */
static void widen_for_llvm(const struct call *call, const struct layout *layout,
			   struct bounds *alignment)
{
	/* To LLVM, the members of a packed struct have no alignment. */
	if (call->abi->alignment == ALIGNMENT_OF_MEMBERS && is_aggregate(layout))
		alignment->low = 1;
	/* LLVM aligns an argument by the type itself, not by its typedefs. */
	if (call->abi->alignment == ALIGNMENT_OF_TYPEDEF) {
		if (alignment->low > layout->alignment.low)
			alignment->low = layout->alignment.low;
		if (alignment->high < layout->alignment.high)
			alignment->high = layout->alignment.high;
	}
	if (is_packed_by_llvm(call, layout) && alignment->low > call->word)
		alignment->low = call->word;
}

/* Return: the bounds of the alignment of an argument, limited to what the ABI uses. */
static struct bounds argument_alignment(const struct call *call, const struct layout *layout)
{
	struct bounds alignment = layout->alignment;
	uint64_t most = call->abi->max_alignment, over = call->abi->over_alignment;

	/*
	 * GCC 12 ignores the alignment of a scalar typedef. Other versions may use a
	 * larger one.
	 */
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

/* Return: false if the registers do not suffice. This may use up all of them. */
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

/* Places an argument in registers if they suffice, otherwise on the stack. */
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
 * place_argument - place the next argument of a call
 * @call:	the state of the call, which is updated
 * @layout:	the layout of the argument
 * @guess:	a guess at the alignment and the unnamed bit-fields
 */
struct place place_argument(struct call *call, const struct layout *layout,
			    enum guess guess)
{
	bool high = guess != GUESS_LEAST;
	struct bounds range = argument_alignment(call, layout);
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
	/* A parameter without a size is not passed, but can align the next one. */
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

/**
 * place_result - place the result in the registers for results
 * @file:	the file, whose machine defines the ABI
 * @layout:	the layout of the result
 * @unnamed:	it has all unnamed bit-fields that it may have
 */
struct place place_result(const struct file *file, const struct layout *layout, bool unnamed)
{
	const struct abi *abi = &file->machine->abi;
	struct place place = { PLACE_WORDS };
	unsigned int words = DIV_ROUND_UP(layout->size, file->word);

	if (is_left_out(abi, layout))
		words = 0;
	if (result_is_in_memory(abi, layout, unnamed)) {
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
