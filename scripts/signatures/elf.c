// SPDX-License-Identifier: GPL-2.0
/*
 * ELF files for the reader of DWARF: sections, symbols and relocations of objects
 * and of linked files, whatever their class and byte order.
 *
 * Sections are read whole, decompressed, into memory of our own; there their
 * relocations are applied. In an object, that leaves the offset in the section
 * where an address was, and relocated_address() tells which section that is.
 *
 * A cursor reads bytes of a section, and dies where the section ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "signatures.h"

void die(const char *fmt, ...)
{
	va_list args;

	fputs("recordmcount: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void die_at(const struct section *section, size_t pos, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "recordmcount: %s: %s+0x%zx: ", section->file->name,
		section->name, pos);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

#define die_elf(file, what) \
	die("%s: %s: %s", (file)->name, what, elf_errmsg(-1))

void *xrealloc(void *old, size_t nr, size_t size)
{
	void *new = reallocarray(old, nr ? nr : 1, size);

	if (!new)
		die("no memory for %zu times %zu bytes", nr, size);
	return new;
}

void *xcalloc(size_t nr, size_t size)
{
	return memset(xrealloc(NULL, nr, size), 0, nr * size);
}

/*
 * The numbers are those of the psABI of each machine. A relocation of another
 * kind in a section that is read is an error: nobody knows what it would do.
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

/* Of SET6 and SUB6, which are for .eh_frame, the field is the low six bits. */
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

#define KINDS(array)	array, ARRAY_SIZE(array)

static const struct machine machines[] = {
	{ EM_X86_64, ELFCLASS64, &abi_x86_64, false, R_X86_64_PC32, 0,
	  KINDS(relocations_x86_64), 1 },
	{ EM_386, ELFCLASS32, &abi_i386, false, R_386_PC32, 0,
	  KINDS(relocations_i386), 1 },
	{ EM_ARM, ELFCLASS32, &abi_arm, true, R_ARM_REL32, 0,
	  KINDS(relocations_arm) },
	{ EM_AARCH64, ELFCLASS64, &abi_arm64, false, R_AARCH64_PREL32, 0,
	  KINDS(relocations_arm64) },
	{ EM_RISCV, ELFCLASS64, &abi_riscv64, false, R_RISCV_ADD32, R_RISCV_SUB32,
	  KINDS(relocations_riscv) },
};

static const struct machine *find_machine(const struct file *file,
					  const GElf_Ehdr *header)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].elf_machine == header->e_machine &&
		    machines[i].elf_class == header->e_ident[EI_CLASS])
			return &machines[i];
	}
	die("%s: signatures are not known for machine %u, class %u", file->name,
	    header->e_machine, header->e_ident[EI_CLASS]);
}

/* Which section has the relocations of which, the first one if there are two */
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
		die("%s: %s: %s", section->file->name, section->name, elf_errmsg(-1));
	return data;
}

static struct section *find_section_by_type(struct file *file, unsigned int type)
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

/**
 * open_elf - open an ELF file to read
 * @name: its name
 *
 * Return: the file; dies if it is none, or is for a machine that is not known.
 */
struct file *open_elf(const char *name)
{
	struct file *file = xcalloc(1, sizeof(*file));
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	file->name = name;
	file->fd = open(name, O_RDONLY);
	if (file->fd < 0)
		die("%s: %s", name, strerror(errno));
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (!file->elf || !gelf_getehdr(file->elf, &header))
		die_elf(file, "not an ELF file");
	file->machine = find_machine(file, &header);
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
 * The first section of this name that has content, or NULL. They are asked for
 * again and again, and an object can have a section for each function.
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

void put_uint(const struct file *file, unsigned char *bytes, unsigned int nr,
	      uint64_t value)
{
	for (unsigned int i = 0; i < nr; i++, value >>= 8)
		bytes[file->big_endian ? nr - 1 - i : i] = value;
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

/*
 * The value changes, the length of the field does not: what the value does not
 * need is padding.
 */
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
 * RELA has the addend apart and replaces the field, REL has it in the field.
 * RISC-V's ADD and SUB change what is there already.
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

/*
 * read_relocation - read an entry of a section of relocations
 * Return: false if there are not so many.
 */
bool read_relocation(struct section *relocs, size_t index, struct relocation *reloc)
{
	Elf_Data *data = section_data(relocs);
	GElf_Rela rela = { 0 };
	GElf_Rel rel;

	if (relocs->header.sh_type == SHT_RELA) {
		if (!gelf_getrela(data, index, &rela))
			return false;
	} else {
		if (!gelf_getrel(data, index, &rel))
			return false;
		rela.r_offset = rel.r_offset;
		rela.r_info = rel.r_info;
	}
	reloc->offset = rela.r_offset;
	reloc->type = GELF_R_TYPE(rela.r_info);
	reloc->symbol = GELF_R_SYM(rela.r_info);
	reloc->addend = rela.r_addend;
	return true;
}

static int compare_relocations(const void *a, const void *b)
{
	const struct relocation *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
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
		die("%s: %s: %s", section->file->name, section->name, elf_errmsg(-1));
}

/**
 * load_section - read the content of a section, apply its relocations
 * @section: the section; nothing happens if that was done before
 */
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

/* The first relocation of the field at @pos of a loaded section, or NULL */
const struct relocation *find_relocation(const struct section *section, size_t pos)
{
	size_t i = count_below(&pos, section->relocations, section->nr_relocations,
			       sizeof(*section->relocations), relocation_is_below);

	if (i == section->nr_relocations || section->relocations[i].offset != pos)
		return NULL;
	return &section->relocations[i];
}

/* Sections that overlap are told apart by their order, as in .data..percpu at 0. */
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
	struct span_walk walk;
	const struct span *span;
	size_t best = 0;

	if (!file->allocated.nr)
		add_allocated(file);
	walk = start_spans(&file->allocated, (struct address){ 0, value });
	while ((span = next_span(&walk))) {
		if (!best || span->index < best)
			best = span->index;
	}
	if (!best)
		return (struct address){ 0 };
	return (struct address){ best, value - file->sections[best].header.sh_addr };
}

/**
 * relocated_address - what place an address means
 * @section:	where it was read, a loaded section
 * @pos:	at which offset
 * @value:	what was read
 *
 * Return: section and offset; section 0 if it is in no section of this file.
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

/* The first symbol of the last functions that start there or before, or NULL */
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

/* Reads from @pos of @section on, which this loads */
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
 * The bits of a LEB128, seven from each byte; @last gets the last byte. More than
 * ten bytes are more than any number here needs.
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
		die_at(cursor->section, cursor->pos, "a string without an end");
	cursor->pos += end - string + 1;
	return string;
}
