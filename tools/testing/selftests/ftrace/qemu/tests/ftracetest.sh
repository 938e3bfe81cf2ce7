#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the ftrace selftests, which are in /files, or those of them
# that are given (as arguments or in TESTS).  Prints one line for each:
# "ok ARCH ftrace NAME", with "# SKIP" if the kernel has not what it tests, or
# "not ok".  Of a failed test the end of its log follows.  A run that breaks off is a
# failed test, too.  Of a test that was skipped comes the reason.
#
# A test that the emulator makes fail now and then, $UNSTABLE, may try five times;
# see arch/riscv.mk.

cd "${FTRACETEST:-/files}" || exit 1

LOGS=${TMPDIR:-/tmp}/ftracetest
[ $# -ne 0 ] || set -- ${TESTS:-test.d}

# Reads "[7] NAME <tab> [PASS]"; of tests on an instance NAME starts with
# "(instance)".  Some names are there twice: the second gets a number.  At the end
# of a run there is "# of passed: 7" for each sort of result, and "run ended".
report() {
	awk -v "arch=$ARCH" '
	/^# of .*: *[0-9]+$/ { counted += $NF; next }
	$0 == "run ended" {
		if (!results || results != counted) {
			print "not ok", arch, "ftrace run came to its end"
			failed++
		}
		results = counted = 0
		ended++
	}
	/^\[[0-9]+\].*\[[A-Z]+\]$/ {
		result = $NF
		gsub(/[][]/, "", result)
		sub(/^\[[0-9]+\][ \t]*/, "")
		sub(/[ \t]*\[[A-Z]+\]$/, "")
		gsub(/[ \t]+/, " ")
		name = $0 (seen[$0]++ ? " " seen[$0] : "")
		skip = result ~ /^UN(TESTED|SUPPORTED)$/
		ok = skip || result ~ /^(PASS|XFAIL)$/
		print (ok ? "ok" : "not ok"), arch, "ftrace", \
			name (skip ? " # SKIP " result : "")
		fflush()
		results++
		failed += !ok
	}
	END { exit failed || !ended }'
}

# $LEAVE_OUT: those that are not for this run
find_tests() { # FILE|DIRECTORY...
	find "$@" -name '*.tc' | grep -vxF "$(printf '%s\n' none ${LEAVE_OUT:-})" |
		LC_ALL=C sort
}

# Tests start ping, by nice, too, and look for the program in the trace, where busybox
# would do its work itself.
run() { # FILE...
	sh -c '
		ping() { /bin/ping "$@"; }
		nice() { (shift 2; renice -n 1 -p $(exec sh -c "echo \$PPID") && "$@"); }
		. "$0"' ./ftracetest "$@"
}

run_stable() { # FILE|DIRECTORY...
	tests=$(find_tests "$@" | grep -vxF "${UNSTABLE:-none}") || return 0
	# --fail-unsupported keeps their logs, the status does not matter.
	# shellcheck disable=SC2086 # a list of files
	run --logdir "$LOGS" --fail-unsupported $tests
	echo "run ended"
}

run_unstable() { # FILE|DIRECTORY...
	find_tests "$@" | grep -qxF "${UNSTABLE:-none}" || return 0
	for _ in 1 2 3 4 5; do
		results=$(run --logdir "$LOGS-unstable" "$UNSTABLE") && break
		echo "# $UNSTABLE failed: it may try again" >&2
	done
	echo "$results"
	echo "run ended"
}

# Prints why the test of LOG was skipped: what it said last, or ftracetest, which
# checks what it requires.
reason() { # LOG
	grep -qxE '\++ exit_unsupported' "$1" && grep -v '^+' "$1" | tail -n 1
}

{ run_stable "$@"; run_unstable "$@"; } | report
status=$?
for log in "$LOGS"*/*-log.*; do
	[ -e "$log" ] || continue
	name=${log##*/}
	if why=$(reason "$log"); then
		echo "# ${name%-log.*} was skipped: $why"
	else
		echo "# $name"
		tail -n 60 "$log" | sed 's/^/#   /'
	fi
done
exit $status
