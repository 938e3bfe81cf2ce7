// SPDX-License-Identifier: GPL-2.0
/*
 * pairs: lists pairs of runs, of which one works and the other one fails, a line each: NAME
 * FUNCTION.... The runs part in the first of these functions that the compiler did not inline.
 * pairs prepare: makes what the runs use, in a file system of its own.
 * pairs NAME good, pairs NAME bad: makes one of the two runs.
 * pairs all good, pairs all bad: makes one of each pair, in processes that have their names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIR	"/tmp/pairs/"

/**
 * struct pair - two runs
 * @name:	their name: the first seven bytes are those of no other one, as in a trace
 * @functions:	where they part, see above
 * @error:	the error of the bad one
 * @run:	makes one of them, and returns -1 with errno if it fails
 * @needs:	a file that there is if the kernel can do this, or NULL
 */
struct pair {
	const char	*name;
	const char	*functions;
	int		error;
	long		(*run)(bool bad);
	const char	*needs;
};

static void become_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
	    setresuid(65534, 65534, 65534))
		exit(2);
}

static void limit(int resource, rlim_t value)
{
	struct rlimit both = { value, value };

	if (setrlimit(resource, &both))
		exit(2);
}

static long mount_option(bool bad)
{
	return mount("none", DIR "mnt", "tmpfs", 0, bad ? "nonsense=1" : "size=1m");
}

static long file_system(bool bad)
{
	return mount("none", DIR "mnt", bad ? "nosuchfs" : "ramfs", 0, NULL);
}

static long file_mode(bool bad)
{
	become_nobody();
	return open(bad ? DIR "secret" : DIR "file", O_RDONLY);
}

static long directory_mode(bool bad)
{
	become_nobody();
	return open(bad ? DIR "closed/file" : DIR "open/file", O_RDONLY);
}

static long missing_file(bool bad)
{
	return open(bad ? DIR "open/nothing" : DIR "open/file", O_RDONLY);
}

static long symlink_in_path(bool bad)
{
	return open(bad ? DIR "link" : DIR "file", O_RDONLY | O_NOFOLLOW);
}

static long full_disk(bool bad)
{
	char page[4096] = "x";
	int fd = open(bad ? DIR "small/file" : DIR "large/file", O_WRONLY | O_CREAT, 0600);
	int i;

	for (i = 0; i < 3; i++)
		if (write(fd, page, sizeof(page)) < 0)
			return -1;
	return 0;
}

static long file_limit(bool bad)
{
	signal(SIGXFSZ, SIG_IGN);
	limit(RLIMIT_FSIZE, bad ? 10 : 1000);
	return truncate(DIR "file", 20);
}

static long open_files(bool bad)
{
	limit(RLIMIT_NOFILE, bad ? 3 : 10);
	return open(DIR "file", O_RDONLY);
}

static long address_space(bool bad)
{
	limit(RLIMIT_AS, bad ? 8 << 20 : 512 << 20);
	return mmap(NULL, 16 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ?
	       -1 : 0;
}

static long lock_held(bool bad)
{
	int fd = open(DIR "file", O_RDONLY);

	if (flock(open(DIR "file", O_RDONLY), bad ? LOCK_EX : LOCK_SH))
		exit(2);
	return flock(fd, LOCK_SH | LOCK_NB);
}

static long capability(bool bad)
{
	if (bad)
		become_nobody();
	return sethostname("pairs", 5);
}

static long sticky_directory(bool bad)
{
	become_nobody();
	return unlink(bad ? DIR "sticky/root" : DIR "sticky/nobody");
}

static long directory_with_files(bool bad)
{
	return rmdir(bad ? DIR "open" : DIR "empty");
}

static long other_mount(bool bad)
{
	return link(DIR "file", bad ? DIR "large/new" : DIR "new");
}

static long kind_of_fd(bool bad)
{
	int fds[2];

	if (pipe(fds))
		exit(2);
	return lseek(bad ? fds[0] : open(DIR "file", O_RDONLY), 5, SEEK_SET);
}

static long read_directory(bool bad)
{
	char text[8];

	return read(open(bad ? DIR "open" : DIR "file", O_RDONLY), text, sizeof(text));
}

static long pipe_without_reader(bool bad)
{
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(fds))
		exit(2);
	if (bad)
		close(fds[0]);
	return write(fds[1], "x", 1);
}

static long sysctl_value(bool bad)
{
	const char *text = bad ? "-7\n" : "50\n";

	return write(open("/proc/sys/vm/swappiness", O_WRONLY), text, strlen(text));
}

static long socket_family(bool bad)
{
	return socket(bad ? AF_X25 : AF_UNIX, SOCK_STREAM, 0);
}

static long socket_address(bool bad)
{
	struct sockaddr_un address = { AF_UNIX, DIR "socket" };

	if (bad)
		strcpy(address.sun_path, DIR "file");
	return bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof(address));
}

static long program_mode(bool bad)
{
	execl(bad ? DIR "file" : "/bin/true", "true", NULL);
	return -1;
}

static long number_of_processes(bool bad)
{
	pid_t pid;

	limit(RLIMIT_NPROC, bad ? 0 : 100);
	become_nobody();
	pid = fork();
	if (!pid)
		_exit(0);
	return pid < 0 ? -1 : wait(NULL);
}

static const struct pair pairs[] = {
	{ "mount_option", "fs_lookup_key __fs_parse", EINVAL, mount_option },
	{ "file_system", "find_filesystem __get_fs_type get_fs_type", ENODEV, file_system },
	{ "file_mode", "generic_permission", EACCES, file_mode },
	{ "directory_mode", "generic_permission", EACCES, directory_mode },
	{ "missing_file", "step_into", ENOENT, missing_file },
	{ "symlink", "may_open", ELOOP, symlink_in_path },
	{ "full_disk", "shmem_alloc_and_acct_folio shmem_get_folio_gfp", ENOSPC, full_disk },
	{ "file_limit", "inode_newsize_ok", EFBIG, file_limit },
	{ "open_files", "alloc_fd", EMFILE, open_files },
	{ "address_space", "may_expand_vm", ENOMEM, address_space },
	{ "lock_held", "flock_lock_inode", EAGAIN, lock_held },
	{ "capability", "cap_capable", EPERM, capability },
	{ "sticky_dir", "__check_sticky may_delete", EPERM, sticky_directory },
	{ "dir_with_files", "simple_empty", ENOTEMPTY, directory_with_files },
	{ "other_mount", "do_linkat", EXDEV, other_mount },
	{ "kind_of_fd", "vfs_llseek ksys_lseek sys_lseek sys_llseek", ESPIPE, kind_of_fd },
	{ "read_directory", "vfs_read", EISDIR, read_directory },
	{ "no_reader", "pipe_write", EPIPE, pipe_without_reader },
	{ "sysctl_value", "do_proc_dointvec_minmax_conv", EINVAL, sysctl_value },
	{ "family", "__sock_create", EAFNOSUPPORT, socket_family, "/proc/net" },
	{ "bound_address", "filename_create", EADDRINUSE, socket_address, "/proc/net" },
	{ "program_mode", "generic_permission", EACCES, program_mode },
	{ "processes", "is_rlimit_overlimit", EAGAIN, number_of_processes },
};

#define COUNT	(sizeof(pairs) / sizeof(*pairs))

static void make_file(const char *name, mode_t mode, uid_t owner)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	if (write(fd, "text\n", 5) != 5 || fchmod(fd, mode) || fchown(fd, owner, owner))
		exit(2);
	close(fd);
}

static void make_directory(const char *name, mode_t mode)
{
	if (mkdir(name, 0700) || chmod(name, mode))
		exit(2);
}

static void prepare(void)
{
	umount2(DIR "mnt", MNT_DETACH);
	umount2(DIR "small", MNT_DETACH);
	umount2(DIR "large", MNT_DETACH);
	umount2(DIR, MNT_DETACH);
	mkdir(DIR, 0755);
	if (mount("none", DIR, "tmpfs", 0, "mode=755"))
		exit(2);
	make_directory(DIR "mnt", 0755);
	make_directory(DIR "open", 0755);
	make_directory(DIR "empty", 0755);
	make_directory(DIR "sticky", 01777);
	make_directory(DIR "closed", 0700);
	make_directory(DIR "small", 0755);
	make_directory(DIR "large", 0755);
	make_file(DIR "file", 0644, 0);
	make_file(DIR "secret", 0600, 0);
	make_file(DIR "open/file", 0644, 0);
	make_file(DIR "closed/file", 0644, 0);
	make_file(DIR "sticky/root", 0666, 0);
	make_file(DIR "sticky/nobody", 0666, 65534);
	if (symlink("file", DIR "link") ||
	    mount("none", DIR "small", "tmpfs", 0, "nr_blocks=2") ||
	    mount("none", DIR "large", "tmpfs", 0, "nr_blocks=200"))
		exit(2);
}

/* Return 0 if a good run works and a bad one fails with its error. */
static int run(const struct pair *pair, bool bad)
{
	long ret;

	errno = 0;
	ret = pair->run(bad);
	if (bad ? ret < 0 && errno == pair->error : ret >= 0)
		return 0;
	fprintf(stderr, "pairs %s %s: %ld, %s\n", pair->name, bad ? "bad" : "good", ret,
		strerror(errno));
	return 2;
}

static bool can_run(const struct pair *pair)
{
	return !pair->needs || !access(pair->needs, F_OK);
}

/*
 * The kernel notes the name of a thread that leaves its CPU, unless the list of names is in use at
 * that moment.
 */
static void set_name(const char *name)
{
	int i;

	prctl(PR_SET_NAME, name);
	for (i = 0; i < 3; i++)
		usleep(1000);
}

static int run_in_child(const struct pair *pair, bool bad)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		set_name(pair->name);
		_exit(run(pair, bad));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

static int run_all(bool bad)
{
	int status = 0;
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (can_run(&pairs[i]))
			status |= run_in_child(&pairs[i], bad);
	return status;
}

int main(int argc, char **argv)
{
	bool bad = argc == 3 && !strcmp(argv[2], "bad");
	size_t i;

	if (argc == 2 && !strcmp(argv[1], "prepare")) {
		prepare();
		return 0;
	}
	for (i = 0; argc < 2 && i < COUNT; i++)
		if (can_run(&pairs[i]))
			printf("%s %s\n", pairs[i].name, pairs[i].functions);
	if (argc < 2)
		return 0;
	if (argc == 3 && !strcmp(argv[1], "all"))
		return run_all(bad);
	for (i = 0; argc == 3 && i < COUNT; i++)
		if (!strcmp(argv[1], pairs[i].name))
			return run(&pairs[i], bad) ?: bad;
	return 2;
}
