# SPDX-License-Identifier: GPL-2.0
#
# Guest script: runs the checks of each part, or of those in PARTS. Each line of a part that
# begins with "check" prints one result, so that a missing one is found.

. /files/env
: "${PARTS:=livepatch bpftrace perf trace-cmd why}"

status=0
for part in $PARTS; do
	echo "# $part" >/dev/kmsg
	sh "/files/$part.sh" 2>&1 |
		sh /files/ktap.sh "$part" "$(grep -c '^check ' "/files/$part.sh")" || status=1
done
exit $status
