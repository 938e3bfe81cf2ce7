#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cost.sh FRAGMENT...: what signatures cost to build and to carry.  Builds the same
# kernel without types, with signatures and with BTF, from nothing and without
# ccache, and prints what they differ in.  Called by the Makefile, which passes
# variables in the environment.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)

# BTF wants BPF, so that it is everywhere.
UNTYPED='CONFIG_BPF_SYSCALL=y
# CONFIG_FGRAPH_SIGNATURES is not set
# CONFIG_FGRAPH_VALUES_KUNIT_TEST is not set'
SIGNATURES='CONFIG_BPF_SYSCALL=y
CONFIG_FGRAPH_SIGNATURES=y'
BTF="$UNTYPED
CONFIG_DEBUG_INFO_DWARF4=y
CONFIG_DEBUG_INFO_BTF=y"

for tool in time pahole; do
	command -v $tool >/dev/null || {
		echo "error: $tool not found: install the packages time and dwarves" >&2
		exit 1
	}
done

section_bytes() { # VMLINUX SECTION...
	file=$1
	shift
	for section; do
		"${CROSS_COMPILE}size" -A "$file" | awk -v name="$section" '$1 == name { print $2 }'
	done | awk '{ n += $1 } END { print n + 0 }'
}

# The low half of an address: shells calculate with signed numbers.
symbol() { # VMLINUX NAME
	"${CROSS_COMPILE}nm" "$1" |
		awk -v name="$2" '$3 == name { print "0x" substr($1, length($1) - 7) }'
}

word_bytes() { # VMLINUX
	case $(od -An -tu1 -j4 -N1 "$1") in
	*1) echo 4 ;;
	*2) echo 8 ;;
	esac
}

# The kernel has a word for each function that can be traced.
functions() { # VMLINUX
	echo $((($(symbol "$1" __stop_mcount_loc) - $(symbol "$1" __start_mcount_loc)) /
		$(word_bytes "$1")))
}

# Prints "NAME VARIANT VALUE" for each figure.
measure() { # VARIANT OPTIONS FRAGMENT...
	variant=$1
	export OUT="$BUILD/cost/$ARCH-$1"
	rm -rf "$OUT"
	mkdir -p "$OUT"
	echo "$2" >"$OUT.config"
	shift 2
	CCACHE_DISABLE=1 command time -f '%U %S %M' -o "$OUT.time" \
		"$HERE/build.sh" "$@" "$OUT.config"
	boot=$(ICOUNT=1 SCRIPT=$HERE/tests/boottime.sh "$HERE/run-qemu.sh")

	awk -v v="$variant" '{ printf "build-cpu-seconds %s %.0f\n", v, $1 + $2
			       printf "build-peak-MB %s %.0f\n", v, $3 / 1024 }' "$OUT.time"
	vmlinux=$OUT/vmlinux
	total=$("${CROSS_COMPILE}size" "$vmlinux" | awk 'NR == 2 { print $4 }')
	echo "vmlinux-bytes $variant $total"
	echo "image-bytes $variant $(wc -c <"$OUT/$IMAGE")"
	echo "boot-seconds $variant $boot"
	table=$(section_bytes "$vmlinux" .fgraph_sites .fgraph_strings .BTF .BTF_ids)
	echo "types-bytes $variant $table"
	echo "types-bytes-per-function $variant $table $(functions "$vmlinux")"
}

figures=$BUILD/cost/$ARCH.figures
mkdir -p "$BUILD/cost"
{
	measure untyped "$UNTYPED" "$@"
	measure signatures "$SIGNATURES" "$@"
	measure btf "$BTF" "$@"
} >"$figures"

awk '
	$4 { $3 = sprintf("%.1f", $3 / $4) }
	{ value[$1, $2] = $3; if (!seen[$1]++) names[++n] = $1 }
	END {
		printf "%-24s %12s %12s %12s\n", "", "untyped", "signatures", "btf"
		for (i = 1; i <= n; i++)
			printf "%-24s %12s %12s %12s\n", names[i],
				value[names[i], "untyped"],
				value[names[i], "signatures"], value[names[i], "btf"]
	}' "$figures"
