// SPDX-License-Identifier: GPL-2.0
/*
 * ELF files, objects and linked ones: sections and symbols.
 *
 * All input is untrusted. relocate.c reads the content of a section.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf.h"
#include "util.h"

/* Ends the program with a message about the bytes at @pos of @section. */
void die_at(const struct section *section, size_t pos, const char *fmt, ...)
{
	char message[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	die("%s: %s+0x%zx: %s", section->file->name, section->name, pos, message);
}

/* Ends the program with the last error of libelf. */
void die_elf(const struct file *file, const char *what)
{
	die("%s: %s: %s", file->name, what, elf_errmsg(-1));
}

/* Links each section to the first section of its relocations. */
static void link_relocations(struct file *file)
{
	for (size_t i = file->nr_sections; i-- > 1;) {
		struct section *section = &file->sections[i];
		unsigned int type = section->header.sh_type;

		if ((type == SHT_REL || type == SHT_RELA) &&
		    section->header.sh_info < file->nr_sections)
			file->sections[section->header.sh_info].relocated_by = section;
	}
}

static void read_section_headers(struct file *file)
{
	size_t names;

	if (elf_getshdrnum(file->elf, &file->nr_sections) ||
	    elf_getshdrstrndx(file->elf, &names))
		die_elf(file, "section headers");

	file->sections = xcalloc(file->nr_sections, sizeof(*file->sections));
	for (size_t i = 0; i < file->nr_sections; i++) {
		struct section *section = &file->sections[i];

		section->file = file;
		section->index = i;
		section->name = "";
		if (!i)
			continue;
		if (!gelf_getshdr(elf_getscn(file->elf, i), &section->header))
			die_elf(file, "section header");
		section->name = elf_strptr(file->elf, names, section->header.sh_name);
		if (!section->name)
			die_elf(file, "name of a section");
	}
	link_relocations(file);
}

/* Return: the data of a section, as libelf has it. Dies if there is none. */
Elf_Data *section_data(const struct section *section)
{
	Elf_Data *data = elf_getdata(elf_getscn(section->file->elf, section->index),
				     NULL);

	if (!data)
		die_elf(section->file, section->name);
	return data;
}

/* Return: the first section of a type, or NULL. */
struct section *find_section_by_type(const struct file *file, unsigned int type)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		if (file->sections[i].header.sh_type == type)
			return &file->sections[i];
	}
	return NULL;
}

static void index_functions(struct file *file)
{
	for (size_t i = 1; i < file->nr_symbols; i++) {
		const struct symbol *symbol = &file->symbols[i];

		if (symbol->type == STT_FUNC && symbol->name)
			add_span(&file->functions,
				 (struct address){ symbol->section, symbol->offset },
				 symbol->size, i);
	}
	sort_spans(&file->functions);
}

static void read_symbols(struct file *file)
{
	struct section *indexes = find_section_by_type(file, SHT_SYMTAB_SHNDX);
	Elf_Data *data, *index_data = NULL;

	file->symtab = find_section_by_type(file, SHT_SYMTAB);
	if (!file->symtab)
		return;
	data = section_data(file->symtab);
	if (indexes)
		index_data = section_data(indexes);

	file->nr_symbols = data->d_size / gelf_fsize(file->elf, ELF_T_SYM, 1, EV_CURRENT);
	file->symbols = xcalloc(file->nr_symbols, sizeof(*file->symbols));
	for (size_t i = 0; i < file->nr_symbols; i++) {
		struct symbol *symbol = &file->symbols[i];
		Elf32_Word index = 0;
		GElf_Sym sym;

		if (!gelf_getsymshndx(data, index_data, i, &sym, &index))
			die_at(file->symtab, 0, "symbol %zu: %s", i, elf_errmsg(-1));
		symbol->name = elf_strptr(file->elf, file->symtab->header.sh_link,
					  sym.st_name);
		symbol->type = GELF_ST_TYPE(sym.st_info);
		symbol->value = sym.st_value;
		symbol->size = sym.st_size;
		if (sym.st_shndx == SHN_XINDEX)
			symbol->section = index;
		else if (sym.st_shndx < SHN_LORESERVE)
			symbol->section = sym.st_shndx;
		if (symbol->section >= file->nr_sections)
			die_at(file->symtab, 0, "symbol %zu is in section %zu of %zu",
			       i, symbol->section, file->nr_sections);
		if (file->machine->thumb && symbol->type == STT_FUNC)
			symbol->value &= ~1ULL;
		symbol->offset = symbol->value;
		if (!file->relocatable)
			symbol->offset -= file->sections[symbol->section].header.sh_addr;
	}
	index_functions(file);
}

/* Opens a file for reading. Dies if it is not an ELF file of a machine in machine.c. */
struct file *open_elf(const char *name)
{
	struct file *file = xcalloc(1, sizeof(*file));
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	file->name = name;
	file->fd = open(name, O_RDONLY);
	if (file->fd < 0)
		die("%s: %m", name);
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (!file->elf || !gelf_getehdr(file->elf, &header))
		die_elf(file, "not an ELF file");
	file->machine = find_machine(header.e_machine, header.e_ident[EI_CLASS]);
	if (!file->machine)
		die("%s: machine %u, class %u is not supported", name,
		    header.e_machine, header.e_ident[EI_CLASS]);
	file->relocatable = header.e_type == ET_REL;
	file->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	file->word = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	read_section_headers(file);
	read_symbols(file);
	return file;
}

void close_elf(struct file *file)
{
	for (size_t i = 0; i < file->nr_sections; i++) {
		free(file->sections[i].data);
		free(file->sections[i].relocations);
	}
	free(file->sections);
	free(file->symbols);
	free(file->functions.all);
	free(file->allocated.all);
	elf_end(file->elf);
	close(file->fd);
	free(file);
}

static struct section *search_section(struct file *file, const char *name)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		struct section *section = &file->sections[i];

		if (section->header.sh_type != SHT_NOBITS &&
		    !strcmp(section->name, name))
			return section;
	}
	return NULL;
}

/*
 * Return: the first section of this name with content, or NULL. The results are cached,
 * because an object can have a section for each function. Callers use only a few
 * constant names.
 */
struct section *find_section(struct file *file, const char *name)
{
	struct found_section *found = file->found_sections;

	for (; found < file->found_sections + ARRAY_SIZE(file->found_sections); found++) {
		if (found->name && !strcmp(found->name, name))
			return found->section;
		if (!found->name) {
			*found = (struct found_section){ name, search_section(file, name) };
			return found->section;
		}
	}
	return search_section(file, name);
}

/*
 * Return: the name of the last function that starts at or before @address, or NULL. If
 * several start at the same address, the first symbol counts.
 */
const char *function_name(const struct file *file, struct address address)
{
	const struct spans *spans = &file->functions;
	size_t i = count_spans_to(spans, address), last = i;
	const char *name = NULL;

	for (; i && !compare_addresses(&spans->all[i - 1].start,
				       &spans->all[last - 1].start); i--)
		name = file->symbols[spans->all[i - 1].index].name;
	return name;
}

/* Return: the symbol of a section, or 0. */
size_t find_section_symbol(const struct file *file, size_t section)
{
	for (size_t i = 1; i < file->nr_symbols; i++) {
		if (file->symbols[i].type == STT_SECTION &&
		    file->symbols[i].section == section)
			return i;
	}
	return 0;
}
