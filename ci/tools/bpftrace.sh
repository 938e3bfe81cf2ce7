# SPDX-License-Identifier: GPL-2.0
#
# kretprobe, kretfunc and function_graph see the same results of one function, call by call.

. /files/lib.sh

PROGRAM='
kretprobe:vfs_read /comm == "reader"/ { printf("kretprobe %ld\n", retval); }
kretfunc:vfs_read /comm == "reader"/ { printf("kretfunc %ld %ld\n", args->count, retval); }'

prepare() { # RULE
	reset
	set_options args retval proc
	echo vfs_read >set_ftrace_filter
	echo "$1" >set_graph_keep
}

# One CPU keeps the order of bpftrace's lines.
bpftrace_of() { # COMMAND
	taskset -c 1 bpftrace -e "$PROGRAM" -c "$1" >/tmp/bpftrace 2>&1
	echo 0 >tracing_on
	traced_reads >/tmp/fgraph
	sed -n 's/^kretprobe //p' /tmp/bpftrace >/tmp/kretprobe
	sed -n 's/^kretfunc //p' /tmp/bpftrace >/tmp/kretfunc
	cut -d ' ' -f 2 /tmp/fgraph >/tmp/fgraph.ret
	[ -s /tmp/kretprobe ] && same /tmp/reads /tmp/kretfunc
}

trace_first() {
	prepare
	echo function_graph >current_tracer
	bpftrace_of '/usr/bin/perl /files/reader.pl /tmp/reads'
}

trace_later() {
	prepare
	printf '%s\n' 'echo function_graph >/sys/kernel/tracing/current_tracer' \
		'exec perl /files/reader.pl /tmp/reads' >/tmp/later
	bpftrace_of '/bin/sh /tmp/later'
}

trace_failing() {
	prepare error
	echo function_graph >current_tracer
	bpftrace_of '/usr/bin/perl /files/reader.pl /tmp/reads' || return
	grep ' -' /tmp/reads >/tmp/failing
}

# shellcheck disable=SC2016 # bpftrace expands it
kept_calls() {
	prepare error
	echo function_graph >current_tracer
	bpftrace -e 'tracepoint:fgraph:kept /comm == "reader"/ {
			printf("kept %s %d %d\n", ksym(args->func), args->retval, args->error);
		}' -c '/usr/bin/perl /files/reader.pl /tmp/reads' >/tmp/bpftrace 2>&1
	tail -n 5 /tmp/bpftrace
	sed -n 's/^kept //p' /tmp/bpftrace >/tmp/kept
	sed -n 's/.* \(-.*\)/vfs_read \1 \1/p' /tmp/reads >/tmp/failing
	same /tmp/failing /tmp/kept
}

check 'bpftrace under a trace: kretfunc has the values of the program' trace_first
check 'bpftrace under a trace: function_graph has those of kretfunc' same /tmp/kretfunc /tmp/fgraph
check 'bpftrace under a trace: function_graph has those of kretprobe' \
	same /tmp/kretprobe /tmp/fgraph.ret
check 'a trace under bpftrace: kretfunc has the values of the program' trace_later
check 'a trace under bpftrace: function_graph has those of kretfunc' same /tmp/kretfunc /tmp/fgraph
check 'a trace under bpftrace: function_graph has those of kretprobe' \
	same /tmp/kretprobe /tmp/fgraph.ret
check 'bpftrace and failing calls: kretfunc has the values of the program' trace_failing
check 'bpftrace and failing calls: function_graph has those that failed' \
	same /tmp/failing /tmp/fgraph
check 'bpftrace has the event of each kept call' kept_calls
reset
