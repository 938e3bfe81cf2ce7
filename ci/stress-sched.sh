#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# stress-sched.sh RUNS: each run changes scheduling policies for 60 seconds, by stress-ng on
# Debian 12, while all functions are traced; here with names, and a rule. The base traces each
# call. Prints the runs in which RCU stalled or something else went wrong. The Makefile passes
# its variables.

set -eu

CI=$(cd "$(dirname "$0")" && pwd)
image=$BUILD/debian/stress.ext4
"$CI/debian.sh" "$image" kmod stress-ng
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$dir"
mkdir "$dir/files"
cat >"$dir/files/run.sh" <<-'END'
	if [ -e set_graph_keep ]; then
		echo error >set_graph_keep
		for option in args names retval; do
			echo 1 >options/funcgraph-$option
		done
	fi
	echo function_graph >current_tracer
	stress-ng --schedpolicy 2 --timeout 60
	status=$?
	echo nop >current_tracer
	exit $status
END

export RUN="$OUT/stress-sched"
# The kernel's own limit is less than that of a guest.
export APPEND="rcupdate.rcu_cpu_stall_timeout=21 $APPEND"
stalls=0 failures=0
for run in $(seq "$1"); do
	if "$CI/debian-boot.sh" "$image" "$dir" >"$dir/log" 2>&1; then
		echo "# run $run: no stall"
		continue
	fi
	if grep -q 'rcu.*stall' "$RUN/console.log"; then
		stalls=$((stalls + 1))
	else
		failures=$((failures + 1))
	fi
	cp "$RUN/console.log" "$RUN/console.$run.log"
	tail -n 1 "$dir/log"
	echo "# run $run: see $RUN/console.$run.log"
done
echo "${BASE:+the base: }$1 runs, $stalls stalls, $failures other failures"
[ $((stalls + failures)) -eq 0 ]
