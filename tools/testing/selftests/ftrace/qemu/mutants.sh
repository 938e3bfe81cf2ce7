#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# mutants.sh: breaks what the list "mutants" says, one at a time, and runs the test that
# must fail then: alone, and once before on what is not broken. ONLY is the name of a
# mutant or a pattern of names. Prints a table; fails unless each test turned red. All
# is done in copies of $KERNEL and $OUT in $BUILD/mutants, where the logs stay. Called
# by the Makefile.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
dir=$BUILD/mutants
tree=$dir/linux
copy=$dir/${OUT##*/}
# How many seconds a test may take
PATIENCE=300
export PATIENCE

die() { echo "error: $*" >&2; exit 1; }

# Makes a directory of each mutant in $1, with its test and its file before and after.
read_list() { # LIST ONLY DIR
	python3 - "$1" "$2" "$3" "$tree" <<'EOF'
import fnmatch, os, re, sys
LIST, only, to, tree = sys.argv[1:]
KINDS = r'(kunit \S+ \S+|ftracetest \S+|host .+)'
names = set()

def fail(why):
    sys.exit(f'error: {LIST}: {why}')

text = '\n'.join(l for l in open(LIST).read().split('\n') if not l.startswith('#'))
for block in filter(str.strip, re.split(r'\n\n+', text)):
    head, test, *lines = block.strip('\n').split('\n') + ['', '']
    lines = [l for l in lines if l]
    if not re.fullmatch(r'\S+ \S+', head) or not re.fullmatch(KINDS, test) or \
       not all(l[:2] in ('- ', '+ ') for l in lines):
        fail(f'"{head}": not a name and a file, a test, and lines of "- " and "+ "')
    name, path = head.split()
    if name in names:
        fail(f'{name} is there twice')
    names.add(name)
    if not fnmatch.fnmatchcase(name, only):
        continue
    old, new = ('\n'.join(l[2:] for l in lines if l[0] == c) for c in '-+')
    try:
        before = open(f'{tree}/{path}').read()
    except OSError as e:
        fail(f'{name}: {path}: {e.strerror}')
    times = before.count(old) if old else 0
    if times != 1:
        fail(f'{name}: {path} has its old text {times} times, not once: "{old}"')
    os.makedirs(f'{to}/{name}')
    for what, is_it in (('file', path), ('test', test), ('before', before),
                        ('after', before.replace(old, new))):
        open(f'{to}/{name}/{what}', 'w').write(is_it)
    print(name)
EOF
}

# Both are from the tree that is built: commands have absolute names.
copy_build() {
	[ ! -d "$copy" ] || return 0
	make --no-print-directory -C "$HERE" build MODULES=1 >&2
	flock -s "$OUT/.lock" cp -a "$OUT" "$copy.part"
	cp -a "$GUEST" "$dir/"
	find "$copy.part" -name '.*.cmd' \
		-exec sed -i "s,$KERNEL/,$tree/,g; s,$OUT/,$copy/,g" {} +
	mv "$copy.part" "$copy"
}

harness() { # TARGET VARIABLE=VALUE...
	make --no-print-directory -C "$HERE" KERNEL="$tree" BUILD="$dir" \
		TIMEOUT="$PATIENCE" SMP=2 "$@"
}

# Prints "passed"; "red", if the test says so; "broken", if it says nothing, was
# skipped, or the kernel complained.
run_test() { # LOG KIND ARG...
	log=$1 kind=$2 status=0
	shift 2
	[ "$kind" = host ] || copy_build
	case $kind in
	kunit)
		name="$ARCH kunit $2"
		harness kunit SUITE="$1" CASE="$2" >"$log" 2>&1 || status=$? ;;
	ftracetest)
		name="$ARCH ftrace .*"
		harness ftracetest TESTS="$1" >"$log" 2>&1 || status=$? ;;
	host)
		name="host signatures $*"
		KERNEL=$tree TRY=$* timeout "$PATIENCE" \
			"$tree/tools/testing/selftests/ftrace/signatures/test.sh" \
			>"$log" 2>&1 || status=$? ;;
	esac
	grep -v -e ' # SKIP' -e ' ftrace run came to its end$' "$log" >"$log.results" || :
	if grep -qx "not ok $name" "$log.results"; then
		echo red
	elif [ $status -eq 0 ] && grep -qx "ok $name" "$log.results"; then
		echo passed
	else
		echo broken
	fi
}

# Make compiles what is newer, so each is a new file, also the one from before.
put() { # MUTANT before|after
	path=$tree/$(cat "$dir/$1/file")
	cp "$dir/$1/$2" "$path.new"
	chmod --reference="$path" "$path.new"
	mv "$path.new" "$path"
}

mkdir -p "$dir"
exec 7>"$dir/.lock"
flock -n 7 || die "another make mutants works in $dir"
drop_copies() { rm -rf "$tree" "$copy" "$copy.part" "$dir/${GUEST##*/}"; }
trap drop_copies EXIT
trap 'exit 1' HUP INT TERM
drop_copies
rm -rf "$dir"/*
# Links are enough: what is changed is another file then.
cp -al "$KERNEL" "$tree"
names=$(read_list "$HERE/mutants" "${ONLY:-*}" "$dir")
[ "$names" ] || die "ONLY=$ONLY: $HERE/mutants has no such mutant"

echo "# each test, on what is not broken" >&2
for name in $names; do
	cat "$dir/$name/test"
	echo
done | sort -u >"$dir/tests"
while read -r test; do
	# shellcheck disable=SC2086 # words
	verdict=$(run_test "$dir/unbroken.log" $test </dev/null)
	[ "$verdict" = passed ] || {
		cp "$dir/unbroken.log" "$dir/unbroken-$(echo "$test" | tr ' /' '__').log"
		echo "# $test: $verdict" >&2
	}
	echo "$verdict $test"
done <"$dir/tests" >"$dir/unbroken"

row='%-27s %-37s %-66s %-8s %4s\n'
# shellcheck disable=SC2059 # a format for all lines
printf "$row" mutant file test result seconds
red=0 failed=0
for name in $names; do
	test=$(cat "$dir/$name/test")
	start=$(date +%s)
	verdict="broken"
	if grep -qxF "passed $test" "$dir/unbroken"; then
		put "$name" after
		# shellcheck disable=SC2086 # words
		verdict=$(run_test "$dir/$name.log" $test)
		put "$name" before
	fi
	case $verdict in
	red) red=$((red + 1)) ;;
	passed) verdict=SURVIVED failed=$((failed + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
	# shellcheck disable=SC2059
	printf "$row" "$name" "$(cat "$dir/$name/file")" "$test" "$verdict" \
		$(($(date +%s) - start))
done
echo "$red passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
