# shellcheck shell=sh disable=SC2034 # the scripts use these variables
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the scripts of this directory.  Sourced, not run.

. "$(dirname "$0")/../series/lib.sh"

HARNESS=${HARNESS:-$TOP/tools/testing/selftests/ftrace/qemu}

prepared || die "$TREE is not there: run make prepare"

# The version of the series is that of the program, so that a patched tree has it, too.
version=$(sed -n 's/^#define FGRAPH_VERSION[[:space:]]*"\(.*\)"/\1/p' \
	"$TREE/tools/tracing/fgraph/src/fgraph.c")
base=$(sed -n 's/^\(VERSION\|PATCHLEVEL\|SUBLEVEL\) = //p' "$TREE/Makefile" | paste -sd .)
