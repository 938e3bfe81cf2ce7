/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The members of structs that only a module has.
 *
 * members.h describes the members. relocate.h reads the sections of both files.
 */
#ifndef SIGNATURES_MODULE_H
#define SIGNATURES_MODULE_H

int write_module_members(const char *output, const char *name, const char *kernel);

#endif /* SIGNATURES_MODULE_H */
