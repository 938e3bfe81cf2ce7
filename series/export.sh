#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make series: writes one patch for each NNNN-subject.txt of this directory to
# build/series, ready to be mailed.  Such a file holds the subject, an empty
# line, the message with its trailers, a line "---", and the paths that the
# commit carries, one per line (a directory ends in a slash).  Each file of the
# sparse tree is carried by exactly one commit.

. "$(dirname "$0")/lib.sh"

SERIES=$TOP/series

# The files that a description carries, by their path in the kernel.
carried() { # DESCRIPTION
	sed '1,/^---$/d' "$1" | while read -r path; do
		case $path in
		'') ;;
		*/) grep "^$path" "$tmp/all" || echo "$path" ;;
		*) echo "$path" ;;
		esac
	done
}

check_carried() {
	for description in "$SERIES"/[0-9]*.txt; do
		name=${description##*/}
		grep -q '^---$' "$description" || die "$name has no line ---"
		grep -q '^Signed-off-by: .* <.*>$' "$description" ||
			die "$name has no Signed-off-by"
		carried "$description" | sort >"$tmp/carried"
		unknown=$(comm -23 "$tmp/carried" "$tmp/all" | head -n 1)
		[ -z "$unknown" ] || die "$name lists $unknown, which is not there"
		cat "$tmp/carried" >>"$tmp/carried.all"
	done
	sort "$tmp/carried.all" >"$tmp/carried"
	twice=$(uniq -d "$tmp/carried" | head -n 1)
	[ -z "$twice" ] || die "$twice is listed twice in series/*.txt"
	never=$(comm -13 "$tmp/carried" "$tmp/all" | head -n 1)
	[ -z "$never" ] || die "$never is in no series/*.txt"
}

# Prints the id of the commit that puts what it carries on top of $parent.
commit() { # DESCRIPTION
	author=$(sed -n 's/^Signed-off-by: //p' "$1" | head -n 1)
	export GIT_AUTHOR_NAME="${author% <*}"
	GIT_AUTHOR_EMAIL=${author##*<}
	export GIT_AUTHOR_EMAIL="${GIT_AUTHOR_EMAIL%>}"
	export GIT_INDEX_FILE="$tmp/series.index"
	tree read-tree "$parent"
	carried "$1" | while read -r path; do
		tree ls-tree "$new" -- "$path"
	done | tree update-index --index-info
	sed '/^---$/,$d' "$1" | tree commit-tree -p "$parent" -F - \
		"$(tree write-tree)"
}

lock
prepared || die "$TREE is not there: run make prepare"
set -- "$SERIES"/[0-9]*.txt
[ -f "$1" ] || die "there is no series/NNNN-subject.txt"

new=$(sparse_tree)
sort "$tmp/whole" "$tmp/patched" >"$tmp/all"
check_carried

parent=$(tree rev-parse 'base^{commit}')
for description; do
	parent=$(commit "$description")
done
tree update-ref refs/tags/exported "$parent"

tree format-patch -q --no-signature --zero-commit --no-renames --abbrev=12 \
	--diff-algorithm=myers -o "$tmp/series" base..exported
rm -rf "$BUILD/series"
mv "$tmp/series" "$BUILD/series"
chmod 755 "$BUILD/series"
say "wrote $# patches to $BUILD/series"
