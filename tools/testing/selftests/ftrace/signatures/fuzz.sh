#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fuzz.sh [MINUTES [PART...]]: feeds random and broken input to what makes and reads
# signatures, on all CPUs, for so many minutes together. These parts share the time:
#
#	oracle	compares signatures of random prototypes with where the values are:
#		see oracle.py. In 12 minutes, that are 10,000 of each machine at least.
#	reader	reads the DWARF of objects: scripts/signatures, recordmcount -l
#	writer	writes signatures into them: recordmcount -a
#	sorter	sorts and copies the table of a linked kernel: recordmcount -t, -c
#	kernel	checks tables, parses signatures and prints by them:
#		kernel/trace/fgraph_sig_text.c and trace_graph_value.c, in user space
#
# The last four get broken input from AFL++. They must neither crash nor hang, as ASan
# and UBSan see it.
#
# Each prints a line: how many inputs, how many crashes and hangs. The seeds are
# objects of five machines, compiled here, what is linked of them, and tables written
# by hand.
#
# What was found once and has been fixed belongs into regressions/, where test.sh
# finds it.

set -eu
cd "$(dirname "$0")"
KERNEL=${KERNEL:-../../../../..}
OUT=${OUT:-$(mktemp -d)}
minutes=${1:-12}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- oracle reader writer sorter kernel
# The oracle gets three shares.
shares=$#
case " $* " in
*' oracle '*) shares=$((shares + 2)) ;;
esac
seconds=$((minutes * 60 / shares))
machines='x86_64-linux-gnu i686-linux-gnu arm-linux-gnueabihf aarch64-linux-gnu
	riscv64-linux-gnu'
failed=0

export AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 \
	AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1
# As much memory as a broken size asks for is a message, not a crash.
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1
CC=afl-cc SANITIZE=-w
# shellcheck source=/dev/null
. ./build.sh

compile() { # MACHINE FLAG OBJECT: small files fuzz faster
	# shellcheck disable=SC2086 # FLAG may be two options
	"$1-gcc" -O2 -w $2 -ffreestanding -fno-pie -fno-stack-protector \
		-fno-asynchronous-unwind-tables -gno-record-gcc-switches -c fuzz.c -o "$3"
}

make_objects() { # DIRECTORY
	[ ! -d "$1" ] || return 0
	mkdir -p "$1"
	for machine in $machines; do
		for form in -gdwarf-4 -gdwarf-5 '-gdwarf-5 -gdwarf64' \
			    '-gdwarf-4 -ffunction-sections' '-gdwarf-5 -gz'; do
			compile "$machine" "$form" \
				"$1/$machine$(echo "$form" | tr -d ' ').o"
		done
	done
}

# Without debug information: it is not read then.
make_linked() { # DIRECTORY
	mkdir -p "$1"
	for machine in $machines; do
		compile "$machine" -gdwarf-4 "$OUT/linked.o"
		"$OUT/reader" -a "$OUT/linked.o"
		"$machine-ld" --build-id=sha1 -e one -S -T linked.lds \
			-o "$1/$machine" "$OUT/linked.o"
	done
}

# The options of recordmcount are in one program. It is cheap to make.
need_reader() {
	[ -x "$OUT/reader" ] || build_reader "$OUT/reader"
}

# PART SEEDS COMMAND...: runs it on all CPUs, for its share of the time
fuzz() {
	part=$1 seeds=$2
	shift 2
	role=-M
	pids=
	for n in $(seq "$(nproc)"); do
		timeout -s INT $((seconds + 60)) afl-fuzz -V "$seconds" -t 2000 \
			-i "$seeds" -o "$OUT/found-$part" $role "fuzz$n" -- \
			"$@" >"$OUT/log-$part$n" 2>&1 &
		pids="$pids $!"
		role=-S
	done
	# shellcheck disable=SC2086 # several processes
	wait $pids || :
	report "$part"
}

report() { # PART
	runs=$(cat "$OUT/found-$1"/*/fuzzer_stats 2>/dev/null |
		awk -F ': *' '/^execs_done/ { n += $2 } END { print n + 0 }')
	found=$(find "$OUT/found-$1"/*/crashes "$OUT/found-$1"/*/hangs -type f \
			-name 'id*' 2>/dev/null || :)
	echo "fuzz $1: $runs inputs, $(echo "$found" | grep -c .) crashes and hangs"
	if [ -n "$found" ]; then
		echo "$found"
		failed=1
	elif [ "$runs" -eq 0 ]; then
		echo "it did not run:"
		tail -n 20 "$OUT/log-${1}1"
		failed=1
	fi
}

# It needs no sanitizer, which would make it slow.
fuzz_oracle() {
	(CC=gcc SANITIZE='-O2 -w' && build_reader "$OUT/plain-reader")
	./oracle.py -m "$(echo "$seconds" | awk '{ print $1 / 20 }')" \
		-n $((minutes >= 12 ? 1000 : 1)) "$OUT/plain-reader" || failed=1
}

fuzz_reader() {
	need_reader
	make_objects "$OUT/objects"
	fuzz reader "$OUT/objects" "$OUT/reader" -l @@
}

fuzz_writer() {
	need_reader
	make_objects "$OUT/objects"
	fuzz writer "$OUT/objects" "$OUT/reader" -a @@
}

fuzz_sorter() {
	need_reader
	build_table "$OUT/table"
	make_linked "$OUT/linked"
	fuzz sorter "$OUT/linked" "$OUT/table" @@
}

fuzz_kernel() {
	build_kernel "$OUT/kernel"
	mkdir -p "$OUT/tables"
	cp regressions/*.sig seeds/*.sig "$OUT/tables"
	fuzz kernel "$OUT/tables" "$OUT/kernel" @@
}

for part; do
	"fuzz_$part"
done
exit $failed
