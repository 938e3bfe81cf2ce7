#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Process 1 of the guest: mounts what a script expects, runs it in tracefs and
# reports over virtio-serial ports of their own, so that nothing that the kernel
# or the script prints can be taken for the verdict.  Without a script it starts
# a shell on the console.

export PATH=/bin HOME=/ TERM=linux

/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /tmp /run
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
ifconfig lo 127.0.0.1 up

. /env
cd /sys/kernel/tracing

# The ports get their names some time after their driver is there.
port() { # NAME
	for _ in $(seq 300); do
		for port in /sys/class/virtio-ports/*; do
			[ "$(cat "$port/name" 2>/dev/null)" != "$1" ] || {
				echo "/dev/${port##*/}"
				return
			}
		done
		sleep 0.1
	done
}

# What the script left running would keep its output open for ever.
kill_all_but() { # PID
	for process in /proc/[0-9]*; do
		case ${process#/proc/} in
		1|"$1") ;;
		*) kill -9 "${process#/proc/}" 2>/dev/null ;;
		esac
	done
}

# A leak counts when it is found twice: the first scan only learns checksums,
# and objects younger than five seconds are passed over.  The harness reads the
# report from the console.
find_leaks() {
	sleep 6
	echo scan >/sys/kernel/debug/kmemleak
	echo scan >/sys/kernel/debug/kmemleak
	cat /sys/kernel/debug/kmemleak >/dev/kmsg
}

if [ ! -e /script ]; then
	setsid cttyhack sh
	reboot -f
fi

# A pipe and not the port itself: a port can be opened only once, and a script
# may well open /dev/stdout again.
mkfifo /run/output
cat /run/output >"$(port script.output)" &
cat=$!
sh /script >/run/output 2>&1 </dev/null
status=$?
kill_all_but $cat
wait $cat
[ ! -e /sys/kernel/debug/kmemleak ] || find_leaks
echo "exit $status" >"$(port script.status)"
reboot -f
