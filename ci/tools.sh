#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# tools.sh: runs the guest scripts of tools/ on Debian 12. PARTS selects some. The Makefile
# passes its variables.

set -eu

CI=$(cd "$(dirname "$0")" && pwd)
PACKAGES='bpftrace diffutils kmod linux-perf procps trace-cmd'

[ "$ARCH" = x86_64 ] || { echo "error: ARCH=$ARCH: test-tools runs on x86_64 only" >&2; exit 1; }
image=$BUILD/debian/tools.ext4
# shellcheck disable=SC2086 # a list
"$CI/debian.sh" "$image" $PACKAGES
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$dir"
mkdir -p "$dir/files" "$dir/usr/local/bin"
cp "$CI"/tools/* "$HARNESS/tests/ktap.sh" "$dir/files"
cp "$GUEST/fgraph" "$dir/usr/local/bin"
echo "PARTS='${PARTS-}'" >"$dir/files/env"
"$CI/debian-boot.sh" "$image" "$dir"
