#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Guest script: eight writers of random rules to three instances, for MINUTES, while a task
# makes calls that the rules keep. The kernel must not complain, and take rules as before.

: "${SEED:=1}" "${MINUTES:=1}"

for name in a b c; do
	mkdir instances/$name
	echo 64 >instances/$name/buffer_size_kb
	echo 'vfs_*' >instances/$name/set_ftrace_filter
	echo function_graph >instances/$name/current_tracer
done
writers=
for n in $(seq 8); do
	awk -v seed=$((SEED + n)) -v minutes="$MINUTES" -f /files/rules.awk \
		instances/a instances/b instances/c 2>/dev/null &
	writers="$writers $!"
done
while :; do
	ls /proc /no/such
	sleep 0.1
done >/dev/null 2>&1 &
calls=$!
# shellcheck disable=SC2086 # a list
wait $writers
kill $calls

for name in a b c; do
	echo error:EIO >instances/$name/set_graph_keep
	[ "$(cat instances/$name/set_graph_keep)" = error:EIO ] || exit 1
	echo >instances/$name/set_graph_keep
	[ "$(wc -c <instances/$name/set_graph_keep)" = 0 ] || exit 1
	rmdir instances/$name
done
