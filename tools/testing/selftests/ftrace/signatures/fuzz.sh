#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# fuzz.sh [MINUTES [PART...]]: feeds random and broken input to the programs that make
# and read signatures, on all CPUs. The parts share this number of minutes:
#
#	oracle	compares signatures of random prototypes with the places of values:
#		see oracle.py. In 12 minutes or more, it must check at least 1,000
#		global and 1,000 static functions of each machine.
#	reader	reads the DWARF of objects: recordmcount -l
#	members	the same, for members of structs: recordmcount -m
#	writer	writes signatures into objects: record_signatures()
#	sorter	sorts and copies the table of a linked kernel: recordmcount -t, -c
#	kernel	checks tables, parses signatures and prints values:
#		kernel/trace/fgraph_sig_text.c and trace_graph_value.c, in user space
#
# The last five parts get broken input from AFL++. They must not hang or crash, and ASan
# and UBSan must not report an error.
#
# Each part prints the numbers of inputs, crashes and hangs. The seeds are objects that
# this script compiles and links for five machines, and handwritten tables.
#
# Add each input that revealed a bug to regressions/, so that test.sh tests it.

set -eu
cd "$(dirname "$0")"
KERNEL=${KERNEL:-../../../../..}
OUT=${OUT:-$(mktemp -d)}
minutes=${1:-12}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- oracle reader members writer sorter kernel
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
# If a broken size leads to a huge allocation, the program must print a message, not
# crash.
export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1
CC=afl-cc SANITIZE=-w
# shellcheck source=/dev/null
. ./build.sh

compile() { # MACHINE FLAG OBJECT
	# shellcheck disable=SC2086 # FLAG may contain two options
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

# Omit debug information, because these options do not read it.
make_linked() { # DIRECTORY
	mkdir -p "$1"
	for machine in $machines; do
		compile "$machine" -gdwarf-4 "$OUT/linked.o"
		"$OUT/reader" -a "$OUT/linked.o"
		"$machine-ld" --build-id=sha1 -e one -S -T linked.lds \
			-o "$1/$machine" "$OUT/linked.o"
	done
}

# All options of recordmcount are in this program.
need_reader() {
	[ -x "$OUT/reader" ] || build_reader "$OUT/reader"
}

# PART SEEDS COMMAND...: fuzz the command on all CPUs, for its share of the time.
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
		echo "$1 did not run:"
		tail -n 20 "$OUT/log-${1}1"
		failed=1
	fi
}

# The oracle needs no sanitizer, which would make it slow.
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

fuzz_members() {
	need_reader
	make_objects "$OUT/objects"
	fuzz members "$OUT/objects" "$OUT/reader" -m @@
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
