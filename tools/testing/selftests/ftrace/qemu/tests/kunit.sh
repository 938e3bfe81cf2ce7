#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs all KUnit modules, or those given. It runs the cases that match SUITE
# and CASE. Prints their results as the kernel does, in the form of KTAP.

: "${SUITE=*}" "${CASE=*}"

FILTER=${FILTER:-/sys/module/kunit/parameters/filter_glob}
LOG=${TMPDIR:-/tmp}/kunit.log

# Let modules that are loaded from now on run only these cases.
choose_cases() { # SUITE.CASE
	modprobe kunit 2>/dev/null || :
	echo "$1" >"$FILTER"
}

run_module() { # MODULE
	dmesg -c >/dev/null
	modprobe "$1" || { echo "not ok $1 is loaded"; return; }
	# results.sh reads the times.
	dmesg | tee "$LOG"
	[ "$SUITE.$CASE" != '*.*' ] || grep -qE '^\[ *[0-9.]*\] (not )?ok ' "$LOG" ||
		echo "not ok $1 has results"
	rmmod "$1" || echo "not ok $1 is unloaded"
}

# A test starts 10,000 tasks. In a small guest, the kernel allows fewer.
echo 32000 >/proc/sys/kernel/threads-max
choose_cases "$SUITE.$CASE"
for module in ${*:-fgraph_kunit fgraph_values_kunit}; do
	run_module "$module"
done
choose_cases '*.*'
