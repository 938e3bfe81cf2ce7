# SPDX-License-Identifier: GPL-2.0
#
# A livepatch and a trace of all functions do not disturb each other.

. /files/lib.sh

PATCH=/sys/kernel/livepatch/livepatch_sample

is_finished() { [ "$(cat $PATCH/transition)" = 0 ]; }
is_gone() { ! [ -d $PATCH ]; }
is_patched() { grep -x 'this has been live patched' /proc/cmdline; }
is_restored() { ! is_patched && grep 'console=' /proc/cmdline; }

load() { modprobe livepatch_sample && wait_until is_finished; }

unload() {
	echo 0 >$PATCH/enabled
	wait_until is_gone && rmmod livepatch_sample
}

# All functions are traced. Calls that fail are recorded, and those of the patched one.
trace_all() {
	set_options args retval
	echo error >set_graph_keep
	echo 'cmdline_proc_show: ret == 0' >>set_graph_keep
	echo function_graph >current_tracer
}

# Each of two reads is a call, which was recorded with its argument and result.
has_calls() {
	echo >trace
	cat /proc/cmdline /proc/cmdline
	[ "$(grep -c ' cmdline_proc_show(m=0x[0-9a-f]*, .*); /\* ret=0 \*/$' trace)" = 2 ] ||
		{ grep cmdline trace; return 1; }
}

# A task sleeps in a traced function: its return address is that of the tracer.
sleep_traced() { # RULE
	reset
	echo "$1" >set_graph_keep
	echo 1 >options/function-fork
	echo '*nanosleep*' >set_ftrace_filter
	echo function_graph >current_tracer
	sleep 1000 &
	sleeper=$!
	wait_until grep -q nanosleep /proc/$sleeper/stack
	grep '[1-9][0-9]* shadow stacks' function_tracers
}

patches_a_sleeper() {
	sleep_traced "$1" && load && is_patched && unload && is_restored && kill $sleeper
}

trace_all
check 'a livepatch under a trace: the transition finishes' load
check 'a livepatch under a trace: it is in force' is_patched
check 'a livepatch under a trace: calls are recorded' has_calls
check 'a livepatch under a trace: it can be removed' unload
check 'a livepatch under a trace: the function is as before' is_restored
check 'a livepatch under a trace: later calls are recorded' has_calls
reset
load >$LOG 2>&1
trace_all
check 'a trace of a livepatch: it is in force' is_patched
check 'a trace of a livepatch: calls are recorded' has_calls
echo nop >current_tracer
check 'a trace of a livepatch: it is in force after the trace' is_patched
trace_all
check 'a trace of a livepatch: it can be removed' unload
check 'a trace of a livepatch: the function is as before' is_restored
check 'a livepatch with a traced sleeper' patches_a_sleeper ''
check 'a livepatch with a traced sleeper, and a rule' patches_a_sleeper error
reset
