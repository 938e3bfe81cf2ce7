#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ktap.sh NAME COUNT: turns the results on stdin, "ok ..." or "not ok ...", into the
# subtests of one test, in the form of KTAP. The test fails if a result is missing.

awk -v "name=$1" -v "count=$2" '
	BEGIN { print "    KTAP version 1\n    # Subtest: " name "\n    1.." count }
	/^(not )?ok / {
		n++
		failed += /^not/
		sub(/ok /, "ok " n " ")
	}
	{ print "    " $0; fflush() }
	END { print (failed || n != count ? "not ok " : "ok ") name }'
