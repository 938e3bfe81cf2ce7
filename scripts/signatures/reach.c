// SPDX-License-Identifier: GPL-2.0
/* The structs, unions and enums that parameters and results lead to. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "reach.h"
#include "type.h"
#include "util.h"

/* An entry of the tree, for find_by_offset() */
struct seen {
	size_t offset;
};

/* Return: true for a type that has a string if it has a name. */
bool is_described(const struct die *type)
{
	return type->tag == DW_TAG_structure_type || type->tag == DW_TAG_union_type ||
	       type->tag == DW_TAG_enumeration_type;
}

/* Finds the key of the type of @user. Return: false if the type has no name. */
bool find_key(const struct die *user, struct die *key)
{
	*key = *user;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!read_referenced_die(key, DW_AT_type, key))
			return false;
		if (!is_qualifier(key->tag))
			return key->tag == DW_TAG_typedef || die_name(key);
	}
	return false;
}

static void add_near(struct reach *reach, size_t offset)
{
	struct seen *seen;

	if (find_by_offset(&reach->seen, offset))
		return;
	seen = xcalloc(1, sizeof(*seen));
	seen->offset = offset;
	add_by_offset(&reach->seen, seen);
	grow(reach->near.all, reach->near.nr, reach->near.room);
	reach->near.all[reach->near.nr++] = offset;
}

/* Adds a key that needs no step. */
void reach_near(struct reach *reach, const struct die *key)
{
	add_near(reach, key->offset);
}

/* Adds a key that needs one more step. */
void reach_far(struct reach *reach, const struct die *key)
{
	grow(reach->far.all, reach->far.nr, reach->far.room);
	reach->far.all[reach->far.nr++] = key->offset;
}

/*
 * Adds the key to which pointers and arrays of a parameter or a result lead. An enum is
 * left out, because its enumerators are beside the signature.
 */
void reach_from(struct reach *reach, const struct die *user)
{
	struct die type, key, at = *user;

	for (int i = 0; i < MAX_REFERENCES && strip_type(&at, &type); i++) {
		if (type.tag != DW_TAG_pointer_type && type.tag != DW_TAG_array_type) {
			if (is_described(&type) && type.tag != DW_TAG_enumeration_type &&
			    find_key(&at, &key))
				reach_near(reach, &key);
			return;
		}
		at = type;
	}
}

/* Goes on with the keys that need one more step. */
void take_step(struct reach *reach)
{
	reach->near.nr = 0;
	for (size_t i = 0; i < reach->far.nr; i++)
		add_near(reach, reach->far.all[i]);
	reach->far.nr = 0;
}

void free_reach(struct reach *reach)
{
	tdestroy(reach->seen, free);
	free(reach->near.all);
	free(reach->far.all);
}
