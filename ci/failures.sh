#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# failures.sh DIR: prints why parts of make test failed, whose logs are in DIR, in few lines,
# because other parts printed a lot after they failed. For each part: the first failed tests,
# each with its last lines before it cleaned up; the errors; the end of the kernel's log if
# the guest died.

MOST=6

for failed in "$1"/*.failed; do
	[ -e "$failed" ] || exit 0
	log=${failed%.failed}.log
	echo "$1/${log##*/}:"
	awk -v most=$MOST '
		/\[FAILED\]/ && !/=====/ && n++ < most { print last[2] last[1] last[0] $0 }
		/\[(PASSED|FAILED|SKIPPED|CRASHED)\]/ { split("", last); ended = 0; next }
		/# \+ (exit_fail|cleanup)$/ { ended = 1 }
		!ended { last[2] = last[1]; last[1] = last[0]; last[0] = $0 "\n" }
		END { if (n > most) print n - most " more tests failed" }' "$log"
	grep -E '^error: ' "$log" | tail -n $MOST
	# The guest ended before its script.
	[ ! -e "${failed%.failed}/console.log" ] ||
		grep -qs '^exit' "${failed%.failed}/status" ||
		tail -n 25 "${failed%.failed}/console.log"
done | sed 's/^/# /'
