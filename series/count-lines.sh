#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Part of make check: counts the changed lines of each patch, and prints a table of the
# topics.  Tests, pages and moved lines are not counted.  More than 400 lines are refused,
# but for the patches that series/large-patches names: at most five, of at most 650 lines.
# A line there is "NN-name/Subject: reason".

# The names of topics that were not cut yet.  Their large patches are only reported.
UNCUT=${UNCUT-}

. "$(dirname "$0")/lib.sh"

LARGE=$SERIES/large-patches
[ -e "$LARGE" ] || LARGE=/dev/null

# The patches with colours: red and green lines count, and blue lines are moved.
coloured() {
	for side in old new; do
		for kind in Moved MovedAlternative; do
			set -- -c "color.diff.$side$kind=blue" "$@"
		done
	done
	tree -c color.diff.meta=bold -c color.diff.old=red -c color.diff.new=green "$@" \
		log -p --reverse --format='commit %s' --no-ext-diff -M --diff-algorithm=myers \
		--color=always --color-moved=zebra --color-moved-ws=allow-indentation-change \
		--ws-error-highlight=none --src-prefix=a/ --dst-prefix=b/ base..applied
}

# Prints the topic, the number of lines and the subject of each patch.
count_lines() {
	coloured | awk '
		function finish() {
			if (subject != "") print topic, lines, subject
			subject = ""
			lines = 0
		}
		/^commit / { finish(); subject = substr($0, 8) }
		/^commit cover: / { topic = $3; sub(/:$/, "", topic); subject = "" }
		/^\033\[1mdiff --git / {
			sub(/\033\[m$/, "")
			sub(/.* b\//, "/")
			counted = !/\/tests\/|kunit|selftests|^\/Documentation\/|README/
		}
		counted && /^\033\[3[12]m[-+]/ { lines++ }
		END { finish() }'
}

print_table() {
	sort -k 1,1 -k 2,2n "$tmp/counts" | awk -v uncut=" $UNCUT " '
		function finish() {
			if (!n) return
			median = int((sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2)
			printf "%-24s %8d %8d %8d\n", topic, n, sorted[n], median
			if (index(uncut, " " topic " "))
				notes = notes topic " is not cut yet: " large \
					" patches above 400 lines\n"
			n = large = 0
		}
		BEGIN { printf "%-24s %8s %8s %8s\n", "topic", "patches", "largest", "median" }
		$1 != topic { finish(); topic = $1 }
		{ sorted[++n] = $2; large += $2 > 400 }
		END { finish(); printf "%s", notes }'
}

# Prints a line for each mistake.
mistakes() {
	awk -v uncut=" $UNCUT " -v list="$LARGE" '
		FILENAME == list { reason[$0]; named++; next }
		$2 <= 400 { next }
		{
			patch = $1 "/" substr($0, length($1 $2) + 3)
			found = 0
			for (line in reason)
				if (index(line, patch ": ") == 1) {
					found = 1
					delete reason[line]
				}
		}
		index(uncut, " " $1 " ") { next }
		found && $2 > 650 {
			print patch " has " $2 " changed lines: cut it, 650 are the limit"
		}
		!found {
			print patch " has " $2 " changed lines: cut it, or give a reason in series/large-patches"
		}
		END {
			for (line in reason)
				print "series/large-patches: no patch above 400 lines is \"" line "\": remove this line"
			if (named > 5)
				print "series/large-patches has " named " lines: cut patches until five are left"
		}' "$LARGE" "$tmp/counts"
}

check_applied
count_lines >"$tmp/counts"
print_table
mistakes >"$tmp/mistakes"
[ -s "$tmp/mistakes" ] || exit 0
sed 's/^/error: /' "$tmp/mistakes" >&2
exit 1
