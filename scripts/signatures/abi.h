/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The places of arguments and results, as the ABI of a machine defines them.
 *
 * machine.h describes the ABIs. layout.h describes the types. place.h compares the
 * places with the evidence of DWARF.
 */
#ifndef SIGNATURES_ABI_H
#define SIGNATURES_ABI_H

#include "elf.h"
#include "layout.h"

/* Guesses at properties of a type that DWARF does not describe. place.c tries them all. */
enum guess {
	GUESS_LEAST,		/* the least alignment, and nothing in the padding */
	GUESS_ONE_FIELD,	/* the most alignment, and one unnamed bit-field */
	GUESS_MOST,		/* the most alignment, and bit-fields in all of the padding */
	GUESSES,
};

/*
 * The words of a value, in registers and on the stack. PLACE_GONE: the value is
 * optimized out.
 */
struct place {
	enum { PLACE_WORDS, PLACE_GONE, PLACE_UNKNOWN } kind;
	bool by_reference;
	unsigned int first_register, nr_registers;
	unsigned int first_stack, nr_stack;
};

/* The state between two arguments of a call */
struct call {
	const struct abi *abi;
	unsigned int word;
	bool all_on_stack;
	unsigned int registers, stack;	/* words that earlier arguments take */
	bool lost;			/* the two numbers above are unknown */
};

void start_call(struct call *call, const struct file *file,
		const struct layout *result, bool unnamed, bool all_on_stack);
struct place place_argument(struct call *call, const struct layout *layout,
			    enum guess guess);
struct place place_result(const struct file *file, const struct layout *layout, bool unnamed);
bool may_be_in_memory(const struct file *file, const struct layout *result);

#endif /* SIGNATURES_ABI_H */
