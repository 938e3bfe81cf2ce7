#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test of the harness: does it notice what must not pass?  Made-up results, runs
# that break off and lines of the console go through the scripts that judge real ones.
# Prints "ok NAME" or "not ok NAME".

set -u
cd "$(dirname "$0")" || exit
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# COMMAND prints what is on stdin, and ends with STATUS: 0, or 1 for any other.
says() { # NAME STATUS COMMAND...
	name=$1 wanted=$2
	shift 2
	cat >"$tmp/expected"
	status=0
	"$@" >"$tmp/said" 2>"$tmp/stderr" || status=1
	if [ $status -eq "$wanted" ] && cmp -s "$tmp/expected" "$tmp/said"; then
		echo "ok host harness $name"
		return
	fi
	echo "not ok host harness $name"
	echo "#   status $status"
	diff "$tmp/expected" "$tmp/said" | cat - "$tmp/stderr" | sed 's/^/#   /'
	failed=1
}

# The plan

cat >"$tmp/plan" <<END
# What is to run

[host x86_64]
first test
[arm64 arm64-debug]
first test
may be skipped  # SKIP
[x86_64]
second test
END

check() { # WHERE..., results on stdin of the caller
	./plan.sh check "$tmp/plan" "$tmp/results" "$@"
}

results() { # LINE...
	printf '%s\n' "$@" >"$tmp/results"
}

whole='ok x86_64 first test
ok x86_64 second test'

results 'ok host first test' "$whole"
says 'plan: all of it ran' 0 check host x86_64 </dev/null

results 'ok host first test' 'ok x86_64 first test'
says 'plan: a test is missing' 1 check host x86_64 <<END
not ok x86_64 plan: missing: second test
END

results 'ok host first test'
says 'plan: a place is missing' 1 check host x86_64 <<END
not ok x86_64 plan: missing: all of 2
END

results "$whole" 'ok x86_64 third test'
says 'plan: a test is new' 1 check x86_64 <<END
not ok x86_64 plan: not in it: third test
END

results "$whole" 'ok riscv first test'
says 'plan: a place is new' 1 check x86_64 <<END
not ok riscv plan: not in it: first test
END

results 'ok x86_64 first test' 'ok x86_64 second test # SKIP no such thing'
says 'plan: a test was skipped' 1 check x86_64 <<END
not ok x86_64 plan: skipped: second test
END

results "$whole" 'ok x86_64 first test'
says 'plan: a test ran twice' 1 check x86_64 <<END
not ok x86_64 plan: twice: first test
END

results 'ok arm64 first test' 'ok arm64 may be skipped # SKIP UNSUPPORTED' \
	'ok arm64-debug first test' 'ok arm64-debug may be skipped'
says 'plan: a test may be skipped' 0 check arm64 </dev/null

results 'ok x86_64 first test' 'not ok x86_64 second test'
says 'plan: a failed test has run' 0 check x86_64 </dev/null

results 'ok host first test' 'ok x86_64 third test' 'ok x86_64 second test' \
	'not ok arm64 first test' 'ok arm64 may be skipped'
write() {
	./plan.sh write "$tmp/plan" "$tmp/results" && cat "$tmp/plan"
}
says 'plan: written from results' 0 write <<END
# What is to run

[arm64 arm64-debug]
may be skipped  # SKIP

[arm64 arm64-debug host]
first test

[x86_64]
second test
third test
END
results 'ok host first test' 'ok x86_64 third test' 'ok x86_64 second test'
says 'plan: what was written holds' 0 check x86_64 host </dev/null

# The last line of a run

count() { printf '%s\n' "$@" | ./count.sh; }

says 'count: all pass' 0 count 'ok a' 'ok b # SKIP c' '# not ok d' <<END
1 passed, 0 failed, 1 skipped
END
says 'count: one fails' 1 count 'ok a' 'not ok b' <<END
1 passed, 1 failed, 0 skipped
END
says 'count: none ran' 1 count '' <<END
0 passed, 0 failed, 0 skipped
END
says 'count: all are skipped' 1 count 'ok a # SKIP b' <<END
0 passed, 0 failed, 1 skipped
END
run() { ./run.sh "$@" | sed 's/[0-9]* s$/N s/'; }
says 'run: a command fails' 0 run 'x86_64 run' sh -c 'echo a; exit 1' <<END
# x86_64: a
not ok x86_64 run
# x86_64: run: N s
END

# Parts of test-deep that were done before

mkdir "$tmp/kernel"
git init -q "$tmp/kernel"
echo 1 >"$tmp/kernel/file"
git -C "$tmp/kernel" add file
git -C "$tmp/kernel" -c user.name=a -c user.email=a@b commit -q -m first
printf '#!/bin/sh\ncat "%s"\n! grep -q killed "%s"\n' "$tmp/part" "$tmp/part" >"$tmp/make"
chmod +x "$tmp/make"

deep() { # RESULT
	echo "$1" >"$tmp/part"
	BUILD=$tmp KERNEL=$tmp/kernel MAKE=$tmp/make ./deep.sh run some-part |
		sed -e 's/, see.*//' -e '/: ended$/d'
}
done_before='# some-part: was done before'

says 'deep: a part fails' 0 deep 'not ok x86_64 a' <<END
not ok x86_64 a
END
says 'deep: it runs again' 0 deep 'ok x86_64 a' <<END
ok x86_64 a
END
says 'deep: a part was done' 0 deep 'ok x86_64 a' <<END
$done_before
END
echo 2 >"$tmp/kernel/file"
says 'deep: the tree has changed' 0 deep 'ok x86_64 a' <<END
ok x86_64 a
END
echo 3 >"$tmp/kernel/new"
says 'deep: the tree has a new file' 0 deep 'ok x86_64 a' <<END
ok x86_64 a
END
says 'deep: a part was done, again' 0 deep 'ok x86_64 a' <<END
$done_before
END
echo 4 >"$tmp/kernel/new"
says 'deep: a part is broken off' 0 deep 'ok x86_64 killed' <<END
ok x86_64 killed
END
says 'deep: it runs once more' 0 deep 'ok x86_64 a' <<END
ok x86_64 a
END

# Runs of ftracetest, or of what is in its place

mkdir "$tmp/ftrace"
touch "$tmp/ftrace/a.tc" "$tmp/ftrace/b.tc"

ftracetest() { # RESULT OF A, OF B, WHAT IS AFTER THEM
	printf '#!/bin/sh\nprintf "[1] a\\t[%s]\\n[2] b\\t[%s]\\n"\n%s\n' "$@" \
		>"$tmp/ftrace/ftracetest"
	rm -rf "$tmp/ftracetest"*
	ARCH=x86_64 FTRACETEST=$tmp/ftrace TMPDIR=$tmp sh tests/ftracetest.sh . |
		grep -v '^#'
	! ARCH=x86_64 FTRACETEST=$tmp/ftrace TMPDIR=$tmp sh tests/ftracetest.sh . |
		grep -q '^not ok'
}
summary='echo "# of passed:  1"; echo "# of failed:  1"; exit'

says 'ftracetest: all pass' 0 ftracetest PASS XFAIL "$summary 0" <<END
ok x86_64 ftrace a
ok x86_64 ftrace b
END
says 'ftracetest: one is killed' 1 ftracetest PASS PASS 'kill -9 $$' <<END
ok x86_64 ftrace a
ok x86_64 ftrace b
not ok x86_64 ftrace run came to its end
END
says 'ftracetest: one loses results' 1 ftracetest PASS PASS \
	'echo "# of passed:  3"; exit 0' <<END
ok x86_64 ftrace a
ok x86_64 ftrace b
not ok x86_64 ftrace run came to its end
END
says 'ftracetest: what is unresolved fails' 1 ftracetest UNRESOLVED FAIL "$summary 1" <<END
not ok x86_64 ftrace a
not ok x86_64 ftrace b
END
says 'ftracetest: what is unsupported is skipped' 0 \
	ftracetest UNSUPPORTED UNTESTED "$summary 0" <<END
ok x86_64 ftrace a # SKIP UNSUPPORTED
ok x86_64 ftrace b # SKIP UNTESTED
END

# In place of it: says why on its log, which it keeps if that is asked for
skips() {
	cat >"$tmp/ftrace/ftracetest" <<'END'
#!/bin/sh
case $* in *--fail-unsupported*) mkdir -p "$2"; cat >"$2/1-a.tc-log.xyz" ;; esac <<'LOG'
+ modprobe nothing
modprobe: not found
+ echo 'There is none'
There is none
+ exit_unsupported
+ kill -s 40 1
LOG
printf '[1] a\t[UNSUPPORTED]\n# of unsupported:  1\n'
END
	rm -rf "$tmp/ftracetest"*
	ARCH=x86_64 FTRACETEST=$tmp/ftrace TMPDIR=$tmp sh tests/ftracetest.sh .
}
says 'ftracetest: the reason is said' 0 skips <<END
ok x86_64 ftrace a # SKIP UNSUPPORTED
# 1-a.tc was skipped: There is none
END

# What KUnit printed to the log of the kernel

kunit_says() { # LOG
	(
		ARCH=x86_64 TMPDIR=$tmp
		. tests/kunit.sh
		dmesg() { [ $# -ne 0 ] || echo "$log"; }
		modprobe() { :; }
		rmmod() { :; }
		log=$1
		kunit some_kunit | grep -v '^#' | tee "$tmp/kunit"
		! grep -q '^not ok' "$tmp/kunit"
	)
}

says 'kunit: all pass' 0 kunit_says '[    1.0]     # Subtest: some
[    1.0]     1..1
[    1.1]     ok 1 a_case
[    1.2] ok 1 some' <<END
ok x86_64 kunit a_case
ok x86_64 kunit suite some
END
says 'kunit: a suite cannot start' 1 kunit_says '[    1.0]     # Subtest: some
[    1.0]     1..1
[    1.1]     # failed to initialize (-12)
[    1.2] not ok 1 some' <<END
not ok x86_64 kunit suite some
END
says 'kunit: there is no result' 1 kunit_says '[    1.0] some_kunit loaded' <<END
not ok x86_64 kunit some_kunit has results
END

# build.sh with a CONFIG, on a tree whose makefile stands for Kconfig:
# of the lines for an option the last one counts, VIRTIO is y, and MAXSMP means 64 CPUs.

mkdir "$tmp/tree" "$tmp/no-pahole" "$tmp/pahole"
cat >"$tmp/tree/Kconfig" <<'END'
config FTRACE
config VIRTIO
config NR_CPUS
config LOST
config DEBUG_INFO_BTF
END
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

# Prints what was built, after what the configuration has; MODULES and PATH are the
# caller's.
build() { # OUR LINES, USER'S LINES
	rm -rf "$tmp/out"
	printf '%s\n' "$1" >"$tmp/our.config"
	if [ $# -eq 2 ]; then
		printf '%s\n' "$2" >"$tmp/user.config"
		set -- "$tmp/user.config"
	else
		set --
	fi
	JOBS=1 BUILD=$tmp OUT=$tmp/out TREE=$tmp/tree BASE='' FLAVOR='' UNKNOWN='' CONFIG=${1:-} \
		MODULES=${MODULES:-} KERNEL_ARCH=x86_64 CROSS_COMPILE='' IMAGE=boot/bzImage \
		./build.sh "$@" "$tmp/our.config" 2>"$tmp/build"
	status=$?
	sed -n 's/^error: \(.*\)/\1/p' "$tmp/build"
	[ $status -ne 0 ] || sort "$tmp/out/.config"
	cat "$tmp/out/made" 2>/dev/null
	return $status
}

# Lines of the guest's modules.cpio
build_with() { # MODULES, OUR LINES, USER'S LINES
	MODULES=$1
	shift
	build "$@" && cpio -t --quiet <"$tmp/out/modules.cpio" | grep 'ko$'
	status=$?
	MODULES=
	return $status
}

says 'build: a CONFIG is overridden' 0 \
	build 'CONFIG_FTRACE=y' "$(printf 'CONFIG_FTRACE=n\nCONFIG_VIRTIO=m')" <<END
CONFIG_FTRACE=y
CONFIG_VIRTIO=y
bzImage
END
says 'build: what a CONFIG asks for is not checked' 0 \
	build 'CONFIG_FTRACE=y' "$(printf 'CONFIG_LOST=y\nCONFIG_UNHEARD_OF=m')" <<END
CONFIG_FTRACE=y
CONFIG_UNHEARD_OF=m
CONFIG_VIRTIO=y
bzImage
END
says 'build: what the guest needs is checked' 1 \
	build 'CONFIG_LOST=y' 'CONFIG_FTRACE=y' <<END
CONFIG_LOST cannot be had as CONFIG_LOST=y asks
END
says 'build: what the guest needs is known' 1 build 'CONFIG_LOST_WORLD=y' 'CONFIG_LOST=y' <<END
CONFIG_LOST_WORLD is unknown to $tmp/tree
END
says 'build: a number is the least that is needed' 0 \
	build 'CONFIG_NR_CPUS=8' "$(printf 'CONFIG_MAXSMP=y\nCONFIG_NR_CPUS=64')" <<END
CONFIG_MAXSMP=y
CONFIG_NR_CPUS=64
CONFIG_VIRTIO=y
bzImage
END
says 'build: a number is too small' 1 build 'CONFIG_NR_CPUS=128' 'CONFIG_MAXSMP=y' <<END
CONFIG_NR_CPUS cannot be had as CONFIG_NR_CPUS=128 asks
END
says 'build: without a CONFIG, modules are built' 0 build 'CONFIG_FTRACE=y' <<END
CONFIG_FTRACE=y
CONFIG_VIRTIO=y
bzImage
modules
END
gzip -c "$tmp/user.config" >"$tmp/user.config.gz"
compressed() {
	CONFIG=$tmp/user.config.gz TREE=$tmp/tree OUT=$tmp/out FLAVOR='' ./build.sh 2>&1
}
says 'build: a CONFIG that is compressed is refused' 1 compressed <<END
error: CONFIG=$tmp/user.config.gz sets no option: it must be a .config, not compressed
END
without_pahole() { (PATH=$tmp/no-pahole && build "$@"); }
with_pahole() { (PATH=$tmp/pahole:$tmp/no-pahole && build "$@"); }
says 'build: BTF needs pahole' 1 without_pahole 'CONFIG_FTRACE=y' 'CONFIG_DEBUG_INFO_BTF=y' <<END
$(printf '%s%s' 'pahole not found, which CONFIG_DEBUG_INFO_BTF=y needs: ' \
	'install the package dwarves, or turn that option off')
END
says 'build: BTF is had with pahole' 0 with_pahole 'CONFIG_FTRACE=y' 'CONFIG_DEBUG_INFO_BTF=y' <<END
CONFIG_DEBUG_INFO_BTF=y
CONFIG_FTRACE=y
CONFIG_VIRTIO=y
bzImage
END
says 'build: of a CONFIG all modules on demand' 0 \
	build_with 1 'CONFIG_FTRACE=y' 'CONFIG_VIRTIO=m' <<END
CONFIG_FTRACE=y
CONFIG_VIRTIO=y
bzImage
modules
lib/modules/6.1/kernel/b.ko
END
says 'build: of a CONFIG one module' 0 \
	build_with kernel/a.ko 'CONFIG_FTRACE=y' 'CONFIG_VIRTIO=m' <<END
CONFIG_FTRACE=y
CONFIG_VIRTIO=y
bzImage
kernel/a.ko
lib/modules/6.1/kernel/a.ko
END

# The console

complaints() { # LINE...
	printf '%s\n' "$@" >"$tmp/console"
	./complaints.sh "$tmp/console"
}

sed -e '/^#/d' -e '/^$/d' complaints-seen.txt >"$tmp/seen"
every_one() {
	while read -r line; do
		complaints "$line" >/dev/null && echo "$line"
	done <"$tmp/seen"
	[ "$(wc -l <"$tmp/seen")" -gt 40 ]
}
says 'console: each complaint is found' 0 every_one </dev/null

# A pattern that no line needs is one that nobody has tried.
needed() {
	sed -e '/^#/d' -e '/^$/d' complaints.txt | while read -r pattern; do
		grep -qE -e "$pattern" "$tmp/seen" || echo "$pattern"
	done
}
says 'console: each pattern finds one' 0 needed </dev/null

says 'console: nothing is wrong' 0 complaints \
	'[    0.0] Linux version 6.1.0 (x86_64-linux-gnu-gcc)' \
	'[    0.1] rcu: 	RCU event tracing is enabled.' \
	'[    0.2] Lock dependency validator: Copyright (c) 2006 Red Hat, Inc.' \
	'[    0.3] Testing tracer nop: PASSED' \
	'[    0.4] rcu_tasks_wait_gp: rcu_tasks grace period number 9 is 20 jiffies old.' \
	'[    0.5] kmemleak: Kernel memory leak detector initialized (mem pool available: 15789)' \
	'[    0.6] sched: RT throttling activated' \
	'[    0.7] # fgraph_unwind: pass:6 fail:0 skip:0 total:6' </dev/null

expected='test expects: page allocation failure'
says 'console: expected' 0 complaints "[ 1.0] $expected" \
	'[ 1.1] sh: page allocation failure: order:0' '[ 1.2] test expects: nothing' \
	</dev/null
says 'console: expected, but too late' 1 complaints "[ 1.0] $expected" \
	'[ 1.1] test expects: nothing' '[ 1.2] sh: page allocation failure: order:0' <<END
[ 1.2] sh: page allocation failure: order:0
END
says 'console: expected was another' 1 complaints "[ 1.0] $expected" \
	'[ 1.1] WARNING: CPU: 0' '[ 1.2] test expects: nothing' <<END
[ 1.1] WARNING: CPU: 0
[ 1.2] test expects: nothing
END
says 'console: expected to the end' 1 complaints "[ 1.0] $expected" <<END
$expected, and nothing after it
END

exit $failed
