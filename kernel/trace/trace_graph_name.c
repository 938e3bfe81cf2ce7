// SPDX-License-Identifier: GPL-2.0
/*
 * The option funcgraph-names: the text that a char * points to, or the name of the object
 * that another pointer points to.
 *
 *	once per function: graph_plan_names() -> the words that are pointers, and their types
 *	entry, return:     graph_read_*() -> struct graph_name, after the words of the call
 *	trace:             print_graph_pointer_name() -> 0xffff888003a1c020 ("/etc/fstab")
 *
 * A pointer may be wrong: not initialized, freed, or an output buffer that contains nothing
 * yet. So each word is read without a fault, and a name is not recorded if a word cannot be
 * read. All words are aligned, so that no word is in two pages. The memory may change while
 * it is read.
 *
 * Functions that read are not traced. Otherwise, each call of them would count as a
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
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/kallsyms.h>
#include <linux/kernfs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/path.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/trace_seq.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/syscall.h>
#include <asm/word-at-a-time.h>

#include "../../fs/mount.h"
#include "../../mm/slab.h"
#include "fgraph_sig.h"
#include "trace.h"
#include "trace_graph_func.h"
#include "trace_graph_name.h"
#include "trace_graph_read.h"

/**
 * struct name_type - a type of objects that have a name
 * @type:	"char", or the name of the struct
 * @pointers:	the offsets of the pointers to follow, from the object to the text
 * @nr_pointers: the number of @pointers
 * @text:	the offset of the text from what the last pointer points to
 * @number:	the offset of the number of the object
 * @number_bytes: the size of the number, 0 if the object has none
 * @length:	the offset of the length of the text, a u32 in the object; 0 if a zero byte
 *		ends the text
 * @path:	the offset of a struct path, whose dentry has the text
 * @has_path:	there is one
 */
struct name_type {
	const char		*type;
	u16			pointers[2];
	u8			nr_pointers;
	u8			number_bytes;
	u16			text;
	u16			number;
	u16			length;
	u16			path;
	bool			has_path;
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

/* The documentation lists these types. Row 0 means no name. */
static const struct name_type name_types[] = {
	{ },
	{ .type = "char" },
	/* The arguments of a system call with 0 to 6 arguments, see plan_syscall(). */
	{ .type = "pt_regs" }, { }, { }, { }, { }, { }, { },
	{ .type = "sockaddr" },
	{ NAME_AT(filename, name) },
	{ NAME_AT(qstr, name), .length = offsetof(struct qstr, len) },
	{ NAME_AT(dentry, d_name.name) },
	{ NAME_OF(file, f_path.dentry, dentry, d_name.name),
	  .path = offsetof(struct file, f_path), .has_path = true },
	{ NAME_OF(path, dentry, dentry, d_name.name), .has_path = true },
	{ .type = "inode", .nr_pointers = 1, .pointers = { offsetof(struct inode, i_sb) },
	  .text = offsetof(struct super_block, s_id),
	  .number = offsetof(struct inode, i_ino),
	  .number_bytes = sizeof_field(struct inode, i_ino) },
	{ NAME_IN(super_block, s_id) },
	{ NAME_IN(task_struct, comm),
	  .number = offsetof(struct task_struct, pid), .number_bytes = sizeof(pid_t) },
	{ NAME_IN(net_device, name) },
	{ NAME_AT(device, kobj.name) },
	{ NAME_AT(device_driver, name) },
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
#define NAME_SOCKADDR	(NAME_REGS + SYSCALL_ARGS + 1)

/* The number of arguments of a system call, see syscall_get_arguments() */
#define SYSCALL_ARGS	6

static_assert(SYSCALL_ARGS <= GRAPH_TEXT_WORDS);

static_assert(ARRAY_SIZE(name_types) <= BIT(GRAPH_PLAN_ROW_BITS));
static_assert(GRAPH_PLAN_RESULT_SHIFT + GRAPH_PLAN_ROW_BITS <= 32);

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
		if (name_types[i].type && strlen(name_types[i].type) == len &&
		    !strncmp(name_types[i].type, name, len))
			return i;
	return 0;
}

static bool is_one_of(const struct fgraph_value *value, const char *const *names, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		if (strlen(names[i]) == value->name_len &&
		    !strncmp(names[i], value->name, value->name_len))
			return true;
	return false;
}

/* Return how the next parameter bounds @text, which @walk has found. */
static enum graph_bound find_bound(struct fgraph_sig_walk walk,
				   const struct fgraph_value *text)
{
	static const char *const lengths[] = {
		"addr_len", "addrlen", "buflen", "cnt", "count", "len", "length", "namelen",
		"nbytes", "optlen",
	};
	/* After a name, these are sizes of something else. */
	static const char *const sizes[] = {
		"bufsiz", "bufsize", "bytes", "n", "nr_bytes", "size", "sz",
	};
	static const char *const buffers[] = {
		"buf", "buffer", "cs", "ct", "data", "from", "s", "src", "str", "text",
		"ubuf", "value",
	};
	static const char *const file_length = "length";
	struct fgraph_value value;
	enum fgraph_kind kind;

	if (!fgraph_sig_parameter(&walk, &value) || value.place != FGRAPH_IN_WORDS ||
	    value.word != text->word + 1 || value.words != 1 ||
	    (value.bytes != sizeof(u32) && value.bytes != sizeof(long)))
		return GRAPH_BOUND_NONE;
	kind = fgraph_find_type(*value.base)->kind;
	if (kind != FGRAPH_SIGNED && kind != FGRAPH_UNSIGNED)
		return GRAPH_BOUND_NONE;
	/* do_sys_truncate() gets a path and the new length of the file, a long or long long. */
	if (strchr("lx", *value.base) && is_one_of(&value, &file_length, 1))
		return GRAPH_BOUND_NONE;
	if (!is_one_of(&value, lengths, ARRAY_SIZE(lengths)) &&
	    (!is_one_of(&value, sizes, ARRAY_SIZE(sizes)) ||
	     !is_one_of(text, buffers, ARRAY_SIZE(buffers))))
		return GRAPH_BOUND_NONE;
	return value.bytes == sizeof(long) ? GRAPH_BOUND_LONG : GRAPH_BOUND_U32;
}

/* Return true if @word is a part of @name, between underscores. */
static bool has_word(const char *name, const char *word)
{
	size_t len = strlen(word);
	const char *p;

	for (p = strstr(name, word); p; p = strstr(p + 1, word))
		if ((p == name || p[-1] == '_') && (!p[len] || p[len] == '_' || p[len] == '.'))
			return true;
	return false;
}

/*
 * Return true if a char * is probably the address of a buffer that the function fills,
 * which has unrelated contents at the entry: it is not const, and its name or the length
 * after it are those of a buffer.
 */
static bool is_output(unsigned long func, const struct fgraph_value *value,
		      enum graph_bound bound)
{
	static const char *const outputs[] = {
		"buf", "buffer", "dest", "dst", "namebuf", "page", "to",
	};
	/* Such a function reads the buffer. */
	static const char *const inputs[] = {
		"parse", "send", "set", "store", "write",
	};
	char name[KSYM_NAME_LEN];
	unsigned long size, offset;
	char *modname;
	int i;

	if (value->base[1] == 'K' ||
	    (!bound && !is_one_of(value, outputs, ARRAY_SIZE(outputs))))
		return false;
	if (!kallsyms_lookup(func, &size, &offset, &modname, name))
		return true;
	for (i = 0; i < ARRAY_SIZE(inputs); i++)
		if (has_word(name, inputs[i]))
			return false;
	return true;
}

/**
 * graph_text_type - find the type of the text that a value points to
 * @func:	the address of the function
 * @walk:	the walk that has found @value
 * @value:	a parameter or the result
 *
 * Context: any, with preemption disabled.
 * Return: the type for graph_add_to_plan(), or 0 if the value does not point to text.
 */
unsigned int graph_text_type(unsigned long func, const struct fgraph_sig_walk *walk,
			     const struct fgraph_value *value)
{
	unsigned int row = find_name_type(value);
	enum graph_bound bound;

	if (row == NAME_REGS || row == NAME_SOCKADDR)
		return 0;
	if (row != NAME_CHAR || value->is_result)
		return row;
	bound = find_bound(*walk, value);
	return is_output(func, value, bound) ? 0 : row | bound;
}

/*
 * If the pt_regs that @func gets contain the arguments of a system call, return the row for
 * their number. Such a function has a name like __x64_sys_openat(). If the number is not
 * known, all registers for arguments are recorded.
 */
static unsigned int plan_syscall(unsigned long func)
{
	char name[KSYM_NAME_LEN];
	unsigned long size, offset;
	const char *syscall;
	char *modname;
	int nr;

	if (!IS_ENABLED(CONFIG_ARCH_HAS_SYSCALL_WRAPPER) || !__is_kernel(func) ||
	    !kallsyms_lookup(func, &size, &offset, &modname, name) ||
	    !str_has_prefix(name, "__"))
		return 0;
	syscall = strstr(name, "_sys_");
	if (!syscall)
		return 0;
	/* Two registers may hold one argument of a 32-bit program. */
	nr = strstr(name, "compat_sys_") ? -1 : trace_syscall_nr_args(syscall + 1);
	if (!nr)
		return 0;
	return NAME_REGS + (nr < 0 ? SYSCALL_ARGS : nr);
}

/* Return the type for the address of a socket, or 0 if the next parameter is not its length. */
static unsigned int plan_address(const struct fgraph_sig_walk *walk,
				 const struct fgraph_value *value)
{
	enum graph_bound bound = find_bound(*walk, value);

	return bound ? NAME_SOCKADDR | bound : 0;
}

/**
 * graph_plan_names - find the pointers of a function that have a name
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
		plan = graph_text_type(func, &walk, &value) << GRAPH_PLAN_RESULT_SHIFT;
	while (room && fgraph_sig_parameter(&walk, &value)) {
		type = find_name_type(&value);
		if (type == NAME_REGS)
			type = plan_syscall(func);
		else if (type == NAME_SOCKADDR)
			type = plan_address(&walk, &value);
		else
			type = graph_text_type(func, &walk, &value);
		if (type)
			room = graph_add_to_plan(&plan, type, value.word);
	}
	return plan;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(graph_plan_names);

/**
 * graph_add_to_plan - read the name of another argument
 * @plan:	the plan
 * @type:	the type of the argument, not 0
 * @word:	the index of its word
 *
 * Return: false if @plan already has as many arguments as a call has names.
 */
bool graph_add_to_plan(u32 *plan, unsigned int type, unsigned int word)
{
	u32 arg = type | word << GRAPH_PLAN_TYPE_BITS, other;
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

static __always_inline bool read_number(unsigned long *number, unsigned long addr,
					unsigned int bytes)
{
	u32 value;

	if (bytes == sizeof(long))
		return graph_read_word(number, addr);
	if (addr % sizeof(value) || !graph_is_kernel_address(addr))
		return false;
	__get_kernel_nofault(&value, (u32 *)addr, u32, fault);
	*number = value;
	return true;
fault:
	return false;
}

/*
 * Return the index of the first zero byte of @word, and clear the bytes after it. Return
 * -1 if there is none. @before has the bits of the bytes before the text, which do not end
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
 * Copy at most @max aligned words of a text of the kernel. Return the number of bytes up to
 * its end, or -1 if the memory cannot be read. A zero byte does not end @raw bytes.
 */
static __always_inline int copy_kernel_text(unsigned long *to, unsigned long addr,
					    unsigned long before, unsigned int max, bool raw)
{
	unsigned long word;
	unsigned int i;
	int end;

	if (!graph_is_kernel_address(addr))
		return -1;
	for (i = 0; i < max; i++, before = 0) {
		__get_kernel_nofault(&word, (unsigned long *)addr + i, unsigned long, fault);
		end = raw ? -1 : find_text_end(&word, before);
		to[i] = word & ~before;
		if (end >= 0)
			return i * sizeof(long) + end;
	}
	return max * sizeof(long);
fault:
	return -1;
}

/* Read an entry of a page table. Return false if the table was freed. */
static noinline bool read_entry(void *entry, const void *from, size_t bytes)
{
	unsigned long *to = entry, word;
	unsigned int i;

	for (i = 0; i < bytes / sizeof(long); i++) {
		__get_kernel_nofault(&word, (unsigned long *)from + i, unsigned long, fault);
		to[i] = word;
	}
	return true;
fault:
	return false;
}

/*
 * Return true if the page at @addr is in memory. A driver can map the registers of a device
 * into a program, and reading one can change it. This walks the page tables like
 * get_user_pages_fast(), which cannot be called because it may be traced. With interrupts
 * off, most archs free no table. On the others, each entry is read without a fault, and only
 * the result may be wrong.
 */
static bool is_user_memory(unsigned long addr)
{
	bool memory = false;
	p4d_t *p4dp, p4d;
	pud_t *pudp, pud;
	pmd_t *pmdp, pmd;
	pte_t *ptep, pte;

	p4dp = p4d_offset(pgd_offset(current->mm, addr), addr);
	if (!read_entry(&p4d, p4dp, sizeof(p4d)) || !p4d_present(p4d))
		return false;
	pudp = pud_offset_lockless(p4dp, p4d, addr);
	if (!read_entry(&pud, pudp, sizeof(pud)) || !pud_present(pud))
		return false;
	if (pud_leaf(pud))
		return true;
	pmdp = pmd_offset_lockless(pudp, pud, addr);
	if (!read_entry(&pmd, pmdp, sizeof(pmd)) || !pmd_present(pmd))
		return false;
	if (pmd_leaf(pmd))
		return true;
	ptep = pte_offset_map(&pmd, addr);
	if (read_entry(&pte, ptep, sizeof(pte)))
		memory = pte_present(pte) && !pte_special(pte);
	pte_unmap(ptep);
	return memory;
}

/* Return true if the @bytes at @addr, which are in at most two pages, are in memory. */
static bool are_user_memory(unsigned long addr, unsigned int bytes)
{
	unsigned long last = addr + bytes - 1, flags;
	bool memory;

	raw_local_irq_save(flags);
	memory = is_user_memory(addr) &&
		(addr >> PAGE_SHIFT == last >> PAGE_SHIFT || is_user_memory(last));
	raw_local_irq_restore(flags);
	return memory;
}

/*
 * Variant of copy_kernel_text() for user space. In an interrupt, the memory belongs to an
 * unrelated task. With interrupts off, a switch of tasks may be in progress: the memory is
 * already that of the next task.
 */
static __always_inline int copy_user_text(unsigned long *to, unsigned long addr,
					  unsigned long before, unsigned int max, bool raw)
{
	unsigned long __user *from = (unsigned long __user *)addr;
	unsigned int i, words = max;
	unsigned long word;
	int end = -1;

	if (!in_task() || irqs_disabled() || !current->mm)
		return -1;
	/* The text may end before the second page. */
	if (!are_user_memory(addr, words * sizeof(long))) {
		words = min_t(unsigned long, max,
			      (PAGE_SIZE - offset_in_page(addr)) / sizeof(long));
		if (!are_user_memory(addr, words * sizeof(long)))
			return -1;
	}
	if (!user_read_access_begin(from, words * sizeof(long)))
		return -1;
	for (i = 0; i < words && end < 0; i++, before = 0) {
		unsafe_get_user(word, from + i, fault);
		end = raw ? -1 : find_text_end(&word, before);
		to[i] = word & ~before;
	}
	user_read_access_end();
	if (end >= 0)
		return (i - 1) * sizeof(long) + end;
	return words < max ? -1 : max * sizeof(long);
fault:
	user_read_access_end();
	return -1;
}

/* Clear the bytes after a text. They are not recorded, because they may be secrets of a program. */
static __always_inline void clear_rest(struct graph_name *name, unsigned int words)
{
	unsigned int end = name->skip + name->len;

	memset((char *)name->text + end, 0, words * sizeof(long) - end);
}

/*
 * Copy the text at @addr, of at most @max bytes, to @name. Return false if it cannot be
 * read. Only a char * that is an argument or a result can point to user space.
 */
static __always_inline bool read_bytes(struct graph_name *name, unsigned long addr,
				       unsigned long max, bool may_be_user, bool raw)
{
	unsigned int skip = addr % sizeof(long), words = GRAPH_TEXT_WORDS;
	/* All archs with signatures are little-endian: the first byte is the lowest. */
	unsigned long before = BIT(8 * skip) - 1;
	int end;

	if (max <= GRAPH_NAME_BYTES)
		words = DIV_ROUND_UP(skip + max, sizeof(long)) ?: 1;
	if (may_be_user && addr < TASK_SIZE_MAX)
		end = copy_user_text(name->text, addr - skip, before, words, raw);
	else
		end = copy_kernel_text(name->text, addr - skip, before, words, raw);
	if (end < 0)
		return false;

	name->skip = skip;
	name->len = end - skip;
	if (max < name->len) {
		name->len = max;
		clear_rest(name, words);
	}
	if (name->len > GRAPH_NAME_BYTES) {
		name->len = GRAPH_NAME_BYTES;
		name->flags |= GRAPH_NAME_CUT;
	}
	return true;
}

static __always_inline bool read_text(struct graph_name *name, unsigned long addr,
				      unsigned long max, bool may_be_user)
{
	return read_bytes(name, addr, max, may_be_user, false);
}

/**
 * graph_read_text - read a text of the kernel
 * @name:	has room for GRAPH_NAME_WORDS, and is 0; set to the text
 * @addr:	the address of the text
 * @max:	its maximum length
 *
 * Context: any, with preemption and page faults disabled.
 * Return: false if the text cannot be read.
 */
bool graph_read_text(struct graph_name *name, unsigned long addr, unsigned long max)
{
	return read_text(name, addr, max, false);
}

/* Copy the address of a socket, of at most @max bytes. */
static noinline bool read_socket_address(struct graph_name *name, unsigned long addr,
					 unsigned long max)
{
	name->flags |= GRAPH_NAME_ADDRESS;
	return max >= sizeof(sa_family_t) && read_bytes(name, addr, max, true, true);
}

/*
 * Replace the name "/" of the root of a file system by the directory where it is mounted. A
 * dentry without a parent also has this name, and keeps it.
 */
static noinline bool read_mountpoint_name(struct graph_name *name, unsigned long path)
{
	unsigned long mnt, root, dentry, text;

	if (!graph_read_word(&mnt, path + offsetof(struct path, mnt)) ||
	    !graph_read_word(&dentry, path + offsetof(struct path, dentry)) ||
	    !graph_read_word(&root, mnt + offsetof(struct vfsmount, mnt_root)) || root != dentry ||
	    !graph_read_word(&dentry, mnt - offsetof(struct mount, mnt) +
			     offsetof(struct mount, mnt_mountpoint)) ||
	    !graph_read_word(&text, dentry + offsetof(struct dentry, d_name.name)))
		return true;
	return read_text(name, text, ULONG_MAX, false);
}

static __always_inline bool is_root(const struct graph_name *name)
{
	return name->len == 1 && ((u8 *)name->text)[name->skip] == '/';
}

/* Read the name of the object at @addr. Return false if there is none. */
static __always_inline bool read_object_name(struct graph_name *name,
					     const struct name_type *type,
					     unsigned long addr)
{
	unsigned long max = ULONG_MAX, path = addr + type->path;
	unsigned int i;

	if (type->length && !read_number(&max, addr + type->length, sizeof(u32)))
		return false;
	for (i = 0; i < type->nr_pointers; i++)
		if (!graph_read_word(&addr, addr + type->pointers[i]))
			return false;
	if (!read_text(name, addr + type->text, max, false))
		return false;
	return !type->has_path || !is_root(name) || read_mountpoint_name(name, path);
}

/* Copy the @nr arguments of a system call. They are where the entry code saved them. */
static __always_inline bool read_syscall_args(struct graph_name *name, unsigned long addr,
					      unsigned int nr)
{
	struct pt_regs *regs = (struct pt_regs *)addr;

	if (!in_task() || regs != task_pt_regs(current))
		return false;
	syscall_get_arguments(current, regs, name->text);
	name->len = nr * sizeof(long);
	name->skip = 0;
	name->flags |= GRAPH_NAME_REGS;
	return true;
}

/* Read the text of a name. Return false if it cannot be read. */
static __always_inline bool read_name_text(struct graph_name *name, unsigned int row,
					   unsigned long ptr, unsigned long max)
{
	switch (row) {
	case NAME_CHAR:
		return read_text(name, ptr, max, true);
	case NAME_REGS ... NAME_REGS + SYSCALL_ARGS:
		return read_syscall_args(name, ptr, row - NAME_REGS);
	case NAME_SOCKADDR:
		return read_socket_address(name, ptr, max);
	default:
		return read_object_name(name, &name_types[row], ptr);
	}
}

/**
 * graph_read_name - read the name of a pointer
 * @row:	the type from the plan, not 0
 * @word:	the index of the pointer among the words of the call
 * @flags:	GRAPH_NAME_RESULT or 0
 * @ptr:	the pointer
 * @max:	the maximum length of the text, if the pointer is a char *
 * @to:		room for GRAPH_NAME_WORDS; begins with a struct graph_name afterwards
 *
 * Context: any, with preemption disabled.
 * Return: the number of words in @to; 0 if there is no name.
 */
unsigned int graph_read_name(unsigned int row, unsigned int word, u8 flags,
			     unsigned long ptr, unsigned long max, unsigned long *to)
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
	found = read_name_text(name, row, ptr, max);
	words = graph_text_words(name);
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

/* Return the number of bytes of a UTF-8 character that begins with @first, or 0. */
static unsigned int utf8_bytes(u8 first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/*
 * Return true if a terminal shows the character. A control character, or one that changes
 * the direction of text, can forge lines.
 */
static bool is_shown(u32 c)
{
	return (c >= 0x20 && c < 0x7f) ||
		(c >= 0xa0 && c < 0x2028 && c != 0x61c && c != 0x200e && c != 0x200f) ||
		(c > 0x202e && c < 0x2066) || (c > 0x2069 && c < 0xd800) ||
		(c > 0xdfff && c < 0xfff0 && c != 0xfeff) || (c > 0xffff && c < 0x110000);
}

/* Return the length of the character at the start of @text if it is shown, or 0. */
static unsigned int shown_bytes(const u8 *text, unsigned int len)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned int i, bytes = utf8_bytes(*text);
	u32 c = *text;

	if (!bytes || bytes > len)
		return 0;
	if (bytes > 1)
		c &= 0x7f >> bytes;
	for (i = 1; i < bytes; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (text[i] & 0x3f);
	}
	return c >= least[bytes] && is_shown(c) ? bytes : 0;
}

/*
 * Print the @bytes of a character, or escape the byte if they are 0. The printed text does
 * not contain a quote, or characters that end an argument or a comment. @last is the byte
 * before it.
 */
static void print_text_char(struct trace_seq *s, const u8 *text, unsigned int bytes,
			    char last)
{
	char c = *text;

	if (bytes > 1)
		trace_seq_putmem(s, text, bytes);
	else if (c == '"' || c == '\\')
		trace_seq_printf(s, "\\%c", c);
	else if (!bytes || c == ',' || c == ')' || (c == '/' && last == '*'))
		trace_seq_printf(s, "\\x%02x", *text);
	else
		trace_seq_putc(s, c);
}

static const u8 *name_text(const struct graph_name *name)
{
	return (const u8 *)name->text + graph_name_skip(name);
}

/* Return the length of the text. If it is cut, do not count a part of a character. */
static unsigned int text_length(const struct graph_name *name)
{
	const u8 *text = name_text(name);
	unsigned int i;

	if (!(name->flags & GRAPH_NAME_CUT))
		return name->len;
	for (i = 1; i < 4 && i < name->len; i++)
		if (utf8_bytes(text[name->len - i]) > i)
			return name->len - i;
	return name->len;
}

static void print_bytes(struct trace_seq *s, const u8 *text, unsigned int len)
{
	unsigned int i, bytes;

	trace_seq_putc(s, '"');
	for (i = 0; i < len; i += bytes ?: 1) {
		bytes = shown_bytes(text + i, len - i);
		print_text_char(s, text + i, bytes, i ? text[i - 1] : 0);
	}
	trace_seq_putc(s, '"');
}

/**
 * print_graph_text - print the text of a name, in quotes
 * @s:		the buffer to print to
 * @name:	the name
 */
void print_graph_text(struct trace_seq *s, const struct graph_name *name)
{
	print_bytes(s, name_text(name), text_length(name));
	if (name->flags & GRAPH_NAME_CUT)
		trace_seq_puts(s, "…");
}

/*
 * Print the address of a local socket. A name in the abstract namespace has "@" in place of
 * its first byte, which is 0. Other names are paths, which end at a zero byte.
 */
static void print_unix_address(struct trace_seq *s, const u8 *path, unsigned int len, bool cut)
{
	bool is_abstract = len && !*path;

	if (!is_abstract)
		len = strnlen(path, len);
	trace_seq_puts(s, is_abstract ? "@" : "");
	print_bytes(s, path + is_abstract, len - is_abstract);
	trace_seq_puts(s, cut && len == GRAPH_NAME_BYTES - sizeof(sa_family_t) ? "…" : "");
}

/* Print the address of a socket, or its family if nothing else is known. */
static void print_socket_address(struct trace_seq *s, const struct graph_name *name)
{
	struct sockaddr_storage addr = { };
	unsigned int len = name->len;

	memcpy(&addr, name_text(name), len);
	if (addr.ss_family == AF_UNIX)
		print_unix_address(s, (u8 *)&addr + sizeof(sa_family_t),
				   len - sizeof(sa_family_t), name->flags & GRAPH_NAME_CUT);
	else if ((addr.ss_family == AF_INET && len >= sizeof(struct sockaddr_in)) ||
		 (addr.ss_family == AF_INET6 &&
		  len >= offsetofend(struct sockaddr_in6, sin6_addr)))
		trace_seq_printf(s, "%pISpc", &addr);
	else
		trace_seq_printf(s, "family %u", addr.ss_family);
}

static void print_syscall_args(struct trace_seq *s, const struct graph_name *name)
{
	unsigned int i;

	for (i = 0; i < name->len / sizeof(long); i++)
		trace_seq_printf(s, i ? " 0x%lx" : "0x%lx", name->text[i]);
}

/* Find the name of the pointer in a word. Return NULL if it was not recorded. */
static const struct graph_name *find_name(const unsigned long *names, unsigned int nr,
					  unsigned int word, bool of_result)
{
	const struct graph_name *name;

	for_each_graph_name(name, names, nr)
		if (name->word == word && !!(name->flags & GRAPH_NAME_RESULT) == of_result &&
		    !(name->flags & GRAPH_NAME_MEMBER))
			return name;
	return NULL;
}

/**
 * graph_copy_name - copy the text of a name
 * @name:	the name
 * @text:	room for GRAPH_TEXT_BYTES; set to the bytes of the text, and the mark of a cut
 *
 * Return: false if it has no text.
 */
bool graph_copy_name(const struct graph_name *name, char *text)
{
	unsigned int len;

	if (name->flags & (GRAPH_NAME_REGS | GRAPH_NAME_ADDRESS))
		return false;
	len = text_length(name);
	memcpy(text, name_text(name), len);
	strcpy(text + len, name->flags & GRAPH_NAME_CUT ? "…" : "");
	return true;
}

/**
 * graph_copy_text - copy the text of the name of a pointer
 * @names:	the recorded names
 * @nr:		the number of words in @names
 * @word:	the index of the pointer among the recorded words
 * @of_result:	the pointer is the result
 * @text:	see graph_copy_name()
 *
 * Return: false if the name was not recorded.
 */
bool graph_copy_text(const unsigned long *names, unsigned int nr, unsigned int word,
		     bool of_result, char *text)
{
	const struct graph_name *name = find_name(names, nr, word, of_result);

	return name && graph_copy_name(name, text);
}

/**
 * print_graph_pointer_name - print the name of a pointer
 * @s:		the buffer to print to
 * @names:	the recorded names
 * @nr:		the number of words in @names
 * @word:	the index of the pointer among the recorded words
 * @of_result:	the pointer is the result, not an argument
 *
 * If no name was recorded, print nothing.
 */
void print_graph_pointer_name(struct trace_seq *s, const unsigned long *names,
			      unsigned int nr, unsigned int word, bool of_result)
{
	const struct graph_name *name = find_name(names, nr, word, of_result);

	if (!name)
		return;
	trace_seq_puts(s, " (");
	if (name->flags & GRAPH_NAME_REGS)
		print_syscall_args(s, name);
	else if (name->flags & GRAPH_NAME_ADDRESS)
		print_socket_address(s, name);
	else
		print_graph_text(s, name);
	if (name->flags & GRAPH_NAME_NUMBER)
		trace_seq_printf(s, " %lu", ((unsigned long *)name)[graph_text_words(name)]);
	trace_seq_putc(s, ')');
}
