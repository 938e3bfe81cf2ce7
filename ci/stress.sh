#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: adds, changes and removes at random while functions are traced: instances
# and their filters, options and pids, the users of other tracers, probes, modules, CPUs,
# tasks and rules. Eight more tasks write random rules. SEED decides on the actions and their
# order, MINUTES on their number. They are in the kernel's log, before what the kernel says of
# them.
#
# Much of it must fail, such as a seventeenth user. The kernel must not complain, each call
# that a user of its own counted must return, and nothing may be left at the end.

: "${SEED:=1}" "${MINUTES:=1}"

BENCHMARK=/sys/module/fgraph_benchmark/parameters
MODULES='trace_printk kretprobe_example kprobe_example fprobe_example fgraph_signatures'

OPTIONS='funcgraph-args funcgraph-retval funcgraph-names funcgraph-retaddr funcgraph-irqs
	funcgraph-tail funcgraph-overrun sleep-time graph-time display-graph function-fork
	func_stack_trace func-args stacktrace irq-info'

# With KASAN and lockdep, an emulated CPU would do nothing else if it traced all functions.
ALL=';!*lock*;!vfs_*'
# Lockdep warns if the function tracer records a stack in the idle loop, on the base, too.
if [ "$FLAVOR" = debug ]; then
	ALL='[e-h]*;[u-z]*'
	OPTIONS=$(echo "$OPTIONS" | sed 's/func_stack_trace //')
fi
FUNCTIONS='vfs_read;vfs_write;vfs_statx;filename_lookup;path_lookupat;schedule;do_exit;[a-d]*'
FUNCTIONS="$FUNCTIONS;wake_up_process;kmem_cache_alloc;__alloc_pages;kernel_clone;vfs_*"
FUNCTIONS="$FUNCTIONS;hrtimer_nanosleep;pipe_read;handle_mm_fault;__might_resched;*_fault"
FUNCTIONS="$FUNCTIONS;*lock*;sched_*;*rcu*;ksys_*;timer*"

# How often; what to do with a file; the file, in I an instance or the top level; what is
# written to it, one of a list. A function has no file.
ACTIONS="3 write I/current_tracer function_graph;function_graph;function;nop;irqsoff;wakeup
1 write I/current_tracer preemptoff;wakeup_rt;function_graph
2 change I/set_ftrace_filter $FUNCTIONS;$FUNCTIONS;$ALL
1 change I/set_ftrace_notrace $FUNCTIONS;$ALL
1 change I/set_graph_function $FUNCTIONS;$ALL
1 change I/set_graph_notrace $FUNCTIONS;$ALL
$(for option in $OPTIONS; do echo "1 write I/options/$option 0;1"; done)
1 write I/max_graph_depth 0;1;2;3
1 write I/tracing_thresh 0;1;2;3
2 change I/set_graph_keep ;error;error;error:ENOENT,EAGAIN;!error:ENOENT;null;error:ENOSUCH
1 change I/set_graph_keep ;slow:1ns;slow:1ms;slow:1s;vfs_*: time > 1ms
1 change I/set_graph_keep vfs_read: count > 64 && ret == 0;vfs_statx: no_such == 1
1 change I/set_graph_keep filename_lookup: name ~ \"/[a-s]*\" || ret < 0
1 change I/set_graph_keep do_filp_open: pathname != \"/\" && ret ~ \"s*\"
1 write I/trace
1 write I/snapshot 1;2
1 write I/buffer_size_kb 16;64
1 write I/trace_clock global;local
1 change I/set_ftrace_pid ;PID
1 change I/set_ftrace_notrace_pid ;PID
2 write function_tracers ;trace;trace_profile;instances/s1;instances/s2;benchmark;nobody
2 write $BENCHMARK/users 0;1;2;3;4;5
2 write /sys/devices/system/cpu/cpu1/online 0;1
2 write /proc/sys/kernel/stack_tracer_enabled 0;1
2 read I/trace
1 read I/set_ftrace_filter
1 read I/set_graph_function
1 read function_tracers
1 read enabled_functions
1 read kprobe_profile
1 read trace_stat/function0
4 change_instance
4 change_probe - vfs_statx;filename_lookup;vfs_read;kernel_clone;do_exit;handle_mm_fault
2 change_module - $(echo "$MODULES" | tr ' ' ';')
2 change_profiler"

# $r is a number from 0 to N - 1.
random() { # N
	x=$(((x * 1103515245 + 12345) & 0x7fffffff))
	r=$(((x >> 8) % $1))
}

# $picked is one of a list. Without a list it is empty.
pick() { # A;B;C
	set -f
	IFS=';'
	# shellcheck disable=SC2086 # a list
	set -- $1
	unset IFS
	set +f
	[ $# -gt 0 ] || set -- ''
	random $#
	shift $r
	picked=$1
}

run() { # COMMAND
	echo "stress $n: $1" >/dev/kmsg
	eval "$1"
}

change_instance() {
	if [ $instance = . ]; then
		return
	elif [ -d $instance ]; then
		run "rmdir $instance"
	else
		run "mkdir $instance"
		echo 64 >$instance/buffer_size_kb
		pick "$FUNCTIONS"
		run "echo '$picked' >$instance/set_ftrace_filter"
	fi
}

change_probe() { # FUNCTION
	pick 'p;r;r'
	probe=st/$picked$1
	if [ -d events/$probe ]; then
		[ ! -e events/$probe/enable ] || run "echo 0 >events/$probe/enable"
		run "echo -:$probe >>kprobe_events"
	else
		run "echo $picked:$probe $1 >>kprobe_events"
		run "echo 1 >events/$probe/enable"
	fi
}

change_module() { # MODULE
	if grep -q "^$1 " /proc/modules; then
		run "rmmod $1"
	else
		run "modprobe $1"
	fi
}

change_profiler() {
	random 2
	run "echo $r >function_profile_enabled"
	[ $r -eq 1 ] || return
	run 'echo trace_profile >function_tracers'
	pick "$FUNCTIONS"
	run "echo '$picked' >set_ftrace_filter"
}

# An emulated CPU does few actions if each starts programs, so this starts none.
act() { # ACTION...
	n=$((n + 1))
	random $#
	shift $r
	action=${1%% *}
	rest=${1#* }
	file=${rest%% *}
	list=${rest#"$file"}
	random 8
	instance=instances/s$r
	[ $r -ne 0 ] || instance=.
	case $file in I/*) file=$instance/${file#I/} ;; esac
	to='>'
	[ $action != change ] || { pick '>;>>'; to=$picked; }
	pick "${list# }"
	[ "$picked" != PID ] || pick "$$$LOADS"
	case $action in
	change_*) $action "$picked" ;;
	read) run "head -n 200 $file >/dev/null" ;;
	*) run "echo '$picked' $to$file" ;;
	esac
}

# Tasks that start and end, and one that sleeps in what is traced
load() {
	while :; do
		find /sys/kernel/tracing/events -maxdepth 2 >/dev/null
		# shellcheck disable=SC2012 # the tasks matter, not what they print
		ls /proc | head -n 5 | cat >/dev/null
		threadexec : true
		sleep 0.1
	done
}

stop_all() {
	n=end
	echo 1 >/sys/devices/system/cpu/cpu1/online
	# shellcheck disable=SC2046 # a list of words
	kill $(echo "$LOADS" | tr ';' ' ')
	wait
	echo nop >current_tracer
	for dir in instances/s*; do
		[ ! -d "$dir" ] || rmdir "$dir"
	done
	[ ! -d events/st ] || echo 0 >events/st/enable
	echo 0 >function_profile_enabled
	echo 0 >/proc/sys/kernel/stack_tracer_enabled
	echo 0 >$BENCHMARK/users
	for module in $MODULES; do
		! grep -q "^$module " /proc/modules || rmmod $module
	done
	for file in kprobe_events function_tracers set_graph_keep set_graph_function \
			set_graph_notrace set_ftrace_filter set_ftrace_notrace set_ftrace_pid \
			set_ftrace_notrace_pid; do
		echo >$file
	done
}

expect() { # WHAT WANT GOT
	[ "$2" = "$3" ] && echo "ok $1" && return
	echo "not ok $1: $3 instead of $2"
	failed=1
}

shadow_stacks() {
	sed -n 's/^# \([0-9]*\) shadow stacks .*/\1/p' function_tracers
}

# With lockdep, mkdir of an instance may hold a lock for minutes: it makes a thousand files.
[ "$FLAVOR" != debug ] || echo 1200 >/proc/sys/kernel/hung_task_timeout_secs
modprobe fgraph_benchmark
echo 'path_*at' >$BENCHMARK/function
echo 1 >$BENCHMARK/count
echo 64 >buffer_size_kb
# Without a filter it would be all functions.
echo 'vfs_*' >set_ftrace_filter
echo 'vfs_*' >stack_trace_filter
before=$(wc -l <enabled_functions)

x=$SEED n=0 failed=0 LOADS=
for _ in 1 2; do
	load >/dev/null 2>&1 &
	LOADS="$LOADS;$!"
done
mkdir instances/s1 instances/s2
for r in 1 2 3 4 5 6 7 8; do
	awk -v seed=$((SEED + r)) -v minutes=$MINUTES -v pause=1 -f /files/rules.awk \
		. instances/s1 instances/s2 >/dev/null 2>&1 &
	LOADS="$LOADS;$!"
done
read -r uptime _ </proc/uptime
end=$((${uptime%.*} + MINUTES * 60))
set -f
IFS='
'
# shellcheck disable=SC2046 # a list of lines
set -- $(echo "$ACTIONS" | awk '{ n = $1; sub(/^[0-9]+ /, ""); while (n--) print }')
unset IFS
set +f
while [ ${uptime%.*} -lt $end ]; do
	act "$@" 2>/dev/null
	read -r uptime _ </proc/uptime
done
echo "# $n actions of SEED=$SEED"
stop_all

cat function_tracers
counted=$(sed -n 's/^ counter  *[0-9]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p' function_tracers)
expect 'counted calls' many "$([ "$counted" -gt 0 ] && echo many)"
expect 'calls that did not return' 0 "$(cat $BENCHMARK/inside)"
expect 'calls with the data of another' 0 "$(cat $BENCHMARK/wrong)"
expect 'functions that are hooked' "$before" "$(wc -l <enabled_functions)"
echo 0 >$BENCHMARK/count
# A kernel thread that fell asleep in a call keeps its stack until it wakes up, which may
# be never. kmemleak finds a stack that no task has.
for _ in $(seq 100); do
	[ "$(shadow_stacks)" -gt 0 ] || break
	sleep 0.1
done
expect 'shadow stacks that are left' few "$([ "$(shadow_stacks)" -lt 20 ] && echo few)"
rmmod fgraph_benchmark
exit $failed
