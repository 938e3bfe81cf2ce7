/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members: values behind the pointers of a call, such as file->f_path.dentry->d_name.name.
 *
 *	once per function:	graph_find_path() -> struct graph_path
 *	once per rule:		graph_get_member() -> the ID of a member
 *	entry of a call:	graph_read_members() -> struct graph_name, with the ID
 *	return:			graph_find_member_name() -> its value
 *	trace:			print_graph_members() -> file->f_flags=0x8000
 */
#ifndef _KERNEL_TRACE_GRAPH_MEMBER_H
#define _KERNEL_TRACE_GRAPH_MEMBER_H

#include <linux/types.h>

#include "fgraph_members.h"
#include "fgraph_sig.h"

struct graph_name;
struct graph_words;
struct trace_seq;

/* The maximum number of pointers to follow, and of members to read of a call */
#define GRAPH_PATH_STEPS	5
#define GRAPH_CALL_MEMBERS	6

/* The end of a path */
enum graph_path_end {
	GRAPH_PATH_NUMBER,
	GRAPH_PATH_TEXT_IN,	/* a char array */
	GRAPH_PATH_TEXT_AT,	/* a pointer to text */
};

/**
 * struct graph_path - the way from a pointer to a member
 * @steps:	offsets. Each but the last leads to a pointer.
 * @nr_steps:	the number of @steps
 * @of_result:	the pointer is the result
 * @at_return:	the member of an argument is read at the return
 * @word:	the index of the word of the pointer
 * @end:	enum graph_path_end
 * @bytes:	the number of bytes of the number
 * @first:	its first bit, if it is a bit field
 * @width:	its number of bits, if it is a bit field, or 0
 * @is_signed:	the number is signed
 * @max:	the number of chars of the array
 */
struct graph_path {
	u32			steps[GRAPH_PATH_STEPS];
	u8			nr_steps;
	bool			of_result;
	bool			at_return;
	u8			word;
	u8			end;
	u8			bytes;
	u8			first;
	u8			width;
	bool			is_signed;
	u32			max;
};

/**
 * struct graph_member_list - the members to read of a call
 * @ids:	their IDs
 * @nr:		their number
 */
struct graph_member_list {
	u16			ids[GRAPH_CALL_MEMBERS];
	u8			nr;
};

/**
 * struct graph_path_problem - why there is no path
 * @at:		the place of the error in the text
 * @st:		with GRAPH_PATH_NO_MEMBER: the struct
 * @type:	with GRAPH_PATH_NO_MEMBER: its type
 */
struct graph_path_problem {
	size_t			at;
	struct fgraph_struct	st;
	const char		*type;
};

/* The reasons why there is no path */
enum graph_path_error {
	GRAPH_PATH_GOOD,
	GRAPH_PATH_SYNTAX,
	GRAPH_PATH_NO_POINTER,	/* "->", "*" or "[]" of something else */
	GRAPH_PATH_NO_STRUCT,	/* "." or "->" of something else */
	GRAPH_PATH_UNKNOWN,	/* the struct is not described */
	GRAPH_PATH_AMBIGUOUS,	/* there are several structs of this name */
	GRAPH_PATH_NO_MEMBER,
	GRAPH_PATH_INDEX,
	GRAPH_PATH_LONG,
	GRAPH_PATH_TYPE,
};

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
/* trace_graph_path.c */
size_t graph_name_length(const char *name);
size_t graph_member_length(const char *text);
bool graph_path_to_text(struct graph_path *path, const struct fgraph_value *value);
void graph_type_value(struct fgraph_value *value, const struct module *mod, const char *type);
void graph_copy_type(struct fgraph_value *value, char *to, size_t len);
enum graph_path_error graph_find_path(const struct fgraph_value *root, const char *accessors,
				      size_t len, unsigned int stars, struct graph_path *path,
				      struct fgraph_value *value,
				      struct graph_path_problem *problem);

/* trace_graph_member.c */
int graph_get_member(const struct graph_path *path, const struct fgraph_value *value,
		     const char *text, size_t len);
bool graph_add_members(struct graph_member_list *list, const struct graph_member_list *more);
unsigned int graph_read_members(const struct graph_member_list *list,
				const unsigned long *args, unsigned int nr,
				unsigned long *names, unsigned int max);
unsigned int graph_read_return_members(const struct graph_member_list *list,
				       const unsigned long *args, unsigned int nr,
				       unsigned long result, unsigned long *names);
unsigned int graph_read_member(unsigned int id, unsigned long pointer, unsigned long *to);
const struct graph_name *graph_find_member_name(const unsigned long *names, unsigned int nr,
						unsigned int id);
u64 graph_member_number(const struct graph_name *name);
unsigned int graph_count_member_words(const unsigned long *names, unsigned int nr);
bool graph_has_members(const unsigned long *names, unsigned int nr, bool of_return);
void print_graph_members(struct trace_seq *s, const struct graph_words *args,
			 const char *separator);
void print_graph_return_members(struct trace_seq *s, const struct graph_words *ret);
#else
static inline bool graph_add_members(struct graph_member_list *list,
				     const struct graph_member_list *more)
{
	return true;
}

static inline unsigned int
graph_read_return_members(const struct graph_member_list *list, const unsigned long *args,
			  unsigned int nr, unsigned long result, unsigned long *names)
{
	return 0;
}

static inline unsigned int graph_count_member_words(const unsigned long *names,
						    unsigned int nr)
{
	return 0;
}

static inline bool graph_has_members(const unsigned long *names, unsigned int nr,
				     bool of_return)
{
	return false;
}

static inline void print_graph_members(struct trace_seq *s, const struct graph_words *args,
				       const char *separator) { }
static inline void print_graph_return_members(struct trace_seq *s,
					      const struct graph_words *ret) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_MEMBER_H */
