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

/* Return the last function of the chain that begins with a call. */
const struct call *find_end(const struct call *call);

/**
 * next_other - find the calls that may be where the error came from, beside the chain
 * @root:	the system call
 * @last:	the end of its chain
 * @previous:	a call that was found, or NULL for the first one
 *
 * They returned the same error before one of the chain, to the same function.
 * Return: the next one, or NULL.
 */
const struct call *next_other(const struct call *root, const struct call *last,
			      const struct call *previous);

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
