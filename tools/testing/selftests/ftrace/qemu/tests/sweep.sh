#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script, with ICOUNT=1: the KUnit suite that has an interrupt and an NMI land on
# each instruction of a traced call.  Prints what it found; fails if it did not come to
# that, too.

. /tests/kunit.sh

dmesg -c >/dev/null
choose_cases fgraph_sweep
modprobe fgraph_kunit
kunit_results >/tmp/results
sed -n '/# Subtest: fgraph_sweep$/,/^# fgraph_sweep: /p' "$LOG"
rmmod fgraph_kunit
grep -q '^# fgraph_sweep: pass:[1-9][0-9]* fail:0 skip:0 ' "$LOG"
