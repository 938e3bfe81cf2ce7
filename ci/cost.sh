#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cost.sh FRAGMENT...: what signatures cost to build and to carry. Builds the same kernel
# without types, with signatures and with BTF, from nothing and without ccache, and prints
# what they differ in. The Makefile passes its variables in the environment.

set -eu

# BTF needs BPF, so that it is everywhere.
untyped='CONFIG_BPF_SYSCALL=y
# CONFIG_FGRAPH_SIGNATURES is not set
# CONFIG_FGRAPH_VALUES_KUNIT_TEST is not set'
signatures='CONFIG_BPF_SYSCALL=y
CONFIG_FGRAPH_SIGNATURES=y'
btf="$untyped
CONFIG_DEBUG_INFO_DWARF4=y
CONFIG_DEBUG_INFO_BTF=y"

for tool in time pahole; do
	command -v $tool >/dev/null || {
		echo "error: $tool not found: install the packages time and dwarves" >&2
		exit 1
	}
done

# When the kernel has booted, in seconds. A ns of the guest's clock is an instruction.
boot_time() {
	cat >"$OUT.sh" <<-'END'
	dmesg | sed -n 's/^\[ *\([0-9.]*\)\] Run \/init as init process$/\1/p'
	END
	ICOUNT=1 SCRIPT=$OUT.sh "$HARNESS/run-qemu.sh"
}

# Print "NAME VALUE" for each figure. Each function that can be traced has a word in the
# section that starts at __start_mcount_loc. The low half of an address is enough.
measure() { # OPTIONS FRAGMENT...
	rm -rf "$OUT"
	mkdir -p "$OUT"
	echo "$1" >"$OUT.config"
	shift
	CCACHE_DISABLE=1 command time -f '%U %S %M' -o "$OUT.time" \
		"$HARNESS/build.sh" "$@" "$OUT.config"
	awk '{ print "build-cpu-seconds", $1 + $2; print "build-peak-MB", $3 / 1024 }' "$OUT.time"
	"${CROSS_COMPILE}size" "$OUT/vmlinux" | awk 'NR == 2 { print "vmlinux-bytes", $4 }'
	echo "image-bytes $(wc -c <"$OUT/$IMAGE")"
	echo "boot-seconds $(boot_time)"
	types=$("${CROSS_COMPILE}size" -A "$OUT/vmlinux" | awk '
		$1 ~ /^\.(fgraph_sites|fgraph_strings|BTF|BTF_ids)$/ { n += $2 } END { print n + 0 }')
	echo "types-bytes $types"
	words=$("${CROSS_COMPILE}nm" "$OUT/vmlinux" | sed -n \
		's/.*\(........\) . __\(start\|stop\)_mcount_loc$/\2=$((0x\1));/p')
	eval "$words"
	case $(od -An -tu1 -j4 -N1 "$OUT/vmlinux") in *1) word=4 ;; *2) word=8 ;; esac
	echo "types-bytes-per-function $((types * word / (stop - start)))"
}

mkdir -p "$BUILD/cost"
for variant in untyped signatures btf; do
	export OUT="$BUILD/cost/$ARCH-$variant"
	eval "options=\$$variant"
	measure "$options" "$@" >"$BUILD/cost/$variant"
done
cd "$BUILD/cost"
printf '%-24s %12s %12s %12s\n' '' untyped signatures btf
join untyped signatures --nocheck-order | join - btf --nocheck-order |
	awk '{ printf "%-24s %12.1f %12.1f %12.1f\n", $1, $2, $3, $4 }'
