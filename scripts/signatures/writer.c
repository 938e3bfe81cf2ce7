// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the signatures of its functions into an object.
 *
 * An entry of the table has the relocation of its site: that of the list of call
 * sites, or the section and the offset of the call.
 *
 * The strings need a symbol, too, and on some machines the table does. Local ones,
 * so they have to come before the global ones: they take the places of the first of
 * these, which go to the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signatures.h"

/* The writer works on a copy, which replaces the object when it is complete. */
struct writer {
	const struct record *record;
	const struct file *file;
	char *name;
	int fd;
	Elf *elf;
	size_t strings, table;		/* indexes of new sections */
	size_t first_global, moved_by;
	size_t strings_symbol, table_symbol;
	void *buffers[16];		/* what libelf has of ours */
	size_t nr_buffers;
};

/* How many symbols are added */
#define NEW_SYMBOLS	2

#define check(writer, what) do {						\
	if (!(what))								\
		die("%s: %s: %s", (writer)->file->name, #what, elf_errmsg(-1));	\
} while (0)

/* The copy, until it has replaced the object: whatever dies before, it is removed. */
static const char *unfinished;

static void remove_unfinished(void)
{
	if (unfinished)
		unlink(unfinished);
}

/* Memory that libelf needs until the object is written */
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
		die("%s: %s", writer->file->name, strerror(errno));
	content = xrealloc(NULL, stat.st_size, 1);
	if (pread(writer->file->fd, content, stat.st_size, 0) != stat.st_size)
		die("%s: %s", writer->file->name, strerror(errno));
	/* "make clean" removes it, should this be killed */
	base = base ? base + 1 : name;
	writer->name = xrealloc(NULL, strlen(name) + sizeof("..tmp"), 1);
	sprintf(writer->name, "%.*s.%s.tmp", (int)(base - name), name, base);
	writer->fd = open(writer->name, O_RDWR | O_CREAT | O_TRUNC, stat.st_mode & 0777);
	if (writer->fd < 0)
		die("%s: %s", writer->name, strerror(errno));
	unfinished = writer->name;
	if (atexit(remove_unfinished) ||
	    write(writer->fd, content, stat.st_size) != stat.st_size)
		die("%s: %s", writer->name, strerror(errno));
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

static void put_word(struct writer *writer, void *at, uint32_t value)
{
	put_uint(writer->file, at, 4, value);
}

/* Where a symbol is after those that are new came before the global ones */
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

static Elf_Scn *find_symbol_indexes(struct writer *writer)
{
	for (size_t i = 1; i < writer->file->nr_sections; i++) {
		if (writer->file->sections[i].header.sh_type == SHT_SYMTAB_SHNDX)
			return elf_getscn(writer->elf, i);
	}
	return NULL;
}

static void add_symbols(struct writer *writer)
{
	Elf_Scn *scn = elf_getscn(writer->elf, writer->file->symtab->index);
	Elf_Scn *index_scn = find_symbol_indexes(writer);
	size_t size = gelf_fsize(writer->elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *symbols, *indexes = NULL;
	size_t first = writer->first_global;
	GElf_Shdr header;

	symbols = replace_data(writer, scn, NEW_SYMBOLS * size);
	if (index_scn)
		indexes = replace_data(writer, index_scn, NEW_SYMBOLS * 4);

	/* From the last one on: with few global symbols, they overlap. */
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

static void move_symbols_of_rela(struct writer *writer, Elf_Data *data)
{
	GElf_Rela rela;

	for (size_t i = 0; gelf_getrela(data, i, &rela); i++) {
		size_t symbol = GELF_R_SYM(rela.r_info);

		if (moved_symbol(writer, symbol) == symbol)
			continue;
		rela.r_info = GELF_R_INFO(moved_symbol(writer, symbol),
					  GELF_R_TYPE(rela.r_info));
		check(writer, gelf_update_rela(data, i, &rela));
	}
}

static void move_symbols_of_rel(struct writer *writer, Elf_Data *data)
{
	GElf_Rel rel;

	for (size_t i = 0; gelf_getrel(data, i, &rel); i++) {
		size_t symbol = GELF_R_SYM(rel.r_info);

		if (moved_symbol(writer, symbol) == symbol)
			continue;
		rel.r_info = GELF_R_INFO(moved_symbol(writer, symbol),
					 GELF_R_TYPE(rel.r_info));
		check(writer, gelf_update_rel(data, i, &rel));
	}
}

/* Relocations and groups refer to symbols by their indexes. */
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
		if (header.sh_type == SHT_RELA)
			move_symbols_of_rela(writer, data);
		else
			move_symbols_of_rel(writer, data);
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
	GElf_Rel rel = { offset, rela.r_info };

	if (relocs->rela) {
		check(relocs->writer, gelf_update_rela(relocs->data, relocs->nr++, &rela));
	} else {
		check(relocs->writer, gelf_update_rel(relocs->data, relocs->nr++, &rel));
		put_word(relocs->writer, relocs->table + offset, addend);
	}
}

/*
 * Makes the word at @offset of the table the distance to symbol and addend. Of a
 * pair, linkers do not agree on the sign of the second addend: it is zero, and the
 * word has a part of the distance from the start.
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
	put_word(relocs->writer, relocs->table + offset, -offset);
}

/* Objects of one machine have either kind. */
static bool has_rela(const struct file *file)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		if (file->sections[i].header.sh_type == SHT_RELA)
			return true;
	}
	return false;
}

static void add_relocations(struct writer *writer, unsigned char *table)
{
	const struct record *record = writer->record;
	struct relocations relocs = { writer, .table = table,
				      .rela = has_rela(writer->file) };
	Elf_Type type = relocs.rela ? ELF_T_RELA : ELF_T_REL;
	size_t size = gelf_fsize(writer->elf, type, 1, EV_CURRENT);
	size_t nr = 2 * record->nr_entries * (writer->file->machine->pcrel32_minus ? 2 : 1);
	GElf_Shdr header = {
		.sh_type = relocs.rela ? SHT_RELA : SHT_REL,
		.sh_flags = SHF_INFO_LINK,
		.sh_link = writer->file->symtab->index,
		.sh_info = writer->table,
		.sh_entsize = size,
		.sh_addralign = writer->file->word,
	};

	relocs.data = add_section(writer, relocs.rela ? ".rela" FGRAPH_SITES_SECTION :
				  ".rel" FGRAPH_SITES_SECTION, &header,
				  get_buffer(writer, nr * size), nr * size);
	relocs.data->d_type = type;
	for (size_t i = 0; i < record->nr_entries; i++) {
		const struct entry *entry = &record->entries[i];

		relocate_word(&relocs, 8 * i, moved_symbol(writer, entry->site->symbol),
			      entry->site->addend);
		relocate_word(&relocs, 8 * i + 4, writer->strings_symbol, entry->string);
	}
}

/* A broken alignment would fill the disk. One that is true is in the object already. */
static void check_size(struct writer *writer)
{
	int64_t size = elf_update(writer->elf, ELF_C_NULL);
	struct stat stat;

	check(writer, size >= 0);
	if (fstat(writer->fd, &stat))
		die("%s: %s", writer->name, strerror(errno));
	if (size / 4 > stat.st_size + writer->record->strings.length + (1 << 20))
		die("%s: broken alignment of a section: it would take %lld bytes",
		    writer->file->name, (long long)size);
}

static void write_object(struct writer *writer)
{
	const struct record *record = writer->record;
	unsigned char *table = get_buffer(writer, 8 * record->nr_entries);
	unsigned char *version = get_buffer(writer, 4);
	GElf_Shdr header = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC };
	size_t globals = writer->file->nr_symbols - writer->file->symtab->header.sh_info;

	writer->first_global = writer->file->symtab->header.sh_info;
	writer->moved_by = globals > NEW_SYMBOLS ? globals : NEW_SYMBOLS;
	writer->strings_symbol = writer->first_global;
	writer->table_symbol = writer->first_global + 1;

	header.sh_addralign = 4;
	add_section(writer, FGRAPH_SITES_SECTION, &header, table, 8 * record->nr_entries);
	writer->table = last_section(writer);
	header.sh_addralign = 1;
	header.sh_flags |= SHF_MERGE | SHF_STRINGS;
	header.sh_entsize = 1;
	add_section(writer, FGRAPH_STRINGS_SECTION, &header, record->strings.bytes,
		    record->strings.length);
	writer->strings = last_section(writer);
	header.sh_addralign = 4;
	header.sh_flags = SHF_ALLOC | SHF_MERGE;
	header.sh_entsize = 4;
	put_word(writer, version, fgraph_sig_version());
	add_section(writer, FGRAPH_VERSION_SECTION, &header, version, 4);
	add_relocations(writer, table);

	move_symbols(writer);
	add_symbols(writer);
	check_size(writer);
	/* Else libelf keeps the old table of sections, if the new one is at its place. */
	elf_flagelf(writer->elf, ELF_C_SET, ELF_F_DIRTY);
	check(writer, elf_update(writer->elf, ELF_C_WRITE) >= 0);
}

/**
 * write_signatures - write what was collected into the object
 * @record:	the signatures of an object
 *
 * Dies, and the object is as it was, if that fails.
 */
void write_signatures(const struct record *record)
{
	struct writer writer = { .record = record, .file = record->file };

	copy_object(&writer);
	writer.elf = elf_begin(writer.fd, ELF_C_RDWR, NULL);
	check(&writer, writer.elf);
	write_object(&writer);
	elf_end(writer.elf);
	while (writer.nr_buffers)
		free(writer.buffers[--writer.nr_buffers]);
	if (close(writer.fd) || rename(writer.name, record->file->name))
		die("%s: %s", record->file->name, strerror(errno));
	unfinished = NULL;
	free(writer.name);
}
