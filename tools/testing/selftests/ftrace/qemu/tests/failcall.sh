# SPDX-License-Identifier: GPL-2.0
#
# Guest script: does set_graph_keep name the function that failed a system call?
#
# Each of the system calls of failcall fails in another function, which its source says.
# The script traces each of them twice: with the rule "error", and every call. In the
# first trace, the innermost function that returned the error must be the one of the
# source, with its arguments. This trace must have at most 1 % of the bytes of the other
# one. The calls are those of the whole program, from exec to exit. Prints a line for each
# system call. Compilers differ in what they inline, so one of the
# system calls may have another function.

DIR=/tmp/failcall

mkdir -p $DIR /mnt
mount -t tmpfs none $DIR || exit
mkdir $DIR/full $DIR/cgroup
echo text >$DIR/full/file
mount -t cgroup2 none $DIR/cgroup || exit

mkdir instances/fail
cd instances/fail || exit
echo 0 >tracing_on
echo 32768 >buffer_size_kb
echo 0 >options/funcgraph-irqs
echo 1 >options/funcgraph-retval
echo 1 >options/funcgraph-args

fail() { # TEXT
	echo "# $1"
	failed=1
}

# Trace failcall. It must fail as it says.
trace_call() { # NAME
	echo >trace
	sh -c "echo \$\$ >set_ftrace_pid; echo 1 >tracing_on; exec failcall $1"
	status=$?
	echo 0 >tracing_on
	[ $status -eq 0 ] || fail "$1: failcall exits with $status"
	! grep -q '^overrun: [1-9]' per_cpu/cpu*/stats || fail "$1: events were lost"
}

# Print the line of the innermost function of the last system call that failed with this
# error. Each function returned the error to the one of the next line.
innermost() { # ERROR
	awk -v error=" ret=[^ ]+ [(]$1[)]( missed)? [*]/$" '
	function find_entry(i) {
		for (at = i; line[at] !~ /[{]$/ || depth[at] != depth[i]; at--)
			if (at == 1)
				break
		return at
	}
	/^#/ || !/\|/ { next }
	{
		sub(/^[^|]*\|/, "")
		line[++n] = $0
		match($0, /^ */)
		depth[n] = RLENGTH
		if (/[;}]/ && depth[n] == 2 && $0 ~ error)
			last = n
	}
	END {
		while (last) {
			found = last
			start = line[found] ~ /^ *}/ ? find_entry(found) : found
			last = 0
			for (i = start + 1; i < found; i++)
				if (depth[i] == depth[found] + 2 && line[i] ~ error)
					last = i
		}
		if (found)
			print line[start]
	}' trace
}

# Print the first of these functions that can be traced, itself or a clone of it.
first_traced() { # FUNCTION...
	for function; do
		grep -x -m 1 "$function\(\..*\)\?" ../../available_filter_functions && return
	done
}

right=0 calls=0 failed=0
failcall >/tmp/calls
while read -r name error functions; do
	calls=$((calls + 1))
	# shellcheck disable=SC2086 # a list
	expected=$(first_traced $functions)

	echo error >set_graph_keep
	echo function_graph >current_tracer
	trace_call "$name"
	kept=$(wc -c <trace)
	line=$(innermost "$error")
	echo >set_graph_keep
	trace_call "$name"
	all=$(wc -c <trace)
	echo nop >current_tracer

	verdict=ok
	case $line in
	*" $expected("*=*) right=$((right + 1)) ;;
	*) verdict="wrong, $expected expected" ;;
	esac
	[ "$expected" ] || fail "$name: none of $functions can be traced"
	[ $((kept * 100)) -le "$all" ] || fail "$name: the trace is large"
	echo "$name $error: $line $kept of $all bytes: $verdict"
done </tmp/calls

echo "$right of $calls system calls name the function"
[ $right -ge $((calls - 1)) ] && [ $calls -ge 20 ] && [ $failed -eq 0 ]
