/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machines: one row of data for each.
 *
 * elf.h applies the relocations, abi.h places values by struct abi, object_write.h
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

/* A number of bits that stands for a ULEB128 */
#define RELOC_ULEB128	128

/* The places of floating-point arguments */
enum floating {
	FLOATING_AS_INTEGER,	/* soft float */
	FLOATING_IN_VECTOR,	/* in vector registers */
	FLOATING_ON_STACK,
};

/* The alignment of an argument is that of */
enum alignment {
	ALIGNMENT_OF_TYPE,
	ALIGNMENT_OF_TYPEDEF,	/* the type, or a typedef that has its own */
	ALIGNMENT_OF_MEMBERS,	/* the members: AAPCS's natural alignment */
};

/**
 * struct abi - how a machine passes arguments and results
 * @nr_registers:	the number of argument registers
 * @registers:		their DWARF numbers
 * @max_in_registers:	a larger struct is on the stack; 0: no struct is so for its size
 * @max_by_value:	a larger argument is passed by reference; 0: none is
 * @max_result:		a larger struct is returned in memory
 * @blkmode_in_memory:	a struct of BLKmode is returned in memory, too
 * @unaligned_in_memory: a struct with an unaligned field has class MEMORY
 * @no_class:		an eightbyte of padding has class NO_CLASS, and no register
 * @memory_is_argument:	the first register has the address of a result in memory
 * @memory_is_result:	the address of a result in memory is returned. AAPCS leaves that
 *			open; GCC does so on arm
 * @even:		a value of at least so many words begins in an even register, if
 *			its alignment is more than a word
 * @split:		one argument can be in the last registers and on the stack
 * @backfill:		a later argument can use registers that did not suffice for one
 * @by_stack:		some functions have all arguments on the stack
 * @strict_alignment:	as GCC's STRICT_ALIGNMENT: a struct that is not BLKmode can be
 *			aligned as an integer of its size. DWARF does not say so.
 * @llvm_packs:		LLVM before 18 aligns a TImode value to a word only, and splits it
 * @llvm_more_registers: LLVM uses more registers for the arguments of static functions
 * @alignment:		the alignment of an argument
 * @max_alignment:	the most that an argument on the stack has
 * @over_alignment:	a struct with that much may have more than @max_alignment: GCC aligns
 *			one that contains a scalar of such a type
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
 * struct machine - what the reader needs of a machine
 * @elf_machine:	e_machine of its files
 * @elf_class:		their class
 * @relocations:	the relocations of debug information and of lists of call sites
 * @nr_relocations:	how many there are
 * @thumb:		bit 0 of a function's address selects the instruction set
 * @pcrel32:		the relocation that stores S + A - P in 32 bits
 * @pcrel32_minus:	0, or the second relocation of a pair that does so
 * @call_opcode:	the bytes of a call of __fentry__ before its relocation; 0: compilers
 *			write no such call
 * @abi:		its calling convention in the kernel
 */
struct machine {
	unsigned int elf_machine;
	unsigned char elf_class;
	const struct relocation_kind *relocations;
	size_t nr_relocations;
	bool thumb;
	unsigned int pcrel32, pcrel32_minus;
	unsigned int call_opcode;
	struct abi abi;
};

const struct machine *find_machine(unsigned int elf_machine, unsigned char elf_class);

#endif /* SIGNATURES_MACHINE_H */
