# SPDX-License-Identifier: GPL-2.0
#
# Shared by the scripts of this directory.  Sourced, not run.
#
# In build/linux, a git repository, the tag "base" is the base, and the commits of the
# series follow it on the branch "series".  A topic begins with its cover, an empty commit:
# its subject is "cover: NN-name: Title", its body the cover letter.  The tag "applied" is
# the last commit that make prepare applied or make refresh wrote.  .git/stack contains a
# line for each cover and patch up to there: the hash of its file, the name of the file
# (NN-name/cover, NN-name/0001-subject.patch), and the commit.

set -eu

TOP=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${BUILD:-$TOP/build}
TREE=$BUILD/linux
SERIES=$TOP/series

# Patches must come out the same for everybody: keep the user's git settings
# and language out.  The first entry lets a checkout that another user owns be read.
export LC_ALL=C.UTF-8
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

# An earlier run may have been killed: a tree that was being unpacked is removed, and a
# stack that was being installed is installed.
finish_interrupted() {
	rm -rf "$BUILD"/.unpack.* "$BUILD/.am"
	prepared && tree rev-parse -q --verify refs/tags/installing >/dev/null || return 0
	rm -f "$TREE/.git/index.lock"
	save_edits
	install_commit
}

# A file that is neither as before the install nor as after it was edited since then.
save_edits() {
	for commit in applied installing; do
		tree diff --no-renames --name-only $commit | sort >"$tmp/not-$commit"
	done
	comm -12 "$tmp/not-applied" "$tmp/not-installing" >"$tmp/edits"
	[ -s "$tmp/edits" ] || return 0
	tree diff --no-renames installing >"$BUILD/interrupted.patch"
	say "note: an interrupted run is finished; edits since are in $BUILD/interrupted.patch"
}

# Prints the hash and the name of each cover and patch of the stack, in order.
stack_files() { # DIR
	for file in "$1"/*.patch; do
		[ ! -e "$file" ] || die "series/${file##*/} is in no topic: move it to a folder"
	done
	for topic in "$1"/[0-9]*/; do
		for file in "${topic}cover" "$topic"[0-9]*.patch; do
			[ -s "$file" ] ||
				die "series/${file#"$1"/} is missing or empty: a topic is a folder with a cover and patches"
			echo "$(git hash-object --no-filters "$file") ${file#"$1"/}"
		done
	done
}

# The same, of the commits in build/linux
stack_applied() { cut -d ' ' -f 1,2 "$TREE/.git/stack" 2>/dev/null || :; }

# Leaves the lines of stack_files in $tmp/files.
check_applied() {
	prepared || die "$TREE is not there: run make prepare"
	stack_files "$SERIES" >"$tmp/files"
	stack_applied | cmp -s - "$tmp/files" ||
		die "series/ changed since make prepare: run make prepare first"
}

# Prints the name of each topic, its cover and its last commit.
topics() { # COMMIT
	tree log --reverse --format='%H %s' "base..$1" | awk '
		$2 == "cover:" {
			if (name) print name, cover, last
			name = $3
			sub(/:$/, "", name)
			cover = $1
		}
		{ last = $1 }
		END { if (name) print name, cover, last }'
}

# Prints the cover letter: title, blank line, body.
cover_letter() { # COMMIT
	text=$(tree log -1 --format=%B "$1")
	echo "$text" | sed '1s/^cover: [^ ]*: //'
}

# New files of the prepared tree.  Its .gitignore is no help: the one of
# Debian's package ignores everything.  checkpatch leaves a cache there.
new_files() {
	tree ls-files -o -x '*.orig' -x '*.rej' -x '*~' -x '.*.sw?' \
		-x '.checkpatch-camelcase.*'
}

# Paths that differ from the last commit
edited_files() {
	tree diff --no-renames --name-only HEAD
	new_files
}

# Makes a commit what the prepared tree contains, and touches only files that differ: a
# build goes on where it was.  The new .git/stack is in $tmp/stack.
install_stack() { # COMMIT
	cp "$tmp/stack" "$TREE/.git/stack.installing"
	tree update-ref refs/tags/installing "$1"
	install_commit
}

# The second half of it, which goes on where it was interrupted
install_commit() {
	tree read-tree --reset -u installing
	tree update-ref HEAD installing
	tree update-ref refs/tags/applied installing
	[ ! -e "$TREE/.git/stack.installing" ] ||
		mv "$TREE/.git/stack.installing" "$TREE/.git/stack"
	tree update-ref -d refs/tags/installing
}
