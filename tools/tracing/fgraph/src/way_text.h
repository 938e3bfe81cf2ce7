/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FGRAPH_WAY_TEXT_H
#define FGRAPH_WAY_TEXT_H

struct call;
struct way;

/**
 * describe_way - describe the way of a call, with the source text if that is found
 * @way:	the way; steps that say nothing are removed
 * @call:	the call
 *
 * Return: lines of text, which the caller frees.
 */
char *describe_way(struct way *way, const struct call *call);

#endif
