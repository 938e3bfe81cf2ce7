// SPDX-License-Identifier: GPL-2.0
/*
 * failcall: lists system calls that fail, a line each: NAME ERROR FUNCTION...
 * failcall NAME: makes this system call fail.
 *
 * FUNCTION is the function that finds the error, as the source of the kernel says. If the
 * compiler inlines it, the next one is the innermost that can be traced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A tmpfs with a directory "full" that contains a file "file", see fgraph.sh. */
#define DIR	"/tmp/failcall/"

/* The parser of the file system context knows no parameter "bad". */
static long fail_mount(void)
{
	return mount("none", "/mnt", "tmpfs", 0, "bad=1");
}

static long fail_openat(void)
{
	return open("/no/such/file", O_RDONLY);
}

static long fail_mkdir(void)
{
	return mkdir(DIR "full", 0700);
}

static long fail_rmdir(void)
{
	return rmdir(DIR "full");
}

static long fail_chdir(void)
{
	return chdir(DIR "full/file");
}

static long fail_mmap(void)
{
	return (long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static long fail_mprotect(void)
{
	return mprotect((void *)1, 4096, PROT_READ);
}

/* No entropy can be taken away. */
static long fail_ioctl(void)
{
	int bits = -1;

	return ioctl(open("/dev/random", O_RDWR), RNDADDTOENTCNT, &bits);
}

/* The type of a socket can only be read. */
static long fail_setsockopt(void)
{
	int type = SOCK_DGRAM;

	return setsockopt(socket(AF_UNIX, SOCK_DGRAM, 0), SOL_SOCKET, SO_TYPE, &type,
			  sizeof(type));
}

/* The address is of another family. */
static long fail_bind(void)
{
	struct sockaddr_un addr = {
		.sun_family = AF_INET,
		.sun_path = "/tmp/socket",
	};

	return bind(socket(AF_UNIX, SOCK_DGRAM, 0), (struct sockaddr *)&addr,
		    sizeof(addr));
}

static long fail_execve(void)
{
	char *const args[] = { "file", NULL };

	return execv(DIR "full/file", args);
}

/* No task has this pid. */
static long fail_cgroup(void)
{
	return write(open(DIR "cgroup/cgroup.procs", O_WRONLY), "4194303", 7);
}

static long fail_epoll_ctl(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(0);

	return epoll_ctl(fd, EPOLL_CTL_ADD, fd, &event);
}

static long fail_prlimit(void)
{
	struct rlimit limit = { .rlim_cur = 2, .rlim_max = 1 };

	return setrlimit(RLIMIT_CORE, &limit);
}

static long fail_eventfd(void)
{
	uint64_t count = UINT64_MAX;

	return write(eventfd(0, 0), &count, sizeof(count));
}

static long fail_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 4000);
}

static long fail_read(void)
{
	char byte;

	return read(open("/tmp", O_RDONLY), &byte, 1);
}

/* A file is no pipe. */
static long fail_fcntl(void)
{
	return fcntl(open("/dev/null", O_RDONLY), F_SETPIPE_SZ, 4096);
}

static long fail_shmget(void)
{
	return shmget(IPC_PRIVATE, 0, IPC_CREAT | 0600);
}

static long fail_ftruncate(void)
{
	return ftruncate(open(DIR "full/file", O_RDONLY), 0);
}

/* A directory is no mount point. */
static long fail_umount(void)
{
	return umount(DIR "full");
}

static long fail_timer_create(void)
{
	timer_t timer;

	return timer_create(1000, NULL, &timer);
}

static long fail_sched_setscheduler(void)
{
	struct sched_param param = { .sched_priority = 1 };

	return sched_setscheduler(0, 100, &param);
}

static const struct failing_call {
	const char	*name;
	long		(*fail)(void);
	int		error;
	const char	*text;
} calls[] = {
#define CALL(name, error, functions) { #name, fail_##name, error, #error " " functions }
	CALL(mount, EINVAL, "vfs_parse_fs_param"),
	CALL(openat, ENOENT, "step_into walk_component link_path_walk"),
	CALL(mkdir, EEXIST, "filename_create"),
	CALL(rmdir, ENOTEMPTY, "shmem_rmdir"),
	CALL(chdir, ENOTDIR, "path_lookupat filename_lookup"),
	CALL(mmap, EINVAL, "do_mmap"),
	CALL(mprotect, EINVAL, "do_mprotect_pkey"),
	CALL(ioctl, EINVAL, "random_ioctl"),
	CALL(execve, EACCES, "acl_permission_check generic_permission"),
	CALL(cgroup, ESRCH, "cgroup_procs_write_start"),
	CALL(epoll_ctl, EINVAL, "do_epoll_ctl"),
	CALL(prlimit, EINVAL, "do_prlimit"),
	CALL(eventfd, EINVAL, "eventfd_write"),
	CALL(read, EISDIR, "generic_read_dir"),
	CALL(fcntl, EBADF, "pipe_fcntl"),
	CALL(shmget, EINVAL, "newseg"),
	CALL(ftruncate, EINVAL, "do_sys_ftruncate"),
	CALL(umount, EINVAL, "can_umount path_umount"),
	CALL(timer_create, EINVAL, "do_timer_create"),
	CALL(sched_setscheduler, EINVAL, "__sched_setscheduler"),
	/* A small kernel has no sockets. */
	CALL(setsockopt, ENOPROTOOPT, "sk_setsockopt"),
	CALL(bind, EINVAL, "unix_validate_addr unix_bind"),
	CALL(socket, EPROTONOSUPPORT, "unix_create"),
};

int main(int argc, char **argv)
{
	const struct failing_call *call;

	for (call = calls; call < calls + sizeof(calls) / sizeof(*calls); call++) {
		if (argc < 2 && call->fail == fail_setsockopt && access("/proc/net", F_OK))
			return 0;
		else if (argc < 2)
			printf("%s %s\n", call->name, call->text);
		else if (!strcmp(call->name, argv[1]))
			return call->fail() != -1 || errno != call->error;
	}
	return argc < 2 ? 0 : 2;
}
