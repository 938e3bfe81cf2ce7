// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code.h"
#include "options.h"
#include "record.h"
#include "symbol.h"
#include "tracefs.h"
#include "util.h"

#define BUCKETS		4096

/* The longest name of a module or a section in a file is shorter. */
#define MAX_NAME	128

/**
 * struct fact - what a file says
 * @next:	another one
 * @name:	an address as in a trace, or a module
 * @code:	where the address is
 * @build_id:	the build ID of the module
 */
struct fact {
	struct fact	*next;
	char		*name;
	struct code	code;
	char		*build_id;
};

static struct fact *facts[BUCKETS];

static struct fact *find_fact(const char *name)
{
	struct fact *fact = facts[hash_text(name) % BUCKETS];

	while (fact && strcmp(fact->name, name))
		fact = fact->next;
	return fact;
}

static struct fact *add_fact(const char *name)
{
	struct fact **bucket = &facts[hash_text(name) % BUCKETS], *fact = allocate(sizeof(*fact));

	fact->name = copy_text(name);
	fact->next = *bucket;
	*bucket = fact;
	return fact;
}

void free_code(struct code *code)
{
	free(code->module);
	free(code->section);
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

bool find_code_at(const char *module, uint64_t address, struct code *code)
{
	const struct spot text = { .name = (char *)"_text" };
	uint64_t base;

	code->section = NULL;
	if (module)
		code->section = find_section(module, address, &base);
	else if (find_address(&text, &base) && address >= base)
		code->section = copy_text("");
	if (!code->section)
		return false;
	code->module = copy_text(module ?: KERNEL_MODULE);
	code->offset = address - base;
	return true;
}

/* The name of a spot in a file */
static char *name_spot(const struct spot *spot)
{
	return print_text("%s+0x%llx/0x%llx%s%s", spot->name, (unsigned long long)spot->offset,
			  (unsigned long long)spot->size, spot->module ? " " : "",
			  spot->module ?: "");
}

static bool find_in_file(const struct spot *spot, struct code *code)
{
	char *name = name_spot(spot);
	const struct fact *fact = find_fact(name);

	free(name);
	if (!fact || !fact->code.module)
		return false;
	code->module = copy_text(fact->code.module);
	code->section = copy_text(fact->code.section);
	code->offset = fact->code.offset;
	return true;
}

bool find_code(const struct spot *spot, struct code *code)
{
	uint64_t address;

	if (options.input)
		return find_in_file(spot, code);
	return find_address(spot, &address) && find_code_at(spot->module, address, code);
}

static char *print_hex(const unsigned char *bytes, size_t size)
{
	char *text = allocate(2 * size + 1);
	size_t i;

	for (i = 0; i < size; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text;
}

/* The head of a note in an ELF file */
struct note {
	uint32_t name_size;
	uint32_t size;
	uint32_t type;
};

/* Read the build ID from a file of notes. */
static char *read_build_id(const char *file)
{
	unsigned char notes[4096];
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, notes, sizeof(notes));
	size_t at = 0;

	if (fd >= 0)
		close(fd);
	while (length >= 0 && at + sizeof(struct note) <= (size_t)length) {
		struct note note;
		size_t content;

		memcpy(&note, notes + at, sizeof(note));
		content = at + sizeof(note) + ((note.name_size + 3ULL) & ~3ULL);
		if (content > (size_t)length || note.size > (size_t)length - content)
			return NULL;
		if (note.type == NT_GNU_BUILD_ID && note.name_size == 4 &&
		    !memcmp(notes + at + sizeof(note), "GNU", 4))
			return print_hex(notes + content, note.size);
		at = content + ((note.size + 3ULL) & ~3ULL);
	}
	return NULL;
}

char *copy_build_id(const char *module)
{
	const struct fact *fact;
	char *notes, *id;

	if (options.input) {
		fact = find_fact(module);
		return fact && fact->build_id ? copy_text(fact->build_id) : NULL;
	}
	notes = strcmp(module, KERNEL_MODULE) ?
		print_text("/sys/module/%s/notes/.note.gnu.build-id", module) :
		copy_text("/sys/kernel/notes");
	id = read_build_id(notes);
	free(notes);
	return id;
}

static void print_build_id(FILE *out, const char *module)
{
	char *id;

	if (find_fact(module))
		return;
	add_fact(module);
	id = copy_build_id(module);
	if (id)
		fprintf(out, TRACE_BUILD_ID "%s %s\n", module, id);
	free(id);
}

void print_code(FILE *out, const char *text)
{
	char *copy = copy_text(text), *name;
	struct spot spot;
	struct code code;

	if (parse_spot(copy, &spot)) {
		name = name_spot(&spot);
		if (!find_fact(name)) {
			add_fact(name);
			if (find_code(&spot, &code)) {
				print_build_id(out, code.module);
				fprintf(out, TRACE_CODE "%s %s+0x%llx %s\n", code.module,
					code.section, (unsigned long long)code.offset, name);
				free_code(&code);
			}
		}
		free(name);
	}
	free(copy);
}

void add_build_id(const char *value)
{
	char module[MAX_NAME], id[MAX_NAME];

	if (sscanf(value, "%127s %127s", module, id) == 2 && !find_fact(module))
		add_fact(module)->build_id = copy_text(id);
}

void add_code(const char *value)
{
	char module[MAX_NAME], place[MAX_NAME], *plus;
	struct fact *fact;
	int length = 0;

	if (sscanf(value, "%127s %127s %n", module, place, &length) != 2 || !length)
		return;
	plus = strrchr(place, '+');
	if (!plus || find_fact(value + length))
		return;
	*plus++ = '\0';
	fact = add_fact(value + length);
	fact->code.module = copy_text(module);
	fact->code.section = copy_text(place);
	fact->code.offset = strtoull(plus, NULL, 0);
}
