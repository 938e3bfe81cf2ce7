/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The signatures of functions, used to record and print arguments and results:
 *
 *	fgraph_sig.c		the tables of signatures, and the lookup of a function
 *				in them
 *	fgraph_sig_text.c	the parser of signatures: prototypes, and the places of
 *				values
 *	fgraph_sig_list.c	the file function_signatures
 *	fgraph_sig_module.c	the table of the kernel, if it is built as a module
 *
 * A signature is freed when its module is unloaded, or when the module that contains
 * the table of the kernel is unloaded. A signature remains valid while preemption is
 * disabled. So disable preemption before the lookup, and enable it only after the last
 * use of the signature and of all pointers into it.
 */
#ifndef _KERNEL_TRACE_FGRAPH_SIG_H
#define _KERNEL_TRACE_FGRAPH_SIG_H

#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/fgraph_sig_format.h>

struct module;
struct seq_buf;
struct seq_file;

/* The linker defines these symbols: the table of the kernel, and its notes. */
extern const struct fgraph_site __start_fgraph_sites[];
extern const struct fgraph_site __stop_fgraph_sites[];
extern const void __start_notes __weak;
extern const void __stop_notes __weak;

/* Export a symbol of the core for KUnit tests that are built as modules. */
#if IS_MODULE(CONFIG_FGRAPH_VALUES_KUNIT_TEST)
#define EXPORT_SYMBOL_FGRAPH_KUNIT(symbol)	EXPORT_SYMBOL_GPL(symbol)
#else
#define EXPORT_SYMBOL_FGRAPH_KUNIT(symbol)
#endif

/**
 * struct fgraph_sig - the result of a lookup of a signature
 * @text:	the signature
 * @site:	the first entry of the function in the table
 * @end:	the end of the table
 * @mod:	the module of the function, or NULL
 */
struct fgraph_sig {
	const char		*text;
	const struct fgraph_site *site;
	const struct fgraph_site *end;
	const struct module	*mod;
};

/**
 * struct fgraph_sig_blob - the table of the kernel, in a module
 * @version:	the version of the format, see fgraph_sig_version()
 * @nr_sites:	the number of @sites; 0 until the build fills in the table
 * @size:	the size of this header, @sites and the strings, in bytes
 * @build_id:	the build ID of the vmlinux that the table describes
 * @sites:	the sorted entries; each &fgraph_site.site is computed as if the blob
 *		were located at _stext
 *
 * The strings follow @sites.
 */
struct fgraph_sig_blob {
	u32			version;
	u32			nr_sites;
	u32			size;
	u8			build_id[20];
	struct fgraph_site	sites[];
};

/* The form of a value, which its typedef or its function can define */
enum fgraph_form {
	FGRAPH_PLAIN,
	FGRAPH_DECIMAL,		/* a size, an offset or an ID */
	FGRAPH_OCTAL,		/* the mode of a file */
	FGRAPH_DEVICE,		/* major:minor */
	FGRAPH_GFP,		/* flags of an allocation */
	FGRAPH_BIG_ENDIAN,
	FGRAPH_NO_ERROR,	/* negative numbers are not errors */
	FGRAPH_XA_ENTRY,	/* an entry of an XArray */
	FGRAPH_BLK_STATUS,
	FGRAPH_VM_FAULT,
	FGRAPH_NETDEV_TX,
};

/* Return true if a small positive number of this form may be an error. */
static inline bool fgraph_is_status(enum fgraph_form form)
{
	return form >= FGRAPH_BLK_STATUS;
}

/* The place of a value, as the signature describes it */
enum fgraph_place {
	FGRAPH_IN_WORDS,
	FGRAPH_BY_REFERENCE,
	FGRAPH_OPTIMIZED_OUT,
	FGRAPH_NOT_RECORDED,
};

/**
 * struct fgraph_type - a row of FGRAPH_TYPES
 * @name:	the name of the type in C
 * @bytes:	the size of a value, or FGRAPH_WORDS(n)
 * @kind:	the way to print a value
 */
struct fgraph_type {
	const char		*name;
	signed char		bytes;
	enum fgraph_kind	kind;
};

/**
 * struct fgraph_value - a parameter or the result of a function
 * @sig:		the signature that contains the value
 * @name:		the name of the value, not terminated
 * @name_len:		the length of @name, 0 if there is no name
 * @type:		the type, as it is declared
 * @base:		the type without typedefs and qualifiers
 * @enumerators:	the list of enumerators if the type is an enum, or NULL
 * @place:		the place of the value
 * @word:		the index of its first recorded word
 * @words:		the number of its recorded words
 * @bytes:		the number of bytes that it takes in these words
 * @sized:		the signature contains @bytes; otherwise, the type determines @bytes
 * @form:		the form, FGRAPH_PLAIN for most values
 * @is_result:		this is the result of the function
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
	enum fgraph_form	form;
	bool			is_result;
};

/**
 * struct fgraph_sig_walk - a walk over the values of a signature
 * @variadic:	valid at the end of the walk: the function is variadic
 * @broken:	valid at the end of the walk: the rest of the signature is malformed
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

/* Return the low @bytes bytes of @bits, which is from a register or from the stack. */
static inline u64 fgraph_mask_bytes(u64 bits, unsigned int bytes)
{
	return bytes < sizeof(bits) ? bits & (BIT_ULL(8 * bytes) - 1) : bits;
}

static inline s64 fgraph_sign_extend_bytes(u64 bits, unsigned int bytes)
{
	return sign_extend64(bits, 8 * (bytes < sizeof(bits) ? bytes : sizeof(bits)) - 1);
}

/*
 * Return a value of at most 64 bits, which takes @bytes bytes of @nr words. The bits above
 * it in its word are garbage.
 */
static inline u64 fgraph_words_bits(const unsigned long *words, unsigned int nr,
				    unsigned int bytes)
{
	u64 bits = words[0];

	if (BITS_PER_LONG == 32 && nr > 1)
		bits |= (u64)words[1] << 32;
	return fgraph_mask_bytes(bits, bytes);
}

/*
 * Return true for an unsigned long without a form: it may be an address, or an error in
 * place of one.
 */
static inline bool fgraph_may_be_address(const struct fgraph_value *value)
{
	return *value->base == 'm' && value->form == FGRAPH_PLAIN;
}

/* Return a count at the start of a signature, see fgraph_sig_format.h. */
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
/* Few results are odd, so other functions rarely share their bits. */
#define FGRAPH_ODD_BITS	65536

extern unsigned long fgraph_odd_results[];

/* Return the bit of @func. Most functions are aligned to 16 bytes, so no hashing is needed. */
static __always_inline unsigned long fgraph_odd_bit(unsigned long func)
{
	return (func >> 4) % FGRAPH_ODD_BITS;
}

/*
 * Return true if the result of @func may be odd, which means that it takes two words, or
 * that it is a status in place of an error. The bit of each function with such a result is
 * set, and other functions can share the bit. This test takes a few instructions.
 * graph_result_is_wide() and graph_result_error() are exact, but slow.
 */
static __always_inline bool fgraph_may_be_odd(unsigned long func)
{
	return test_bit(fgraph_odd_bit(func), fgraph_odd_results);
}

/* fgraph_sig.c */
bool fgraph_find_signature(unsigned long func, struct fgraph_sig *sig);
bool fgraph_have_signatures(void);
void fgraph_module_comes(const struct module *mod);
int fgraph_sort_sites(struct fgraph_site *sites, unsigned int nr);
unsigned long fgraph_site_func(const struct fgraph_site *site);
struct fgraph_table *fgraph_copy_signatures(const struct module *mod, size_t *size);
bool fgraph_find_copied_signature(const struct fgraph_table *copy, unsigned long func,
				  struct fgraph_sig *sig);
int fgraph_add_signatures(const struct fgraph_sig_blob *blob,
			  const struct module *mod);
void fgraph_remove_signatures(void);

/* fgraph_sig_text.c */
const char *fgraph_skip_name(const char *p, const char **name, unsigned int *len);
const char *fgraph_skip_type(const char *p);
const char *fgraph_base_type(const char *p, enum fgraph_form *form);
const struct fgraph_type *fgraph_find_type(char letter);
bool fgraph_pointer_target(const struct fgraph_value *value, const char **name,
			   unsigned int *len);
bool fgraph_sig_result(struct fgraph_sig_walk *walk, const struct fgraph_sig *sig,
		       struct fgraph_value *value);
bool fgraph_sig_parameter(struct fgraph_sig_walk *walk,
			  struct fgraph_value *value);
bool fgraph_sig_find_parameter(struct fgraph_sig_walk *walk, struct fgraph_value *value,
			       const char *name, size_t len);
unsigned int fgraph_sig_result_words(const char *text);
bool fgraph_sig_result_is_status(const char *text);
bool fgraph_strings_are_good(const struct fgraph_site *sites, u32 nr,
			     const char *strings, size_t size);
void fgraph_print_prototype(struct seq_buf *s, const struct fgraph_sig *sig,
			    const char *name);

/* fgraph_sig_list.c */
int fgraph_show_signature(struct seq_file *m, unsigned long func);
#else
static inline bool fgraph_find_signature(unsigned long func,
					 struct fgraph_sig *sig)
{
	return false;
}

static inline bool fgraph_may_be_odd(unsigned long func)
{
	return false;
}

static inline unsigned int fgraph_sig_result_words(const char *text)
{
	return 1;
}

static inline bool fgraph_have_signatures(void)
{
	return false;
}

static inline void fgraph_module_comes(const struct module *mod) { }
#endif

#endif /* _KERNEL_TRACE_FGRAPH_SIG_H */
