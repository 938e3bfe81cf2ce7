#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# deps.sh PACKAGE...: installs those of the Debian packages that are missing.

set -eu

die() { echo "error: $*" >&2; exit 1; }

missing() { # PACKAGE...
	for package; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null |
			grep -qx installed || echo "$package"
	done
}

# Elsewhere it may all be there by other names: who needs a program looks for it.
command -v apt-get >/dev/null || {
	echo "note: no apt-get: these of Debian's packages are needed: $*" >&2
	exit 0
}
packages=$(missing "$@")
[ -n "$packages" ] || exit 0
echo "installing" $packages >&2

as_root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || die "run make deps as root"
	as_root=sudo
fi
# An archive that does not answer is no error yet: old lists may do.
$as_root apt-get -qq update || :
# shellcheck disable=SC2086 # a list of packages
$as_root env DEBIAN_FRONTEND=noninteractive \
	apt-get -qq -y --no-install-recommends install $packages >/dev/null </dev/null ||
	die "could not install all of:" $packages
