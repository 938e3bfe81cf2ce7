/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information: units, DIEs, and the references between DIEs.
 *
 * dwarf_form.h reads the values of attributes. ranges.h reads the lists of ranges and
 * of locations that they refer to.
 */
#ifndef SIGNATURES_DWARF_H
#define SIGNATURES_DWARF_H

#include "dwarf_constants.h"
#include "dwarf_form.h"

/* A longer chain of references from DIE to DIE is a loop. */
#define MAX_REFERENCES	64

/* The number of attributes that the reader uses */
#define DIE_ATTRIBUTES	35

struct die {
	const struct unit *unit;
	size_t offset;
	unsigned int tag;	/* 0: the end of a list of children */
	bool has_children;
	size_t next;		/* the offset after its attributes */
	uint64_t present;	/* a bit for each of attributes[] */
	struct value attributes[DIE_ATTRIBUTES];
};

#define for_each_child(child, parent)						\
	for (bool more_ = first_child(parent, child); more_; more_ = next_sibling(child))

struct dwarf *open_dwarf(struct file *file);
void close_dwarf(struct dwarf *dwarf);

bool read_unit_die(const struct unit *unit, struct die *die);
void read_die_at(struct dwarf *dwarf, size_t offset, struct die *die);
bool first_child(const struct die *parent, struct die *child);
bool next_sibling(struct die *die);
bool read_referenced_die(const struct die *die, unsigned int name, struct die *to);
bool read_inherited(const struct die *die, unsigned int name, struct die *holder);

const struct value *find_attribute(const struct die *die, unsigned int name);
bool find_uint(const struct die *die, unsigned int name, uint64_t *number);
bool find_address(const struct die *die, unsigned int name, struct address *address);
bool find_block(const struct die *die, unsigned int name, struct cursor *block);
const char *find_string(const struct die *die, unsigned int name);
const char *die_name(const struct die *die);

#endif /* SIGNATURES_DWARF_H */
