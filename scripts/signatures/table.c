// SPDX-License-Identifier: GPL-2.0
/*
 * Prints, sorts and copies the table of signatures of a linked kernel.
 *
 * The linker leaves the entries in the order of the objects. sort_signatures() sorts
 * them by address, as scripts/sorttable.c sorts other tables.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relocate.h"
#include "table.h"
#include "text.h"
#include "util.h"

struct table_entry {
	uint64_t site, string;	/* addresses */
	size_t index;		/* the entries of a site keep their order */
};

struct table {
	struct file *file;
	struct section *sites, *strings;
	struct table_entry *entries;
	size_t nr;
};

static uint64_t read_relative(struct cursor *cursor)
{
	uint64_t base = cursor->section->header.sh_addr + cursor->pos;
	uint64_t address = base + (int32_t)read_uint(cursor, 4);

	return cursor->section->file->word == 4 ? (uint32_t)address : address;
}

/* Dies if an object of an older build has another format. */
static void check_version(const struct table *table)
{
	struct section *section = find_section(table->file, FGRAPH_VERSION_SECTION);
	struct cursor cursor;

	if (!section)
		die("%s: its signatures have no version", table->file->name);
	cursor = open_cursor(section, 0);
	do {
		size_t pos = cursor.pos;

		if (read_uint(&cursor, 4) != fgraph_sig_version())
			die_at(section, pos, "signatures of another format");
	} while (cursor.pos < cursor.end);
}

/* Dies if a string is not in its section. The kernel does not check its own table. */
static void check_string(const struct table *table, const struct table_entry *entry)
{
	uint64_t offset = entry->string - table->strings->header.sh_addr;
	struct cursor cursor = open_cursor(table->strings, offset);

	read_string(&cursor);
}

static struct table open_table(const char *name)
{
	struct table table = { .file = open_elf(name) };
	struct cursor cursor;

	if (table.file->relocatable)
		die("%s: is not linked", name);
	table.sites = find_section(table.file, FGRAPH_SITES_SECTION);
	table.strings = find_section(table.file, FGRAPH_STRINGS_SECTION);
	if (!table.sites || !table.strings)
		die("%s: has no signatures", name);
	check_version(&table);
	cursor = open_cursor(table.sites, 0);
	table.nr = table.sites->size / 8;
	table.entries = xcalloc(table.nr, sizeof(*table.entries));
	for (size_t i = 0; i < table.nr; i++) {
		table.entries[i].site = read_relative(&cursor);
		table.entries[i].string = read_relative(&cursor);
		table.entries[i].index = i;
		check_string(&table, &table.entries[i]);
	}
	return table;
}

static void close_table(struct table *table)
{
	free(table->entries);
	close_elf(table->file);
}

static int compare_entries(const void *a, const void *b)
{
	const struct table_entry *x = a, *y = b;

	return compare_uints(x->site, y->site) ?: compare_uints(x->index, y->index);
}

/* Sorts the table of a linked kernel. Dies if there is no table. Return: 0. */
int sort_signatures(const char *name)
{
	struct table table = open_table(name);
	uint64_t base = table.sites->header.sh_addr;
	unsigned char *bytes = table.sites->data;

	qsort(table.entries, table.nr, sizeof(*table.entries), compare_entries);
	for (size_t i = 0; i < table.nr; i++) {
		const struct table_entry *entry = &table.entries[i];
		size_t at = 8 * i;

		put_u32(table.file, bytes + at, entry->site - (base + at));
		put_u32(table.file, bytes + at + 4, entry->string - (base + at + 4));
	}
	write_bytes(name, O_WRONLY, table.sites->header.sh_offset, bytes, 8 * table.nr);
	close_table(&table);
	return 0;
}

/*
 * Prints the table of a linked kernel. The line of an entry contains the address of the
 * call site, the function and the string. Dies if there is no table.
 * Return: 0.
 */
int dump_signatures(const char *name)
{
	struct table table = open_table(name);

	for (size_t i = 0; i < table.nr; i++) {
		uint64_t offset = table.entries[i].string - table.strings->header.sh_addr;
		struct cursor cursor = open_cursor(table.strings, offset);
		uint64_t site = table.entries[i].site;

		printf("%llx %s ", (unsigned long long)site,
		       function_name(table.file, relocated_address(table.sites, 0, site)) ?: "?");
		print_string(read_string(&cursor));
	}
	close_table(&table);
	return 0;
}

static uint64_t find_symbol_address(const struct file *file, const char *name)
{
	for (size_t i = 1; i < file->nr_symbols; i++) {
		if (file->symbols[i].name && !strcmp(file->symbols[i].name, name))
			return file->symbols[i].value;
	}
	die("%s: has no symbol %s", file->name, name);
}

/* Copies the build ID, the descriptor of the note NT_GNU_BUILD_ID with owner "GNU". */
static void copy_build_id(struct file *file, unsigned char *id)
{
	for (size_t i = 1; i < file->nr_sections; i++) {
		struct section *section = &file->sections[i];
		GElf_Nhdr note;
		size_t name, desc, at = 0;
		Elf_Data *data;

		if (section->header.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(elf_getscn(file->elf, i), NULL);
		while (data && (at = gelf_getnote(data, at, &note, &name, &desc))) {
			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			    note.n_descsz == FGRAPH_BUILD_ID_SIZE &&
			    !memcmp((char *)data->d_buf + name, "GNU", 4)) {
				memcpy(id, (char *)data->d_buf + desc, note.n_descsz);
				return;
			}
		}
	}
	die("%s: has no build ID", file->name);
}

/**
 * copy_signatures - copy the sorted table of a linked kernel to a file
 * @name:	vmlinux
 * @copy:	the file to write, in the format of struct fgraph_sig_blob
 *
 * Dies if there is no table.
 * Return: 0.
 */
int copy_signatures(const char *name, const char *copy)
{
	struct table table = open_table(name);
	uint64_t text = find_symbol_address(table.file, "_stext");
	uint64_t strings = table.strings->header.sh_addr;
	size_t header = FGRAPH_BLOB_HEADER, size;
	unsigned char *blob;

	load_section(table.strings);
	size = header + 8 * table.nr + table.strings->size;
	blob = xcalloc(size, 1);
	put_u32(table.file, blob, fgraph_sig_version());
	put_u32(table.file, blob + 4, table.nr);
	put_u32(table.file, blob + 8, size);
	copy_build_id(table.file, blob + 12);
	for (size_t i = 0; i < table.nr; i++) {
		const struct table_entry *entry = &table.entries[i];
		size_t at = header + 8 * i;

		put_u32(table.file, blob + at, entry->site - (text + at));
		put_u32(table.file, blob + at + 4, header + 8 * table.nr +
			   (entry->string - strings) - (at + 4));
	}
	memcpy(blob + header + 8 * table.nr, table.strings->data, table.strings->size);
	write_bytes(copy, O_WRONLY | O_CREAT | O_TRUNC, 0, blob, size);
	free(blob);
	close_table(&table);
	return 0;
}
