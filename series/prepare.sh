#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make prepare: unpacks the base kernel into build/linux as a git repository, and applies
# the stack, series/*/*.patch.  If build/linux exists, only the patches from the first one
# that changed are applied again.
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
	: >"$new/.git/stack"
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

# The first patches that did not change stay applied: prints the commit of the last one,
# and puts their lines into $tmp/stack.
keep_stack() {
	: >"$tmp/stack"
	kept=$(tree rev-parse base)
	touch "$TREE/.git/stack"
	paste -d ' ' "$tmp/files" "$TREE/.git/stack" |
	while read -r hash name old_hash old_name commit; do
		[ "$hash $name" = "$old_hash $old_name" ] || break
		echo "$hash $name $commit" >>"$tmp/stack"
	done
	[ ! -s "$tmp/stack" ] || kept=$(tail -n 1 "$tmp/stack" | cut -d ' ' -f 3)
	echo "$kept"
}

# A work tree of the files that patches touch: nothing that anybody can see changes before
# all patches have applied.
make_am_tree() { # COMMIT
	tree worktree prune
	tree worktree add -q --no-checkout --detach "$BUILD/.am" "$1"
	sed -n 's|^diff --git a/.* b/|/|p' "$SERIES"/[0-9]*/[0-9]*.patch |
		sort -u | git -C "$BUILD/.am" sparse-checkout set --no-cone --stdin
	git -C "$BUILD/.am" checkout -q
}

am() { # PATCH...
	git -C "$BUILD/.am" am -q --whitespace=nowarn --keep-cr "$@" >"$tmp/am" 2>&1
}

# The number of the patch where git am stopped
failed_patch() {
	cat "$(git -C "$BUILD/.am" rev-parse --git-path rebase-apply/next)" 2>/dev/null || echo 1
}

# git am makes no empty commit.
make_cover() { # NAME
	sed "1s/^/cover: ${1%/cover}: /" "$SERIES/$1" |
		git -C "$BUILD/.am" commit -q --allow-empty --cleanup=whitespace -F -
}

# git says "error: patch failed: PATH:LINE"; name the hunk as well.
why_not() { # PATCH
	failed=$(sed -n 's/^error: patch failed: //p' "$tmp/am" | head -n 1)
	[ -n "$failed" ] ||
		die "${1#"$TOP"/} does not apply: $(grep -m 1 '^error' "$tmp/am")"
	hunk=$(awk -v "path=${failed%:*}" -v "line=${failed##*:}" '
		/^diff --git / { inside = $NF == "b/" path; n = 0 }
		inside && /^@@ -/ {
			n++
			if ($2 ~ "^-" line "(,|$)") { print n " (" $2 " " $3 ")"; exit }
		}' "$1")
	die "${1#"$TOP"/}: ${failed%:*}: hunk ${hunk:-?} does not apply"
}

# Applies the patches of one topic in $tmp/patches.  A git am for each of them takes twice
# the time.
apply_patches() {
	set --
	while read -r _ patch; do
		set -- "$@" "$SERIES/$patch"
	done <"$tmp/patches"
	[ $# -gt 0 ] || return 0
	before=$(git -C "$BUILD/.am" rev-parse HEAD)
	am "$@" || {
		shift $(($(failed_patch) - 1))
		why_not "$1"
	}
	git -C "$BUILD/.am" rev-list --reverse "$before..HEAD" |
		paste -d ' ' "$tmp/patches" - >>"$tmp/stack"
	: >"$tmp/patches"
}

apply_stack() {
	if [ -n "$(edited_files)" ] || [ "$(tree rev-parse HEAD)" != "$(tree rev-parse applied)" ]; then
		die "series/ changed, and so did $TREE: save its commits and edits, run git reset --hard applied there, and make prepare again"
	fi
	make_am_tree "$(keep_stack)"
	tail -n "+$(($(wc -l <"$tmp/stack") + 1))" "$tmp/files" >"$tmp/todo"
	: >"$tmp/patches"
	while read -r hash name; do
		case $name in
		*/cover)
			apply_patches
			make_cover "$name"
			echo "$hash $name $(git -C "$BUILD/.am" rev-parse HEAD)" >>"$tmp/stack"
			;;
		*) echo "$hash $name" >>"$tmp/patches" ;;
		esac
	done <"$tmp/todo"
	apply_patches
	install_stack "$(git -C "$BUILD/.am" rev-parse HEAD)"
	tree worktree remove --force "$BUILD/.am"
	say "applied $(grep -c 'patch$' "$tmp/todo") of $(grep -c 'patch$' "$tmp/files") patches"
}

lock
if ! prepared; then
	unpack_base
elif [ -n "$LINUX" ] && [ "$(base_name)" != "$(cat "$TREE/.git/base-name")" ]; then
	die "$TREE was made from $(cat "$TREE/.git/base-name"): run make clean first"
else
	tell_new_base
fi

stack_files "$SERIES" >"$tmp/files"
stack_applied >"$tmp/applied"
cmp -s "$tmp/files" "$tmp/applied" || apply_stack

if [ "${1:-}" = base ] && { [ ! -d "$BUILD/base/linux" ] || [ ! -e "$BUILD/base/.complete" ]; }; then
	say "checking out the unpatched base"
	rm -rf "$BUILD/base/linux"
	tree worktree prune
	tree -c checkout.workers=0 worktree add -q --detach "$BUILD/base/linux" base
	: >"$BUILD/base/.complete"
fi
