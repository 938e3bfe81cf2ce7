#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# deep.sh run PART: runs "make deep-PART" and keeps its results in $BUILD/deep.  Of a
# part in which nothing failed they are taken from there if the tree is still the same:
# a run that was broken off goes on where it was.
#
# deep.sh report ARCH...: prints a table of the parts in $PARTS, and how many of their
# tests passed, failed and were skipped.  As with "make test", others than plan-deep has
# are failed tests, see plan.sh.
#
# Called by the Makefile.

set -u
cd "$(dirname "$0")" || exit
dir=$BUILD/deep
mkdir -p "$dir" || exit

# Of what is committed and what is not.  Nothing if that cannot be told.
tree_id() {
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
	git -C "$KERNEL" rev-parse 'HEAD^{tree}' >/dev/null 2>&1 || return
	{
		git -C "$KERNEL" rev-parse 'HEAD^{tree}'
		git -C "$KERNEL" diff HEAD
		cd "$KERNEL" && git ls-files -o --exclude-standard -z | xargs -0 -r sha1sum
	} | sha1sum | cut -d ' ' -f 1
}

run() { # PART
	id=$(tree_id)
	if [ "$id" ] && [ "$id" = "$(cat "$dir/$1.done" 2>/dev/null)" ]; then
		echo "# $1: was done before, see $dir/$1.log"
		return
	fi
	rm -f "$dir/$1".*
	start=$(date +%s)
	{
		${MAKE:-make} --no-print-directory "deep-$1" 2>"$dir/$1.stderr" &&
			echo "# $1: ended"
	} | tee "$dir/$1.log"
	echo $((($(date +%s) - start + 59) / 60)) >"$dir/$1.minutes"
	if grep -qx "# $1: ended" "$dir/$1.log" && ! grep -q '^not ok ' "$dir/$1.log"; then
		echo "$id" >"$dir/$1.done"
	fi
}

results() { # PART
	grep -E '^(not )?ok ' "$dir/$1.log" 2>/dev/null || echo "not ok $1 has results"
}

report() { # ARCH...
	for part in $PARTS; do
		results "$part"
	done >"$dir/results"
	./plan.sh check plan-deep "$dir/results" "$@" | tee "$dir/plan"
	echo
	printf '%-20s %8s  %s\n' part minutes results
	for part in $PARTS; do
		printf '%-20s %8s  %s\n' "$part" "$(cat "$dir/$part.minutes" 2>/dev/null)" \
			"$(results "$part" | ./count.sh)"
	done
	cat "$dir/results" "$dir/plan" | ./count.sh
}

command=$1
shift
case $command in
run) run "$1" ;;
report) report "$@" ;;
*) echo "error: deep.sh $command: run or report?" >&2; exit 1 ;;
esac
