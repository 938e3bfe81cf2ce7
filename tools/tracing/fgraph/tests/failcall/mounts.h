/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of mounts that fail. */
#include <linux/mount.h>

/* The parser of the file system context knows no parameter "bad". */
FAILS(mount, EINVAL, "vfs_parse_fs_param")
{
	return mount("none", "/mnt", "tmpfs", 0, "bad=1");
}

FAILS(mount_type, ENODEV, "do_new_mount path_mount")
{
	return mount("none", "/mnt", "nosuchfs", 0, NULL);
}

FAILS(mount_size, EINVAL, "shmem_parse_one")
{
	return mount("none", "/mnt", "tmpfs", 0, "size=many");
}

FAILS(mount_on_file, ENOTDIR, "graft_tree do_add_mount")
{
	return mount("none", DIR "full/file", "tmpfs", 0, NULL);
}

FAILS(mount_twice, EBUSY, "do_add_mount")
{
	if (unshare(CLONE_NEWNS) || mount("none", DIR "empty", "cgroup2", 0, NULL))
		return 0;
	return mount("none", DIR "empty", "cgroup2", 0, NULL);
}

FAILS(remount_dir, EINVAL, "do_remount path_mount")
{
	return mount("none", DIR "full", NULL, MS_REMOUNT, NULL);
}

FAILS(mount_change, EINVAL, "do_change_type path_mount")
{
	return mount("none", DIR "full", NULL, MS_SHARED, NULL);
}

FAILS(mount_move, EINVAL, "do_move_mount do_move_mount_old path_mount")
{
	return mount(DIR "full", "/mnt", NULL, MS_MOVE, NULL);
}

FAILS_AS_NOBODY(mount_nobody, EPERM, "cap_capable path_mount")
{
	return mount("none", "/mnt", "tmpfs", 0, NULL);
}

FAILS(umount, EINVAL, "can_umount path_umount")
{
	return umount(DIR "full");
}

FAILS(umount_busy, EBUSY, "do_umount path_umount")
{
	if (chdir(DIR "read-only"))
		return 0;
	return umount(DIR "read-only");
}

FAILS_AS_NOBODY(umount_nobody, EPERM, "cap_capable can_umount path_umount")
{
	return umount(DIR "read-only");
}

FAILS(fsconfig_bad, EINVAL, "vfs_parse_fs_param")
{
	int fd = syscall(SYS_fsopen, "tmpfs", 0);

	return syscall(SYS_fsconfig, fd, 1, "bad", "1", 0);
}

FAILS(move_mount, EINVAL, "do_move_mount")
{
	return syscall(SYS_move_mount, AT_FDCWD, DIR "full", AT_FDCWD, "/mnt", 0);
}

FAILS(mount_setattr, EINVAL, "build_mount_kattr -")
{
	unsigned long long attr[4] = { 1ull << 60 };

	return syscall(SYS_mount_setattr, AT_FDCWD, DIR "read-only", 0, attr, sizeof(attr));
}

FAILS_AS_NOBODY(chroot_nobody, EPERM, "cap_capable")
{
	return chroot("/");
}

FAILS(chroot_file, ENOTDIR, "path_lookupat filename_lookup")
{
	return chroot(DIR "full/file");
}
