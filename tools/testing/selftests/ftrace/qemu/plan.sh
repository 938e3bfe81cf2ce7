#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# plan.sh check PLAN RESULTS WHERE...: compares the results of a run with the tests
# that PLAN has for WHERE: host, or an architecture with all its flavors.  A test that
# is missing, is not in the plan, was there twice, or was skipped without the plan
# saying that it may be: each is a failed test, "not ok WHERE plan: ...".
#
# plan.sh write PLAN RESULTS: makes PLAN agree with the results of a run.  What it has
# for other places, and what has failed, stays as it is.
#
# PLAN has the names of tests below the places where they run, "[arm64 x86_64-module]",
# with "# SKIP" if they may be skipped there.  A test may be there more than once, and
# in any order: to add one is to add a line, and "write" sorts them.

set -eu
export LC_ALL=C

die() { echo "error: $*" >&2; exit 1; }

# Prints "plan WHERE NAME SKIP" for each place of each test, with tabs.
read_plan() {
	[ ! -e "$plan" ] || awk -v 'OFS=\t' '
		/^#/ || !NF { next }
		/^\[.*\]$/ {
			gsub(/[][]/, "")
			places = split($0, place, " ")
			next
		}
		{
			skip = sub(/ *# SKIP.*/, "")
			for (i = 1; i <= places; i++)
				print "plan", place[i], $0, skip
		}' "$plan"
}

# Prints "ok WHERE NAME SKIP" or "not ok WHERE NAME 0" for each result, with tabs.
read_results() {
	sed -n -e 's/\t/ /g' \
		-e 's/^\(ok\) \([^ ]*\) \(.*[^ ]\) *# SKIP.*/\1\t\2\t\3\t1/p;t' \
		-e 's/^\(ok\|not ok\) \([^ ]*\) \(.*[^ ]\) *$/\1\t\2\t\3\t0/p' "$results"
}

check() { # WHERE...
	{ read_plan; read_results; } | awk -F '\t' -v "asked=$*" '
	function fail(why) {
		print "not ok " $2 " plan: " why ": " $3
		failed = 1
	}
	function is_asked(where) {
		sub(/-.*/, "", where)
		return index(" " asked " ", " " where " ")
	}
	$1 == "plan" {
		if (is_asked($2)) {
			total[$2] += !(($2, $3) in planned)
			planned[$2, $3] = $0
			may_skip[$2, $3] = may_skip[$2, $3] || $4
		}
		next
	}
	{ ran[$2] }
	($2, $3) in seen { fail("twice"); next }
	{ seen[$2, $3] }
	!(($2, $3) in planned) { fail("not in it"); next }
	$4 && !may_skip[$2, $3] { fail("skipped") }
	END {
		for (test in planned) {
			$0 = planned[test]
			if ($2 in ran && !(test in seen))
				fail("missing")
		}
		for (place in total)
			if (!(place in ran)) {
				$2 = place
				$3 = "all of " total[place]
				fail("missing")
			}
		exit failed
	}'
}

# Prints "NAME WHERE" of what the plan has to have.  Where nothing failed, that is what
# the results say.
merge() {
	{ read_results; read_plan; } | awk -F '\t' -v 'OFS=\t' '
	$1 == "not ok" {
		failed[$2]
		print "failed, left as it was: " $2 " " $3 >"/dev/stderr"
		next
	}
	$1 == "ok" { ran[$2] }
	$1 == "ok" || !($2 in ran) || $2 in failed {
		skip[$2, $3] = skip[$2, $3] || $4
	}
	END {
		for (test in skip) {
			split(test, part, SUBSEP)
			print part[2] (skip[test] ? "  # SKIP" : ""), part[1]
		}
	}'
}

write() {
	merge | sort | awk -F '\t' -v 'OFS=\t' '
		function flush_test() { if (NR > 1) print places, test }
		$1 == test { places = places " " $2; next }
		{ flush_test(); test = $1; places = $2 }
		END { if (NR) print places, test }' | sort | awk -F '\t' '
		$1 != places { places = $1; printf "\n[%s]\n", places }
		{ print $2 }' >"$plan.new"
	[ -s "$plan.new" ] || die "no results in $results"
	{ sed '/^#/!Q' "$plan"; cat "$plan.new"; } >"$plan.tmp"
	mv "$plan.tmp" "$plan"
	rm "$plan.new"
}

[ $# -ge 3 ] || die "usage: plan.sh check PLAN RESULTS WHERE... | write PLAN RESULTS"
command=$1 plan=$2 results=$3
shift 3
case $command in
check) check "$@" ;;
write) write ;;
*) die "plan.sh $command: check or write?" ;;
esac
