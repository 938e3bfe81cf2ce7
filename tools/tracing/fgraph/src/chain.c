// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include "call.h"
#include "chain.h"

/* True of a function that cannot return an error: its result is nothing, bool or NULL. */
static bool hides_errors(const struct call *call)
{
	return !call->ret || !strcmp(call->ret, "false") || !strcmp(call->ret, "true") ||
	       !strcmp(call->ret, "NULL") || !strcmp(call->ret, "0x0");
}

static bool returned_to_caller(const struct call *call, int error)
{
	return call->error == error && !call->got_error;
}

/* The last call in @call that returned the error itself */
static const struct call *find_last(const struct call *call, int error)
{
	const struct call *inner, *found = NULL;

	for (inner = call->first; inner; inner = inner->next)
		if (returned_to_caller(inner, error))
			found = inner;
	return found;
}

const struct call *next_candidate(const struct call *call, const struct call *previous)
{
	/* All candidates are calls of the same function. */
	const struct call *like = previous ?: find_last(call, call->error), *next;

	next = previous ? previous->next : call->first;
	while (like && next && (strcmp(next->func, like->func) ||
				!returned_to_caller(next, call->error)))
		next = next->next;
	return like && (previous || next != like) ? next : NULL;
}

const struct call *find_origin(const struct call *call, int error)
{
	const struct call *inner, *found = NULL, *origin;

	if (call->error == error && next_candidate(call, NULL))
		return NULL;
	for (inner = call->first; inner; inner = inner->next) {
		origin = NULL;
		if (returned_to_caller(inner, error))
			origin = inner;
		else if (hides_errors(inner))
			origin = find_origin(inner, error);
		found = origin ?: found;
	}
	return found;
}

/* True if a function between @call and a call in it returned something else than an error. */
static bool was_handled(const struct call *call, const struct call *inner)
{
	for (inner = inner->parent; inner != call; inner = inner->parent)
		if (!inner->error && !hides_errors(inner))
			return true;
	return false;
}

/* The same function before @call was tried again. */
const struct call *find_before(const struct call *call)
{
	const struct call *other, *found = NULL;

	for (other = next_call(call, call); other; other = next_call(call, other))
		if (other->error && other->error != call->error && !was_handled(call, other) &&
		    (!found || other->order > found->order))
			found = other;
	other = call->previous;
	if (!found && other && other->error && other->error != call->error &&
	    strcmp(other->func, call->func))
		found = other;
	return found;
}

const struct call *find_end(const struct call *call)
{
	const struct call *inner;

	while ((inner = find_origin(call, call->error)))
		call = inner;
	return call;
}

/* Return the function of the chain, from @last to @root, that @other may replace. */
static const struct call *find_replaced(const struct call *last, const struct call *other)
{
	while (last->parent != other->parent)
		last = last->parent;
	return last;
}

const struct call *next_other(const struct call *root, const struct call *last,
			      const struct call *previous)
{
	const struct call *call = previous ? find_replaced(last, previous) : last, *other;

	for (other = previous ? previous->next : NULL; call != root;
	     call = call->parent, other = NULL)
		for (other = other ?: call->parent->first; other != call; other = other->next)
			if (other->error == last->error && !other->got_error)
				return other;
	return NULL;
}
