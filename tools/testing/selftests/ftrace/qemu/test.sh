#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# test.sh ARCH...: runs the host tests and all tests of each architecture.
# Prints a line for each test, "ok" or "not ok", and at the end how many passed,
# failed and were skipped.  That other tests ran than the plan has is a failure, too:
# see plan.sh.  HOST_TESTS names more scripts to run on the host.  The results stay in
# $BUILD/test.  Called by the Makefile.

cd "$(dirname "$0")" || exit
dir=$BUILD/test
mkdir -p "$dir" && rm -f "$dir"/* || exit
trap 'exit 1' HUP INT TERM

run_tests() { # ARCH...
	make --no-print-directory -j2 test-arches ARCH="$*" ||
		echo "not ok host make came to its end"
}

# The output, and what of it the plan is held against
run_tests "$@" | tee "$dir/log"
grep -E '^(not )?ok ' "$dir/log" >"$dir/results"
./plan.sh check plan "$dir/results" host "$@" | tee "$dir/plan"

cat "$dir/results" "$dir/plan" | ./count.sh
