# SPDX-License-Identifier: GPL-2.0
#
# fgraph explains a failure of Debian's programs, with systemd as process 1.

. /files/lib.sh

mkdir -p /mnt
fgraph why mount -t tmpfs -o bad=1 none /mnt >/tmp/why 2>&1

names_the_function() {
	head -n 20 /tmp/why
	grep 'vfs_parse_fs_param(.*param="bad".*) = -22 (EINVAL)$' /tmp/why
}

quotes_the_log() { grep "kernel: tmpfs: Unknown parameter 'bad'" /tmp/why; }
leaves_nothing() { [ "$(ls instances)" = '' ] && [ "$(cat current_tracer)" = nop ]; }

why_unit() {
	fgraph why systemctl start no-such.service
	[ $? -ne 125 ]
}

check 'fgraph why names the function that failed' names_the_function
check 'fgraph why quotes the kernel log' quotes_the_log
check 'fgraph why explains a command that asks systemd' why_unit
check 'fgraph why leaves nothing' leaves_nothing
