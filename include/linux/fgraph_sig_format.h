/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of function signatures: what recordmcount puts into each object,
 * and what kernel/trace/fgraph_sig.c reads. Host programs include this, too.
 *
 * Section .fgraph_sites is an array of struct fgraph_site. An entry says that
 * the function with this call site, which is what ftrace hooks, is described by
 * that string. Entries are sorted by site: in vmlinux when it is linked, in a
 * module when it is loaded. The first entry of a site gives the signature; if
 * that has enums by value, as many entries of the same site follow, one for each
 * in the order of the signature, and their strings list the enumerators.
 *
 * The strings are in section .fgraph_strings, where the linker merges those that
 * are equal. They are text:
 *
 *   signature := registers stack? result parameter* "z"?
 *   registers := count	how many argument registers, from the first one on,
 *			to record
 *   stack     := "+" count	how many words of arguments on the stack, from the
 *			first one on, to record; without it, none
 *   count     := char	its code less '0'
 *   result    := place* type
 *   parameter := place* type name
 *   name      := count, and so many bytes; an anonymous thing has none
 *	      or char	one of FGRAPH_COMMON_NAMES, which the code is for
 *
 * A "z" at the end stands for the "..." of a variadic function.
 *
 * The recorded words are numbered: those of registers, then those of the stack.
 * Those of a result are the return registers. A value begins where the one
 * before it ended, and takes as many words as its type needs, the least
 * significant first, unless its place says otherwise:
 *
 *   "!"	the compiler left nothing of it. It takes no word.
 *   "?"	it is where no word is recorded, such as in a vector register. It
 *		takes no word.
 *   "&"	the word is the address of the value, as the ABI has it
 *   "@" count	it begins at this word
 *   "#" decimal "_"	a struct or union by value, of so many bytes
 *
 * A type begins with a letter, most of them those of C++ names in the Itanium ABI. The
 * lower-case ones of FGRAPH_TYPES below are whole types. The others are:
 *
 *   P type	pointer to it
 *   K type	const;   V type	volatile;   R type	restrict
 *   A decimal? "_" type	array of so many
 *   F type type* "z"? "E"	function: the result, the parameters
 *   S name	struct;  U name	union
 *   C letter name	enum; the letter is of the integer type that it is
 *   T name type	typedef, and what it stands for. That has no typedef, but one of
 *		FGRAPH_DECIMAL_NAMES if there is such a one, and no qualifier, a
 *		struct, a union and an enum in it are anonymous, and a pointer
 *		points to a function (PFvE), to char (Pc) or to anything else (Pv).
 *
 * Types nest at most FGRAPH_TYPE_DEPTH deep; what is deeper is "u".
 *
 *   enumerators := enumerator ("," enumerator)* ","*
 *   enumerator  := identifier ("=" decimal)?
 *
 * An enumerator without a value is one more than the one before it, the first
 * one 0.
 *
 * A string has at least FGRAPH_MIN_STRING chars. Where the linker for i386 merges
 * strings, it takes a reference that is relative to its place for the operand of a
 * call, and goes by the string that is four bytes on. So a signature without
 * parameters tells of the stack in any case, and commas fill a list of enumerators.
 */
#ifndef _LINUX_FGRAPH_SIG_FORMAT_H
#define _LINUX_FGRAPH_SIG_FORMAT_H

#define FGRAPH_SITES_SECTION	".fgraph_sites"
#define FGRAPH_STRINGS_SECTION	".fgraph_strings"

/*
 * A word in each object, fgraph_sig_version(): a table of another format would give
 * wrong names, so it is not used. Increment FGRAPH_FORMAT when anything above
 * changes, or what it means; test.sh in tools/testing/selftests/ftrace/signatures
 * asks for that. What is defined below is in the version by itself.
 */
#define FGRAPH_VERSION_SECTION	".fgraph_version"
#define FGRAPH_FORMAT		2

#define FGRAPH_MIN_STRING	4

/* How deep types nest in each other */
#define FGRAPH_TYPE_DEPTH	8

/*
 * What a count can be. Words beyond it are not recorded, and the place of what
 * would be there is "?"; a name is cut.
 */
#define FGRAPH_MAX_WORDS	63
#define FGRAPH_MAX_NAME		78

/*
 * Names that occur so often that each has a char of its own: FGRAPH_FIRST_COMMON
 * is the code of the first one.
 */
#define FGRAPH_FIRST_COMMON	0x80
#define FGRAPH_COMMON_NAMES \
	"task_struct", "sk_buff", "net_device", "device", "size_t", "flags", \
	"u8", "u16", "u32", "u64", "vm_area_struct", "sock", "dentry", "dev", \
	"file", "inode", "resource_size_t", "pci_dev", "loff_t", "ssize_t", \
	"size", "skb", "fwnode_handle", "perf_event", "net", "user_namespace", \
	"data", "name", "netlink_ext_ack", "list_head", "seq_file", \
	"tty_struct", "addr", "address", "type", "page", "folio", "offset", \
	"mm_struct", "address_space", "gfp_t", "parent", "super_block", "sk", \
	"pt_regs", "len", "__be16", "__be32", "start", "end", "phys_addr_t", \
	"dma_addr_t", "count", "kmem_cache", "mnt_userns", \
	"cgroup_subsys_state", "proc_dir_entry", "path", "kobject", "handle", \
	"event", "timespec64", "umode_t", "clock_event_device", "buf", \
	"buffer", "mode", "pci_bus", "socket", "pipe_inode_info", \
	"notifier_block", "value", "info", "state", "dma_data_direction", \
	"regs", "index", "cpumask", "extack", "bpf_prog", "mapping", \
	"filename", "cpu", "node", "irq_domain", "task", "ktime_t", "module", \
	"attribute_group", "callback_head", "handler", "context", "port", \
	"platform_device", "device_attribute", "attr", "file_system_type", \
	"acpi_status", "acpi_handle", "acpi_device", "priv", "request", "bio", \
	"work_struct", "pid_t", "dev_t", "uint32_t"

/*
 * What a value can be: TYPE(letter, name in C, bytes, kind). encode.c and type.c in
 * scripts/signatures choose the letter, fgraph_sig_text.c parses it and prints the name
 * in prototypes, trace_graph_value.c prints a value as its kind. The kinds are described
 * in Documentation/trace/fgraph.rst.
 */
#define FGRAPH_TYPES(TYPE)						\
	TYPE('v', "void",		0,		 VOID)		\
	TYPE('b', "bool",		1,		 BOOL)		\
	TYPE('c', "char",		1,		 CHAR)		\
	TYPE('a', "signed char",	1,		 SIGNED)	\
	TYPE('h', "unsigned char",	1,		 UNSIGNED)	\
	TYPE('s', "short",		2,		 SIGNED)	\
	TYPE('t', "unsigned short",	2,		 UNSIGNED)	\
	TYPE('i', "int",		4,		 SIGNED)	\
	TYPE('j', "unsigned int",	4,		 UNSIGNED)	\
	TYPE('l', "long",		FGRAPH_WORDS(1), SIGNED)	\
	TYPE('m', "unsigned long",	FGRAPH_WORDS(1), UNSIGNED)	\
	TYPE('x', "long long",		8,		 SIGNED)	\
	TYPE('y', "unsigned long long",	8,		 UNSIGNED)	\
	TYPE('n', "__int128",		16,		 INT128)	\
	TYPE('o', "unsigned __int128",	16,		 INT128)	\
	TYPE('f', "float",		4,		 FLOAT)		\
	TYPE('d', "double",		8,		 FLOAT)		\
	TYPE('e', "long double",	FGRAPH_WORDS(2), FLOAT)		\
	TYPE('u', "/* unknown */",	FGRAPH_WORDS(1), UNKNOWN)	\
	TYPE('P', "pointer",		FGRAPH_WORDS(1), POINTER)	\
	TYPE('A', "array",		FGRAPH_WORDS(1), POINTER)	\
	TYPE('F', "function",		FGRAPH_WORDS(1), POINTER)	\
	TYPE('C', "enum",		FGRAPH_WORDS(1), ENUM)		\
	TYPE('S', "struct",		FGRAPH_WORDS(1), STRUCT)	\
	TYPE('U', "union",		FGRAPH_WORDS(1), STRUCT)

/* A size that depends on the machine */
#define FGRAPH_WORDS(n)		(-(n))

enum fgraph_kind {
	FGRAPH_NO_TYPE,
	FGRAPH_VOID,
	FGRAPH_BOOL,
	FGRAPH_CHAR,
	FGRAPH_SIGNED,
	FGRAPH_UNSIGNED,
	FGRAPH_INT128,
	FGRAPH_FLOAT,
	FGRAPH_UNKNOWN,
	FGRAPH_POINTER,
	FGRAPH_ENUM,
	FGRAPH_STRUCT,
};

/* Typedefs of sizes and offsets: values of them are printed in decimal. */
#define FGRAPH_DECIMAL_NAMES	"size_t", "ssize_t", "loff_t", "sector_t"

static inline unsigned int fgraph_sig_version(void)
{
	static const char *const names[] = {
		FGRAPH_COMMON_NAMES, "", FGRAPH_DECIMAL_NAMES, 0
	};
	unsigned int version = 2166136261U;	/* FNV-1a */
	const char *const *name, *c;

#define FGRAPH_HASH(n)	(version = (version ^ (n)) * 16777619U)
	FGRAPH_HASH(FGRAPH_FORMAT);
	FGRAPH_HASH(FGRAPH_FIRST_COMMON);
	FGRAPH_HASH(FGRAPH_MAX_WORDS);
	FGRAPH_HASH(FGRAPH_MAX_NAME);
	for (name = names; *name; name++) {
		for (c = *name; *c; c++)
			FGRAPH_HASH((unsigned char)*c);
		FGRAPH_HASH(0);
	}
#undef FGRAPH_HASH
	return version;
}

/*
 * The table of the kernel as a module has it: a header of this size, which is
 * struct fgraph_sig_blob, the entries, and the strings.
 */
#define FGRAPH_BUILD_ID_SIZE	20
#define FGRAPH_BLOB_HEADER	(12 + FGRAPH_BUILD_ID_SIZE)

#ifdef __KERNEL__

#include <linux/types.h>

/**
 * struct fgraph_site - the signature of a function, or one of its enums
 * @site:	where ftrace hooks the function, relative to this field
 * @string:	the string, relative to this field
 */
struct fgraph_site {
	s32	site;
	s32	string;
};

struct module;

/**
 * struct fgraph_mod_sections - what a module has besides its sites
 * @strings:	the section of strings
 * @size:	its size
 * @versions:	the version of each of its objects
 * @nr_versions: how many there are
 */
struct fgraph_mod_sections {
	const char	*strings;
	unsigned int	size;
	const u32	*versions;
	unsigned int	nr_versions;
};

#ifdef CONFIG_FGRAPH_SIGNATURE_READER
void fgraph_module_loading(struct module *mod,
			   const struct fgraph_mod_sections *sections);
#endif

#endif /* __KERNEL__ */

#endif /* _LINUX_FGRAPH_SIG_FORMAT_H */
