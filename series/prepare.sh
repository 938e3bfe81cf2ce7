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

TARBALL=${TARBALL:-/usr/src/linux-source-6.1.tar.xz}
LINUX=${LINUX:-}

check_version() { # DIR
	[ -f "$1/Makefile" ] || die "$1 is no kernel tree"
	version=$(sed -n 's/^\(VERSION\|PATCHLEVEL\) = //p' "$1/Makefile" |
		paste -sd .)
	[ "$version" = 6.1 ] ||
		die "$1 is Linux $version; the series is for 6.1"
}

# How much a prepared tree takes
NEED_MB=3000

check_disk() {
	free=$(df -Pm "$BUILD" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge $NEED_MB ] ||
		die "$BUILD has $free MB left: the tree takes $NEED_MB MB, each kernel 400 MB more"
}

# The new tree appears under its name when it is complete.
unpack_base() {
	check_disk
	new=$(mktemp -d "$BUILD/.unpack.XXXXXX")
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
	[ -n "$LINUX" ] || tarball_stamp >"$new/.git/base-stamp"
	mv "$new" "$TREE"
}

base_name() { echo "${LINUX:-$TARBALL}"; }

tarball_stamp() { stat -c '%s %Y' "$TARBALL"; }

# A tarball that was updated does not by itself get into a tree that may have edits.
tell_new_base() {
	stamp=$TREE/.git/base-stamp
	[ -f "$stamp" ] && [ -f "$TARBALL" ] || return 0
	[ "$(tarball_stamp)" = "$(cat "$stamp")" ] ||
		say "note: $TARBALL has changed since $TREE was made of it: make clean takes the new one"
}

lock
if ! prepared; then
	unpack_base
elif [ -n "$LINUX" ] && [ "$(base_name)" != "$(cat "$TREE/.git/base-name")" ]; then
	die "$TREE was made from $(cat "$TREE/.git/base-name"): run make clean first"
else
	tell_new_base
fi

new=$(sparse_tree)
if [ "$new" != "$(tree rev-parse 'applied^{tree}')" ]; then
	[ -z "$(edited_files)" ] ||
		die "both the sparse tree and $TREE were edited: run make refresh, or make clean"
	install_tree "$new"
	say "applied $(wc -l <"$tmp/files") files of the sparse tree"
fi

if [ "${1:-}" = base ] && { [ ! -d "$BUILD/base/linux" ] || [ ! -e "$BUILD/base/.complete" ]; }; then
	say "checking out the unpatched base"
	rm -rf "$BUILD/base/linux"
	tree worktree prune
	tree -c checkout.workers=0 worktree add -q --detach "$BUILD/base/linux" base
	: >"$BUILD/base/.complete"
fi
