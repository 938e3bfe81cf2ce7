#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: the tests of the series. Prints results in the form of KTAP.

MODULES='fgraph_kunit fgraph_values_kunit'
# The tests of kprobes that need signatures, and all tests of fgraph
SELFTESTS="$(cd /files && grep -ls '<parameter>' test.d/kprobe/*.tc | xargs) test.d/fgraph"

# On riscv, its first test hangs, also with the unpatched base.
[ "$ARCH" = riscv ] || MODULES="$MODULES test_kprobes"

# Only these tests depend on where the signatures are.
if [ "$FLAVOR" = module ]; then
	MODULES=fgraph_values_kunit
	SELFTESTS='test.d/fgraph/args.tc test.d/fgraph/signatures.tc
		test.d/fgraph/signatures-module.tc'
	modprobe fgraph_signatures || echo 'not ok fgraph_signatures is loaded'
fi

# The buffer of the top level grows on its first use, even if an instance was used before.
uname -a
mkdir instances/first
echo function_graph >instances/first/current_tracer
rmdir instances/first
grep -q 'expanded' buffer_size_kb || printf 'not '
echo 'ok the buffer of the top level is small at first'
echo vfs_write >set_graph_function
echo function_graph >current_tracer
echo 0 >tracing_on
grep -q 'vfs_write() *{' trace || printf 'not '
echo 'ok the kernel traces'
! grep -q 'expanded' buffer_size_kb || printf 'not '
echo 'ok the buffer of the top level grows when it is used'
echo nop >current_tracer

# The tests that are built in ran at boot. They are printed like those of a module.
dmesg | sed 's/^\[ *[0-9.]*\] //' |
	awk '/^KTAP version/ { next } /^1\.\.[0-9]/ { planned = substr($0, 4); next }
	/^(not )?ok / { n++ }
	/^ *((not )?ok |1\.\.|# Subtest|KTAP)/
	END { print (n + 0 != planned + 0 ? "not ok" : "ok") " tests at boot" }'

# shellcheck disable=SC2086 # lists
sh /tests/kunit.sh $MODULES

# One case runs alone. If no case has the name, nothing runs.
one=$(SUITE=fgraph_values_text CASE=fgv_symbol_test sh /tests/kunit.sh | grep -c '\] *ok ')
none=$(SUITE=fgraph_values_text CASE=nothing sh /tests/kunit.sh | grep -c '\] *ok ')
[ "$one $none" = '2 0' ] || printf 'not '
echo 'ok one case runs alone'

sh /tests/badname.sh
[ "$FLAVOR" ] || sh /tests/fgraph.sh
# shellcheck disable=SC2086
sh /tests/ftracetest.sh $SELFTESTS
