// SPDX-License-Identifier: GPL-2.0
/*
 * Paths: the way from a pointer that is an argument or the result to a member, which its text
 * describes in C.
 *
 *	file->f_path.dentry->d_name.name	the text
 *	{ 24, 40 }				the steps: follow the pointer at 24, read at 40
 *
 * The types come from the signature of the function, and from the table of the members of
 * structs.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fgraph_members.h"
#include "fgraph_sig.h"
#include "trace_graph_member.h"
#include "trace_graph_value.h"

/**
 * struct path_walk - a path that is being found
 * @path:	the path up to the current value
 * @mod:	the module of the function, or NULL
 * @type:	the type of the current value
 * @offset:	its offset from the last pointer
 * @member:	the last member on the path, which may be a bit field
 * @st:		the last struct on the path
 * @in_word:	it is the root, which is not in memory
 * @pos:	the rest of the text
 * @end:	the end of the text
 */
struct path_walk {
	struct graph_path	*path;
	const struct module	*mod;
	const char		*type;
	u64			offset;
	struct fgraph_member	member;
	struct fgraph_struct	st;
	bool			in_word;
	const char		*pos;
	const char		*end;
};

/**
 * graph_name_length - find the end of a name in a text
 * @name:	the text
 *
 * Return: the length of the name, or 0.
 */
size_t graph_name_length(const char *name)
{
	size_t len = 0;

	while (isalnum(name[len]) || name[len] == '_')
		len++;
	return len;
}

/* Return the length of "->name", ".name" or "[number]", or 0. */
static size_t accessor_length(const char *text)
{
	size_t len = 0;

	if (*text == '[') {
		len = 1 + graph_name_length(text + 1);
		return text[len] == ']' ? len + 1 : 0;
	}
	if (text[0] == '-' && text[1] == '>')
		len = 2;
	else if (text[0] == '.')
		len = 1;
	if (!len || (!isalpha(text[len]) && text[len] != '_'))
		return 0;
	return len + graph_name_length(text + len);
}

/**
 * graph_member_length - find the end of a value in a text
 * @text:	a text that begins with a value, such as "count > 5" or "*pos == 0"
 *
 * Return: the length of the value; 0 if the text begins with something else.
 */
size_t graph_member_length(const char *text)
{
	size_t len = strspn(text, "*"), more;

	if (!isalpha(text[len]) && text[len] != '_')
		return 0;
	len += graph_name_length(text + len);
	for (more = accessor_length(text + len); more; more = accessor_length(text + len))
		len += more;
	return len;
}

static const char *base_of(const char *type)
{
	enum fgraph_form form = FGRAPH_PLAIN;

	return fgraph_base_type(type, &form);
}

static enum graph_path_error follow_pointer(struct path_walk *w)
{
	const char *base = base_of(w->type);
	struct graph_path *path = w->path;

	if (*base != 'P' || w->member.width)
		return GRAPH_PATH_NO_POINTER;
	if (!w->in_word) {
		if (path->nr_steps == GRAPH_PATH_STEPS - 1)
			return GRAPH_PATH_LONG;
		if (w->offset > U32_MAX)
			return GRAPH_PATH_INDEX;
		path->steps[path->nr_steps++] = w->offset;
	}
	w->in_word = false;
	w->offset = 0;
	w->type = base + 1;
	return GRAPH_PATH_GOOD;
}

/*
 * Find a member that the source names by a macro, which DWARF does not contain: sk_state of
 * struct sock is __sk_common.skc_state.
 */
static int find_sock_member(struct path_walk *w, size_t len)
{
	struct fgraph_member common;
	struct fgraph_struct inner;
	char name[FGRAPH_MAX_NAME];

	if (!str_has_prefix(w->pos, "sk_") || len >= sizeof(name) ||
	    fgraph_find_member(&w->st, "__sk_common", strlen("__sk_common"), &common) ||
	    fgraph_find_struct(w->mod, common.type, &inner))
		return -ENOENT;
	len = snprintf(name, sizeof(name), "skc_%.*s", (int)len - 3, w->pos + 3);
	if (fgraph_find_member(&inner, name, len, &w->member))
		return -ENOENT;
	w->member.offset += common.offset;
	return 0;
}

static enum graph_path_error walk_to_member(struct path_walk *w)
{
	size_t len = graph_name_length(w->pos);
	const char *base = base_of(w->type);
	int ret;

	if (w->in_word || (*base != 'S' && *base != 'U'))
		return GRAPH_PATH_NO_STRUCT;
	ret = fgraph_find_struct(w->mod, w->type, &w->st);
	if (ret)
		return ret == -ENOTUNIQ ? GRAPH_PATH_AMBIGUOUS : GRAPH_PATH_UNKNOWN;
	if (fgraph_find_member(&w->st, w->pos, len, &w->member) && find_sock_member(w, len))
		return GRAPH_PATH_NO_MEMBER;
	w->offset += w->member.offset;
	w->type = w->member.type;
	w->pos += len;
	return GRAPH_PATH_GOOD;
}

/* Walk to an element of an array, or to one behind a pointer. */
static enum graph_path_error walk_to_element(struct path_walk *w)
{
	const char *base = base_of(w->type);
	enum graph_path_error error;
	char *end;
	u64 index, size;

	index = simple_strtoull(w->pos, &end, 0);
	if (end == w->pos || *end != ']' || index > U32_MAX)
		return GRAPH_PATH_SYNTAX;
	if (*base == 'A' && !w->in_word) {
		if (isdigit(base[1]) && index >= simple_strtoul(base + 1, NULL, 10))
			return GRAPH_PATH_INDEX;
		w->type = strchr(base, '_') + 1;
	} else {
		error = follow_pointer(w);
		if (error)
			return error;
	}
	size = fgraph_type_size(w->mod, w->type);
	if (!size)
		return GRAPH_PATH_UNKNOWN;
	w->offset += index * size;
	w->pos = end + 1;
	return GRAPH_PATH_GOOD;
}

/* Walk along "->name", ".name" or "[number]". On an error, w->pos is its place. */
static enum graph_path_error walk_to_next(struct path_walk *w)
{
	enum graph_path_error error = GRAPH_PATH_GOOD;
	const char *operator = w->pos++;

	if (*operator == '[') {
		error = walk_to_element(w);
	} else {
		if (*operator == '-') {
			error = follow_pointer(w);
			w->pos++;
		}
		error = error ?: walk_to_member(w);
	}
	/* A missing member or element is the fault of its name, not of the operator. */
	if (error && error != GRAPH_PATH_NO_MEMBER && error != GRAPH_PATH_INDEX)
		w->pos = operator;
	return error;
}

/**
 * graph_type_value - make a value of a type
 * @value:	set to the value, in the first words
 * @mod:	the module of the function that leads to it, or NULL
 * @type:	the type of a member
 *
 * Context: any, after fgraph_index_members(), with the members locked.
 */
void graph_type_value(struct fgraph_value *value, const struct module *mod, const char *type)
{
	*value = (struct fgraph_value){ .type = type, .place = FGRAPH_IN_WORDS };
	value->base = fgraph_base_type(type, &value->form);
	value->bytes = fgraph_type_size(mod, type);
	/* An ID of a user is a number in a struct. */
	if (*value->base == 'S' && value->form == FGRAPH_DECIMAL && value->bytes == sizeof(u32))
		value->base = "j";
	if (*value->base == 'C')
		value->enumerators = fgraph_find_enumerators(mod, type);
	value->words = DIV_ROUND_UP(value->bytes, sizeof(long));
}

/**
 * graph_copy_type - copy the type of a value
 * @value:	the value, which uses the copy from now on
 * @to:		room for the copy
 * @len:	the length of the type
 */
void graph_copy_type(struct fgraph_value *value, char *to, size_t len)
{
	/* The base is a part of the type, or a constant. */
	if (value->base >= value->type && value->base < value->type + len)
		value->base = to + (value->base - value->type);
	value->type = memcpy(to, value->type, len);
}

/* End a path at a char array. That at the end of a struct may have no length. */
static enum graph_path_error end_at_array(struct graph_path *path, const char *array)
{
	path->end = GRAPH_PATH_TEXT_IN;
	path->max = simple_strtoul(array + 1, NULL, 10) ?: U32_MAX;
	return *base_of(strchr(array, '_') + 1) == 'c' ? GRAPH_PATH_GOOD : GRAPH_PATH_TYPE;
}

/* Set @value to the number or the text that the path leads to. */
static enum graph_path_error end_path(struct path_walk *w, struct fgraph_value *value)
{
	struct graph_path *path = w->path;

	graph_type_value(value, w->mod, w->type);
	path->steps[path->nr_steps++] = w->offset;
	if (*value->base == 'A')
		return end_at_array(path, value->base);
	if (!value->bytes || value->bytes > sizeof(u64) || strchr("SUF", *value->base))
		return GRAPH_PATH_TYPE;
	path->is_signed = graph_value_is_signed(value);
	path->bytes = value->bytes;
	path->first = w->member.first;
	path->width = w->member.width;
	if (path->width)
		path->bytes = DIV_ROUND_UP(path->first + path->width, 8);
	return path->bytes <= sizeof(u64) ? GRAPH_PATH_GOOD : GRAPH_PATH_TYPE;
}

/**
 * graph_path_to_text - let a path to a pointer to chars lead to their text
 * @path:	the path, from graph_find_path()
 * @value:	the type of the member
 *
 * Return: false if the path leads to something else. A char array is a text.
 */
bool graph_path_to_text(struct graph_path *path, const struct fgraph_value *value)
{
	if (path->end == GRAPH_PATH_NUMBER && *value->base == 'P' &&
	    strchr("cah", *base_of(value->base + 1)))
		path->end = GRAPH_PATH_TEXT_AT;
	return path->end != GRAPH_PATH_NUMBER;
}

/**
 * graph_find_path - find the path to a member
 * @root:	the argument or the result at which the text begins
 * @accessors:	the text after its name, such as "->f_pos"
 * @len:	the length of @accessors
 * @stars:	the number of "*" before the name
 * @path:	set to the path
 * @value:	set to the type of the member
 * @problem:	set to the details of an error
 *
 * Context: any, with preemption disabled, after fgraph_index_members(), with the members
 * locked. @value is valid until preemption is enabled. Its enumerators are valid until the
 * members are unlocked.
 * Return: GRAPH_PATH_GOOD, or the error.
 */
enum graph_path_error graph_find_path(const struct fgraph_value *root, const char *accessors,
				      size_t len, unsigned int stars, struct graph_path *path,
				      struct fgraph_value *value,
				      struct graph_path_problem *problem)
{
	struct path_walk w = {
		.path = path, .mod = root->sig->mod, .type = root->type, .in_word = true,
		.pos = accessors, .end = accessors + len,
	};
	enum graph_path_error error = GRAPH_PATH_GOOD;

	*path = (struct graph_path){ .of_result = root->is_result, .word = root->word };
	while (!error && w.pos < w.end)
		error = walk_to_next(&w);
	for (; !error && stars; stars--)
		error = follow_pointer(&w);
	*problem = (struct graph_path_problem){
		.at = w.pos - accessors, .st = w.st, .type = w.type,
	};
	if (!error && w.offset > U32_MAX)
		error = GRAPH_PATH_INDEX;
	return error ?: end_path(&w, value);
}
