#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# quiet.sh LOG COMMAND...: runs a command with its output in LOG. The
# terminal shows the progress now and then, and the end of the log if the
# command fails.

log=$1
shift
rm -f "$log.failed"
{ "$@" 2>&1 || echo $? >"$log.failed"; } </dev/null |
awk -v "file=$log" '
	{ print >file }
	NR % 200 == 0 { print "  ... " $0; fflush(file); fflush() }' >&2
[ -e "$log.failed" ] || exit 0

rm "$log.failed"
grep -m 5 -A 5 -E '(error|Error|undefined reference)( |:)' "$log" >&2 ||
	tail -n 20 "$log" >&2
echo "error: it failed, see $log" >&2
exit 1
