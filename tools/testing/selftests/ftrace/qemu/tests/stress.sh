#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: whatever can come and go does so at random while functions are
# traced: instances and their filters, options and pids, the users of other
# tracers, probes, modules, CPUs, tasks and rules.  SEED decides on what is done, in which
# order; it is done until MINUTES are over.  What is done is in the kernel's log, so
# that it is there before what the kernel has to say.
#
# Much of it must fail, such as a seventeenth user.  What counts is that the kernel
# does not complain, that each call that a user of its own counted has returned,
# and that in the end there is nothing left.

: "${SEED:=1}" "${MINUTES:=1}"

FUNCTIONS='vfs_read vfs_write vfs_statx filename_lookup path_lookupat schedule
	wake_up_process kmem_cache_alloc __alloc_pages do_exit kernel_clone
	hrtimer_nanosleep pipe_read handle_mm_fault __might_resched
	*_fault vfs_* *lock* tcp_* sched_* *rcu* ksys_* timer* [a-d]*'
OPTIONS='funcgraph-args funcgraph-retval funcgraph-names funcgraph-retaddr funcgraph-irqs
	funcgraph-tail funcgraph-overrun sleep-time graph-time display-graph
	function-fork func_stack_trace func-args stacktrace irq-info'
TRACERS='function_graph function_graph function_graph function nop irqsoff
	preemptoff wakeup wakeup_rt'
COUNTED='path_*at'
BENCHMARK=/sys/module/fgraph_benchmark/parameters

# $r is a number from 0 to N - 1.
random() { # N
	x=$(((x * 1103515245 + 12345) & 0x7fffffff))
	r=$(((x >> 8) % $1))
}

# $picked is one of them.
pick() { # WORD...
	random $#
	shift $r
	picked=$1
}

pick_function() {
	set -f
	# shellcheck disable=SC2086 # a list of words
	pick $FUNCTIONS
	set +f
}

# All functions, or almost.  With KASAN and lockdep, too, an emulated CPU does nothing
# else then, so there it is some thousands.
pick_all() {
	if [ "$FLAVOR" = debug ]; then
		pick '[e-h]*' '[u-z]*'
	else
		pick '' '!*lock*' '!vfs_*'
	fi
}

# The top level, or an instance that there may or may not be
pick_instance() {
	random 8
	instance=instances/s$r
	[ $r -ne 0 ] || instance=.
}

note() { # WORD...
	echo "stress $n: $*" >/dev/kmsg
}

write() { # FILE TEXT
	note "'$2' > $1"
	echo "$2" >"$1"
}

append() { # FILE TEXT
	note "'$2' >> $1"
	echo "$2" >>"$1"
}

write_or_append() { # FILE TEXT
	random 2
	if [ $r -eq 0 ]; then
		write "$1" "$2"
	else
		append "$1" "$2"
	fi
}

do_instance() {
	pick_instance
	[ $instance != . ] || return
	if [ -d $instance ]; then
		note rmdir $instance
		rmdir $instance
	else
		note mkdir $instance
		mkdir $instance
		echo 64 >$instance/buffer_size_kb
		pick_function
		write $instance/set_ftrace_filter "$picked"
	fi
}

do_tracer() {
	pick_instance
	# shellcheck disable=SC2086 # a list of words
	pick $TRACERS
	write $instance/current_tracer "$picked"
}

do_filter() {
	pick_instance
	pick set_ftrace_filter set_ftrace_filter set_ftrace_notrace \
		set_graph_function set_graph_notrace
	file=$instance/$picked
	random 8
	if [ $r -eq 0 ]; then
		pick_all
		write $file "$picked"
	else
		pick_function
		write_or_append $file "$picked"
	fi
}

do_option() {
	pick_instance
	# shellcheck disable=SC2086 # a list of words
	pick $OPTIONS
	random 2
	write "$instance/options/$picked" $r
}

do_limit() {
	pick_instance
	pick max_graph_depth tracing_thresh
	random 4
	write $instance/$picked $r
}

do_keep() {
	pick_instance
	pick '' error error error:ENOENT,EAGAIN '!error:ENOENT' null slow:1ns slow:1ms \
		slow:1s error:ENOSUCH 'vfs_read: count > 64 && ret == 0' \
		'vfs_*: time > 1ms' 'filename_lookup: name ~ "/[a-s]*" || ret < 0' \
		'do_filp_open: pathname != "/" && ret ~ "s*"' 'vfs_statx: no_such == 1'
	write_or_append $instance/set_graph_keep "$picked"
}

# Lose recorded entries.
do_buffer() {
	pick_instance
	pick 'trace ' 'snapshot 1' 'snapshot 2' 'buffer_size_kb 16' 'buffer_size_kb 64' \
		'trace_clock global' 'trace_clock local'
	write $instance/${picked% *} "${picked#* }"
}

do_pid() {
	pick_instance
	pick set_ftrace_pid set_ftrace_notrace_pid
	file=$instance/$picked
	# shellcheck disable=SC2086 # a list of words
	pick '' $$ $LOADS
	write_or_append $file "$picked"
}

do_selection() {
	pick '' trace trace_profile instances/s1 instances/s2 benchmark nobody
	write function_tracers "$picked"
}

do_profiler() {
	random 2
	write function_profile_enabled $r
	[ $r -eq 1 ] || return
	write function_tracers trace_profile
	pick_function
	write set_ftrace_filter "$picked"
}

do_users() {
	random 6
	write $BENCHMARK/users $r
}

do_probe() {
	pick vfs_statx filename_lookup vfs_read kernel_clone do_exit \
		kmem_cache_alloc hrtimer_nanosleep handle_mm_fault
	function=$picked
	pick p r r
	if [ -d events/st/$picked$function ]; then
		[ ! -e events/st/$picked$function/enable ] ||
			write events/st/$picked$function/enable 0
		append kprobe_events "-:st/$picked$function"
	else
		append kprobe_events "$picked:st/$picked$function $function"
		random 4
		[ $r -eq 0 ] || write events/st/$picked$function/enable 1
	fi
}

do_module() {
	pick trace_printk kretprobe_example kprobe_example fprobe_example \
		fgraph_signatures
	if grep -q "^$picked " /proc/modules; then
		note rmmod $picked
		rmmod $picked
	else
		note modprobe $picked
		modprobe $picked
	fi
}

do_cpu() {
	random 2
	write /sys/devices/system/cpu/cpu1/online $r
}

do_read() {
	pick_instance
	pick trace trace set_ftrace_filter set_graph_function function_tracers \
		enabled_functions kprobe_profile trace_stat/function0
	note read $instance/$picked
	head -n 200 "$instance/$picked" >/dev/null
}

do_stack_tracer() {
	random 2
	write /proc/sys/kernel/stack_tracer_enabled $r
}

# Tasks that come and go, and one that sleeps in what is traced
load() {
	while :; do
		find /sys/kernel/tracing/events -maxdepth 2 >/dev/null
		# shellcheck disable=SC2012 # the tasks matter, not what they print
		ls /proc | head -n 5 | cat >/dev/null
		sleep 0.1
	done
}

start_loads() {
	LOADS=
	for _ in 1 2; do
		load >/dev/null 2>&1 &
		LOADS="$LOADS $!"
	done
}

# All is undone, in a fixed order.
stop_all() {
	n=end
	echo 1 >/sys/devices/system/cpu/cpu1/online
	# shellcheck disable=SC2086 # a list of words
	kill $LOADS
	wait
	echo >function_tracers
	echo nop >current_tracer
	echo >set_graph_keep
	for dir in instances/s*; do
		[ ! -d "$dir" ] || rmdir "$dir"
	done
	echo 0 >function_profile_enabled
	echo 0 >/proc/sys/kernel/stack_tracer_enabled
	[ ! -d events/st ] || echo 0 >events/st/enable
	echo >kprobe_events
	for module in trace_printk kretprobe_example kprobe_example fprobe_example \
			fgraph_signatures; do
		! grep -q "^$module " /proc/modules || rmmod $module
	done
	for file in set_ftrace_filter set_ftrace_notrace set_graph_function \
			set_graph_notrace set_ftrace_pid set_ftrace_notrace_pid; do
		echo >$file
	done
	echo 0 >$BENCHMARK/users
}

report() { # RESULT WHAT
	echo "$1 $ARCH stress $2"
}

expect() { # WHAT WANT GOT
	if [ "$2" = "$3" ]; then
		report ok "$1"
	else
		report 'not ok' "$1: $3 instead of $2"
		failed=1
	fi
}

# A kernel thread that fell asleep in a call keeps its stack until it wakes up, which
# may be never. One that no task has would be for kmemleak to find.
more_stacks_than_sleepers() {
	for _ in $(seq 100); do
		left=$(sed -n 's/^# \([0-9]*\) shadow stacks .*/\1/p' function_tracers)
		[ "$left" != 0 ] || break
		sleep 0.1
	done
	[ "$left" -lt 20 ] || echo "$left"
}

modprobe fgraph_benchmark
echo "$COUNTED" >$BENCHMARK/function
echo 1 >$BENCHMARK/count
echo 64 >buffer_size_kb
# Who has no filter has all functions, see pick_all
echo 'vfs_*' >set_ftrace_filter
echo 'vfs_*' >stack_trace_filter
wc -l <enabled_functions >/tmp/before

x=$SEED
n=0
failed=0
ACTIONS='do_instance do_instance do_tracer do_tracer do_tracer do_filter do_filter
	do_filter do_option do_option do_limit do_pid do_selection do_profiler
	do_users do_probe do_probe do_module do_cpu do_read do_read do_stack_tracer
	do_keep do_keep do_keep do_buffer'
start_loads
end=$(($(cut -d . -f 1 /proc/uptime) + MINUTES * 60))
while [ "$(cut -d . -f 1 /proc/uptime)" -lt $end ]; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # a list of words
	pick $ACTIONS
	$picked 2>/dev/null
done
echo "# $n actions of SEED=$SEED"
stop_all

cat function_tracers
[ "$(sed -n 's/^ counter  *[0-9]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p' \
	function_tracers)" -gt 0 ] || report 'not ok' 'no call was counted'
expect 'calls that did not return' 0 "$(cat $BENCHMARK/inside)"
expect 'calls with the data of another' 0 "$(cat $BENCHMARK/wrong)"
expect 'functions that are hooked' "$(cat /tmp/before)" "$(wc -l <enabled_functions)"
echo 0 >$BENCHMARK/count
expect 'shadow stacks that are left' '' "$(more_stacks_than_sleepers)"
rmmod fgraph_benchmark
exit $failed
