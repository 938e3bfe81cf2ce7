#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fuzz.sh [MINUTES]: runs on all CPUs for so many minutes, in two parts:
#
# - oracle.py compares signatures of random prototypes with where the values are. In
#   12 minutes, that are 10,000 of each machine at least.
# - The reader of DWARF in scripts/signatures gets broken objects, by AFL++. It must
#   neither crash nor hang, as ASan and UBSan see it. The seeds are objects of five
#   machines, compiled here.
#
# What was found once and has been fixed belongs into regressions/, where test.sh
# finds it.

set -eu
cd "$(dirname "$0")"
KERNEL=${KERNEL:-../../../../..}
OUT=${OUT:-$(mktemp -d)}
minutes=${1:-12}
failed=0

echo 'int do_signatures(int, int, char **);
#include <unistd.h>
int main(int c, char **v)
{ return do_signatures(getopt(c, v, "s:a:l:d:t:c:"), c, v); }' >"$OUT/main.c"
gcc -O2 -w -o "$OUT/plain-reader" "$OUT/main.c" "$KERNEL"/scripts/signatures/*.c -lelf
./oracle.py -m $((minutes * 5 / 12)) -n $((minutes >= 12 ? 10000 : 1)) \
	"$OUT/plain-reader" || failed=1
minutes=$((minutes - minutes * 5 / 12))

AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 afl-cc -g -O1 -w -o "$OUT/reader" \
	"$OUT/main.c" "$KERNEL"/scripts/signatures/*.c -lelf

mkdir -p "$OUT/seeds"
for prefix in x86_64-linux-gnu i686-linux-gnu arm-linux-gnueabihf aarch64-linux-gnu \
	      riscv64-linux-gnu; do
	for form in -gdwarf-4 -gdwarf-5 '-gdwarf-5 -gdwarf64' '-gdwarf-4 -ffunction-sections' \
		    '-gdwarf-5 -gz'; do
		# shellcheck disable=SC2086 # two options
		$prefix-gcc -O2 -w $form -ffreestanding -fno-pie -fno-stack-protector \
			-fno-asynchronous-unwind-tables -gno-record-gcc-switches -c fuzz.c \
			-o "$OUT/seeds/$prefix$(echo "$form" | tr -d ' ').o"
	done
done

export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 \
	AFL_NO_AFFINITY=1
# As much memory as a broken size asks for is a message, not a crash.
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1
role=-M
for n in $(seq "$(nproc)"); do
	timeout -s INT $((minutes * 60 + 60)) afl-fuzz -V $((minutes * 60)) -t 2000 \
		-i "$OUT/seeds" -o "$OUT/found" $role "fuzz$n" -- \
		"$OUT/reader" -l @@ >"$OUT/log$n" 2>&1 &
	role=-S
done
wait

awk -F ': *' '/^execs_done/ { n += $2 } END { print n " files read" }' \
	"$OUT"/found/*/fuzzer_stats
found=$(find "$OUT"/found/*/crashes "$OUT"/found/*/hangs -type f -name 'id*')
[ -z "$found" ] || { echo "the reader crashed or hung on:"; echo "$found"; exit 1; }
exit $failed
