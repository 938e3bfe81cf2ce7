#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: the kernel is up, and its graph tracer traces.

set -e
uname -a
echo vfs_write >set_graph_function
echo function_graph >current_tracer
echo 0 >tracing_on
grep -q 'vfs_write() *{' trace
echo nop >current_tracer
echo "ok $ARCH smoke"
