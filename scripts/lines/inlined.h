/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines of the functions of a unit, and of the functions that were inlined there.
 *
 * dwarf.h reads the DIEs, ranges.h their code. lines.h collects the result.
 */
#ifndef LINES_INLINED_H
#define LINES_INLINED_H

#include "../signatures/dwarf.h"
#include "lines.h"

void collect_lines(struct lines *lines, struct dwarf *dwarf);

#endif /* LINES_INLINED_H */
