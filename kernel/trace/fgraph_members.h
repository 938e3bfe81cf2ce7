/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The members of structs, as recordmcount describes them: see
 * include/linux/fgraph_members_format.h.
 *
 * Types and names are text in signatures or in a table of members. They are not terminated.
 *
 * Each module has a table of its own, which is freed with it. A lookup for a function of a module
 * needs fgraph_lock_members(). Unlock only after the last use of what it found.
 */
#ifndef _KERNEL_TRACE_FGRAPH_MEMBERS_H
#define _KERNEL_TRACE_FGRAPH_MEMBERS_H

#include <linux/errno.h>
#include <linux/fgraph_members_format.h>
#include <linux/types.h>

struct module;

/**
 * struct fgraph_struct - a struct or union
 * @mod:	the module of the function that leads to it, or NULL
 * @members:	the text of its members
 * @size:	its size in bytes
 */
struct fgraph_struct {
	const struct module	*mod;
	const char		*members;
	u32			size;
};

/**
 * struct fgraph_member - a member of a struct or union
 * @name:	its name
 * @name_len:	the length of @name; 0 if the member is anonymous
 * @offset:	the offset in the struct, in bytes
 * @first:	the first bit of a bit field, from the least significant bit of the byte at
 *		@offset
 * @width:	the number of bits of a bit field, or 0
 * @type:	the type
 */
struct fgraph_member {
	const char		*name;
	unsigned int		name_len;
	u32			offset;
	u8			first;
	u8			width;
	const char		*type;
};

int fgraph_index_members(void);
void fgraph_lock_members(void);
void fgraph_unlock_members(void);
const char *fgraph_skip_member_type(const char *type);
const char *fgraph_type_name(const char *type);
int fgraph_find_struct(const struct module *mod, const char *type, struct fgraph_struct *st);
bool fgraph_next_member(const struct fgraph_struct *st, struct fgraph_member *member);
int fgraph_find_member(const struct fgraph_struct *st, const char *name, unsigned int len,
		       struct fgraph_member *member);
bool fgraph_find_similar_member(const struct fgraph_struct *st, const char *name,
				unsigned int len, struct fgraph_member *member);
u64 fgraph_type_size(const struct module *mod, const char *type);
const char *fgraph_find_enumerators(const struct module *mod, const char *type);

#endif /* _KERNEL_TRACE_FGRAPH_MEMBERS_H */
