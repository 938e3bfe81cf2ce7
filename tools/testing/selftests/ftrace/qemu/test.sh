#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# test.sh ARCH...: runs the host tests, and then all tests of each architecture.
# Prints a line for each test, "ok" or "not ok", and at the end how many passed,
# failed and were skipped.  HOST_TESTS names more scripts to run on the host.
# Called by the Makefile.

cd "$(dirname "$0")" || exit
results=$(mktemp)
trap 'rm -f "$results"' EXIT
trap 'exit 1' HUP INT TERM

{
	for script in $HOST_TESTS; do
		./run.sh "host ${script##*/} ran to its end" "$script"
	done
	make --no-print-directory -j2 test-arches ARCH="$*"
} | tee -a "$results"

count() { grep -c "$1" "$results"; }

skipped=$(count '^ok .* # SKIP')
passed=$(($(count '^ok ') - skipped))
failed=$(count '^not ok ')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
