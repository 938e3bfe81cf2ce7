# SPDX-License-Identifier: GPL-2.0
#
# What function_graph costs, in instructions.  Per traced call and return: for one
# user, with return values and arguments recorded or not, and for several users of
# one function.  Per line of the trace: with and without types.  Runs on the base,
# too, as far as that has the feature.
#
# One function is traced, in a loop of system calls; the cost is the difference
# to the same loop untraced.  Lines are "bench NAME VALUE".

FUNCTION=$(grep -m 1 -E '^(__[a-z0-9]+_)?sys_getppid$' available_filter_functions)
OTHER=$(grep -m 1 -E '^(__[a-z0-9]+_)?sys_setsid$' available_filter_functions)
LOOP=getppid

# The loop prints hundredths of an instruction.
report() { # NAME HUNDREDTHS
	echo "bench $1 $(($2 / 100)).$(printf '%02d' $(($2 % 100)))"
}

# $hundredths is what it reports, too.
cost() { # NAME
	# Lookups for earlier users end a moment after these.
	sleep 1
	hundredths=$(($(callbench $LOOP) - untraced))
	report "$1" $hundredths
}

# Users whose callbacks are empty: what the core takes of a call
core_cost() {
	users=/sys/module/fgraph_benchmark/parameters/users
	[ -e $users ] || return 0
	echo "$FUNCTION" >${users%users}function
	echo 1 >$users || exit
	cost 1-empty-user
	one=$hundredths
	echo 16 >$users || exit
	cost 16-empty-users
	report further-empty-user $(((hundredths - one) / 15))
	echo 0 >$users
}

# An event at the return of a function, that is not recorded
kretprobe_cost() {
	echo 0 >tracing_on
	echo "r:bench $FUNCTION" >kprobe_events || exit
	echo 1 >events/kprobes/bench/enable
	cost kretprobe
	echo 0 >events/kprobes/bench/enable
	echo >kprobe_events
	echo 1 >tracing_on
}

# A call that the function profiler counts
profiler_cost() {
	echo "$FUNCTION" >set_ftrace_filter
	echo 1 >function_profile_enabled || exit
	cost profiler
	echo 0 >function_profile_enabled
}

trace_instance() { # NAME
	mkdir "instances/$1"
	echo "$FUNCTION" >"instances/$1/set_ftrace_filter"
	echo function_graph >"instances/$1/current_tracer" 2>/dev/null
}

# One call of a function in each round of a loop, without and with its arguments
args_cost() { # NAME FUNCTION LOOP
	LOOP=$3
	untraced=$(callbench $LOOP)
	echo "$2" >set_ftrace_filter || exit
	echo function_graph >current_tracer
	cost "$1"
	if [ -e options/funcgraph-args ]; then
		echo 1 >options/funcgraph-args
		cost "$1-on"
		if [ -e options/funcgraph-names ]; then
			echo 1 >options/funcgraph-names
			cost "$1-names"
			echo 0 >options/funcgraph-names
		fi
		echo 0 >options/funcgraph-args
	fi
	echo nop >current_tracer
}

# A call that set_graph_keep does not keep, because it does not fail and is not slow
keep_cost() {
	[ -e set_graph_keep ] || return 0
	echo "$FUNCTION" >set_ftrace_filter
	echo error >set_graph_keep
	echo function_graph >current_tracer
	cost not-kept
	echo slow:1000s >>set_graph_keep
	cost not-kept-slow
	echo error >set_graph_keep
	echo nop >current_tracer
	args_cost not-kept-two-arguments process_cpu_clock_getres clock_getres
	echo >set_graph_keep
	[ ! -e options/funcgraph-names ] || rule_cost
}

# A call of which the rules name another function, the result, two arguments or a text
rule_cost() {
	LOOP=access
	untraced=$(callbench $LOOP)
	echo do_faccessat >set_ftrace_filter
	echo error:EIO >set_graph_keep
	echo function_graph >current_tracer
	cost not-kept-access
	echo 'do_filp_open: ret == NULL' >set_graph_keep
	cost not-kept-other-rule
	echo 'do_faccessat: ret == -EIO' >set_graph_keep
	cost not-kept-result
	echo 'do_faccessat: dfd == 5 && mode == 7' >set_graph_keep
	cost not-kept-two-numbers
	echo 'do_faccessat: filename == "/etc/motd"' >set_graph_keep
	cost not-kept-text
	echo nop >current_tracer
	echo >set_graph_keep
}

# The cost of all functions in an open() and a close(): with function_graph and arguments,
# and with fgraph why, which also reads names
why_cost() {
	[ -e set_graph_keep ] && [ -e options/funcgraph-args ] || return 0
	LOOP=open
	untraced=$(callbench $LOOP)
	echo >set_ftrace_filter
	echo 1 >options/funcgraph-args
	echo function_graph >current_tracer
	cost open-and-close
	echo nop >current_tracer
	echo 0 >options/funcgraph-args
	traced=$hundredths
	hundredths=$(($(fgraph why -o /dev/null callbench $LOOP) - untraced))
	report open-and-close-why $hundredths
	report why-ratio $((100 * hundredths / traced))
	time_of why-is-ready fgraph why -o /dev/null true
}

# Functions that neither the loop nor a tick in it calls, by their numbers
find_uncalled() {
	echo function >current_tracer
	callbench $LOOP >/dev/null
	echo 0 >tracing_on
	sed -n 's/.*: \([^ ]*\) <-.*/\1/p' trace | sort -u >/tmp/called
	echo nop >current_tracer
	echo 1 >tracing_on
	grep -n . available_filter_functions | grep -vwFf /tmp/called |
		cut -d : -f 1 >/tmp/uncalled
}

now_in_ns() {
	sed -n '/^now at/{s/[^0-9]//g;p;q}' /proc/timer_list
}

# How many ms of the guest's clock the rest of the arguments takes
time_of() { # NAME COMMAND...
	name=$1
	shift
	start=$(now_in_ns)
	"$@"
	report "$name-ms" $((($(now_in_ns) - start) / 10000))
}

# Want many functions, and the one that is called.
set_filter() { # COUNT
	head -n $(($1 - 1)) /tmp/uncalled >set_ftrace_filter || exit
	echo "$FUNCTION" >>set_ftrace_filter
}

# The least of three times: now and then, the hash of an earlier filter is freed
# meanwhile, and functions that this calls are traced.
filter_time() { # COUNT
	least=
	for round in 1 2 3; do
		echo "$FUNCTION" >set_ftrace_filter
		start=$(now_in_ns)
		set_filter "$1"
		took=$(($(now_in_ns) - start))
		[ "${least:-$took}" -lt $took ] || least=$took
	done
	report "set-filter-of-$1-ms" $((least / 10000))
}

# A call of a function that is one in a filter of many
filter_cost() { # COUNT
	set_filter "$1"
	cost "filter-of-$1"
}

set_tracer() { # TRACER DIR...
	tracer=$1
	shift
	for dir; do
		echo "$tracer" >"$dir/current_tracer" || exit
	done
}

start_sleepers() { # COUNT
	sleepers=
	while [ "$(echo $sleepers | wc -w)" -lt "$1" ]; do
		sleep 100000 &
		sleepers="$sleepers $!"
	done
}

# The first user and the last one, who gives stacks to tasks, or takes them
change_cost() {
	start_sleepers 300
	echo >set_ftrace_filter
	time_of start-tracer set_tracer function_graph .
	time_of stop-tracer set_tracer nop .
	if [ $users -eq 16 ]; then
		set_tracer function_graph instances/u*
		time_of stop-15-users set_tracer nop instances/u*
	fi
	kill $sleepers
}

# How many shadow stacks there are for one kretprobe and 500 tasks that sleep
kretprobe_stacks() {
	[ -e function_tracers ] || return 0
	start_sleepers 500
	echo "r:bench $FUNCTION" >kprobe_events || exit
	echo 1 >events/kprobes/bench/enable
	callbench $LOOP >/dev/null
	sleep 1
	callbench $LOOP >/dev/null
	stacks=$(sed -n 's/^# \([0-9]*\) shadow stacks .*/\1/p' function_tracers)
	report stacks-of-500-tasks $((100 * stacks))
	echo 0 >events/kprobes/bench/enable
	echo >kprobe_events
	kill $sleepers
}

# What a line of a trace costs to print, by the options that are on
read_cost() { # NAME
	# Lookups for earlier users end a moment after these.
	sleep 1
	readbench trace >/tmp/read
	read -r lines ns </tmp/read
	report "$1" $((ns * 100 / lines))
}

# From 2^32 ns on, 32-bit kernels take more instructions to read the clock
sleep 5
untraced=$(callbench $LOOP)
report untraced "$untraced"

echo >set_ftrace_filter
echo 4096 >buffer_size_kb
find_uncalled
echo "$FUNCTION" >set_ftrace_filter
echo function_graph >current_tracer
cost one-user

if [ -e options/funcgraph-retval ]; then
	echo 1 >options/funcgraph-retval
	cost one-user-retval
	echo 0 >options/funcgraph-retval
fi

for count in 10 1000 10000; do
	filter_time $count
done
echo "$FUNCTION" >set_ftrace_filter

# The same function for more users, where there can be more
users=1
for many in 2 4 8 16; do
	while [ $users -lt $many ] && trace_instance "u$users"; do
		users=$((users + 1))
	done
	[ $users -eq $many ] || break
	cost "$many-users"
done

# One user wants the function, and the others one that is not called: the first one,
# or the last one
if [ $users -eq 16 ]; then
	for dir in instances/u*; do
		echo "$OTHER" >"$dir/set_ftrace_filter" || exit
	done
	cost one-of-16
	echo "$OTHER" >set_ftrace_filter
	echo "$FUNCTION" >instances/u15/set_ftrace_filter || exit
	cost last-of-16
	echo "$OTHER" >instances/u15/set_ftrace_filter
fi

# With others that trace, each call is looked up.
filter_cost 10
filter_cost 1000
filter_cost 10000
echo "$FUNCTION" >set_ftrace_filter

# A user alone again must cost what it did
for dir in instances/u*; do
	[ ! -d "$dir" ] || echo nop >"$dir/current_tracer"
done
cost one-user-again

echo nop >current_tracer
change_cost
for dir in instances/u*; do
	[ ! -d "$dir" ] || rmdir "$dir"
done
kretprobe_stacks
core_cost
kretprobe_cost
profiler_cost

# All functions, for what a call costs when many are traced
echo >set_ftrace_filter
echo function_graph >current_tracer
cost all-functions
echo nop >current_tracer

keep_cost
args_cost two-arguments process_cpu_clock_getres clock_getres
args_cost six-arguments vm_mmap_pgoff mmap
# The name of a file of 13 characters is an argument, and a result, too.
args_cost file-name do_faccessat access
args_cost two-file-names getname_flags access
why_cost

# The same 100,000 lines and some, read without types and with, by a reader that
# is not traced itself.
echo >set_ftrace_filter
echo 16384 >buffer_size_kb
[ ! -e options/funcgraph-args ] || echo 1 >options/funcgraph-args
echo function_graph >current_tracer
find / -xdev >/dev/null
find /sys -maxdepth 4 >/dev/null
echo 0 >tracing_on
echo "$FUNCTION" >set_ftrace_filter
[ ! -e options/funcgraph-args ] || echo 0 >options/funcgraph-args
read_cost read-line
if [ -e options/funcgraph-retval ]; then
	echo 1 >options/funcgraph-retval
	read_cost read-line-retval
fi
if [ -e options/funcgraph-args ]; then
	echo 1 >options/funcgraph-args
	read_cost read-line-typed
fi
echo "read $lines lines"
