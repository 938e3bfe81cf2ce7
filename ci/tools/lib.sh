# SPDX-License-Identifier: GPL-2.0
#
# Shared by the parts. Sourced, not run.

cd /sys/kernel/tracing || exit
LOG=/tmp/log

check() { # NAME COMMAND...
	local name=$1

	shift
	"$@" >$LOG 2>&1 || { tail -n 80 $LOG | sed 's/^/# /'; printf 'not '; }
	echo "ok $name"
}

# The state after boot, as far as a part changes it
reset() {
	echo nop >current_tracer
	echo >set_graph_keep
	echo >set_ftrace_filter
	echo >set_graph_function
	echo >set_ftrace_pid
	for option in args names retaddr retval proc tail; do
		echo 0 >options/funcgraph-$option
	done
	echo 0 >options/function-fork
	echo 1 >options/funcgraph-irqs
	echo 1 >tracing_on
	echo >trace
}

set_options() { # OPTION...
	for option; do
		echo 1 >options/funcgraph-$option || return
	done
}

wait_until() { # COMMAND...
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "not after 60 seconds: $*"
	return 1
}

# Print "COUNT RESULT" for each call that the trace has of the task of reader.pl.
traced_reads() {
	sed -n 's/^[^|]*reader-[0-9]* *|[^|]*|  vfs_read(.* count=\([0-9]*\),.* ret=\(-\?[0-9]*\) .*/\1 \2/p' trace
}

# Compare lists of calls, which must not be empty.
same() { # FILE FILE
	[ -s "$1" ] && diff "$1" "$2"
}

reset
