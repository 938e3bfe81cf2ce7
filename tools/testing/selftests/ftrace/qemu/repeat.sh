#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# repeat.sh FRAGMENT...: builds the kernel of $OUT once more, in another directory
# and by one job at a time, and says whether its signatures are the same, byte by
# byte.  Called by the Makefile, which passes variables in the environment.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
first=$OUT
again=$OUT-again
name="host signatures of two builds are the same"

table() { # DIRECTORY
	"${CROSS_COMPILE}objcopy" -O binary --only-section=.fgraph_sites \
		--only-section=.fgraph_strings "$1/vmlinux" "$1/signatures.bin"
	[ -s "$1/signatures.bin" ]
}

rm -rf "$again"
OUT=$again JOBS=1 MODULES='' "$HERE/build.sh" "$@"
table "$first"
table "$again"
if cmp "$first/signatures.bin" "$again/signatures.bin"; then
	echo "ok $name"
else
	echo "not ok $name"
fi
