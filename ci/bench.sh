# SPDX-License-Identifier: GPL-2.0
#
# Guest script: what function_graph costs, in instructions; also on the base, as far as that
# has the feature. One function is traced, in a loop of system calls; the cost is the
# difference to the same loop untraced. Lines are "bench NAME VALUE".

FUNCTION=$(grep -m 1 -E '^(__[a-z0-9]+_)?sys_getppid$' available_filter_functions)
OTHER=$(grep -m 1 -E '^(__[a-z0-9]+_)?sys_setsid$' available_filter_functions)
USERS=/sys/module/fgraph_benchmark/parameters

report() { # NAME HUNDREDTHS
	echo "bench $1 $(($2 / 100)).$(printf '%02d' $(($2 % 100)))"
}

# The loop prints hundredths of an instruction. Lookups for earlier users end a moment after
# these.
cost() { # NAME
	sleep 1
	hundredths=$(($(callbench "$LOOP") - untraced))
	report "$1" $hundredths
}

set_loop() { # LOOP
	[ "$1" != "${LOOP:-}" ] || return 0
	LOOP=$1
	untraced=$(callbench "$LOOP")
}

put() { # TEXT FILE...
	text=$1
	shift
	for file; do
		echo "$text" >"$file" || exit
	done
}

trace_function() { # FUNCTION
	put "$1" set_ftrace_filter
	put function_graph current_tracer
}

# Measure the cost of the function in each round of the loop, with these settings. The base
# does not have all of them.
measure() { # NAME LOOP FUNCTION [FILE=TEXT]...
	name=$1
	set_loop "$2"
	function=$3
	shift 3
	for setting; do
		[ -e "${setting%%=*}" ] || return 0
	done
	for setting; do
		put "${setting#*=}" "${setting%%=*}"
	done
	trace_function "$function"
	cost "$name"
	put nop current_tracer
	for setting; do
		case $setting in
		options/*) put 0 "${setting%%=*}" ;;
		*) put '' "${setting%%=*}" ;;
		esac
	done
}

# Without the arguments, with them, and with names, too
measure_args() { # NAME LOOP FUNCTION [FILE=TEXT]
	prefix=$1 loop=$2 traced_function=$3
	shift 3
	args=options/funcgraph-args=1
	measure "$prefix" "$loop" "$traced_function" "$@"
	measure "$prefix-on" "$loop" "$traced_function" "$@" $args
	measure "$prefix-names" "$loop" "$traced_function" "$@" $args options/funcgraph-names=1
}

# Users whose callbacks are empty: what the core takes of a call
core_cost() {
	[ -e $USERS ] || return 0
	put "$FUNCTION" $USERS/function
	put 1 $USERS/users
	cost 1-empty-user
	one=$hundredths
	put 16 $USERS/users
	cost 16-empty-users
	report further-empty-user $(((hundredths - one) / 15))
	put 0 $USERS/users
}

set_kretprobe() { # 0|1
	[ "$1" = 0 ] || put "r:bench $FUNCTION" kprobe_events
	put "$1" events/kprobes/bench/enable
	[ "$1" = 1 ] || put '' kprobe_events
}

# An event at the return of a function that is not recorded
kretprobe_cost() {
	put 0 tracing_on
	set_kretprobe 1
	cost kretprobe
	set_kretprobe 0
	put 1 tracing_on
}

# An event at the return of a function that is recorded: alone, and with two arguments
return_event_cost() {
	grep -q '<parameter>' README || return 0
	set_loop clock_getres
	for arguments in '' 'which_clock tp'; do
		put "r:bench process_cpu_clock_getres $arguments" kprobe_events
		put 1 events/kprobes/bench/enable
		cost "return-event${arguments:+-two-arguments}"
		put 0 events/kprobes/bench/enable
	done
	put '' kprobe_events
	set_loop getppid
}

profiler_cost() {
	put "$FUNCTION" set_ftrace_filter
	put 1 function_profile_enabled
	cost profiler
	put 0 function_profile_enabled
}

# The cost of all functions in an open() and a close(): with function_graph and arguments,
# and with fgraph why, which also reads names
why_cost() {
	[ -e set_graph_keep ] || return 0
	measure open-and-close open '' options/funcgraph-args=1
	traced=$hundredths
	hundredths=$(($(fgraph why -o /dev/null callbench "$LOOP") - untraced))
	report open-and-close-why $hundredths
	report why-ratio $((100 * hundredths / traced))
	time_of why-is-ready fgraph why -o /dev/null true
}

# Functions that neither the loop nor a tick in it calls, by their numbers
find_uncalled() {
	put function current_tracer
	callbench "$LOOP" >/dev/null
	put 0 tracing_on
	sed -n 's/.*: \([^ ]*\) <-.*/\1/p' trace | sort -u >/tmp/called
	put nop current_tracer
	put 1 tracing_on
	grep -n . available_filter_functions | grep -vwFf /tmp/called |
		cut -d : -f 1 >/tmp/uncalled
}

now_in_ns() {
	sed -n '/^now at/{s/[^0-9]//g;p;q}' /proc/timer_list
}

# How many ms of the guest's clock the command takes
time_of() { # NAME COMMAND...
	name=$1
	shift
	start=$(now_in_ns)
	"$@"
	report "$name-ms" $((($(now_in_ns) - start) / 10000))
}

# Many functions, and the one that is called
set_filter() { # COUNT
	head -n $(($1 - 1)) /tmp/uncalled >set_ftrace_filter || exit
	echo "$FUNCTION" >>set_ftrace_filter
}

# The least of three times: in another, the hash of an earlier filter may be freed, which
# calls functions that are traced.
filter_time() { # COUNT
	for _ in 1 2 3; do
		echo "$FUNCTION" >set_ftrace_filter
		time_of "set-filter-of-$1" set_filter "$1"
	done | sort -n -k 3 | head -n 1
}

start_sleepers() { # COUNT
	sleepers=
	while [ "$(echo $sleepers | wc -w)" -lt "$1" ]; do
		sleep 100000 &
		sleepers="$sleepers $!"
	done
}

# The first user gives stacks to tasks, and the last one takes them.
change_cost() {
	start_sleepers 300
	echo >set_ftrace_filter
	time_of start-tracer put function_graph current_tracer
	time_of stop-tracer put nop current_tracer
	if [ $users -eq 16 ]; then
		put function_graph instances/u*/current_tracer
		time_of stop-15-users put nop instances/u*/current_tracer
	fi
	kill $sleepers
}

# How many shadow stacks there are for one kretprobe and 500 tasks that sleep
kretprobe_stacks() {
	[ -e function_tracers ] || return 0
	start_sleepers 500
	set_kretprobe 1
	callbench "$LOOP" >/dev/null
	sleep 1
	callbench "$LOOP" >/dev/null
	stacks=$(sed -n 's/^# \([0-9]*\) shadow stacks .*/\1/p' function_tracers)
	report stacks-of-500-tasks $((100 * stacks))
	set_kretprobe 0
	kill $sleepers
}

# The same function for 2, 4, 8 and 16 users, as far as there can be more
users_cost() {
	users=1
	for many in 2 4 8 16; do
		while [ $users -lt $many ]; do
			mkdir "instances/u$users"
			put "$FUNCTION" "instances/u$users/set_ftrace_filter"
			echo function_graph >"instances/u$users/current_tracer" 2>/dev/null || return
			users=$((users + 1))
		done
		cost "$many-users"
	done
}

# One user wants the function, and the others one that is not called: the first one, or the
# last one.
other_users_cost() {
	put "$OTHER" instances/u*/set_ftrace_filter
	cost one-of-16
	put "$OTHER" set_ftrace_filter
	put "$FUNCTION" instances/u15/set_ftrace_filter
	cost last-of-16
	put "$OTHER" instances/u15/set_ftrace_filter
}

# Measure the cost of printing a line of a trace. The option stays on.
read_cost() { # NAME [OPTION]
	if [ "${2:-}" ]; then
		[ -e "options/$2" ] || return 0
		put 1 "options/$2"
	fi
	sleep 1
	readbench trace >/tmp/read
	read -r lines ns </tmp/read
	report "$1" $((ns * 100 / lines))
}

# The same 100,000 lines and some, read without types and with, by a reader that is not
# traced itself
read_costs() {
	args=options/funcgraph-args
	[ -e $args ] || args=/dev/null
	put 16384 buffer_size_kb
	put 1 $args
	trace_function ''
	find / -xdev >/dev/null
	find /sys -maxdepth 4 >/dev/null
	put 0 tracing_on
	put "$FUNCTION" set_ftrace_filter
	put 0 $args
	read_cost read-line
	read_cost read-line-retval funcgraph-retval
	read_cost read-line-typed funcgraph-args
	echo "read $lines lines"
}

# From 2^32 ns on, 32-bit kernels take more instructions to read the clock.
sleep 5
set_loop getppid
report untraced "$untraced"

put '' set_ftrace_filter
put 4096 buffer_size_kb
find_uncalled
measure one-user getppid "$FUNCTION"
measure one-user-retval getppid "$FUNCTION" options/funcgraph-retval=1
trace_function "$FUNCTION"
for count in 10 1000 10000; do
	filter_time $count
done
put "$FUNCTION" set_ftrace_filter
users_cost
[ $users -ne 16 ] || other_users_cost
# With others that trace, each call is looked up.
for count in 10 1000 10000; do
	set_filter $count
	cost filter-of-$count
done
put "$FUNCTION" set_ftrace_filter

# A user alone again must cost what it did.
[ $users -eq 1 ] || put nop instances/u*/current_tracer
cost one-user-again
put nop current_tracer
change_cost
rmdir instances/u*
kretprobe_stacks
core_cost
kretprobe_cost
return_event_cost
profiler_cost

# All functions, for what a call costs when many are traced
measure all-functions getppid ''

# Calls that set_graph_keep does not keep: they do not fail, are not slow, or a rule on
# another function, the result, two arguments or a text does not hold.
keep=set_graph_keep
measure not-kept getppid "$FUNCTION" $keep=error
measure not-kept-slow getppid "$FUNCTION" "$(printf '%s\n' $keep=error slow:1000s)"
measure_args not-kept-two-arguments clock_getres process_cpu_clock_getres $keep=error
measure not-kept-access access do_faccessat $keep=error:EIO
measure not-kept-other-rule access do_faccessat "$keep=do_filp_open: ret == NULL"
measure not-kept-result access do_faccessat "$keep=do_faccessat: ret == -EIO"
measure not-kept-two-numbers access do_faccessat "$keep=do_faccessat: dfd == 5 && mode == 7"
measure not-kept-text access do_faccessat "$keep=do_faccessat: filename == \"/etc/motd\""

# A member of a struct that an argument points to: in a rule that does not hold, and shown
show=set_graph_show
measure not-kept-lookup access filename_lookup $keep=error:EIO
measure not-kept-member access filename_lookup "$keep=filename_lookup: name->aname != NULL"
measure lookup access filename_lookup
measure lookup-one-member access filename_lookup "$show=filename_lookup: name->aname"
measure lookup-three-members access filename_lookup \
	"$show=filename_lookup: name->aname, path->mnt, path->dentry"
measure lookup-text access filename_lookup "$show=filename_lookup: name->name"
measure lookup-other-member access filename_lookup "$show=do_filp_open: op->open_flag"

measure_args two-arguments clock_getres process_cpu_clock_getres
measure_args six-arguments mmap vm_mmap_pgoff
# The name of a file of 13 characters is an argument, and a result, too.
measure_args file-name access do_faccessat
measure_args two-file-names access getname_flags
why_cost
read_costs
