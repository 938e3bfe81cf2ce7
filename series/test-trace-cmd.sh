#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test: Debian's trace-cmd records and shows traces of each form.  Its report must
# contain the calls of the kernel's own text, with their nesting.  Prints "ok NAME" or "not
# ok NAME".  It boots the x86_64 kernel; part of make test.

. "$(dirname "$0")/lib.sh"
set +e
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL ARCH CROSS_COMPILE FLAVOR BASE CONFIG SMP APPEND MODULES
export BUILD

# The guest has no libraries: the program gets its own, and the linker that loads them.
copy_program() { # DIR
	program=$(command -v trace-cmd) || die "trace-cmd not found: run make deps"
	mkdir -p "$1/lib" && cp "$program" "$1" &&
	ldd "$program" | grep -o '/[^ ]*' | xargs cp -L -t "$1/lib" &&
	mv "$1"/lib/ld-linux* "$1/ld"
}

cat >"$tmp/guest.sh" <<'END'
report() {
	/files/files/ld --library-path /files/files/lib /files/files/trace-cmd "$@"
}

# trace-cmd resets the tracer when it takes the trace.
trace_form() { # NAME OPTIONS CLOCK RULE...
	name=$1 options=$2 clock=$3
	shift 3
	echo function_graph >current_tracer
	for option in args retval retaddr names tail; do
		echo 0 >options/funcgraph-$option
	done
	for option in $options; do
		echo 1 >options/funcgraph-$option
	done
	echo "$clock" >trace_clock
	echo >set_graph_keep
	for rule; do
		echo "$rule" >>set_graph_keep
	done
	echo >trace
	echo 1 >tracing_on
	read -r line </nonexistent
	mount -t tmpfs -o bad=1 none /mnt
	mkdir /proc/x
	echo 0 >tracing_on
	cat trace >/tmp/text
	report extract -o /tmp/trace.dat >/tmp/log 2>&1 || cat /tmp/log
	echo "text $name"
	cat /tmp/text
	echo "report $name"
	report report -i /tmp/trace.dat
}

echo 0 >tracing_on
echo 1 >options/function-fork
echo $$ >set_ftrace_pid
mkdir -p /mnt
echo '*open* *mount* vfs_* *mkdir* *fs_context* *lookup*' >set_ftrace_filter
{
	trace_form 'without options' '' local
	trace_form 'with arguments and return addresses' 'args retval retaddr' local
	trace_form 'with names' 'args retval names' local
	trace_form 'of failed calls' 'args retval retaddr names' local error
	trace_form 'of failed calls, in another clock' retval global error
	trace_form 'of a rule on values' retval local '*mount*: dev_name == "none"'
} 2>/dev/null
END

# Print the calls in a part of the output: each with its nesting, which is spaces.
calls() { # PART
	awk -v part="$1" '/^(text|report) / { inside = $0 == part; next } inside' "$tmp/output" |
		sed -n 's/^[^|]*|  \( *[A-Za-z_][A-Za-z0-9_.]*\)(.*/\1/p'
}

check_form() { # NAME
	calls "text $1" >"$tmp/text"
	calls "report $1" >"$tmp/report"
	if [ -s "$tmp/text" ] && diff "$tmp/text" "$tmp/report" >"$tmp/diff"; then
		echo "ok x86_64 trace-cmd shows a trace $1"
	else
		echo "not ok x86_64 trace-cmd shows a trace $1"
		sed 's/^/# /' "$tmp/diff"
	fi
}

copy_program "$tmp/files"
make -s -C "$TOP" boot BUILT=1 SCRIPT="$tmp/guest.sh" FILES="$tmp/files" >"$tmp/output" 2>"$tmp/log" ||
	{ cat "$tmp/log"; echo "not ok x86_64 trace-cmd: the guest failed"; }
sed -n 's/^text //p' "$tmp/output" >"$tmp/forms"
while read -r form; do
	check_form "$form"
done <"$tmp/forms"
[ "$(wc -l <"$tmp/forms")" = 6 ] || echo "not ok x86_64 trace-cmd shows all forms"
