/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that open, create, rename and change files, and fail. */
#include <limits.h>
#include <linux/openat2.h>
#include <sys/resource.h>

static void limit(int resource, rlim_t value)
{
	struct rlimit rlimit = { value, value };

	setrlimit(resource, &rlimit);
}

FAILS(openat, ENOENT, "step_into walk_component link_path_walk")
{
	return open("/no/such/file", O_RDONLY);
}

FAILS(open_excl, EEXIST, "do_open path_openat")
{
	return open(DIR "full/file", O_CREAT | O_EXCL, 0600);
}

FAILS(open_dir, EISDIR, "may_open do_open path_openat")
{
	return open(DIR "full", O_WRONLY);
}

FAILS(open_creat_dir, EISDIR, "do_open path_openat")
{
	return open(DIR "full", O_WRONLY | O_CREAT, 0600);
}

FAILS(open_nofollow, ELOOP, "may_open do_open path_openat")
{
	return open(DIR "link", O_RDONLY | O_NOFOLLOW);
}

FAILS(open_link_loop, ELOOP, "reserve_stack pick_link step_into")
{
	return open(DIR "loop", O_RDONLY);
}

FAILS(open_not_dir, ENOTDIR, "do_open path_openat")
{
	return open(DIR "full/file", O_RDONLY | O_DIRECTORY);
}

FAILS(open_through_file, ENOTDIR, "link_path_walk")
{
	return open(DIR "full/file/a", O_RDONLY);
}

FAILS(open_long_name, ENAMETOOLONG, "simple_lookup")
{
	char path[300] = DIR;

	memset(path + sizeof(DIR) - 1, 'a', 260);
	return open(path, O_RDONLY);
}

FAILS(open_long_path, ENAMETOOLONG, "getname_flags")
{
	static char path[PATH_MAX + 10];

	memset(path, '/', PATH_MAX + 5);
	return open(path, O_RDONLY);
}

FAILS(open_bad_address, EFAULT, "strncpy_from_user getname_flags")
{
	return open((char *)8, O_RDONLY);
}

FAILS(open_no_fd, EMFILE, "alloc_fd")
{
	limit(RLIMIT_NOFILE, 3);
	return open("/", O_RDONLY);
}

FAILS(open_bad_flags, EINVAL, "build_open_flags? do_sys_openat2")
{
	struct open_how how = { .flags = 1ull << 40 };

	return syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how));
}

FAILS(open_beneath, EXDEV, "nd_jump_root path_init")
{
	struct open_how how = { .resolve = RESOLVE_BENEATH };

	return syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how));
}

FAILS(open_no_symlinks, ELOOP, "pick_link step_into")
{
	struct open_how how = { .resolve = RESOLVE_NO_SYMLINKS };

	return syscall(SYS_openat2, AT_FDCWD, DIR "link", &how, sizeof(how));
}

FAILS_AS_NOBODY(open_secret, EACCES, "acl_permission_check generic_permission")
{
	return open(DIR "secret", O_RDONLY);
}

FAILS(open_no_reader, ENXIO, "fifo_open")
{
	return open(DIR "fifo", O_WRONLY | O_NONBLOCK);
}

FAILS(open_no_device, ENXIO, "chrdev_open")
{
	return open(DIR "device", O_RDONLY);
}

FAILS(open_noatime, EPERM, "cap_capable may_open")
{
	if (setresuid(65534, 65534, 65534))
		return 0;
	return open(DIR "link", O_RDONLY | O_NOATIME);
}

FAILS(mkdir, EEXIST, "filename_create")
{
	return mkdir(DIR "full", 0700);
}

FAILS(mkdir_read_only, EROFS, "__mnt_want_write mnt_want_write")
{
	return mkdir(DIR "read-only/a", 0700);
}

FAILS(rmdir, ENOTEMPTY, "shmem_rmdir")
{
	return rmdir(DIR "full");
}

FAILS(rmdir_file, ENOTDIR, "may_delete vfs_rmdir")
{
	return rmdir(DIR "full/file");
}

FAILS(rmdir_mount, EBUSY, "vfs_rmdir")
{
	return rmdir(DIR "read-only");
}

FAILS(rmdir_dot, EINVAL, "do_rmdir")
{
	return rmdir(DIR "full/.");
}

FAILS(chdir, ENOTDIR, "path_lookupat filename_lookup")
{
	return chdir(DIR "full/file");
}

FAILS(unlink_dir, EISDIR, "may_delete vfs_unlink")
{
	return unlink(DIR "full");
}

FAILS_AS_NOBODY(unlink_sticky, EPERM, "cap_capable may_delete vfs_unlink")
{
	return unlink("/tmp/failcall-sticky/file");
}

FAILS_AS_NOBODY(mknod_device, EPERM, "cap_capable vfs_mknod")
{
	return mknod("/tmp/failcall-nobody", S_IFCHR | 0600, 0x103);
}

FAILS(mknod_type, EINVAL, "may_mknod do_mknodat")
{
	return mknod(DIR "a", S_IFMT, 0);
}

FAILS(mknod_dir, EPERM, "may_mknod do_mknodat")
{
	return mknod(DIR "a", S_IFDIR, 0);
}

FAILS(rename_mount, EXDEV, "do_renameat2")
{
	return rename(DIR "full/file", "/file");
}

FAILS(rename_into, EINVAL, "do_renameat2")
{
	return rename(DIR "full", DIR "full/a");
}

FAILS(rename_full, ENOTEMPTY, "shmem_rename2")
{
	return rename(DIR "empty", DIR "full");
}

FAILS(rename_dir, EISDIR, "may_delete vfs_rename")
{
	return rename(DIR "secret", DIR "full");
}

FAILS(rename_noreplace, EEXIST, "do_renameat2")
{
	return renameat2(AT_FDCWD, DIR "secret", AT_FDCWD, DIR "link", RENAME_NOREPLACE);
}

FAILS(rename_flags, EINVAL, "do_renameat2")
{
	return renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_NOREPLACE | RENAME_EXCHANGE);
}

FAILS(link_mount, EXDEV, "do_linkat")
{
	return link(DIR "full/file", "/file");
}

FAILS(link_dir, EPERM, "vfs_link")
{
	return link(DIR "full", DIR "a");
}

FAILS(link_flags, EINVAL, "do_linkat")
{
	return linkat(AT_FDCWD, "a", AT_FDCWD, "b", 1);
}

FAILS_AS_NOBODY(chmod_other, EPERM, "cap_capable setattr_prepare")
{
	return chmod(DIR "full/file", 0777);
}

FAILS_AS_NOBODY(chown_other, EPERM, "cap_capable setattr_prepare")
{
	return chown(DIR "full/file", 1, 1);
}

FAILS(utimensat, EINVAL, "vfs_utimes")
{
	struct timespec times[2] = { { 0, 1 }, { 0, 2000000000 } };

	return utimensat(AT_FDCWD, DIR "full/file", times, 0);
}

FAILS_AS_NOBODY(utimes_other, EACCES, "acl_permission_check generic_permission")
{
	return utimensat(AT_FDCWD, DIR "secret", NULL, 0);
}
