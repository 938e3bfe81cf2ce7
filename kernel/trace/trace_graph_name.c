// SPDX-License-Identifier: GPL-2.0
/*
 * The option funcgraph-names: the text behind a char *, or the name of the object behind
 * another pointer.
 *
 *	once a function:  graph_plan_names() -> which words are pointers to what
 *	entry, return:    graph_read_*() -> struct graph_name, behind the words of the call
 *	trace:            print_graph_pointer_name() -> 0xffff888003a1c020 ("/etc/fstab")
 *
 * A pointer may be wrong: not initialized, freed, or an output buffer that contains
 * nothing yet. So each word is read without a fault, and a name is not recorded if one of
 * them cannot be read. All words are aligned, so that none of them is in two pages. The
 * memory may change while it is read.
 *
 * Functions that read are not traced. Otherwise, the call of one of them would count as a
 * recursion.
 */
#include <linux/blk_types.h>
#include <linux/cgroup.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/kallsyms.h>
#include <linux/kernfs.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/syscall.h>
#include <asm/word-at-a-time.h>

#include "../../mm/slab.h"
#include "fgraph_sig.h"
#include "trace_graph.h"
#include "trace_graph_name.h"

/**
 * struct name_type - a type of objects that have a name
 * @type:	"char", or the name of the struct
 * @pointers:	the offsets of the pointers to follow, from the object to the text
 * @nr_pointers: the number of @pointers
 * @text:	the offset of the text from what the last pointer points to
 * @number:	the offset of the number of the object
 * @number_bytes: the size of the number, 0 if the object has none
 */
struct name_type {
	const char		*type;
	u16			pointers[2];
	u8			nr_pointers;
	u8			number_bytes;
	u16			text;
	u16			number;
};

/* The text is in the struct. */
#define NAME_IN(struct_, member)						\
	.type = #struct_, .text = offsetof(struct struct_, member)
/* A member of the struct points to the text. */
#define NAME_AT(struct_, member)						\
	.type = #struct_, .nr_pointers = 1,					\
	.pointers = { offsetof(struct struct_, member) }
/* A member of the struct points to another struct, and a member of that to the text. */
#define NAME_OF(struct_, member, other, name)					\
	.type = #struct_, .nr_pointers = 2,					\
	.pointers = { offsetof(struct struct_, member), offsetof(struct other, name) }

/* The documentation lists these types. Row 0 stands for no name. */
static const struct name_type name_types[] = {
	{ },
	{ .type = "char" },
	/* The arguments of a system call, see is_syscall_wrapper(). */
	{ .type = "pt_regs" },
	{ NAME_AT(filename, name) },
	{ NAME_AT(qstr, name) },
	{ NAME_AT(dentry, d_name.name) },
	{ NAME_OF(file, f_path.dentry, dentry, d_name.name) },
	{ NAME_OF(path, dentry, dentry, d_name.name) },
	{ .type = "inode", .nr_pointers = 1, .pointers = { offsetof(struct inode, i_sb) },
	  .text = offsetof(struct super_block, s_id),
	  .number = offsetof(struct inode, i_ino),
	  .number_bytes = sizeof_field(struct inode, i_ino) },
	{ NAME_IN(super_block, s_id) },
	{ NAME_IN(task_struct, comm),
	  .number = offsetof(struct task_struct, pid), .number_bytes = sizeof(pid_t) },
	{ NAME_IN(net_device, name) },
	{ NAME_AT(device, kobj.name) },
	{ NAME_AT(kobject, name) },
	{ NAME_AT(block_device, bd_device.kobj.name) },
	{ NAME_AT(file_system_type, name) },
	{ NAME_AT(fs_parameter, key) },
	{ NAME_OF(fs_context, fs_type, file_system_type, name) },
#ifdef CONFIG_MODULES
	{ NAME_IN(module, name) },
#endif
	{ NAME_AT(kmem_cache, name) },
#ifdef CONFIG_CGROUPS
	{ NAME_OF(cgroup, kn, kernfs_node, name) },
#endif
};

#define NAME_CHAR	1
#define NAME_REGS	2

/* The number of arguments of a system call, see syscall_get_arguments() */
#define SYSCALL_ARGS	6

static_assert(SYSCALL_ARGS <= GRAPH_TEXT_WORDS);

static_assert(ARRAY_SIZE(name_types) <= BIT(GRAPH_PLAN_TYPE_BITS));

/* Plan */

/* Return the row of the type that a pointer points to, or 0. */
static unsigned int find_name_type(const struct fgraph_value *value)
{
	unsigned int i, len;
	const char *name;

	if (value->place != FGRAPH_IN_WORDS || value->word >= TRACE_GRAPH_MAX_ARGS ||
	    !fgraph_pointer_target(value, &name, &len))
		return 0;
	for (i = 1; i < ARRAY_SIZE(name_types); i++)
		if (strlen(name_types[i].type) == len &&
		    !strncmp(name_types[i].type, name, len))
			return i;
	return 0;
}

/*
 * Return true if the pt_regs that @func gets contain the arguments of a system call: it
 * is a function like __x64_sys_openat().
 */
static bool is_syscall_wrapper(unsigned long func)
{
	char name[KSYM_NAME_LEN];
	unsigned long size, offset;
	char *modname;

	return IS_ENABLED(CONFIG_ARCH_HAS_SYSCALL_WRAPPER) && __is_kernel(func) &&
		kallsyms_lookup(func, &size, &offset, &modname, name) &&
		str_has_prefix(name, "__") && strstr(name, "_sys_");
}

/**
 * graph_plan_names - find the pointers of a function that stand for something
 * @func:	the address of the function
 * @sig:	the signature of the function
 *
 * Context: any, with preemption disabled.
 * Return: the plan for graph_read_arg_names() and graph_read_result_name(); 0 if there is
 * no such pointer.
 */
u32 graph_plan_names(unsigned long func, const struct fgraph_sig *sig)
{
	struct fgraph_sig_walk walk;
	struct fgraph_value value;
	bool room = true;
	unsigned int type;
	u32 plan = 0;

	if (fgraph_sig_result(&walk, sig, &value))
		plan = find_name_type(&value) << GRAPH_PLAN_RESULT_SHIFT;
	if (plan == NAME_REGS << GRAPH_PLAN_RESULT_SHIFT)
		plan = 0;
	while (room && fgraph_sig_parameter(&walk, &value)) {
		type = find_name_type(&value);
		if (type && (type != NAME_REGS || is_syscall_wrapper(func)))
			room = graph_add_to_plan(&plan, type, value.word);
	}
	return plan;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_plan_names);

/**
 * graph_text_row - find out which text a pointer stands for
 * @value:	a value, from a walk
 *
 * Return: the type for graph_add_to_plan(), or 0 if the value stands for no text.
 */
unsigned int graph_text_row(const struct fgraph_value *value)
{
	unsigned int type = find_name_type(value);

	return type == NAME_REGS ? 0 : type;
}

/**
 * graph_add_to_plan - read the name of another argument
 * @plan:	the plan
 * @row:	the type of the argument, not 0
 * @word:	the index of its word
 *
 * Return: false if @plan already has as many arguments as a call has names.
 */
bool graph_add_to_plan(u32 *plan, unsigned int row, unsigned int word)
{
	u32 arg = row | word << GRAPH_PLAN_TYPE_BITS, other;
	unsigned int shift;

	for (shift = 0; shift < GRAPH_PLAN_RESULT_SHIFT; shift += GRAPH_PLAN_ARG_BITS) {
		other = *plan >> shift & (BIT(GRAPH_PLAN_ARG_BITS) - 1);
		if (!other)
			*plan |= arg << shift;
		if (!other || other == arg)
			return true;
	}
	return false;
}

/**
 * graph_merge_plans - make a plan of two plans of the same function
 * @plan:	the first plan
 * @more:	the second plan. Its arguments are added while there is room.
 *
 * Return: the plan.
 */
u32 graph_merge_plans(u32 plan, u32 more)
{
	u32 args = graph_plan_args(more);

	for (; args; args >>= GRAPH_PLAN_ARG_BITS)
		graph_add_to_plan(&plan, args & (BIT(GRAPH_PLAN_TYPE_BITS) - 1),
				  args >> GRAPH_PLAN_TYPE_BITS &
				  (BIT(GRAPH_PLAN_WORD_BITS) - 1));
	return plan | (more & ~graph_plan_args(more));
}

/* Read */

/*
 * Return true if the memory at @addr may be read. The area of vmalloc() also contains the
 * registers of devices, and to read one of them can change it. So only the stack of the
 * task and modules are read there.
 */
static __always_inline bool is_kernel_address(unsigned long addr)
{
	if (addr < TASK_SIZE_MAX || IS_ERR_VALUE(addr) ||
	    !copy_from_kernel_nofault_allowed((void *)addr, sizeof(long)))
		return false;
	return likely(addr < VMALLOC_START || addr >= VMALLOC_END) ||
		object_is_on_stack((void *)addr) || __module_address(addr);
}

/* Read an aligned word of the kernel. Return false if there is none. */
static __always_inline bool read_word(unsigned long *word, unsigned long addr)
{
	if (addr % sizeof(long) || !is_kernel_address(addr))
		return false;
	__get_kernel_nofault(word, (unsigned long *)addr, unsigned long, fault);
	return true;
fault:
	return false;
}

static __always_inline bool read_number(unsigned long *number, unsigned long addr,
					unsigned int bytes)
{
	u32 value;

	if (bytes == sizeof(long))
		return read_word(number, addr);
	if (addr % sizeof(value) || !is_kernel_address(addr))
		return false;
	__get_kernel_nofault(&value, (u32 *)addr, u32, fault);
	*number = value;
	return true;
fault:
	return false;
}

/*
 * Return the index of the first zero byte of @word, and clear the bytes after it. Return
 * -1 if there is none. @before has the bits of bytes before the text, which are no end of
 * it.
 */
static __always_inline int find_text_end(unsigned long *word, unsigned long before)
{
	const struct word_at_a_time zero = WORD_AT_A_TIME_CONSTANTS;
	unsigned long bits;

	if (!has_zero(*word | before, &bits, &zero))
		return -1;
	bits = create_zero_mask(prep_zero_mask(*word | before, bits, &zero));
	*word &= zero_bytemask(bits);
	return find_zero(bits);
}

/*
 * Copy the aligned words of a text of the kernel. Return the number of bytes up to its
 * end, or -1 if the memory cannot be read.
 */
static __always_inline int copy_kernel_text(unsigned long *to, unsigned long addr,
					    unsigned long before)
{
	unsigned long word;
	unsigned int i;
	int end;

	if (!is_kernel_address(addr))
		return -1;
	for (i = 0; i < GRAPH_TEXT_WORDS; i++, before = 0) {
		__get_kernel_nofault(&word, (unsigned long *)addr + i, unsigned long, fault);
		end = find_text_end(&word, before);
		to[i] = word & ~before;
		if (end >= 0)
			return i * sizeof(long) + end;
	}
	return GRAPH_TEXT_WORDS * sizeof(long);
fault:
	return -1;
}

/*
 * The same for user space. In an interrupt, the memory is of an unrelated task. While
 * interrupts are off, it may be of another one, because a switch of tasks switches the
 * memory first.
 */
static __always_inline int copy_user_text(unsigned long *to, unsigned long addr,
					  unsigned long before)
{
	unsigned long __user *from = (unsigned long __user *)addr;
	unsigned long word;
	unsigned int i;
	int end = -1;

	if (!in_task() || irqs_disabled() || !current->mm ||
	    !user_read_access_begin(from, GRAPH_TEXT_WORDS * sizeof(long)))
		return -1;
	for (i = 0; i < GRAPH_TEXT_WORDS && end < 0; i++, before = 0) {
		unsafe_get_user(word, from + i, fault);
		end = find_text_end(&word, before);
		to[i] = word & ~before;
	}
	user_read_access_end();
	return end < 0 ? GRAPH_TEXT_WORDS * sizeof(long) : (i - 1) * sizeof(long) + end;
fault:
	user_read_access_end();
	return -1;
}

/*
 * Copy the text at @addr to @name. Return false if it cannot be read. Only a char * that
 * is an argument or a result can be of user space.
 */
static __always_inline bool read_text(struct graph_name *name, unsigned long addr,
				      bool may_be_user)
{
	unsigned int skip = addr % sizeof(long);
	/* All archs with signatures are little-endian: the first byte is the lowest. */
	unsigned long before = BIT(8 * skip) - 1;
	int end;

	if (may_be_user && addr < TASK_SIZE_MAX)
		end = copy_user_text(name->text, addr - skip, before);
	else
		end = copy_kernel_text(name->text, addr - skip, before);
	if (end < 0)
		return false;

	name->skip = skip;
	name->len = end - skip;
	if (name->len > GRAPH_NAME_BYTES) {
		name->len = GRAPH_NAME_BYTES;
		name->flags |= GRAPH_NAME_CUT;
	}
	return true;
}

/* Read the name of the object at @addr. Return false if there is none. */
static __always_inline bool read_object_name(struct graph_name *name,
					     const struct name_type *type,
					     unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < type->nr_pointers; i++)
		if (!read_word(&addr, addr + type->pointers[i]))
			return false;
	return read_text(name, addr + type->text, false);
}

/* Copy the arguments of a system call. They are where the entry code saved them. */
static __always_inline bool read_syscall_args(struct graph_name *name, unsigned long addr)
{
	struct pt_regs *regs = (struct pt_regs *)addr;

	if (!in_task() || regs != task_pt_regs(current))
		return false;
	syscall_get_arguments(current, regs, name->text);
	name->len = SYSCALL_ARGS * sizeof(long);
	name->skip = 0;
	name->flags |= GRAPH_NAME_REGS;
	return true;
}

/* Read the text of a name. Return false if it cannot be read. */
static __always_inline bool read_name_text(struct graph_name *name, unsigned int row,
					   unsigned long ptr)
{
	switch (row) {
	case NAME_CHAR:
		return read_text(name, ptr, true);
	case NAME_REGS:
		return read_syscall_args(name, ptr);
	default:
		return read_object_name(name, &name_types[row], ptr);
	}
}

/* Return the number of words of @name up to the end of its text. */
static __always_inline unsigned int text_words(const struct graph_name *name)
{
	return 1 + DIV_ROUND_UP(name->skip + name->len, sizeof(long));
}

/**
 * graph_read_name - read what a pointer stands for
 * @row:	the type from the plan, not 0
 * @word:	the index of the pointer among the words of the call
 * @flags:	GRAPH_NAME_RESULT or 0
 * @ptr:	the pointer
 * @to:		room for GRAPH_NAME_WORDS; begins with a struct graph_name afterwards
 *
 * Context: any, with preemption disabled.
 * Return: the number of words in @to; 0 if there is no name.
 */
unsigned int graph_read_name(unsigned int row, unsigned int word, u8 flags,
			     unsigned long ptr, unsigned long *to)
{
	const struct name_type *type = &name_types[row];
	struct graph_name *name = (struct graph_name *)to;
	unsigned int words;
	bool found;

	if (ptr < PAGE_SIZE)
		return 0;
	/* With 64 bits, the fields do not fill their word. */
	to[0] = 0;
	name->word = word;
	name->flags = flags;
	/* The handler of a page fault must not wait for a lock. */
	pagefault_disable();
	found = read_name_text(name, row, ptr);
	words = text_words(name);
	if (found && type->number_bytes &&
	    read_number(&to[words], ptr + type->number, type->number_bytes)) {
		name->flags |= GRAPH_NAME_NUMBER;
		words++;
	}
	pagefault_enable();
	return found ? words : 0;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_read_name);

/* Print */

/*
 * Print @c so that the text contains neither what ends an argument or a comment nor a
 * quote. @last is the character before it.
 */
static void print_text_char(struct trace_seq *s, char c, char last)
{
	if (c == '"' || c == '\\')
		trace_seq_printf(s, "\\%c", c);
	else if (c == ',' || c == ')' || (c == '/' && last == '*'))
		trace_seq_printf(s, "\\x%02x", c);
	else
		trace_seq_putc(s, c);
}

/* Return the length of the text up to its first unprintable byte. */
static unsigned int printable_length(const struct graph_name *name)
{
	const char *text = (const char *)name->text + name->skip;
	unsigned int i;

	for (i = 0; i < name->len && isascii(text[i]) && isprint(text[i]); i++)
		;
	return i;
}

/* Return true if the text is longer than the @len bytes that print. */
static bool is_cut(const struct graph_name *name, unsigned int len)
{
	return len < name->len || name->flags & GRAPH_NAME_CUT;
}

static void print_text(struct trace_seq *s, const struct graph_name *name)
{
	const char *text = (const char *)name->text + name->skip;
	unsigned int i, len = printable_length(name);

	trace_seq_putc(s, '"');
	for (i = 0; i < len; i++)
		print_text_char(s, text[i], i ? text[i - 1] : 0);
	trace_seq_putc(s, '"');
	if (is_cut(name, len))
		trace_seq_puts(s, "…");
}

static void print_syscall_args(struct trace_seq *s, const struct graph_name *name)
{
	unsigned int i;

	for (i = 0; i < SYSCALL_ARGS; i++)
		trace_seq_printf(s, i ? " 0x%lx" : "0x%lx", name->text[i]);
}

/* Return the words that @name takes, or 0 if it is more than @nr. */
static unsigned int name_words(const struct graph_name *name, unsigned int nr)
{
	unsigned int words = text_words(name) + !!(name->flags & GRAPH_NAME_NUMBER);

	return words <= nr ? words : 0;
}

/* Find the name of the pointer in a word. Return NULL if it was not recorded. */
static const struct graph_name *find_name(const unsigned long *names, unsigned int nr,
					  unsigned int word, bool of_result)
{
	const unsigned long *pos = names, *end = names + nr;
	const struct graph_name *name;
	unsigned int words;

	for (; pos < end; pos += words) {
		name = (const struct graph_name *)pos;
		words = name_words(name, end - pos);
		if (!words)
			break;
		if (name->word == word && !!(name->flags & GRAPH_NAME_RESULT) == of_result)
			return name;
	}
	return NULL;
}

/**
 * graph_copy_text - copy the text that a pointer stands for
 * @names:	the recorded names
 * @nr:		the number of words in @names
 * @word:	the index of the pointer among the recorded words
 * @of_result:	the pointer is the result
 * @text:	room for GRAPH_TEXT_BYTES; set to the text as it prints, but not escaped
 *
 * Return: false if the name was not recorded.
 */
bool graph_copy_text(const unsigned long *names, unsigned int nr, unsigned int word,
		     bool of_result, char *text)
{
	const struct graph_name *name = find_name(names, nr, word, of_result);
	unsigned int len;

	if (!name || name->flags & GRAPH_NAME_REGS)
		return false;
	len = printable_length(name);
	memcpy(text, (const char *)name->text + name->skip, len);
	strcpy(text + len, is_cut(name, len) ? "…" : "");
	return true;
}

/**
 * print_graph_pointer_name - print what a pointer stands for
 * @s:		the buffer to print to
 * @sig:	the signature of the function, with the recorded names
 * @word:	the index of the pointer among the recorded words
 *
 * If no name was recorded, print nothing.
 */
void print_graph_pointer_name(struct trace_seq *s, const struct fgraph_sig *sig,
			      unsigned int word)
{
	const struct graph_name *name = find_name(sig->names, sig->nr_names, word,
						  sig->names_of_result);

	if (!name)
		return;
	trace_seq_puts(s, " (");
	if (name->flags & GRAPH_NAME_REGS)
		print_syscall_args(s, name);
	else
		print_text(s, name);
	if (name->flags & GRAPH_NAME_NUMBER)
		trace_seq_printf(s, " %lu", ((unsigned long *)name)[text_words(name)]);
	trace_seq_putc(s, ')');
}
