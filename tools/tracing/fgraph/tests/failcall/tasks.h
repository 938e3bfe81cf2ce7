/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of processes, signals, scheduling, credentials and time that fail. */
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

FAILS(execve, EACCES, "acl_permission_check generic_permission")
{
	char *const args[] = { "file", NULL };

	return execv(DIR "full/file", args);
}

FAILS(execve_long, E2BIG, "copy_strings")
{
	static char text[200000];
	char *const args[] = { text, NULL };

	memset(text, 'a', sizeof(text) - 1);
	return execv("/bin/true", args);
}

FAILS(execve_dir, EACCES, "may_open")
{
	char *const args[] = { "file", NULL };

	return execv(DIR "full", args);
}

FAILS(kill_none, ESRCH, "kill_pid_info")
{
	return kill(NO_PID, 0);
}

FAILS(kill_signal, EINVAL, "check_kill_permission")
{
	return kill(getpid(), 100);
}

FAILS_AS_NOBODY(kill_parent, EPERM, "cap_capable check_kill_permission")
{
	return kill(getppid(), 0);
}

FAILS(tgkill_none, ESRCH, "do_send_specific")
{
	return syscall(SYS_tgkill, NO_PID, NO_PID, 0);
}

FAILS(sigqueue, EPERM, "do_rt_sigqueueinfo -")
{
	siginfo_t info = { .si_code = SI_KERNEL };

	return syscall(SYS_rt_sigqueueinfo, 1, SIGCONT, &info);
}

FAILS(sigaltstack, ENOMEM, "do_sigaltstack")
{
	stack_t stack = { .ss_size = 1 };

	return sigaltstack(&stack, NULL);
}

FAILS(sigaltstack_flag, EINVAL, "do_sigaltstack")
{
	stack_t stack = { .ss_flags = 100 };

	return sigaltstack(&stack, NULL);
}

FAILS(sigaction_kill, EINVAL, "do_sigaction")
{
	char action[200] = { 1 };

	return syscall(SYS_rt_sigaction, SIGKILL, action, NULL, 8);
}

FAILS(waitid_type, EINVAL, "kernel_waitid")
{
	siginfo_t info;

	return waitid(100, 0, &info, WEXITED);
}

FAILS(wait4_options, EINVAL, "kernel_wait4")
{
	return waitpid(-1, NULL, 1 << 20);
}

FAILS(wait4_none, ECHILD, "do_wait")
{
	return waitpid(-1, NULL, 0);
}

FAILS(setsid_leader, EPERM, "ksys_setsid")
{
	if (setpgid(0, 0))
		return 0;
	return setsid();
}

FAILS_AS_NOBODY(setuid_root, EPERM, "cap_capable __sys_setuid")
{
	return setuid(0);
}

FAILS_AS_NOBODY(setgroups, EPERM, "cap_capable")
{
	return setgroups(0, NULL);
}

FAILS_AS_NOBODY(setresgid, EPERM, "cap_capable __sys_setresgid")
{
	return setresgid(1, 1, 1);
}

FAILS_AS_NOBODY(prctl_caps, EPERM, "cap_capable cap_task_prctl")
{
	return prctl(PR_CAPBSET_DROP, 1, 0, 0, 0);
}

FAILS(prctl_cap_number, EINVAL, "cap_task_prctl")
{
	return prctl(PR_CAPBSET_DROP, 100, 0, 0, 0);
}

FAILS_AS_NOBODY(capset, EPERM, "cap_capset")
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 1, 1, 0 } };

	return syscall(SYS_capset, &header, data);
}

FAILS(ptrace_self, EPERM, "ptrace_attach -")
{
	return ptrace(PTRACE_ATTACH, getpid(), 0, 0);
}

FAILS(ptrace_untraced, ESRCH, "ptrace_check_attach -")
{
	return ptrace(PTRACE_CONT, 1, 0, 0);
}

FAILS_AS_NOBODY(ptrace_init, EPERM, "cap_capable __ptrace_may_access")
{
	return ptrace(PTRACE_ATTACH, 1, 0, 0);
}

FAILS(clone_flags, EINVAL, "copy_process")
{
	return syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0);
}

FAILS_AS_NOBODY(clone_limit, EAGAIN, "copy_process")
{
	limit(RLIMIT_NPROC, 0);
	return fork();
}

FAILS(clone3_size, EINVAL, "copy_clone_args_from_user")
{
	struct clone_args args = { .exit_signal = 1000 };

	return syscall(SYS_clone3, &args, sizeof(args));
}

FAILS(unshare_flags, EINVAL, "check_unshare_flags ksys_unshare")
{
	return unshare(1);
}

FAILS_AS_NOBODY(unshare_nobody, EPERM, "cap_capable unshare_nsproxy_namespaces")
{
	return unshare(CLONE_NEWNS);
}

FAILS(setaffinity, EINVAL, "__set_cpus_allowed_ptr_locked")
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return sched_setaffinity(0, sizeof(set), &set);
}

FAILS(setaffinity_none, ESRCH, "sched_setaffinity")
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return sched_setaffinity(NO_PID, sizeof(set), &set);
}

FAILS(sched_setscheduler, EINVAL, "__sched_setscheduler")
{
	struct sched_param param = { .sched_priority = 1 };

	return sched_setscheduler(0, 100, &param);
}

FAILS(sched_priority, EINVAL, "__sched_setscheduler")
{
	struct sched_param param = { .sched_priority = 100 };

	return sched_setscheduler(0, SCHED_FIFO, &param);
}

FAILS_AS_NOBODY(sched_nobody, EPERM, "cap_capable user_check_sched_setscheduler")
{
	struct sched_param param = { .sched_priority = 1 };

	return sched_setscheduler(0, SCHED_FIFO, &param);
}

FAILS(sched_none, ESRCH, "do_sched_setscheduler")
{
	struct sched_param param = { .sched_priority = 1 };

	return sched_setscheduler(NO_PID, SCHED_FIFO, &param);
}

FAILS(sched_interval, ESRCH, "sched_rr_get_interval -")
{
	struct timespec interval;

	return sched_rr_get_interval(NO_PID, &interval);
}

FAILS_AS_NOBODY(setpriority, EACCES, "set_one_prio")
{
	return setpriority(PRIO_PROCESS, 0, -5);
}

FAILS(prlimit, EINVAL, "do_prlimit")
{
	struct rlimit limit = { .rlim_cur = 2, .rlim_max = 1 };

	return setrlimit(RLIMIT_CORE, &limit);
}

FAILS_AS_NOBODY(prlimit_raise, EPERM, "cap_capable do_prlimit")
{
	limit(RLIMIT_CORE, 0);
	errno = 0;
	return setrlimit(RLIMIT_CORE, &(struct rlimit){ 1, 1 });
}

FAILS(timer_create, EINVAL, "do_timer_create")
{
	timer_t timer;

	return timer_create(1000, NULL, &timer);
}

FAILS(timer_notify, EINVAL, "do_timer_create")
{
	struct sigevent event = { .sigev_notify = 100 };
	timer_t timer;

	return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

FAILS(timer_settime, EINVAL, "do_timer_settime -")
{
	struct itimerspec value = { .it_value = { 0, 2000000000 } };

	return syscall(SYS_timer_settime, 1000, 0, &value, NULL);
}

FAILS(clock_settime, EINVAL, "do_sys_settimeofday64")
{
	return clock_settime(CLOCK_REALTIME, &(struct timespec){ -1, 0 });
}

FAILS_AS_NOBODY(settime_nobody, EPERM, "cap_capable cap_settime do_sys_settimeofday64")
{
	return clock_settime(CLOCK_REALTIME, &(struct timespec){ 1, 0 });
}

FAILS_AS_NOBODY(adjtimex, EPERM, "cap_capable timekeeping_validate_timex")
{
	struct timex timex = { .modes = ADJ_TICK, .tick = 10000 };

	return adjtimex(&timex);
}

FAILS(futex_odd, EINVAL, "get_futex_key")
{
	int word[2] = { 0 };

	return syscall(SYS_futex, (char *)word + 1, FUTEX_WAIT, 0, NULL, NULL, 0);
}

FAILS(futex_changed, EAGAIN, "futex_wait_setup")
{
	int word = 1;

	return syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

FAILS(futex_timeout, ETIMEDOUT, "futex_wait")
{
	struct timespec timeout = { 0, 1000 };
	int word = 0;

	return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &timeout, NULL, 0);
}

FAILS(futex_bits, EINVAL, "futex_wait")
{
	int word = 0;

	return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 0);
}
