#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make prepare: unpacks the base kernel into build/linux as a git repository
# (tag base) and applies the sparse tree to it (tag applied).  With a tree that
# is there already it brings only changes of the sparse tree over.
#
# prepare.sh base: makes build/base/linux, too, the base without the series.
#
# LINUX=dir takes the base from there (any 6.1.y) instead of Debian's package.

. "$(dirname "$0")/lib.sh"

TARBALL=/usr/src/linux-source-6.1.tar.xz
LINUX=${LINUX:-}

check_version() { # DIR
	[ -f "$1/Makefile" ] || die "$1 is no kernel tree"
	version=$(sed -n 's/^\(VERSION\|PATCHLEVEL\) = //p' "$1/Makefile" |
		paste -sd .)
	[ "$version" = 6.1 ] ||
		die "$1 is Linux $version; the series is for 6.1"
}

# The new tree appears under its name when it is complete.
unpack_base() {
	new=$(mktemp -d "$BUILD/linux.XXXXXX")
	trap 'rm -rf "$tmp" "$new"' EXIT
	chmod 755 "$new"
	if [ -n "$LINUX" ]; then
		check_version "$LINUX"
		say "copying $LINUX"
		tar -C "$LINUX" --exclude=./.git -cf - . | tar -C "$new" -xf -
	else
		[ -f "$TARBALL" ] ||
			die "$TARBALL not found: run make deps, or give LINUX=dir"
		need xz
		say "unpacking $TARBALL"
		tar -C "$new" --strip-components=1 -I 'xz -T0' -xf "$TARBALL"
	fi
	check_version "$new"

	say "committing the base"
	git -C "$new" init -q -b series
	# Two thirds of the time goes to compression and to single object files:
	# write one pack, uncompressed.
	git -C "$new" -c core.compression=0 -c core.bigFileThreshold=1 add -A -f
	git -C "$new" commit -q -m 'The base'
	git -C "$new" tag base
	git -C "$new" tag applied
	# Hunk headers as plain diff makes them; git's own change with versions.
	echo '* !diff' >"$new/.git/info/attributes"
	base_name >"$new/.git/base-name"
	mv "$new" "$TREE"
}

base_name() { echo "${LINUX:-$TARBALL}"; }

lock
if ! prepared; then
	unpack_base
elif [ -n "$LINUX" ] && [ "$(base_name)" != "$(cat "$TREE/.git/base-name")" ]; then
	die "$TREE was made from $(cat "$TREE/.git/base-name"): run make clean first"
fi

new=$(sparse_tree)
if [ "$new" != "$(tree rev-parse 'applied^{tree}')" ]; then
	[ -z "$(edited_files)" ] ||
		die "both the sparse tree and $TREE were edited: run make refresh, or make clean"
	install_tree "$new"
	say "applied $(wc -l <"$tmp/files") files of the sparse tree"
fi

if [ "${1:-}" = base ] && [ ! -d "$BUILD/base/linux" ]; then
	say "checking out the unpatched base"
	tree worktree prune
	tree -c checkout.workers=0 worktree add -q --detach "$BUILD/base/linux" base
fi
