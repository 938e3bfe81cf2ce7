#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test: prepare and refresh on a miniature base and sparse tree, and what
# they and the harness say to bad input.  Prints "ok NAME" or "not ok NAME".

set -u

TOP=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

sparse=$tmp/sparse
linux=$sparse/build/linux
export GIT_CONFIG_GLOBAL=/dev/null
# What the make that started us was asked for is not for these.
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

make_sparse() {
	mkdir -p "$sparse/series" "$sparse/kernel"
	cp "$TOP"/series/*.sh "$sparse/series"
	printf '/build/\n' >"$sparse/.gitignore"
	git init -q "$sparse"
	echo 'int new;' >"$sparse/kernel/new.c"
	echo 'int ours;' >"$sparse/kernel/replaced.c"
	mkdir "$tmp/edit"
	make_file "$tmp/edit/a/kernel/patched.c"
	make_file "$tmp/edit/b/kernel/patched.c"
	sed -i -e 's/line_3;/three;/' -e 's/line_17;/seventeen;/' \
		"$tmp/edit/b/kernel/patched.c"
	(cd "$tmp/edit" && diff -up --label a/kernel/patched.c \
		--label b/kernel/patched.c a/kernel/patched.c \
		b/kernel/patched.c) >"$sparse/kernel/patched.c.patch"
}

prepare() { LINUX=$tmp/base "$sparse/series/prepare.sh"; }
refresh() { "$sparse/series/refresh.sh"; }
state() { (cd "$1" && find kernel -type f -exec sha1sum {} + | sort); }

applied() {
	grep -q 'int three;' "$linux/kernel/patched.c" &&
	grep -q 'int seventeen;' "$linux/kernel/patched.c" &&
	cmp -s "$sparse/kernel/new.c" "$linux/kernel/new.c" &&
	cmp -s "$sparse/kernel/replaced.c" "$linux/kernel/replaced.c"
}

round_trip() {
	state "$sparse" >"$tmp/before"
	prepare && refresh && state "$sparse" | cmp - "$tmp/before"
}

# What did not change is not even written: a build has nothing to do.
incremental() {
	find "$linux/kernel" -exec touch -d 2001-01-01 {} +
	echo 'int newer;' >"$sparse/kernel/new.c"
	prepare && applied &&
	[ "$(find "$linux/kernel" -type f -newermt 2002-01-01)" = \
		"$linux/kernel/new.c" ]
}

edits_return() {
	echo 'int more;' >"$linux/kernel/more.c"
	echo 'int edited;' >>"$linux/kernel/replaced.c"
	sed -i 's/line_10;/ten;/' "$linux/kernel/untouched.c"
	refresh && applied &&
	cmp "$linux/kernel/more.c" "$sparse/kernel/more.c" &&
	grep -q '^+int ten;' "$sparse/kernel/untouched.c.patch" &&
	! grep -qE '^(diff|index)' "$sparse/kernel/untouched.c.patch"
}

edits_undone() {
	rm "$linux/kernel/more.c"
	make_file "$linux/kernel/untouched.c"
	make_file "$linux/kernel/replaced.c"
	refresh && [ ! -e "$sparse/kernel/more.c" ] &&
	[ ! -e "$sparse/kernel/untouched.c.patch" ] &&
	[ ! -e "$sparse/kernel/replaced.c" ]
}

unchanged_by_refused_patch() {
	state "$linux" >"$tmp/before"
	cp "$sparse/kernel/patched.c.patch" "$tmp/patch"
	sed -i 's/line_16;/sixteen;/' "$sparse/kernel/patched.c.patch"
	echo 'int newest;' >"$sparse/kernel/new.c"
	refuses 'a hunk that does not apply is named' \
		'kernel/patched.c.patch: hunk 2 (-14,7 +14,7) does not apply' prepare
	state "$linux" | cmp - "$tmp/before"
	result $? 'a hunk that does not apply leaves nothing half done'
	cp "$tmp/patch" "$sparse/kernel/patched.c.patch"
}

make_base "$tmp/base" 6 1
make_base "$tmp/other" 6 5
make_sparse

refuses 'a base of another version is refused' 'other is Linux 6.5' \
	env LINUX="$tmp/other" "$sparse/series/prepare.sh"
[ ! -e "$linux" ]
result $? 'a base of another version leaves nothing half done'
refuses 'a directory that is no kernel is refused' 'no kernel tree' \
	env LINUX="$tmp" "$sparse/series/prepare.sh"
refuses 'refresh wants a prepared tree' 'run make prepare' refresh

passes 'prepare applies patches and files' prepare
applied
result $? 'prepare applied all of them'
passes 'prepare and refresh change nothing' round_trip
passes 'prepare touches only what changed' incremental
passes 'refresh brings edits back' edits_return
passes 'refresh takes back edits that were undone' edits_undone
unchanged_by_refused_patch
passes 'prepare goes on once the hunk applies' prepare

echo 'int edited;' >>"$linux/kernel/patched.c"
passes 'prepare leaves edits alone' prepare
grep -q 'int edited;' "$linux/kernel/patched.c"
result $? 'the edit is still there'
echo 'int both;' >"$sparse/kernel/new.c"
refuses 'prepare stops when both sides were edited' 'make refresh' prepare
passes 'refresh takes both if they do not meet' refresh
grep -q 'int both;' "$linux/kernel/new.c"
result $? 'the other edit came over'
cp -R "$tmp/base" "$tmp/second"
refuses 'another base than the prepared one is refused' 'make clean' \
	env LINUX="$tmp/second" "$sparse/series/prepare.sh"
echo 'int both;' >"$sparse/kernel/patched.c"
refuses 'a file and a patch for it are refused' 'as a whole file and as a patch' \
	prepare

# What make says, as users call it: the miniature tree with the real Makefile
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
	rm -rf "$sparse/build" "$sparse/kernel/patched.c" && prepare &&
	state "$linux" >"$tmp/before" &&
	git -C "$linux" tag installing applied &&
	mkdir "$sparse/build/.unpack.abcdef" "$linux.backup" && : >"$linux/.git/index.lock" &&
	rm "$linux/kernel/new.c" && echo 'half' >"$linux/kernel/patched.c" &&
	prepare && [ ! -e "$sparse/build/.unpack.abcdef" ] && [ -e "$linux.backup" ] &&
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

cp "$TOP/Makefile" "$sparse"
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
refuses 'a SCRIPT that does not exist is refused' 'SCRIPT=.*/nowhere.sh: no such file' \
	make -C "$TOP" boot SCRIPT=nowhere.sh
refuses 'a CONFIG that does not exist is refused' 'CONFIG=.*/nowhere.config: no such file' \
	make -C "$TOP" build CONFIG=nowhere.config
refuses 'a missing tool is named, with its ARCH' \
	'missing-gcc not found: run make deps ARCH=arm$' \
	make -C "$TOP" build ARCH=arm CROSS_COMPILE=missing-

# The documentation has the expression for a line of a trace, and so has its test.
grammar_of() { sed -n '/^ *hex=/,/^ *line=/s/^ *//p' "$TOP/$1"; }
one_grammar() {
	grammar_of Documentation/trace/fgraph.rst >"$tmp/grammar"
	grep -q '^line=' "$tmp/grammar" &&
	grammar_of tools/testing/selftests/ftrace/test.d/fgraph/grammar.tc |
		diff "$tmp/grammar" - >&2
}
passes 'one grammar of traces in documentation and test' one_grammar
