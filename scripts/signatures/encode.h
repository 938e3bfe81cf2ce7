/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signature of one function, and the enums in it.
 *
 * place.h finds the parameters. type.h spells their types. object.h collects the
 * signatures.
 */
#ifndef SIGNATURES_ENCODE_H
#define SIGNATURES_ENCODE_H

#include "place.h"
#include "text.h"

/* How the compiler may have changed the interface of a function */
enum clone { CLONE_NONE, CLONE_PARAMETERS, CLONE_ANYTHING };

struct signature {
	const struct file *file;
	const struct die *function;
	struct address entry;
	enum clone clone;
	struct die prototype;		/* lists the parameters as they were declared */
	struct die typed;		/* the DIE with the type of the result */
	struct layout result;
	struct place result_place;
	bool variadic;
	struct param *params;
	size_t nr_params;
};

typedef void enum_fn(void *data, const struct die *type);

struct signature read_signature(const struct die *function, struct address entry,
				enum clone clone);
void free_signature(struct signature *signature);
void encode_signature(struct text *text, struct signature *signature);
void visit_enums_by_value(const struct signature *signature, enum_fn *fn, void *data);

#endif /* SIGNATURES_ENCODE_H */
