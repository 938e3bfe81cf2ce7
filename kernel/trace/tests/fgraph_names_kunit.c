// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the names of pointers. The signatures of the target functions determine
 * which pointers have names. The functions are not called: the tests pass the words that
 * they would get.
 */
#include <linux/blk_types.h>
#include <linux/cgroup.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/ftrace.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/kernfs.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/poison.h>
#include <linux/prandom.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/un.h>
#include <linux/vmalloc.h>

#include "../../../fs/mount.h"
#include "../../../mm/slab.h"
#include "../trace_graph_name.h"
#include "../trace_graph_value.h"
#include "fgraph_names_targets_kunit.h"
#include "fgraph_values_kunit.h"

/* The text of the last call, and the objects that do not fit on the stack */
static struct {
	struct trace_seq	seq;
	struct super_block	sb;
	struct inode		inode;
	struct mount		mount;
	struct net_device	dev;
	struct block_device	bdev;
	struct device		device;
	struct kmem_cache	cache;
#ifdef CONFIG_CGROUPS
	struct cgroup		cgroup;
#endif
} *fgn;

/* Find the signature of a target. Preemption must be disabled until its last use. */
static bool fgn_find_signature(const void *func, unsigned long *addr,
			       struct fgraph_sig *sig)
{
	*addr = ftrace_location(fgraph_func_addr(func));
	return fgraph_find_signature(*addr, sig);
}

/* Return the printed arguments of a call of @func, with names. */
static const char *fgn_args(const void *func, const unsigned long *words, unsigned int nr,
			    unsigned int max)
{
	unsigned long names[GRAPH_ARG_NAMES_WORDS], addr;
	struct graph_words args = { .words = words, .nr = nr, .names = names };
	struct fgraph_sig sig;

	trace_seq_init(&fgn->seq);
	preempt_disable();
	if (fgn_find_signature(func, &addr, &sig)) {
		args.nr_names = graph_read_arg_names(graph_plan_names(addr, &sig), words,
						     nr, names, max);
		print_graph_sig_args(&fgn->seq, &sig, &args);
	}
	preempt_enable();
	trace_seq_putc(&fgn->seq, 0);
	return fgn->seq.buffer;
}

static const char *fgn_result(const void *func, unsigned long result)
{
	unsigned long names[GRAPH_NAME_WORDS], addr;
	struct graph_words ret = { .words = &result, .nr = 1, .names = names };
	struct fgraph_sig sig;

	trace_seq_init(&fgn->seq);
	preempt_disable();
	if (fgn_find_signature(func, &addr, &sig)) {
		ret.nr_names = graph_read_result_name(graph_plan_names(addr, &sig),
						      result, names);
		print_graph_sig_retval(&fgn->seq, &sig, &ret);
	}
	preempt_enable();
	trace_seq_putc(&fgn->seq, 0);
	return fgn->seq.buffer;
}

/* Expect the name of @object as an argument and as the result. "" means no name. */
static void fgn_expect(struct kunit *test, const void *func, const void *object,
		       const char *name)
{
	unsigned long word = (unsigned long)object;
	char arg[128], ret[128];

	snprintf(ret, sizeof(ret), *name ? "0x%lx (%s)" : "0x%lx", word, name);
	snprintf(arg, sizeof(arg), "object=%s", ret);
	KUNIT_EXPECT_STREQ(test, fgn_args(func, &word, 1, GRAPH_ARG_NAMES_WORDS), arg);
	KUNIT_EXPECT_STREQ(test, fgn_result(func, word), ret);
}

static void fgn_files_test(struct kunit *test)
{
	struct filename filename = { .name = "/etc/motd" };
	struct dentry dentry = { .d_name = QSTR_INIT("motd", 4) };
	struct path path = { .dentry = &dentry };
	struct file file = { .f_path = path };
	struct file_system_type type = { .name = "fgnfs" };
	struct fs_context context = { .fs_type = &type };
	struct fs_parameter parameter = { .key = "ro" };

	fgn_expect(test, fgn_char, "text", "\"text\"");
	fgn_expect(test, fgn_filename, &filename, "\"/etc/motd\"");
	fgn_expect(test, fgn_dentry, &dentry, "\"motd\"");
	fgn_expect(test, fgn_qstr, &dentry.d_name, "\"motd\"");
	fgn_expect(test, fgn_path, &path, "\"motd\"");
	fgn_expect(test, fgn_file, &file, "\"motd\"");
	fgn_expect(test, fgn_file_system_type, &type, "\"fgnfs\"");
	fgn_expect(test, fgn_fs_context, &context, "\"fgnfs\"");
	fgn_expect(test, fgn_fs_parameter, &parameter, "\"ro\"");

	strscpy(fgn->sb.s_id, "fgn0", sizeof(fgn->sb.s_id));
	fgn->inode.i_sb = &fgn->sb;
	fgn->inode.i_ino = 4711;
	fgn_expect(test, fgn_super_block, &fgn->sb, "\"fgn0\"");
	fgn_expect(test, fgn_inode, &fgn->inode, "\"fgn0\" 4711");
}

/* The root of a file system has the name of the directory where it is mounted. */
static void fgn_mounts_test(struct kunit *test)
{
	struct dentry root = { .d_name = QSTR_INIT("/", 1) };
	struct dentry dir = { .d_name = QSTR_INIT("mnt", 3) };
	struct file file = { .f_path.dentry = &root };

	fgn_expect(test, fgn_dentry, &root, "\"/\"");
	fgn_expect(test, fgn_path, &file.f_path, "\"/\"");
	file.f_path.mnt = &fgn->mount.mnt;
	fgn->mount.mnt_mountpoint = &dir;
	/* A dentry without a parent has the name of a root. */
	fgn_expect(test, fgn_path, &file.f_path, "\"/\"");
	fgn->mount.mnt.mnt_root = &root;
	fgn_expect(test, fgn_path, &file.f_path, "\"mnt\"");
	fgn_expect(test, fgn_file, &file, "\"mnt\"");
	fgn->mount.mnt_mountpoint = &root;
	fgn_expect(test, fgn_path, &file.f_path, "\"/\"");
}

static void fgn_objects_test(struct kunit *test)
{
	struct kobject kobject = { .name = "fgn-object" };
	char task[64];

	snprintf(task, sizeof(task), "\"%s\" %d", current->comm, current->pid);
	fgn_expect(test, fgn_task_struct, current, task);
	fgn_expect(test, fgn_kobject, &kobject, "\"fgn-object\"");
	fgn->cache.name = "fgn-cache";
	fgn_expect(test, fgn_kmem_cache, &fgn->cache, "\"fgn-cache\"");
	strscpy(fgn->dev.name, "eth7", sizeof(fgn->dev.name));
	fgn_expect(test, fgn_net_device, &fgn->dev, "\"eth7\"");
	fgn->device.kobj.name = "fgn-device";
	fgn_expect(test, fgn_device, &fgn->device, "\"fgn-device\"");
	fgn->bdev.bd_device.kobj.name = "fgn1";
	fgn_expect(test, fgn_block_device, &fgn->bdev, "\"fgn1\"");
#ifdef MODULE
	fgn_expect(test, fgn_module, THIS_MODULE, "\"" KBUILD_MODNAME "\"");
#endif
#ifdef CONFIG_CGROUPS
	{
		struct kernfs_node node = { .name = "fgn.slice" };

		fgn->cgroup.kn = &node;
		fgn_expect(test, fgn_cgroup, &fgn->cgroup, "\"fgn.slice\"");
	}
#endif
}

/* The registers of a function that is not called for a system call are not arguments. */
static void fgn_regs_test(struct kunit *test)
{
	unsigned long word = (unsigned long)task_pt_regs(current);
	char text[32];

	snprintf(text, sizeof(text), "object=0x%lx", word);
	KUNIT_EXPECT_STREQ(test, fgn_args(fgn_pt_regs, &word, 1, GRAPH_ARG_NAMES_WORDS), text);
}

/* Texts, and how they print */
static const struct {
	const char *text;
	const char *printed;
} fgn_texts[] = {
	{ "", "\"\"" },
	{ "a, b) */ c", "\"a\\x2c b\\x29 *\\x2f c\"" },
	{ "\"quoted\" \\", "\"\\\"quoted\\\" \\\\\"" },
	{ "lines\nlines\n", "\"lines\\x0alines\\x0a\"" },
	{ "\x01", "\"\\x01\"" },
	/* UTF-8, and text that only looks like it */
	{ "caf\xc3\xa9", "\"caf\xc3\xa9\"" },
	{ "\xe2\x82\xac \xf0\x9f\x90\xa7", "\"\xe2\x82\xac \xf0\x9f\x90\xa7\"" },
	{ "\xe9t\xe9", "\"\\xe9t\\xe9\"" },
	{ "\xc0\xaf\xed\xa0\x80", "\"\\xc0\\xaf\\xed\\xa0\\x80\"" },
	{ "\xe2\x82", "\"\\xe2\\x82\"" },
	/* CSI, and a mark that reverses the text. A terminal would interpret both. */
	{ "\xc2\x9bm\xe2\x80\xae", "\"\\xc2\\x9bm\\xe2\\x80\\xae\"" },
	/* A cut text does not end with a part of a character. */
	{ "12345678901234567890123456789012345678901234567\xc3\xa9",
	  "\"12345678901234567890123456789012345678901234567\"…" },
	{ "1234567890123456789012345678901234567890123456\xc3\xa9x",
	  "\"1234567890123456789012345678901234567890123456\xc3\xa9\"…" },
	{ "123456789012345678901234567890123456789012345678",
	  "\"123456789012345678901234567890123456789012345678\"" },
	{ "1234567890123456789012345678901234567890123456789",
	  "\"123456789012345678901234567890123456789012345678\"…" },
};

/* A text may begin anywhere in a word. The bytes before it do not matter. */
static void fgn_texts_test(struct kunit *test)
{
	char *buffer = kunit_kzalloc(test, 128, GFP_KERNEL);
	unsigned int i, offset;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	for (i = 0; i < ARRAY_SIZE(fgn_texts); i++) {
		for (offset = 0; offset <= sizeof(long); offset++) {
			memset(buffer, offset & 1 ? 0 : 'x', 128);
			strcpy(buffer + offset, fgn_texts[i].text);
			fgn_expect(test, fgn_char, buffer + offset, fgn_texts[i].printed);
		}
	}
}

/* Expect the arguments of a call of @func with a text and a number. */
static void fgn_expect_sized(struct kunit *test, const void *func, const char *text,
			     unsigned long number, const char *printed)
{
	const unsigned long words[] = { (unsigned long)text, number };
	char args[128];

	snprintf(args, sizeof(args), printed, words[0]);
	KUNIT_EXPECT_STREQ(test, fgn_args(func, words, 2, GRAPH_ARG_NAMES_WORDS), args);
}

/*
 * A text ends at the length that the caller passes, and an event does not contain the
 * bytes after it.
 */
static void fgn_sized_test(struct kunit *test)
{
	static const char text[] __aligned(8) = "abcSECRET";
	const unsigned long words[] = { (unsigned long)text + 1, 2 };
	unsigned long names[GRAPH_ARG_NAMES_WORDS] = { }, addr;
	struct fgraph_sig sig;

	fgn_expect_sized(test, fgn_sized, text, 3, "text=0x%lx (\"abc\"), count=3");
	fgn_expect_sized(test, fgn_sized, text + 1, 2, "text=0x%lx (\"bc\"), count=2");
	fgn_expect_sized(test, fgn_sized, text, 0, "text=0x%lx (\"\"), count=0");
	fgn_expect_sized(test, fgn_sized, text, 100, "text=0x%lx (\"abcSECRET\"), count=100");
	fgn_expect_sized(test, fgn_sized_int, text, 3, "text=0x%lx (\"abc\"), len=3");
	/* These are the sizes of something else. */
	fgn_expect_sized(test, fgn_create, text, 3, "name=0x%lx (\"abcSECRET\"), size=3");
	fgn_expect_sized(test, fgn_truncate, text, 3, "path=0x%lx (\"abcSECRET\"), length=3");
#ifdef CONFIG_64BIT
	/* The bits above an int are garbage, and those of a size_t are not. */
	fgn_expect_sized(test, fgn_sized_int, text, BIT(32) | 3,
			 "text=0x%lx (\"abc\"), len=3");
	fgn_expect_sized(test, fgn_sized, text, BIT(32),
			 "text=0x%lx (\"abcSECRET\"), count=4294967296");
#endif

	preempt_disable();
	if (fgn_find_signature(fgn_sized, &addr, &sig))
		graph_read_arg_names(graph_plan_names(addr, &sig), words, 2, names,
				     GRAPH_ARG_NAMES_WORDS);
	preempt_enable();
	KUNIT_EXPECT_NOT_NULL(test, strnstr((char *)&names[1], "bc", sizeof(long)));
	KUNIT_EXPECT_NULL(test, memchr(names, 'S', sizeof(names)));
}

/* Expect the printed address of a socket. */
static void fgn_expect_address(struct kunit *test, const void *addr, unsigned int len,
			       const char *printed)
{
	const unsigned long words[] = { (unsigned long)addr, len };
	char args[192];

	snprintf(args, sizeof(args), "addr=0x%lx%s, addrlen=%u", words[0], printed, len);
	KUNIT_EXPECT_STREQ(test, fgn_args(fgn_address, words, 2, GRAPH_ARG_NAMES_WORDS), args);
}

static void fgn_addresses_test(struct kunit *test)
{
	static const struct sockaddr_un path = { AF_UNIX, "/run/a\nb" };
	static const struct sockaddr_un abstract = { AF_UNIX, "\0name" };
	static const struct sockaddr_un longer = {
		AF_UNIX, "/run/1234567890123456789012345678901234567890/socket"
	};
	static const struct sockaddr_in in = {
		AF_INET, cpu_to_be16(80), { cpu_to_be32(0x7f000001) }
	};
	static const struct sockaddr_in6 in6 = {
		.sin6_family = AF_INET6, .sin6_port = cpu_to_be16(443),
		.sin6_addr.s6_addr = { [0] = 0xfe, [1] = 0x80, [15] = 1 },
	};
	static const struct sockaddr other = { AF_NETLINK };

	fgn_expect_address(test, &path, sizeof(path), " (\"/run/a\\x0ab\")");
	fgn_expect_address(test, &path, 6, " (\"/run\")");
	fgn_expect_address(test, &path, 2, " (\"\")");
	fgn_expect_address(test, &path, 1, "");
	fgn_expect_address(test, &abstract, 7, " (@\"name\")");
	fgn_expect_address(test, &longer, sizeof(longer),
			   " (\"/run/1234567890123456789012345678901234567890/\"…)");
	fgn_expect_address(test, &in, sizeof(in), " (127.0.0.1:80)");
	fgn_expect_address(test, &in, 4, " (family 2)");
	fgn_expect_address(test, &in6, sizeof(in6), " ([fe80::1]:443)");
	fgn_expect_address(test, &other, sizeof(other), " (family 16)");
}

/* A buffer that a function fills has no text at the entry. */
static void fgn_buffers_test(struct kunit *test)
{
	static const char text[] = "old";

	fgn_expect_sized(test, fgn_fill, text, 3, "text=0x%lx, size=3");
	fgn_expect_sized(test, fgn_fill_page, text, 3, "page=0x%lx");
	fgn_expect_sized(test, fgn_store, text, 3, "buf=0x%lx (\"old\"), nbytes=3");
	fgn_expect_sized(test, fgn_reset, text, 3, "buf=0x%lx, nbytes=3");
}

static void fgn_qstr_test(struct kunit *test)
{
	struct qstr name = QSTR_INIT("dir/file", 3);

	fgn_expect(test, fgn_qstr, &name, "\"dir\"");
	name.len = 0;
	fgn_expect(test, fgn_qstr, &name, "\"\"");
}

/* A text may continue on the next page. */
static void fgn_page_test(struct kunit *test)
{
	char *pages = (char *)__get_free_pages(GFP_KERNEL, 1);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, pages);
	for (i = 1; i < 2 * sizeof(long); i++) {
		strcpy(pages + PAGE_SIZE - i, "one page and another");
		fgn_expect(test, fgn_char, pages + PAGE_SIZE - i, "\"one page and another\"");
	}
	free_pages((unsigned long)pages, 1);
}

/*
 * Memory of vmalloc() is not read, because it may be the registers of a device. The
 * stack is read.
 */
static void fgn_vmalloc_test(struct kunit *test)
{
	char stack[] = "on the stack", *area = vmalloc(PAGE_SIZE);

	KUNIT_ASSERT_NOT_NULL(test, area);
	strcpy(area, "in vmalloc");
	fgn_expect(test, fgn_char, area, "");
	fgn_expect(test, fgn_char, stack, "\"on the stack\"");
	vfree(area);
}

/* A call has at most two names, and fewer if there is no room. */
static void fgn_many_test(struct kunit *test)
{
	static const char a[] __aligned(8) = "one";
	static const char c[] __aligned(8) = "three";
	static const char d[] = "four";
	const unsigned long words[] = {
		(unsigned long)a, 2, (unsigned long)c, (unsigned long)d,
	};
	const unsigned int two = 1 + DIV_ROUND_UP(sizeof("one") - 1, sizeof(long)) +
				 1 + DIV_ROUND_UP(sizeof("three") - 1, sizeof(long));
	char text[128];

	snprintf(text, sizeof(text), "a=0x%lx (\"one\"), b=2, c=0x%lx (\"three\"), d=0x%lx",
		 words[0], words[2], words[3]);
	KUNIT_EXPECT_STREQ(test, fgn_args(fgn_many, words, 4, two), text);
	snprintf(text, sizeof(text), "a=0x%lx (\"one\"), b=2, c=0x%lx, d=0x%lx",
		 words[0], words[2], words[3]);
	KUNIT_EXPECT_STREQ(test, fgn_args(fgn_many, words, 4, two - 1), text);
}

/* Pointers that point to nothing, or to something else. */

/* Each one is two pointers: an argument and a result. */
#define FGN_BAD_POINTERS	250000

static const void *const fgn_funcs[] = {
	fgn_char,
#define FGN(type)	fgn_##type,
#include "fgraph_names_types_kunit.h"
};

/* Memory that was freed, and memory that contains bad pointers */
struct fgn_memory {
	unsigned long	*poisoned;
	unsigned long	freed;
	unsigned long	unmapped;
};

/* The distance from the end of memory to addresses that are not mapped */
#ifdef CONFIG_64BIT
#define FGN_BEYOND_MEMORY	BIT(34)
#else
#define FGN_BEYOND_MEMORY	BIT(20)
#endif

/* Return an address without an object: it is never read, or there is no memory. */
static unsigned long fgn_no_address(const struct fgn_memory *memory, u32 random)
{
	switch (random % 6) {
	case 0:
		return memory->unmapped + random / 8 % PAGE_SIZE;
	case 1:
		return (unsigned long)LIST_POISON1 + random / 8 % 64;
	case 2:
		return -1UL - random / 8 % PAGE_SIZE;
	case 3:
		return random / 8 % PAGE_SIZE;
	case 4:
		return (unsigned long)high_memory + FGN_BEYOND_MEMORY + random / 8 % 64;
	default:
		return POISON_FREE * (ULONG_MAX / 0xff);
	}
}

/* Return an address of memory that contains only bad pointers. */
static unsigned long fgn_bad_address(const struct fgn_memory *memory, u32 random)
{
	if (random % 2)
		return memory->freed + random / 8 % 64;
	return (unsigned long)memory->poisoned + random / 8 % 64;
}

static unsigned int fgn_count_names(const void *func, unsigned long word)
{
	unsigned long names[GRAPH_NAME_WORDS], addr;
	unsigned int found = 0;
	struct fgraph_sig sig;
	u32 plan;

	preempt_disable();
	if (fgn_find_signature(func, &addr, &sig)) {
		plan = graph_plan_names(addr, &sig);
		found += !!graph_read_arg_names(plan, &word, 1, names, GRAPH_NAME_WORDS);
		found += !!graph_read_result_name(plan, word, names);
	}
	preempt_enable();
	return found;
}

/* Bad pointers do no harm. A pointer to nothing has no name. */
static void fgn_bad_pointers_test(struct kunit *test)
{
	struct fgn_memory memory = { .poisoned = kunit_kzalloc(test, 8192, GFP_KERNEL) };
	void *freed = kmalloc(8192, GFP_KERNEL), *unmapped = vmalloc(PAGE_SIZE);
	unsigned int i, found = 0;
	struct rnd_state rnd;
	const void *func;
	u32 random;

	KUNIT_ASSERT_NOT_NULL(test, memory.poisoned);
	memory.freed = (unsigned long)freed;
	memory.unmapped = (unsigned long)unmapped;
	kfree(freed);
	vfree(unmapped);
	prandom_seed_state(&rnd, 42);
	for (i = 0; i < 8192 / sizeof(long); i++)
		memory.poisoned[i] = fgn_no_address(&memory, prandom_u32_state(&rnd));

	for (i = 0; i < FGN_BAD_POINTERS; i++) {
		func = fgn_funcs[i % ARRAY_SIZE(fgn_funcs)];
		random = prandom_u32_state(&rnd);
		found += fgn_count_names(func, fgn_no_address(&memory, random));
		fgn_count_names(func, fgn_bad_address(&memory, random));
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, found, 0);
}

static int fgn_init(struct kunit *test)
{
	fgn = kunit_kzalloc(test, sizeof(*fgn), GFP_KERNEL);
	return fgn ? fgv_need_signatures(test) : -ENOMEM;
}

static struct kunit_case fgraph_names_cases[] = {
	KUNIT_CASE(fgn_files_test),
	KUNIT_CASE(fgn_mounts_test),
	KUNIT_CASE(fgn_objects_test),
	KUNIT_CASE(fgn_regs_test),
	KUNIT_CASE(fgn_texts_test),
	KUNIT_CASE(fgn_sized_test),
	KUNIT_CASE(fgn_addresses_test),
	KUNIT_CASE(fgn_buffers_test),
	KUNIT_CASE(fgn_qstr_test),
	KUNIT_CASE(fgn_page_test),
	KUNIT_CASE(fgn_vmalloc_test),
	KUNIT_CASE(fgn_many_test),
	KUNIT_CASE(fgn_bad_pointers_test),
	{ }
};

struct kunit_suite fgraph_names_suite = {
	.name = "fgraph_names",
	.init = fgn_init,
	.test_cases = fgraph_names_cases,
};
