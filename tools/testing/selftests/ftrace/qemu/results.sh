#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# results.sh COMMAND...: judges the results that COMMAND prints in the form of KTAP, with
# the kernel's kunit.py. Fails if a test failed or is missing, or if COMMAND failed. If
# $SKIPS names a list, see "skips", a test that is skipped must be in it. Names the tests that
# took 10 seconds or more.

set -eu

machine=$ARCH${FLAVOR:+-$FLAVOR}
ktap=$(mktemp)
trap 'rm -f "$ktap"' EXIT
failed=0 now=0

# Number the results that are not indented, which come from several runs. awk would wait
# for more input. The time of a test begins at the line before its result. The clock of the
# guest is used if the lines contain it, as in the kernel's log.
number_results() {
	n=0 clock='' slow=''
	echo 'KTAP version 1'
	while IFS= read -r line; do
		before=$now now=$EPOCHSECONDS last=$clock clock=host
		if [[ $line =~ ^\[\ *([0-9]+)\.[0-9]+\]\ (.*) ]]; then
			now=${BASH_REMATCH[1]} line=${BASH_REMATCH[2]} clock=guest
		fi
		if [[ $line =~ ^\ *(not )?ok\ [0-9]*[\ -]*(.*) && $clock = "$last" ]] &&
		   ((now - before >= 10)); then
			slow+="# $((now - before)) s: ${BASH_REMATCH[2]}"$'\n'
		fi
		case $line in
		'ok '* | 'not ok '*)
			n=$((n + 1))
			line=$(echo "$line" | sed "s/ok \([0-9]* \)\?\(- \)\?/ok $n /") ;;
		esac
		printf '%s\n' "$line"
	done
	printf %s "$slow" | sort -k 2 -rn >&2
}

# Print the tests that were skipped and are not in the list.
unexpected_skips() {
	awk -v "machine=$machine" '
	FILENAME == ARGV[1] {
		where = $1
		sub(/:$/, "", where)
		sub(/^[^ ]+ +/, "")
		sub(/ +#.*/, "")
		if (machine ~ "^(" where ")$")
			known[$0]
		next
	}
	/^ *ok .* # SKIP/ {
		sub(/^ *ok [0-9]+ (- )?/, "")
		sub(/ # SKIP.*/, "")
		if (!($0 in known))
			print
	}' "$SKIPS" "$ktap"
}

{ "$@" || echo 'not ok the run ended with success'; } | number_results | tee "$ktap" |
	PYTHONUNBUFFERED=1 "$KERNEL/tools/testing/kunit/kunit.py" parse || failed=1
if [ "${SKIPS:-}" ]; then
	error="error: skipped on $machine with no reason in $SKIPS"
	skipped=$(unexpected_skips | sed "s,^,$error: ,")
	[ -z "$skipped" ] || { echo "$skipped"; failed=1; }
fi
exit $failed
