/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The structs, unions and enums that parameters and results lead to.
 *
 * The key of such a type is the DIE that gives it a name: the first typedef, or else the
 * type itself, by its tag. members.h describes the keys.
 */
#ifndef SIGNATURES_REACH_H
#define SIGNATURES_REACH_H

#include "dwarf.h"

/* Pointers in members lead to other structs, by at most this number of steps. */
#define MEMBERS_DEPTH	2

struct offsets {
	size_t *all;
	size_t nr, room;
};

/* The keys that were reached, by the offsets of their DIEs */
struct reach {
	struct offsets near;	/* by the steps so far, in the order to describe them */
	struct offsets far;	/* by one more step, perhaps repeatedly */
	void *seen;		/* a tree of all keys that are or were near */
};

bool is_described(const struct die *type);
bool find_key(const struct die *user, struct die *key);

void reach_near(struct reach *reach, const struct die *key);
void reach_far(struct reach *reach, const struct die *key);
void reach_from(struct reach *reach, const struct die *user);
void take_step(struct reach *reach);
void free_reach(struct reach *reach);

#endif /* SIGNATURES_REACH_H */
