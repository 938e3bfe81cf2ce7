/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The places of the parameters of a function, by the ABI and by DWARF together.
 *
 * abi.h places one parameter after the other. evidence.h finds their locations in
 * DWARF. encode.h writes the places into the signature.
 */
#ifndef SIGNATURES_PLACE_H
#define SIGNATURES_PLACE_H

#include "abi.h"
#include "evidence.h"

struct param {
	struct die die;			/* in the prototype */
	struct layout layout;
	struct evidence evidence;
	struct place place;
};

void place_by_evidence(const struct file *file, struct param *params, size_t nr);
bool place_params(const struct file *file, const struct layout *result, bool variadic,
		  struct param *params, size_t nr, struct place *result_place);

#endif /* SIGNATURES_PLACE_H */
