#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fuzz.sh [MINUTES]: feeds broken traces to the commands that read a file, on all CPUs: each
# form of why and of report. They share the minutes. AFL++ breaks the traces in seeds/. No
# command may hang or crash, and ASan and UBSan must not report an error.

set -eu
cd "$(dirname "$0")"
OUT=${OUT:-$(mktemp -d)}
seconds=$((${1:-12} * 60 / 5))
failed=0

export AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 \
	AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0

mkdir -p "$OUT/build"
make -s -C .. CC='afl-cc -w' OUTPUT="$OUT/build/"

# NAME COMMAND...: fuzz the command on all CPUs, for its share of the time.
fuzz() {
	name=$1 role=-M pids=
	shift
	for n in $(seq "$(nproc)"); do
		timeout -s INT $((seconds + 60)) afl-fuzz -V $seconds -t 10000 -x seeds/words \
			-i seeds/traces -o "$OUT/found-$name" $role "fuzz$n" -- \
			"$@" >"$OUT/log-$name$n" 2>&1 &
		pids="$pids $!"
		role=-S
	done
	# shellcheck disable=SC2086 # several processes
	wait $pids || :
	runs=$(cat "$OUT/found-$name"/*/fuzzer_stats 2>/dev/null |
		awk -F ': *' '/^execs_done/ { n += $2 } END { print n + 0 }')
	found=$(find "$OUT/found-$name"/*/crashes "$OUT/found-$name"/*/hangs -type f \
			-name 'id*' 2>/dev/null || :)
	echo "fuzz $name: $runs inputs, $(echo "$found" | grep -c .) crashes and hangs"
	[ -z "$found" ] || echo "$found"
	if [ -n "$found" ] || [ "$runs" -eq 0 ]; then
		tail -n 20 "$OUT/log-${name}1"
		failed=1
	fi
}

fuzz why "$OUT/build/fgraph" why -v -e ENOENT -f '*' -i @@
fuzz answer "$OUT/build/fgraph" why --json --by-process --only 'E*,*,*/*' -i @@
for form in folded json html; do
	fuzz $form "$OUT/build/fgraph" report --$form @@
done
exit $failed
