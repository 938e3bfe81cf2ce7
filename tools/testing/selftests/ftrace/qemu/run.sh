#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh NAME COMMAND...: reports as a test that COMMAND succeeded.  A run that breaks
# off, a kernel that complains: these are failed tests, too.  NAME starts with where it
# runs.  As another may run meanwhile, output goes on by whole lines, and comments tell
# of which one they are.

name=$1
shift
{
	if "$@"; then
		echo "ok $name"
	else
		echo "not ok $name"
	fi
} | sed -u "s/^#/# ${name%% *}:/"
