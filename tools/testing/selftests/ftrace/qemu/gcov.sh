#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# gcov.sh LOG: says how many lines of each file of the series have run, by what
# tests/gcov.sh printed.  $BUILD/gcov gets each file with the count of each line, and
# "uncovered", all lines that have not run.  Fails if a test did or if nothing ran.
# Called by the Makefile.

set -eu
log=$1
dir=$BUILD/gcov
rm -rf "$dir"
mkdir -p "$dir"

# shellcheck disable=SC2013 # no such name has a space
for name in $(sed -n 's/^gcda \([^ ]*\) .*/\1/p' "$log" | sort -u); do
	sed -n "s/^gcda $name //p" "$log" | base64 -d >"$dir/$name"
	cp "$OUT/kernel/trace/${name%.gcda}.gcno" "$dir/"
	(cd "$dir" && "${CROSS_COMPILE}gcov" -o . "$name") >/dev/null 2>&1
done

# Headers count where they are included, which says nothing of them.
cd "$dir"
for file in *.c.gcov; do
	awk -F : -v "file=${file%.gcov}" '
		$1 ~ /#####|=====/ { print file ":" $2 + 0 ":" substr($0, length($1 $2) + 3) }
		' "$file" >>uncovered
	awk -F : -v "file=${file%.gcov}" '
		$1 ~ /#####|=====/ { total++ }
		$1 ~ /[0-9]/ { total++; covered++ }
		END {
			printf "%-28s %5d of %5d lines, %3d%%\n", file, covered, total,
				total ? covered * 100 / total : 0
		}' "$file"
done | tee summary
awk '{ covered += $2; total += $4 }
	END {
		printf "%-28s %5d of %5d lines, %3d%%\n", "all", covered, total,
			total ? covered * 100 / total : 0
		exit !covered
	}' summary
! grep '^not ok ' "$log"
