/* SPDX-License-Identifier: GPL-2.0 */
/* Functions with a pointer of each type that has a name: fgn_file() and so on */
#ifndef _KERNEL_TRACE_TESTS_FGRAPH_NAMES_TARGETS_KUNIT_H
#define _KERNEL_TRACE_TESTS_FGRAPH_NAMES_TARGETS_KUNIT_H

struct pt_regs;

#define FGN(type)	struct type; const struct type *fgn_##type(const struct type *object);
#include "fgraph_names_types_kunit.h"

const char *fgn_char(const char *object);
/* The pt_regs of a function have no name unless it is a wrapper of a system call. */
void fgn_pt_regs(struct pt_regs *object);
void fgn_many(const char *a, long b, const char *c, const char *d);

/* A length follows the pointer, or the function fills the buffer at the pointer. */
const char *fgn_pick(const char *a, const char *b);
void fgn_sized(const char *text, size_t count);
void fgn_sized_int(const char *text, int len);
struct sockaddr;

void fgn_address(struct sockaddr *addr, int addrlen);
void fgn_truncate(const char *path, long length);
void fgn_fill(char *text, size_t size);
void fgn_fill_page(char *page);
void fgn_store(char *buf, size_t nbytes);
void fgn_reset(char *buf, size_t nbytes);
void fgn_create(const char *name, size_t size);

#endif /* _KERNEL_TRACE_TESTS_FGRAPH_NAMES_TARGETS_KUNIT_H */
