# SPDX-License-Identifier: GPL-2.0
#
# What the scripts of this directory share: where things are, and how the
# sparse tree becomes a git tree of the prepared kernel.  Sourced, not run.

set -eu

TOP=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${BUILD:-$TOP/build}
TREE=$BUILD/linux

# What may be part of the series; everything else drives it, such as Makefile.
SPARSE_PATHS='arch drivers fs include init kernel lib mm samples scripts tools
	Documentation Kconfig* MAINTAINERS* Makefile.patch'

# Patches must come out the same for everybody: keep the user's git settings
# out.  The first entry lets a checkout that another user owns be read.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_COUNT=4
export GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
export GIT_CONFIG_KEY_1=core.excludesFile GIT_CONFIG_VALUE_1=/dev/null
export GIT_CONFIG_KEY_2=core.attributesFile GIT_CONFIG_VALUE_2=/dev/null
export GIT_CONFIG_KEY_3=gc.auto GIT_CONFIG_VALUE_3=0
# The date of v6.1: what we write depends on nothing but the tree.
export GIT_AUTHOR_DATE='2022-12-11T14:15:18-08:00'
export GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
export GIT_AUTHOR_NAME=series GIT_AUTHOR_EMAIL=series@localhost
export GIT_COMMITTER_NAME=series GIT_COMMITTER_EMAIL=series@localhost
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

say() { echo "$*" >&2; }
die() { say "error: $*"; exit 1; }

need() { # TOOL...
	for tool; do
		command -v "$tool" >/dev/null ||
			die "$tool not found: run make deps"
	done
}

# Two runs at once must not work on one tree.  The lock goes when we exit.
lock() {
	need flock git
	[ -z "$(git -C "$TOP" ls-files -- "$BUILD" 2>/dev/null | head -n 1)" ] ||
		die "BUILD=$BUILD has files of the series: name a directory of its own"
	mkdir -p "$BUILD"
	# Wherever it is, nothing in it is part of the sparse tree.
	[ -e "$BUILD/.gitignore" ] || echo '*' >"$BUILD/.gitignore"
	exec 9>"$BUILD/.lock"
	flock -n 9 || {
		say "waiting for another run that works in $BUILD"
		flock 9
	}
	finish_interrupted
}

tree() { git -C "$TREE" "$@"; }

prepared() { [ -d "$TREE/.git" ]; }

# Whoever held the lock before may have been killed: what is half unpacked goes, and a
# tree that was being installed is installed.
finish_interrupted() {
	rm -rf "$BUILD"/.unpack.*
	prepared && tree rev-parse -q --verify refs/tags/installing >/dev/null || return 0
	rm -f "$TREE/.git/index.lock"
	save_edits
	install_commit
}

# What is neither as it was before the install nor as it will be is an edit since then.
save_edits() {
	for commit in applied installing; do
		tree diff --no-renames --name-only $commit | sort >"$tmp/not-$commit"
	done
	comm -12 "$tmp/not-applied" "$tmp/not-installing" >"$tmp/edits"
	[ -s "$tmp/edits" ] || return 0
	tree diff --no-renames installing >"$BUILD/interrupted.patch"
	say "note: an interrupted run is finished; edits since are in $BUILD/interrupted.patch"
}

# Files of the sparse tree, by their path in this repository.
sparse_files() {
	# shellcheck disable=SC2086 # the paths are meant to be split
	git -C "$TOP" ls-files -co --exclude-standard -- $SPARSE_PATHS |
	sort -u | while read -r file; do
		[ ! -f "$TOP/$file" ] || echo "$file"
	done
}

# Prints the id of the tree "base plus sparse tree".  It is made in an index of
# its own: nothing that anybody can see changes before everything has applied.
sparse_tree() {
	sparse_files >"$tmp/files"
	grep -v '\.patch$' "$tmp/files" >"$tmp/whole" || :
	sed -n 's/\.patch$//p' "$tmp/files" >"$tmp/patched"
	both=$(sort "$tmp/whole" "$tmp/patched" | uniq -d | head -n 1)
	[ -z "$both" ] || die "$both is there as a whole file and as a patch"

	rm -f "$tmp/index"
	(
		export GIT_INDEX_FILE="$tmp/index"
		tree read-tree base
		[ ! -s "$tmp/patched" ] || apply_patches
		cd "$TOP"
		git --git-dir="$TREE/.git" --work-tree="$TOP" \
			update-index --add --stdin <"$tmp/whole"
		tree write-tree
	)
}

# git apply takes all patches or none, and knows no fuzz.
apply_patches() {
	set --
	while read -r path; do
		set -- "$@" "$TOP/$path.patch"
	done <"$tmp/patched"
	if tree apply --cached --whitespace=nowarn "$@" 2>/dev/null; then
		tree apply --numstat "$@" | cut -f 3 | cmp -s - "$tmp/patched" &&
			return
	fi
	while read -r path; do
		why_not "$path"
	done <"$tmp/patched"
	die "the patches apply one by one but not together"
}

# Says which hunk of one patch does not apply, if it is this patch's fault.
why_not() { # PATH
	patch=$TOP/$1.patch
	target=$(tree apply --numstat "$patch" 2>/dev/null | cut -f 3)
	[ "$target" = "$1" ] ||
		die "$1.patch: not a patch of exactly $1"
	tree cat-file -e "base:$1" 2>/dev/null ||
		die "$1.patch: the base has no $1"
	tree read-tree base
	why=$(tree apply --cached --whitespace=nowarn "$patch" 2>&1) && return
	# git says "error: patch failed: PATH:LINE"; name the hunk as well.
	line=$(echo "$why" | sed -n 's/^error: patch failed: .*:\([0-9]*\)$/\1/p' |
		head -n 1)
	hunk=$(awk -v "line=$line" '/^@@ -/ {
			n++
			if ($2 ~ "^-" line "(,|$)") { print n " (" $2 " " $3 ")"; exit }
		}' "$patch")
	die "$1.patch: hunk ${hunk:-?} does not apply to the base"
}

# New files of the prepared tree.  Its .gitignore is no help: the one of
# Debian's package ignores everything.  checkpatch leaves a cache there.
new_files() {
	tree ls-files -o -x '*.orig' -x '*.rej' -x '*~' -x '.*.sw?' \
		-x '.checkpatch-camelcase.*'
}

# Paths that were edited in the prepared tree since the sparse tree was applied.
edited_files() {
	tree diff --no-renames --name-only applied
	new_files
}

# Makes tree $1 the content of the prepared tree, and touches only files that
# differ: a build goes on where it was.
install_tree() { # TREE
	tree update-ref refs/tags/installing \
		"$(tree commit-tree -p base -m 'The sparse tree' "$1")"
	tree add -u
	new_files | tree update-index --add --stdin
	install_commit
}

# The second half of it, which goes on where it was interrupted
install_commit() {
	tree read-tree --reset -u installing
	tree update-ref HEAD installing
	tree update-ref refs/tags/applied installing
	tree update-ref -d refs/tags/installing
}
