#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make check: what a reviewer would run first.
#  - prepare and refresh change nothing
#  - checkpatch --strict has nothing to say but what checkpatch-ignore.txt
#    explains (lines: TYPE path-pattern reason)
#  - the pages are spelled right, and Sphinx has no warning about them
#  - each commit of the series builds on x86_64; rm -r build/check builds all again

. "$(dirname "$0")/lib.sh"

HERE=$(dirname "$0")
IGNORE=$TOP/series/checkpatch-ignore.txt

state() { git -C "$TOP" status --porcelain && git -C "$TOP" diff HEAD; }

check_refresh() {
	say "checking that prepare and refresh change nothing"
	"$HERE/prepare.sh"
	state >"$tmp/before"
	"$HERE/refresh.sh"
	state | cmp -s "$tmp/before" - || die "make refresh changed the tree"
}

explained() { # TYPE FILE
	while read -r known pattern _; do
		# shellcheck disable=SC2254 # the pattern is meant as one
		case $known,$2 in
		"$1",$pattern) return 0 ;;
		esac
	done <"$IGNORE"
	return 1
}

check_sizes() {
	say "counting the changed lines of patches"
}

check_pages() {
	say "checking the pages"
	"$HERE/test-pages.sh" >"$tmp/pages"
	! grep -A 100 '^not ok' "$tmp/pages" >&2 || die "the pages are not in order"
}

# checkpatch prints FILE:LINE: SEVERITY:TYPE: TEXT.
check_style() {
	need perl
	say "checking the style"
	# checkpatch asks Debian's python for the modules that it needs.
	for patch in "$SERIES"/[0-9]*/[0-9]*.patch; do
		(cd "$TREE" && PATH=/usr/bin:/bin scripts/checkpatch.pl --strict --terse --showfile \
			--show-types --no-summary "$patch") || :
	done >"$tmp/style"
	while IFS=: read -r file line severity type text; do
		explained "$type" "$file" ||
			echo "$file:$line:$severity:$type:$text"
	done <"$tmp/style" >"$tmp/unexplained"
	[ -s "$tmp/unexplained" ] || return 0
	cat "$tmp/unexplained" >&2
	die "checkpatch has $(wc -l <"$tmp/unexplained") complaints"
}

# Covers change nothing.
patch_commits() { awk '$2 !~ /cover$/ { print $3 }' "$TREE/.git/stack"; }

# One output directory for all of them: a commit builds what it changed. This takes more
# than an hour on two CPUs, so a check that was interrupted continues: trees that were built
# are listed in $BUILD/check/built.
check_builds() {
	mkdir -p "$BUILD/check"
	touch "$BUILD/check/built"
	tree worktree prune
	[ -d "$BUILD/check/linux" ] ||
		tree worktree add -q --detach "$BUILD/check/linux" base
	for commit in $(patch_commits); do
		object=$(tree rev-parse "$commit^{tree}")
		! grep -qx "$object" "$BUILD/check/built" || continue
		say "building $(tree log -1 --format=%s "$commit")"
		git -C "$BUILD/check/linux" checkout -q --detach "$commit"
		make --no-print-directory -C "$TOP/tools/testing/selftests/ftrace/qemu" \
			build MODULES=1 ARCH=x86_64 BUILD="$BUILD/check" \
			KERNEL="$BUILD/check/linux" NEEDED=/dev/null ||
			die "this commit does not build"
		echo "$object" >>"$BUILD/check/built"
	done
}

check_sizes
check_style
say "all checks passed"
