#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# compare.sh BASE OURS: compares what ftracetest.sh or bench.sh printed on two kernels. A
# test that passed on the base and does not pass on ours is an error. Figures are printed
# side by side, with their ratio.

awk '
	FNR == 1 { file++ }
	/^ *ok / && !/ # SKIP/ {
		sub(/^ *ok [0-9]* */, "")
		passed[file, $0]
		if (file == 1)
			tests[$0]
	}
	/^bench / { figure[file, $2] = $3; if (!seen[$2]++) names[++n] = $2 }
	END {
		for (test in tests) {
			total++
			if (!((2, test) in passed)) {
				print "passed on the base only: " test
				lost++
			}
		}
		if (total)
			printf "%d tests passed on the base, %d of them do not here\n", total, lost
		if (n)
			printf "%-24s %12s %12s %8s\n", "", "base", "ours", "ratio"
		for (i = 1; i <= n; i++) {
			base = figure[1, names[i]]
			ours = figure[2, names[i]]
			ratio = base > 0 && ours != "" ? sprintf("%.3f", ours / base) : "-"
			printf "%-24s %12s %12s %8s\n", names[i], base == "" ? "-" : base,
				ours == "" ? "-" : ours, ratio
		}
		exit lost > 0
	}' "$1" "$2"
