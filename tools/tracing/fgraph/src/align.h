/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which elements of two lists are the same: a longest common subsequence, or something near it
 * for long lists.
 */
#ifndef FGRAPH_ALIGN_H
#define FGRAPH_ALIGN_H

#include <stddef.h>

/**
 * struct span - a part of a list of keys
 * @keys:	the whole list
 * @begin:	the first one of the part
 * @end:	the one after the part
 */
struct span {
	const unsigned long long	*keys;
	size_t				begin, end;
};

/**
 * align - find the elements of a list that are in another one
 * @a:		a part of the first list
 * @b:		a part of the second one
 * @partners:	of each element of the first list: the element of the second list that has the
 *		same key. It grows from element to element. Elements without one are not touched.
 */
void align(struct span a, struct span b, size_t *partners);

#endif
