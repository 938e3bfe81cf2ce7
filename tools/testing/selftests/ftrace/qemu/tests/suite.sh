#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: the tests of the series, and the ftrace selftests that lie next
# to what it changes.  It reports each result by a line "ok ..." or "not ok ...";
# its status tells only that it came to the end.

: "${SUITES:=fgraph_kunit fgraph_values_kunit test_kprobes}"
: "${SELFTESTS:=test.d/fgraph test.d/ftrace test.d/tracer test.d/instances}"

# Results of flavors are told apart.
export ARCH="$ARCH${FLAVOR:+-$FLAVOR}"

# KUnit reports to the kernel log: test cases are indented by four.
kunit_results() {
	dmesg | sed 's/^\[ *[0-9.]*\] //' >/tmp/log
	sed -n "s/^    \(ok\|not ok\) [0-9]* [- ]*/\1 $ARCH kunit /p" /tmp/log
	! grep -q '^ *not ok' /tmp/log || sed 's/^/# /' /tmp/log
}

kunit() { # MODULE
	[ "$1" != "${BROKEN:-}" ] || {
		echo "ok $ARCH kunit $1 # SKIP it hangs on the unpatched base, too"
		return
	}
	dmesg -c >/dev/null
	modprobe "$1" || { echo "not ok $ARCH kunit $1 does not load"; return; }
	kunit_results
	rmmod "$1" || echo "not ok $ARCH kunit $1 does not unload"
}

for module in ${PRELOAD:-}; do
	modprobe "$module" || echo "not ok $ARCH $module does not load"
done
sh /tests/smoke.sh || echo "not ok $ARCH smoke"
# Those that ran at boot
kunit_results
# One of fgraph_kunit starts 10,000 tasks
echo 32000 >/proc/sys/kernel/threads-max
for suite in $SUITES; do
	kunit "$suite"
done
# shellcheck disable=SC2086 # a list of directories
sh /tests/ftracetest.sh $SELFTESTS
exit 0
