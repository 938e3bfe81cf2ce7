#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Process 1 of the guest: mounts the file systems that a script expects, runs it in
# tracefs, and reports its status. Output and status have their own virtio-serial ports, so
# that kernel messages cannot be confused with them. Without a script it starts a shell on
# the console.

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
[ ! -e /proc/net/route ] || ifconfig lo 127.0.0.1 up

. /env
cd /sys/kernel/tracing

# The first scan only learns checksums, and passes over objects that are younger than five
# seconds. The second scan finds the leaks. The host reads the report on the console.
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

# The other conditions for a panic are on the command line, see run-qemu.sh.
echo 1 >/proc/sys/kernel/panic_on_rcu_stall
echo 2 >/proc/sys/vm/panic_on_oom

# The ports of the output and of the status, some time after their driver is there
until [ -e /dev/vport0p1 ] && [ -e /dev/vport0p2 ]; do
	sleep 0.1
done

# A port can be opened once. A script may open /dev/stdout again, so that is a pipe.
mkfifo /run/output
cat /run/output >/dev/vport0p1 &
cat=$!
sh /script >/run/output 2>&1 </dev/null
status=$?
# A process that the script left running would keep its output open.
for process in /proc/[0-9]*; do
	case ${process#/proc/} in
	1 | $cat) ;;
	*) kill -9 "${process#/proc/}" 2>/dev/null ;;
	esac
done
wait $cat
[ ! -e /sys/kernel/debug/kmemleak ] || find_leaks
echo "exit $status" >/dev/vport0p2
reboot -f
