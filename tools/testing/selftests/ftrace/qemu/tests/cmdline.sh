#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: what the kernel command line asks of function_graph is there from boot
# on.  The makefile has the command line.  Prints "ok ARCH cmdline NAME" or "not ok".

echo 0 >tracing_on
failed=0

# "function", " depth 1" and so on, without times; "}" of a call is none.
sed -n 's/^ *[0-9]*) [^|]*|  \( *\)\([A-Za-z0-9_.]*\)().*$/\1\2/p' trace >/tmp/calls

report() { # STATUS NAME
	[ "$1" -eq 0 ] && { echo "ok $ARCH cmdline $2"; return; }
	echo "not ok $ARCH cmdline $2"
	failed=1
}

# The tracer is the one that is asked for, and the kernel's own start of init is in it.
[ "$(cat current_tracer)" = function_graph ] && grep -qx kernel_execve /tmp/calls
report $? "ftrace= starts function_graph"

# No call but that of the function stands at the left.
[ "$(cat set_graph_function)" = kernel_execve ] &&
	grep -q . /tmp/calls && ! grep -v '^ ' /tmp/calls | grep -qvx kernel_execve
report $? "ftrace_graph_filter= selects"

# The others that kernel_execve() calls are there.
[ "$(cat set_graph_notrace)" = bprm_execve ] &&
	grep -q '^ *alloc_bprm$' /tmp/calls && ! grep -q '^ *bprm_execve$' /tmp/calls
report $? "ftrace_graph_notrace= leaves out"

# One step of indentation is a depth.
[ "$(cat max_graph_depth)" = 2 ] &&
	grep -q '^  [^ ]' /tmp/calls && ! grep -q '^   ' /tmp/calls
report $? "ftrace_graph_max_depth= limits"

[ $failed -eq 0 ] || head -n 60 trace
exit $failed
