// SPDX-License-Identifier: GPL-2.0
/*
 * Collects the signatures of the functions of a file.
 *
 * Which functions the tracer can hook, the list of call sites tells that is in an
 * object already. A site belongs to the function whose code it is in. GCC counts the
 * instructions of -fpatchable-function-entry as part of the symbol, not of the code
 * in DWARF: there the end of the symbol leads to the function. For one of several
 * functions with the same code, GCC makes a copy of which DWARF does not tell where
 * it is: there the name of the symbol does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

struct function {
	struct address start;
	size_t die;
};

struct named {
	const char *name;
	size_t die;
};

static void add_site(struct record *record, size_t symbol, int64_t addend)
{
	const struct symbol *sym;

	if (symbol >= record->file->nr_symbols)
		die("%s: a call site is at symbol %zu of %zu", record->file->name,
		    symbol, record->file->nr_symbols);
	sym = &record->file->symbols[symbol];
	grow(record->sites, record->nr_sites, record->sites_room);
	record->sites[record->nr_sites++] = (struct site){
		symbol, addend, { sym->section, sym->offset + addend }
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

/* The symbol of a section, or 0. DWARF refers by it to the code of a function. */
static size_t find_section_symbol(const struct file *file, size_t section)
{
	for (size_t i = 1; i < file->nr_symbols; i++) {
		if (file->symbols[i].type == STT_SECTION &&
		    file->symbols[i].section == section)
			return i;
	}
	return 0;
}

static bool is_fentry(const struct file *file, size_t symbol)
{
	const char *name = symbol < file->nr_symbols ? file->symbols[symbol].name : NULL;

	return name && !strcmp(name, "__fentry__");
}

static void read_calls_in_section(struct record *record, const struct section *section)
{
	size_t symbol = find_section_symbol(record->file, section->index);
	unsigned int opcode = record->file->machine->call_opcode;
	struct relocation reloc;

	if (!symbol || !opcode)
		return;
	for (size_t i = 0; read_relocation(section->relocated_by, i, &reloc); i++) {
		if (is_fentry(record->file, reloc.symbol) && reloc.offset >= opcode)
			add_site(record, symbol, reloc.offset - opcode);
	}
}

/*
 * Where objtool lists the sites, it may do so when the kernel is linked: there, each
 * call of __fentry__ is one. By the symbol of a function, a weak one would become the
 * strong one that overrides it.
 */
static void read_calls(struct record *record)
{
	for (size_t i = 1; i < record->file->nr_sections; i++) {
		const struct section *section = &record->file->sections[i];

		if (section->header.sh_flags & SHF_EXECINSTR && section->relocated_by)
			read_calls_in_section(record, section);
	}
}

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

	if (start.section && length)
		add_span(&record->functions, start, length, record->die);
}

static int compare_names(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name) ?: (x->die < y->die ? -1 : x->die > y->die);
}

static void add_named(struct record *record, const struct die *die)
{
	const char *name = die_name(die);

	if (!name)
		return;
	grow(record->named, record->nr_named, record->named_room);
	record->named[record->nr_named++] = (struct named){ name, die->offset };
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
		size_t before = record->functions.nr;

		if (child.tag != DW_TAG_subprogram ||
		    find_attribute(&child, DW_AT_declaration))
			continue;
		record->die = child.offset;
		visit_ranges(&child, add_function, record);
		if (before == record->functions.nr)
			add_named(record, &child);
	}
}

static void read_functions(struct record *record)
{
	for (size_t i = 0; i < record->dwarf->nr_units; i++)
		read_functions_of_unit(record, &record->dwarf->units[i]);
	sort_spans(&record->functions);
	if (record->nr_named)
		qsort(record->named, record->nr_named, sizeof(*record->named),
		      compare_names);
}

static bool find_by_code(const struct record *record, struct address address,
			 struct function *function)
{
	struct span_walk walk = start_spans(&record->functions, address);
	const struct span *span = next_span(&walk);

	if (span)
		*function = (struct function){ span->start, span->index };
	return span;
}

/* Of those that the address is in, the first of the file */
static const struct symbol *find_symbol(const struct file *file, struct address address)
{
	struct span_walk walk = start_spans(&file->functions, address);
	const struct span *span;
	size_t best = 0;

	while ((span = next_span(&walk))) {
		if (!best || span->index < best)
			best = span->index;
	}
	return best ? &file->symbols[best] : NULL;
}

static bool find_by_symbol(const struct record *record, const struct symbol *symbol,
			   struct function *function)
{
	struct address last;

	if (!symbol)
		return false;
	last = (struct address){ symbol->section, symbol->offset + symbol->size - 1 };
	return find_by_code(record, last, function) &&
	       function->start.offset >= symbol->offset;
}

/* A clone, such as "f.isra.0", is called "f" here. */
static int compare_base_name(const char *symbol, const char *name)
{
	size_t length = strcspn(symbol, ".");

	return strncmp(symbol, name, length) ?: -!!name[length];
}

static bool name_is_below(const void *named, const void *symbol)
{
	return compare_base_name(symbol, ((const struct named *)named)->name) > 0;
}

static bool find_by_name(const struct record *record, const struct symbol *symbol,
			 struct function *function)
{
	size_t i;

	if (!symbol)
		return false;
	i = count_below(symbol->name, record->named, record->nr_named,
			sizeof(*record->named), name_is_below);
	if (i == record->nr_named || compare_base_name(symbol->name, record->named[i].name))
		return false;
	function->start = (struct address){ symbol->section, symbol->offset };
	function->die = record->named[i].die;
	return true;
}

/* By the suffixes that GCC gives; "f.constprop.0.isra.0" has two. */
static enum clone clone_by_name(const char *name)
{
	if (strstr(name, ".isra.") || strstr(name, ".part."))
		return CLONE_ANYTHING;
	return strstr(name, ".constprop.") ? CLONE_PARAMETERS : CLONE_NONE;
}

static enum clone find_clone(const struct file *file, struct address site)
{
	struct span_walk walk = start_spans(&file->functions, site);
	enum clone clone = CLONE_NONE;
	const struct span *span;

	while ((span = next_span(&walk))) {
		enum clone found = clone_by_name(file->symbols[span->index].name);

		clone = found > clone ? found : clone;
	}
	return clone;
}

static bool find_function(const struct record *record, struct address site,
			  struct function *function)
{
	const struct symbol *symbol;

	if (find_by_code(record, site, function))
		return true;
	symbol = find_symbol(record->file, site);
	return find_by_symbol(record, symbol, function) ||
	       find_by_name(record, symbol, function);
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
	grow_by(strings->bytes, strings->length, strings->room, size);
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
	if (text->too_long)
		die("%s: a signature is too long: %.60s...", record->file->name,
		    text->bytes);
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
	struct function function;
	struct text text;
	struct die die;

	if (!find_function(record, site->address, &function))
		return;
	text = begin_text();
	read_die_at(record->dwarf, function.die, &die);
	encode_signature(&text, &die, function.start,
			 find_clone(record->file, site->address));
	record->site = site;
	add_entry(record, &text);
	free(text.bytes);
	visit_enums_by_value(&die, add_enum, record);
}

/* Of those functions that are sites */
static void collect_signatures(struct record *record)
{
	if (record->nr_sites)
		record->dwarf = open_dwarf(record->file);
	if (!record->dwarf)
		return;
	read_functions(record);
	for (size_t i = 0; i < record->nr_sites; i++)
		add_signature(record, &record->sites[i]);
}

static void free_record(struct record *record)
{
	close_dwarf(record->dwarf);
	free(record->functions.all);
	free(record->named);
	free(record->sites);
	free(record->entries);
	free_strings(&record->strings);
	close_elf(record->file);
}

/**
 * record_signatures - add the signatures of its functions to an object
 * @name:	the object
 * @sites:	which functions have one
 *
 * Return: 0; dies, and the object is as it was, if it cannot be read.
 */
int record_signatures(const char *name, enum sites sites)
{
	struct record record = { .file = open_elf(name) };

	if (!record.file->relocatable || !record.file->symtab)
		die("%s: not an object to link", name);
	if (find_section(record.file, FGRAPH_SITES_SECTION))
		die("%s: has signatures already", name);
	if (sites == ALL_FUNCTIONS)
		take_functions_as_sites(&record);
	else
		read_sites(&record);
	if (!record.nr_sites && sites == CALLING_SITES)
		read_calls(&record);
	collect_signatures(&record);
	if (record.nr_entries)
		write_signatures(&record);
	free_record(&record);
	return 0;
}

/**
 * list_signatures - print the signatures of all functions
 * @name:	an object, or a linked file
 *
 * Prints a line for each string: the function, the string.
 * Return: 0; dies if the file cannot be read.
 */
int list_signatures(const char *name)
{
	struct record record = { .file = open_elf(name) };

	take_functions_as_sites(&record);
	collect_signatures(&record);
	for (size_t i = 0; i < record.nr_entries; i++) {
		printf("%s ", function_name(record.file,
					    record.entries[i].site->address) ?: "");
		print_string(record.strings.bytes + record.entries[i].string);
	}
	free_record(&record);
	return 0;
}
