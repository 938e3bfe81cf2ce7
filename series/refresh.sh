#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make refresh: brings edits that were made in build/linux back to the sparse
# tree.  A new file is copied, a file of the base becomes a patch, an edit that
# was undone goes away.  Every patch comes out in one canonical form.

. "$(dirname "$0")/lib.sh"

in_base() { tree cat-file -e "base:$1" 2>/dev/null; }

# Nothing but the lines that patch needs: no index line, no modes.
canonical_patch() { # PATH
	tree diff --no-color --no-ext-diff --no-renames --unified=3 \
		--diff-algorithm=myers --no-indent-heuristic \
		--src-prefix=a/ --dst-prefix=b/ base -- "$1" |
	sed -n '/^--- /,$p'
}

# An unchanged file keeps its time stamp, a changed one is replaced.
update() { # FROM TO
	! cmp -s "$1" "$2" || return 0
	mkdir -p "$(dirname "$2")"
	rm -f "$2"
	cp "$1" "$2"
	say "updated ${2#"$TOP"/}"
}

remove() { # PATH
	grep -qxF "$1" "$tmp/files" || return 0
	rm -f "$TOP/$1"
	say "removed $1"
}

is_whole() { grep -qxF "$1" "$tmp/whole"; } # PATH

refresh() { # PATH
	if [ ! -e "$TREE/$1" ]; then
		remove "$1"
	elif ! in_base "$1"; then
		update "$TREE/$1" "$TOP/$1"
	elif tree diff --quiet base -- "$1"; then
		remove "$1"
		remove "$1.patch"
	elif is_whole "$1"; then
		update "$TREE/$1" "$TOP/$1"
	else
		canonical_patch "$1" >"$tmp/patch"
		update "$tmp/patch" "$TOP/$1.patch"
	fi
}

lock
prepared || die "$TREE is not there: run make prepare"

# Look before writing: what cannot be brought back stops us here.
new=$(sparse_tree)
edited_files | sort -u >"$tmp/edited"
tree diff --no-renames --name-only applied "$new" | sort >"$tmp/changed"
both=$(comm -12 "$tmp/edited" "$tmp/changed" | head -n 1)
[ -z "$both" ] ||
	die "$both was edited in $TREE and in the sparse tree: undo one of the edits"
while read -r path; do
	[ -e "$TREE/$path" ] || ! in_base "$path" ||
		die "$path: the sparse tree cannot delete a file of the base"
done <"$tmp/edited"

# A patch that only changed in the sparse tree is not in build/linux yet.
sort -u "$tmp/edited" "$tmp/patched" | comm -23 - "$tmp/changed" >"$tmp/todo"
while read -r path; do
	refresh "$path"
done <"$tmp/todo"
new=$(sparse_tree)
install_tree "$new"
