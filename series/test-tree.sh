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

# The patches of a topic, and its cover
make_topic() { # NAME TITLE COMMITS
	git format-patch -q --zero-commit --no-signature --no-stat --no-numbered \
		--abbrev=12 -o "$sparse/series/$1" "$3" &&
	printf '%s\n\nThe reason.\n\n# It has two patches.\n' "$2" >"$sparse/series/$1/cover"
}

# Two topics of two patches: those of the second one change one file.
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
		make_topic 01-files 'Two files' HEAD~4..HEAD~2 &&
		make_topic 02-edits 'Two edits' HEAD~2..HEAD
	)
}

prepare() { LINUX=$tmp/base "$sparse/series/prepare.sh"; }
refresh() { "$sparse/series/refresh.sh"; }
state() { (cd "$1" && find kernel series -type f -exec sha1sum {} + 2>/dev/null | sort); }
changed() { state "$sparse" | diff "$tmp/before" - | sed -n 's/^[<>].* //p' | sort -u; }
inside() { git -C "$linux" "$@"; }
second=$sparse/series/02-edits
last=$second/0002-Both-ends.patch

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

covers_made() {
	[ "$(inside log --reverse --format=%s base..HEAD | sed -n '1p; 4p')" = \
		"$(printf '%s\n' 'cover: 01-files: Two files' 'cover: 02-edits: Two edits')" ] &&
	[ "$(inside log -1 --format=%b HEAD~2)" = "$(sed 1,2d "$second/cover")" ] &&
	inside diff --quiet HEAD~3 HEAD~2
}

# A file that did not change is not written, so a build has nothing to do.
incremental() {
	find "$linux/kernel" -exec touch -d 2001-01-01 {} +
	middle=$(inside rev-parse HEAD~1)
	sed -i 's/^+int seventeen;/+int Seventeen;/' "$last"
	prepare && grep -q Seventeen "$linux/kernel/patched.c" &&
	[ "$(inside rev-parse HEAD~1)" = "$middle" ] &&
	[ "$(find "$linux/kernel" -type f -newermt 2002-01-01)" = \
		"$linux/kernel/patched.c" ] &&
	sed -i 's/^+int Seventeen;/+int seventeen;/' "$last" && prepare && applied && refresh
}

# The topic before it stays applied.
other_cover() {
	sed -i 's/reason/other reason/' "$second/cover" &&
	prepare 2>"$tmp/said" && grep -qx 'applied 2 of 4 patches' "$tmp/said" &&
	inside log -1 --format=%b HEAD~2 | grep -q 'other reason' && round_trip
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
		'kernel/patched.c.patch series/02-edits/0001-The-middle.patch series/02-edits/0002-Both-ends.patch ' ] &&
	grep -q '^+int ten, eleven;' "$second/0001-The-middle.patch" &&
	[ -z "$(diff "$tmp/last" "$last" | sed -n 's/^[<>] //p' |
		grep -vE '^(index|@@|  *int ten)')" ] &&
	state "$sparse" >"$tmp/before" && refresh && [ -z "$(changed)" ]
}

new_patch_and_back() {
	state "$sparse" >"$tmp/before"
	sed -i 's/line_10;/ten;/' "$linux/kernel/untouched.c" &&
	inside commit -qa -m 'One more' && refresh &&
	[ -e "$second/0003-One-more.patch" ] &&
	grep -q '^+int ten;' "$sparse/kernel/untouched.c.patch" &&
	inside reset -q --hard HEAD~1 && refresh && [ -z "$(changed)" ]
}

# Moves the last of seven commits behind the first three, which are the first topic.
new_patch_in_first_topic() {
	cat >"$tmp/move" <<-'END'
	{ sed -n 1,3p "$1"; sed -n 7p "$1"; sed -n 4,6p "$1"; } >"$1.new" && mv "$1.new" "$1"
	END
	state "$sparse" >"$tmp/before"
	sed -i 's/line_10;/ten;/' "$linux/kernel/untouched.c" &&
	inside commit -qa -m 'One more' &&
	GIT_SEQUENCE_EDITOR="sh $tmp/move" inside rebase -q -i base && refresh &&
	[ "$(changed | tr '\n' ' ')" = \
		'kernel/untouched.c.patch series/01-files/0003-One-more.patch ' ]
}

empty_commit() { # MESSAGE...
	for part; do
		set -- "$@" -m "$part"
		shift
	done
	inside commit -q --allow-empty "$@"
}

new_topic() {
	state "$sparse" >"$tmp/before"
	empty_commit 'cover: 03-more: One more topic' 'It has a reason.' &&
	sed -i 's/line_3;/three;/' "$linux/kernel/untouched.c" &&
	inside commit -qa -m 'The beginning' && refresh &&
	[ "$(changed | tr '\n' ' ')" = \
		'kernel/untouched.c.patch series/03-more/0001-The-beginning.patch series/03-more/cover ' ] &&
	printf '%s\n' 'One more topic' '' 'It has a reason.' | cmp - "$sparse/series/03-more/cover" &&
	round_trip
}

topic_removed() {
	inside reset -q --hard HEAD~2 && refresh && [ ! -e "$sparse/series/03-more" ]
}

# The folders of a developer, with numbers that begin anywhere
topic_divided() {
	state "$sparse" >"$tmp/before"
	mkdir "$sparse/series/03-ends" && mv "$last" "$sparse/series/03-ends" &&
	cp "$second/cover" "$sparse/series/03-ends" && prepare && refresh &&
	[ -e "$sparse/series/03-ends/0001-Both-ends.patch" ] &&
	mv "$sparse/series/03-ends/0001-Both-ends.patch" "$last" &&
	rm -r "$sparse/series/03-ends" && prepare && refresh && [ -z "$(changed)" ]
}

# The commits of the topic that is made are wrong; they are removed.
refuses_commits() { # NAME PATTERN
	refuses "$1" "$2" refresh
	inside reset -q --hard applied
}

refused_topics() {
	empty_commit 'Nothing'
	refuses_commits 'an empty commit that is no cover is refused' '"Nothing" is empty, .*: drop it'
	empty_commit 'cover: More'
	refuses_commits 'a cover without a name is refused' '"cover: More" is not .*: reword it'
	empty_commit 'cover: 02-edits: Again'
	refuses_commits 'a second topic of the same name is refused' 'two topics have the name 02-edits'
	empty_commit 'cover: 02-a: Late'
	refuses_commits 'topics that are not in order are refused' 'topic 02-a comes after 02-edits'
	empty_commit 'cover: 03-more: More'
	refuses_commits 'a topic without a patch is refused' 'topic 03-more has no patch: drop its cover'
	echo 'int edited;' >>"$linux/kernel/untouched.c"
	inside commit -qam 'cover: 03-more: More'
	refuses_commits 'a cover that is not empty is refused' '"cover: 03-more: More" changes files: move'
	inside reset -q --hard base
	refuses_commits 'a series without a topic is refused' 'there is no cover: add'
	inside reset -q --hard base
	echo 'int edited;' >>"$linux/kernel/untouched.c"
	inside commit -qam 'No topic'
	refuses_commits 'a commit before the first cover is refused' '"No topic" is before the first cover: move it'
}

refused_folders() {
	cp "$last" "$sparse/series"
	refuses 'a patch in no topic is refused' 'series/0002-Both-ends.patch is in no topic: move it' prepare
	rm "$sparse/series/${last##*/}"
	mv "$second/cover" "$tmp/cover"
	refuses 'a topic without a cover is refused' 'series/02-edits/cover is missing' prepare
	mv "$tmp/cover" "$second/cover"
}

write_mails() { "$sparse/series/mails.sh"; }

# The mails, without the cover letters, make the tree that the patches make.
mails_written() {
	mail=$sparse/build/series/02-edits/0000-cover-letter.patch
	write_mails &&
	grep -qx 'Subject: \[PATCH 02/02 0/2\] Two edits' "$mail" &&
	grep -qx '# It has two patches.' "$mail" &&
	grep -qx 'Based on Linux 6.1, after the topic 01-files.' "$mail" &&
	grep -qx '  Both ends' "$mail" && grep -q '^ kernel/patched.c *|' "$mail" &&
	grep -qx "base-commit: $(inside log --format=%H --grep='^cover: 02-edits')" "$mail" &&
	git clone -q "$linux" "$tmp/am" && git -C "$tmp/am" reset -q --hard base &&
	git -C "$tmp/am" am -q "$sparse"/build/series/*/000[1-9]*.patch &&
	git -C "$tmp/am" diff --quiet HEAD "$(inside rev-parse HEAD)"
}

lines() { # NUMBER WORD
	for i in $(seq "$1"); do
		echo "int ${2}_of_this_file_$i;"
	done
}

commit_all() { # SUBJECT
	inside add -A && inside commit -q -m "$1" && refresh
}

count() { "$sparse/series/count-lines.sh"; }

# The last topic has this line in the table.
counted() { # PATCHES LARGEST MEDIAN
	count >"$tmp/table" &&
	grep -qx "03-large  *$1  *$2  *$3" "$tmp/table"
}

add_400_lines() {
	empty_commit 'cover: 03-large: Large patches' &&
	lines 400 first >"$linux/kernel/first.c" && commit_all 'Add a file' && counted 1 400 400
}

move_300_lines() {
	sed 301,400d "$linux/kernel/first.c" >"$linux/kernel/other.c" &&
	sed -i 1,300d "$linux/kernel/first.c" && commit_all 'Move' && counted 2 400 200
}

add_test() {
	mkdir "$linux/kernel/tests" &&
	lines 500 test >"$linux/kernel/tests/test.c" && commit_all 'Test' && counted 3 400 0
}

add_page() {
	mkdir "$linux/Documentation" &&
	lines 500 page >"$linux/Documentation/page.rst" && commit_all 'Page' && counted 4 400 0
}

add_401_lines() {
	lines 401 second >"$linux/kernel/second.c" && commit_all 'Add too much'
}

reported_only() {
	UNCUT='02-none 03-large' count >"$tmp/table" &&
	grep -qx '03-large is not cut yet: 1 patches above 400 lines' "$tmp/table"
}

count_tests() {
	large=$sparse/series/large-patches
	passes 'a patch of 400 lines is accepted' add_400_lines
	passes 'a move is not counted' move_300_lines
	passes 'a test is not counted' add_test
	passes 'a page is not counted' add_page
	add_401_lines 2>/dev/null
	refuses 'a patch of 401 lines is refused' '03-large/Add too much has 401 changed lines: cut it' count
	passes 'a topic that is not cut is reported' reported_only
	echo '03-large/Add too much: it is one table' >"$large"
	passes 'an exception is accepted' counted 5 401 0
	echo '03-large/Add a file: it has 400 lines' >>"$large"
	refuses 'an exception that is not needed is refused' \
		'no patch above 400 lines is "03-large/Add a file: it has 400 lines": remove' count
	yes '03-large/Add too much: it is one table' | head -n 6 >"$large"
	refuses 'a sixth exception is refused' 'large-patches has 6 lines' count
	head -n 1 "$large" >"$tmp/line" && mv "$tmp/line" "$large"
	lines 651 second >"$linux/kernel/second.c"
	inside commit -qa --amend -m 'Add too much' && refresh 2>/dev/null
	refuses 'an exception of 651 lines is refused' 'has 651 changed lines: cut it, 650' count
	rm "$large"
	inside reset -q --hard "$1" && refresh 2>/dev/null
}

unchanged_by_refused_patch() {
	state "$linux" >"$tmp/before"
	cp "$last" "$tmp/last"
	cp "$second/0001-The-middle.patch" "$tmp/middle"
	# It is applied again, so the patch that fails is not the first one.
	sed -i '/^Subject: /s/$/ again/' "$second/0001-The-middle.patch"
	sed -i 's/^ int line_16;/ int sixteen;/' "$last"
	refuses 'a hunk that does not apply is named' \
		"series/02-edits/${last##*/}: kernel/patched.c: hunk 2 (-14,7 +14,7) does not apply" prepare
	state "$linux" | cmp - "$tmp/before"
	result $? 'a hunk that does not apply leaves nothing half done'
	cp "$tmp/last" "$last"
	cp "$tmp/middle" "$second/0001-The-middle.patch"
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
passes 'prepare makes an empty commit of each cover' covers_made
passes 'refresh writes the sparse tree' refresh
passes 'a new file is whole, a changed one a patch' written
passes 'prepare and refresh change nothing' round_trip
passes 'prepare touches only what changed' incremental
passes 'a fixup of the third patch changes what it must' fixup
passes 'another cover applies only what follows' other_cover
passes 'a patch is added and removed' new_patch_and_back
passes 'a patch is added to the first topic' new_patch_in_first_topic
passes 'a cover begins a topic' new_topic
passes 'a topic is removed' topic_removed
passes 'a topic is divided by moving patches' topic_divided
passes 'mails are written that can be applied' mails_written
refused_topics
refused_folders
count_tests "$(inside rev-parse HEAD)"
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
refuses 'a CONFIG of packages that does not exist is refused' \
	'CONFIG=nowhere.config: no such file' \
	env BUILD="$build" CONFIG=nowhere.config "$TOP/packaging/deb.sh"
refuses 'packages are for x86_64 alone' 'ARCH=arm: ' \
	env BUILD="$build" ARCH=arm "$TOP/packaging/deb.sh"
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
passes 'the series is one patch, too' env BUILD="$build" "$TOP/packaging/patch.sh"

# The documentation has the expression for a line of a trace, and so has its test.
grammar_of() { sed -n '/^ *hex=/,/^ *line=/s/^ *//p' "$TOP/$1"; }
one_grammar() {
	grammar_of Documentation/trace/fgraph.rst >"$tmp/grammar"
	grep -q '^line=' "$tmp/grammar" &&
	grammar_of tools/testing/selftests/ftrace/test.d/fgraph/grammar.tc |
		diff "$tmp/grammar" - >&2
}
passes 'one grammar of traces in documentation and test' one_grammar
