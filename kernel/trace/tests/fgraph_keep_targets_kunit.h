/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The target functions of the KUnit tests of set_graph_keep. A script contains the calls
 * that a target function makes, and its return value:
 *
 *	script := item*
 *	item   := call | action
 *	call   := letter ("(" script ")")? ("=" number)? " "?
 *	action := "@"
 *
 * "a(b c=-22)=-5" calls fkt_a(), which calls fkt_b(), which returns 0, and fkt_c(), which
 * returns -22, and returns -5 itself. The action calls a function of the test.
 */
#ifndef _KERNEL_TRACE_FGRAPH_KEEP_TARGETS_H
#define _KERNEL_TRACE_FGRAPH_KEEP_TARGETS_H

#include <linux/blk_types.h>
#include <linux/mm_types.h>

/**
 * struct fkt_script - a running script
 * @pos:	the rest of the text
 * @action:	the function for "@"
 */
struct fkt_script {
	const char	*pos;
	void		(*action)(void);
};

void fkt_run(struct fkt_script *s);

/* "a" to "d" return an int. */
int fkt_a(struct fkt_script *s);
int fkt_b(struct fkt_script *s);
int fkt_c(struct fkt_script *s);
int fkt_d(struct fkt_script *s);

/* The other letters, B U L M Z S X P V K F, are for other types of results. */
bool fkt_bool(struct fkt_script *s);
unsigned int fkt_uint(struct fkt_script *s);
long fkt_long(struct fkt_script *s);
unsigned long fkt_ulong(struct fkt_script *s);
size_t fkt_size(struct fkt_script *s);
ssize_t fkt_ssize(struct fkt_script *s);
long long fkt_llong(struct fkt_script *s);
void *fkt_pointer(struct fkt_script *s);
void fkt_void(struct fkt_script *s);
blk_status_t fkt_status(struct fkt_script *s);
vm_fault_t fkt_fault(struct fkt_script *s);

/* Makes @calls nested calls of itself. Each of them returns @result. */
int fkt_deep(int calls, int result);
/* Makes @calls nested calls of itself. Each of them returns -22. */
int fkt_named(int calls, const char *name);
void fkt_exit(struct fkt_script *s);

#endif /* _KERNEL_TRACE_FGRAPH_KEEP_TARGETS_H */
