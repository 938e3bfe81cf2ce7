#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: finds the function that returned the error of a system call.
#
# A real-time task is attached to a cgroup that has no real-time budget. The write fails
# with "Invalid argument". The trace of this system call names the function.

GROUP=/sys/fs/cgroup/cpu/test

# The function that detects the error, in this kernel
FAILS=cpu_cgroup_can_attach

# A new group of the cpu controller has cpu.rt_runtime_us = 0.
make_group() {
	mount -t tmpfs tmpfs /sys/fs/cgroup &&
	mkdir /sys/fs/cgroup/cpu &&
	mount -t cgroup -o cpu cpu /sys/fs/cgroup/cpu &&
	mkdir $GROUP
}

# Only calls that fail in a write of this shell, and their callers
prepare_trace() {
	echo 0 >tracing_on
	echo '*sys_write' >set_graph_function
	echo $$ >set_ftrace_pid
	echo 0 >options/funcgraph-irqs
	echo 1 >options/funcgraph-retval &&
	echo 1 >options/funcgraph-args &&
	echo error >set_graph_keep &&
	echo function_graph >current_tracer
}

# The name of the function that returned the error first
first_with() { # ERROR
	sed -n "s,^[^|]*| *\(} /[*] \)\?\([^( ]*\).* ret=[^ ]* ($1) [*]/\$,\2,p" trace |
		head -n 1
}

make_group && prepare_trace || exit
chrt -f 10 sleep 1000 &
task=$!
# Field 41 is the policy.
for _ in $(seq 100); do
	[ "$(cut -d ' ' -f 41 /proc/$task/stat)" != 1 ] || break
	sleep 0.1
done

echo "A real-time task is attached to a cpu group without a real-time budget:"
echo
echo "# echo $task > $GROUP/tasks"
# The message is written to a pipe, where writing does not fail.
mkfifo /tmp/error
sed 's/^.*: \(write error\)/\1/' /tmp/error &
echo 1 >tracing_on
{ echo $task >$GROUP/tasks; } 2>/tmp/error
status=$?
echo 0 >tracing_on
wait $!
[ $status -ne 0 ] || exit 1

echo
echo "# cat trace"
grep '^ ' trace
found=$(first_with EINVAL)
[ "$found" = $FAILS ] || {
	echo "$found is named as the function that failed first: it was $FAILS"
	exit 1
}
echo
echo "For a shell in this guest: make shell ARCH=$ARCH"
