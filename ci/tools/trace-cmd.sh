# SPDX-License-Identifier: GPL-2.0
#
# trace-cmd records and reports what function_graph records.

. /files/lib.sh

READER='/usr/bin/perl /files/reader.pl /tmp/reads'

record() { # ARG...
	rm -f /tmp/reads /tmp/trace.dat
	trace-cmd record -q -o /tmp/trace.dat -p function_graph "$@" $READER >/tmp/record 2>&1
	status=$?
	cat /tmp/record
	trace-cmd report -i /tmp/trace.dat >/tmp/report 2>/tmp/report.errors
	cat /tmp/report.errors
	grep vfs_read /tmp/report | tail -n 30
	return $status
}

is_count() { # WANT GOT
	echo "$2 calls, and $1 of the workload"
	[ "$1" -gt 0 ] && [ "$1" = "$2" ]
}

# The report has these reads of the task of reader.pl. A call is an entry, which has a body or is
# a leaf, or one event with its return, by a rule.
has_reads() { # LIST
	[ ! -s /tmp/report.errors ] && is_count "$(wc -l <"$1")" \
		"$(grep -c '^ *reader-.* funcgraph_\(entry\|call\): .*|  vfs_read()' /tmp/report)"
}

# Each call returns, has a duration, and what it calls is inside.
is_nested() {
	awk '
	!/^ *reader-/ { next }
	/funcgraph_entry:/ && /\{$/ { depth++; calls++; next }
	/funcgraph_exit:/ { depth-- }
	/funcgraph_(entry|call):/ { calls++ }
	!/[0-9.]+ us/ || depth < 0 { print "not nested, or no duration: " $0; bad++; depth = 0 }
	END {
		print calls + 0 " calls, " depth + 0 " open"
		exit !(calls && !depth && !bad)
	}' /tmp/report
}

records_all() {
	reset
	record -g vfs_read -F -c
	has_reads /tmp/reads && is_nested
}

records_values() {
	reset
	record -g vfs_read -F -c -O funcgraph-args -O funcgraph-retval -O funcgraph-names
	has_reads /tmp/reads && is_nested
}

records_kept() {
	reset
	echo error >set_graph_keep
	record -g vfs_read -F -c -O funcgraph-retval
	grep ' -' /tmp/reads >/tmp/failing
	has_reads /tmp/failing && is_nested
}

# A rule hides calls from trace-cmd, too, until someone removes it.
left_rule_is_in_force() {
	reset
	echo error:EXDEV >set_graph_keep
	record -g vfs_read -F -c
	[ -s /tmp/reads ] && [ "$(cat set_graph_keep)" = error:EXDEV ] && ! grep vfs_read /tmp/report
}

leaves_rules() {
	reset
	echo error >set_graph_keep
	set_options args
	echo function_graph >current_tracer
	trace-cmd reset
	head set_graph_keep options/funcgraph-args current_tracer
	[ "$(cat set_graph_keep options/funcgraph-args current_tracer | tr '\n' ' ')" = 'error 1 nop ' ]
}

check 'trace-cmd records each call' records_all
check 'trace-cmd records each call with values' records_values
check 'trace-cmd records what a rule keeps' records_kept
check 'trace-cmd record leaves a rule in force' left_rule_is_in_force
check 'trace-cmd reset leaves rules and options' leaves_rules
reset
