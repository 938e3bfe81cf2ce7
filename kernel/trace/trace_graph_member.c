// SPDX-License-Identifier: GPL-2.0
/*
 * Members of calls: what is read behind the pointers of a call, and how it prints.
 *
 * Each member that was ever asked for has an ID. An event contains the ID and the value, as
 * a name of GRAPH_NAME_MEMBER: see trace_graph_name.h. A member is never freed, because
 * buffers and snapshots may contain its ID.
 */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>

#include "fgraph_members.h"
#include "trace_graph_member.h"
#include "trace_graph_name.h"
#include "trace_graph_read.h"
#include "trace_graph_value.h"

/* An ID has the bits of &graph_name.word, and those of &graph_name.skip above a place in a word. */
#define GRAPH_MAX_MEMBERS	BIT(8 + 5)
#define GRAPH_ID_SHIFT		3

/**
 * struct graph_member - a member
 * @path:	the way to it
 * @value:	its type. The texts that it points to are in @text.
 * @text:	the member, as it was written; the type and the enumerators follow
 *
 * The table that describes the type may be that of a module, which is freed earlier.
 */
struct graph_member {
	struct graph_path	path;
	struct fgraph_value	value;
	char			text[];
};

/* The members by their IDs. 0 is no ID. */
static struct graph_member **graph_members;
static unsigned int graph_nr_members = 1;
static DEFINE_MUTEX(graph_members_mutex);

/* IDs */

static struct graph_member *make_member(const struct graph_path *path,
					const struct fgraph_value *value, const char *text,
					size_t len)
{
	size_t type_len = fgraph_skip_member_type(value->type) - value->type;
	size_t enums_len = value->enumerators ? strlen(value->enumerators) : 0;
	size_t room = len + 1 + type_len + 1 + enums_len + 1;
	struct graph_member *member;
	char *type;

	member = kzalloc(struct_size(member, text, room), GFP_KERNEL);
	if (!member)
		return NULL;
	member->path = *path;
	memcpy(member->text, text, len);
	type = member->text + len + 1;
	member->value = *value;
	graph_copy_type(&member->value, type, type_len);
	if (value->enumerators)
		member->value.enumerators = memcpy(type + type_len + 1, value->enumerators,
						   enums_len);
	return member;
}

/* Return true if two types print in the same way. Two modules may have enums of one name. */
static bool is_same_type(const struct fgraph_value *a, const struct fgraph_value *b)
{
	return a->bytes == b->bytes && !strncmp(a->type, b->type, strlen(a->type)) &&
		!strcmp(a->enumerators ?: "", b->enumerators ?: "");
}

static bool is_member(const struct graph_member *member, const struct graph_path *path,
		      const struct fgraph_value *value, const char *text, size_t len)
{
	return !memcmp(&member->path, path, sizeof(*path)) && strlen(member->text) == len &&
		!memcmp(member->text, text, len) && is_same_type(&member->value, value);
}

/* Return the ID of a member, or an error. Needs graph_members_mutex. */
static int find_or_add_member(const struct graph_path *path, const struct fgraph_value *value,
			      const char *text, size_t len)
{
	unsigned int id;

	if (!graph_members)
		graph_members = kvcalloc(GRAPH_MAX_MEMBERS, sizeof(*graph_members), GFP_KERNEL);
	if (!graph_members)
		return -ENOMEM;
	for (id = 1; id < graph_nr_members; id++)
		if (is_member(graph_members[id], path, value, text, len))
			return id;
	if (id == GRAPH_MAX_MEMBERS)
		return -ENOSPC;
	graph_members[id] = make_member(path, value, text, len);
	if (!graph_members[id])
		return -ENOMEM;
	/* A call that uses the ID finds the member. */
	smp_store_release(&graph_nr_members, id + 1);
	return id;
}

/**
 * graph_get_member - find the ID of a member, or give it one
 * @path:	the path, from graph_find_path()
 * @value:	the type of the member
 * @text:	the member, as it is written
 * @len:	the length of @text
 *
 * Context: may sleep.
 * Return: the ID, or an error.
 */
int graph_get_member(const struct graph_path *path, const struct fgraph_value *value,
		     const char *text, size_t len)
{
	int id;

	mutex_lock(&graph_members_mutex);
	id = find_or_add_member(path, value, text, len);
	mutex_unlock(&graph_members_mutex);
	return id;
}

/**
 * graph_add_members - add members to a list
 * @list:	the list
 * @more:	the members
 *
 * Return: false if there is no room for them.
 */
bool graph_add_members(struct graph_member_list *list, const struct graph_member_list *more)
{
	unsigned int i, j;

	for (i = 0; i < more->nr; i++) {
		for (j = 0; j < list->nr && list->ids[j] != more->ids[i]; j++)
			;
		if (j == GRAPH_CALL_MEMBERS)
			return false;
		list->ids[j] = more->ids[i];
		list->nr = max_t(u8, list->nr, j + 1);
	}
	return true;
}

/* Read */

/* Find the address of a member. Return false if a pointer on the way cannot be read. */
static __always_inline bool walk_path(const struct graph_path *path, unsigned long addr,
				      unsigned long *to)
{
	unsigned int i;

	for (i = 0; i < path->nr_steps - 1; i++)
		if (!graph_read_word(&addr, addr + path->steps[i]))
			return false;
	*to = addr + path->steps[i];
	return true;
}

/* Read @bytes bytes, of which at most the last word is in another page than the first one. */
static __always_inline bool read_bits(u64 *bits, unsigned long addr, unsigned int bytes)
{
	unsigned int skip = addr % sizeof(long), i;
	unsigned long word;
	int shift;

	*bits = 0;
	for (i = 0; i * sizeof(long) < skip + bytes; i++) {
		if (!graph_read_word(&word, addr - skip + i * sizeof(long)))
			return false;
		/* All archs with signatures are little-endian. */
		shift = 8 * ((int)(i * sizeof(long)) - (int)skip);
		*bits |= shift < 0 ? word >> -shift : (u64)word << shift;
	}
	return true;
}

/* Read a number, and extend its sign. */
static __always_inline bool read_member_number(const struct graph_path *path,
					       unsigned long addr, u64 *number)
{
	unsigned int width = path->width ?: 8 * path->bytes;
	u64 bits;

	if (!read_bits(&bits, addr, path->bytes))
		return false;
	bits >>= path->first;
	if (path->is_signed)
		bits = sign_extend64(bits, width - 1);
	else if (width < 64)
		bits &= BIT_ULL(width) - 1;
	*number = bits;
	return true;
}

static __always_inline bool read_member_text(const struct graph_path *path,
					     unsigned long addr, struct graph_name *name)
{
	if (path->end == GRAPH_PATH_TEXT_IN)
		return graph_read_text(name, addr, path->max);
	return graph_read_word(&addr, addr) && graph_read_text(name, addr, ULONG_MAX);
}

/* Read the value of a member, given the pointer at which its path begins. */
static bool read_member(const struct graph_path *path, unsigned long pointer,
			struct graph_name *name)
{
	unsigned long addr;
	u64 number;

	if (!walk_path(path, pointer, &addr))
		return false;
	if (path->end != GRAPH_PATH_NUMBER)
		return read_member_text(path, addr, name);
	if (!read_member_number(path, addr, &number))
		return false;
	name->len = sizeof(number);
	memcpy(name->text, &number, sizeof(number));
	return true;
}

/**
 * graph_read_member - read a member
 * @id:		the member
 * @pointer:	the pointer at which its path begins
 * @to:		room for GRAPH_NAME_WORDS, set to a name
 *
 * Context: any, with preemption disabled.
 * Return: the number of words in @to.
 */
unsigned int graph_read_member(unsigned int id, unsigned long pointer, unsigned long *to)
{
	const struct graph_member *member = graph_members[id];
	struct graph_name *name = (struct graph_name *)to;

	/* With 64 bits, the fields do not fill their word. */
	to[0] = 0;
	/* The handler of a page fault must not wait for a lock. */
	pagefault_disable();
	if (!read_member(&member->path, pointer, name)) {
		to[0] = 0;
		name->flags = GRAPH_NAME_UNKNOWN;
	}
	pagefault_enable();
	name->flags |= GRAPH_NAME_MEMBER;
	name->word = id;
	name->skip |= id >> 8 << GRAPH_ID_SHIFT;
	return graph_text_words(name);
}

/* Add a member to @words words of @names. Return the number of words then. */
static unsigned int add_member(unsigned int id, unsigned long pointer, u8 flags,
			       unsigned long *names, unsigned int words, unsigned int max)
{
	unsigned int more = graph_read_member(id, pointer, names + words);

	if (words + more > max)
		return words;
	((struct graph_name *)(names + words))->flags |= flags;
	return words + more;
}

/**
 * graph_read_members - read members of the arguments of a call
 * @list:	the members
 * @args:	the words of the arguments
 * @nr:		the number of @args
 * @names:	room for GRAPH_MEMBERS_ROOM
 * @max:	the maximum number of words to use
 *
 * Context: any, with preemption disabled.
 * Return: the number of words in @names.
 */
unsigned int graph_read_members(const struct graph_member_list *list,
				const unsigned long *args, unsigned int nr,
				unsigned long *names, unsigned int max)
{
	unsigned int i, word, words = 0;

	max = min_t(unsigned int, max, GRAPH_MEMBERS_WORDS);
	for (i = 0; i < list->nr; i++) {
		word = graph_members[list->ids[i]]->path.word;
		if (word < nr)
			words = add_member(list->ids[i], args[word], 0, names, words, max);
	}
	return words;
}

/**
 * graph_read_return_members - read members of a call at its return
 * @list:	the members
 * @args:	the words of the arguments, as at the entry
 * @nr:		the number of @args
 * @result:	the first word of the result
 * @names:	room for GRAPH_MEMBERS_ROOM
 *
 * Context: any, with preemption disabled.
 * Return: the number of words in @names.
 */
unsigned int graph_read_return_members(const struct graph_member_list *list,
				       const unsigned long *args, unsigned int nr,
				       unsigned long result, unsigned long *names)
{
	const struct graph_path *path;
	unsigned int i, words = 0;

	for (i = 0; i < list->nr; i++) {
		path = &graph_members[list->ids[i]]->path;
		if (path->of_result || path->word < nr)
			words = add_member(list->ids[i],
					   path->of_result ? result : args[path->word],
					   GRAPH_NAME_RESULT, names, words,
					   GRAPH_MEMBERS_WORDS);
	}
	return words;
}

/* Find */

static unsigned int name_id(const struct graph_name *name)
{
	return name->word | name->skip >> GRAPH_ID_SHIFT << 8;
}

static bool is_of_id(const struct graph_name *name, unsigned int id)
{
	return name->flags & GRAPH_NAME_MEMBER && name_id(name) == id;
}

/**
 * graph_find_member_name - find a member in the names of a call
 * @names:	the names
 * @nr:		the number of words in @names
 * @id:		the member
 *
 * Return: the name, or NULL if the member is not known.
 */
const struct graph_name *graph_find_member_name(const unsigned long *names, unsigned int nr,
						unsigned int id)
{
	const struct graph_name *name;

	for_each_graph_name(name, names, nr)
		if (is_of_id(name, id))
			return name->flags & GRAPH_NAME_UNKNOWN ? NULL : name;
	return NULL;
}

/**
 * graph_count_member_words - find the size of the members of a call
 * @names:	its names, in which members come first
 * @nr:		the number of words in @names
 *
 * Return: the number of words that members take.
 */
unsigned int graph_count_member_words(const unsigned long *names, unsigned int nr)
{
	const struct graph_name *name;

	for_each_graph_name(name, names, nr)
		if (!(name->flags & GRAPH_NAME_MEMBER))
			return (const unsigned long *)name - names;
	return nr;
}

/* Return the number in a name, which is a member that is a number. */
u64 graph_member_number(const struct graph_name *name)
{
	u64 number;

	memcpy(&number, name->text, sizeof(number));
	return number;
}

/* Print */

static void print_number(struct trace_seq *s, const struct graph_member *member,
			 const struct graph_name *name, const struct trace_iterator *iter)
{
	struct graph_words words = {
		.words = name->text, .nr = member->value.words, .iter = iter,
	};

	print_graph_value(s, &member->value, &words);
}

static void print_member(struct trace_seq *s, const struct graph_name *name,
			 const struct trace_iterator *iter)
{
	unsigned int id = name_id(name);
	const struct graph_member *member;

	/* Pairs with find_or_add_member(). */
	if (!id || id >= smp_load_acquire(&graph_nr_members))
		return;
	member = graph_members[id];
	trace_seq_printf(s, "%s=", member->text);
	if (name->flags & GRAPH_NAME_UNKNOWN)
		trace_seq_puts(s, "<unknown>");
	else if (member->path.end != GRAPH_PATH_NUMBER)
		print_graph_text(s, name);
	else
		print_number(s, member, name, iter);
}

/* Return true for a member that was read at the return, or at the entry. */
static bool is_member_of(const struct graph_name *name, bool of_return)
{
	return name->flags & GRAPH_NAME_MEMBER &&
		!!(name->flags & GRAPH_NAME_RESULT) == of_return;
}

/**
 * graph_has_members - look for members among names
 * @names:	the names
 * @nr:		the number of words in @names
 * @of_return:	look for those that were read at the return, not at the entry
 *
 * Return: true if there is one.
 */
bool graph_has_members(const unsigned long *names, unsigned int nr, bool of_return)
{
	const struct graph_name *name;

	for_each_graph_name(name, names, nr)
		if (is_member_of(name, of_return))
			return true;
	return false;
}

/**
 * print_graph_members - print the members of a call that were read at its entry
 * @s:		the buffer to print to
 * @args:	what was recorded of the call
 * @separator:	what to print before the first member
 *
 * Context: any, with preemption disabled.
 */
void print_graph_members(struct trace_seq *s, const struct graph_words *args,
			 const char *separator)
{
	const struct graph_name *name;

	for_each_graph_name(name, args->names, args->nr_names) {
		if (!is_member_of(name, false))
			continue;
		trace_seq_puts(s, separator);
		print_member(s, name, args->iter);
		separator = ", ";
	}
}

/**
 * print_graph_return_members - print the members that were read at the return of a call
 * @s:		the buffer to print to
 * @ret:	what was recorded of the return
 *
 * Context: any, with preemption disabled.
 */
void print_graph_return_members(struct trace_seq *s, const struct graph_words *ret)
{
	const struct graph_name *name;

	for_each_graph_name(name, ret->names, ret->nr_names) {
		if (!is_member_of(name, true))
			continue;
		trace_seq_putc(s, ' ');
		print_member(s, name, ret->iter);
	}
}
