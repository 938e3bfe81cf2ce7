#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# debian-boot.sh IMAGE DIR: boots the kernel of the Makefile with a root file system that
# debian.sh has made. The guest gets the files of DIR and the modules, runs /files/run.sh, and
# is judged as others are. The image stays as it is.

set -eu

image=$1 dir=$2
: "${RUN:=$OUT}"
mkdir -p "$RUN" "$dir/usr/lib"
[ -z "$MODULES" ] || cp -a "$OUT/modules/lib/modules" "$dir/usr/lib"
tar -C "$dir" --owner=0 --group=0 -cf "$RUN/files.tar" .

# The kernel has no such init in its archive, so it mounts the root file system.
export RUN SCRIPT="$dir/files/run.sh" FILES='' MODULES=''
export APPEND="rdinit=/none root=/dev/vda rw $APPEND"
export QEMU="$QEMU -drive file=$image,format=raw,if=virtio,snapshot=on \
	-drive file=$RUN/files.tar,format=raw,if=virtio,readonly=on"
"$HARNESS/run-qemu.sh"
