#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the ftrace selftests, which are in /files, or those that are given as
# arguments or in TESTS. From a directory, it leaves out the tests that "skips" names for
# this machine. Prints the results in the form of KTAP. An unresolved test has failed.
# The end of the log is printed before the result of a test that has not passed.

: "${HERE:=/tests}"
cd "${FTRACETEST:-/files}" || exit 1

LOGS=${TMPDIR:-/tmp}/ftracetest
MACHINE=$ARCH${FLAVOR:+-$FLAVOR}
[ $# -ne 0 ] || set -- ${TESTS:-test.d}

left_out() { # FILE|DIRECTORY...
	case $* in *.tc) return ;; esac
	sed -n 's/^\([^ ]*\): \(test\.d[^ ]*\) .*/\1 \2/p' "$HERE/skips" |
		while read -r where test; do
			! echo "$MACHINE" | grep -qxE "$where" || echo "$test"
		done
}

find_tests() { # FILE|DIRECTORY...
	find "$@" -name '*.tc' | grep -vxE "$(left_out "$@"; echo none)" | LC_ALL=C sort
}

# Tests start ping, also with nice, and look for a sleeping task of this name. They need no
# network.
PING=${TMPDIR:-/tmp}/ping
printf '#!/bin/sh\nfor i in 1 2 3; do sleep 0.1; done\n' >"$PING"
chmod +x "$PING"
export PING

run() { # FILE...
	sh -c '
		ping() { "$PING"; }
		nice() { (shift 2; renice -n 1 -p $(exec sh -c "echo \$PPID") && "$@"); }
		. "$0"' ./ftracetest --logdir "$LOGS" --fail-unsupported "$@"
}

# Read "[7] NAME <tab> [PASS]". The log of test 7 is $LOGS/7-*.
results() {
	awk -v "logs=$LOGS" '
	function print_log(last) {
		system("cat " logs "/" n "-*-log.* | " last " | sed \"s/^/# /\"")
	}
	match($0, /^\[[0-9]+\].*\t\[[A-Z]+\]$/) {
		n = substr($1, 2) + 0
		result = $NF
		sub(/^\[[0-9]+\][ \t]*/, "")
		sub(/[ \t]*\[[A-Z]+\]$/, "")
		gsub(/[ \t]+/, " ")
		if (result ~ /^.UN(TESTED|SUPPORTED).$/) {
			print_log("grep -v \"^+\" | tail -n 1")
			print "ok " $0 " # SKIP " result
		} else if (result ~ /^.(PASS|XFAIL).$/) {
			print "ok " $0
		} else {
			print_log("tail -n 60")
			print "not ok " $0
		}
		fflush()
	}'
}

tests=$(find_tests "$@")
# shellcheck disable=SC2086 # a list of files
count=$(($(echo "$tests" | wc -w) + $(grep -lE '^# flags:.*instance' $tests | wc -l)))
# shellcheck disable=SC2086
run $tests | results | sh "$HERE/ktap.sh" ftrace $count
