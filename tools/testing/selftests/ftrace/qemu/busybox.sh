#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# busybox.sh DEBIAN_ARCH CROSS_COMPILE OUTPUT: gets a static busybox for a guest: Debian's
# package, or built from its source if Debian has none for the architecture. The package
# state of the machine does not change: package lists are in a separate directory.

set -eu

arch=$1 cross=$2 output=$3

command -v apt-get >/dev/null || {
	echo "error: no apt-get: put a static busybox for $arch at $output"
	exit 1
}

work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work"' EXIT
# apt drops root's rights for a download, and must be able to write here.
chmod 755 "$work"
mkdir -p "$work/lists/partial" "$work/archives/partial"
: >"$work/status"
cd "$work"

private_apt() {
	apt-get -q -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" \
		-o Dir::State::status="$work/status" \
		-o Dir::Etc::SourceList="$work/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" "$@"
}

# Use the Debian sources of the machine, as lines of one type.
use_sources() { # deb|deb-src
	apt-get indextargets --format "$1 \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
		'Created-By: Packages' 'Origin: Debian' | sort -u >sources.list
	[ -s sources.list ] || {
		echo "error: apt knows no Debian archive: run apt-get update"
		exit 1
	}
	# An archive that does not answer is not an error yet, because another one may
	# have the package.
	private_apt update || :
}

# A guest needs no accounts, packages or network, and some of that is not static.
build() {
	use_sources deb-src
	private_apt source --download-only busybox
	dpkg-source --no-check -x busybox_*.dsc source
	make -C source defconfig
	sed -i -e '/CONFIG_STATIC[ =]/c CONFIG_STATIC=y' \
		-e '/^CONFIG_TC=/c # CONFIG_TC is not set' source/.config
	make -C source -j"$(nproc)" ARCH=none CROSS_COMPILE="$cross" busybox
	cp source/busybox "$output"
}

use_sources deb
if private_apt download busybox-static; then
	dpkg-deb -x busybox-static_*.deb package
	find package -type f -name busybox -exec cp {} "$output" \;
else
	build
fi
