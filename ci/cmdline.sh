# SPDX-License-Identifier: GPL-2.0
#
# Guest script: what the kernel command line asks of function_graph is there from boot on.
# The makefile has the command line. Prints "ok" or "not ok" for each parameter.

echo 0 >tracing_on

# "function", " depth 1" and so on, without times. The "}" of a call is not among them.
sed -n 's/^ *[0-9]*) [^|]*|  \( *\)\([A-Za-z0-9_.]*\)().*$/\1\2/p' trace >/tmp/calls
head -n 60 /tmp/calls | sed 's/^/# /'

try() { # NAME COMMAND...
	name=$1
	shift
	"$@" || printf 'not '
	echo "ok $name"
}

contains() { # FILE TEXT
	[ "$(cat "$1")" = "$2" ]
}

# The start of init by the kernel is in the trace.
starts() {
	contains current_tracer function_graph && grep -qx kernel_execve /tmp/calls
}

# No other call is at the left.
selects() {
	contains set_graph_function kernel_execve &&
		! grep -v '^ ' /tmp/calls | grep -qvx kernel_execve
}

# The other functions that kernel_execve() calls are in the trace.
leaves_out() {
	contains set_graph_notrace bprm_execve &&
		grep -q '^ *alloc_bprm$' /tmp/calls && ! grep -q '^ *bprm_execve$' /tmp/calls
}

# One step of indentation is a depth.
limits() {
	contains max_graph_depth 2 &&
		grep -q '^  [^ ]' /tmp/calls && ! grep -q '^   ' /tmp/calls
}

try 'ftrace= starts function_graph' starts
try 'ftrace_graph_filter= selects' selects
try 'ftrace_graph_notrace= leaves out' leaves_out
try 'ftrace_graph_max_depth= limits' limits
