/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The chain of an error: the functions that returned it, from a system call to the one where
 * it came from.
 */
#ifndef FGRAPH_CHAIN_H
#define FGRAPH_CHAIN_H

struct call;

/**
 * find_origin - find the next function of a chain
 * @call:	a function of it
 * @error:	the error
 *
 * Return: the call in @call that returned the error to it, the last one if there are several.
 * NULL if @call is the end: it called none that returned the error, or it tried several
 * candidates, all in vain.
 */
const struct call *find_origin(const struct call *call, int error);

/**
 * next_candidate - find the candidates that a function tried in vain
 * @call:	the function
 * @previous:	a candidate, or NULL for the first one
 *
 * Return: the next candidate, or NULL.
 */
const struct call *next_candidate(const struct call *call, const struct call *previous);

/**
 * find_before - find what may be the reason why a call failed
 * @call:	the end of a chain
 *
 * Return: the last call in it that returned another error, which was not handled, or the one
 * directly before it; or NULL.
 */
const struct call *find_before(const struct call *call);

#endif
