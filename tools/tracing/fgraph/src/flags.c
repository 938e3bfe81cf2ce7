// SPDX-License-Identifier: GPL-2.0
#include <asm/fcntl.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/socket.h>

#include "flags.h"
#include "util.h"

/**
 * struct flag - a name
 * @name:	the name
 * @value:	what it stands for
 */
struct flag {
	const char	*name;
	unsigned long	value;
};

#define FLAG(name)	{ #name, name }
#define END		{ }

static const struct flag open_modes[] = {
	FLAG(O_RDONLY), FLAG(O_WRONLY), FLAG(O_RDWR), END
};

/* A name comes before those of fewer bits. */
static const struct flag open_flags[] = {
	FLAG(O_SYNC), FLAG(O_TMPFILE), FLAG(O_CREAT), FLAG(O_EXCL), FLAG(O_NOCTTY),
	FLAG(O_TRUNC), FLAG(O_APPEND), FLAG(O_NONBLOCK), FLAG(O_DSYNC), FLAG(O_DIRECT),
	FLAG(O_LARGEFILE), FLAG(O_DIRECTORY), FLAG(O_NOFOLLOW), FLAG(O_NOATIME),
	FLAG(O_CLOEXEC), FLAG(O_PATH), END
};

static const struct flag prot_flags[] = {
	FLAG(PROT_READ), FLAG(PROT_WRITE), FLAG(PROT_EXEC), FLAG(PROT_GROWSDOWN),
	FLAG(PROT_GROWSUP), END
};

static const struct flag map_types[] = {
	FLAG(MAP_SHARED), FLAG(MAP_PRIVATE), FLAG(MAP_SHARED_VALIDATE), END
};

static const struct flag map_flags[] = {
	FLAG(MAP_FIXED), FLAG(MAP_ANONYMOUS), FLAG(MAP_GROWSDOWN), FLAG(MAP_DENYWRITE),
	FLAG(MAP_LOCKED), FLAG(MAP_NORESERVE), FLAG(MAP_POPULATE), FLAG(MAP_NONBLOCK),
	FLAG(MAP_STACK), FLAG(MAP_HUGETLB), FLAG(MAP_SYNC), FLAG(MAP_FIXED_NOREPLACE), END
};

/* Old programs set it. The kernel ignores it. */
static const struct flag mount_magic[] = {
	FLAG(MS_MGC_VAL), END
};

static const struct flag mount_flags[] = {
	FLAG(MS_RDONLY), FLAG(MS_NOSUID), FLAG(MS_NODEV), FLAG(MS_NOEXEC),
	FLAG(MS_SYNCHRONOUS), FLAG(MS_REMOUNT), FLAG(MS_MANDLOCK), FLAG(MS_DIRSYNC),
	FLAG(MS_NOATIME), FLAG(MS_NODIRATIME), FLAG(MS_BIND), FLAG(MS_MOVE), FLAG(MS_REC),
	FLAG(MS_SILENT), FLAG(MS_UNBINDABLE), FLAG(MS_PRIVATE), FLAG(MS_SLAVE),
	FLAG(MS_SHARED), FLAG(MS_RELATIME), FLAG(MS_STRICTATIME), FLAG(MS_LAZYTIME), END
};

static const struct flag rename_flags[] = {
	FLAG(RENAME_NOREPLACE), FLAG(RENAME_EXCHANGE), FLAG(RENAME_WHITEOUT), END
};

static const struct flag unlink_flags[] = {
	FLAG(AT_REMOVEDIR), END
};

static const struct flag at_flags[] = {
	FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_SYMLINK_FOLLOW), FLAG(AT_NO_AUTOMOUNT),
	FLAG(AT_EMPTY_PATH), END
};

static const struct flag clone_flags[] = {
	FLAG(CLONE_VM), FLAG(CLONE_FS), FLAG(CLONE_FILES), FLAG(CLONE_SIGHAND),
	FLAG(CLONE_PIDFD), FLAG(CLONE_PTRACE), FLAG(CLONE_VFORK), FLAG(CLONE_PARENT),
	FLAG(CLONE_THREAD), FLAG(CLONE_NEWNS), FLAG(CLONE_SYSVSEM), FLAG(CLONE_SETTLS),
	FLAG(CLONE_PARENT_SETTID), FLAG(CLONE_CHILD_CLEARTID), FLAG(CLONE_CHILD_SETTID),
	FLAG(CLONE_NEWCGROUP), FLAG(CLONE_NEWUTS), FLAG(CLONE_NEWIPC), FLAG(CLONE_NEWUSER),
	FLAG(CLONE_NEWPID), FLAG(CLONE_NEWNET), FLAG(CLONE_IO), END
};

static const struct flag families[] = {
	FLAG(AF_UNIX), FLAG(AF_INET), FLAG(AF_INET6), FLAG(AF_NETLINK), FLAG(AF_PACKET),
	FLAG(AF_ALG), FLAG(AF_VSOCK), FLAG(AF_CAN), FLAG(AF_BLUETOOTH), END
};

static const struct flag socket_types[] = {
	FLAG(SOCK_STREAM), FLAG(SOCK_DGRAM), FLAG(SOCK_RAW), FLAG(SOCK_RDM),
	FLAG(SOCK_SEQPACKET), FLAG(SOCK_PACKET), END
};

static const struct flag socket_flags[] = {
	FLAG(SOCK_CLOEXEC), FLAG(SOCK_NONBLOCK), END
};

static const struct flag fcntl_commands[] = {
	FLAG(F_DUPFD), FLAG(F_GETFD), FLAG(F_SETFD), FLAG(F_GETFL), FLAG(F_SETFL),
	FLAG(F_GETLK), FLAG(F_SETLK), FLAG(F_SETLKW), FLAG(F_SETOWN), FLAG(F_GETOWN),
	FLAG(F_SETSIG), FLAG(F_GETSIG), FLAG(F_SETOWN_EX), FLAG(F_GETOWN_EX),
	FLAG(F_OFD_GETLK), FLAG(F_OFD_SETLK), FLAG(F_OFD_SETLKW), FLAG(F_SETLEASE),
	FLAG(F_GETLEASE), FLAG(F_NOTIFY), FLAG(F_DUPFD_CLOEXEC), FLAG(F_SETPIPE_SZ),
	FLAG(F_GETPIPE_SZ), FLAG(F_ADD_SEALS), FLAG(F_GET_SEALS), END
};

static const struct flag epoll_commands[] = {
	FLAG(EPOLL_CTL_ADD), FLAG(EPOLL_CTL_DEL), FLAG(EPOLL_CTL_MOD), END
};

static const struct flag policies[] = {
	FLAG(SCHED_NORMAL), FLAG(SCHED_FIFO), FLAG(SCHED_RR), FLAG(SCHED_BATCH),
	FLAG(SCHED_IDLE), FLAG(SCHED_DEADLINE), END
};

static const struct flag descriptors[] = {
	{ "AT_FDCWD", (unsigned int)AT_FDCWD }, END
};

/**
 * struct flagged - an argument that has names
 * @syscall:	the name of the system call; NULL is any
 * @arg:	the name of the argument
 * @values:	the names of the whole argument, or of the bits in @mask; may be NULL
 * @mask:	these bits, or 0
 * @flags:	the names of the other bits, or NULL
 */
struct flagged {
	const char		*syscall;
	const char		*arg;
	const struct flag	*values;
	unsigned long long	mask;
	const struct flag	*flags;
};

static const struct flagged flagged[] = {
	{ "open", "flags", open_modes, O_ACCMODE, open_flags },
	{ "openat", "flags", open_modes, O_ACCMODE, open_flags },
	{ "mmap", "prot", NULL, 0, prot_flags }, { "mmap_pgoff", "prot", NULL, 0, prot_flags },
	{ "mprotect", "prot", NULL, 0, prot_flags },
	{ "mmap", "flags", map_types, MAP_TYPE, map_flags },
	{ "mmap_pgoff", "flags", map_types, MAP_TYPE, map_flags },
	{ "mount", "flags", mount_magic, MS_MGC_MSK, mount_flags },
	{ "renameat2", "flags", NULL, 0, rename_flags },
	{ "unlinkat", "flag", NULL, 0, unlink_flags },
	{ "newfstatat", "flag", NULL, 0, at_flags }, { "statx", "flags", NULL, 0, at_flags },
	{ "linkat", "flags", NULL, 0, at_flags }, { "fchownat", "flag", NULL, 0, at_flags },
	{ "utimensat", "flags", NULL, 0, at_flags }, { "execveat", "flags", NULL, 0, at_flags },
	{ "clone", "clone_flags", NULL, 0, clone_flags },
	{ "unshare", "unshare_flags", NULL, 0, clone_flags },
	{ "setns", "flags", NULL, 0, clone_flags },
	{ "socket", "family", families, -1ULL, NULL },
	{ "socketpair", "family", families, -1ULL, NULL },
	{ "socket", "type", socket_types, 0xf, socket_flags },
	{ "socketpair", "type", socket_types, 0xf, socket_flags },
	{ "accept4", "flags", NULL, 0, socket_flags },
	{ "fcntl", "cmd", fcntl_commands, -1ULL, NULL },
	{ "fcntl64", "cmd", fcntl_commands, -1ULL, NULL },
	{ "epoll_ctl", "op", epoll_commands, -1ULL, NULL },
	{ "sched_setscheduler", "policy", policies, -1ULL, NULL },
	{ NULL, "dfd", descriptors, -1ULL, NULL }, { NULL, "olddfd", descriptors, -1ULL, NULL },
	{ NULL, "newdfd", descriptors, -1ULL, NULL },
};

static const struct flagged *find_flagged(const char *syscall, const char *arg)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flagged); i++)
		if (!strcmp(flagged[i].arg, arg) &&
		    (!flagged[i].syscall || !strcmp(flagged[i].syscall, syscall)))
			return &flagged[i];
	return NULL;
}

static const char *find_value(const struct flag *flag, unsigned long long value)
{
	for (; flag && flag->name; flag++)
		if (flag->value == value)
			return flag->name;
	return NULL;
}

bool print_flags(FILE *out, const char *syscall, const char *arg, unsigned long long word)
{
	const struct flagged *names = find_flagged(syscall, arg);
	const char *value, *separator = "";
	const struct flag *flag;

	value = names ? find_value(names->values, word & names->mask) : NULL;
	if (!names || (!names->flags && !value))
		return false;
	if (value) {
		fputs(value, out);
		word &= ~names->mask;
		separator = "|";
	}
	for (flag = names->flags; flag && flag->name; flag++) {
		if (!flag->value || (word & flag->value) != flag->value)
			continue;
		fprintf(out, "%s%s", separator, flag->name);
		word &= ~(unsigned long long)flag->value;
		separator = "|";
	}
	if (word || !*separator)
		fprintf(out, word ? "%s0x%llx" : "%s%llu", separator, word);
	return true;
}
