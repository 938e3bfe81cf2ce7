# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the tests of the series, then prints which lines have run, as GCC
# counts them: "gcda FILE BASE64", many lines for each file.

sh /tests/all.sh
# shellcheck disable=SC2044 # no such name has a space
for path in $(find /sys/kernel/debug/gcov -path '*/kernel/trace/*' -name '*.gcda'); do
	case $path in
	*/kernel/trace/tests/* | */fgraph_benchmark*) ;;
	*/fgraph*.gcda | */trace_graph_*.gcda | */function_tracers.gcda)
		base64 "$path" | sed "s/^/gcda ${path##*/} /" ;;
	esac
done
