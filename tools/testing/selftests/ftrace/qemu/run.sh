#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh NAME COMMAND...: reports as a test that COMMAND succeeded.  A run that breaks
# off, a kernel that complains: these are failed tests, too.  NAME starts with where it
# runs.  As another may run meanwhile, output goes on by whole lines; what is not the
# result of a test becomes a comment that tells of which one it is.

name=$1
shift
start=$(date +%s)
{
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name"
	fi
	echo "# ${name#* }: $(($(date +%s) - start)) s"
} | sed -u -e "s/^#/# ${name%% *}:/;t" -e "/^\(ok\|not ok\) /!s/^/# ${name%% *}: /"
