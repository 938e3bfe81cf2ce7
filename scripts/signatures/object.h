/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects the signatures of the functions of an object, and writes or prints them.
 *
 * encode.h makes each signature. object_write.h writes them into the object.
 */
#ifndef SIGNATURES_OBJECT_H
#define SIGNATURES_OBJECT_H

/* The functions that get a signature */
enum sites {
	LISTED_SITES,		/* functions with a call site that the object lists */
	CALLING_SITES,		/* the same; if it lists none, functions that call __fentry__ */
	ALL_FUNCTIONS,
};

/* The parts to record besides signatures: a set of bits */
enum part {
	PART_LINES	= 1,	/* the source lines of all functions */
	PART_MEMBERS	= 2,	/* the members of structs that values lead to */
};

int record_signatures(const char *name, enum sites sites, unsigned int parts);
int list_signatures(const char *name);
int list_members(const char *name);

#endif /* SIGNATURES_OBJECT_H */
