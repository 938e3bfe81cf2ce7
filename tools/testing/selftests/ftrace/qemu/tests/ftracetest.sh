#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the ftrace selftests, which are in /files, or those of them
# that are given (as arguments or in TESTS).  Prints one line for each:
# "ok ARCH ftrace NAME", with "# SKIP" if it could not be run here, or "not ok".
# Of a failed test the end of its log follows.
#
# A test that the emulator makes fail now and then, $UNSTABLE, may try five times;
# see arch/riscv.mk.

cd /files || exit 1

LOGS=/tmp/ftracetest
[ $# -ne 0 ] || set -- $TESTS

# Reads "[7] NAME <tab> [PASS]"; of tests on an instance NAME starts with
# "(instance)".  Some names are there twice: the second gets a number.
report() {
	awk -v "arch=$ARCH" '/^\[[0-9]+\].*\[[A-Z]+\]$/ {
		result = $NF
		gsub(/[][]/, "", result)
		sub(/^\[[0-9]+\][ \t]*/, "")
		sub(/[ \t]*\[[A-Z]+\]$/, "")
		gsub(/[ \t]+/, " ")
		name = $0 (seen[$0]++ ? " " seen[$0] : "")
		skip = result ~ /^UN(RESOLVED|TESTED|SUPPORTED)$/
		ok = skip || result ~ /^(PASS|XFAIL)$/
		print (ok ? "ok" : "not ok"), arch, "ftrace", \
			name (skip ? " # SKIP " result : "")
		fflush()
		results++
		failed += !ok
	}
	END { exit failed || !results }'
}

find_tests() { # FILE|DIRECTORY...
	find "$@" -name '*.tc' | LC_ALL=C sort
}

run_stable() { # FILE|DIRECTORY...
	tests=$(find_tests "$@" | grep -vxF "${UNSTABLE:-none}") || return 0
	# shellcheck disable=SC2086 # a list of files
	sh ./ftracetest --logdir $LOGS $tests
}

run_unstable() { # FILE|DIRECTORY...
	find_tests "$@" | grep -qxF "${UNSTABLE:-none}" || return 0
	for _ in 1 2 3 4 5; do
		results=$(sh ./ftracetest --logdir $LOGS-unstable "$UNSTABLE") && break
		echo "# $UNSTABLE failed: it may try again" >&2
	done
	echo "$results"
}

{ run_stable "$@"; run_unstable "$@"; } | report && exit
for log in $LOGS*/*-log.*; do
	echo "# ${log##*/}"
	tail -n 60 "$log" | sed 's/^/#   /'
done
exit 1
