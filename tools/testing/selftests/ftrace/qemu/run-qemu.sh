#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Boots the kernel that the Makefile built, and runs $SCRIPT in the guest. The output of
# the script goes to stdout, everything else to stderr. Exits with the status of the
# script. If the kernel crashed or complained, the run has failed. The Makefile passes
# its variables in the environment.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
: "${RUN:=$OUT}"
console=$RUN/console.log
verdict=$RUN/status
initrd=$RUN/initrd.cpio
kernel=$RUN/image

# Warnings, KASAN, stalls and similar events end the guest. These complaints do not:
# lockdep and RCU, checks of memory, unwinders, programs that crash, objects with one
# name.
COMPLAINTS='WARNING: |BUG: |BUG [^ ]+ .*[Tt]ainted|DEADLOCK
INFO: (rcu|task|trying to register|lockdep is turned off)
kmemleak: ([0-9]+ new suspected|.*disabled)|page allocation failure
Bad frame pointer|Bad or missing .orc_unwind|missing [A-Z0-9]+ value at
unwind stack type|\] unwind:[ ]|bad frame in[ ]
segfault at| trap (invalid opcode|int3|divide error)|undefined instruction
potentially unexpected fatal signal|[Uu]nhandled (exception|.*fault|.*abort|signal)
irq [0-9]+: nobody cared|unchecked MSR access
cannot create duplicate filename|kobject_add_internal failed|Testing .*FAILED!'

say() { echo "$*" >&2; }
die() { say "error: $*"; exit 1; }

pack() { # DIR
	(cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0)
}

make_initrd() {
	root=$(mktemp -d)
	trap 'rm -rf "$root"' EXIT
	# The mode of the root directory
	chmod 755 "$root"
	mkdir "$root/bin" "$root/tests" "$root/files"
	cp "$HERE/init.sh" "$root/init"
	cp "$HERE"/tests/*.sh "$HERE/tests/skips" "$FGRAPH"/tests/*.sh "$root/tests"
	cp "$GUEST"/* "$root/bin"
	ln -s busybox "$root/bin/sh"
	printf "export ARCH='%s' FLAVOR='%s' BASE='%s'\n%s\n" "$ARCH" "$FLAVOR" \
		"$BASE" "${VARS:+export $VARS}" >"$root/env"
	[ -z "$SCRIPT" ] || cp "$SCRIPT" "$root/script"
	# shellcheck disable=SC2086 # a list of files
	[ -z "$FILES" ] || cp -R $FILES "$root/files"
	chmod -R a+rX,+x "$root"
	# Archives can be concatenated.
	pack "$root" | cat ${MODULES:+"$OUT/modules.cpio"} - >"$initrd"
}

# $QEMU is the program and the machine, see arch/*.mk. The line that is printed can be
# pasted into a shell.
qemu() { # ARG...
	cpus=$SMP
	[ -z "$ICOUNT" ] || cpus=1
	# shellcheck disable=SC2086 # $QEMU is meant to be split
	set -- $QEMU -nodefaults -no-user-config -nographic -no-reboot \
		${ICOUNT:+-icount shift=0,sleep=off} -smp "$cpus,sockets=$cpus" -m "$MEM" \
		-kernel "$kernel" -initrd "$initrd" "$@"
	say "${@@Q}"
	$LIMIT "$@"
}

# The output port is not "-chardev stdio", which closes when stdin ends. With tee, opening
# /dev/stdout truncates nothing.
#
# The clock of a guest goes on while the host does not run it. By default, the kernel takes
# 20 seconds of that for a lockup or a stall.
boot() {
	rm -f "$console" "$verdict"
	{
		qemu -append "console=$CONSOLE ignore_loglevel panic_on_warn=1 oops=panic \
hung_task_panic=1 softlockup_panic=1 watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=120 \
$BOOT_ARGS" \
			-serial "file:$console" -device "$VIRTIO_SERIAL" \
			-chardev file,id=output,path=/dev/stdout \
			-device virtserialport,chardev=output \
			-chardev "file,id=status,path=$verdict" \
			-device virtserialport,chardev=status \
			</dev/null ||
			[ $? -ne 124 ] || echo "no verdict after $TIMEOUT seconds" >"$verdict"
	} | tee "$RUN/output.log"
	[ -e "$console" ] || die "QEMU did not start"
	sed -i 's/\r$//' "$console"
}

judge() {
	# The pattern has a line for each kind: grep takes any of them.
	if complaint=$(grep -E -m 1 -A 40 -e "$COMPLAINTS" "$console"); then
		say "$complaint"
		die "the kernel complained: $(echo "$complaint" | head -n 1)"
	fi
	status=$(cat "$verdict")
	case $status in
	'exit '*)
		[ "$status" = 'exit 0' ] || say "the script exited with status ${status#exit }"
		exit "${status#exit }" ;;
	esac
	tail -n 40 "$console" >&2
	die "${status:-the guest ended without a verdict}, see $console"
}

[ -e "$OUT/$IMAGE" ] || die "BUILT=1, but there is no $OUT/$IMAGE"

# A directory has one guest at a time. A build waits only while its files are copied.
mkdir -p "$RUN"
exec 8>"$RUN/.guest" 9>"$OUT/.lock"
flock -n 8 || {
	say "waiting for another guest in $RUN"
	flock 8
}
flock -s 9
make_initrd
cp "$OUT/$IMAGE" "$kernel"
exec 9>&-

LIMIT=
BOOT_ARGS="panic=-1 $CMDLINE $APPEND"
if [ -z "$SCRIPT" ]; then
	qemu -append "console=$CONSOLE quiet $BOOT_ARGS" -serial mon:stdio
else
	LIMIT="timeout --foreground -k 5 $TIMEOUT"
	boot
	judge
fi
