#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# panic.sh: at a panic, the kernel prints what the instances contain that ftrace_dump_on_oops=
# names, and no others. Prints "ok" or "not ok" for each check. The Makefile passes its
# variables.

run=$BUILD/panic
mkdir -p "$run"

cat >"$run/script" <<-END
	for name in kept other; do
		mkdir instances/\$name
		echo do_sys_openat2 >instances/\$name/set_graph_function
		echo error:ENOENT >instances/\$name/set_graph_keep
		echo 1 >instances/\$name/options/funcgraph-retval
		echo function_graph >instances/\$name/current_tracer
	done
	cat /nonexistent
	echo c >/proc/sysrq-trigger
END

# The kernel panics, so the boot fails.
! RUN=$run ${MAKE:-make} --no-print-directory -f "$HARNESS/Makefile" boot SCRIPT="$run/script" \
	APPEND="ftrace_dump_on_oops=later,kept,kept=nonsense" >"$run/log" 2>&1
sed 's/^\[[^]]*\] //' "$run/console.log" | tr -d '\r' >"$run/console"

check() { # NAME COMMAND...
	local name=$1

	shift
	"$@" >/dev/null || { tail -n 60 "$run/console" | sed 's/^/# /'; printf 'not '; }
	echo "ok $name"
}

prints_the_kept_call() {
	sed '1,/^Dumping ftrace buffer of the instance kept:$/d; /^-*$/d' "$run/console" |
		grep '\* do_sys_openat2 ret=-2 (ENOENT) \*'
}

prints_nothing_else() {
	[ "$(grep -c '^Dumping ftrace buffer' "$run/console")" -eq \
	  "$(grep -c '^Dumping ftrace buffer of the instance kept:$' "$run/console")" ]
}

names_a_wrong_item() {
	grep '^ftrace_dump_on_oops=: kept=nonsense: not NAME or NAME=orig_cpu, or too many$' "$run/console"
}

check 'ftrace_dump_on_oops= prints an instance' prints_the_kept_call
check 'ftrace_dump_on_oops= prints no other' prints_nothing_else
check 'ftrace_dump_on_oops= names an item that is wrong' names_a_wrong_item
