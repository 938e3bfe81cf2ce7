/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The content of sections, with relocations applied.
 *
 * machine.h describes the relocations.
 */
#ifndef SIGNATURES_RELOCATE_H
#define SIGNATURES_RELOCATE_H

#include "cursor.h"

struct relocation {
	uint64_t offset;
	unsigned int type;
	size_t symbol;
	int64_t addend;		/* for REL, read from the field */
};

void load_section(struct section *section);
struct cursor open_cursor(struct section *section, size_t pos);
bool get_relocation(Elf_Data *data, bool rela, size_t index, GElf_Rela *reloc);
bool read_relocation(struct section *relocs, size_t index, struct relocation *reloc);
const struct relocation *find_relocation(const struct section *section, size_t pos);
struct address relocated_address(const struct section *section, size_t pos, uint64_t value);

#endif /* SIGNATURES_RELOCATE_H */
