/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The members of structs, in the format of include/linux/fgraph_members_format.h.
 *
 * reach.h finds the structs. object.h lists the functions that lead to them.
 */
#ifndef SIGNATURES_MEMBERS_H
#define SIGNATURES_MEMBERS_H

#include "reach.h"
#include "text.h"

void describe_members(struct strings *strings, struct dwarf *dwarf, struct reach *reach);

#endif /* SIGNATURES_MEMBERS_H */
