#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# test.sh ARCH...: runs the host tests and then all tests of each architecture, and
# builds the first one again.
# Prints a line for each test, "ok" or "not ok", and at the end how many passed,
# failed and were skipped.  HOST_TESTS names more scripts to run on the host.
# Called by the Makefile.

cd "$(dirname "$0")" || exit
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

# A guest keeps one CPU busy: meanwhile, another builds for the next one.  If that
# fails, the next one says so, as it builds again what is not there.
build_ahead() { # [ARCH...]
	[ "$#" -gt 0 ] || return 0
	# A group of its own can be stopped with all that it started
	setsid nice make --no-print-directory build-test ARCH="$1" >/dev/null 2>&1 &
	ahead=$!
}

test_arches() { # ARCH...
	ahead=
	trap '[ -z "$ahead" ] || kill -- -"$ahead"' EXIT
	trap 'exit 1' HUP INT TERM
	while [ "$#" -gt 0 ]; do
		arch=$1
		shift
		wait
		ahead=
		build_ahead "$@"
		run "$arch ran to its end without a complaint of the kernel" \
			make --no-print-directory test-arch ARCH="$arch"
	done
}

for script in $HOST_TESTS; do
	run "host ${script##*/} ran to its end" "$script"
done | tee -a "$results"

test_arches "$@" | tee -a "$results"

# The same program makes the signatures on all architectures
run "$1 was built again" make --no-print-directory repeat ARCH="$1" | tee -a "$results"

count() { grep -c "$1" "$results"; }

skipped=$(count '^ok .* # SKIP')
passed=$(($(count '^ok ') - skipped))
failed=$(count '^not ok ')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
