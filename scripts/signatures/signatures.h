/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the signatures of functions out of DWARF, for recordmcount.
 *
 *   span.c	which spans of addresses an address is in
 *   elf.c	ELF files: sections, symbols, relocations; bounded reading
 *   form.c	DWARF units, abbreviations, attribute forms
 *   die.c	DIEs: attributes by name, references, children, addresses
 *   range.c	lists of address ranges and of locations
 *   type.c	types: how a signature spells them
 *   layout.c	what a type is to an ABI, apart from its size
 *   param.c	where the ABI passes a parameter, and what DWARF says of it
 *   place.c	where the parameters of a function are, by both
 *   encode.c	the signature of one function, the enumerators of its enums
 *   record.c	collects the signatures of the functions of a file
 *   writer.c	writes them into an object
 *   table.c	sorts the table of a linked kernel, takes a copy of it
 *   main.c	the options of recordmcount for all this
 *
 * The format of the result is described in include/linux/fgraph_sig_format.h.
 *
 * All input is untrusted: whatever is read is read through a cursor, which is
 * bounded; references are followed a limited number of times. What cannot be
 * understood ends the program with a message that tells file, section and
 * offset; nothing has been written by then.
 */
#ifndef SIGNATURES_H
#define SIGNATURES_H

#if !__has_include(<gelf.h>)
#error "Please install libelf-dev, libelf-devel or elfutils-libelf-devel"
#endif
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../include/linux/fgraph_sig_format.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

/* How many references lead from one thing to another at most */
#define MAX_REFERENCES	64

/* Makes room for @more elements behind the @nr that are in the array. */
#define grow_by(array, nr, room, more) do {					\
	if ((nr) + (more) > (room)) {						\
		(room) = 2 * (room) + (more) + 15;				\
		(array) = xrealloc(array, room, sizeof(*(array)));		\
	}									\
} while (0)

#define grow(array, nr, room)	grow_by(array, nr, room, 1)

/* span.c */

/* In an object all sections are at 0: it takes the section, too. */
struct address {
	size_t section;		/* 0: none */
	uint64_t offset;
};

struct span {
	struct address start;
	uint64_t length;
	size_t index;
	uint64_t reach;		/* where the last ends of those up to this one */
};

struct spans {
	struct span *all;
	size_t nr, room;
};

struct span_walk {
	const struct spans *spans;
	struct address address;
	size_t left;
};

typedef bool below_fn(const void *element, const void *key);

size_t count_below(const void *key, const void *array, size_t nr, size_t size,
		   below_fn *is_below);
int compare_addresses(const struct address *a, const struct address *b);
void add_span(struct spans *spans, struct address start, uint64_t length, size_t index);
void sort_spans(struct spans *spans);
size_t count_spans_to(const struct spans *spans, struct address address);
struct span_walk start_spans(const struct spans *spans, struct address address);
const struct span *next_span(struct span_walk *walk);

/* elf.c */

struct file;

struct relocation {
	uint64_t offset;
	unsigned int type;
	size_t symbol;
	int64_t addend;		/* also if it was in the data */
};

struct section {
	struct file *file;
	const char *name;
	size_t index;
	GElf_Shdr header;
	struct section *relocated_by;

	/* By load_section(): a copy of the content, with relocations applied */
	unsigned char *data;
	size_t size;
	struct relocation *relocations;		/* by offset */
	size_t nr_relocations;
	bool loaded;
};

struct symbol {
	const char *name;
	uint64_t value;
	uint64_t size;
	unsigned char type;
	size_t section;
	uint64_t offset;	/* in its section */
};

struct found_section {
	const char *name;
	struct section *section;	/* NULL: there is none */
};

struct file {
	const char *name;
	int fd;
	Elf *elf;
	const struct machine *machine;
	bool relocatable;
	bool big_endian;
	unsigned int word;	/* size of an address in bytes */
	struct section *sections;
	size_t nr_sections;
	struct section *symtab;
	struct symbol *symbols;
	size_t nr_symbols;
	struct spans functions;		/* the symbols of functions, by their index */
	struct spans allocated;		/* the sections in memory, of a linked file */
	struct found_section found_sections[16];
};

struct cursor {
	const struct section *section;
	size_t pos;
	size_t end;
};

/* What one kind of relocation does to its field */
enum relocation_effect { RELOC_NONE, RELOC_SET, RELOC_ADD, RELOC_SUB };

struct relocation_kind {
	unsigned int type;
	enum relocation_effect effect;
	unsigned int bits;
};

/* In place of a number of bits: the field is a ULEB128 */
#define RELOC_ULEB128	128

struct machine {
	unsigned int elf_machine;
	unsigned char elf_class;
	const struct abi *abi;
	/* Of symbols of functions, bit 0 tells of the instruction set */
	bool thumb;
	/* How to store S + A - P in 32 bits: by one relocation, or a pair */
	unsigned int pcrel32, pcrel32_minus;
	const struct relocation_kind *relocations;
	size_t nr_relocations;
	/* How many bytes of a call of __fentry__ are before its relocation; 0: no such call */
	unsigned int call_opcode;
};

void __attribute__((noreturn, format(printf, 1, 2))) die(const char *fmt, ...);
void __attribute__((noreturn, format(printf, 3, 4)))
die_at(const struct section *section, size_t pos, const char *fmt, ...);
void *xrealloc(void *old, size_t nr, size_t size);
void *xcalloc(size_t nr, size_t size);

struct file *open_elf(const char *name);
void close_elf(struct file *file);
struct section *find_section(struct file *file, const char *name);
void load_section(struct section *section);
bool read_relocation(struct section *relocs, size_t index, struct relocation *reloc);
const struct relocation *find_relocation(const struct section *section, size_t pos);
struct address relocated_address(const struct section *section, size_t pos, uint64_t value);

const char *function_name(const struct file *file, struct address address);

struct cursor open_cursor(struct section *section, size_t pos);
uint64_t read_uint(struct cursor *cursor, unsigned int bytes);
uint64_t read_uleb(struct cursor *cursor);
int64_t read_sleb(struct cursor *cursor);
const char *read_string(struct cursor *cursor);
void skip_bytes(struct cursor *cursor, uint64_t bytes);
void put_uint(const struct file *file, unsigned char *bytes, unsigned int nr,
	      uint64_t value);

/* form.c */

struct attribute_spec {
	unsigned int name;
	unsigned int form;
	int64_t implicit;
};

struct abbreviation {
	uint64_t code;
	unsigned int tag;
	bool children;
	size_t first, nr;	/* its attribute specs */
};

struct abbreviations {
	size_t offset;
	struct abbreviation *all;
	size_t nr;
	struct attribute_spec *specs;
	size_t nr_specs;
	struct abbreviations *next;
};

struct unit {
	struct dwarf *dwarf;
	size_t offset, end;		/* in .debug_info */
	size_t first_die;
	unsigned int version;
	unsigned int offset_size;	/* 8 in 64-bit DWARF */
	unsigned int address_size;
	uint64_t signature;		/* of a type unit */
	size_t type_offset;
	const struct abbreviations *abbreviations;

	/* Of the unit's DIE */
	unsigned int language;
	bool llvm;			/* compiled by clang */
	uint64_t str_offsets_base, addr_base, rnglists_base, loclists_base;
	struct address base;
};

struct dwarf {
	struct file *file;
	struct section *info;
	struct unit *units;
	size_t nr_units;
	struct abbreviations *abbreviations[1021];	/* by their offsets */
	struct layouts *layouts;
};

enum value_class {
	VALUE_NONE, VALUE_UINT, VALUE_SINT, VALUE_ADDRESS, VALUE_ADDRESS_INDEX,
	VALUE_BLOCK, VALUE_STRING, VALUE_REFERENCE, VALUE_SIGNATURE,
	VALUE_SECTION_OFFSET, VALUE_LIST_INDEX,
};

struct value {
	enum value_class class;
	uint64_t number;	/* also: length of a block, offset of a DIE; of 16
				 * bytes, the lower half
				 */
	size_t pos;		/* where it is */
	const char *string;
};

struct dwarf *open_dwarf(struct file *file);
void close_dwarf(struct dwarf *dwarf);
struct unit *find_unit(struct dwarf *dwarf, size_t offset);
const struct abbreviation *find_abbreviation(const struct unit *unit, struct cursor *at);
struct value read_value(const struct unit *unit, struct cursor *cursor,
			const struct attribute_spec *spec);
struct address indexed_address(const struct unit *unit, uint64_t index);

/* die.c */

/* How many of the attributes of DIEs are of use here */
#define DIE_ATTRIBUTES	29

struct die {
	const struct unit *unit;
	size_t offset;
	unsigned int tag;	/* 0: the end of a list of children */
	bool has_children;
	size_t next;		/* what follows its attributes */
	uint32_t present;	/* which of attributes[] it has */
	struct value attributes[DIE_ATTRIBUTES];
};

bool read_die(const struct unit *unit, size_t offset, struct die *die);
void read_die_at(struct dwarf *dwarf, size_t offset, struct die *die);
const struct value *find_attribute(const struct die *die, unsigned int name);
const char *die_name(const struct die *die);
bool read_referenced_die(const struct die *die, unsigned int name, struct die *to);
bool read_inherited(const struct die *die, unsigned int name, struct die *holder);
bool first_child(const struct die *parent, struct die *child);
bool next_sibling(struct die *die);
bool value_address(const struct unit *unit, const struct value *value,
		   struct address *address);
bool value_uint(const struct value *value, uint64_t *number);

/* range.c */

typedef void range_fn(void *data, struct address start, uint64_t length);

void visit_ranges(const struct die *die, range_fn *fn, void *data);
bool find_location_at(const struct die *die, struct address at, struct cursor *expression);

/* type.c */

struct text {
	char *bytes;
	size_t length, room;
	bool too_long;		/* what it lacks did not fit */
};

struct text begin_text(void);
void add_char(struct text *text, char c);
void add_text(struct text *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void add_name(struct text *text, const char *name);
void print_string(const char *string);

bool is_qualifier(unsigned int tag);
bool strip_type(const struct die *user, struct die *type);
bool is_flexible(const struct die *array);
uint64_t count_elements(const struct die *array);
void encode_type(struct text *text, const struct die *user);
void encode_enumerators(struct text *text, const struct die *type);

/* layout.c */

struct range {
	uint64_t low, high;
};

/* What is larger goes to memory, where it matters what is in it. */
#define LAYOUT_BYTES	16

/**
 * struct layout - what a type without its typedefs and qualifiers is to an ABI
 * @tag:	of its DIE; 0 is void
 * @size:	in bytes
 * @alignment:	of the type
 * @declared:	the same, as typedefs have it
 * @members:	the largest of the alignments of the members themselves
 * @unaligned:	at which offsets, modulo LAYOUT_BYTES, a scalar in it is not aligned, or it
 *		takes three words; of an array, the first element counts
 * @hidden:	the same of what may be such a scalar: bitfields without a name, for which
 *		there is room, those that may be packed, and elements of a flexible array
 * @held:	which of the first bytes have a value and are not padding
 * @taken:	which of the first bytes are of its members, with the padding in these
 * @empty:	nothing in it has a value
 * @floating:	something in it is floating point
 * @block:	no integer is like it: it has another size, or a member does
 * @unknown:	it is too deep
 * @wanted:	the largest alignment that the type of a member has, at any depth
 * @odd:	a member is not aligned as its type is: compilers differ in what that means
 * @llvm:	LLVM has it, which does not follow GCC in all
 */
struct layout {
	unsigned int tag;
	uint64_t size;
	struct range alignment, declared, members;
	uint64_t wanted;
	uint16_t unaligned, hidden;
	uint32_t held, taken;
	bool empty;
	bool floating;
	bool block;
	bool unknown;
	bool odd;
	bool llvm;
};

struct layouts;

void free_layouts(struct layouts *layouts);
bool is_aggregate(const struct layout *layout);
struct layout type_layout(const struct die *user);

/* param.c */

/* What DWARF does not tell: the least of it, one bitfield without a name, the most */
enum guess { GUESS_LEAST, GUESS_ONE_FIELD, GUESS_MOST, GUESSES };

/* Where a value is: in words of registers and of the stack, counted apart */
struct place {
	enum { PLACE_WORDS, PLACE_GONE, PLACE_UNKNOWN } kind;
	bool by_reference;
	unsigned int first_register, nr_registers;
	unsigned int first_stack, nr_stack;
};

struct call {
	const struct abi *abi;
	unsigned int word;
	bool all_on_stack;
	unsigned int registers, stack;	/* taken so far */
	bool lost;			/* that is not known */
};

/**
 * struct evidence - what DWARF says of a parameter at the entry
 * @home:	an exprloc with a register, which need not hold at the entry
 * @nr:		how many pieces, one for each word; 0: nothing
 * @pieces:	where they are
 */
struct evidence {
	bool home;
	unsigned int nr;
	struct location {
		enum { LOCATION_REGISTER, LOCATION_AT_REGISTER, LOCATION_STACK,
		       LOCATION_OTHER } kind;
		uint64_t number;
	} pieces[16];
};

void start_call(struct call *call, const struct file *file,
		const struct layout *result, bool hidden, bool all_on_stack);
struct place place_argument(struct call *call, const struct layout *layout,
			    enum guess guess);
struct place place_result(const struct file *file, const struct layout *layout, bool hidden);
bool may_be_in_memory(const struct file *file, const struct layout *result);
bool calls_by_stack(const struct file *file);
bool has_more_registers(const struct file *file);
bool forgets_alignment(const struct file *file);
bool hidden_members_align(const struct file *file);

enum found { FOUND_NOTHING, FOUND_THERE, FOUND_ELSEWHERE };
struct evidence find_at_entry(const struct die *param, const struct die *function,
			      struct address entry);
enum found compare_place(const struct file *file, const struct evidence *evidence,
			 const struct place *place);
struct place evident_place(const struct file *file, const struct evidence *evidence,
			   const struct layout *layout);

extern const struct abi abi_x86_64, abi_i386, abi_arm, abi_arm64, abi_riscv64;

/* place.c */

struct param {
	struct die die;			/* of the prototype */
	struct layout layout;
	struct evidence evidence;
	struct place place;
};

void place_by_evidence(const struct file *file, struct param *params, size_t nr);
bool place_params(const struct file *file, const struct layout *result, bool variadic,
		  struct param *params, size_t nr, struct place *result_place);

/* encode.c */

/* How the compiler changed a function's interface, by the name of its symbol */
enum clone { CLONE_NONE, CLONE_PARAMETERS, CLONE_ANYTHING };

void encode_signature(struct text *text, const struct die *function,
		      struct address entry, enum clone clone);

typedef void enum_fn(void *data, const struct die *type);
void visit_enums_by_value(const struct die *function, enum_fn *fn, void *data);

/* main.c: what recordmcount calls */

int do_signatures(int option, int argc, char *argv[]);
void print_signature_usage(void);

/* record.c */

struct named;

struct site {
	size_t symbol;
	int64_t addend;
	struct address address;
};

struct entry {
	const struct site *site;
	size_t string;		/* its offset */
};

/* The content of the section of strings, each there once */
struct strings {
	char *bytes;
	size_t length, room;
	struct string *buckets[1024];
};

struct string {
	size_t offset;
	struct string *next;
};

struct record {
	struct file *file;
	struct dwarf *dwarf;
	struct spans functions;		/* their code, by the offsets of their DIEs */
	size_t die;			/* of which code is added */
	struct named *named;		/* those without code */
	size_t nr_named, named_room;
	struct site *sites;
	size_t nr_sites, sites_room;
	struct entry *entries;
	size_t nr_entries, entries_room;
	struct strings strings;
	const struct site *site;	/* of which entries are added */
};

/* Which functions the tracer can hook */
enum sites {
	LISTED_SITES,		/* those that are listed in the object */
	CALLING_SITES,		/* if none are listed, those that call __fentry__ */
	ALL_FUNCTIONS,
};

int record_signatures(const char *name, enum sites sites);
int list_signatures(const char *name);

/* writer.c */

void write_signatures(const struct record *record);

/* table.c */

int dump_signatures(const char *name);
int sort_signatures(const char *name);
int copy_signatures(const char *name, const char *copy);

#endif /* SIGNATURES_H */
