/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types, as a signature spells them.
 *
 * The functions take the user of a type, the DIE with DW_AT_type, because a user
 * without this attribute has type void. text.h stores the letters and names. layout.h
 * computes the sizes and alignments of types.
 */
#ifndef SIGNATURES_TYPE_H
#define SIGNATURES_TYPE_H

#include "dwarf.h"
#include "text.h"

bool is_qualifier(unsigned int tag);
bool strip_type(const struct die *user, struct die *type);
bool is_flexible(const struct die *array);
uint64_t count_elements(const struct die *array);
char base_type_letter(const struct die *type);
char enum_letter(const struct die *type);
unsigned int encode_dimensions(struct text *text, const struct die *array);
void encode_typedef_target(struct text *text, const struct die *user);
void encode_type(struct text *text, const struct die *user);
void encode_enumerators(struct text *text, const struct die *type);

#endif /* SIGNATURES_TYPE_H */
