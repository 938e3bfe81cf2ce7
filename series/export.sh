#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make series: writes one patch for each NNNN-subject.txt of this directory to
# build/series, ready to be mailed.  Such a file holds the subject, an empty
# line, the message with its trailers, a line "---", and the paths that the
# commit carries, one per line (a directory ends in a slash).
#
# Each file of the sparse tree is carried by exactly one commit, but commits may
# share a patch: the numbers of its hunks follow the path then.

. "$(dirname "$0")/lib.sh"

SERIES=$TOP/series

# What commits carry is counted in hunks: prints "path 1", "path 2", ... for a
# patch, "path 0" for a whole file.
hunks() { # PATH
	if [ ! -f "$TOP/$1.patch" ]; then
		echo "$1 0"
	else
		awk -v "path=$1" '/^@@ -/ { print path, ++n }' "$TOP/$1.patch"
	fi
}

# The hunks that a description carries, by their path in the kernel.
carried() { # DESCRIPTION
	sed '1,/^---$/d' "$1" | while read -r path numbers; do
		case $path in
		'') ;;
		*/) sed -n "s|^$path|&|p" "$tmp/all" ;;
		*) echo "$path${numbers:+ $numbers}" ;;
		esac
	done | while read -r path numbers; do
		if [ -z "$numbers" ]; then
			hunks "$path"
		else
			printf "$path %s\\n" $numbers
		fi
	done
}

check_carried() {
	for description in "$SERIES"/[0-9]*.txt; do
		name=${description##*/}
		grep -q '^---$' "$description" || die "$name has no line ---"
		grep -q '^Signed-off-by: .* <.*>$' "$description" ||
			die "$name has no Signed-off-by"
		carried "$description" | sort >"$tmp/carried"
		unknown=$(comm -23 "$tmp/carried" "$tmp/all.hunks" | head -n 1)
		[ -z "$unknown" ] || die "$name lists $unknown, which is not there"
		cat "$tmp/carried" >>"$tmp/carried.all"
	done
	sort "$tmp/carried.all" >"$tmp/carried"
	twice=$(uniq -d "$tmp/carried" | head -n 1)
	[ -z "$twice" ] || die "$twice is listed twice in series/*.txt"
	never=$(comm -13 "$tmp/carried" "$tmp/all.hunks" | head -n 1)
	[ -z "$never" ] || die "$never is in no series/*.txt"
}

# Puts the base's file with the hunks that were carried so far into the index.
patch_file() { # PATH
	tree ls-tree base -- "$1" | tree update-index --index-info
	awk -v "path=$1" '
		NR == FNR { if ($1 == path) carried[$2] = 1; next }
		/^@@ -/ { n++ }
		!n || n in carried
	' "$tmp/so.far" "$TOP/$1.patch" >"$tmp/some.patch"
	tree apply --cached --recount "$tmp/some.patch" ||
		die "hunks $(grep "^$1 " "$tmp/so.far" | cut -d ' ' -f 2 |
			paste -sd ' ') of $1.patch do not apply alone"
}

# Sets $parent to the commit that puts what it carries on top of $parent.
commit() { # DESCRIPTION
	author=$(sed -n 's/^Signed-off-by: //p' "$1" | head -n 1)
	export GIT_AUTHOR_NAME="${author% <*}"
	GIT_AUTHOR_EMAIL=${author##*<}
	export GIT_AUTHOR_EMAIL="${GIT_AUTHOR_EMAIL%>}"
	export GIT_INDEX_FILE="$tmp/series.index"
	tree read-tree "$parent"
	carried "$1" | tee -a "$tmp/so.far" | cut -d ' ' -f 1 | sort -u \
		>"$tmp/paths"
	while read -r path; do
		if [ -f "$TOP/$path.patch" ]; then
			patch_file "$path"
		else
			tree ls-tree "$new" -- "$path" |
				tree update-index --index-info
		fi
	done <"$tmp/paths"
	parent=$(sed '/^---$/,$d' "$1" | tree commit-tree -p "$parent" -F - \
		"$(tree write-tree)")
	unset GIT_INDEX_FILE
}

lock
prepared || die "$TREE is not there: run make prepare"
set -- "$SERIES"/[0-9]*.txt
[ -f "$1" ] || die "there is no series/NNNN-subject.txt"

new=$(sparse_tree)
sort "$tmp/whole" "$tmp/patched" >"$tmp/all"
while read -r path; do
	hunks "$path"
done <"$tmp/all" | sort >"$tmp/all.hunks"
check_carried

parent=$(tree rev-parse 'base^{commit}')
for description; do
	commit "$description"
done
tree update-ref refs/tags/exported "$parent"
[ "$(tree rev-parse 'exported^{tree}')" = "$new" ] ||
	die "the series does not add up to the sparse tree"

tree format-patch -q --no-signature --zero-commit --no-renames --abbrev=12 \
	--diff-algorithm=myers -o "$tmp/series" base..exported
rm -rf "$BUILD/series"
mv "$tmp/series" "$BUILD/series"
chmod 755 "$BUILD/series"
say "wrote $# patches to $BUILD/series"
