# SPDX-License-Identifier: GPL-2.0
#
# Guest script: what the kernel command line asks of function_graph is there from boot on.
# The makefile has the command line. Prints "ok" or "not ok" for each parameter.

# The functions that were called, indented by their depth, without times. The "}" of a call
# is not among them.
echo 0 >tracing_on
sed -n 's/^ *[0-9]*) [^|]*|  \( *\)\([A-Za-z0-9_.]*\)().*$/\1\2/p' trace >/tmp/calls
head -n 60 /tmp/calls | sed 's/^/# /'

check() { # NAME FILE TEXT CONDITION
	[ "$(cat "$2")" = "$3" ] && eval "$4" || printf 'not '
	echo "ok $1"
}

called() { # INDENTED FUNCTION
	grep -qx "$1" /tmp/calls
}

check 'ftrace= starts function_graph' current_tracer function_graph 'called kernel_execve'
# No other call is at the left.
check 'ftrace_graph_filter= selects' set_graph_function kernel_execve \
	'! grep -v "^ " /tmp/calls | grep -qvx kernel_execve'
# The other functions that kernel_execve() calls are in the trace.
check 'ftrace_graph_notrace= leaves out' set_graph_notrace bprm_execve \
	'called " *alloc_bprm" && ! called " *bprm_execve"'
check 'ftrace_graph_max_depth= limits' max_graph_depth 2 \
	'called "  [^ ]*" && ! called "   .*"'

grep -q '^# [0-9]* shadow stacks of 32768 bytes$' function_tracers || printf 'not '
echo 'ok fgraph_stack= makes shadow stacks larger'
