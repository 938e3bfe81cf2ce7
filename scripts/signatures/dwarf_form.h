/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How DWARF stores DIEs: units, abbreviations, and the forms of values.
 *
 * Cursors of elf.h read the bytes. dwarf.h builds units and DIEs from these parts.
 * Other files include dwarf.h.
 */
#ifndef SIGNATURES_DWARF_FORM_H
#define SIGNATURES_DWARF_FORM_H

#include "cursor.h"

struct attribute_spec {
	unsigned int name;
	unsigned int form;
	int64_t implicit;
};

struct abbreviation {
	uint64_t code;
	unsigned int tag;
	bool children;
	size_t first, nr;	/* its attribute specs */
};

/* A table of abbreviations, which units share */
struct abbreviations {
	size_t offset;
	struct abbreviation *all;
	size_t nr;
	struct attribute_spec *specs;
	size_t nr_specs;
};

struct unit {
	struct dwarf *dwarf;
	size_t offset, end;		/* in .debug_info */
	size_t first_die;
	unsigned int version;
	unsigned int offset_size;	/* 8 in 64-bit DWARF */
	unsigned int address_size;
	uint64_t signature;		/* of a type unit */
	size_t type_offset;		/* in a type unit, the offset of the DIE of its type */
	const struct abbreviations *abbreviations;

	/* Set by attributes of the unit's DIE */
	unsigned int language;
	bool llvm;			/* the compiler was clang */
	uint64_t str_offsets_base, addr_base, rnglists_base, loclists_base;
	struct address base;
};

/* The debug information of a file */
struct dwarf {
	struct file *file;
	struct section *info;
	struct unit *units;
	size_t nr_units;
	void *abbreviations;		/* a tree of tables, for find_by_offset() */
	void *layouts;			/* a tree of the layouts of types, for layout.h */
};

enum value_class {
	VALUE_UINT, VALUE_SINT, VALUE_ADDRESS, VALUE_ADDRESS_INDEX, VALUE_BLOCK, VALUE_STRING,
	VALUE_REFERENCE, VALUE_SIGNATURE, VALUE_SECTION_OFFSET, VALUE_LIST_INDEX,
	/* Within dwarf_form.c only */
	VALUE_UNIT_REFERENCE, VALUE_STRP, VALUE_LINE_STRP, VALUE_STRX,
};

struct value {
	enum value_class class;
	uint64_t number;	/* a number, the length of a block, the offset of a DIE,
				 * or the lower half of 16 bytes
				 */
	size_t pos;		/* the offset of a block or an address in .debug_info */
	const char *string;
};

const struct abbreviations *get_abbreviations(struct dwarf *dwarf, const struct cursor *from,
					      uint64_t offset);
void free_abbreviations(struct dwarf *dwarf);
const struct abbreviation *find_abbreviation(const struct unit *unit, struct cursor *at);

struct value read_value(const struct unit *unit, struct cursor *cursor,
			const struct attribute_spec *spec);
struct section *need_section(const struct dwarf *dwarf, const char *name,
			     const struct cursor *from);
struct cursor open_indexed(const struct unit *unit, const struct cursor *from,
			   const char *section, uint64_t base, uint64_t index,
			   unsigned int size);
struct address indexed_address(const struct unit *unit, uint64_t index);

#endif /* SIGNATURES_DWARF_FORM_H */
