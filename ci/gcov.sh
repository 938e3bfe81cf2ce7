#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# gcov.sh LOG: says how many lines of each file of the series have run, from what
# gcov-guest.sh printed; $BUILD/gcov gets a page for each file. Fails if a test did, or if
# nothing ran. The Makefile passes its variables in the environment.

set -eu
sed -n 's/^gcda //p' "$1" | base64 -d | tar -C "$OUT/kernel/trace" -xz
mkdir -p "$BUILD/gcov"
cd "$OUT"
gcovr --gcov-executable "${CROSS_COMPILE}gcov" -r "$TREE" --object-directory "$OUT" \
	-f '.*/kernel/trace/(fgraph|trace_graph_|function_tracers)[^/]*\.c' \
	-e '.*/fgraph_benchmark.c' --fail-under-line 1 --txt "$BUILD/gcov/lines" \
	--html-details "$BUILD/gcov/index.html" kernel/trace
sed 's/% .*/%/' "$BUILD/gcov/lines"
! grep '^ *not ok ' "$1"
