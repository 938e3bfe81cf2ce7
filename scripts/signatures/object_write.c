// SPDX-License-Identifier: GPL-2.0
/*
 * Writes signatures into an object.
 *
 * The relocation of an entry has the symbol and the addend of its site in the list of
 * call sites. If the object has no such list, the relocation has the symbol of the
 * section and the offset of the call.
 *
 * The section of strings needs a symbol, and so does the table on some machines. Both
 * symbols are local, so they must be before the global symbols. They take the places of
 * the first global symbols, which move to the end.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object_write.h"
#include "relocate.h"
#include "util.h"
#include "../../include/linux/fgraph_members_format.h"

/* A copy of the object, which replaces it when it is complete */
struct writer {
	const struct signatures *signatures;
	const struct file *file;	/* the object, as it was */
	char *name;
	int fd;
	Elf *elf;
	size_t strings, table;		/* indexes of new sections */
	size_t first_global, moved_by;
	size_t strings_symbol, table_symbol;
	void *buffers[16];		/* memory that libelf uses */
	size_t nr_buffers;
};

/* The number of new symbols */
#define NEW_SYMBOLS	2

#define check(writer, what) do {						\
	if (!(what))								\
		die_elf((writer)->file, #what);					\
} while (0)

/* The name of the copy until it replaces the object. exit() removes an unfinished copy. */
static const char *unfinished;

static void remove_unfinished(void)
{
	if (unfinished)
		unlink(unfinished);
}

static void *get_buffer(struct writer *writer, size_t size)
{
	check(writer, writer->nr_buffers < ARRAY_SIZE(writer->buffers));
	return writer->buffers[writer->nr_buffers++] = xcalloc(size, 1);
}

static void copy_object(struct writer *writer)
{
	const char *name = writer->file->name, *base = strrchr(name, '/');
	struct stat stat;
	char *content;

	if (fstat(writer->file->fd, &stat))
		die("%s: %m", writer->file->name);
	content = xrealloc(NULL, stat.st_size, 1);
	if (pread(writer->file->fd, content, stat.st_size, 0) != stat.st_size)
		die("%s: %m", writer->file->name);
	/* If the program is killed, "make clean" removes a file of this name. */
	base = base ? base + 1 : name;
	writer->name = xrealloc(NULL, strlen(name) + sizeof("..tmp"), 1);
	sprintf(writer->name, "%.*s.%s.tmp", (int)(base - name), name, base);
	writer->fd = open(writer->name, O_RDWR | O_CREAT | O_TRUNC, stat.st_mode & 0777);
	if (writer->fd < 0)
		die("%s: %m", writer->name);
	unfinished = writer->name;
	if (atexit(remove_unfinished) ||
	    write(writer->fd, content, stat.st_size) != stat.st_size)
		die("%s: %m", writer->name);
	free(content);
}

static Elf_Data *replace_data(struct writer *writer, Elf_Scn *scn, size_t more)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	char *buffer;

	check(writer, data);
	buffer = get_buffer(writer, data->d_size + more);
	if (data->d_size)
		memcpy(buffer, data->d_buf, data->d_size);
	data->d_buf = buffer;
	data->d_size += more;
	elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	return data;
}

static size_t add_section_name(struct writer *writer, const char *name)
{
	size_t index, offset;
	Elf_Data *data;

	check(writer, !elf_getshdrstrndx(writer->elf, &index));
	data = replace_data(writer, elf_getscn(writer->elf, index), strlen(name) + 1);
	offset = data->d_size - strlen(name) - 1;
	strcpy((char *)data->d_buf + offset, name);
	return offset;
}

static Elf_Data *add_section(struct writer *writer, const char *name,
			     const GElf_Shdr *what, void *content, size_t size)
{
	GElf_Shdr header = *what;
	Elf_Data *data;
	Elf_Scn *scn;

	header.sh_name = add_section_name(writer, name);
	scn = elf_newscn(writer->elf);
	check(writer, scn);
	data = elf_newdata(scn);
	check(writer, data);
	data->d_buf = content;
	data->d_size = size;
	data->d_align = header.sh_addralign;
	header.sh_size = size;
	check(writer, gelf_update_shdr(scn, &header));
	return data;
}

static size_t last_section(struct writer *writer)
{
	size_t nr;

	check(writer, !elf_getshdrnum(writer->elf, &nr));
	return nr - 1;
}

/* Return: the new index of a symbol. */
static size_t moved_symbol(const struct writer *writer, size_t symbol)
{
	if (symbol >= writer->first_global &&
	    symbol < writer->first_global + NEW_SYMBOLS)
		return symbol + writer->moved_by;
	return symbol;
}

static void set_symbol(struct writer *writer, Elf_Data *symbols, Elf_Data *indexes,
		       size_t index, size_t section)
{
	GElf_Sym sym = { .st_info = GELF_ST_INFO(STB_LOCAL, STT_SECTION) };

	sym.st_shndx = section < SHN_LORESERVE ? section : SHN_XINDEX;
	check(writer, section < SHN_LORESERVE || indexes);
	check(writer, gelf_update_symshndx(symbols, indexes, index, &sym,
					   section < SHN_LORESERVE ? 0 : section));
}

static void add_symbols(struct writer *writer)
{
	Elf_Scn *scn = elf_getscn(writer->elf, writer->file->symtab->index);
	const struct section *index_section = find_section_by_type(writer->file, SHT_SYMTAB_SHNDX);
	size_t size = gelf_fsize(writer->elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *symbols, *indexes = NULL;
	size_t first = writer->first_global;
	GElf_Shdr header;

	symbols = replace_data(writer, scn, NEW_SYMBOLS * size);
	if (index_section)
		indexes = replace_data(writer, elf_getscn(writer->elf, index_section->index),
				       NEW_SYMBOLS * 4);

	for (size_t i = first + NEW_SYMBOLS; i-- > first;) {
		Elf32_Word index = 0;
		GElf_Sym sym;

		if (i >= writer->file->nr_symbols)
			continue;
		check(writer, gelf_getsymshndx(symbols, indexes, i, &sym, &index));
		check(writer, gelf_update_symshndx(symbols, indexes,
						   moved_symbol(writer, i), &sym, index));
	}
	set_symbol(writer, symbols, indexes, writer->strings_symbol, writer->strings);
	set_symbol(writer, symbols, indexes, writer->table_symbol, writer->table);
	check(writer, gelf_getshdr(scn, &header));
	header.sh_info += NEW_SYMBOLS;
	check(writer, gelf_update_shdr(scn, &header));
}

static void update_relocation(struct writer *writer, Elf_Data *data, bool rela, size_t index,
			      GElf_Rela *reloc)
{
	GElf_Rel rel = { reloc->r_offset, reloc->r_info };

	if (rela)
		check(writer, gelf_update_rela(data, index, reloc));
	else
		check(writer, gelf_update_rel(data, index, &rel));
}

static void move_symbols_of(struct writer *writer, Elf_Data *data, bool rela)
{
	GElf_Rela reloc;

	for (size_t i = 0; get_relocation(data, rela, i, &reloc); i++) {
		size_t symbol = GELF_R_SYM(reloc.r_info);

		if (moved_symbol(writer, symbol) == symbol)
			continue;
		reloc.r_info = GELF_R_INFO(moved_symbol(writer, symbol),
					   GELF_R_TYPE(reloc.r_info));
		update_relocation(writer, data, rela, i, &reloc);
	}
}

/* Updates the indexes of symbols in relocations and groups. */
static void move_symbols(struct writer *writer)
{
	for (size_t i = 1; i < writer->file->nr_sections; i++) {
		Elf_Scn *scn = elf_getscn(writer->elf, i);
		Elf_Data *data;
		GElf_Shdr header;

		check(writer, gelf_getshdr(scn, &header));
		if (header.sh_type == SHT_GROUP) {
			header.sh_info = moved_symbol(writer, header.sh_info);
			check(writer, gelf_update_shdr(scn, &header));
		}
		if (header.sh_type != SHT_RELA && header.sh_type != SHT_REL)
			continue;
		data = elf_getdata(scn, NULL);
		check(writer, data);
		move_symbols_of(writer, data, header.sh_type == SHT_RELA);
		elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	}
}

struct relocations {
	struct writer *writer;
	Elf_Data *data;
	unsigned char *table;
	bool rela;
	size_t nr;
};

static void put_relocation(struct relocations *relocs, size_t offset,
			   unsigned int type, size_t symbol, int64_t addend)
{
	GElf_Rela rela = { offset, GELF_R_INFO(symbol, type), addend };

	update_relocation(relocs->writer, relocs->data, relocs->rela, relocs->nr++, &rela);
	if (!relocs->rela)
		put_u32(relocs->writer->file, relocs->table + offset, addend);
}

/*
 * Relocates the word at @offset of the table to the distance from the word to @symbol
 * plus @addend. In a pair of relocations, the second addend is zero, because linkers do
 * not agree on its sign. The word contains its negated offset in the table instead.
 */
static void relocate_word(struct relocations *relocs, size_t offset, size_t symbol,
			  int64_t addend)
{
	const struct machine *machine = relocs->writer->file->machine;

	put_relocation(relocs, offset, machine->pcrel32, symbol, addend);
	if (!machine->pcrel32_minus)
		return;
	put_relocation(relocs, offset, machine->pcrel32_minus,
		       relocs->writer->table_symbol, 0);
	put_u32(relocs->writer->file, relocs->table + offset, -offset);
}

/* Adds a section of @nr relocations of the section @of. */
static struct relocations add_relocation_section(struct writer *writer, size_t of,
						 const char *name, size_t nr)
{
	struct relocations relocs = { writer,
				      .rela = find_section_by_type(writer->file, SHT_RELA) };
	Elf_Type type = relocs.rela ? ELF_T_RELA : ELF_T_REL;
	size_t size = gelf_fsize(writer->elf, type, 1, EV_CURRENT);
	GElf_Shdr header = {
		.sh_type = relocs.rela ? SHT_RELA : SHT_REL,
		.sh_flags = SHF_INFO_LINK,
		.sh_link = writer->file->symtab->index,
		.sh_info = of,
		.sh_entsize = size,
		.sh_addralign = writer->file->word,
	};
	char *full_name = get_buffer(writer, strlen(".rela") + strlen(name) + 1);

	sprintf(full_name, "%s%s", relocs.rela ? ".rela" : ".rel", name);
	relocs.data = add_section(writer, full_name, &header,
				  get_buffer(writer, nr * size), nr * size);
	relocs.data->d_type = type;
	return relocs;
}

static void add_relocations(struct writer *writer, unsigned char *table)
{
	const struct signatures *signatures = writer->signatures;
	size_t nr = 2 * signatures->nr * (writer->file->machine->pcrel32_minus ? 2 : 1);
	struct relocations relocs =
		add_relocation_section(writer, writer->table, FGRAPH_SITES_SECTION, nr);

	relocs.table = table;
	for (size_t i = 0; i < signatures->nr; i++) {
		const struct entry *entry = &signatures->entries[i];

		relocate_word(&relocs, 8 * i, moved_symbol(writer, entry->site->symbol),
			      entry->site->addend);
		relocate_word(&relocs, 8 * i + 4, writer->strings_symbol, entry->string);
	}
}

/*
 * Dies if a broken alignment would make the file huge. The object already contains the
 * padding of a valid alignment.
 */
static void check_size(struct writer *writer)
{
	int64_t size = elf_update(writer->elf, ELF_C_NULL);
	struct stat stat;

	check(writer, size >= 0);
	if (fstat(writer->fd, &stat))
		die("%s: %m", writer->name);
	if (writer->signatures->debug)
		stat.st_size += writer->signatures->debug->size;
	stat.st_size += writer->signatures->strings.length;
	stat.st_size += writer->signatures->members.length;
	if (size / 4 > stat.st_size + (1 << 20))
		die("%s: broken alignment of a section: the file would take %lld bytes",
		    writer->file->name, (long long)size);
}

static void write_debug_section(struct writer *writer)
{
	const struct debug_section *debug = writer->signatures->debug;
	const struct machine *machine = writer->file->machine;
	GElf_Shdr header = { .sh_type = SHT_PROGBITS, .sh_addralign = 8 };
	struct relocations relocs;

	add_section(writer, debug->name, &header, debug->content, debug->size);
	relocs = add_relocation_section(writer, last_section(writer), debug->name, debug->nr);
	for (size_t i = 0; i < debug->nr; i++) {
		const struct relocated_word *word = &debug->words[i];
		GElf_Rela rela = { word->offset, GELF_R_INFO(moved_symbol(writer, word->symbol),
							     machine->absolute), word->addend };

		update_relocation(writer, relocs.data, relocs.rela, i, &rela);
		if (!relocs.rela)
			put_u32(writer->file, debug->content + word->offset, word->addend);
	}
}

static void write_table(struct writer *writer)
{
	const struct signatures *signatures = writer->signatures;
	unsigned char *table = get_buffer(writer, 8 * signatures->nr);
	unsigned char *version = get_buffer(writer, 4);
	GElf_Shdr header = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC };
	size_t globals = writer->file->nr_symbols - writer->file->symtab->header.sh_info;

	writer->first_global = writer->file->symtab->header.sh_info;
	writer->moved_by = globals > NEW_SYMBOLS ? globals : NEW_SYMBOLS;
	writer->strings_symbol = writer->first_global;
	writer->table_symbol = writer->first_global + 1;

	header.sh_addralign = 4;
	add_section(writer, FGRAPH_SITES_SECTION, &header, table, 8 * signatures->nr);
	writer->table = last_section(writer);
	header.sh_addralign = 1;
	header.sh_flags |= SHF_MERGE | SHF_STRINGS;
	header.sh_entsize = 1;
	add_section(writer, FGRAPH_STRINGS_SECTION, &header, signatures->strings.bytes,
		    signatures->strings.length);
	writer->strings = last_section(writer);
	if (signatures->members.length)
		add_section(writer, FGRAPH_MEMBERS_SECTION, &header,
			    signatures->members.bytes, signatures->members.length);
	header.sh_addralign = 4;
	header.sh_flags = SHF_ALLOC | SHF_MERGE;
	header.sh_entsize = 4;
	put_u32(writer->file, version, fgraph_sig_version());
	add_section(writer, FGRAPH_VERSION_SECTION, &header, version, 4);
	add_relocations(writer, table);

	move_symbols(writer);
	add_symbols(writer);
}

static void write_object(struct writer *writer)
{
	/* Without a table, there are no new symbols, and none moves. */
	writer->first_global = writer->file->nr_symbols;
	if (writer->signatures->nr)
		write_table(writer);
	if (writer->signatures->debug)
		write_debug_section(writer);
	check_size(writer);
	/*
	 * Otherwise libelf keeps the old section headers if the new ones have the same
	 * offset.
	 */
	elf_flagelf(writer->elf, ELF_C_SET, ELF_F_DIRTY);
	check(writer, elf_update(writer->elf, ELF_C_WRITE) >= 0);
}

/*
 * Writes signatures into their object. If this fails, dies and leaves the object
 * unchanged.
 */
void write_signatures(const struct signatures *signatures)
{
	struct writer writer = { .signatures = signatures, .file = signatures->file };

	copy_object(&writer);
	writer.elf = elf_begin(writer.fd, ELF_C_RDWR, NULL);
	check(&writer, writer.elf);
	write_object(&writer);
	elf_end(writer.elf);
	while (writer.nr_buffers)
		free(writer.buffers[--writer.nr_buffers]);
	if (close(writer.fd) || rename(writer.name, signatures->file->name))
		die("%s: %m", signatures->file->name);
	unfinished = NULL;
	free(writer.name);
}
