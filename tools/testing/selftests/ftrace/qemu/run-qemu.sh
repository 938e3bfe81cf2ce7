#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Boots what the Makefile built, runs $SCRIPT in the guest and judges the run.
# The script's output goes to stdout as it comes, everything else to stderr.
# Exits with the script's status; a run that the kernel did not survive without
# complaint has failed, whatever the script says.  Called by the Makefile, which
# passes its variables in the environment.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
console=$OUT/console.log
verdict=$OUT/status
initrd=$OUT/initrd.cpio

say() { echo "$*" >&2; }
die() { say "error: $*"; exit 1; }

pack() { # DIR
	(cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0)
}

# Archives can be concatenated: the cached part, then what this run adds.
make_initrd() {
	extra=$(mktemp -d)
	trap 'rm -rf "$extra"' EXIT
	mkdir "$extra/files"
	# Its mode becomes that of the root directory.
	chmod 755 "$extra"
	printf "export ARCH='%s' FLAVOR='%s' BASE='%s' UNSTABLE='%s' BROKEN='%s'\n%s\n" \
		"$ARCH" "$FLAVOR" "$BASE" "${UNSTABLE:-}" "${BROKEN:-}" \
		"${VARS:+export $VARS}" >"$extra/env"
	[ -z "$SCRIPT" ] || cp "$SCRIPT" "$extra/script"
	for dir in $FILES; do
		cp -R "$dir" "$extra/files/"
	done
	pack "$extra" | cat "$GUEST/guest.cpio" \
		${MODULES:+"$OUT/modules.cpio"} - >"$initrd"
}

# The command line as it can be pasted into a shell.
quoted() {
	for arg; do
		case $arg in
		*[!A-Za-z0-9_./,:=+-]*) printf "'%s' " "$arg" ;;
		*) printf '%s ' "$arg" ;;
		esac
	done
	echo
}

# $QEMU holds the program and the machine, see arch/*.mk.
qemu() { # ARG...
	cpus=$SMP
	[ -z "$ICOUNT" ] || cpus=1
	# shellcheck disable=SC2086 # $QEMU is meant to be split
	set -- $QEMU -nodefaults -no-user-config -nographic -no-reboot \
		${ICOUNT:+-icount shift=0,sleep=off} -smp "$cpus" -m "$MEM" \
		-kernel "$OUT/$IMAGE" -initrd "$initrd" "$@"
	quoted "$@" >&2
	$LIMIT "$@"
}

# The output port is not "-chardev stdio": that one shuts when stdin ends.  With
# tee in between, /dev/stdout is a pipe, and opening it truncates nothing.
boot() {
	rm -f "$console" "$verdict" "$OUT/timeout"
	{
		qemu -append "console=$CONSOLE ignore_loglevel $BOOT_ARGS" \
			-serial "file:$console" -device "$VIRTIO_SERIAL" \
			-chardev file,id=output,path=/dev/stdout \
			-device virtserialport,chardev=output,name=script.output \
			-chardev "file,id=status,path=$verdict" \
			-device virtserialport,chardev=status,name=script.status \
			</dev/null || [ $? -ne 124 ] || : >"$OUT/timeout"
	} | tee "$OUT/output.log"
	[ -e "$console" ] || die "QEMU did not start"
	sed -i 's/\r$//' "$console"
}

judge() {
	if ! complaint=$("$HERE/complaints.sh" "$console"); then
		say "$complaint"
		die "the kernel complained: $(echo "$complaint" | head -n 1)"
	fi
	status=$(sed -n 's/^exit //p' "$verdict" 2>/dev/null) || :
	if [ -e "$OUT/timeout" ] || [ -z "$status" ]; then
		tail -n 20 "$console" >&2
		[ ! -e "$OUT/timeout" ] || die "no verdict after $TIMEOUT seconds"
		die "the guest ended without a verdict, see $console"
	fi
	[ "$status" = 0 ] || say "the script exited with status $status"
	exit "$status"
}

# One guest at a time in an output directory, and no build; but a copy may be made.
exec 8>"$OUT/.guest" 9>"$OUT/.lock"
flock -n 8 || {
	say "waiting for another guest in $OUT"
	flock 8
}
flock -s 9

LIMIT=
BOOT_ARGS="$CMDLINE panic=-1 oops=panic $APPEND"
make_initrd
if [ -z "$SCRIPT" ]; then
	qemu -append "console=$CONSOLE quiet $BOOT_ARGS" -serial mon:stdio
else
	LIMIT="timeout --foreground -k 5 $TIMEOUT"
	boot
	judge
fi
