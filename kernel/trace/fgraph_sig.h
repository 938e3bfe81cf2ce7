/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signatures of functions, for who records and prints their values:
 *
 *	fgraph_sig.c		the tables, and how the signature of a function is
 *				found
 *	fgraph_hash.c		the hash where it is found fast, when it is called
 *	fgraph_sig_text.c	what a signature says: prototypes, and where the
 *				values are
 *	fgraph_sig_list.c	the file function_signatures
 *	fgraph_sig_module.c	the table of the kernel, if it is a module
 *
 * A signature can go with its module, or with the module that holds those of the
 * kernel. It stays as long as preemption is disabled: disable it before it is
 * looked up, and until all that was found by it is out of use.
 */
#ifndef _KERNEL_TRACE_FGRAPH_SIG_H
#define _KERNEL_TRACE_FGRAPH_SIG_H

#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/fgraph_sig_format.h>

struct module;
struct seq_buf;
struct seq_file;
struct trace_iterator;

/* The linker provides them: the table of the kernel, and its notes */
extern const struct fgraph_site __start_fgraph_sites[];
extern const struct fgraph_site __stop_fgraph_sites[];
extern const void __start_notes __weak;
extern const void __stop_notes __weak;

/* What only tests need of the core */
#if IS_MODULE(CONFIG_FGRAPH_VALUES_KUNIT_TEST)
#define EXPORT_SYMBOL_FGRAPH_KUNIT(symbol)	EXPORT_SYMBOL_GPL(symbol)
#else
#define EXPORT_SYMBOL_FGRAPH_KUNIT(symbol)
#endif

/**
 * struct fgraph_sig - a signature, as it was found
 * @text:	the signature
 * @site:	its entry in the table
 * @end:	the end of the table
 * @iter:	at the event that is printed by it: functions that came later lend it
 *		no names; NULL if there is none
 */
struct fgraph_sig {
	const char		*text;
	const struct fgraph_site *site;
	const struct fgraph_site *end;
	const struct trace_iterator *iter;
};

/**
 * struct fgraph_sig_blob - the signatures of the kernel, in a module
 * @version:	of the format, see fgraph_sig_version()
 * @nr_sites:	how many there are; 0 as long as the build has not filled it
 * @size:	how many bytes it has, this and the strings included
 * @build_id:	of the vmlinux that it describes
 * @sites:	sorted; their words "site" are right if the blob lay at _stext
 *
 * The strings follow.
 */
struct fgraph_sig_blob {
	u32			version;
	u32			nr_sites;
	u32			size;
	u8			build_id[20];
	struct fgraph_site	sites[];
};

/* What is special of where a value is */
enum fgraph_place {
	FGRAPH_IN_WORDS,
	FGRAPH_BY_REFERENCE,
	FGRAPH_OPTIMIZED_OUT,
	FGRAPH_NOT_RECORDED,
};

/**
 * struct fgraph_type - a row of FGRAPH_TYPES
 * @name:	in C
 * @bytes:	the size of a value, or FGRAPH_WORDS(n)
 * @kind:	how a value prints
 */
struct fgraph_type {
	const char		*name;
	signed char		bytes;
	enum fgraph_kind	kind;
};

/**
 * struct fgraph_value - a parameter or the result of a function
 * @sig:		the signature that it is of
 * @name:		its name, not terminated
 * @name_len:		the length of @name, 0 if it has none
 * @type:		its type, as it is declared
 * @base:		the same without typedefs and qualifiers
 * @enumerators:	those of an enum, or NULL
 * @place:		where it is
 * @word:		the first recorded word of it
 * @words:		how many recorded words it has
 * @bytes:		how many bytes of them are its own
 * @sized:		the signature tells @bytes, it is not by its type
 * @decimal:		it is a size or an offset, see FGRAPH_DECIMAL_NAMES
 */
struct fgraph_value {
	const struct fgraph_sig	*sig;
	const char		*name;
	unsigned int		name_len;
	const char		*type;
	const char		*base;
	const char		*enumerators;
	enum fgraph_place	place;
	unsigned int		word;
	unsigned int		words;
	unsigned int		bytes;
	bool			sized;
	bool			decimal;
};

/**
 * struct fgraph_sig_walk - a walk over the values of a signature
 * @variadic:	at the end: it has a "..." after its parameters
 * @broken:	at the end: it is no signature from here on
 */
struct fgraph_sig_walk {
	bool			variadic;
	bool			broken;

	/* private: */
	const char		*pos;
	const struct fgraph_sig	*sig;
	unsigned int		enums;
	unsigned int		word;
};

/* Stands for that of a function that has none: nothing is recorded of its calls */
#define FGRAPH_NO_SIGNATURE	"0"

/* The counts at the start of a signature: what to record of a call */
static inline unsigned long fgraph_sig_count(char digit)
{
	return (unsigned long)digit - '0';
}

static inline unsigned long fgraph_sig_regs(const char *text)
{
	return fgraph_sig_count(text[0]);
}

static inline unsigned long fgraph_sig_stack(const char *text)
{
	return text[1] == '+' ? fgraph_sig_count(text[2]) : 0;
}

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
/* Few results take two words: hardly any other function has a bit of those. */
#define FGRAPH_WIDE_BITS	65536

extern unsigned long fgraph_wide_results[];

/* Functions are a few bytes apart, most of them 16, which is as good as a hash. */
static __always_inline unsigned long fgraph_wide_bit(unsigned long func)
{
	return (func >> 4) % FGRAPH_WIDE_BITS;
}

/*
 * Whether the result of @func may take two words: each that is known to has its bit.
 * It costs a few instructions, where fgraph_result_is_wide() is exact, and slow.
 */
static __always_inline bool fgraph_may_be_wide(unsigned long func)
{
	return test_bit(fgraph_wide_bit(func), fgraph_wide_results);
}

/* fgraph_sig.c */
const char *fgraph_find_text(unsigned long func);
bool fgraph_find_signature(unsigned long func, struct fgraph_sig *sig);
bool fgraph_result_is_wide(unsigned long func);
void fgraph_module_comes(const struct module *mod);
int fgraph_sort_sites(struct fgraph_site *sites, unsigned int nr);
int fgraph_add_signatures(const struct fgraph_sig_blob *blob,
			  const struct module *mod);
void fgraph_remove_signatures(void);

/* fgraph_hash.c */
void fgraph_signatures_get(void);
void fgraph_signatures_put(void);
void fgraph_signatures_changed(void);

/* fgraph_sig_text.c */
const struct fgraph_type *fgraph_find_type(char letter);
bool fgraph_sig_result(struct fgraph_sig_walk *walk, const struct fgraph_sig *sig,
		       struct fgraph_value *value);
bool fgraph_sig_parameter(struct fgraph_sig_walk *walk,
			  struct fgraph_value *value);
unsigned int fgraph_sig_result_words(const char *text);
bool fgraph_strings_are_good(const struct fgraph_site *sites, u32 nr,
			     const char *strings, size_t size);
void fgraph_print_prototype(struct seq_buf *s, const struct fgraph_sig *sig,
			    const char *name);

/* fgraph_sig_list.c */
int fgraph_show_signature(struct seq_file *m, unsigned long func);
#else
static inline const char *fgraph_find_text(unsigned long func)
{
	return FGRAPH_NO_SIGNATURE;
}

static inline bool fgraph_find_signature(unsigned long func,
					 struct fgraph_sig *sig)
{
	return false;
}

static inline bool fgraph_may_be_wide(unsigned long func)
{
	return false;
}

static inline bool fgraph_result_is_wide(unsigned long func)
{
	return false;
}

static inline void fgraph_module_comes(const struct module *mod) { }
static inline void fgraph_signatures_get(void) { }
static inline void fgraph_signatures_put(void) { }
static inline void fgraph_signatures_changed(void) { }
#endif

#endif /* _KERNEL_TRACE_FGRAPH_SIG_H */
