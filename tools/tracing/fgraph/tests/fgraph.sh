# SPDX-License-Identifier: GPL-2.0
#
# Guest script: tests the program fgraph. Prints the results in the form of KTAP.

[ -e /sys/kernel/tracing/set_graph_keep ] || exit 0

# To most tests, the machine makes no difference, and a guest takes a second to start fgraph. So
# only x86_64 runs them all.
FIRST=7 MORE=30 ALL=41
case $ARCH in
x86_64) COUNT=$ALL ;;
arm64) COUNT=$MORE ;;
*) COUNT=$FIRST ;;
esac

# Tables of source lines, if the kernel has them, make more tests.
LINES=/lib/modules/$(uname -r)/lines LINE_TESTS=0
[ ! -e "$LINES/vmlinux" ] || case $ARCH in
x86_64) LINE_TESTS=4 ;;
arm | riscv) LINE_TESTS=2 ;;
*) LINE_TESTS=1 ;;
esac
TOTAL=$((COUNT + LINE_TESTS))
# Which of them the compiler inlines differs from machine to machine.
[ "$ARCH" != arm ] || TOTAL=$((TOTAL + 1))

INSTANCES=/sys/kernel/tracing/instances
PROBES=/sys/kernel/tracing/kprobe_events
NO_TRACE='this is not a file of fgraph record, and not a trace of function_graph'
OUT=/tmp/fgraph
mkdir -p $OUT /mnt
cd $OUT || exit

# Run a test in a process of its own, which ends at the first command that fails. What it
# prints is shown then.
check() { # NAME FUNCTION
	local status

	# In a condition, set -e would have no effect.
	rm -f found
	(set -e; "$2") >log 2>&1
	status=$?
	if [ $status -eq 0 ]; then
		echo "ok $1"
	else
		sed 's/^/# /' log
		echo "not ok $1"
	fi
}

# set -e ignores a command that begins with !.
not() { # COMMAND...
	! "$@"
}

status_is() { # STATUS COMMAND...
	local expected=$1 status=0

	shift
	"$@" || status=$?
	echo "status $status"
	[ $status -eq "$expected" ]
}

# Wait until a command succeeds, at most for 20 s.
wait_until() { # COMMAND...
	for _ in $(seq 200); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "in vain: $*"
	return 1
}

nothing_is_left() {
	ls $INSTANCES
	[ -z "$(ls $INSTANCES)" ]
}

mode_of() { # FILE
	stat -c %a "$1"
}

has_instance() { # PID
	ls $INSTANCES | grep -q "^fgraph-$1-"
}

# The first of these functions that can be traced, or a clone of it
first_traced() { # FUNCTION...
	local function

	for function; do
		grep -x -m 1 "$function\(\..*\)\?" /sys/kernel/tracing/available_filter_functions &&
			return
	done
}

add_nobody() {
	mkdir -p /etc
	echo nobody:x:65534:65534:nobody:/:/bin/sh >/etc/passwd
}

# The directory of failcall.c
make_failcall_files() {
	mkdir -p /tmp/failcall /tmp/failcall-sticky
	mount -t tmpfs none /tmp/failcall
	(cd /tmp/failcall
	mkdir full empty read-only small cgroup
	echo text >full/file
	echo text >secret
	chmod 600 secret
	ln -s full/file link
	ln -s loop loop
	mkfifo fifo
	mknod device c 240 5
	touch /tmp/failcall-sticky/file
	chmod 1777 /tmp/failcall-sticky
	mount -t tmpfs -o ro none read-only
	mount -t tmpfs -o size=64k none small
	mount -t cgroup2 none cgroup
	mkdir -p cgroup/group/inner)
}

remove_failcall_files() {
	rmdir /tmp/failcall/cgroup/group/inner /tmp/failcall/cgroup/group
	umount /tmp/failcall/cgroup /tmp/failcall/small /tmp/failcall/read-only /tmp/failcall
}

# Compare the end of each chain with the function that must be named. A function that the
# compiler inlines has no name in a trace.
check_functions() { # PROCESSES CALLS REPORT
	awk '
	FILENAME ~ /available_filter_functions$/ { sub(/\..*/, "", $1); traced[$1] = 1; next }
	FILENAME ~ /processes$/ { pid[$1] = $2; next }
	FILENAME ~ /calls$/ { call[++calls] = $0; next }
	/^[a-z0-9_]+\(.*\) .* -[0-9]+ \([A-Z0-9]+\) .*\[[0-9]+\]  [0-9]/ {
		match($0, /\[[0-9]+\]  [0-9]/)
		process = substr($0, RSTART + 1, RLENGTH - 5)
		match($0, / -[0-9]+ \([A-Z0-9]+\)/)
		split(substr($0, RSTART, RLENGTH), part, /[()]/)
		key = process " " part[2]
		end[key] = "-"
		next
	}
	/^  / && end[key] == "-" {
		nr = split($0, part, " → ")
		sub(/^ +/, "", part[nr])
		sub(/[.(].*/, "", part[nr])
		end[key] = part[nr]
		next
	}
	END {
		for (i = 1; i <= calls; i++) {
			nr = split(call[i], word, " ")
			found = end[pid[word[1]] " " word[2]]
			expected = near = ""
			for (j = nr; j > 2; j--) {
				is_optional = sub(/\?$/, "", word[j])
				near = near || word[j] == found
				if (word[j] == found && is_optional)
					expected = found
				else if (word[j] == "-" || traced[word[j]] && !is_optional)
					expected = word[j]
			}
			inlined += expected != word[3]
			if (found == expected) {
				right++
				continue
			}
			wrong += !near
			print word[1] ": " (found ? found : "nothing") " in place of " expected
		}
		printf "%d calls: %d right, %d wrong; the functions of %d are inlined\n",
			calls, right, wrong, inlined
		exit !(calls >= 120 && right * 100 >= calls * 95 && !wrong)
	}' /sys/kernel/tracing/available_filter_functions "$@"
}

# All system calls of failcall fail in one run.
names_the_function() {
	make_failcall_files
	failcall >calls
	status=0
	fgraph why -e ENOENT,EAGAIN,ECHILD,ENOSYS,ENOTTY -o report \
		failcall $(cut -d ' ' -f 1 calls) >processes || status=$?
	remove_failcall_files
	check_functions processes calls report
	[ $status -eq 0 ]
}

# The build wrote the tables, see CONFIG_FGRAPH_LINES.
names_the_lines() {
	fgraph why -o report mount -t tmpfs -o bad=1 none /mnt || :
	cat report
	grep '^  lines: ' report >found
	grep -q '→ path_mount fs/namespace\.c:[1-9][0-9]* →' found
	grep -q '→ vfs_parse_fs_param, defined in fs/fs_context\.c:[1-9][0-9]*$' found
	modprobe fgraph_delay
	fgraph where 'vfs_read+0x4' 'fgraph_delay_sleep+0x4 [fgraph_delay]' | tee found
	mv $LINES/fgraph_delay table
	status_is 1 fgraph where 'fgraph_delay_sleep+0x4 [fgraph_delay]' 2>missing
	mv table $LINES/fgraph_delay
	rmmod fgraph_delay
	grep -q "$LINES/fgraph_delay, a table of source lines, is missing: see " missing
	grep -q '^vfs_read+0x4: vfs_read fs/read_write\.c:[1-9]' found
	grep -q ': fgraph_delay_sleep kernel/trace/tests/fgraph_delay\.c:[1-9]' found
	status_is 1 fgraph where nosuch+0x4
}

# A table must be of the build that was traced, which may be that of a file.
names_the_lines_of_a_build() {
	fgraph why -o report mount -t tmpfs -o bad=1 none /mnt || :
	fgraph record -k error -o trace mount -t tmpfs -o bad=1 none /mnt || :
	grep '^  lines: ' report >lines
	cp $LINES/vmlinux table
	mkdir tables
	mv $LINES/vmlinux tables
	fgraph why -i trace -o report
	not grep '^  lines: ' report
	fgraph why -i trace --lines tables -o report
	mv tables/vmlinux $LINES
	grep '^  lines: ' report | cmp - lines
	sed 's/^# build ID: vmlinux .*/# build ID: vmlinux 0123/' trace >other
	fgraph why -i other -o report 2>found
	grep -q "/vmlinux: a table of source lines of another build: lines are not shown$" found

	# Without a table that can be used, the answer is as before.
	trap "cp $PWD/table.good $LINES/vmlinux" EXIT
	cp table table.good
	head -c 3000 table >$LINES/vmlinux
	fgraph why -o report mount -t tmpfs -o bad=1 none /mnt 2>found || :
	grep -q "/vmlinux: a damaged table of source lines: lines are not shown$" found
	dd if=/dev/zero of=table bs=1 seek=50 count=4 conv=notrunc
	cp table $LINES/vmlinux
	fgraph why -o report mount -t tmpfs -o bad=1 none /mnt 2>found || :
	grep -q "/vmlinux: a table of source lines of another build: lines are not shown$" found
	grep -q 'vfs_parse_fs_param(' report
	not grep -q '^  lines: ' report
}

# A worker of the kernel executes modprobe, which is not there.
begins_at_a_function() {
	fgraph why -a -r call_usermodehelper_exec_async -o report 2>found &
	wait_until grep -q 'the trace has begun' found
	mount -t nosuch none /mnt || :
	wait_until grep -q ended report
	kill -INT $!
	wait $!
	cat report
	grep -q '^call_usermodehelper_exec_async(.*), -2 (ENOENT) ended in it .*\[[0-9]*\]$' report
	grep -q '^  kernel_execve(kernel_filename="/sbin/modprobe") → .* = -2 (ENOENT)$' report

	status_is 1 fgraph why -r vfs_open,vfs_read -o report cat /
	grep -q '^vfs_read(file="/", .*) = -21 (EISDIR) ' report
	status_is 125 fgraph why -r vfs_read,nosuch true 2>found
	grep -q '^fgraph: -r nosuch: no function that can be traced has this name$' found
}

# The lines of the function where the error came from, by the tables of the build
shows_the_way() {
	mkdir -p source/fs
	seq 500 | sed 's/.*/line & of the file/' >source/fs/fs_context.c
	fgraph line --source source -o report mount -t tmpfs -o bad=1 none /mnt 2>found || :
	cat report found
	grep -q 'the error came from vfs_parse_fs_param: running the command again' found
	grep -q '^  vfs_parse_fs_param fs/fs_context\.c$' report
	grep -qE '^ +([0-9]+) {2,}line \1 of the file' report
	grep -q '← -22 (EINVAL)$' report
	not grep . $PROBES
	# The call of another function is on the way, where the trace says.
	fgraph record -k error -o trace mount -t tmpfs -o bad=1 none /mnt || :
	grep ' vfs_parse_fs_param_source(' trace >found
	call=$(sed 's/.*<-vfs_parse_fs_param+\(0x[0-9a-f]*\).*/\1/' found)
	fgraph where "vfs_parse_fs_param+$(printf '0x%x' $((call - 1)))" >found
	line=$(sed 's/.*://' found)
	[ "$(grep -c "^ *$line  line $line of the file" report)" -eq 1 ]

	status_is 0 fgraph line -o report --in write_full true 2>found
	grep -q 'no error came from write_full this time' found
	status_is 125 fgraph line --in nosuch true 2>found
	grep -q 'nosuch: the kernel shows no address of this function' found
	status_is 125 fgraph line --in atomic_notifier_call_chain true 2>found
	grep -q 'atomic_notifier_call_chain cannot be probed: ' found

	# The probes are removed however it ends, and no other run gets them.
	fgraph line -a --in write_full -o other &
	first=$!
	wait_until grep -q . $PROBES
	fgraph line -a --in vfs_rmdir -o report &
	wait_until grep -q '^  vfs_rmdir fs/namei\.c$' report &
	while kill -0 $! 2>/dev/null; do
		rmdir /proc || :
		sleep 0.2
	done
	wait $!
	kill -KILL $first
	wait_until nothing_is_left
	not grep . $PROBES

	# A signal may come when the function has just been found.
	fgraph line -a --only EISDIR -o report 2>found &
	wait_until grep -q 'the trace has begun' found
	cat / || :
	kill $!
	wait_until not kill -0 $!
}

# The condition that was evaluated last decides, if several statements share the code of a return.
names_the_statement() {
	mkdir -p source/kernel
	cp /files/sys.c source/kernel
	fgraph line --color always --source source -o report failcall prlimit
	cat report
	bold=$(printf '\033')'\[1m *'
	grep -A1 'if (new_rlim->rlim_cur > new_rlim->rlim_max)$' report >found
	grep -q "^ *[0-9]*? *${bold}return -EINVAL;" found
	[ "$(grep -c "^ *[0-9]*?* *$bold[a-z].*;" report)" -eq 1 ]
}

# Print the error of each root, and the function where it came from.
print_origins() { # REPORT
	awk '/^[a-z]/ && / \(E[A-Z_]*\)/ { match($0, /\(E[A-Z_]*\)/)
		root = substr($1, 1, match($1, /[( ]/) ? RSTART - 1 : 99)
		match($0, /\(E[A-Z_]*\)/); error = substr($0, RSTART + 1, RLENGTH - 2)
		getline; sub(/.* → /, ""); sub(/^ +/, ""); sub(/[( ].*/, "")
		print root, error, $0 }' "$1"
}

# The table of fgraph_driver.c has what fails. Functions of lib/ cannot be traced.
explains_a_driver() {
	# A module that fails to load is gone before its trace is read.
	fgraph why -o report modprobe fgraph_driver init_error=-16 || :
	cat report
	grep -q '→ fgraph_driver_init \[fgraph_driver\]() = -16 (EBUSY)$' report
	not grep 'do_one_initcall(.*) = -16' report

	modprobe fgraph_driver
	roots=really_probe,fgraph_driver_work,fgraph_driver_timer,fgraph_driver_thread
	fgraph why -a -r $roots -o report 2>found &
	wait_until grep -q 'the trace has begun' found
	for what in irq registers busy handler firmware supplier work timer timer timer thread; do
		echo $what >/sys/module/fgraph_driver/parameters/fail
	done
	wait_until grep -q '^fgraph_driver_thread' report
	kill -INT $!
	wait $!
	rmmod fgraph_driver
	cat report
	grep -q '^really_probe(dev="fgraph_driver", drv="fgraph_driver") = 6 (ENXIO) ' report
	grep -q '^  kernel: fgraph_driver fgraph_driver: invalid resource$' report
	grep -q '^fgraph_driver_work .*, -2 (ENOENT) ended in it ' report
	print_origins report | tee origins
	cmp - origins <<-END
		really_probe ENXIO platform_get_irq_optional
		really_probe EINVAL devm_platform_ioremap_resource
		really_probe EBUSY fgraph_driver_map_memory
		really_probe EINVAL request_threaded_irq
		really_probe ENOENT _request_firmware
		really_probe EPROBE_DEFER device_links_check_suppliers
		fgraph_driver_work ENOENT _request_firmware
		fgraph_driver_timer EINVAL request_threaded_irq
		fgraph_driver_thread ENOENT _request_firmware
	END
}

# With a command, work is explained if the command queued it.
explains_work_of_the_command() {
	modprobe fgraph_driver
	fail=/sys/module/fgraph_driver/parameters/fail
	fgraph why -o report sh -c "echo work >$fail; mount -t nosuch none /mnt || :"
	cat report
	grep -A 3 '^work fgraph_driver_work .*, -2 (ENOENT) ended in it ' report |
		grep -q '^  in work queued by sh\[[0-9]*\]$'
	grep -A 3 '^kernel_execve(kernel_filename="/sbin/modprobe", .*) = -2 (ENOENT) ' report |
		grep -q '^  in work queued by [a-z]*\[[0-9]*\]$'
	status_is 0 fgraph why --json -o report sh -c "echo work >$fail"
	grep -q '"lost":true,.*"queued_by":[1-9]' report

	while :; do echo work >$fail; done &
	status_is 0 fgraph why -o report sleep 1
	kill $!
	wait $! || :
	rmmod fgraph_driver
	cat report
	not grep fgraph_driver report
}

finds_the_delay() {
	modprobe fgraph_delay
	status_is 0 fgraph slow -t 20ms -o report sh -c \
		'echo 400 >/sys/kernel/debug/fgraph_delay'
	rmmod fgraph_delay
	cat report
	call='fgraph_delay_sleep \[fgraph_delay\]\(ms=400, reason="test of a delay"\) = 15'
	# After a pause of the guest, its jiffies catch up: they make a sleep shorter.
	time='([1-9][0-9][0-9]\.[0-9] ms|[0-9]+\.[0-9] s)'
	grep -qE "^ +$time +$time +$call\$" report
	grep -q '^write(fd=1, .*count=4) = 4 ' report
}

lists_sleep_apart() {
	fgraph slow -t 2s -o report sleep 2.1
	cat report
	grep -q '^fgraph: 0 system calls took 2s' report
	grep -q '^  [a-z_]*nanosleep' report
}

# An error that the kernel changes, and a message of a real program
says_what_was_before() {
	status_is 255 fgraph why -o report mount -t tmpfs -o bad=1 none /mnt
	cat report
	grep -q '^mount(dev_name=.*) = -22 (EINVAL) .*mount\[[0-9]*\]  [0-9.]* .\?s$' report
	grep -q ' vfs_parse_fs_param(.*param="bad"' report
	grep -q '^  before that: .*param="bad".* = -519 (ENOPARAM)$' report
	grep -qx "  kernel: tmpfs: Unknown parameter 'bad'" report
	[ "$(grep -c '^  kernel: ' report)" -eq 1 ]
}

expected_failures_take_a_line() {
	fgraph why -o report sh -c '[ -e /no/such ]; true'
	cat report
	grep -q '^  [a-z0-9]*(.*"/no/such".*) = -2 (ENOENT)$' report
	not grep -q ' → ' report
	fgraph why -o report -f step_into sh -c '[ -e /no/such ]; true'
	cat report
	grep -q ' → .*step_into' report || ! first_traced step_into
	# The shell fails: its last failure is shown in full.
	status_is 1 fgraph why -o report sh -c '[ -e /no/such ]'
	grep -q ' → ' report
}

counts_what_is_equal() {
	fgraph why -o report sh -c 'for i in 1 2 3; do [ -e /no/such ]; done; true'
	cat report
	grep -q '/no/such.*(3 times)$' report
	[ "$(grep -c /no/such report)" -eq 1 ]
}

names_what_differs() {
	mkdir -p locked
	mount -t tmpfs none locked
	touch locked/a locked/b
	mount -o remount,ro none locked
	status_is 1 fgraph why -o report rm locked/a locked/b locked/c-is-missing
	umount locked
	cat report
	grep -q '= -30 (EROFS) .*(2 times, the first:)$' report
	grep -q '→ .*"locked/a"\|("locked/a"\|name="locked/a"' report
	grep -q '^  also: .*"locked/b"' report
}

# The first failure in a report
first_failure() { # REPORT
	awk '!NF { blank = 1 } NF && blank { print; exit }' "$1"
}

# The last failure before a message or a bad status stands first. A failure that each program has
# does not.
decides_what_is_first() {
	mkdir -p locked
	mount -t tmpfs none locked
	mkdir locked/a
	mount -o remount,ro none locked
	status_is 1 fgraph why -o report sh -c 'rmdir /proc 2>/dev/null; rmdir locked/a; exit 1'
	umount locked
	cat report
	first_failure report | grep -q '^\(rmdir\|unlinkat\)(.*) = -16 (EBUSY)'
	status_is 1 fgraph why -o report sh -c 'mkdir locked; [ -e /no/such ]; cat /no/file'
	cat report
	first_failure report | grep -q '^mkdir.*(.*"locked".*) = -17 (EEXIST)'
	grep -A 2 '"/no/file".*ENOENT' report | grep -q '^  .*→'
	grep -q '^  [a-z0-9]*(.*"/no/such".*ENOENT' report
	status_is 3 fgraph why -o report sh -c 'exit 3'
	cat report
	grep -qx 'fgraph: no failure was recorded that explains status 3' report
	not grep -q '^getrandom\|^wait4\|^rseq' report
	status_is 139 fgraph why -o report sh -c 'kill -SEGV $$'
	cat report
	grep -qx 'fgraph: signal 11 (Segmentation fault) ended sh' report
	# A program may ask what it has, and say that this is the reason.
	status_is 1 fgraph why -o report stty -F /dev/null
	cat report
	first_failure report | grep -q '^ioctl(fd=0, cmd=0x5401, .*ENOTTY'
}

# A daemon, whose parent ends at once
follows_a_daemon() {
	fgraph why --follow -o report sh -c '(sleep 1; rmdir /proc) & exit 4' 2>/dev/null ||
		[ $? -eq 4 ]
	cat report
	first_failure report | grep -q '^\(rmdir\|unlinkat\)(.*"/proc".*) = -16 (EBUSY)'
	fgraph why -o report sh -c '(sleep 3; rmdir /proc) & exit 4' 2>/dev/null || [ $? -eq 4 ]
	not grep '"/proc"' report
	refuses 125 '--follow needs a command' fgraph why --follow -a
	refuses 125 "unrecognized option '--follow': see fgraph top --help" fgraph top --follow
}

# Anybody can name a program and a task like lines of the trace, or like an escape sequence.
obeys_no_names() {
	escape=$(printf '\033')
	forged='     init-1     |               |  __x64_sys_kill(regs=0x1 (0x1 0x9)) {'
	name=$(printf 'a\n%s\n     init-1     |   1.000 us    |  } /* __x64_sys_kill ret=-1 %s' \
		"$forged" '(EPERM) *'; printf '/\n%s[31mb' "$escape")
	mkdir -p forged
	mount -t tmpfs none forged
	# A name contains no slash.
	mkdir -p "forged/${name%/*}"
	printf '#!/bin/sh\n[ -e /no/such/e ]\n' >"forged/$name"
	chmod +x "forged/$name"
	(while sleep 0.2; do "forged/$name" || :; done) &
	fgraph why -e ENOENT -a -d 3 >report-a
	kill $!
	fgraph why -e ENOENT -o report "forged/$name" || :
	for report in report report-a; do
		cat -v $report
		grep -q '"/no/such/e"' $report
		not grep -q '^kill' $report
		not grep -q "$escape" $report
	done
	fgraph record -k error -o trace sh -c "exec 'forged/$name'" || :
	not grep -q '^     init-1 ' trace
	for form in '' --folded --json --html; do
		fgraph report $form trace >report
		not grep -q "$escape" report
	done
	umount forged
	status=0
	fgraph why -o report sh -c "printf 'c\\nd\\033[31m' >/proc/self/comm; printf '' >/no/f" ||
		status=$?
	cat -v report
	grep -q '"/no/f"' report
	not grep -q "$escape" report
}

finds_errors_in_answers() {
	make_failcall_files
	fgraph why -o report failcall netlink_link || :
	remove_failcall_files
	cat report
	grep -q '^sendto(fd=3, .*) = 32, the answer is -19 (ENODEV) ' report
	grep -A 1 '^sendto' report | grep -q '^  rtnetlink_rcv_msg.* → rtnl_setlink(.*ENODEV)$'
}

# Arguments are printed as a programmer writes them: flags by name, modes octal, descriptors
# decimal.
prints_arguments_as_written() {
	make_failcall_files
	fgraph why -o report failcall open_creat_dir open_noatime rename_flags mkdir mmap_null \
		socket connect_file fcntl_dup link_mount truncate_limit umount_busy || :
	remove_failcall_files
	cat report
	grep -q '^openat(dfd=AT_FDCWD, filename="/tmp/failcall/full", flags=O_WRONLY|O_CREAT, '`
		`'mode=0600) = -21' report
	grep -q 'flags=O_RDONLY|O_NOATIME, mode=0) = -1' report
	grep -q '^renameat2(.*oldname="a", .*newname="b", flags=RENAME_NOREPLACE|RENAME_E' report
	grep -q '^mkdir.*(.*pathname="/tmp/failcall/full", mode=0700) = -17' report
	grep -q 'prot=PROT_READ, flags=MAP_PRIVATE|MAP_FIXED|MAP_ANONYMOUS, fd=-1, off=0' report
	grep -q '^fcntl(fd=0, cmd=F_DUPFD, ' report
	grep -q '^link.*(.*oldname="/tmp/failcall/full/file", .*newname="/file".*) = -18' report
	grep -q '^truncate(path="/tmp/failcall/full/file", length=20) = -27' report
	grep -q '^  path_umount(path="read-only"' report
	[ -e /proc/net ] || return 0
	grep -q '^socket(family=AF_UNIX, type=SOCK_STREAM, ' report
	grep -q '^connect(fd=3, uservaddr="/tmp/failcall/full/file", addrlen=110) = -111' report
}

# Each option has a short and a long form, and each command its help.
has_help_and_long_options() {
	for command in why slow top record report; do
		fgraph $command --help >out
		cat out
		head -n 1 out | grep -q "^usage: fgraph $command \[OPTION...\]"
		grep -q '^  -o, --output=FILE ' out
	done
	not grep -q -- '--follow' out
	fgraph --version | grep -q '^fgraph [0-9.]*$'
	fgraph record --keep error --output trace sh -c '[ -e /no/such ]; true'
	fgraph why --input trace --errors=enoent,EWOULDBLOCK --output report
	grep -q ' → ' report
	fgraph why --all --duration 0.5 >report
	grep -q '^fgraph: ' report
}

# Without signatures of the functions, there are no names of arguments.
names_the_capability() {
	add_nobody
	fgraph why -o report -u nobody chroot / || :
	cat report
	grep -q '^  .*cap_capable(.*cap=CAP_SYS_CHROOT.*) = -1 (EPERM)$' report
}

two_do_not_see_each_other() {
	fgraph why -e ENOENT -o report-a sh -c 'sleep 3; [ -e /no/such/a ]' &
	fgraph why -e ENOENT -o report-b sh -c 'sleep 3; [ -e /no/such/b ]' &
	wait
	cat report-a report-b
	grep -q /no/such/a report-a
	grep -q /no/such/b report-b
	not grep -q /no/such/b report-a
	not grep -q /no/such/a report-b
}

follows_a_process() {
	sh -c 'while :; do [ -e /no/such/c ]; sleep 0.2; done' &
	fgraph why -e ENOENT -p $! -d 5 >report
	kill $!
	cat report
	grep -q '"/no/such/c".*ENOENT' report
	grep -q '"/no/such/c".*([0-9]* times)$' report
	# It ends with the process.
	rm -f found
	wait_until grep -q 'the trace has begun' found &
	fgraph why -p $! >report 2>found
	grep -q '^fgraph: ' report
}

traces_the_machine() {
	modprobe fgraph_driver
	sh -c 'while :; do [ -e /no/such/d ]; mount -t nosuch none /mnt; sleep 0.2; done' &
	loop=$!
	fgraph why -a -o report 2>found &
	wait_until grep -q 'the trace has begun' found
	for what in work irq-thread; do
		echo $what >/sys/module/fgraph_driver/parameters/fail
	done
	wait_until grep -q '^interrupt thread fgraph_driver' report
	# The kernel starts modprobe, which is not there.
	wait_until grep -q '^kernel_execve(kernel_filename="/sbin/modprobe", .*(ENOENT) ' report
	kill $loop
	kill -INT $!
	wait $!
	rmmod fgraph_driver
	cat report
	grep -q '"/no/such/d".*ENOENT' report
	grep -A 1 '^work fgraph_driver_work [^,]*, -2 (ENOENT) ended in it  *kworker[^ ]*\[' report |
		grep -q ' _request_firmware(.*) = -2 (ENOENT)$'
	grep -A 1 '^interrupt thread fgraph_driver_irq_thread .*, -2 (ENOENT) ended in it  *irq/' \
		report | grep -q ' _request_firmware(.*) = -2 (ENOENT)$'
	grep -q '^fgraph: [0-9]* calls failed$' report
}

passes_on_what_the_command_does() {
	status=0
	echo text | fgraph why -o report sh -c 'cat; echo error >&2; exit 7' >out 2>err || status=$?
	cat out err
	[ $status -eq 7 ]
	[ "$(cat out)" = text ]
	[ "$(cat err)" = error ]
	status_is 143 fgraph why -o report sh -c 'kill $$'
	status_is 137 fgraph why -o report sh -c 'kill -9 $$'
	# A signal to fgraph ends the command.
	fgraph why -o report sleep 100 &
	wait_until pidof sleep
	kill $!
	status_is 143 wait $!
	not pidof sleep
}

# A file without a header, as from a shell; a caller that ignores the end of its children
starts_what_a_shell_starts() {
	echo 'echo "script $1"' >script
	chmod +x script
	[ "$(fgraph why -o report ./script a)" = 'script a' ]
	(trap '' CHLD; fgraph why -o report sh -c 'exit 3') || [ $? -eq 3 ]
	grep -q '^fgraph: ' report
	mkdir -p first/true
	PATH=$OUT/first:$PATH fgraph why -o report true
}

# Two processes have the same failure. The one that fails because of it is named.
names_the_process_that_failed() {
	status_is 1 fgraph why -o report sh -c 'sh -c "[ -e /no/such ]; true"
		sh -c "echo \$\$ >pid; [ -e /no/such ]"'
	cat pid report
	grep -q "\"/no/such\".* = -2 (ENOENT)  *[a-z]*\[$(cat pid)\] .*(2 times)\$" report
}

another_user_runs_it() {
	add_nobody
	ids='echo $(id -u) $(id -g) $(id -G)'
	[ "$(fgraph why -o report -u 4242 sh -c "$ids")" = '4242 4242 4242' ]
	# The user gets a session of its own, and no file but the first three.
	touch empty
	fgraph why -o report -u nobody sh -c 'id -u; cut -d " " -f 6 /proc/self/stat; echo $$
		ls /proc/self/fd | grep -v "^[012]$" | wc -l' 5<empty 7>>empty >out
	cat out
	[ "$(sed -n 1p out)" = 65534 ]
	[ "$(sed -n 2p out)" = "$(sed -n 3p out)" ]
	[ "$(sed -n 4p out)" -le 1 ]
	# A program that the user may not execute is not found.
	mkdir -p -m 700 secret
	printf '#!/bin/sh\n' >secret/program
	chmod +x secret/program
	(
		PATH=$PATH:$OUT/secret
		refuses 127 'program: command not found' fgraph why -u nobody program
	)
	status_is 125 fgraph why -u somebody true 2>err
	grep -qx 'fgraph: -u somebody: no such user' err
	# This user must not trace.
	status_is 125 fgraph why -o report -u nobody fgraph why true 2>err
	cat err
	grep -q '^fgraph: cannot open .*: Permission denied: run fgraph as root$' err
}

leaves_nothing_behind() {
	fgraph why -o report true
	nothing_is_left
	status_is 125 fgraph why -e EFOO true
	nothing_is_left
	fgraph why -a >report &
	wait_until has_instance $!
	kill -9 $!
	wait_until nothing_is_left
	# Nothing can remove it if the guard is killed, too. The next run does.
	fgraph why -a >report &
	wait_until has_instance $!
	wait_until pidof fgraph-guard
	kill -9 $(pidof fgraph-guard) $!
	wait $! || :
	sleep 1
	not nothing_is_left
	mkdir $INSTANCES/fgraph-mine $INSTANCES/fgraph-1-2
	fgraph why -o report true
	rmdir $INSTANCES/fgraph-mine $INSTANCES/fgraph-1-2
	nothing_is_left
}

# The file of a report may be read by its owner alone, and replaces another one only if there
# is a report.
keeps_files() {
	echo old >report
	status_is 125 fgraph why -e EFOO -o report true
	[ "$(cat report)" = old ]
	[ -z "$(ls | grep '^report[.]')" ]
	status_is 1 fgraph record -k error -o trace cat /no/such
	fgraph why -i trace -o report
	[ "$(mode_of trace) $(mode_of report)" = '600 600' ]
	cp trace text
	fgraph report -o text text
	fgraph report trace | diff - text
	# A link of another user, and one of root
	add_nobody
	echo old >precious
	ln -s precious link
	chown -h nobody link
	refuses 125 '-o link: a symbolic link of another user' fgraph why -i trace -o link
	[ "$(cat precious)" = old ]
	ln -sf precious own
	fgraph why -i trace -o own
	[ -L own ]
	grep -q '^fgraph: ' precious
	fgraph why -i trace -o /dev/null
	[ -c /dev/null ]
	# The file of a link below /proc is not replaced. The file of another link is created.
	echo old >journal
	fgraph why -i trace -o /proc/self/fd/1 >>journal
	[ "$(head -n 1 journal)" = old ]
	fgraph why -i trace -o /proc/self/fd/1 | grep -q '^fgraph: '
	ln -s later early
	fgraph why -i trace -o early
	grep -q '^fgraph: ' later
}

# A trace that was kept gives the same answer, also without a kernel.
asks_a_file() {
	mkdir -p locked
	mount -t tmpfs -o ro none locked
	cmd='mkdir locked/a; mount -t tmpfs -o bad=1 none /mnt; exit 3'
	status_is 3 fgraph why -o report sh -c "$cmd" 2>/dev/null
	status_is 3 fgraph record -k error -o trace sh -c "$cmd" 2>/dev/null
	umount locked
	unshare -m sh -e -c 'umount -l /sys/kernel/debug; umount -l /sys/kernel/tracing
		fgraph why -i trace >answer; fgraph why -i - <trace | diff - answer'
	cat report answer
	# The name of a task depends on when it is looked up.
	for file in report answer; do
		sed 's/  *[^ ]*\[[0-9]*\]  [0-9].*//; s/0x[0-9a-f]*/0x/g' $file >same-$file
	done
	diff same-report same-answer
	grep -q '^mkdir.*(.*pathname="locked/a", mode=0777) = -30 (EROFS)' answer
	# A signal ends the command. There is no event of that.
	status_is 134 fgraph record -k error -o trace sh -c 'eval ">/no/such/x"; kill -ABRT $$'
	fgraph why -i trace >answer
	cat answer
	grep -q '^fgraph: signal 6 (Aborted) ended sh ' answer
	first_failure answer | grep -q '"/no/such/x".*ENOENT'
	printf '# fgraph trace, version 1\n# status: 1 -5\n# end\n' >odd
	fgraph why -i odd
	refuses 125 '-i needs no command, -p or -a: the trace is in the file' \
		fgraph why -i trace true
	sed '1s/1$/99/' trace >newer
	refuses 125 'newer: a newer fgraph wrote this file, in version 99: this one reads up to 1' \
		fgraph why -i newer
	refuses 125 "report: $NO_TRACE" fgraph why -i report
}

# --only selects by each kind of word. --by-process and -T order and time what is shown.
selects_and_groups() {
	status_is 1 fgraph record -k error -o trace \
		sh -c 'cat /no/such; mkdir /no/dir; (exec cat /no/other) || exit 1'
	fgraph why -i trace --only=ENOENT,mkdir >report
	cat report
	grep -q '^fgraph: [0-9]* system calls failed, 1 of them selected by --only$' report
	grep -q '^mkdir.*(pathname="/no/dir"' report
	fgraph why -i trace --only '/no/o*,-2' >report
	cat report
	grep -q '"/no/other"' report
	not grep -e /no/such -e /no/dir report
	fgraph why -i trace --only=/no/such,mkdir | grep ', 0 of them selected by --only$'
	refuses 125 '--only EFOO: No error has this name or number' \
		fgraph why --only=EFOO true
	refuses 125 '--only no_call: no system call has this name' fgraph why --only=no_call true
	# The processes are in the order of their first failures.
	fgraph why -i trace -T --by-process --only=/no/\* >report
	cat report
	[ "$(grep -c '^[a-z<].*\[[0-9]*\]$' report)" = 3 ]
	[ "$(grep -c '^[a-z].*)  *[0-9]*\.[0-9]\{6\}  [a-z<].*\[' report)" = 3 ]
}

# A program reads the same answer. A thread has the process that it belongs to.
reports_in_json() {
	status_is 1 fgraph why --json -o report cat /no/such
	cat report
	head -n 1 report | grep -qx '{"format":"fgraph why","version":1,"failures":\['
	tail -n 1 report | grep -q '"command":"cat /no/such","status":1}$'
	grep '"syscall":"open[a-z0-9]*","error":-2,"errno":"ENOENT","chain":\[{' report |
		grep -q '"decides":true'
	status_is 1 fgraph record -k error -o trace threadexec true /no/such
	pid=$(sed -n 's/^# status: 256 //p' trace)
	fgraph why --json -i trace >report
	cat report
	grep '"syscall":"execve",.*"pid":'$pid',"tid":' report >calls
	not grep '"tid":'$pid',' calls
	[ -s calls ]
}

# A glob that fits nothing ends the program before the command runs.
checks_globs() {
	refuses 125 '-f no_such: no function and no system call has this name' \
		fgraph why -f no_such touch started
	refuses 125 '-f no_such: no function that can be traced has this name' \
		fgraph record -f no_such -o trace touch started
	[ ! -e started ]
	fgraph why -f openat -o report true
	fgraph record -f 'vfs_stat*' -o trace true
}

counts_in_a_table() {
	fgraph top -n 1000 -f 'vfs_*' -o report &
	wait_until grep -q 1 /sys/kernel/tracing/function_profile_enabled
	for i in $(seq 50); do [ -e /no/such ] || :; done
	kill $!
	wait $! || :
	cat report
	grep -q '^vfs_statx  *[5-9][0-9]  *[0-9.]* .\?s  *50  ENOENT$' report
	[ "$(cat /sys/kernel/tracing/function_profile_enabled)" = 0 ]
	fgraph top >report &
	top=$!
	wait_until grep -q 1 /sys/kernel/tracing/function_profile_enabled
	refuses 125 "the function profiler is in use: $(printf 'echo 0 >%s ends it' \
		/sys/kernel/tracing/function_profile_enabled)" fgraph top -d 1
	kill -9 $top
	wait_until grep -q 0 /sys/kernel/tracing/function_profile_enabled
}

keeps_a_trace() {
	status_is 1 fgraph record -k error -o trace cat /no/such 2>err
	cat err trace
	grep -qx "fgraph: $(grep -vc '^#' trace) lines in trace" err
	fgraph report trace >text
	grep -qE '^# date: [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+-][0-9]{2}:[0-9]{2}$' trace
	grep -qx "# host: $(uname -n)" trace
	grep -E '^# (kernel|host|date|command): |^[^#]' trace | diff - text
	fgraph report --json trace | grep -q '"otherData":{.*"command":"cat /no/such"}}$'
	fgraph report --html trace >page
	grep -q '^\[0,.*"open.*(.*/no/such.* = -2 (ENOENT)",.*,"ENOENT",1,' page
	grep -q '^],"head":{.*"errors":[1-9].*"command":"cat /no/such","left_out":0}}$' page
	fgraph report --folded trace | grep -q ';do_filp_open;.* [0-9]*$'
	refuses 125 "err: $NO_TRACE" fgraph report err
	mkdir -p full
	mount -t tmpfs -o size=64k none full
	status_is 125 fgraph record -o full/trace ls -R /proc/self >/dev/null 2>err
	cat err
	grep -qx 'fgraph: cannot write the report: No space left on device' err
	fgraph report --folded full/trace >folded 2>err
	umount full
	cat err
	grep -qx 'fgraph: full/trace: the end is missing: the report is about what is there' err
	grep -q ';.* [0-9]*$' folded
}

# The lines of calls that failed are at most 1 % of those of all calls.
keeps_few_lines() {
	status_is 1 fgraph record -k error -o kept cat /no/such
	status_is 1 fgraph record -o all cat /no/such
	wc -c kept all
	[ $(($(wc -c <kept) * 100)) -le "$(wc -c <all)" ]
}

# The command stops fgraph, which does not read the trace meanwhile.
reports_lost_events() {
	fgraph why -b 8 -o report sh -c 'kill -STOP $PPID
		for i in $(seq 1000); do [ -e /no/such/$i ]; done
		kill -CONT $PPID' 2>err
	cat err
	grep -qE '^fgraph: [0-9]+ events were lost: a larger buffer may help, -b 32$' err
}

refuses() { # STATUS MESSAGE COMMAND...
	local status=$1 message=$2

	shift 2
	status_is "$status" "$@" 2>err
	cat err
	[ "$(cat err)" = "fgraph: $message" ]
}

says_what_is_wrong() {
	refuses 127 'nosuch: command not found' fgraph why nosuch
	refuses 127 './nosuch: command not found' fgraph why ./nosuch
	echo text >file
	chmod 644 file
	status_is 126 fgraph why -o report ./file 2>err
	cat err
	grep -qx 'fgraph: ./file: Permission denied' err
	grep -q '^execve(.*) = -13 (EACCES)' report
	refuses 125 '-e EFOO: No error has this name or number' fgraph why -e EFOO true
	status_is 125 fgraph record -k error -k 'vfs_read: nosuch == 5' true 2>err
	cat err
	[ "$(cat err)" = 'fgraph: -k: vfs_read: The function has no argument of this name
  vfs_read: nosuch == 5
            ^' ]
	refuses 125 '-t 1min: Unknown unit; use ns, us, ms or s' fgraph slow -t 1min true
	refuses 125 '-p 4194303: no such process' fgraph why -p 4194303
	refuses 125 'report takes one file: see fgraph report --help' fgraph report a b
	refuses 125 "unrecognized option '--nosuch': see fgraph slow --help" \
		fgraph slow --nosuch true
	refuses 125 "option '--errors' requires an argument: see fgraph why --help" \
		fgraph why --errors
	refuses 125 '-d 0: must be a positive number of seconds' fgraph why -a -d 0
	refuses 125 '-p needs process IDs, with a comma between them' fgraph why -p ''
	refuses 125 "unrecognized option '-x': see fgraph why --help" fgraph why -x true
	refuses 125 "option '-e' requires an argument: see fgraph why --help" fgraph why -e
	refuses 125 "unrecognized option '-t': see fgraph why --help" fgraph why -t 1ms true
	refuses 125 '-b 0x: must be a positive integer' fgraph why -b 0x true
	refuses 125 '-d needs -p or -a: a command ends by itself' fgraph why -d 1 true
	refuses 125 'either a command, -p PID or -a is needed: see fgraph --help' fgraph why
	refuses 125 'foo: unknown command: see fgraph --help' fgraph foo
	refuses 125 '-o /no/such/file: No such file or directory' fgraph why -o /no/such/file true
	mkdir -p full
	mount -t tmpfs -o size=4k none full
	not dd if=/dev/zero of=full/zero bs=8k count=1
	refuses 125 'cannot write the report: No space left on device' \
		fgraph why -o full/report true
	umount full
}

# In a mount namespace of its own
has_no_tracefs() {
	status=0
	unshare -m sh -e -c '
		umount /sys/kernel/debug/tracing || :
		umount -l /sys/kernel/tracing
		umount -l /sys/kernel/debug
		fgraph why true || exit' 2>err || status=$?
	[ $status -eq 125 ]
	cat err
	grep -qx 'fgraph: tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing' err
}

# A directory without the files of an instance
has_no_instance_files() {
	status=0
	unshare -m sh -e -c '
		mount -t tmpfs none /sys/kernel/tracing
		mkdir /sys/kernel/tracing/instances
		fgraph why true || exit' 2>err || status=$?
	[ $status -eq 125 ]
	cat err
	grep -q '^fgraph: this kernel has no tracing_on in an instance: fgraph(1) says what' err
}

has_no_slot() {
	for i in $(seq 16); do
		mkdir $INSTANCES/full-$i
		echo 1 >$INSTANCES/full-$i/options/funcgraph-retval
		echo vfs_statx >$INSTANCES/full-$i/set_ftrace_filter
		echo function_graph >$INSTANCES/full-$i/current_tracer || :
	done
	status=0
	fgraph why true 2>err || status=$?
	rmdir $INSTANCES/full-*
	cat err
	[ $status -eq 125 ]
	grep -q '^fgraph: current_tracer: all slots of fgraph are in use: function_tracers' err
}

colours_by_terminal() {
	escape=$(printf '\033')
	fgraph why -o report sh -c '[ -e /no/such ]'  || :
	not grep -q "$escape" report
	fgraph why --color=always -o report sh -c '[ -e /no/such ]' || :
	grep -q "$escape" report
	refuses 125 '--color=no: must be always, never or auto' fgraph why --color=no true
}

# Each pair of processes has the name of its pair, of which the trace has seven bytes. Its first
# difference is where the runs part.
shows_where_runs_part() {
	pairs >names
	fgraph diff -b 20000 --json -o report --good 'pairs prepare; exec pairs all good' \
		--bad 'pairs prepare; exec pairs all bad'
	[ "$(wc -l <names)" -gt 20 ]
	tr '{' '\n' <report | awk -F '"' '
		in_thread { thread = $6 }
		in_part { sub(/[.].*/, "", $4); print thread, $4 }
		{ in_thread = /bad_thread":$/; in_part = /"part":$/ }' |
		sed 's/ __[a-z0-9]*_sys_/ sys_/' >parts
	cat parts
	while read -r name functions; do
		name=$(echo "$name" | cut -c 1-7)
		part=$(awk -v name="$name" '$1 == name { print $2; exit }' parts)
		case " $functions " in
		*" ${part:-none} "*) ;;
		*) echo "$name: $part in place of $functions"; touch wrong ;;
		esac
	done <names
	[ ! -e wrong ]
	fgraph diff --html -o report --good true --bad 'exit 125'
	grep -q '</html>' report
}

# Members that the user asked for are in each function that has them, also where no argument
# is shown.
shows_members() {
	not fgraph why -o report --show 'vfs_parse_fs_param: param->type, param->size' \
		--show 'parse_monolithic_mount_data: fc->fs_type->name' \
		mount -t tmpfs -o bad=1 none /tmp
	grep 'parse_monolithic_mount_data(.*fc->fs_type->name="tmpfs") → ' report
	grep 'vfs_parse_fs_param(.*, param->type=2 (fs_value_is_string), param->size=1) = -22' \
		report
	fgraph record -o trace --show 'vfs_read: *pos, ret:*pos' dd if=/proc/version of=/dev/null \
		bs=4 count=1
	grep 'vfs_read(.*, \*pos=0)\( {\|; /\*.* \*pos=4 \)' trace
	fgraph report --json trace | grep '"result":"4","at_return":"\*pos=4"'
	status_is 125 fgraph why --show 'vfs_read: file->f_poss' true 2>err
	cat err
	[ "$(cat err)" = 'fgraph: --show: vfs_read: file has f_pos: The struct has no such member
  vfs_read: file->f_poss
                  ^' ]
	refuses 125 '--show needs a trace of its own, not -i' \
		fgraph why -i trace --show 'vfs_read: *pos'
}

tests() {
	check 'names the function that failed' names_the_function
	check 'says what was before the error' says_what_was_before
	check 'finds a delay' finds_the_delay
	[ $LINE_TESTS -lt 1 ] || check 'names the source lines' names_the_lines
	[ $LINE_TESTS -lt 2 ] || check 'shows the way through a function' shows_the_way
	[ $LINE_TESTS -lt 3 ] || check 'names the lines of a build' names_the_lines_of_a_build
	[ $LINE_TESTS -lt 4 ] || check 'names the statement' names_the_statement
	check 'counts in a table' counts_in_a_table
	check 'keeps a trace' keeps_a_trace
	check 'passes on what a command does' passes_on_what_the_command_does
	check 'leaves nothing behind' leaves_nothing_behind
	[ "$ARCH" != arm ] || check 'shows where runs part' shows_where_runs_part
	[ $COUNT -gt $FIRST ] || return
	check 'explains a driver' explains_a_driver
	check 'shows an expected failure in a line' expected_failures_take_a_line
	check 'counts equal failures' counts_what_is_equal
	check 'names what differs in equal failures' names_what_differs
	check 'shows first what decides' decides_what_is_first
	check 'prints arguments as people write them' prints_arguments_as_written
	check 'follows a daemon' follows_a_daemon
	check 'obeys no names' obeys_no_names
	check 'names a capability that is missing' names_the_capability
	check 'names the process that failed' names_the_process_that_failed
	check 'starts what a shell starts' starts_what_a_shell_starts
	check 'lists waiting apart' lists_sleep_apart
	check 'keeps two runs apart' two_do_not_see_each_other
	check 'follows a process' follows_a_process
	check 'traces the machine' traces_the_machine
	check 'runs a command as another user' another_user_runs_it
	check 'reports lost events' reports_lost_events
	check 'says what is wrong' says_what_is_wrong
	check 'says that tracefs is missing' has_no_tracefs
	check 'says that files are missing' has_no_instance_files
	check 'says that no slot is free' has_no_slot
	check 'has colours on a terminal' colours_by_terminal
	check 'keeps few lines' keeps_few_lines
	[ $COUNT -gt $MORE ] || return
	check 'explains work of the command' explains_work_of_the_command
	check 'shows members' shows_members
	check 'shows where runs part' shows_where_runs_part
	check 'keeps files' keeps_files
	check 'asks a file' asks_a_file
	check 'selects and groups' selects_and_groups
	check 'reports in JSON' reports_in_json
	check 'has help and long options' has_help_and_long_options
	check 'checks globs' checks_globs
	check 'finds an error in an answer' finds_errors_in_answers
	check 'begins at a function' begins_at_a_function
}

tests | sh "${0%/*}/ktap.sh" fgraph $TOTAL
