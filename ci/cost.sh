#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# cost.sh FRAGMENT...: what signatures cost to build and to carry. Builds the same kernel
# without types, with signatures and with BTF, from nothing and without ccache, and prints
# what they differ in. The Makefile passes its variables in the environment.

set -eu
ci=$(cd "$(dirname "$0")" && pwd)
dir=$BUILD/cost
mkdir -p "$dir"

# When the kernel has booted, in seconds, and how many functions can be traced. A ns of the
# guest's clock is an instruction.
cat >"$dir/boot.sh" <<'END'
dmesg | sed -n 's/^\[ *\([0-9.]*\)\] Run \/init as init process$/boot-seconds \1/p'
echo "functions $(wc -l <available_filter_functions)"
END

# Print "NAME VALUE" for each figure.
measure() { # FRAGMENT...
	rm -rf "$OUT"
	CCACHE_DISABLE=1 command time -f 'build-cpu-seconds %U+%S\nbuild-peak-MB %M/1024' \
		-o "$dir/time" "$HARNESS/build.sh" "$@"
	while read -r name value; do
		echo "$name $(echo "$value" | bc)"
	done <"$dir/time"
	"${CROSS_COMPILE}size" "$OUT/vmlinux" | awk 'NR == 2 { print "vmlinux-bytes", $4 }'
	echo "image-bytes $(wc -c <"$OUT/$IMAGE")"
	ICOUNT=1 SCRIPT=$dir/boot.sh "$HARNESS/run-qemu.sh"
	"${CROSS_COMPILE}size" -A "$OUT/vmlinux" | awk '
		$1 ~ /^\.(fgraph_sites|fgraph_strings|BTF|BTF_ids)$/ { n += $2 }
		END { print "types-bytes", n + 0 }'
}

for variant in untyped signatures btf; do
	export OUT="$dir/$ARCH-$variant"
	measure "$@" "$ci/$variant.config" >"$dir/$variant"
done
cd "$dir"
printf '%-24s %12s %12s %12s\n' '' untyped signatures btf
join untyped signatures --nocheck-order | join - btf --nocheck-order |
	awk '{ printf "%-24s %12.1f %12.1f %12.1f\n", $1, $2, $3, $4 }'
