#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# gcov.sh LOG: says how many lines of each file of the series have run, from what
# gcov-guest.sh printed. $BUILD/gcov gets each file with the count of each line, and
# "uncovered", all lines that have not run. Fails if a test did or if nothing ran. Called
# by the Makefile.

set -eu
dir=$BUILD/gcov
rm -rf "$dir"
mkdir -p "$dir"

# shellcheck disable=SC2013 # no such name has a space
for name in $(sed -n 's/^gcda \([^ ]*\) .*/\1/p' "$1" | sort -u); do
	sed -n "s/^gcda $name //p" "$1" | base64 -d >"$dir/$name"
	cp "$OUT/kernel/trace/${name%.gcda}.gcno" "$dir/"
	(cd "$dir" && "${CROSS_COMPILE}gcov" -o . "$name") >/dev/null 2>&1
done

# Headers count where they are included, which says nothing of them.
(cd "$dir" && awk -F : '
	function report(file, n, of) {
		printf "%-28s %5d of %5d lines, %3d%%\n", file, n, of, of ? n * 100 / of : 0
	}
	{ file = substr(FILENAME, 1, length(FILENAME) - 5) }
	$1 ~ /#####|=====/ {
		total[file]++
		print file ":" $2 + 0 ":" substr($0, length($1 $2) + 3) >"uncovered"
	}
	$1 ~ /[0-9]/ { total[file]++; covered[file]++ }
	END {
		for (file in total) {
			report(file, covered[file], total[file])
			all += total[file]
			n += covered[file]
		}
		report("all", n, all)
		exit !n
	}' *.c.gcov)
! grep '^ *not ok ' "$1"
