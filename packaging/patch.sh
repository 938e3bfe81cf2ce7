#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# patch.sh: writes the series as one patch for patch and git apply, and tries it on the base.
# It lacks the binary files, which are input of tests: patch cannot create them.
#
# patch.sh revisions: says whether the patch applies to each revision of Debian's package
# linux-source-6.1.

. "$(dirname "$0")/lib.sh"

TESTS=tools/testing/selftests/ftrace/signatures

series_diff() { # ARG...
	tree diff --no-renames "$@" base applied -- . ":!$TESTS/regressions" ":!$TESTS/seeds"
}

write_patch() {
	echo "fgraph $version for Linux $base. In the kernel tree: xzcat FILE | patch -p1"
	echo
	series_diff
}

try_patch() { # FUZZ
	patch -d "$dir" -p1 -f --dry-run -F "$1" <"$tmp/series.patch" >"$tmp/said" 2>&1
}

failed_files() {
	awk '/^checking file / { file = $3 } /FAILED/ || /find file to patch/ { print file }' \
		"$tmp/said" | sort -u | paste -sd ' '
}

# Says how the patch applies to the files in $dir.
verdict() {
	if try_patch 0; then
		echo applies
	elif try_patch 2; then
		echo "applies with fuzz"
	else
		echo "fails: $(failed_files)"
	fi
}

try_base() {
	tree read-tree --index-output="$tmp/index" base
	GIT_INDEX_FILE=$tmp/index tree checkout-index --prefix="$dir/" --stdin <"$tmp/files"
	said=$(verdict)
	[ "$said" = applies ] || die "$patch, on the base, $said"
	GIT_CEILING_DIRECTORIES=$BUILD git -C "$dir" apply --check "$tmp/series.patch" ||
		die "$patch: git apply refuses it on the base"
}

# Only the files that the patch changes leave the package.
unpack() { # PACKAGE
	sed 's|^|linux-source-6.1/|' "$tmp/files" >"$tmp/members"
	dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/src/linux-source-6.1.tar.xz |
		xz -dcT0 | tar -xC "$dir" --strip-components=1 -T "$tmp/members"
}

try_revision() { # VERSION
	rm -rf "${dir:?}"/*
	if ! (cd "$dir" && apt-get -qq download "linux-source-6.1=$1") 2>"$tmp/said"; then
		echo "not available"
	elif ! unpack "$dir"/*.deb 2>"$tmp/said"; then
		echo "cannot be unpacked: $(head -n 1 "$tmp/said")"
	else
		verdict
	fi
}

need patch xz
check_applied
dir=$(mktemp -d "$BUILD/.patched.XXXXXX")
trap 'rm -rf "$tmp" "$dir"' EXIT
patch=$BUILD/patch-$base-fgraph$version.patch
write_patch >"$tmp/series.patch"
series_diff --name-only --diff-filter=a >"$tmp/files"
if [ "${1:-}" = revisions ]; then
	need apt-cache dpkg-deb
	apt-cache madison linux-source-6.1 | awk '$5 != "Sources" && !seen[$3]++ { print $3 }' |
	while read -r revision; do
		echo "$revision  $(try_revision "$revision" </dev/null)"
	done
else
	try_base
	xz -9 <"$tmp/series.patch" >"$patch.xz.new"
	mv "$patch.xz.new" "$patch.xz"
	du -h "$patch.xz"
fi
