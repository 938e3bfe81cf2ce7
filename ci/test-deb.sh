#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# test-deb.sh: installs the packages of make deb in a Debian 12, boots their kernel with the
# initrd that was made there, asks fgraph, and removes them. The Makefile passes its variables.
# Each step is a boot of QEMU, on one disk: the first one with the kernel of the Makefile.

set -eu

CI=$(cd "$(dirname "$0")" && pwd)
DEBS=$BUILD/deb
PACKAGES='initramfs-tools kmod procps udev'

die() { echo "error: $*" >&2; exit 1; }

[ "$ARCH" = x86_64 ] || die "ARCH=$ARCH: test-deb runs on x86_64 only"
image=$(find "$DEBS" -maxdepth 1 -name 'linux-image-*_amd64.deb' -not -name '*-dbg_*' 2>/dev/null) || :
[ "$image" ] || die "$DEBS has no packages: run make deb"
[ -f "$image" ] || die "$DEBS has several kernels: leave one"
release=$(dpkg-deb -f "$image" Package | sed 's/^linux-image-//')

# shellcheck disable=SC2086 # a list
"$CI/debian.sh" "$BUILD/debian/deb.ext4" $PACKAGES
dir=$(mktemp -d "$BUILD/debian/test-deb.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
# The packages need a gigabyte.
cp --sparse=always "$BUILD/debian/deb.ext4" "$dir/disk"
truncate -s +1200M "$dir/disk"
PATH=$PATH:/sbin resize2fs "$dir/disk" >"$dir/resize.log" 2>&1 ||
	{ cat "$dir/resize.log" >&2; die "resize2fs failed"; }

# The guest extracts its second disk, and runs /files/run.sh.
boot() { # NAME KERNEL [INITRD]
	rm -rf "$dir/root" "$dir/status"
	mkdir -p "$dir/root/files"
	chmod 755 "$dir/root"
	cp "$dir/$1.sh" "$dir/root/files/run.sh"
	[ "$1" != install ] || cp "$image" "$DEBS/linux-headers-${release}_"*.deb \
		"$DEBS"/fgraph_*.deb "$dir/root/files"
	tar -C "$dir/root" --owner=0 --group=0 -cf "$dir/files.tar" .
	timeout 1200 qemu-system-x86_64 -machine pc -cpu max -accel tcg,thread=single \
		-smp 2 -m 2G -display none -nodefaults -no-reboot \
		-kernel "$2" ${3:+-initrd "$3"} \
		-append "console=ttyS0 root=/dev/vda rw panic=-1" \
		-drive file="$dir/disk",format=raw,if=virtio \
		-drive file="$dir/files.tar",format=raw,if=virtio,readonly=on \
		-serial file:"$dir/$1.console" -device virtio-serial-pci \
		-chardev file,id=output,path="$dir/$1.out" \
		-device virtserialport,chardev=output \
		-chardev file,id=status,path="$dir/status" \
		-device virtserialport,chardev=status || :
	# The runner of the image says how the script ended.
	[ "$(cat "$dir/status" 2>/dev/null)" = 'exit 0' ]
}

step() { # NAME TEXT KERNEL [INITRD]
	name=$1 text=$2
	shift 2
	if boot "$name" "$@"; then
		echo "ok x86_64 deb: $text"
	else
		echo "not ok x86_64 deb: $text"
		tail -n 40 "$dir/$name.console" "$dir/$name.out" | sed 's/^/# /'
		exit 1
	fi
}

copy_from_disk() { # FILE TO
	PATH=$PATH:/sbin debugfs -R "dump $1 $2" "$dir/disk" 2>"$dir/debugfs.log"
	[ -s "$2" ] || { cat "$dir/debugfs.log" >&2; die "$1 is not on the disk"; }
}

cat >"$dir/install.sh" <<'END'
set -e
dpkg -i /files/*.deb
rm /files/*.deb
ls /boot/vmlinuz-*fgraph* /boot/initrd.img-*fgraph*
sync
END

cat >"$dir/ask.sh" <<END
set -e
uname -r
[ "\$(uname -r)" = "$release" ]
mkdir -p /mnt
fgraph --version
fgraph why mount -t tmpfs -o bad=1 none /mnt >/tmp/why 2>&1 || cat /tmp/why
grep 'vfs_parse_fs_param(.*param="bad".*) = -22 (EINVAL)\$' /tmp/why
grep -q 'fs_context.c:[0-9]' /tmp/why
modprobe overlay
ls /usr/lib/x86_64-linux-gnu/traceevent/plugins/plugin_fgraph.so
END

cat >"$dir/remove.sh" <<'END'
dpkg --purge fgraph $(dpkg-query -W -f '${Package}\n' 'linux-*fgraph*') || exit
left=$(find / -xdev -name '*fgraph*' -not -path '/proc/*' -not -path '/sys/*' \
	-not -path '/var/log/*' -not -path '/var/lib/dpkg/*-old')
echo "$left"
sync
[ -z "$left" ]
END

step install 'the packages install' "$OUT/arch/x86/boot/bzImage"
copy_from_disk "/boot/vmlinuz-$release" "$dir/vmlinuz"
copy_from_disk "/boot/initrd.img-$release" "$dir/initrd"
step ask 'their kernel boots, and fgraph why is right' "$dir/vmlinuz" "$dir/initrd"
step remove 'removal leaves nothing' "$OUT/arch/x86/boot/bzImage"
