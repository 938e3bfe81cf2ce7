#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# count.sh: prints how many of the results on stdin passed, failed and were skipped.
# Fails if one failed, or if none passed.

exec awk '
	/^not ok / { failed++ }
	/^ok .* # SKIP/ { skipped++; next }
	/^ok / { passed++ }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed || !passed
	}'
