#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: KUnit, and the ftrace selftests in SELFTESTS.  It reports each result
# by a line "ok ..." or "not ok ..."; its status tells only that it came to the end.

: "${SUITES=fgraph_kunit fgraph_values_kunit test_kprobes}"
: "${SELFTESTS=test.d/fgraph}"

# Results of flavors are told apart, and those of one that PLACE has a name for.
export ARCH="$ARCH${PLACE:+-$PLACE}${FLAVOR:+-$FLAVOR}"

. /tests/kunit.sh

for module in ${PRELOAD:-}; do
	modprobe "$module" || echo "not ok $ARCH $module does not load"
done
sh /tests/smoke.sh || echo "not ok $ARCH smoke"
# Those that ran at boot
kunit_results
allow_many_tasks
for suite in $SUITES; do
	kunit "$suite"
done
# One case runs alone, and one that is not there is an error.
name="$ARCH kunit one case alone"
if [ "$(SUITE=fgraph_values_text CASE=fgv_symbol_test sh /tests/kunit-case.sh |
	sed -n 's/.*kunit //p' | tr '\n' ' ')" = 'fgv_symbol_test suite fgraph_values_text ' ] &&
   ! SUITE=fgraph_values_text CASE=nothing sh /tests/kunit-case.sh >/dev/null; then
	echo "ok $name"
else
	echo "not ok $name"
fi
sh /tests/badname.sh
[ "$FLAVOR" ] || sh /tests/fgraph.sh
# shellcheck disable=SC2086 # a list of directories
[ -z "$SELFTESTS" ] || sh /tests/ftracetest.sh $SELFTESTS
exit 0
