/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that use files, and fail. */
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/xattr.h>

static int open_pipe_end(int end)
{
	int fds[2];

	return pipe(fds) ? -1 : fds[end];
}

FAILS(truncate_dir, EISDIR, "vfs_truncate")
{
	return truncate(DIR "full", 0);
}

FAILS(truncate_minus, EINVAL, "do_sys_truncate")
{
	return truncate(DIR "full/file", -1);
}

FAILS(truncate_limit, EFBIG, "inode_newsize_ok")
{
	signal(SIGXFSZ, SIG_IGN);
	limit(RLIMIT_FSIZE, 10);
	return truncate(DIR "full/file", 20);
}

FAILS(ftruncate, EINVAL, "do_sys_ftruncate")
{
	return ftruncate(open(DIR "full/file", O_RDONLY), 0);
}

FAILS(fallocate_mode, EOPNOTSUPP, "vfs_fallocate")
{
	return fallocate(open(DIR "full/file", O_RDWR), 1 << 20, 0, 1);
}

FAILS(fallocate_pipe, ESPIPE, "vfs_fallocate")
{
	return fallocate(open_pipe_end(1), 0, 0, 1);
}

FAILS(fallocate_space, ENOSPC, "shmem_fallocate")
{
	return fallocate(open(DIR "small/a", O_RDWR | O_CREAT, 0600), 0, 0, 1 << 20);
}

FAILS(lseek_minus, EINVAL, "vfs_setpos? generic_file_llseek_size")
{
	return lseek(open(DIR "full/file", O_RDONLY), -1, SEEK_SET);
}

FAILS(lseek_pipe, ESPIPE, "vfs_llseek? ksys_lseek -")
{
	return lseek(open_pipe_end(0), 0, SEEK_SET);
}

FAILS(lseek_hole, ENXIO, "mapping_seek_hole_data")
{
	return lseek(open(DIR "full/file", O_RDONLY), 100, SEEK_DATA);
}

FAILS(read, EISDIR, "generic_read_dir")
{
	char byte;

	return read(open("/tmp", O_RDONLY), &byte, 1);
}

FAILS(read_for_write, EBADF, "vfs_read")
{
	char byte;

	return read(open(DIR "full/file", O_WRONLY), &byte, 1);
}

FAILS(read_address, EFAULT, "shmem_file_read_iter")
{
	return syscall(SYS_read, open(DIR "full/file", O_RDONLY), 8l, 4);
}

FAILS(read_kernel, EFAULT, "vfs_read")
{
	return syscall(SYS_read, open(DIR "full/file", O_RDONLY), -4096l, 4);
}

FAILS(read_empty_pipe, EAGAIN, "pipe_read")
{
	int fds[2];
	char byte;

	if (pipe2(fds, O_NONBLOCK))
		return 0;
	return read(fds[0], &byte, 1);
}

FAILS(write_closed_pipe, EPIPE, "pipe_write")
{
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(fds))
		return 0;
	close(fds[0]);
	return write(fds[1], "a", 1);
}

FAILS(write_full_pipe, EAGAIN, "pipe_write")
{
	static char page[65536];
	int fds[2];

	if (pipe2(fds, O_NONBLOCK) || write(fds[1], page, sizeof(page)) < 0)
		return 0;
	return write(fds[1], page, 1);
}

FAILS(write_limit, EFBIG, "generic_write_check_limits")
{
	signal(SIGXFSZ, SIG_IGN);
	limit(RLIMIT_FSIZE, 0);
	return write(open(DIR "full/file", O_WRONLY), "a", 1);
}

FAILS(write_full, ENOSPC, "write_full")
{
	return write(open("/dev/full", O_WRONLY), "a", 1);
}

FAILS(write_small, ENOSPC, "shmem_alloc_and_acct_folio shmem_get_folio_gfp")
{
	static char pages[65536];
	int fd = open(DIR "small/b", O_WRONLY | O_CREAT, 0600);

	while (write(fd, pages, sizeof(pages)) > 0)
		;
	return write(fd, pages, 1);
}

FAILS(write_overflow, EINVAL, "rw_verify_area? vfs_write")
{
	return pwrite64(open(DIR "full/file", O_WRONLY), "a", 1, INT64_MAX);
}

FAILS(sendfile_append, EINVAL, "do_splice_direct")
{
	return sendfile(open(DIR "full/file", O_WRONLY | O_APPEND), open(DIR "full/file", O_RDONLY),
			NULL, 1);
}

FAILS(splice_files, EINVAL, "do_splice __do_splice")
{
	return splice(open(DIR "full/file", O_RDONLY), NULL,
		      open("/dev/null", O_WRONLY), NULL, 1, 0);
}

FAILS(splice_offset, ESPIPE, "__do_splice -")
{
	off_t offset = 0;

	return splice(open_pipe_end(0), &offset, open("/dev/null", O_WRONLY), NULL, 1, 0);
}

FAILS(tee_files, EINVAL, "do_tee")
{
	return tee(open(DIR "full/file", O_RDONLY), open("/dev/null", O_WRONLY), 1, 0);
}

FAILS(copy_append, EBADF, "generic_file_rw_checks vfs_copy_file_range")
{
	return copy_file_range(open(DIR "full/file", O_RDONLY), NULL,
			       open(DIR "full/file", O_WRONLY | O_APPEND), NULL, 1, 0);
}

FAILS(copy_overlap, EINVAL, "generic_copy_file_checks vfs_copy_file_range")
{
	int fd = open(DIR "full/file", O_RDWR);
	off_t in = 0, out = 1;

	return copy_file_range(fd, &in, fd, &out, 3, 0);
}

FAILS(fcntl, EBADF, "pipe_fcntl")
{
	return fcntl(open("/dev/null", O_RDONLY), F_SETPIPE_SZ, 4096);
}

FAILS(fcntl_pipe_size, EINVAL, "pipe_set_size pipe_fcntl")
{
	return fcntl(open_pipe_end(0), F_SETPIPE_SZ, 0x80000001);
}

FAILS(fcntl_dup, EINVAL, "f_dupfd")
{
	return fcntl(0, F_DUPFD, 1 << 30);
}

FAILS(fcntl_command, EINVAL, "do_fcntl -")
{
	return fcntl(0, 12345, 0);
}

FAILS(fcntl_noatime, EPERM, "cap_capable setfl do_fcntl")
{
	int fd = open(DIR "full/file", O_RDONLY);

	if (setresuid(65534, 65534, 65534))
		return 0;
	return fcntl(fd, F_SETFL, O_NOATIME);
}

FAILS(lease_device, EINVAL, "generic_setlease")
{
	return fcntl(open("/dev/null", O_RDONLY), F_SETLEASE, F_RDLCK);
}

FAILS(seal_file, EINVAL, "memfd_add_seals memfd_fcntl")
{
	return fcntl(open("/dev/null", O_RDWR), F_ADD_SEALS, F_SEAL_GROW);
}

FAILS(seal_sealed, EPERM, "memfd_add_seals memfd_fcntl")
{
	return fcntl(memfd_create("sealed", 0), F_ADD_SEALS, F_SEAL_GROW);
}

FAILS(grow_sealed, EPERM, "shmem_setattr")
{
	int fd = memfd_create("sealed", MFD_ALLOW_SEALING);

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_GROW))
		return 0;
	return ftruncate(fd, 1);
}

FAILS(lock_read_only, EBADF, "check_fmode_for_setlk fcntl_setlk64? fcntl_setlk")
{
	struct flock lock = { .l_type = F_WRLCK };

	return fcntl(open(DIR "full/file", O_RDONLY), F_SETLK, &lock);
}

FAILS(lock_locked, EAGAIN, "posix_lock_inode")
{
	struct flock lock = { .l_type = F_WRLCK };
	int fd = open(DIR "full/file", O_RDWR);

	if (fcntl(fd, F_OFD_SETLK, &lock))
		return 0;
	return fcntl(open(DIR "full/file", O_RDWR), F_OFD_SETLK, &lock);
}

FAILS(lock_whence, EINVAL, "flock64_to_posix_lock flock_to_posix_lock fcntl_setlk64? fcntl_setlk")
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = 100 };

	return fcntl(open(DIR "full/file", O_RDWR), F_SETLK, &lock);
}

FAILS(flock_locked, EAGAIN, "flock_lock_inode")
{
	if (flock(open(DIR "full", O_RDONLY), LOCK_EX))
		return 0;
	return flock(open(DIR "full", O_RDONLY), LOCK_EX | LOCK_NB);
}

FAILS(dup3_same, EINVAL, "ksys_dup3")
{
	return dup3(0, 0, O_CLOEXEC);
}

FAILS(dup2_limit, EBADF, "ksys_dup3")
{
	return dup2(0, 1 << 30);
}

FAILS(getdents_file, ENOTDIR, "iterate_dir")
{
	char buffer[100];

	return syscall(SYS_getdents64, open(DIR "full/file", O_RDONLY), buffer,
		       sizeof(buffer));
}

FAILS(readlink_file, EINVAL, "do_readlinkat")
{
	char buffer[100];

	return readlink(DIR "full/file", buffer, sizeof(buffer));
}

FAILS(getxattr, EOPNOTSUPP, "xattr_resolve_name")
{
	return getxattr(DIR "full/file", "user.a", NULL, 0);
}

FAILS(setxattr_size, E2BIG, "setxattr_copy")
{
	static char text[1 << 20];

	return setxattr(DIR "full/file", "user.a", text, sizeof(text), 0);
}

FAILS(setxattr_name, ERANGE, "setxattr_copy")
{
	return setxattr(DIR "full/file", "", "a", 1, 0);
}

FAILS(ioctl, EINVAL, "random_ioctl")
{
	int bits = -1;

	/* RNDADDTOENTCNT: no entropy can be taken away */
	return ioctl(open("/dev/random", O_RDWR), _IOW('R', 1, int), &bits);
}

FAILS(ioctl_null, ENOTTY, "vfs_ioctl? -")
{
	return ioctl(open("/dev/null", O_RDWR), 0x5401, 8);
}

FAILS(ioctl_freeze, EOPNOTSUPP, "ioctl_fsfreeze do_vfs_ioctl -")
{
	return ioctl(open("/proc", O_RDONLY), _IOWR('X', 119, int), 0);
}

FAILS(ioctl_clone, EXDEV, "do_clone_file_range")
{
	return ioctl(open(DIR "full/file", O_RDWR), _IOW(0x94, 9, int),
		     open("/proc/version", O_RDONLY));
}

FAILS(fsync_pipe, EINVAL, "vfs_fsync_range")
{
	return fsync(open_pipe_end(0));
}

FAILS(sync_range_pipe, ESPIPE, "sync_file_range")
{
	return sync_file_range(open_pipe_end(0), 0, 1, 0);
}

FAILS(readahead_pipe, EINVAL, "ksys_readahead")
{
	return readahead(open_pipe_end(0), 0, 1);
}

FAILS(pipe_flags, EINVAL, "__do_pipe_flags")
{
	int fds[2];

	return pipe2(fds, 4);
}

FAILS(pipe_no_fd, EMFILE, "alloc_fd")
{
	int fds[2];

	limit(RLIMIT_NOFILE, 3);
	return pipe(fds);
}

FAILS(pipe_address, EFAULT, "do_pipe2")
{
	return syscall(SYS_pipe2, (void *)8, 0);
}
