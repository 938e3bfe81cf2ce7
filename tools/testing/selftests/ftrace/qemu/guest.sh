#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# guest.sh OUTPUT PROGRAM...: packs the guest's file system: what is beside this script,
# and programs.  Another may do so at the same time.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
output=$1
shift
root=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$root" "$root.cpio"' EXIT

mkdir "$root/bin" "$root/tests"
cp "$HERE"/tests/*.sh "$root/tests"
cp "$HERE/init.sh" "$root/init"
cp "$@" "$root/bin"
ln -s busybox "$root/bin/sh"
chmod -R a+rX,+x "$root"
(cd "$root" && find . | LC_ALL=C sort |
	cpio --quiet -o -H newc -R 0:0) >"$root.cpio"
mv "$root.cpio" "$output"
