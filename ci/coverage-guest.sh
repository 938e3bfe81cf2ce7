# SPDX-License-Identifier: GPL-2.0
#
# Guest script: the functions that can be traced, "signature NAME" or "without NAME"

sed -n -e '/^__ftrace_invalid_address___/d' \
	-e 's,^\([^ ]*\) /\* no signature \*/.*,without \1,p;t' \
	-e 's/^\([^ (]*\).*/signature \1/p' function_signatures
