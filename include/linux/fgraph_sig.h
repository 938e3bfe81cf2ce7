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
 * A type is a letter, most of them those of C++ names in the Itanium ABI:
 *
 *   v void  b bool, by either name  c char  a signed char  h unsigned char
 *   s short  t unsigned short  i int  j unsigned int
 *   l long  m unsigned long  x long long  y unsigned long long
 *   n __int128  o unsigned __int128  f float  d double  e long double
 *   u		not known
 *   P type	pointer to it
 *   K type	const;   V type	volatile;   R type	restrict
 *   A decimal? "_" type	array of so many
 *   F type type* "z"? "E"	function: the result, the parameters
 *   S name	struct;  U name	union
 *   C letter name	enum; the letter is of the integer type that it is
 *   T name type	typedef, and what it stands for. That has no typedef and no
 *		qualifier, a struct, a union and an enum in it are anonymous, and
 *		a pointer points to a function (PFvE), to char (Pc) or to
 *		anything else (Pv).
 *
 * Types nest at most FGRAPH_TYPE_DEPTH deep; what is deeper is "u".
 *
 *   enumerators := enumerator ("," enumerator)*
 *   enumerator  := identifier ("=" decimal)?
 *
 * An enumerator without a value is one more than the one before it, the first
 * one 0.
 */
#ifndef _LINUX_FGRAPH_SIG_H
#define _LINUX_FGRAPH_SIG_H

#define FGRAPH_SITES_SECTION	".fgraph_sites"
#define FGRAPH_STRINGS_SECTION	".fgraph_strings"

/* How deep types nest in each other */
#define FGRAPH_TYPE_DEPTH	8

/*
 * What a count can be. Words beyond it are not recorded, and the place of what
 * would be there is "?"; a name is cut.
 */
#define FGRAPH_MAX_WORDS	63
#define FGRAPH_MAX_NAME		78

/*
 * The table of the kernel as a module has it: a header of this size, which is
 * struct fgraph_sig_blob, the entries, and the strings.
 */
#define FGRAPH_BUILD_ID_SIZE	20
#define FGRAPH_BLOB_HEADER	(8 + FGRAPH_BUILD_ID_SIZE)

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

#endif /* __KERNEL__ */

#endif /* _LINUX_FGRAPH_SIG_H */
