/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of address ranges and of locations.
 *
 * dwarf.h reads the attributes that refer to these lists. evidence.h reads the location
 * that is found here.
 */
#ifndef SIGNATURES_RANGES_H
#define SIGNATURES_RANGES_H

#include "dwarf.h"

typedef void range_fn(void *data, struct address start, uint64_t length);

void visit_ranges(const struct die *die, range_fn *fn, void *data);
bool find_location_at(const struct die *die, struct address at, struct cursor *expression);

#endif /* SIGNATURES_RANGES_H */
