/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of function signatures
 *
 * recordmcount writes signatures in this format into each object, and
 * kernel/trace/fgraph_sig.c reads them. Host programs also include this header.
 *
 *	.fgraph_sites				.fgraph_strings
 *	+--------------------------+
 *	| site of f(), string -----|----------> signature of f()
 *	| site of f(), string -----|----------> enumerators of its first enum
 *	| site of f(), string -----|----------> enumerators of its second enum
 *	| site of g(), string -----|----------> signature of g()
 *	+--------------------------+
 *
 * Section .fgraph_sites is an array of struct fgraph_site. Each entry associates
 * a call site with a string. The call site is the place where ftrace hooks the
 * function. Entries are sorted by site: in vmlinux when it is linked, in a module
 * when it is loaded. The first entry of a site refers to the signature. If the
 * function returns or takes enums by value, one entry for each enum follows, in
 * the order of the signature. The strings of these entries list the enumerators.
 *
 * Section .fgraph_strings contains the strings. The linker merges equal strings.
 * They are text:
 *
 *   signature := registers stack? result parameter* "z"?
 *   registers := count	the number of argument registers to record, starting
 *			with the first register
 *   stack     := "+" count	the number of words of arguments on the stack to
 *			record, starting with the first word; the default is 0
 *   count     := char	the code of the char minus '0'
 *   result    := place* type
 *   parameter := place* type name
 *   name      := count, followed by this number of bytes; 0 if there is no name
 *	      or char	the code of one of FGRAPH_COMMON_NAMES
 *
 * A "z" at the end stands for the "..." of a variadic function.
 *
 * The recorded words are numbered from 0: first the registers, then the words on
 * the stack. The words of a result are the return registers. By default, a value
 * begins at the word after the previous value, and takes as many words as its
 * type needs. The least significant word is the first. The place of a value
 * overrides the default:
 *
 *   "!"	the compiler optimized the value out. It takes no word.
 *   "?"	the value is not recorded, for example because it is in a vector
 *		register. It takes no word.
 *   "&"	the word is the address of the value, because the ABI passes this
 *		type by reference
 *   "@" count	the value begins at this word
 *   "#" decimal "_"	the value is a struct or union of this number of bytes
 *
 * The place of a result can add a meaning that its type does not contain, see
 * scripts/signatures/result.c:
 *
 *   "-"	a negative result is a number, not an error
 *   "*"	the result is an entry of an XArray
 *
 * A type begins with a letter. Most letters are the same as in C++ names of the
 * Itanium ABI. A lower-case letter of FGRAPH_TYPES below is a complete type. The
 * other types are:
 *
 *   P type	pointer to the type
 *   K type	const;   V type	volatile;   R type	restrict
 *   A decimal? "_" type	array, with the number of its elements
 *   F type type* "z"? "E"	function: the result, the parameters
 *   S name	struct;  U name	union
 *   C letter name	enum, with the letter of the underlying integer type
 *   T name type	typedef, and the type that it names
 *
 * The type that a typedef names is simplified:
 *
 *   - It contains no qualifiers.
 *   - It contains no other typedef, except one of FGRAPH_DECIMAL_NAMES.
 *   - A struct, union or enum in it is anonymous.
 *   - A pointer in it points to a function (PFvE), to char (Pc) or to anything
 *     else (Pv).
 *
 * Types nest at most FGRAPH_TYPE_DEPTH deep. A type that is nested deeper is
 * written as "u".
 *
 *   enumerators := enumerator ("," enumerator)* ","*
 *   enumerator  := identifier ("=" decimal)?
 *
 * The default value of the first enumerator is 0. The default value of every other
 * enumerator is the value of the previous enumerator plus one.
 *
 * A string contains at least FGRAPH_MIN_STRING chars, because of a quirk of the
 * linker for i386. When it merges strings, it mistakes a relative reference for
 * the operand of a call, and looks up the string four bytes after the right
 * place. So a signature without parameters always contains the count of words on
 * the stack, and commas pad a short list of enumerators.
 */
#ifndef _LINUX_FGRAPH_SIG_FORMAT_H
#define _LINUX_FGRAPH_SIG_FORMAT_H

#define FGRAPH_SITES_SECTION	".fgraph_sites"
#define FGRAPH_STRINGS_SECTION	".fgraph_strings"

/*
 * Each object contains the version of its format, fgraph_sig_version(). The kernel
 * ignores tables of another version, because they would yield wrong names.
 *
 * Increment FGRAPH_FORMAT when the format above or its meaning changes. test.sh in
 * tools/testing/selftests/ftrace/signatures fails until this is done. The version
 * also covers the limits of counts, the lists of names and the types below.
 */
#define FGRAPH_VERSION_SECTION	".fgraph_version"
#define FGRAPH_FORMAT		3

#define FGRAPH_MIN_STRING	4

/* The maximum depth to which types nest */
#define FGRAPH_TYPE_DEPTH	8

/*
 * The maximum counts. Words beyond FGRAPH_MAX_WORDS are not recorded, and the place
 * of a value there is "?". A name that is longer than FGRAPH_MAX_NAME is cut.
 */
#define FGRAPH_MAX_WORDS	63
#define FGRAPH_MAX_NAME		78

/*
 * Frequent names, each of which is written as one char. FGRAPH_FIRST_COMMON is the
 * code of the first name.
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
 * The types of values: TYPE(letter, name in C, bytes, kind). encode.c and type.c in
 * scripts/signatures choose the letter. fgraph_sig_text.c parses the letter, and prints
 * the name in prototypes. trace_graph_value.c prints a value according to its kind.
 * Documentation/trace/fgraph.rst describes the kinds.
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

/* The size of @n machine words. A negative number marks a size in words. */
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

/*
 * Typedefs of sizes and offsets. Values of these types are printed in decimal, also through
 * another typedef.
 */
#define FGRAPH_DECIMAL_NAMES	"size_t", "ssize_t", "loff_t", "sector_t"

/*
 * The typedefs with a form, which defines how their values are printed: TYPEDEF(name, form
 * without FGRAPH_). The documentation lists them.
 */
#define FGRAPH_FORM_TYPEDEFS(TYPEDEF)					\
	TYPEDEF("size_t",	DECIMAL)				\
	TYPEDEF("ssize_t",	DECIMAL)				\
	TYPEDEF("loff_t",	DECIMAL)				\
	TYPEDEF("sector_t",	DECIMAL)				\
	TYPEDEF("uid_t",	DECIMAL)				\
	TYPEDEF("gid_t",	DECIMAL)				\
	TYPEDEF("kuid_t",	DECIMAL)				\
	TYPEDEF("kgid_t",	DECIMAL)				\
	TYPEDEF("umode_t",	OCTAL)					\
	TYPEDEF("mode_t",	OCTAL)					\
	TYPEDEF("dev_t",	DEVICE)					\
	TYPEDEF("gfp_t",	GFP)					\
	TYPEDEF("__be16",	BIG_ENDIAN)				\
	TYPEDEF("__be32",	BIG_ENDIAN)				\
	TYPEDEF("__be64",	BIG_ENDIAN)				\
	TYPEDEF("s64",		NO_ERROR)				\
	TYPEDEF("__s64",	NO_ERROR)				\
	TYPEDEF("ktime_t",	NO_ERROR)				\
	TYPEDEF("time64_t",	NO_ERROR)				\
	TYPEDEF("clock_t",	NO_ERROR)				\
	TYPEDEF("pgoff_t",	NO_ERROR)				\
	TYPEDEF("blk_status_t",	BLK_STATUS)				\
	TYPEDEF("vm_fault_t",	VM_FAULT)				\
	TYPEDEF("netdev_tx_t",	NETDEV_TX)

static inline unsigned int fgraph_sig_version(void)
{
	static const char *const names[] = {
		FGRAPH_COMMON_NAMES, "", FGRAPH_DECIMAL_NAMES, 0
	};
#define FGRAPH_ROW(letter, name, bytes, kind)	{ letter, bytes, FGRAPH_##kind },
	static const struct {
		char letter;
		signed char bytes;
		enum fgraph_kind kind;
	} types[] = { FGRAPH_TYPES(FGRAPH_ROW) };
#undef FGRAPH_ROW
	unsigned int version = 2166136261U;	/* FNV-1a */
	const char *const *name, *c;
	unsigned int i;

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
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		FGRAPH_HASH((unsigned char)types[i].letter);
		FGRAPH_HASH((unsigned char)types[i].bytes);
		FGRAPH_HASH(types[i].kind);
	}
#undef FGRAPH_HASH
	return version;
}

/*
 * A module can contain the table of the kernel: a header, which is struct
 * fgraph_sig_blob, then the entries, then the strings. FGRAPH_BLOB_HEADER is the
 * size of the header.
 */
#define FGRAPH_BUILD_ID_SIZE	20
#define FGRAPH_BLOB_HEADER	(12 + FGRAPH_BUILD_ID_SIZE)

#ifdef __KERNEL__

#include <linux/types.h>

/**
 * struct fgraph_site - the signature of a function, or one of its enums
 * @site:	the place where ftrace hooks the function, relative to this field
 * @string:	the address of the string, relative to this field
 */
struct fgraph_site {
	s32	site;
	s32	string;
};

struct module;

/**
 * struct fgraph_mod_sections - the sections of a module besides its sites
 * @strings:	the section of strings
 * @size:	the size of @strings, in bytes
 * @versions:	the versions of the objects that were linked into the module
 * @nr_versions: the number of @versions
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
