# SPDX-License-Identifier: GPL-2.0
#
# To be sourced: runs KUnit's suites and reports each result by a line "ok ..." or
# "not ok ...".

LOG=${TMPDIR:-/tmp}/kunit.log

# One of fgraph_kunit starts 10,000 tasks: the kernel allows fewer in a small guest.
allow_many_tasks() {
	echo 32000 >/proc/sys/kernel/threads-max
}

# Modules that are loaded from now on run these cases only.
choose_cases() { # SUITE.CASE
	modprobe kunit 2>/dev/null || :
	echo "$1" >/sys/module/kunit/parameters/filter_glob
}

# KUnit reports to the kernel log: test cases are indented by four, suites are not.
# One whose init fails has no results but its own.
kunit_results() {
	dmesg | sed 's/^\[ *[0-9.]*\] //' >"$LOG"
	sed -n -e "s/^    \(ok\|not ok\) [0-9]* [- ]*/\1 $ARCH kunit /p" \
		-e "s/^\(ok\|not ok\) [0-9]* [- ]*/\1 $ARCH kunit suite /p" "$LOG"
	! grep -q '^ *not ok' "$LOG" || sed 's/^/# /' "$LOG"
}

kunit() { # MODULE
	[ "$1" != "${BROKEN:-}" ] || {
		echo "ok $ARCH kunit $1 # SKIP it hangs on the unpatched base, too"
		return
	}
	dmesg -c >/dev/null
	modprobe "$1" || { echo "not ok $ARCH kunit $1 does not load"; return; }
	kunit_results
	grep -q '^\(ok\|not ok\) ' "$LOG" || echo "not ok $ARCH kunit $1 has results"
	rmmod "$1" || echo "not ok $ARCH kunit $1 does not unload"
}
