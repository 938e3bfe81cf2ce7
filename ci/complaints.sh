#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# complaints.sh: a guest in which the kernel finds a mistake must not pass. LKDTM makes the
# mistakes. Prints "ok" or "not ok" for each. The Makefile passes its variables.

log=$BUILD/complaint.log
script=$BUILD/complaint.sh

try() { # NAME FLAVOR CRASHTYPE PATTERN
	# If a task that holds a spinlock lost its CPU, the scheduler would be the first to complain.
	cat >"$script" <<-END
	modprobe lkdtm
	chrt -f 99 sh -c 'echo $3 >/sys/kernel/debug/provoke-crash/DIRECT'
	exit 0
	END
	if ${MAKE:-make} --no-print-directory -f "$HARNESS/Makefile" boot FLAVOR="$2" MODULES=1 \
			SCRIPT="$script" >"$log" 2>&1 ||
	   ! grep -q "^error: the kernel complained: .*$4" "$log"; then
		grep -v '^.qemu' "$log" | tail -n 60 | sed 's/^/# /'
		printf 'not '
	fi
	echo "ok $1"
}

try 'a warning' '' WARNING 'WARNING: CPU'
try 'lockdep' debug SPINLOCKUP 'WARNING: .*lock'
try 'KASAN' debug WRITE_AFTER_FREE 'BUG: KASAN'
