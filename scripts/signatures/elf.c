// SPDX-License-Identifier: GPL-2.0
/*
 * ELF files: sections, symbols and relocations of objects and of linked files, and
 * cursors, which read a section.
 *
 * load_section() copies a whole section to memory, decompressed, and applies the
 * relocations to the copy. A relocated address is an offset in its section.
 * relocated_address() finds this section.
 *
 * All input is untrusted. A cursor is bounded, and the program ends with a message
 * when the cursor would leave its section.
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

static Elf_Data *section_data(const struct section *section)
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

static uint64_t get_uint(const struct file *file, const unsigned char *bytes,
			 unsigned int nr)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < nr; i++)
		value = value << 8 | bytes[file->big_endian ? i : nr - 1 - i];
	return value;
}

static void put_uint(const struct file *file, unsigned char *bytes, unsigned int nr,
		     uint64_t value)
{
	for (unsigned int i = 0; i < nr; i++, value >>= 8)
		bytes[file->big_endian ? nr - 1 - i : i] = value;
}

void put_u32(const struct file *file, unsigned char *bytes, uint32_t value)
{
	put_uint(file, bytes, 4, value);
}

static const struct relocation_kind *
find_relocation_kind(const struct section *section, const struct relocation *reloc)
{
	const struct machine *machine = section->file->machine;

	for (size_t i = 0; i < machine->nr_relocations; i++) {
		if (machine->relocations[i].type == reloc->type)
			return &machine->relocations[i];
	}
	die_at(section, reloc->offset, "relocation of unknown type %u", reloc->type);
}

/* Relocates a ULEB128. Zeros in the upper bits pad it to its old length. */
static void relocate_uleb(struct section *section, const struct relocation *reloc,
			  enum relocation_effect effect, uint64_t value)
{
	struct cursor cursor = open_cursor(section, reloc->offset);
	uint64_t old = read_uleb(&cursor);
	size_t length = cursor.pos - reloc->offset;

	if (effect == RELOC_SUB)
		value = old - value;
	for (size_t i = 0; i < length; i++, value >>= 7)
		section->data[reloc->offset + i] =
			(value & 0x7f) | (i + 1 < length ? 0x80 : 0);
}

/*
 * Applies a relocation. For REL, the field contains the addend. RISC-V's ADD and SUB
 * change the value of the field. All other relocations replace it.
 */
static void apply_relocation(struct section *section, struct relocation *reloc,
			     bool rela)
{
	const struct relocation_kind *kind = find_relocation_kind(section, reloc);
	unsigned int bytes = DIV_ROUND_UP(kind->bits, 8);
	struct file *file = section->file;
	uint64_t value, old, mask;

	if (kind->effect == RELOC_NONE)
		return;
	if (reloc->symbol >= file->nr_symbols)
		die_at(section, reloc->offset, "relocation by symbol %zu of %zu",
		       reloc->symbol, file->nr_symbols);
	value = file->symbols[reloc->symbol].value;
	if (kind->bits == RELOC_ULEB128) {
		relocate_uleb(section, reloc, kind->effect, value + reloc->addend);
		return;
	}

	if (reloc->offset > section->size || section->size - reloc->offset < bytes)
		die_at(section, reloc->offset, "relocation beyond the section's end");
	old = get_uint(file, section->data + reloc->offset, bytes);
	if (!rela)
		reloc->addend = bytes == 4 ? (int32_t)old : (int64_t)old;
	value += reloc->addend;
	if (kind->effect == RELOC_ADD)
		value = old + value;
	else if (kind->effect == RELOC_SUB)
		value = old - value;

	mask = kind->bits % 8 ? (1U << kind->bits % 8) - 1 : ~0ULL;
	put_uint(file, section->data + reloc->offset, bytes,
		 (old & ~mask) | (value & mask));
}

/* Gets a relocation of type REL or RELA. Return: false if @index is too large. */
bool get_relocation(Elf_Data *data, bool rela, size_t index, GElf_Rela *reloc)
{
	GElf_Rel rel;

	if (rela)
		return gelf_getrela(data, index, reloc);
	if (!gelf_getrel(data, index, &rel))
		return false;
	*reloc = (GElf_Rela){ rel.r_offset, rel.r_info };
	return true;
}

/* Reads a relocation, without the addend of REL. Return: false if @index is too large. */
bool read_relocation(struct section *relocs, size_t index, struct relocation *reloc)
{
	GElf_Rela rela;

	if (!get_relocation(section_data(relocs), relocs->header.sh_type == SHT_RELA, index,
			    &rela))
		return false;
	*reloc = (struct relocation){ rela.r_offset, GELF_R_TYPE(rela.r_info),
				      GELF_R_SYM(rela.r_info), rela.r_addend };
	return true;
}

static int compare_relocations(const void *a, const void *b)
{
	const struct relocation *x = a, *y = b;

	return compare_uints(x->offset, y->offset);
}

static void apply_relocations(struct section *section, struct section *relocs)
{
	size_t nr = 0, room = 0;
	struct relocation reloc;
	bool sorted = true;

	for (; read_relocation(relocs, nr, &reloc); nr++) {
		apply_relocation(section, &reloc, relocs->header.sh_type == SHT_RELA);
		grow(section->relocations, nr, room);
		if (nr && section->relocations[nr - 1].offset > reloc.offset)
			sorted = false;
		section->relocations[nr] = reloc;
	}
	section->nr_relocations = nr;
	if (!sorted)
		qsort(section->relocations, nr, sizeof(reloc), compare_relocations);
}

static void decompress(struct section *section)
{
	Elf_Scn *scn = elf_getscn(section->file->elf, section->index);

	if ((section->header.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0)
		die_elf(section->file, section->name);
}

/* Reads the content of a section and applies its relocations, once. */
void load_section(struct section *section)
{
	struct section *relocs;
	Elf_Data *data;

	if (section->loaded)
		return;
	section->loaded = true;
	if (section->header.sh_type == SHT_NOBITS)
		return;
	decompress(section);
	data = section_data(section);
	section->size = data->d_size;
	section->data = xrealloc(NULL, section->size, 1);
	if (data->d_buf)
		memcpy(section->data, data->d_buf, section->size);
	else
		section->size = 0;

	relocs = section->file->relocatable ? section->relocated_by : NULL;
	if (relocs)
		apply_relocations(section, relocs);
}

static bool relocation_is_below(const void *relocation, const void *pos)
{
	return ((const struct relocation *)relocation)->offset < *(const size_t *)pos;
}

/* Return: the first relocation of the field at @pos of a loaded section, or NULL. */
const struct relocation *find_relocation(const struct section *section, size_t pos)
{
	size_t i = count_below(&pos, section->relocations, section->nr_relocations,
			       sizeof(*section->relocations), relocation_is_below);

	if (i == section->nr_relocations || section->relocations[i].offset != pos)
		return NULL;
	return &section->relocations[i];
}

/*
 * Adds the sections. Where they overlap, as .data..percpu does at 0, the first one
 * counts.
 */
static void add_allocated(struct file *file)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		const GElf_Shdr *header = &file->sections[i].header;

		if (header->sh_flags & SHF_ALLOC)
			add_span(&file->allocated, (struct address){ 0, header->sh_addr },
				 header->sh_size, i);
	}
	sort_spans(&file->allocated);
}

static struct address linked_address(struct file *file, uint64_t value)
{
	size_t section;

	if (!file->allocated.nr)
		add_allocated(file);
	section = lowest_span_at(&file->allocated, (struct address){ 0, value });
	if (!section)
		return (struct address){ 0 };
	return (struct address){ section, value - file->sections[section].header.sh_addr };
}

/**
 * relocated_address - find the section that an address is in
 * @section:	the loaded section that the address was read from
 * @pos:	the offset that it was read at
 * @value:	the value that was read
 *
 * Return: the section and the offset; section 0 if no section contains the address.
 */
struct address relocated_address(const struct section *section, size_t pos,
				 uint64_t value)
{
	struct file *file = section->file;
	const struct relocation *reloc;

	if (!file->relocatable)
		return linked_address(file, value);
	reloc = find_relocation(section, pos);
	if (!reloc || reloc->symbol >= file->nr_symbols)
		return (struct address){ 0 };
	return (struct address){ file->symbols[reloc->symbol].section, value };
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

/* Loads a section. Return: a cursor from @pos to the end of the section. */
struct cursor open_cursor(struct section *section, size_t pos)
{
	load_section(section);
	if (pos > section->size)
		die_at(section, pos, "beyond the section's end, which is 0x%zx",
		       section->size);
	return (struct cursor){ section, pos, section->size };
}

static const unsigned char *take_bytes(struct cursor *cursor, uint64_t nr)
{
	const unsigned char *bytes = cursor->section->data + cursor->pos;

	if (nr > cursor->end - cursor->pos)
		die_at(cursor->section, cursor->pos,
		       "%llu bytes end beyond 0x%zx", (unsigned long long)nr,
		       cursor->end);
	cursor->pos += nr;
	return bytes;
}

void skip_bytes(struct cursor *cursor, uint64_t bytes)
{
	take_bytes(cursor, bytes);
}

uint64_t read_uint(struct cursor *cursor, unsigned int bytes)
{
	return get_uint(cursor->section->file, take_bytes(cursor, bytes), bytes);
}

/*
 * Reads the bits of a LEB128, seven from each byte. @last gets the last byte. A number
 * of 64 bits has at most ten bytes.
 */
static uint64_t read_leb(struct cursor *cursor, unsigned int *bits, unsigned char *last)
{
	size_t pos = cursor->pos;
	uint64_t value = 0;

	for (*bits = 0; *bits < 70; *bits += 7) {
		*last = *take_bytes(cursor, 1);
		value |= (uint64_t)(*last & 0x7f) << *bits;
		if (!(*last & 0x80)) {
			*bits += 7;
			return value;
		}
	}
	die_at(cursor->section, pos, "a number of more than 64 bits");
}

uint64_t read_uleb(struct cursor *cursor)
{
	unsigned char last;
	unsigned int bits;

	return read_leb(cursor, &bits, &last);
}

int64_t read_sleb(struct cursor *cursor)
{
	unsigned char last;
	unsigned int bits;
	uint64_t value = read_leb(cursor, &bits, &last);

	if (bits < 64 && (last & 0x40))
		value |= -1ULL << bits;
	return value;
}

const char *read_string(struct cursor *cursor)
{
	const char *string = (const char *)cursor->section->data + cursor->pos;
	const char *end = memchr(string, 0, cursor->end - cursor->pos);

	if (!end)
		die_at(cursor->section, cursor->pos, "a string without a terminating zero");
	cursor->pos += end - string + 1;
	return string;
}
