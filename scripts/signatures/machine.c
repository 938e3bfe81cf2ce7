// SPDX-License-Identifier: GPL-2.0
/*
 * The supported machines: one row of data for each.
 *
 * The ABIs are the psABIs of x86-64, i386 and RISC-V (LP64), AAPCS and AAPCS64. On i386,
 * the kernel is built with -mregparm=3 and -freg-struct-return.
 */
#include <elf.h>
#include <limits.h>

#include "machine.h"
#include "util.h"

/*
 * The psABIs define the names and numbers. A section that is read may have no other
 * relocation, because its effect is unknown.
 */
static const struct relocation_kind relocations_x86_64[] = {
	{ R_X86_64_NONE, RELOC_NONE }, { R_X86_64_64, RELOC_SET, 64 },
	{ R_X86_64_32, RELOC_SET, 32 }, { R_X86_64_32S, RELOC_SET, 32 },
	{ R_X86_64_DTPOFF32, RELOC_NONE }, { R_X86_64_DTPOFF64, RELOC_NONE },
};

static const struct relocation_kind relocations_i386[] = {
	{ R_386_NONE, RELOC_NONE }, { R_386_32, RELOC_SET, 32 },
	{ R_386_TLS_LDO_32, RELOC_NONE },
};

static const struct relocation_kind relocations_arm[] = {
	{ R_ARM_NONE, RELOC_NONE }, { R_ARM_ABS32, RELOC_SET, 32 },
	{ R_ARM_TLS_LDO32, RELOC_NONE },
};

static const struct relocation_kind relocations_arm64[] = {
	{ R_AARCH64_NONE, RELOC_NONE }, { R_AARCH64_ABS64, RELOC_SET, 64 },
	{ R_AARCH64_ABS32, RELOC_SET, 32 },
	{ R_AARCH64_TLS_DTPREL, RELOC_NONE },
};

/* Not in every elf.h yet */
#define RISCV_SET_ULEB128	60
#define RISCV_SUB_ULEB128	61

/* SET6 and SUB6, which .eh_frame uses, change the low six bits of a byte. */
static const struct relocation_kind relocations_riscv[] = {
	{ R_RISCV_NONE, RELOC_NONE }, { R_RISCV_RELAX, RELOC_NONE },
	{ R_RISCV_64, RELOC_SET, 64 }, { R_RISCV_32, RELOC_SET, 32 },
	{ R_RISCV_SET32, RELOC_SET, 32 }, { R_RISCV_SET16, RELOC_SET, 16 },
	{ R_RISCV_SET8, RELOC_SET, 8 }, { R_RISCV_SET6, RELOC_SET, 6 },
	{ R_RISCV_ADD64, RELOC_ADD, 64 }, { R_RISCV_ADD32, RELOC_ADD, 32 },
	{ R_RISCV_ADD16, RELOC_ADD, 16 }, { R_RISCV_ADD8, RELOC_ADD, 8 },
	{ R_RISCV_SUB64, RELOC_SUB, 64 }, { R_RISCV_SUB32, RELOC_SUB, 32 },
	{ R_RISCV_SUB16, RELOC_SUB, 16 }, { R_RISCV_SUB8, RELOC_SUB, 8 },
	{ R_RISCV_SUB6, RELOC_SUB, 6 },
	{ RISCV_SET_ULEB128, RELOC_SET, RELOC_ULEB128 },
	{ RISCV_SUB_ULEB128, RELOC_SUB, RELOC_ULEB128 },
	{ R_RISCV_TLS_DTPREL32, RELOC_NONE }, { R_RISCV_TLS_DTPREL64, RELOC_NONE },
};

static const struct machine machines[] = {
	{
		.elf_machine = EM_X86_64, .elf_class = ELFCLASS64,
		.relocations = relocations_x86_64, .nr_relocations = ARRAY_SIZE(relocations_x86_64),
		.absolute = R_X86_64_64, .pcrel32 = R_X86_64_PC32, .call_opcode = 1,
		.abi = {
			.nr_registers = 6, .registers = { 5, 4, 1, 2, 8, 9 },
			.max_in_registers = 16, .max_result = 16,
			.unaligned_in_memory = true, .no_class = true,
			.memory_is_argument = true, .memory_is_result = true,
			.backfill = true, .llvm_packs = true,
			.max_alignment = UINT_MAX,
			.floating = FLOATING_IN_VECTOR,
		},
	}, {
		.elf_machine = EM_386, .elf_class = ELFCLASS32,
		.relocations = relocations_i386, .nr_relocations = ARRAY_SIZE(relocations_i386),
		.absolute = R_386_32, .pcrel32 = R_386_PC32, .call_opcode = 1,
		.abi = {
			.nr_registers = 3, .registers = { 0, 2, 1 },
			.max_result = 8,
			.blkmode_in_memory = true,
			.memory_is_argument = true, .memory_is_result = true,
			.by_stack = true,
			.max_alignment = 4, .over_alignment = 16,
			.floating = FLOATING_ON_STACK,
		},
	}, {
		.elf_machine = EM_ARM, .elf_class = ELFCLASS32,
		.relocations = relocations_arm, .nr_relocations = ARRAY_SIZE(relocations_arm),
		.thumb = true,
		.absolute = R_ARM_ABS32, .pcrel32 = R_ARM_REL32,
		.abi = {
			.nr_registers = 4, .registers = { 0, 1, 2, 3 },
			.max_result = 4,
			.memory_is_argument = true, .memory_is_result = true,
			.even = 1, .split = true, .strict_alignment = true,
			.alignment = ALIGNMENT_OF_MEMBERS, .max_alignment = 8,
		},
	}, {
		.elf_machine = EM_AARCH64, .elf_class = ELFCLASS64,
		.relocations = relocations_arm64, .nr_relocations = ARRAY_SIZE(relocations_arm64),
		.absolute = R_AARCH64_ABS64, .pcrel32 = R_AARCH64_PREL32,
		.abi = {
			.nr_registers = 8, .registers = { 0, 1, 2, 3, 4, 5, 6, 7 },
			.max_by_value = 16, .max_result = 16,
			.even = 2,
			.alignment = ALIGNMENT_OF_MEMBERS, .max_alignment = 16,
			.floating = FLOATING_IN_VECTOR,
		},
	}, {
		.elf_machine = EM_RISCV, .elf_class = ELFCLASS64,
		.relocations = relocations_riscv, .nr_relocations = ARRAY_SIZE(relocations_riscv),
		.absolute = R_RISCV_64, .pcrel32 = R_RISCV_ADD32, .pcrel32_minus = R_RISCV_SUB32,
		.abi = {
			.nr_registers = 8, .registers = { 10, 11, 12, 13, 14, 15, 16, 17 },
			.max_by_value = 16, .max_result = 16,
			.memory_is_argument = true,
			.split = true, .strict_alignment = true,
			.llvm_more_registers = true,
			.alignment = ALIGNMENT_OF_TYPEDEF, .max_alignment = 16,
		},
	},
};

/* Return: the row of a machine, or NULL. */
const struct machine *find_machine(unsigned int elf_machine, unsigned char elf_class)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].elf_machine == elf_machine &&
		    machines[i].elf_class == elf_class)
			return &machines[i];
	}
	return NULL;
}
