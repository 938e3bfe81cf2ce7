#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# complaints.sh: a guest in which the kernel finds a mistake must not pass. LKDTM makes the
# mistakes. Prints "ok" or "not ok" for each. The Makefile passes its variables.

log=$BUILD/complaint.log
script=$BUILD/complaint.sh

try() { # NAME FLAVOR CRASHTYPE PATTERN
	printf 'modprobe lkdtm && echo %s >/sys/kernel/debug/provoke-crash/DIRECT\nexit 0\n' "$3" \
		>"$script"
	# With an event from boot on, the tracers do not test themselves at boot.
	if ${MAKE:-make} --no-print-directory -f "$HARNESS/Makefile" boot FLAVOR="$2" MODULES=1 \
			SCRIPT="$script" APPEND=trace_event=task >"$log" 2>&1 ||
	   ! grep -q "^error: the kernel complained: .*$4" "$log"; then
		grep -v '^.qemu' "$log" | tail -n 60 | sed 's/^/# /'
		printf 'not '
	fi
	echo "ok $1"
}

try 'a warning' '' WARNING 'WARNING: CPU'
try 'lockdep' debug SPINLOCKUP 'WARNING: .*lock'
try 'KASAN' debug WRITE_AFTER_FREE 'BUG: KASAN'
