#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the KUnit cases of the series that match SUITE and CASE, and says
# how each ended.  Fails if there is none, or if one failed.

. /tests/kunit.sh

allow_many_tasks
choose_cases "$SUITE.$CASE"
results=/tmp/results
for module in fgraph_kunit fgraph_values_kunit; do
	dmesg -c >/dev/null
	modprobe "$module" || exit 1
	kunit_results
	rmmod "$module"
done >$results
choose_cases '*'
cat $results

grep -q '^ok ' $results || grep -q '^not ok ' $results || {
	echo "error: no suite that matches SUITE=$SUITE has a case that matches CASE=$CASE"
	exit 1
}
! grep -q '^not ok ' $results
