#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: which function returned the error that my system call got?
#
# A real-time task is attached to a cgroup that has no real-time budget.  The
# write fails with "Invalid argument" and says no more than that; the trace of
# this one system call does.

GROUP=/sys/fs/cgroup/cpu/test

# It is the one that finds out, in this kernel.
FAILS=cpu_cgroup_can_attach

# A new group of the cpu controller has cpu.rt_runtime_us = 0.
make_group() {
	mount -t tmpfs tmpfs /sys/fs/cgroup &&
	mkdir /sys/fs/cgroup/cpu &&
	mount -t cgroup -o cpu cpu /sys/fs/cgroup/cpu &&
	mkdir $GROUP
}

# What a write of this shell calls, without the noise.
prepare_trace() {
	echo 0 >tracing_on
	echo '*sys_write' >set_graph_function
	for noise in '*spin*' '*rcu*' '*alloc*' 'preempt*' 'kfree*'; do
		echo "$noise" >>set_graph_notrace
	done
	echo $$ >set_ftrace_pid
	echo 1 >options/funcgraph-retval &&
	echo 1 >options/funcgraph-args &&
	echo function_graph >current_tracer
}

# The first return of the error is the innermost one; an argument of that value is
# none.  Prints that call, as much of what it called as fits, and as many of its
# callers as ten lines have room for; "=>" marks the function that failed first, and
# the last line is its name.
lines_that_matter() { # ERROR
	awk -v "error= ret=[^ ]+ [(]$1[)] [*]/$" '
	function keep(i) { if (!(i in kept)) { kept[i]; room-- } }

	# The call that returns in line i, and the return of the call in line i
	function start(i, at) {
		for (at = i; at > 0; at--)
			if (indent[at] == indent[i] && line[at] ~ /[{]$/)
				return at
		return i
	}
	function end(i, at) {
		for (at = i; at <= n; at++)
			if (indent[at] == indent[i] && line[at] ~ /\| *[}]/)
				return at
		return i
	}

	# What returns in line i: "} /* NAME ret=" or "NAME(arguments); /* ret="
	function name(i, text) {
		text = line[i]
		sub("^[^|]*[|] *([}] /[*] )?", "", text)
		sub(/[ (].*/, "", text)
		return text
	}

	/^#/ || !/\|/ { next }
	{
		line[++n] = $0
		match($0, /\| */)
		indent[n] = RLENGTH
		if (!failed && $0 ~ error)
			failed = n
	}
	END {
		if (!failed)
			exit 1
		room = 10
		first = start(failed)
		keep(first)
		keep(failed)
		for (i = first + 1; i < failed && room > 4; i++)
			if (indent[i] == indent[first] + 2)
				keep(i)
		for (i = first; i > 0 && room > 0; i--)
			if (indent[i] < indent[first] && line[i] ~ /[{]$/) {
				keep(i)
				if (room)
					keep(end(i))
				first = i
			}
		for (i = 1; i <= n; i++)
			if (i in kept)
				print (i == failed ? "=> " : "   ") line[i]
		print name(failed)
	}' trace
}

make_group || exit
prepare_trace || exit
chrt -f 10 sleep 1000 &
task=$!
sleep 1

echo "A real-time task is attached to a cpu group without a real-time budget:"
echo
echo "# echo $task > $GROUP/tasks"
echo 1 >tracing_on
{ echo $task >$GROUP/tasks; } 2>/tmp/error
status=$?
echo 0 >tracing_on
sed 's/^.*: \(write error\)/\1/' /tmp/error
[ $status -ne 0 ] || exit 1

echo
echo "The trace of that write, where it went wrong:"
echo
lines_that_matter EINVAL >/tmp/lines || { echo "no function returned EINVAL"; exit 1; }
sed '$d' /tmp/lines
found=$(tail -n 1 /tmp/lines)
[ "$found" = $FAILS ] || {
	echo "$found is named as the function that failed first: it was $FAILS"
	exit 1
}
echo
echo "For a shell in this guest: make shell ARCH=$ARCH"
