#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the harness: does it notice what must not pass? Results of tests, runs that end
# early, and a tree in place of the kernel's pass through the scripts that judge and build.
# The complaints of a kernel are also tested with a kernel, see complaints.sh.

set -u
ci=$(cd "$(dirname "$0")" && pwd)
cd "${HARNESS:-$ci/../tools/testing/selftests/ftrace/qemu}" || exit
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# The command must exit with STATUS, any but 0 being 1, and print a line that matches.
try() { # NAME STATUS PATTERN COMMAND...
	name=$1 wanted=$2 pattern=$3 status=0
	shift 3
	"$@" >"$tmp/said" 2>&1 </dev/null || status=1
	if [ $status -ne "$wanted" ] || ! grep -qxE -e "$pattern" "$tmp/said"; then
		sed 's/^/# /' "$tmp/said"
		printf 'not '
	fi
	echo "ok $name"
}

# Results that are judged

judge() { # LINE...
	printf '%s\n' "$@" >"$tmp/results"
	judge_run cat "$tmp/results"
}
judge_run() { # COMMAND...
	ARCH=arm FLAVOR='' SKIPS=$tmp/skips ./results.sh "$@" | sed 's/^\[[0-9:]*\] //'
	# The status of a pipe is that of its last command.
	ARCH=arm FLAVOR='' SKIPS=$tmp/skips ./results.sh "$@" >/dev/null
}
cat >"$tmp/skips" <<'END'
# A list
arm64|riscv: one  # why
arm.*: two words  # why
END
suite='    KTAP version 1
    # Subtest: suite'
try 'results: all pass' 0 '.*Ran 2 tests: passed: 2' judge 'ok 1 one' 'ok 1 - two'
try 'results: one fails' 1 '.*passed: 1, failed: 1' judge 'ok 1 one' 'not ok 2 two'
try 'results: one is missing' 1 '.*passed: 1, crashed: 1.*' judge "$suite" '    1..2' \
	'    ok 1 one' 'ok 1 suite'
try 'results: a suite cannot start' 1 '.*crashed: 2.*' judge "$suite" '    1..2' \
	'    # failed to initialize (-12)' 'not ok 1 suite'
try 'results: there is none' 1 '.*0 tests run.*' judge 'some text'
try 'results: the guest dies' 1 '.*FAILED. the run ended.*' judge_run \
	sh -c 'echo "ok 1 one"; exit 1'
try 'results: a test may be skipped' 0 '.*skipped: 1' judge 'ok 1 one' \
	'ok 2 two words # SKIP here'
try 'results: another machine may skip it' 1 'error: skipped on arm .*: one' judge \
	'ok 1 one # SKIP' 'ok 2 two'
try 'results: what took long is named' 0 '# 12 s: slow' judge '[    1.0] ok 1 quick' \
	'[   13.0] ok 2 slow' '[   14.0] ok 3 quick, too'

# Runs of ftracetest, or of what is in its place

mkdir -p "$tmp/ftrace" "$tmp/logs"
printf '# flags: instance\n' >"$tmp/ftrace/a.tc"
touch "$tmp/ftrace/b.tc"
ftracetest() { # RESULT OF A, OF A IN AN INSTANCE, OF B, WHAT IS AFTER THEM
	printf '#!/bin/sh\nprintf "[1] a\\t[%s]\\n[2] (instance) a\\t[%s]\\n[3] b\\t[%s]\\n"\n%s\n' \
		"$@" >"$tmp/ftrace/ftracetest"
	judge_run env HERE="$PWD/tests" FTRACETEST="$tmp/ftrace" TMPDIR="$tmp" sh tests/ftracetest.sh .
}
try 'ftracetest: all pass' 0 '.*Ran 3 tests: passed: 3' ftracetest PASS PASS XFAIL ''
try 'ftracetest: one is unresolved' 1 '.*FAILED. b' ftracetest PASS PASS UNRESOLVED ''
try 'ftracetest: one fails in an instance' 1 '.*FAILED. .instance. a' \
	ftracetest PASS FAIL PASS ''
try 'ftracetest: one is not supported' 1 'error: skipped on arm .*: b' \
	ftracetest PASS PASS UNSUPPORTED ''
killed() {
	printf '#!/bin/sh\nprintf "[1] a\\t[PASS]\\n"; kill -9 $$\n' >"$tmp/ftrace/ftracetest"
	judge_run env HERE="$PWD/tests" FTRACETEST="$tmp/ftrace" TMPDIR="$tmp" sh tests/ftracetest.sh .
}
try 'ftracetest: it is killed' 1 '.*passed: 1, crashed: 2.*' killed

# Modules of KUnit

kunit() { # WHETHER IT LOADS, LOG
	cat >"$tmp/kunit" <<-END
	dmesg() { [ \$# -ne 0 ] || echo "\$log"; }
	modprobe() { $1; }
	rmmod() { :; }
	log='$2'
	set -- some_kunit
	. $PWD/tests/kunit.sh
	END
	judge_run env TMPDIR="$tmp" FILTER=/dev/null sh "$tmp/kunit"
}
log='[    1.0]     KTAP version 1
[    1.0]     # Subtest: some
[    1.0]     1..1'
try 'kunit: all pass' 0 '.*Ran 1 tests: passed: 1' kunit true "$log
[    1.1]     ok 1 a_case
[    1.2] ok 1 some"
try 'kunit: a module is missing' 1 '.*FAILED. some_kunit is loaded' kunit false ''
try 'kunit: a module has no results' 1 '.*FAILED. some_kunit has results' kunit true ''

# Lines of the console

eval "$(sed -n "/^COMPLAINTS='/,/'$/p" run-qemu.sh)"
complains() { # LINE
	printf '[ 1.0] %s\n' "$1" | grep -qE -e "$COMPLAINTS" && echo yes || echo no
}
while read -r wanted line; do
	try "console: $line" 0 "$wanted" complains "$line"
done <"$ci/console-lines"

# build.sh with a CONFIG, on a tree whose makefile is in place of Kconfig: of the lines for
# an option the last one counts, VIRTIO is y, and MAXSMP means 64 CPUs.

mkdir "$tmp/tree" "$tmp/no-pahole" "$tmp/pahole"
ln -s "$KERNEL/scripts" "$tmp/tree"
cat >"$tmp/tree/Makefile" <<'END'
allnoconfig:
	@{ cat $(KCONFIG_ALLCONFIG); echo CONFIG_VIRTIO=y; } | awk -F '[= ]' ' \
		/^CONFIG_/ && !/_LOST/ { last[$$1] = $$0 } \
		/^CONFIG_MAXSMP=y/ { max = 1 } \
		END { if (max) last["CONFIG_NR_CPUS"] = "CONFIG_NR_CPUS=64"; \
		      for (i in last) print last[i] }' >$(O)/.config
bzImage modules kernel/a.ko:
	@echo $@ >>$(O)/made
	@case $@ in *.ko) mkdir -p $(O)/kernel $(O)/include/config; \
		cp /bin/true $(O)/$@; echo 6.1 >$(O)/include/config/kernel.release ;; esac
modules_install:
	@mkdir -p $(INSTALL_MOD_PATH)/lib/modules/6.1/kernel && \
		echo all >$(INSTALL_MOD_PATH)/lib/modules/6.1/kernel/b.ko
END
for dir in $(echo "$PATH" | tr : ' '); do
	ln -s "$dir"/* "$tmp/no-pahole" 2>/dev/null
done
rm -f "$tmp/no-pahole/pahole"
ln -s /bin/true "$tmp/pahole/pahole"

# Print the configuration, what was built, and the modules of the guest, in a line.
build() { # MODULES, OUR OPTIONS, USER'S OPTIONS
	rm -rf "$tmp/out"
	printf '%s\n' $2 >"$tmp/our.config"
	config=
	[ $# -lt 3 ] || config=$tmp/user.config
	[ $# -lt 3 ] || printf '%s\n' $3 >"$config"
	JOBS=1 BUILD=$tmp OUT=$tmp/out TREE=$tmp/tree FLAVOR='' NEEDED='' MODULES=$1 \
		CONFIG=$config KERNEL_ARCH=x86_64 CROSS_COMPILE='' IMAGE=boot/bzImage \
		./build.sh $config "$tmp/our.config" || return
	{
		sort "$tmp/out/.config" | sed 's/^CONFIG_//'
		cat "$tmp/out/made"
		[ ! "$1" ] || cpio -t --quiet <"$tmp/out/modules.cpio" | grep 'ko$'
	} | paste -sd ' '
}
built='FTRACE=y VIRTIO=y bzImage'
try 'build: a CONFIG is overridden' 0 "$built" \
	build '' CONFIG_FTRACE=y 'CONFIG_FTRACE=n CONFIG_VIRTIO=m'
try 'build: what a CONFIG asks for is not checked' 0 'FTRACE=y OTHER=m VIRTIO=y bzImage' \
	build '' CONFIG_FTRACE=y 'CONFIG_LOST=y CONFIG_OTHER=m'
try 'build: what the guest needs is checked' 1 'error: CONFIG_LOST=y cannot be had in .*' \
	build '' CONFIG_LOST=y CONFIG_FTRACE=y
try 'build: a number is the least that is needed' 0 'MAXSMP=y NR_CPUS=64 VIRTIO=y bzImage' \
	build '' CONFIG_NR_CPUS=8 CONFIG_MAXSMP=y
try 'build: a number is too small' 1 'error: CONFIG_NR_CPUS=128 cannot be had in .*' \
	build '' CONFIG_NR_CPUS=128 CONFIG_MAXSMP=y
try 'build: no module on its own' 0 "$built" build '' CONFIG_FTRACE=y
try 'build: all modules on demand' 0 "$built modules lib/.*/b.ko" \
	build 1 CONFIG_FTRACE=y CONFIG_VIRTIO=m
try 'build: one module on demand' 0 "$built kernel/a.ko lib/.*/a.ko" \
	build kernel/a.ko CONFIG_FTRACE=y CONFIG_VIRTIO=m
compressed() {
	gzip -c "$tmp/user.config" >"$tmp/config.gz"
	CONFIG=$tmp/config.gz TREE=$tmp/tree OUT=$tmp/out FLAVOR='' ./build.sh
}
try 'build: a compressed CONFIG is refused' 1 'error: .*: it must be a .config, not .*' compressed
with_path() { (PATH=$1 && shift && "$@"); }
try 'build: BTF needs pahole' 1 'error: pahole not found, .*: install the package dwarves.*' \
	with_path "$tmp/no-pahole" build '' CONFIG_FTRACE=y CONFIG_DEBUG_INFO_BTF=y
try 'build: BTF is had with pahole' 0 "DEBUG_INFO_BTF=y $built" \
	with_path "$tmp/pahole:$tmp/no-pahole" build '' CONFIG_FTRACE=y CONFIG_DEBUG_INFO_BTF=y

# A part of make test whose guest died while test c ran
mkdir -p "$tmp/test/guest"
printf '%s\n' '[1] # reason of a' '[1] [PASSED] a' '[2] # reason of b' \
	'[2] # + cleanup' '[2] # 1' '[2] # 2' '[2] # 3' '[2] [FAILED] b' \
	'error: no verdict after 5 seconds' >"$tmp/test/guest.log"
echo 'no verdict after 5 seconds' >"$tmp/test/guest/status"
echo 'last words' >"$tmp/test/guest/console.log"
try 'failures: a part that has passed is not named' 0 nothing \
	sh -c '[ "$("$@")" ] || echo nothing' sh "$ci/failures.sh" "$tmp/test"
: >"$tmp/test/guest.failed"
try 'failures: the output of a failed test is shown' 0 '# \[2\] # reason of b' \
	"$ci/failures.sh" "$tmp/test"
try 'failures: an error is shown' 0 '# error: no verdict after 5 seconds' \
	"$ci/failures.sh" "$tmp/test"
try 'failures: the end of the log is shown if the guest died' 0 '# last words' \
	"$ci/failures.sh" "$tmp/test"
