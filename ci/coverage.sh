#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# coverage.sh LOG: says of what coverage-guest.sh printed why functions have no signature:
# those that come from assembly have no types. Fails if more than one in a thousand of the
# others has none. Called by the Makefile.

set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Kbuild notes the source of each object.
find "$OUT" -name '.*.o.cmd' -exec grep -lE '^source_.* := .*\.S$' {} + |
	sed 's,/\.\([^/]*\)\.cmd$,/\1,' | xargs nm 2>/dev/null |
	awk '$2 ~ /^[TtWw]$/ { print $3 }' | sort -u >"$tmp/assembly"
sed -n 's/^without //p' "$1" | sort >"$tmp/without"
join "$tmp/without" "$tmp/assembly" | sed 's/$/: assembly/'
join -v 1 "$tmp/without" "$tmp/assembly" >"$tmp/lost"
sed 's/$/: no signature in its object/' "$tmp/lost"

have=$(grep -c '^signature ' "$1") lost=$(wc -l <"$tmp/lost")
all=$((have + $(wc -l <"$tmp/without")))
echo "$ARCH: $have of $all functions have a signature; $lost without one are not assembly"
[ $all -gt 1000 ] && [ $((lost * 1000)) -le $all ]
