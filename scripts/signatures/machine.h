/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The supported machines: one row of data for each.
 *
 * elf.h applies the relocations. abi.h places values by struct abi. object_write.h
 * writes relocations.
 */
#ifndef SIGNATURES_MACHINE_H
#define SIGNATURES_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* The effect of a relocation on its field */
enum relocation_effect { RELOC_NONE, RELOC_SET, RELOC_ADD, RELOC_SUB };

struct relocation_kind {
	unsigned int type;
	enum relocation_effect effect;
	unsigned int bits;
};

/* A special number of bits, for a ULEB128 */
#define RELOC_ULEB128	128

/* The places of floating-point arguments */
enum floating {
	FLOATING_AS_INTEGER,	/* soft float */
	FLOATING_IN_VECTOR,	/* in vector registers */
	FLOATING_ON_STACK,
};

/* The source of an argument's alignment */
enum alignment {
	ALIGNMENT_OF_TYPE,
	ALIGNMENT_OF_TYPEDEF,	/* the type, or a typedef with its own alignment */
	ALIGNMENT_OF_MEMBERS,	/* the members, as in AAPCS's natural alignment */
};

/**
 * struct abi - how a machine passes arguments and results
 * @nr_registers:	the number of argument registers
 * @registers:		the DWARF numbers of these registers
 * @max_in_registers:	a larger struct is passed on the stack; 0: no limit
 * @max_by_value:	a larger argument is passed by reference; 0: no limit
 * @max_result:		a larger struct is returned in memory
 * @blkmode_in_memory:	a struct of BLKmode is also returned in memory
 * @unaligned_in_memory: a struct with an unaligned field has class MEMORY
 * @no_class:		an eightbyte of padding has class NO_CLASS, and takes no
 *			register
 * @memory_is_argument:	the first argument is the address of a result in memory
 * @memory_is_result:	a function returns the address of a result in memory. AAPCS
 *			does not require this, but GCC does so on arm
 * @even:		a value of at least this many words begins in an even register if its
 *			alignment is more than a word; 0: no value does
 * @split:		an argument can be partly in the last registers and partly on the
 *			stack
 * @backfill:		an argument can use registers that did not suffice for an
 *			earlier argument
 * @by_stack:		some functions get all arguments on the stack
 * @strict_alignment:	GCC defines STRICT_ALIGNMENT, and may align a struct that is
 *			not BLKmode as an integer of its size. DWARF does not show
 *			this.
 * @llvm_packs:		LLVM before 18 aligns a TImode value to a word only, and splits it
 * @llvm_more_registers: LLVM uses more registers for the arguments of static functions
 * @alignment:		the alignment of an argument
 * @max_alignment:	the largest alignment of an argument on the stack
 * @over_alignment:	a struct with at least this alignment may exceed
 *			@max_alignment, because GCC aligns a struct that contains a
 *			scalar of such a type; 0: no struct may
 * @floating:		the place of a floating-point argument
 */
struct abi {
	unsigned int nr_registers;
	unsigned char registers[8];
	unsigned int max_in_registers;
	unsigned int max_by_value;
	unsigned int max_result;
	bool blkmode_in_memory;
	bool unaligned_in_memory;
	bool no_class;
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

/**
 * struct machine - the data of one machine
 * @elf_machine:	e_machine of the ELF files of the machine
 * @elf_class:		the ELF class of these files
 * @relocations:	the relocations of debug information and of lists of call sites
 * @nr_relocations:	the number of @relocations
 * @thumb:		bit 0 of a function's address selects the instruction set
 * @absolute:		the relocation that stores S + A in a word
 * @pcrel32:		the relocation that stores S + A - P in 32 bits
 * @pcrel32_minus:	the second relocation if a pair does so, otherwise 0
 * @call_opcode:	the number of bytes in a call of __fentry__ before the relocation; 0:
 *			compilers write no such call
 * @abi:		its calling convention in the kernel
 */
struct machine {
	unsigned int elf_machine;
	unsigned char elf_class;
	const struct relocation_kind *relocations;
	size_t nr_relocations;
	bool thumb;
	unsigned int absolute;
	unsigned int pcrel32, pcrel32_minus;
	unsigned int call_opcode;
	struct abi abi;
};

const struct machine *find_machine(unsigned int elf_machine, unsigned char elf_class);

#endif /* SIGNATURES_MACHINE_H */
