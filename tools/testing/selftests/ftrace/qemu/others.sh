#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# others.sh: builds what the series touches, and the unwinder, for architectures that
# have the function graph tracer and no guest here.  Prints a line for each, "ok" or
# "not ok"; fails if one failed.  Called by the Makefile, which passes variables in the
# environment.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
failed=0

# KERNEL_ARCH, the compiler, and a configuration that it has
OTHERS='powerpc powerpc64le-linux-gnu ppc64le_defconfig
s390 s390x-linux-gnu defconfig
mips mips64el-linux-gnuabi64 ip27_defconfig
sparc sparc64-linux-gnu sparc64_defconfig
parisc hppa-linux-gnu generic-32bit_defconfig
sh sh4-linux-gnu rts7751r2d1_defconfig'

OPTIONS='FTRACE FUNCTION_TRACER FUNCTION_GRAPH_TRACER DYNAMIC_FTRACE FUNCTION_PROFILER
	STACK_TRACER IRQSOFF_TRACER SCHED_TRACER DEBUG_KERNEL STACKTRACE'

kbuild() { # ARCH COMPILER ARG...
	arch=$1 prefix=$2
	shift 2
	"$HERE/quiet.sh" "$OUT/build.log" make -C "$TREE" O="$OUT" ARCH="$arch" \
		CROSS_COMPILE="$prefix-" CC="${ccache}$prefix-gcc" -j"$(nproc)" "$@"
}

build_other() { # ARCH COMPILER CONFIG
	OUT=$BUILD/other/$1
	mkdir -p "$OUT"
	kbuild "$1" "$2" "$3" || return
	for option in $OPTIONS; do
		"$TREE/scripts/config" --file "$OUT/.config" -e "$option"
	done
	# The objects of the arch are built by the compiler at hand, whatever it says
	"$TREE/scripts/config" --file "$OUT/.config" -d WERROR -d PPC_WERROR \
		-e PPC_DISABLE_WERROR -d DEBUG_INFO
	kbuild "$1" "$2" olddefconfig || return
	grep -qx CONFIG_FUNCTION_GRAPH_TRACER=y "$OUT/.config" || return
	kbuild "$1" "$2" kernel/trace/ "arch/$1/kernel/"
}

ccache=
! command -v ccache >/dev/null || ccache='ccache '

while read -r arch prefix config; do
	if build_other "$arch" "$prefix" "$config" </dev/null; then
		echo "ok host $arch builds"
	else
		echo "not ok host $arch builds"
		failed=1
	fi
done <<END
$OTHERS
END

exit $failed
