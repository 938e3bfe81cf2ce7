#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test: prepare and refresh on a miniature base and stack, and what they and the
# harness say to bad input.  Prints "ok NAME" or "not ok NAME".

set -u

TOP=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

sparse=$tmp/sparse
linux=$sparse/build/linux
export GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
build=${BUILD:-$TOP/build}
# These must not inherit the goals of the make that started this script.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL BUILD LINUX ARCH FLAVOR BASE SCRIPT

result() { # STATUS NAME
	if [ "$1" -eq 0 ]; then
		echo "ok host tree $2"
	else
		echo "not ok host tree $2"
		sed 's/^/# /' "$tmp/stderr"
	fi
}

passes() { # NAME COMMAND...
	name=$1
	shift
	"$@" >/dev/null 2>"$tmp/stderr"
	result $? "$name"
}

# The command fails, and says why in one line.  That make says so, too, is make.
refuses() { # NAME PATTERN COMMAND...
	name=$1
	pattern=$2
	shift 2
	"$@" >/dev/null 2>"$tmp/stderr" && status=1 || status=0
	[ "$(grep -vc '^make.*: \*\*\* \[' "$tmp/stderr")" -eq 1 ] &&
		grep -q -- "$pattern" "$tmp/stderr" || status=1
	result $status "$name"
}

# Two functions far enough apart for two hunks.
make_file() { # FILE
	mkdir -p "$(dirname "$1")"
	for i in $(seq 20); do
		echo "int line_$i;"
	done >"$1"
}

make_base() { # DIR VERSION PATCHLEVEL
	mkdir -p "$1"
	printf 'VERSION = %d\nPATCHLEVEL = %d\n' "$2" "$3" >"$1/Makefile"
	make_file "$1/kernel/patched.c"
	make_file "$1/kernel/replaced.c"
	make_file "$1/kernel/untouched.c"
}

# Four patches: two of them change one file.
make_stack() {
	mkdir -p "$sparse/series"
	cp "$TOP"/series/*.sh "$sparse/series"
	printf '/build/\n' >"$sparse/.gitignore"
	git init -q "$sparse"
	cp -R "$tmp/base" "$tmp/stack"
	(
		cd "$tmp/stack" && git init -q && git add -A && git commit -q -m base &&
		echo 'int new;' >kernel/new.c && git add -A && git commit -q -m 'A new file' &&
		echo 'int ours;' >kernel/replaced.c && git commit -qa -m 'A file of ours' &&
		sed -i 's/line_10;/ten;/' kernel/patched.c && git commit -qa -m 'The middle' &&
		sed -i -e 's/line_3;/three;/' -e 's/line_17;/seventeen;/' kernel/patched.c &&
		git commit -qa -m 'Both ends' &&
		git format-patch -q --zero-commit --no-signature --no-stat --no-numbered \
			--abbrev=12 -o "$sparse/series" HEAD~4
	)
}

prepare() { LINUX=$tmp/base "$sparse/series/prepare.sh"; }
refresh() { "$sparse/series/refresh.sh"; }
state() { (cd "$1" && find kernel series -type f -exec sha1sum {} + 2>/dev/null | sort); }
changed() { state "$sparse" | diff "$tmp/before" - | sed -n 's/^[<>].* //p' | sort -u; }
inside() { git -C "$linux" "$@"; }
last=$sparse/series/0004-Both-ends.patch

applied() {
	grep -q 'int three;' "$linux/kernel/patched.c" &&
	grep -q 'int ten;' "$linux/kernel/patched.c" &&
	grep -q 'int seventeen;' "$linux/kernel/patched.c" &&
	grep -q 'int new;' "$linux/kernel/new.c" &&
	[ "$(cat "$linux/kernel/replaced.c")" = 'int ours;' ]
}

# New files and mostly new ones as they are, others as a patch without an index line
written() {
	cmp "$sparse/kernel/new.c" "$linux/kernel/new.c" &&
	cmp "$sparse/kernel/replaced.c" "$linux/kernel/replaced.c" &&
	grep -q '^+int ten;' "$sparse/kernel/patched.c.patch" &&
	! grep -qE '^(diff|index)' "$sparse/kernel/patched.c.patch" &&
	[ "$(cd "$sparse" && find kernel -type f | wc -l)" -eq 3 ]
}

round_trip() {
	state "$sparse" >"$tmp/before"
	prepare && refresh && [ -z "$(changed)" ]
}

# A file that did not change is not written, so a build has nothing to do.
incremental() {
	find "$linux/kernel" -exec touch -d 2001-01-01 {} +
	first=$(inside rev-parse HEAD~1)
	sed -i 's/^+int seventeen;/+int Seventeen;/' "$last"
	prepare && grep -q Seventeen "$linux/kernel/patched.c" &&
	[ "$(inside rev-parse HEAD~1)" = "$first" ] &&
	[ "$(find "$linux/kernel" -type f -newermt 2002-01-01)" = \
		"$linux/kernel/patched.c" ] &&
	sed -i 's/^+int Seventeen;/+int seventeen;/' "$last" && prepare && applied && refresh
}

edit_third_patch() {
	state "$sparse" >"$tmp/before"
	cp "$last" "$tmp/last"
	sed -i 's/int ten;/int ten, eleven;/' "$linux/kernel/patched.c" &&
	inside commit -qa --fixup=HEAD~1 &&
	GIT_SEQUENCE_EDITOR=: inside rebase -q -i --autosquash base
}

# A later patch of the same file differs in its context and in its index line only.
fixup() {
	edit_third_patch && refresh &&
	[ "$(changed | tr '\n' ' ')" = \
		'kernel/patched.c.patch series/0003-The-middle.patch series/0004-Both-ends.patch ' ] &&
	grep -q '^+int ten, eleven;' "$sparse/series/0003-The-middle.patch" &&
	[ -z "$(diff "$tmp/last" "$last" | sed -n 's/^[<>] //p' |
		grep -vE '^(index|@@|  *int ten)')" ] &&
	state "$sparse" >"$tmp/before" && refresh && [ -z "$(changed)" ]
}

new_patch_and_back() {
	state "$sparse" >"$tmp/before"
	sed -i 's/line_10;/ten;/' "$linux/kernel/untouched.c" &&
	inside commit -qa -m 'One more' && refresh &&
	[ -e "$sparse/series/0005-One-more.patch" ] &&
	grep -q '^+int ten;' "$sparse/kernel/untouched.c.patch" &&
	inside reset -q --hard HEAD~1 && refresh && [ -z "$(changed)" ]
}

unchanged_by_refused_patch() {
	state "$linux" >"$tmp/before"
	cp "$last" "$tmp/last"
	sed -i 's/^ int line_16;/ int sixteen;/' "$last"
	refuses 'a hunk that does not apply is named' \
		"series/${last##*/}: kernel/patched.c: hunk 2 (-14,7 +14,7) does not apply" prepare
	state "$linux" | cmp - "$tmp/before"
	result $? 'a hunk that does not apply leaves nothing half done'
	cp "$tmp/last" "$last"
}

make_base "$tmp/base" 6 1
make_base "$tmp/other" 6 5
make_stack

refuses 'a base of another version is refused' 'other is Linux 6.5' \
	env LINUX="$tmp/other" "$sparse/series/prepare.sh"
[ ! -e "$linux" ]
result $? 'a base of another version leaves nothing half done'
refuses 'a directory that is no kernel is refused' 'no kernel tree' \
	env LINUX="$tmp" "$sparse/series/prepare.sh"
refuses 'refresh wants a prepared tree' 'run make prepare' refresh

passes 'prepare applies patches' prepare
applied
result $? 'prepare applied all of them'
passes 'refresh writes the sparse tree' refresh
passes 'a new file is whole, a changed one a patch' written
passes 'prepare and refresh change nothing' round_trip
passes 'prepare touches only what changed' incremental
passes 'a fixup of the third patch changes what it must' fixup
passes 'a patch is added and removed' new_patch_and_back
unchanged_by_refused_patch
passes 'prepare goes on once the hunk applies' prepare

echo 'int edited;' >>"$linux/kernel/patched.c"
passes 'prepare leaves edits alone' prepare
grep -q 'int edited;' "$linux/kernel/patched.c"
result $? 'the edit is still there'
refuses 'refresh refuses edits that are in no commit' 'git commit --fixup=' refresh
inside commit -qa --fixup=HEAD
refuses 'refresh refuses a fixup that is a commit of its own' 'autosquash base$' refresh
cp "$last" "$tmp/last"
sed -i 's/seventeen/Seventeen/' "$last"
refuses 'prepare stops when both sides changed' 'git reset --hard applied' prepare
inside reset -q --hard applied
refuses 'refresh stops when the stack changed' 'run make prepare first' refresh
cp "$tmp/last" "$last"
inside rm -q kernel/untouched.c
inside commit -qm 'Remove a file'
refuses 'the series cannot delete a file of the base' 'untouched.c: ' refresh
inside reset -q --hard applied
mkdir "$linux/.git/rebase-merge"
refuses 'refresh refuses a rebase that is not finished' 'is not finished' refresh
rmdir "$linux/.git/rebase-merge"

cp -R "$tmp/base" "$tmp/second"
refuses 'another base than the prepared one is refused' 'make clean' \
	env LINUX="$tmp/second" "$sparse/series/prepare.sh"

# The messages of make, as users call it: the miniature tree with the real Makefile
make_in() { # DIR ARG...
	dir=$1
	shift
	make --no-print-directory -C "$dir" "$@"
}

build_elsewhere() {
	make_in "$sparse" prepare BUILD=kernel/out LINUX=../base &&
	[ -f "$sparse/kernel/out/linux/kernel/patched.c" ] &&
	make_in "$sparse" refresh BUILD=kernel/out &&
	[ "$(git -C "$sparse" ls-files -co --exclude-standard kernel/out)" = '' ]
}

asks_for_no_package() {
	make_in "$TOP" -n deps >"$tmp/deps" && grep -q linux-source "$tmp/deps" &&
	make_in "$TOP" -n deps LINUX="$tmp/base" >"$tmp/deps" &&
	! grep -q linux-source "$tmp/deps"
}

waits() {
	exec 8>"$sparse/build/.lock"
	flock 8
	(exec 8>&-; prepare) 2>"$tmp/waits" &
	for _ in $(seq 100); do
		! grep -qs 'waiting for another run that works in' "$tmp/waits" || break
		sleep 0.1
	done
	exec 8>&-
	wait $! && grep -q 'waiting for another run that works in' "$tmp/waits"
}

# As a prepare leaves it that is killed while it installs
interrupted() {
	rm -rf "$sparse/build" && prepare &&
	state "$linux" >"$tmp/before" &&
	git -C "$linux" tag installing applied &&
	mkdir "$sparse/build/.unpack.abcdef" "$sparse/build/.am" "$linux.backup" && : >"$linux/.git/index.lock" &&
	rm "$linux/kernel/new.c" && echo 'half' >"$linux/kernel/patched.c" &&
	prepare && [ ! -e "$sparse/build/.unpack.abcdef" ] && [ ! -e "$sparse/build/.am" ] && [ -e "$linux.backup" ] &&
	state "$linux" | cmp - "$tmp/before" &&
	grep -q '^+half' "$sparse/build/interrupted.patch"
}

new_tarball() {
	tar -C "$tmp" -cJf "$tmp/base.tar.xz" base &&
	export TARBALL="$tmp/base.tar.xz" BUILD="$tmp/from-tarball" &&
	"$sparse/series/prepare.sh" && "$sparse/series/prepare.sh" 2>"$tmp/note" &&
	! grep . "$tmp/note" && touch -d 2001-01-01 "$TARBALL" &&
	"$sparse/series/prepare.sh" 2>"$tmp/note" && grep -q 'has changed since' "$tmp/note"
}

full_disk() {
	mkdir -p "$tmp/bin"
	printf '#!/bin/sh\necho\necho /dev/x 20 10 10 50%% /\n' >"$tmp/bin/df"
	chmod +x "$tmp/bin/df"
	refuses 'a full disk is told, with what is needed' '10 MB left: the tree takes 3000 MB' \
		env PATH="$tmp/bin:$PATH" BUILD="$tmp/full" LINUX="$tmp/base" \
		"$sparse/series/prepare.sh"
}

# The makefiles, beside the series of this test
harness=tools/testing/selftests/ftrace/qemu
cp -r "$TOP/Makefile" "$TOP/ci" "$sparse"
mkdir -p "$sparse/$harness"
cp -r "$TOP/$harness/Makefile" "$TOP/$harness/arch" "$sparse/$harness"
passes 'a prepare that was killed is finished' interrupted
passes 'a lock is waited for, and who waits says so' waits
refuses 'BUILD where the series has files is refused' 'kernel has files of the series' \
	make_in "$TOP" refresh BUILD=kernel
passes 'BUILD and LINUX on the command line are as in the environment' build_elsewhere
passes 'with LINUX no package of the base is asked for' asks_for_no_package
(new_tarball) >/dev/null 2>"$tmp/stderr"
result $? 'a base that was updated is noticed'
full_disk
passes 'without apt-get, packages are for the user to find' \
	env PATH=/nowhere "$TOP/tools/testing/selftests/ftrace/qemu/deps.sh" gcc
mkdir "$tmp/a b"
cp "$TOP/Makefile" "$tmp/a b"
refuses 'a space in the path is refused' 'CURDIR=.*a b: make cannot work with a space' \
	make_in "$tmp/a b" help
refuses 'a space in BUILD is refused' 'BUILD=/a b: make cannot work with a space' \
	make_in "$TOP" help 'BUILD=/a b'

refuses 'an unknown ARCH is refused' 'unknown ARCH=vax' \
	make -C "$TOP" build ARCH=vax
refuses 'an unknown FLAVOR is refused' 'unknown FLAVOR=sweet' \
	make -C "$TOP" build FLAVOR=sweet
refuses 'a SCRIPT that does not exist is refused' 'SCRIPT=nowhere.sh: no such file' \
	make -C "$TOP" boot SCRIPT=nowhere.sh
refuses 'a CONFIG that does not exist is refused' 'CONFIG=nowhere.config: no such file' \
	make -C "$TOP" build CONFIG=nowhere.config
refuses 'a missing tool is named, with its ARCH' \
	'missing-gcc not found: run make deps ARCH=arm$' \
	make -C "$TOP" build ARCH=arm CROSS_COMPILE=missing-

# The sparse tree of this repository is the one that its stack makes.
refresh_here() {
	git -C "$TOP" status --porcelain >"$tmp/status"
	git -C "$TOP" diff HEAD >"$tmp/diff"
	BUILD=$build "$TOP/series/refresh.sh" &&
	git -C "$TOP" status --porcelain | cmp "$tmp/status" - >&2 &&
	git -C "$TOP" diff HEAD | cmp "$tmp/diff" - >&2
}
passes 'refresh of this repository changes nothing' refresh_here

# The documentation has the expression for a line of a trace, and so has its test.
grammar_of() { sed -n '/^ *hex=/,/^ *line=/s/^ *//p' "$TOP/$1"; }
one_grammar() {
	grammar_of Documentation/trace/fgraph.rst >"$tmp/grammar"
	grep -q '^line=' "$tmp/grammar" &&
	grammar_of tools/testing/selftests/ftrace/test.d/fgraph/grammar.tc |
		diff "$tmp/grammar" - >&2
}
passes 'one grammar of traces in documentation and test' one_grammar
