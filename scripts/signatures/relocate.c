// SPDX-License-Identifier: GPL-2.0
/*
 * The content of sections.
 *
 * load_section() copies a whole section to memory, decompressed, and applies the
 * relocations to the copy. A relocated address is an offset in its section.
 * relocated_address() finds this section.
 */
#include <stdlib.h>
#include <string.h>

#include "relocate.h"
#include "util.h"

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
	struct cursor cursor = cursor_at(section, reloc->offset);
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
		return (struct address){ 0, value };
	return (struct address){ section, value - file->sections[section].header.sh_addr };
}

/**
 * relocated_address - find the section that an address is in
 * @section:	the loaded section that the address was read from
 * @pos:	the offset that it was read at
 * @value:	the value that was read
 *
 * Return: the section and the offset. If no section contains the address, the section is 0,
 * and in a linked file, the offset is the address.
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

/* Loads a section. Return: a cursor from @pos to the end of the section. */
struct cursor open_cursor(struct section *section, size_t pos)
{
	load_section(section);
	return cursor_at(section, pos);
}
