#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# deps.sh PACKAGE...: installs those of the Debian packages that are missing.

set -eu

# On another distribution, all may exist by other names: a missing program is named later.
command -v apt-get >/dev/null || {
	echo "note: no apt-get: these of Debian's packages are needed: $*" >&2
	exit 0
}
for package; do
	shift
	dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
		set -- "$@" "$package"
done
[ $# -ne 0 ] || exit 0
echo "installing $*" >&2

as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=$(command -v sudo) || { echo "error: run make deps as root" >&2; exit 1; }
fi
# An archive that does not answer is not an error yet, because old lists may be
# sufficient.
$as_root apt-get -qq update || :
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
	install "$@" >/dev/null </dev/null || {
	echo "error: could not install all of: $*" >&2
	exit 1
}
