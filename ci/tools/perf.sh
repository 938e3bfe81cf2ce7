# SPDX-License-Identifier: GPL-2.0
#
# perf traces with function_graph, and its probes have the values of function_graph.

. /files/lib.sh

# One CPU keeps the entry and the return of a call in one column.
READER='/usr/bin/taskset -c 1 /usr/bin/perl /files/reader.pl /tmp/reads'

# The reads of the workload are among those of the whole program.
reads_at_least() { # COUNT
	count=$(wc -l </tmp/reads)
	echo "$1 calls, and $count of the workload"
	[ "$count" -gt 0 ] && [ "$1" -ge "$count" ]
}

perf_ftrace() { # ARG...
	rm -f /tmp/reads
	perf ftrace "$@" -- $READER >/tmp/perf 2>&1
	status=$?
	tail -n 20 /tmp/perf
	return $status
}

prints_calls() {
	perf_ftrace trace --inherit -G vfs_read &&
		reads_at_least "$(grep -c '|  vfs_read(' /tmp/perf)"
}

prints_values() {
	set_options args retval
	perf_ftrace trace --inherit -G vfs_read --graph-opts depth=1
	# The task of the list reads last. A call that is not over when perf reads its entry has
	# two lines.
	awk '
	/\|  vfs_read\(/ { match($0, /count=[0-9]+/); count[$1] = substr($0, RSTART + 6, RLENGTH - 6) }
	match($0, / ret=-?[0-9]+/) { print count[$1], substr($0, RSTART + 5, RLENGTH - 5) }
	' /tmp/perf | tail -n "$(wc -l </tmp/reads)" >/tmp/values
	same /tmp/reads /tmp/values
}

# A rule hides calls from perf, too, until someone removes it.
left_rule_is_in_force() {
	reset
	echo error:EXDEV >set_graph_keep
	perf_ftrace trace --inherit -G vfs_read && [ -s /tmp/reads ] && ! grep vfs_read /tmp/perf
}

measures_latency() {
	reset
	perf_ftrace latency -a -T vfs_read &&
		reads_at_least "$(awk -F '|' '{ n += $2 } END { print n }' /tmp/perf)"
}

# perf's own reads are not those of the task "reader".
probe_has_values() {
	reset
	set_options args retval proc
	echo vfs_read >set_ftrace_filter
	echo function_graph >current_tracer
	# shellcheck disable=SC2016 # perf expands it
	perf probe -f --add 'read_result=vfs_read%return ret=$retval:s64' &&
		perf record -q -o /tmp/perf.data -e probe:read_result__return -- $READER
	echo 0 >tracing_on
	perf script -i /tmp/perf.data >/tmp/perf
	perf probe -q --del '*'
	tail -n 5 /tmp/perf
	traced_reads | cut -d ' ' -f 2 >/tmp/fgraph.ret
	sed -n 's/^ *reader .*probe:read_result__return: .* ret=\(-\?[0-9]*\)$/\1/p' /tmp/perf >/tmp/perf.ret
	same /tmp/fgraph.ret /tmp/perf.ret
}

# An event at the return, with a parameter by its name
return_event_has_values() {
	reset
	# shellcheck disable=SC2016 # the kernel expands it
	echo 'r:reads vfs_read count ret=$retval' >kprobe_events
	perf record -q -o /tmp/perf.data -e kprobes:reads -- $READER
	perf script -i /tmp/perf.data >/tmp/perf
	echo >kprobe_events
	tail -n 5 /tmp/perf
	sed -n 's/^ *reader .*kprobes:reads: .* count=\([0-9]*\) ret=\(-\?[0-9]*\)$/\1 \2/p' /tmp/perf >/tmp/values
	same /tmp/reads /tmp/values
}

kept_calls_have_events() {
	reset
	echo vfs_read >set_ftrace_filter
	echo error >set_graph_keep
	echo function_graph >current_tracer
	perf record -q -o /tmp/perf.data -e fgraph:kept -- $READER
	perf script -i /tmp/perf.data >/tmp/perf
	tail -n 5 /tmp/perf
	sed -n 's/^ *reader .*fgraph:kept: func=vfs_read retval=\(-[0-9]*\) error=\(-[0-9]*\) .*/\1 \2/p' /tmp/perf >/tmp/values
	sed -n 's/.* \(-.*\)/\1 \1/p' /tmp/reads >/tmp/failing
	same /tmp/failing /tmp/values
}

perf_trace() {
	perf trace -o /tmp/perf -e read $READER
	tail -n 5 /tmp/perf
	reads_at_least "$(grep -c ' read(' /tmp/perf)"
}

check 'perf ftrace trace prints calls' prints_calls
check 'perf ftrace trace prints arguments and results' prints_values
check 'perf ftrace leaves a rule in force' left_rule_is_in_force
check 'perf ftrace latency counts calls' measures_latency
check 'perf record of a probe has the results of function_graph' probe_has_values
check 'perf record of a return event has the arguments and results of the program' \
	return_event_has_values
check 'perf record has an event for each kept call' kept_calls_have_events
check 'perf trace prints system calls' perf_trace
reset
