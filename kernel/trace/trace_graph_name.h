/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of pointers: text, or the name of an object. trace_graph_name.c reads names
 * when a call is recorded, and finds them when it is printed.
 */
#ifndef _KERNEL_TRACE_GRAPH_NAME_H
#define _KERNEL_TRACE_GRAPH_NAME_H

#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>

struct fgraph_sig;
struct fgraph_sig_walk;
struct fgraph_value;
struct trace_seq;

/**
 * struct graph_name - a name in an event
 * @word:	the index of the pointer among the recorded words
 * @flags:	GRAPH_NAME_*
 * @len:	the length of the text, in bytes
 * @skip:	the number of bytes in @text before the text, in bits 0 to 2
 * @text:	aligned words of memory that contain the text. Their other bytes are 0,
 *		except after a text that is cut.
 *
 * Names are stored one after the other. If GRAPH_NAME_NUMBER is set, the last word of a
 * name is a number.
 */
struct graph_name {
	u8			word;
	u8			flags;
	u8			len;
	u8			skip;
	unsigned long		text[];
};

#define GRAPH_NAME_RESULT	BIT(0)	/* @word is a word of the result */
#define GRAPH_NAME_CUT		BIT(1)	/* the text is longer */
#define GRAPH_NAME_NUMBER	BIT(2)	/* the object has a number */
#define GRAPH_NAME_REGS		BIT(3)	/* the text is the arguments of a system call */
#define GRAPH_NAME_ADDRESS	BIT(4)	/* the text is the address of a socket, of any bytes */
#define GRAPH_NAME_MEMBER	BIT(5)	/* a member, see trace_graph_member.c */
#define GRAPH_NAME_UNKNOWN	BIT(6)	/* it could not be read */

/* The maximum length of a text */
#define GRAPH_NAME_BYTES	48
/* The maximum number of words with a text, which may begin anywhere in a word */
#define GRAPH_TEXT_WORDS	(GRAPH_NAME_BYTES / sizeof(long) + 1)
/* The maximum size of a text as a string: with the mark of a cut, and the end */
#define GRAPH_TEXT_BYTES	(GRAPH_NAME_BYTES + sizeof("…"))
/* The maximum size of a name, in words: a struct graph_name and a number */
#define GRAPH_NAME_WORDS	(1 + GRAPH_TEXT_WORDS + 1)
/* The maximum number of arguments of a call with a name */
#define GRAPH_NAMED_ARGS	2
/* The maximum size of the members at the entry of a call, and at its return, in words */
#define GRAPH_MEMBERS_WORDS	24
/* The maximum size of the names of the arguments of a call, those at its return, and all */
#define GRAPH_ARG_NAMES_WORDS	(GRAPH_NAMED_ARGS * GRAPH_NAME_WORDS)
#define GRAPH_RESULT_NAMES_WORDS (GRAPH_NAME_WORDS + GRAPH_MEMBERS_WORDS)
/* The room for members while they are read: the last one may be left out. */
#define GRAPH_MEMBERS_ROOM	(GRAPH_MEMBERS_WORDS + GRAPH_NAME_WORDS)
#define GRAPH_RESULT_ROOM	(GRAPH_NAME_WORDS + GRAPH_MEMBERS_ROOM)
#define GRAPH_NAMES_WORDS \
	(GRAPH_MEMBERS_WORDS + GRAPH_ARG_NAMES_WORDS + GRAPH_RESULT_NAMES_WORDS)

/*
 * A plan describes in 32 bits which words of a call are pointers with a name: for each
 * named argument, its type and the index of its word, then the type of the result. The type
 * of an argument is a row of name_types[], and the size of the length of the text, enum
 * graph_bound.
 */
#define GRAPH_PLAN_ROW_BITS	5
#define GRAPH_PLAN_TYPE_BITS	(GRAPH_PLAN_ROW_BITS + 2)
#define GRAPH_PLAN_WORD_BITS	6
#define GRAPH_PLAN_ARG_BITS	(GRAPH_PLAN_TYPE_BITS + GRAPH_PLAN_WORD_BITS)
#define GRAPH_PLAN_RESULT_SHIFT	(GRAPH_NAMED_ARGS * GRAPH_PLAN_ARG_BITS)

/* A text ends at a zero byte, or the word after the pointer contains its length. */
enum graph_bound {
	GRAPH_BOUND_NONE,
	GRAPH_BOUND_U32	= BIT(GRAPH_PLAN_ROW_BITS),
	GRAPH_BOUND_LONG = 2 * BIT(GRAPH_PLAN_ROW_BITS),
};

static inline u32 graph_plan_args(u32 plan)
{
	return plan & (BIT(GRAPH_PLAN_RESULT_SHIFT) - 1);
}

static inline u32 graph_plan_result(u32 plan)
{
	return plan >> GRAPH_PLAN_RESULT_SHIFT;
}

static __always_inline unsigned int graph_name_skip(const struct graph_name *name)
{
	return name->skip % 8;
}

/* Return the number of words of @name up to the end of its text. */
static __always_inline unsigned int graph_text_words(const struct graph_name *name)
{
	return 1 + DIV_ROUND_UP(graph_name_skip(name) + name->len, sizeof(long));
}

/* Return the words that @name takes, or 0 if it is more than @nr. */
static inline unsigned int graph_name_words(const struct graph_name *name, unsigned int nr)
{
	unsigned int words = graph_text_words(name) + !!(name->flags & GRAPH_NAME_NUMBER);

	return words <= nr ? words : 0;
}

/* Return the name at @names if @nr words contain it, or NULL. */
static inline const struct graph_name *graph_name_at(const unsigned long *names,
						     unsigned int nr)
{
	const struct graph_name *name = (const struct graph_name *)names;

	return nr && graph_name_words(name, nr) ? name : NULL;
}

static inline const struct graph_name *graph_next_name(const struct graph_name *name,
						       const unsigned long *end)
{
	const unsigned long *next = (const unsigned long *)name;

	next += graph_name_words(name, UINT_MAX);
	return graph_name_at(next, end - next);
}

#define for_each_graph_name(name, names, nr)				\
	for (name = graph_name_at(names, nr); name;			\
	     name = graph_next_name(name, (names) + (nr)))

#ifdef CONFIG_FUNCTION_GRAPH_NAMES
bool graph_read_text(struct graph_name *name, unsigned long addr, unsigned long max);
void print_graph_text(struct trace_seq *s, const struct graph_name *name);
u32 graph_plan_names(unsigned long func, const struct fgraph_sig *sig);
unsigned int graph_text_type(unsigned long func, const struct fgraph_sig_walk *walk,
			     const struct fgraph_value *value);
bool graph_add_to_plan(u32 *plan, unsigned int type, unsigned int word);
u32 graph_merge_plans(u32 plan, u32 more);
bool graph_copy_name(const struct graph_name *name, char *text);
bool graph_copy_text(const unsigned long *names, unsigned int nr, unsigned int word,
		     bool of_result, char *text);
unsigned int graph_read_name(unsigned int row, unsigned int word, u8 flags,
			     unsigned long ptr, unsigned long max, unsigned long *to);
void print_graph_pointer_name(struct trace_seq *s, const unsigned long *names,
			      unsigned int nr, unsigned int word, bool of_result);

/* Return the maximum length of the text of an argument, given the word after the pointer. */
static __always_inline unsigned long graph_text_bound(unsigned int type, unsigned long next)
{
	if (type & GRAPH_BOUND_U32)
		return (u32)next;
	return type & GRAPH_BOUND_LONG ? next : ULONG_MAX;
}

/*
 * Read the names of the arguments of a call, given its @nr recorded words @args. @names
 * has room for GRAPH_ARG_NAMES_WORDS; use at most @max of them. Return the number of words
 * in @names.
 */
static __always_inline unsigned int
graph_read_arg_names(u32 plan, const unsigned long *args, unsigned int nr,
		     unsigned long *names, unsigned int max)
{
	unsigned int type, word, more, words = 0;
	unsigned long bound;

	for (plan = graph_plan_args(plan); plan; plan >>= GRAPH_PLAN_ARG_BITS) {
		type = plan & (BIT(GRAPH_PLAN_TYPE_BITS) - 1);
		word = plan >> GRAPH_PLAN_TYPE_BITS & (BIT(GRAPH_PLAN_WORD_BITS) - 1);
		if (word >= nr)
			continue;
		/* If the length was not recorded, the text has no known end. */
		if (type >> GRAPH_PLAN_ROW_BITS && word + 1 >= nr)
			continue;
		bound = graph_text_bound(type, word + 1 < nr ? args[word + 1] : 0);
		more = graph_read_name(type & (BIT(GRAPH_PLAN_ROW_BITS) - 1), word, 0,
				       args[word], bound, names + words);
		if (words + more <= max)
			words += more;
	}
	return words;
}

/*
 * Read the name of a result, given its first word. @name has room for GRAPH_NAME_WORDS.
 * Return the number of words in @name.
 */
static __always_inline unsigned int
graph_read_result_name(u32 plan, unsigned long result, unsigned long *name)
{
	if (!graph_plan_result(plan) || IS_ERR_OR_NULL((void *)result))
		return 0;
	return graph_read_name(graph_plan_result(plan), 0, GRAPH_NAME_RESULT, result,
			       ULONG_MAX, name);
}
#else
static inline bool graph_copy_name(const struct graph_name *name, char *text)
{
	return false;
}

static inline u32 graph_merge_plans(u32 plan, u32 more)
{
	return 0;
}

static inline u32 graph_plan_names(unsigned long func, const struct fgraph_sig *sig)
{
	return 0;
}

static inline void print_graph_pointer_name(struct trace_seq *s,
					    const unsigned long *names, unsigned int nr,
					    unsigned int word, bool of_result) { }
#endif

#endif /* _KERNEL_TRACE_GRAPH_NAME_H */
