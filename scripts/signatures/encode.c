// SPDX-License-Identifier: GPL-2.0
/*
 * The signature of one function, and the enums in it.
 *
 * The prototype of a concrete instance is its abstract instance, because the concrete
 * instance may lack parameters or list them in another order. Only the concrete
 * instance has the locations of parameters.
 *
 * A function that keeps its source name follows the ABI, unless a location in DWARF
 * disproves this. It needs no locations. A clone has another name, such as "f.isra.0",
 * or a mark in DWARF. Only DWARF shows the places of its parameters. Its result may be
 * optimized out, and nothing shows this.
 */
#include <stdlib.h>

#include "encode.h"
#include "result.h"
#include "type.h"
#include "util.h"

/* Return: the DIE that lists the parameters as they were declared. */
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

	for_each_child(&child, &signature->prototype) {
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

/* Finds the DIE that has the location of a parameter. Return: false if there is none. */
static bool find_concrete(const struct signature *signature, const struct param *param,
			  struct die *concrete)
{
	if (signature->prototype.offset == signature->function->offset) {
		*concrete = param->die;
		return true;
	}
	for_each_child(concrete, signature->function) {
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
 * Return: true if LLVM dropped arguments or the result of a static function. LLVM keeps
 * the name of such a function, but marks it with DW_CC_nocall.
 */
static bool is_changed_by_llvm(const struct die *function)
{
	uint64_t convention;
	struct die holder;

	return read_inherited(function, DW_AT_calling_convention, &holder) &&
	       find_uint(&holder, DW_AT_calling_convention, &convention) &&
	       convention == DW_CC_nocall;
}

/*
 * Makes places on the stack unknown if LLVM may have used more registers for them. LLVM
 * does so for static functions only.
 */
static void forget_stack(struct signature *signature)
{
	struct die holder;

	if (!signature->function->unit->llvm ||
	    !signature->file->machine->abi.llvm_more_registers ||
	    read_inherited(signature->function, DW_AT_external, &holder))
		return;
	for (size_t i = 0; i < signature->nr_params; i++) {
		if (signature->params[i].place.nr_stack)
			signature->params[i].place.kind = PLACE_UNKNOWN;
	}
}

/*
 * Places the parameters and the result. The compiler can drop a result only if it
 * changes the interface.
 */
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

static void raise_to(unsigned int *most, unsigned int number)
{
	if (*most < number)
		*most = number;
}

/*
 * Counts the registers and the stack words that must be recorded. If there are too
 * many, the places of some parameters become unknown.
 */
static void count_words(struct signature *signature, unsigned int *registers,
			unsigned int *stack)
{
	*registers = 0;
	*stack = 0;
	for (size_t i = 0; i < signature->nr_params; i++) {
		const struct place *place = &signature->params[i].place;

		if (place->kind == PLACE_WORDS && place->nr_registers)
			raise_to(registers, place->first_register + place->nr_registers);
	}
	for (size_t i = 0; i < signature->nr_params; i++) {
		struct place *place = &signature->params[i].place;

		if (place->kind != PLACE_WORDS || !place->nr_stack)
			continue;
		if (*registers + place->first_stack + place->nr_stack > FGRAPH_MAX_WORDS)
			place->kind = PLACE_UNKNOWN;
		else
			raise_to(stack, place->first_stack + place->nr_stack);
	}
}

/*
 * Spells a place. A value that begins at @word, where the previous value ended, needs
 * no "@".
 */
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

static void encode_result(struct text *text, const struct signature *signature)
{
	struct place place = signature->result_place;
	unsigned int word = 0;

	if (signature->result.tag) {
		if (signature->clone == CLONE_ANYTHING)
			place.kind = PLACE_GONE;
		encode_place(text, &place, &signature->result,
			     signature->file->word, 0, &word);
		encode_meaning(text, die_name(&signature->prototype));
	}
	encode_type(text, &signature->typed);
}

/**
 * read_signature - find the places of the parameters and the result of a function
 * @function:	the function, which must live as long as the signature
 * @entry:	the address of its first instruction
 * @clone:	how the compiler may have changed the function
 *
 * Return: its signature. The caller frees it with free_signature().
 */
struct signature read_signature(const struct die *function, struct address entry,
				enum clone clone)
{
	struct signature signature = {
		.file = function->unit->dwarf->file,
		.function = function,
		.entry = entry,
		.clone = clone,
		.prototype = find_prototype(function),
	};

	read_inherited(function, DW_AT_type, &signature.typed);
	signature.result = type_layout(&signature.typed);
	read_params(&signature);
	place_values(&signature);
	return signature;
}

void free_signature(struct signature *signature)
{
	free(signature->params);
}

/* Spells a signature. Places in words that cannot be recorded become unknown. */
void encode_signature(struct text *text, struct signature *signature)
{
	unsigned int registers, stack, word = 0;

	count_words(signature, &registers, &stack);
	add_char(text, '0' + registers);
	/* Without parameters, the string would be shorter than FGRAPH_MIN_STRING. */
	if (stack || !signature->nr_params)
		add_text(text, "+%c", '0' + stack);
	encode_result(text, signature);
	for (size_t i = 0; i < signature->nr_params; i++) {
		const struct param *param = &signature->params[i];

		encode_place(text, &param->place, &param->layout, signature->file->word,
			     registers, &word);
		encode_type(text, &param->die);
		add_name(text, die_name(&param->die));
	}
	if (signature->variadic)
		add_char(text, 'z');
}

static void visit_if_enum(const struct die *user, enum_fn *fn, void *data)
{
	struct die type;

	if (strip_type(user, &type) && type.tag == DW_TAG_enumeration_type)
		fn(data, &type);
}

/*
 * Calls @fn for each enum that a function returns or takes by value, in the order of
 * the signature.
 */
void visit_enums_by_value(const struct signature *signature, enum_fn *fn, void *data)
{
	visit_if_enum(&signature->typed, fn, data);
	for (size_t i = 0; i < signature->nr_params; i++)
		visit_if_enum(&signature->params[i].die, fn, data);
}
