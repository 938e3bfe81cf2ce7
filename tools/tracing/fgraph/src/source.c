// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source.h"
#include "symbol.h"
#include "tracefs.h"
#include "util.h"

#define KERNEL	"vmlinux"

/* The table of the kernel or of a module, which was looked for */
struct known {
	struct known	*next;
	char		*name;
	struct table	*table;		/* NULL: there is none */
};

static struct known *tables;

/*
 * Return true if the notes in a file contain this build ID. The kernel and its modules have
 * such files.
 */
static bool has_build_id(const char *file, const unsigned char *id, size_t size)
{
	unsigned char notes[4096];
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, notes, sizeof(notes));
	size_t at = 0;

	if (fd >= 0)
		close(fd);
	while (length >= 0 && at + sizeof(Elf32_Nhdr) <= (size_t)length) {
		Elf32_Nhdr note;
		size_t content;

		memcpy(&note, notes + at, sizeof(note));
		content = at + sizeof(note) + ((note.n_namesz + 3ULL) & ~3ULL);
		if (content > (size_t)length || note.n_descsz > (size_t)length - content)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes + at + sizeof(note), "GNU", 4))
			return note.n_descsz == size && !memcmp(notes + content, id, size);
		at = content + ((note.n_descsz + 3ULL) & ~3ULL);
	}
	return false;
}

static bool is_of_this_build(const char *name, const struct table *table)
{
	char *notes = strcmp(name, KERNEL) ?
		      print_text("/sys/module/%s/notes/.note.gnu.build-id", name) :
		      copy_text("/sys/kernel/notes");
	const unsigned char *id;
	size_t size;
	bool is_same;

	id = table_build_id(table, &size);
	is_same = size && has_build_id(notes, id, size);
	free(notes);
	return is_same;
}

static struct table *open_table_of(const char *name)
{
	struct utsname system;
	struct table *table;
	const char *error;
	char *file;

	if (uname(&system))
		return NULL;
	file = print_text("/lib/modules/%s/lines/%s", system.release, name);
	if (access(file, F_OK)) {
		free(file);
		return NULL;
	}
	table = open_table(file, &error);
	if (table && !is_of_this_build(name, table)) {
		close_table(table);
		table = NULL;
		error = "a table of source lines of another build";
	}
	if (!table)
		complain("%s: %s: lines are not shown", file, error);
	free(file);
	return table;
}

static const struct table *find_table(const char *name)
{
	struct known *known;

	for (known = tables; known; known = known->next)
		if (!strcmp(known->name, name))
			return known->table;
	known = allocate(sizeof(*known));
	known->name = copy_text(name);
	known->table = open_table_of(name);
	known->next = tables;
	tables = known;
	return known->table;
}

bool has_source_lines(void)
{
	return find_table(KERNEL);
}

static bool read_number(const char *file, uint64_t *number)
{
	char *text = read_file(AT_FDCWD, file), *end = text;

	if (text)
		*number = strtoull(text, &end, 16);
	free(text);
	return text && end != text && *number;
}

/*
 * Find the section of a module that contains an address: the last one that begins before it.
 * Return its name, which the caller frees, or NULL.
 */
static char *find_section(const char *module, uint64_t address, uint64_t *base)
{
	char *directory = print_text("/sys/module/%s/sections", module), *section = NULL;
	DIR *dir = opendir(directory);
	struct dirent *entry;
	uint64_t start;

	*base = 0;
	while (dir && (entry = readdir(dir))) {
		char *file = print_text("%s/%s", directory, entry->d_name);

		if (entry->d_name[0] == '.' && entry->d_name[1] && entry->d_name[1] != '.' &&
		    read_number(file, &start) && start <= address && start >= *base) {
			*base = start;
			free(section);
			section = copy_text(entry->d_name);
		}
		free(file);
	}
	if (dir)
		closedir(dir);
	free(directory);
	return section;
}

/* The section of the kernel has no name, and begins at _text. */
static char *find_base(const char *module, uint64_t address, uint64_t *base)
{
	const struct spot text = { .name = (char *)"_text" };

	if (module)
		return find_section(module, address, base);
	return find_address(&text, base) && address >= *base ? copy_text("") : NULL;
}

struct places find_source_at(const char *module, uint64_t address)
{
	const struct table *table = find_table(module ?: KERNEL);
	struct places places = { };
	char *section;
	uint64_t base;

	section = table ? find_base(module, address, &base) : NULL;
	if (section)
		places = find_places(table, section, address - base);
	free(section);
	return places;
}

struct places find_source(const struct spot *spot, bool is_return)
{
	uint64_t address;

	if (!find_table(spot->module ?: KERNEL) || !find_address(spot, &address))
		return (struct places){ };
	return find_source_at(spot->module, address - is_return);
}

size_t list_rows_at(const char *module, uint64_t address, struct row **rows)
{
	const struct table *table = find_table(module ?: KERNEL);
	uint64_t base;
	size_t nr = 0, i;
	char *section;

	*rows = NULL;
	section = table ? find_base(module, address, &base) : NULL;
	if (section)
		nr = list_rows(table, section, address - base, rows);
	for (i = 0; i < nr; i++)
		(*rows)[i].offset += base;
	free(section);
	return nr;
}

void print_place(FILE *out, const struct place *place)
{
	if (*place->file && place->line)
		fprintf(out, " %s:%u", place->file, place->line);
}
