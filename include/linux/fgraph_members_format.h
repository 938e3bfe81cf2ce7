/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of the members of structs
 *
 * recordmcount writes, into each object, a string for each struct that a parameter or a
 * result of one of its functions leads to. kernel/trace/fgraph_members.c reads them. Host
 * programs also include this header.
 *
 * Section .fgraph_members contains the strings. Each of them begins with FGRAPH_MEMBERS_MARK,
 * which occurs nowhere else. So the linker merges equal strings, but never one with the end
 * of another, and a reader finds each string from the start of the section.
 *
 * The section of a module contains only the strings that vmlinux does not have, each once: see
 * scripts/signatures/module.c. The strings are text:
 *
 *   string  := mark "T" name "=" key	another name of a struct, union or enum
 *	      | mark "S" name struct		a struct, by its tag
 *	      | mark "U" name struct		a union, by its tag
 *	      | mark "C" name enum		an enum, by its tag
 *	      | mark "T" name "S" struct	an anonymous struct, by the typedef that names it
 *	      | mark "T" name "U" struct	an anonymous union, in the same way
 *	      | mark "T" name "C" enum		an anonymous enum, in the same way
 *   key     := "S" name | "U" name | "C" name	the tag, if there is one
 *	      | "T" name			otherwise the typedef of the anonymous type
 *   struct  := size member*
 *   member  := name offset bits? type
 *   bits    := ":" first width		a bit field
 *   enum    := letter enumerators		the letter of its integer type
 *   size, offset, first, width := number
 *
 * The name and enumerators are those of signatures, see fgraph_sig_format.h. The name of an
 * anonymous member is empty.
 *
 * The offset of the first member is its distance from the start of the struct, in bytes. The
 * offset of any other member is its distance from the offset of the previous member. So most
 * offsets are small.
 *
 * The first bit of a bit field counts from the least significant bit of the byte at the
 * offset, and is at most 7. On a big-endian machine, it counts from the most significant
 * bit of that byte. The width is at most 64, so a bit field takes at most 9 bytes.
 *
 * A number has 5 bits in each char, the least significant bits first. The code of a char
 * is 48 plus the bits, plus 32 unless it is the last one:
 *
 *	0 = "0", 8 = "8", 31 = "O", 32 = "P1", 1000 = "XO"
 *
 * A type is one of a signature, or a struct or union that has no name at all. In place of
 * its name, the latter has its members, in parentheses. They nest at most
 * FGRAPH_MEMBERS_NESTING deep:
 *
 *   type    := the types of fgraph_sig_format.h
 *	      | "S(" struct ")" | "U(" struct ")"
 *
 * The types are simplified. They contain no qualifiers. A function is "FvE", also behind
 * pointers. A pointer to an anonymous struct without a typedef is "Pv". There is a typedef
 * only if it names a struct, union or enum, or affects how a value is printed, see
 * FGRAPH_FORM_TYPEDEFS: then the type that it names follows, as in a signature. If several
 * typedefs name a type, it is the first one of this kind.
 *
 * A member that the format cannot describe is absent, for example a bit field of more than
 * 64 bits, or a member whose type has no letter. So is a struct that nests too deep.
 */
#ifndef _LINUX_FGRAPH_MEMBERS_FORMAT_H
#define _LINUX_FGRAPH_MEMBERS_FORMAT_H

#define FGRAPH_MEMBERS_SECTION	".fgraph_members"
#define FGRAPH_MEMBERS_MARK	'\1'

/* The maximum depth to which structs without a name nest */
#define FGRAPH_MEMBERS_NESTING	8

#endif /* _LINUX_FGRAPH_MEMBERS_FORMAT_H */
