#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# busybox.sh DEBIAN_ARCH CROSS_COMPILE OUTPUT: gets a static busybox for a
# guest, as Debian's binary package or else built from its source package.
# Another architecture's package lists are kept beside OUTPUT: the machine's own
# package state stays as it is.

set -eu

command -v apt-get >/dev/null || {
	echo "error: no apt-get: put a static busybox for $1 at $3"
	exit 1
}

arch=$1
cross=$2
output=$3

work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work"' EXIT
# apt drops root's rights for a download, and must be able to write here.
chmod 755 "$work"

# The machine's own Debian sources, as lines of one type.
debian_sources() { # TYPE
	apt-get indextargets --format "$1 \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
		'Created-By: Packages' 'Origin: Debian' | sort -u
}

# apt-get with lists and sources of its own, for architecture $arch.
private_apt() {
	apt-get -q -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" \
		-o Dir::State::status="$work/status" \
		-o Dir::Etc::SourceList="$work/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" "$@"
}

use_private_apt() { # TYPE
	mkdir -p "$work/lists/partial" "$work/archives/partial"
	: >"$work/status"
	debian_sources "$1" >"$work/sources.list"
	[ -s "$work/sources.list" ] || {
		echo "error: apt knows no Debian archive: run apt-get update"
		exit 1
	}
	private_apt update
}

download() {
	if [ "$arch" = "$(dpkg --print-architecture)" ]; then
		apt-get -q download busybox-static
	else
		use_private_apt deb
		private_apt download busybox-static
	fi
}

# What a guest needs has no business with accounts, packages or the network, and
# some of that does not link statically.
build() {
	use_private_apt deb-src
	private_apt source --download-only busybox
	dpkg-source --no-check -x busybox_*.dsc source
	make -C source defconfig
	sed -i -e '/CONFIG_STATIC[ =]/c CONFIG_STATIC=y' \
		-e '/^CONFIG_TC=/c # CONFIG_TC is not set' source/.config
	make -C source -j"$(nproc)" ARCH=none CROSS_COMPILE="$cross" busybox
	mv source/busybox "$output"
}

cd "$work"
if download; then
	dpkg-deb -x busybox-static_*.deb package
	find package -type f -name busybox -exec mv {} "$output" \;
else
	build
fi
