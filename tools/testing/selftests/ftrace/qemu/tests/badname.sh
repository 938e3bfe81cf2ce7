# SPDX-License-Identifier: GPL-2.0
#
# Guest script: a program passes bad pointers to a system call whose text is recorded, with
# the option funcgraph-names. There must be no name, and the kernel must not complain.

[ -e /sys/kernel/tracing/options/funcgraph-names ] || exit 0

name="names of bad pointers of a program"
mkdir /sys/kernel/tracing/instances/badname
cd /sys/kernel/tracing/instances/badname || exit
echo 0 >tracing_on
echo do_faccessat >set_ftrace_filter
echo 1 >options/funcgraph-args
echo 1 >options/funcgraph-names
echo function_graph >current_tracer
sh -c 'echo $$ >set_ftrace_pid; echo 1 >tracing_on; exec badname 20000'
status=$?
echo 0 >tracing_on
calls=$(grep -c 'do_faccessat(' trace)
if [ $status -eq 0 ] && [ "$calls" -gt 1000 ] && ! grep -q 'filename=[^,]*("' trace; then
	echo "ok $name"
else
	echo "# status $status, $calls calls"
	grep -m 3 'filename=[^,]*("' trace
	echo "not ok $name"
fi
echo nop >current_tracer
cd ../..
rmdir instances/badname
