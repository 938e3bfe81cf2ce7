// SPDX-License-Identifier: GPL-2.0
/*
 * Adds the signatures of its functions to an object.
 *
 * Which functions the tracer can hook, the list of call sites tells that is in the
 * object already. An entry of the table takes the relocation of its site from that
 * list: the same symbol, the same addend.
 *
 * The strings need a symbol, too. A local one, so it has to come before the global
 * ones: it takes the place of the first of these, which goes to the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dwarf.h"
#include "signatures.h"

struct function {
	struct address start;
	uint64_t length;
	size_t die;
};

struct site {
	size_t symbol;
	int64_t addend;
	struct address address;
};

struct entry {
	const struct site *site;
	size_t string;		/* its offset */
};

/* The content of the section of strings, each there once */
struct strings {
	char *bytes;
	size_t length, room;
	struct string *buckets[1024];
};

struct string {
	size_t offset;
	struct string *next;
};

struct record {
	struct file *file;
	struct dwarf *dwarf;
	struct function *functions;
	size_t nr_functions, functions_room;
	struct site *sites;
	size_t nr_sites, sites_room;
	struct entry *entries;
	size_t nr_entries, entries_room;
	struct strings strings;
	const struct site *site;	/* of which entries are added */
};

#define grow(array, nr, room) do {						\
	if ((nr) == (room)) {							\
		(room) = 2 * (room) + 64;					\
		(array) = xrealloc(array, room, sizeof(*(array)));		\
	}									\
} while (0)

static void add_site(struct record *record, size_t symbol, int64_t addend)
{
	const struct symbol *sym;

	if (symbol >= record->file->nr_symbols)
		die("%s: a call site is at symbol %zu of %zu", record->file->name,
		    symbol, record->file->nr_symbols);
	sym = &record->file->symbols[symbol];
	grow(record->sites, record->nr_sites, record->sites_room);
	record->sites[record->nr_sites++] = (struct site){
		symbol, addend, { sym->section, sym->value + addend }
	};
}

/* Compilers, objtool and recordmcount list them in one of these sections. */
static bool lists_sites(const struct section *section)
{
	return !strcmp(section->name, "__mcount_loc") ||
	       !strcmp(section->name, "__patchable_function_entries");
}

static void read_sites(struct record *record)
{
	struct file *file = record->file;

	for (size_t i = 1; i < file->nr_sections; i++) {
		struct section *section = &file->sections[i];

		if (!lists_sites(section))
			continue;
		load_section(section);
		for (size_t j = 0; j < section->nr_relocations; j++) {
			const struct relocation *reloc = &section->relocations[j];

			if (reloc->symbol)
				add_site(record, reloc->symbol, reloc->addend);
		}
	}
}

/* Where the sites get recorded later, every function may become one. */
static void take_functions_as_sites(struct record *record)
{
	const struct file *file = record->file;

	for (size_t i = 1; i < file->nr_symbols; i++) {
		const struct symbol *symbol = &file->symbols[i];

		if (symbol->type == STT_FUNC && symbol->section)
			add_site(record, i, 0);
	}
}

static void add_function(void *data, struct address start, uint64_t length)
{
	struct record *record = data;

	if (!start.section || !length)
		return;
	grow(record->functions, record->nr_functions, record->functions_room);
	record->functions[record->nr_functions++].start = start;
	record->functions[record->nr_functions - 1].length = length;
}

static int compare_addresses(const struct address *a, const struct address *b)
{
	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static int compare_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return compare_addresses(&x->start, &y->start) ?:
	       (x->die < y->die ? -1 : x->die > y->die);
}

/*
 * A function in several ranges is found by each of them; only the one that has
 * the site is its entry.
 */
static void read_functions_of_unit(struct record *record, const struct unit *unit)
{
	struct die top, child;

	/* What the assembler says of its functions has no types. */
	if (unit->language == DW_LANG_Mips_Assembler || unit->type_offset ||
	    unit->first_die >= unit->end || !read_die(unit, unit->first_die, &top))
		return;
	for (bool more = first_child(&top, &child); more; more = next_sibling(&child)) {
		size_t first = record->nr_functions;

		if (child.tag != DW_TAG_subprogram ||
		    find_attribute(&child, DW_AT_declaration))
			continue;
		for_each_range(&child, add_function, record);
		for (size_t i = first; i < record->nr_functions; i++)
			record->functions[i].die = child.offset;
	}
}

static void read_functions(struct record *record)
{
	for (size_t i = 0; i < record->dwarf->nr_units; i++)
		read_functions_of_unit(record, &record->dwarf->units[i]);
	if (record->nr_functions)
		qsort(record->functions, record->nr_functions,
		      sizeof(*record->functions), compare_functions);
}

static const struct function *find_function(const struct record *record,
					    struct address address)
{
	size_t low = 0, high = record->nr_functions;
	const struct function *function;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_addresses(&record->functions[middle].start, &address) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	function = &record->functions[low - 1];
	if (function->start.section != address.section ||
	    address.offset - function->start.offset >= function->length)
		return NULL;
	return function;
}

/* By the suffixes that GCC gives; "f.constprop.0.isra.0" has two. */
static enum clone clone_by_name(const char *name)
{
	if (strstr(name, ".isra.") || strstr(name, ".part."))
		return CLONE_ANYTHING;
	return strstr(name, ".constprop.") ? CLONE_PARAMETERS : CLONE_NONE;
}

static enum clone find_clone(const struct file *file, struct address start)
{
	enum clone clone = CLONE_NONE;

	for (size_t i = 1; i < file->nr_symbols; i++) {
		const struct symbol *symbol = &file->symbols[i];

		if (symbol->type == STT_FUNC && symbol->section == start.section &&
		    symbol->value == start.offset && symbol->name) {
			enum clone found = clone_by_name(symbol->name);

			clone = found > clone ? found : clone;
		}
	}
	return clone;
}

static struct string **find_bucket(struct strings *strings, const struct text *text)
{
	uint32_t hash = 2166136261U;	/* FNV-1a */

	for (size_t i = 0; i < text->length; i++)
		hash = (hash ^ (unsigned char)text->bytes[i]) * 16777619U;
	return &strings->buckets[hash % ARRAY_SIZE(strings->buckets)];
}

/*
 * The linker merges the strings of all objects of the kernel, but not those of a
 * module: an object has each just once.
 */
static size_t add_string(struct strings *strings, const struct text *text)
{
	struct string **bucket = find_bucket(strings, text), *string;
	size_t size = text->length + 1;

	for (string = *bucket; string; string = string->next) {
		if (!strcmp(strings->bytes + string->offset, text->bytes))
			return string->offset;
	}
	if (strings->length + size > strings->room) {
		strings->room = 2 * strings->room + size;
		strings->bytes = xrealloc(strings->bytes, strings->room, 1);
	}
	string = xcalloc(1, sizeof(*string));
	string->offset = strings->length;
	string->next = *bucket;
	*bucket = string;
	memcpy(strings->bytes + strings->length, text->bytes, size);
	strings->length += size;
	return string->offset;
}

static void free_strings(struct strings *strings)
{
	for (size_t i = 0; i < ARRAY_SIZE(strings->buckets); i++) {
		struct string *string;

		while ((string = strings->buckets[i])) {
			strings->buckets[i] = string->next;
			free(string);
		}
	}
	free(strings->bytes);
}

static void add_entry(struct record *record, const struct text *text)
{
	grow(record->entries, record->nr_entries, record->entries_room);
	record->entries[record->nr_entries++] = (struct entry){
		record->site, add_string(&record->strings, text)
	};
}

static void add_enum(void *data, const struct die *type)
{
	struct text text = begin_text();

	encode_enumerators(&text, type);
	add_entry(data, &text);
	free(text.bytes);
}

static void add_signature(struct record *record, const struct site *site)
{
	const struct function *function = find_function(record, site->address);
	struct text text = begin_text();
	struct die die;

	if (!function)
		return;
	read_die_at(record->dwarf, function->die, &die);
	encode_signature(&text, &die, function->start,
			 find_clone(record->file, function->start));
	record->site = site;
	add_entry(record, &text);
	free(text.bytes);
	for_each_enum_by_value(&die, add_enum, record);
}

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

/* Memory that libelf needs until the object is written */
static void *get_buffer(struct writer *writer, size_t size)
{
	check(writer, writer->nr_buffers < ARRAY_SIZE(writer->buffers));
	return writer->buffers[writer->nr_buffers++] = xcalloc(size, 1);
}

static void copy_object(struct writer *writer)
{
	struct stat stat;
	char *content;

	if (fstat(writer->file->fd, &stat))
		die("%s: %s", writer->file->name, strerror(errno));
	content = xrealloc(NULL, stat.st_size, 1);
	if (pread(writer->file->fd, content, stat.st_size, 0) != stat.st_size)
		die("%s: %s", writer->file->name, strerror(errno));
	writer->name = xrealloc(NULL, strlen(writer->file->name) + 5, 1);
	sprintf(writer->name, "%s.sig", writer->file->name);
	writer->fd = open(writer->name, O_RDWR | O_CREAT | O_TRUNC, stat.st_mode & 0777);
	if (writer->fd < 0 ||
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
	unsigned char *bytes = at;

	for (unsigned int i = 0; i < 4; i++)
		bytes[writer->file->big_endian ? 3 - i : i] = value >> 8 * i;
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

/* Makes the word at @offset of the table the distance to symbol and addend. */
static void relocate_word(struct relocations *relocs, size_t offset, size_t symbol,
			  int64_t addend)
{
	const struct machine *machine = relocs->writer->file->machine;

	put_relocation(relocs, offset, machine->pcrel32, symbol, addend);
	if (machine->pcrel32_minus)
		put_relocation(relocs, offset, machine->pcrel32_minus,
			       relocs->writer->table_symbol, offset);
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

static void write_object(struct writer *writer)
{
	const struct record *record = writer->record;
	unsigned char *table = get_buffer(writer, 8 * record->nr_entries);
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
	add_relocations(writer, table);

	move_symbols(writer);
	add_symbols(writer);
	check(writer, elf_update(writer->elf, ELF_C_WRITE) >= 0);
}

static void replace_object(const struct record *record)
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
	free(writer.name);
}

/**
 * record_signatures - add the signatures of its functions to an object
 * @name:	the object
 * @all:	of all functions, not only of those with a call site
 *
 * Return: 0; dies, and the object is as it was, if it cannot be read.
 */
int record_signatures(const char *name, bool all)
{
	struct record record = { .file = open_elf(name) };

	if (!record.file->relocatable || !record.file->symtab)
		die("%s: not an object to link", name);
	if (find_section(record.file, FGRAPH_SITES_SECTION))
		die("%s: has signatures already", name);
	read_sites(&record);
	if (!record.nr_sites && all)
		take_functions_as_sites(&record);
	if (record.nr_sites)
		record.dwarf = open_dwarf(record.file);
	if (record.dwarf) {
		read_functions(&record);
		for (size_t i = 0; i < record.nr_sites; i++)
			add_signature(&record, &record.sites[i]);
	}
	if (record.nr_entries)
		replace_object(&record);

	close_dwarf(record.dwarf);
	free(record.functions);
	free(record.sites);
	free(record.entries);
	free_strings(&record.strings);
	close_elf(record.file);
	return 0;
}
