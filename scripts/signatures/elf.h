/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ELF files: sections and symbols.
 *
 * spans.h finds the function or section that contains an address. relocate.h loads the
 * content of a section. cursor.h reads it.
 */
#ifndef SIGNATURES_ELF_H
#define SIGNATURES_ELF_H

#if !__has_include(<gelf.h>)
#error "Please install libelf-dev, libelf-devel or elfutils-libelf-devel"
#endif
#include <gelf.h>

#include "machine.h"
#include "spans.h"

struct file;

struct section {
	struct file *file;
	const char *name;
	size_t index;
	GElf_Shdr header;
	struct section *relocated_by;

	/* Set by load_section(): a copy of the content, decompressed and relocated */
	unsigned char *data;
	size_t size;
	struct relocation *relocations;		/* sorted by offset */
	size_t nr_relocations;
	bool loaded;
};

struct symbol {
	const char *name;
	uint64_t value;
	uint64_t size;
	unsigned char type;
	size_t section;
	uint64_t offset;	/* in its section */
};

struct found_section {
	const char *name;
	struct section *section;	/* NULL: there is none */
};

struct file {
	const char *name;
	int fd;
	Elf *elf;
	const struct machine *machine;
	bool relocatable;		/* an object that is not linked */
	bool big_endian;
	unsigned int word;		/* the size of an address in bytes */
	struct section *sections;
	size_t nr_sections;
	struct section *symtab;
	struct symbol *symbols;
	size_t nr_symbols;
	struct spans functions;		/* the function symbols, with their indexes */
	struct spans allocated;		/* the SHF_ALLOC sections of a linked file */
	struct found_section found_sections[16];
};

void __attribute__((noreturn, format(printf, 3, 4)))
die_at(const struct section *section, size_t pos, const char *fmt, ...);
void __attribute__((noreturn)) die_elf(const struct file *file, const char *what);

struct file *open_elf(const char *name);
void close_elf(struct file *file);
struct section *find_section(struct file *file, const char *name);
struct section *find_section_by_type(const struct file *file, unsigned int type);
size_t find_section_symbol(const struct file *file, size_t section);
Elf_Data *section_data(const struct section *section);
const char *function_name(const struct file *file, struct address address);

#endif /* SIGNATURES_ELF_H */
