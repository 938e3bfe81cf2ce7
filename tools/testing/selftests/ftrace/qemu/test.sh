#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# test.sh ARCH...: runs the host tests and then all tests of each architecture.
# Prints a line for each test, "ok" or "not ok", and at the end how many passed,
# failed and were skipped.  HOST_TESTS names more scripts to run on the host.
# Called by the Makefile.

HERE=$(cd "$(dirname "$0")" && pwd)
results=$(mktemp)
trap 'rm -f "$results"' EXIT
trap 'exit 1' HUP INT TERM

# A run that breaks off, a kernel that complains: these are failed tests, too.
run() { # NAME COMMAND...
	name=$1
	shift
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name"
	fi
}

for script in $HOST_TESTS; do
	run "host ${script##*/} ran to its end" "$script"
done | tee -a "$results"
for arch; do
	run "$arch ran to its end without a complaint of the kernel" \
		make --no-print-directory -C "$HERE" test-arch ARCH="$arch"
done | tee -a "$results"

count() { grep -c "$1" "$results"; }

skipped=$(count '^ok .* # SKIP')
passed=$(($(count '^ok ') - skipped))
failed=$(count '^not ok ')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
