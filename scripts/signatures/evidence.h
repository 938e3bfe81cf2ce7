/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The evidence of DWARF: locations of a parameter at the entry of its function.
 *
 * ranges.h finds the entry of a location list. place.h compares the evidence with the
 * ABI.
 */
#ifndef SIGNATURES_EVIDENCE_H
#define SIGNATURES_EVIDENCE_H

#include "dwarf.h"

struct location {
	enum { LOCATION_REGISTER, LOCATION_AT_REGISTER, LOCATION_STACK, LOCATION_OTHER } kind;
	uint64_t number;	/* a register, or an offset from the CFA */
};

/**
 * struct evidence - the locations of a parameter at the entry
 * @home:	the location is an exprloc with a register. At the entry, the parameter may
 *		not be in this register yet
 * @nr:		the number of pieces, one for each word; 0: DWARF contains none
 * @pieces:	the locations of the words
 */
struct evidence {
	bool home;
	unsigned int nr;
	struct location pieces[16];
};

struct evidence find_at_entry(const struct die *param, const struct die *function,
			      struct address entry);

#endif /* SIGNATURES_EVIDENCE_H */
