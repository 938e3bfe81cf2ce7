#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# complaints.sh CONSOLE: prints the first complaint of the kernel on the console, with
# what follows it; fails if there is one.  complaints.txt has what is one.
#
# A test that makes the kernel complain says so before, and when it is over:
#
#   echo 'test expects: page allocation failure' >/dev/kmsg
#   ...
#   echo 'test expects: nothing' >/dev/kmsg
#
# A complaint between them that the regular expression finds is none.  It does not
# hide others, and to leave it standing is a complaint.

sed -e '/^#/d' -e '/^$/d' "${0%.sh}.txt" | awk '
	function complain(line) { print line; left = 40; complained = 1 }

	FILENAME == "-" { bad = bad (bad == "" ? "" : "|") $0; next }
	left { print; left--; next }
	complained { next }
	/test expects: / {
		expected = $0
		sub(/.*test expects: /, "", expected)
		if (expected == "nothing")
			expected = ""
		next
	}
	$0 ~ bad && (expected == "" || $0 !~ expected) { complain($0) }
	END {
		if (!complained && expected != "")
			complain("test expects: " expected ", and nothing after it")
		exit complained
	}' - "$1"
