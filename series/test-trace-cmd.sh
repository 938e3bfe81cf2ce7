#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test: Debian's trace-cmd records and shows traces of each form.  Its report must
# contain the calls of the kernel's own text, with their nesting.  With our plugin, it must
# contain the same names of pointers, and no other result.  Prints "ok NAME" or "not ok NAME".
# It boots the x86_64 kernel; part of make test.

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
	echo "plugin $name"
	TRACEEVENT_PLUGIN_DIR=/files/files/plugins report report -i /tmp/trace.dat \
		-O fgraph:signatures=function_signatures
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

part() { # NAME
	awk -v part="$1" '/^(text|report|plugin) / { inside = $0 == part; next } inside' "$tmp/output"
}

# Print the calls in a part of the output: each with its nesting, which is spaces.
calls() { # PART
	part "$1" | sed -n 's/^[^|]*|  \( *[A-Za-z_][A-Za-z0-9_.]*\)(.*/\1/p'
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

# Print "FUNCTION RESULT" for each call that returns in a part of the output.
results() { # PART
	part "$1" | sed -n -e 's/^[^|]*|  *//; s,/\* ,,; s, \*/$,,; s/ <-[^ ]*//' \
		-e 's/^} \([A-Za-z_]\)/\1/p' -e 's/^\([A-Za-z_][A-Za-z0-9_.]*\)(.*);/\1/p'
}

# Print the names of arguments in a part of the output.
names() { # PART
	part "$1" | sed -n 's/ <-.*//; s/ ret=.*//; s/^[^|]*|  *[^(]*(\(.*\)).*/\1/p' | grep -o '("[^)]*)'
}

check() { # NAME COMMAND...
	name=$1
	shift
	"$@" >"$tmp/diff" 2>&1 || { sed 's/^/# /' "$tmp/diff"; printf 'not '; }
	echo "ok x86_64 $name"
}

# The plugin shows a result as the text does, or shows none, because it does not know the type.
# The C library has no names of errors that only the kernel has.
same_results() { # FORM
	results "text $1" | sed 's/\(ret=-5[1-9][0-9]\) .*/\1/' >"$tmp/text"
	results "plugin $1" >"$tmp/plugin"
	paste -d '|' "$tmp/text" "$tmp/plugin" | awk -F '|' '
		$1 == $2 && / ret=/ { same++ }
		$1 != $2 && (/ ret=.*ret=/ || index($1, $2 " ") != 1) { print; bad++ }
		END { print same + 0 " results"; exit bad || !same }'
}

same_names() { # FORM
	names "text $1" >"$tmp/text"
	names "plugin $1" >"$tmp/plugin"
	[ -s "$tmp/text" ] && diff "$tmp/text" "$tmp/plugin"
}

copy_program "$tmp/files"
make -s -C "$TREE/tools/tracing/fgraph" OUTPUT="$tmp/" plugindir=/plugins \
	DESTDIR="$tmp/files" install-plugin >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
make -s -C "$TOP" boot BUILT=1 SCRIPT="$tmp/guest.sh" FILES="$tmp/files" >"$tmp/output" 2>"$tmp/log" ||
	{ cat "$tmp/log"; echo "not ok x86_64 trace-cmd: the guest failed"; }
sed -n 's/^text //p' "$tmp/output" >"$tmp/forms"
while read -r form; do
	check_form "$form"
done <"$tmp/forms"
[ "$(wc -l <"$tmp/forms")" = 6 ] || echo "not ok x86_64 trace-cmd shows all forms"
for form in 'with arguments and return addresses' 'of failed calls' 'of a rule on values'; do
	check "the plugin of trace-cmd shows results $form" same_results "$form"
done
check 'the plugin of trace-cmd shows names' same_names 'with names'
