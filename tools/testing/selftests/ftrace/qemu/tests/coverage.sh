#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: how many of the functions that can be traced have a signature.
# Prints "coverage FUNCTIONS SIGNATURES", then a line "without NAME" for each other.

functions=$(grep -vc '^__ftrace_invalid_address___' available_filter_functions)
grep -v '^__ftrace_invalid_address___' function_signatures >/tmp/signatures
without=$(grep -c '/\* no signature \*/' /tmp/signatures)

echo "coverage $functions $(($(grep -c . /tmp/signatures) - without))"
sed -n 's,^\([^ ]*\) /\* no signature \*/.*,without \1,p' /tmp/signatures
