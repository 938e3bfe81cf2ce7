// SPDX-License-Identifier: GPL-2.0
/*
 * The signature of one function.
 *
 * Its prototype is that of the abstract instance, if the function is a concrete
 * one: the concrete instance may lack parameters, or have them in another order.
 * Where they are, only the concrete one says.
 *
 * The compiler keeps to the ABI in functions that have the name that they were
 * given, whether it writes down the location of a parameter or not. Clones get
 * another name, such as "f.isra.0", or a mark in DWARF. Of these only what DWARF
 * finds in its place is believed to be there; the result may be gone as well, and
 * nothing tells.
 */
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "signatures.h"

struct signature {
	const struct file *file;
	const struct die *function;
	struct address entry;
	enum clone clone;
	struct die prototype;
	struct layout result;
	struct place result_place;
	bool variadic;
	struct param *params;
	size_t nr_params;
};

/* The DIE that lists the parameters as they were declared */
static struct die find_prototype(const struct die *function)
{
	struct die prototype = *function, origin;

	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!read_referenced_die(&prototype, DW_AT_abstract_origin, &origin))
			return prototype;
		prototype = origin;
	}
	die_at(function->unit->dwarf->info, function->offset,
	       "a function that is its own origin");
}

static void read_params(struct signature *signature)
{
	size_t room = 0;
	struct die child;

	for (bool more = first_child(&signature->prototype, &child); more;
	     more = next_sibling(&child)) {
		struct param *param;

		if (child.tag == DW_TAG_unspecified_parameters)
			signature->variadic = true;
		if (child.tag != DW_TAG_formal_parameter)
			continue;
		grow(signature->params, signature->nr_params, room);
		param = &signature->params[signature->nr_params++];
		*param = (struct param){ .die = child };
		param->layout = type_layout(&child);
	}
}

/* The DIE that tells where the parameter is in this function */
static bool find_concrete(const struct signature *signature, const struct param *param,
			  struct die *concrete)
{
	if (signature->prototype.offset == signature->function->offset) {
		*concrete = param->die;
		return true;
	}
	for (bool more = first_child(signature->function, concrete); more;
	     more = next_sibling(concrete)) {
		const struct value *origin = find_attribute(concrete, DW_AT_abstract_origin);

		if (concrete->tag == DW_TAG_formal_parameter && origin &&
		    origin->class == VALUE_REFERENCE &&
		    origin->number == param->die.offset)
			return true;
	}
	return false;
}

static void find_params(struct signature *signature)
{
	for (size_t i = 0; i < signature->nr_params; i++) {
		struct param *param = &signature->params[i];
		struct die concrete;

		if (find_concrete(signature, param, &concrete))
			param->evidence = find_at_entry(&concrete, signature->function,
							signature->entry);
	}
}

/*
 * LLVM does not rename a static function whose arguments or result it drops: debuggers
 * are told not to call it.
 */
static bool is_changed_by_llvm(const struct die *function)
{
	uint64_t convention;
	struct die holder;

	return read_inherited(function, DW_AT_calling_convention, &holder) &&
	       value_uint(find_attribute(&holder, DW_AT_calling_convention), &convention) &&
	       convention == DW_CC_nocall;
}

static void forget_stack(struct signature *signature)
{
	struct die holder;

	if (!signature->function->unit->llvm || !has_more_registers(signature->file) ||
	    read_inherited(signature->function, DW_AT_external, &holder))
		return;
	for (size_t i = 0; i < signature->nr_params; i++) {
		if (signature->params[i].place.nr_stack)
			signature->params[i].place.kind = PLACE_UNKNOWN;
	}
}

/* Where the interface was changed, the result may be gone as well. */
static void place_values(struct signature *signature)
{
	find_params(signature);
	signature->result_place = place_result(signature->file, &signature->result, false);
	if (may_be_in_memory(signature->file, &signature->result))
		signature->result_place.kind = PLACE_UNKNOWN;
	if (is_changed_by_llvm(signature->function))
		signature->clone = CLONE_ANYTHING;
	if (signature->clone != CLONE_NONE)
		place_by_evidence(signature->file, signature->params,
				  signature->nr_params);
	else if (!place_params(signature->file, &signature->result, signature->variadic,
			       signature->params, signature->nr_params,
			       &signature->result_place))
		signature->clone = CLONE_ANYTHING;
	forget_stack(signature);
}

static unsigned int max(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static void count_registers(struct signature *signature, unsigned int *registers)
{
	*registers = 0;
	for (size_t i = 0; i < signature->nr_params; i++) {
		const struct place *place = &signature->params[i].place;

		if (place->kind == PLACE_WORDS && place->nr_registers)
			*registers = max(*registers, place->first_register +
						     place->nr_registers);
	}
}

/* How many words of each are to be recorded, so that the values are in them */
static void count_words(struct signature *signature, unsigned int *registers,
			unsigned int *stack)
{
	count_registers(signature, registers);
	*stack = 0;
	for (size_t i = 0; i < signature->nr_params; i++) {
		struct place *place = &signature->params[i].place;

		if (place->kind != PLACE_WORDS || !place->nr_stack)
			continue;
		if (*registers + place->first_stack + place->nr_stack > FGRAPH_MAX_WORDS)
			place->kind = PLACE_UNKNOWN;
		else
			*stack = max(*stack, place->first_stack + place->nr_stack);
	}
}

static void encode_place(struct text *text, const struct place *place,
			 const struct layout *layout, unsigned int bytes,
			 unsigned int registers, unsigned int *word)
{
	unsigned int first = place->nr_registers ? place->first_register :
						   registers + place->first_stack;
	unsigned int words = place->nr_registers + place->nr_stack;

	if (place->kind != PLACE_WORDS) {
		add_char(text, place->kind == PLACE_GONE ? '!' : '?');
		return;
	}
	if (words) {
		if (first != *word)
			add_text(text, "@%c", '0' + first);
		*word = first + words;
	}
	if (place->by_reference)
		add_char(text, '&');
	else if (layout->tag == DW_TAG_structure_type ||
		 layout->tag == DW_TAG_union_type)
		add_text(text, "#%llu_", (unsigned long long)
			 (layout->size < words * bytes ? layout->size : words * bytes));
}

static void encode_result(struct text *text, const struct signature *signature,
			  const struct die *typed)
{
	struct place place = signature->result_place;
	unsigned int word = 0;

	if (signature->result.tag) {
		if (signature->clone == CLONE_ANYTHING)
			place.kind = PLACE_GONE;
		encode_place(text, &place, &signature->result,
			     signature->file->word, 0, &word);
	}
	encode_type(text, typed);
}

static void read_prototype(struct signature *signature, struct die *typed)
{
	signature->file = signature->function->unit->dwarf->file;
	signature->prototype = find_prototype(signature->function);
	read_inherited(signature->function, DW_AT_type, typed);
	signature->result = type_layout(typed);
	read_params(signature);
}

/**
 * encode_signature - make the signature of a function
 * @text:	gets it
 * @function:	the function
 * @entry:	the address of its first instruction
 * @clone:	what the compiler may have changed
 */
void encode_signature(struct text *text, const struct die *function,
		      struct address entry, enum clone clone)
{
	struct signature signature = { .function = function, .entry = entry,
				       .clone = clone };
	unsigned int registers, stack, word = 0;
	struct die typed;

	read_prototype(&signature, &typed);
	place_values(&signature);
	count_words(&signature, &registers, &stack);

	add_char(text, '0' + registers);
	/* Without parameters, it would be too short. */
	if (stack || !signature.nr_params)
		add_text(text, "+%c", '0' + stack);
	encode_result(text, &signature, &typed);
	for (size_t i = 0; i < signature.nr_params; i++) {
		const struct param *param = &signature.params[i];

		encode_place(text, &param->place, &param->layout, signature.file->word,
			     registers, &word);
		encode_type(text, &param->die);
		add_name(text, die_name(&param->die));
	}
	if (signature.variadic)
		add_char(text, 'z');
	free(signature.params);
}

static void if_enum(const struct die *user, enum_fn *fn, void *data)
{
	struct die type;

	if (strip_type(user, &type) && type.tag == DW_TAG_enumeration_type)
		fn(data, &type);
}

/* The enums that the signature has by value, in its order */
void visit_enums_by_value(const struct die *function, enum_fn *fn, void *data)
{
	struct die prototype = find_prototype(function), typed, child;

	read_inherited(function, DW_AT_type, &typed);
	if_enum(&typed, fn, data);
	for (bool more = first_child(&prototype, &child); more; more = next_sibling(&child)) {
		if (child.tag == DW_TAG_formal_parameter)
			if_enum(&child, fn, data);
	}
}
