# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the tests of the series, then prints which lines have run, as GCC
# counts them: "gcda FILE BASE64", many lines for each file.

sh /tests/suite.sh

mount -t debugfs none /sys/kernel/debug 2>/dev/null
# shellcheck disable=SC2044 # no such name has a space
for path in $(find /sys/kernel/debug/gcov -path '*/kernel/trace/*' -name '*.gcda'); do
	name=${path##*/}
	case $path in
	*/kernel/trace/tests/* | */fgraph_benchmark*) continue ;;
	esac
	case $name in
	fgraph*.gcda | trace_graph_*.gcda | function_tracers.gcda) ;;
	*) continue ;;
	esac
	base64 "$path" | sed "s/^/gcda $name /"
done
