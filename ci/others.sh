#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# others.sh: builds what the series touches, and the unwinder, for architectures that have
# the function graph tracer and no guest here. Prints "ok" or "not ok" for each. The
# Makefile passes its variables in the environment.

set -eu

ENABLE='FTRACE FUNCTION_TRACER FUNCTION_GRAPH_TRACER DYNAMIC_FTRACE FUNCTION_PROFILER
	STACK_TRACER IRQSOFF_TRACER SCHED_TRACER DEBUG_KERNEL STACKTRACE PPC_DISABLE_WERROR'
# The compiler at hand may warn of the base's code.
DISABLE='WERROR PPC_WERROR DEBUG_INFO'

kbuild() { # TARGET...
	"$HARNESS/quiet.sh" "$OUT/build.log" make -C "$TREE" O="$OUT" ARCH="$arch" \
		CROSS_COMPILE="$compiler-" CC="$HARNESS/ccache.sh $compiler-gcc" -j"$(nproc)" "$@"
}

build_other() {
	OUT=$BUILD/other/$arch
	mkdir -p "$OUT"
	kbuild "$config" || return
	# shellcheck disable=SC2046,SC2086 # lists of options
	"$TREE/scripts/config" --file "$OUT/.config" $(printf -- '-e %s ' $ENABLE) \
		$(printf -- '-d %s ' $DISABLE)
	kbuild olddefconfig &&
		grep -qx CONFIG_FUNCTION_GRAPH_TRACER=y "$OUT/.config" &&
		kbuild kernel/trace/ "arch/$arch/kernel/"
}

while read -r arch compiler config; do
	build_other </dev/null || printf 'not '
	echo "ok $arch builds"
done <<END
powerpc powerpc64le-linux-gnu ppc64le_defconfig
s390 s390x-linux-gnu defconfig
mips mips64el-linux-gnuabi64 ip27_defconfig
sparc sparc64-linux-gnu sparc64_defconfig
parisc hppa-linux-gnu generic-32bit_defconfig
sh sh4-linux-gnu rts7751r2d1_defconfig
END
