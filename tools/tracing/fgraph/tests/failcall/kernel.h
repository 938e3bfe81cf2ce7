/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that fail in control groups, sysctls, sysfs, modules and perf. */
#include <linux/perf_event.h>

static long write_text(const char *path, const char *text)
{
	return write(open(path, O_WRONLY), text, strlen(text));
}

/* No task has this pid. */
FAILS(cgroup, ESRCH, "cgroup_procs_write_start")
{
	return write_text(DIR "cgroup/cgroup.procs", "4194303");
}

FAILS(cgroup_number, EINVAL, "cgroup_procs_write_start")
{
	return write_text(DIR "cgroup/cgroup.procs", "many");
}

FAILS(cgroup_subtree, EINVAL, "cgroup_subtree_control_write")
{
	return write_text(DIR "cgroup/cgroup.subtree_control", "+nosuch");
}

FAILS(cgroup_mkdir, EINVAL, "cgroup_mkdir")
{
	return mkdir(DIR "cgroup/a\nb", 0700);
}

FAILS(cgroup_freeze, ERANGE, "cgroup_freeze_write")
{
	return write_text(DIR "cgroup/group/cgroup.freeze", "5");
}

FAILS(cgroup_depth, EINVAL, "kstrtoint cgroup_max_depth_write")
{
	return write_text(DIR "cgroup/cgroup.max.depth", "deep");
}

FAILS(cgroup_rmdir, EBUSY, "cgroup_destroy_locked")
{
	return rmdir(DIR "cgroup/group");
}

FAILS(sysctl_range, EINVAL, "do_proc_dointvec_minmax_conv")
{
	return write_text("/proc/sys/kernel/pid_max", "0");
}

FAILS(sysctl_text, EINVAL, "proc_get_long __do_proc_dointvec")
{
	return write_text("/proc/sys/kernel/pid_max", "many");
}

FAILS(oom_range, EINVAL, "oom_score_adj_write")
{
	return write_text("/proc/self/oom_score_adj", "2000");
}

FAILS_AS_NOBODY(oom_nobody, EACCES, "__set_oom_adj")
{
	prctl(PR_SET_DUMPABLE, 1);
	return write_text("/proc/self/oom_score_adj", "-1000");
}

FAILS(oom_number, EINVAL, "kstrtoint oom_score_adj_write")
{
	return write_text("/proc/self/oom_score_adj", "many");
}

FAILS(mem_hole, EIO, "mem_rw")
{
	return write_text("/proc/self/mem", "text");
}

FAILS(parameter, EINVAL, "kstrtobool param_set_bool")
{
	return write_text("/sys/module/printk/parameters/time", "maybe");
}

FAILS_AS_NOBODY(init_module, EPERM, "cap_capable may_init_module")
{
	return syscall(SYS_init_module, "text", 4, "");
}

FAILS(module_short, ENOEXEC, "copy_module_from_user -")
{
	return syscall(SYS_init_module, "text", 4, "");
}

FAILS(module_text, ENOEXEC, "elf_validity_check load_module")
{
	static char text[1000] = "text";

	return syscall(SYS_init_module, text, sizeof(text), "");
}

FAILS(module_address, EFAULT, "copy_module_from_user -")
{
	return syscall(SYS_init_module, NULL, 1000, "");
}

FAILS(module_closed, EBADF, "kernel_read_file_from_fd")
{
	return syscall(SYS_finit_module, -1, "", 0);
}

FAILS(module_dir, EINVAL, "kernel_read_file")
{
	return syscall(SYS_finit_module, open("/", O_RDONLY), "", 0);
}

FAILS_AS_NOBODY(delete_module, EPERM, "cap_capable")
{
	return syscall(SYS_delete_module, "none", O_NONBLOCK);
}

static long open_perf_event(struct perf_event_attr *attr, pid_t pid)
{
	return syscall(SYS_perf_event_open, attr, pid, -1, -1, 0);
}

PERF_FAILS(perf_type, ENOENT, "perf_init_event perf_event_alloc")
{
	struct perf_event_attr attr = { .type = 12345, .size = sizeof(attr) };

	return open_perf_event(&attr, 0);
}

PERF_FAILS(perf_size, E2BIG, "perf_copy_attr")
{
	struct perf_event_attr attr = { .size = 1 };

	return open_perf_event(&attr, 0);
}

PERF_FAILS(perf_reserved, EINVAL, "perf_copy_attr")
{
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = 1ull << 60 };

	return open_perf_event(&attr, 0);
}

PERF_FAILS(perf_none, ESRCH, "find_lively_task_by_vpid -")
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE };

	return open_perf_event(&attr, NO_PID);
}

FAILS_AS_NOBODY(sethostname, EPERM, "cap_capable")
{
	return sethostname("a", 1);
}

FAILS_AS_NOBODY(syslog, EPERM, "cap_capable check_syslog_permissions")
{
	return syscall(SYS_syslog, 5, NULL, 0);
}

FAILS(syslog_type, EINVAL, "do_syslog")
{
	return syscall(SYS_syslog, 100, NULL, 0);
}

FAILS_AS_NOBODY(reboot, EPERM, "cap_capable")
{
	return syscall(SYS_reboot, 0xfee1dead, 672274793, 0, NULL);
}
