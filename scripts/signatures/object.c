// SPDX-License-Identifier: GPL-2.0
/*
 * Collects the signatures of the functions of an object, and writes or prints them.
 *
 * Compilers, objtool and recordmcount list the call sites of an object in one of its
 * sections. A site belongs to the function whose code contains it. In two cases, DWARF
 * does not show that code, and the symbol leads to the function:
 *
 *  - GCC puts the instructions of -fpatchable-function-entry into the symbol, but not
 *    into the code that DWARF describes. The end of the symbol leads to the function.
 *  - GCC merges functions with the same code, and DWARF has no address of the copy. The
 *    name of the symbol leads to the function.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "encode.h"
#include "members.h"
#include "object.h"
#include "object_write.h"
#include "ranges.h"
#include "relocate.h"
#include "type.h"
#include "util.h"
#include "../lines/raw.h"

struct function {
	struct address start;
	size_t die;
};

struct named {
	const char *name;
	size_t die;
};

/* An object, or a linked file, whose signatures are collected */
struct object {
	struct file *file;
	struct dwarf *dwarf;
	struct spans functions;		/* the code of functions, with the offsets of their DIEs */
	size_t die;			/* the offset of the function whose code is being added */
	struct named *named;		/* the functions without code, by name */
	size_t nr_named, named_room;
	struct site *sites;
	size_t nr_sites, sites_room;
	const struct site *site;	/* the site whose entries are being added */
	struct reach *reach;		/* of members; NULL: they are not wanted */
	struct signatures signatures;
};

static void add_site(struct object *object, size_t symbol, int64_t addend)
{
	const struct symbol *sym;

	if (symbol >= object->file->nr_symbols)
		die("%s: a call site is at symbol %zu of %zu", object->file->name,
		    symbol, object->file->nr_symbols);
	sym = &object->file->symbols[symbol];
	grow(object->sites, object->nr_sites, object->sites_room);
	object->sites[object->nr_sites++] = (struct site){
		symbol, addend, { sym->section, sym->offset + addend }
	};
}

static bool lists_sites(const struct section *section)
{
	return !strcmp(section->name, "__mcount_loc") ||
	       !strcmp(section->name, "__patchable_function_entries");
}

static void read_sites(struct object *object)
{
	struct file *file = object->file;

	for (size_t i = 1; i < file->nr_sections; i++) {
		struct section *section = &file->sections[i];

		if (!lists_sites(section))
			continue;
		load_section(section);
		for (size_t j = 0; j < section->nr_relocations; j++) {
			const struct relocation *reloc = &section->relocations[j];

			if (reloc->symbol)
				add_site(object, reloc->symbol, reloc->addend);
		}
	}
}

static bool is_fentry(const struct file *file, size_t symbol)
{
	const char *name = symbol < file->nr_symbols ? file->symbols[symbol].name : NULL;

	return name && !strcmp(name, "__fentry__");
}

static void read_calls_in_section(struct object *object, const struct section *section)
{
	size_t symbol = find_section_symbol(object->file, section->index);
	unsigned int opcode = object->file->machine->call_opcode;
	struct relocation reloc;

	if (!symbol || !opcode)
		return;
	for (size_t i = 0; read_relocation(section->relocated_by, i, &reloc); i++) {
		if (is_fentry(object->file, reloc.symbol) && reloc.offset >= opcode)
			add_site(object, symbol, reloc.offset - opcode);
	}
}

/*
 * Reads the calls of __fentry__, because objtool may list them as sites only when the
 * kernel is linked. The symbol of a site is the symbol of its section, because the
 * symbol of a weak function would lead to the strong function that overrides it.
 */
static void read_calls(struct object *object)
{
	for (size_t i = 1; i < object->file->nr_sections; i++) {
		const struct section *section = &object->file->sections[i];

		if (section->header.sh_flags & SHF_EXECINSTR && section->relocated_by)
			read_calls_in_section(object, section);
	}
}

static void take_functions_as_sites(struct object *object)
{
	const struct file *file = object->file;

	for (size_t i = 1; i < file->nr_symbols; i++) {
		const struct symbol *symbol = &file->symbols[i];

		if (symbol->type == STT_FUNC && symbol->section)
			add_site(object, i, 0);
	}
}

static void add_function(void *data, struct address start, uint64_t length)
{
	struct object *object = data;

	if (start.section && length)
		add_span(&object->functions, start, length, object->die);
}

static int compare_names(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name) ?: compare_uints(x->die, y->die);
}

static void add_named(struct object *object, const struct die *die)
{
	const char *name = die_name(die);

	if (!name)
		return;
	grow(object->named, object->nr_named, object->named_room);
	object->named[object->nr_named++] = (struct named){ name, die->offset };
}

/*
 * Adds all address ranges of each function. The range that contains the site begins at
 * the entry.
 */
static void read_functions_of_unit(struct object *object, const struct unit *unit)
{
	struct die top, child;

	/* Functions in assembly have no types. */
	if (unit->language == DW_LANG_Mips_Assembler || unit->type_offset ||
	    !read_unit_die(unit, &top))
		return;
	for_each_child(&child, &top) {
		size_t before = object->functions.nr;

		if (child.tag != DW_TAG_subprogram ||
		    find_attribute(&child, DW_AT_declaration))
			continue;
		object->die = child.offset;
		visit_ranges(&child, add_function, object);
		if (before == object->functions.nr)
			add_named(object, &child);
	}
}

static void read_functions(struct object *object)
{
	for (size_t i = 0; i < object->dwarf->nr_units; i++)
		read_functions_of_unit(object, &object->dwarf->units[i]);
	sort_spans(&object->functions);
	if (object->nr_named)
		qsort(object->named, object->nr_named, sizeof(*object->named),
		      compare_names);
}

static bool find_by_code(const struct object *object, struct address address,
			 struct function *function)
{
	size_t left = count_spans_to(&object->functions, address);
	const struct span *span = next_span(&object->functions, address, &left);

	if (span)
		*function = (struct function){ span->start, span->index };
	return span;
}

/* Return: the first function symbol whose code contains an address, or NULL. */
static const struct symbol *find_symbol(const struct file *file, struct address address)
{
	size_t symbol = lowest_span_at(&file->functions, address);

	return symbol ? &file->symbols[symbol] : NULL;
}

static bool find_by_symbol(const struct object *object, const struct symbol *symbol,
			   struct function *function)
{
	struct address last;

	if (!symbol)
		return false;
	last = (struct address){ symbol->section, symbol->offset + symbol->size - 1 };
	return find_by_code(object, last, function) &&
	       function->start.offset >= symbol->offset;
}

/* Compares names as strcmp() does, but ignores the suffix of a clone, as in "f.isra.0". */
static int compare_base_name(const char *symbol, const char *name)
{
	size_t length = strcspn(symbol, ".");

	return strncmp(symbol, name, length) ?: -!!name[length];
}

static bool name_is_below(const void *named, const void *symbol)
{
	return compare_base_name(symbol, ((const struct named *)named)->name) > 0;
}

static bool find_by_name(const struct object *object, const struct symbol *symbol,
			 struct function *function)
{
	size_t i;

	if (!symbol)
		return false;
	i = count_below(symbol->name, object->named, object->nr_named,
			sizeof(*object->named), name_is_below);
	if (i == object->nr_named || compare_base_name(symbol->name, object->named[i].name))
		return false;
	function->start = (struct address){ symbol->section, symbol->offset };
	function->die = object->named[i].die;
	return true;
}

/* Finds the kind of a clone by GCC's suffixes. "f.constprop.0.isra.0" has two suffixes. */
static enum clone clone_by_name(const char *name)
{
	if (strstr(name, ".isra.") || strstr(name, ".part."))
		return CLONE_ANYTHING;
	return strstr(name, ".constprop.") ? CLONE_PARAMETERS : CLONE_NONE;
}

static enum clone find_clone(const struct file *file, struct address site)
{
	size_t left = count_spans_to(&file->functions, site);
	enum clone clone = CLONE_NONE;
	const struct span *span;

	while ((span = next_span(&file->functions, site, &left))) {
		enum clone found = clone_by_name(file->symbols[span->index].name);

		clone = found > clone ? found : clone;
	}
	return clone;
}

static bool find_function(const struct object *object, struct address site,
			  struct function *function)
{
	const struct symbol *symbol;

	if (find_by_code(object, site, function))
		return true;
	symbol = find_symbol(object->file, site);
	return find_by_symbol(object, symbol, function) ||
	       find_by_name(object, symbol, function);
}

static void add_entry(struct object *object, const struct text *text)
{
	struct signatures *signatures = &object->signatures;

	if (text->too_long)
		die("%s: a signature is too long: %.60s...", object->file->name,
		    text->bytes);
	grow(signatures->entries, signatures->nr, signatures->room);
	signatures->entries[signatures->nr++] = (struct entry){
		object->site, add_string(&signatures->strings, text)
	};
}

static void add_enum(void *data, const struct die *type)
{
	struct text text = begin_text();

	encode_enumerators(&text, type);
	add_entry(data, &text);
	free(text.bytes);
}

static void add_reached(struct object *object, const struct signature *signature)
{
	if (!object->reach)
		return;
	reach_from(object->reach, &signature->typed);
	for (size_t i = 0; i < signature->nr_params; i++)
		reach_from(object->reach, &signature->params[i].die);
}

static void add_signature(struct object *object, const struct site *site)
{
	struct signature signature;
	struct function function;
	struct text text;
	struct die die;

	if (!find_function(object, site->address, &function))
		return;
	read_die_at(object->dwarf, function.die, &die);
	signature = read_signature(&die, function.start,
				   find_clone(object->file, site->address));
	text = begin_text();
	encode_signature(&text, &signature);
	object->site = site;
	add_entry(object, &text);
	free(text.bytes);
	visit_enums_by_value(&signature, add_enum, object);
	add_reached(object, &signature);
	free_signature(&signature);
}

static void collect_signatures(struct object *object)
{
	if (object->nr_sites)
		object->dwarf = open_dwarf(object->file);
	if (!object->dwarf)
		return;
	read_functions(object);
	for (size_t i = 0; i < object->nr_sites; i++)
		add_signature(object, &object->sites[i]);
	if (object->reach)
		describe_members(&object->signatures.members, object->dwarf, object->reach);
}

static void close_object(struct object *object)
{
	free_layouts(object->dwarf);
	close_dwarf(object->dwarf);
	free(object->functions.all);
	free(object->named);
	free(object->sites);
	free(object->signatures.entries);
	free_strings(&object->signatures.strings);
	free_strings(&object->signatures.members);
	close_elf(object->file);
}

static struct object open_object(const char *name)
{
	struct file *file = open_elf(name);

	return (struct object){ .file = file, .signatures.file = file };
}

/**
 * record_signatures - add signatures to an object
 * @name:	the object
 * @sites:	the functions that get a signature
 * @parts:	what else to add: bits of enum part
 *
 * Dies if the object cannot be read. The object is unchanged then.
 * Return: 0.
 */
int record_signatures(const char *name, enum sites sites, unsigned int parts)
{
	struct object object = open_object(name);
	struct debug_section *section = NULL;
	struct reach reach = { 0 };

	if (!object.file->relocatable || !object.file->symtab)
		die("%s: not a relocatable object with symbols", name);
	if (find_section(object.file, FGRAPH_SITES_SECTION))
		die("%s: has signatures already", name);
	if (sites == ALL_FUNCTIONS)
		take_functions_as_sites(&object);
	else
		read_sites(&object);
	if (!object.nr_sites && sites == CALLING_SITES)
		read_calls(&object);
	if (parts & PART_MEMBERS)
		object.reach = &reach;
	collect_signatures(&object);
	if (parts & PART_LINES)
		section = make_lines_section(object.file);
	object.signatures.debug = section;
	if (object.signatures.nr || section)
		write_signatures(&object.signatures);
	free_lines_section(section);
	free_reach(&reach);
	close_object(&object);
	return 0;
}

/**
 * list_signatures - print the signatures of all functions
 * @name:	an object, or a linked file
 *
 * Prints a line for each string, with the function and the string. Dies if the file
 * cannot be read.
 * Return: 0.
 */
int list_signatures(const char *name)
{
	struct object object = open_object(name);

	take_functions_as_sites(&object);
	collect_signatures(&object);
	for (size_t i = 0; i < object.signatures.nr; i++) {
		const struct entry *entry = &object.signatures.entries[i];

		printf("%s ", function_name(object.file, entry->site->address) ?: "");
		print_string(object.signatures.strings.bytes + entry->string);
	}
	close_object(&object);
	return 0;
}

/**
 * list_members - print the members of structs that all functions lead to
 * @name:	an object, or a linked file
 *
 * Prints a line for each string, without its mark. Dies if the file cannot be read.
 * Return: 0.
 */
int list_members(const char *name)
{
	struct object object = open_object(name);
	struct reach reach = { 0 };
	const struct strings *members = &object.signatures.members;

	object.reach = &reach;
	take_functions_as_sites(&object);
	collect_signatures(&object);
	for (size_t at = 0; at < members->length; at += strlen(members->bytes + at) + 1)
		print_string(members->bytes + at + 1);
	free_reach(&reach);
	close_object(&object);
	return 0;
}
