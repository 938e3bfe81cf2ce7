#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test: runs the command blocks of README.md, which are taken from there, and
# compares what does not vary.  Prints "ok NAME" or "not ok NAME".  It boots the x86_64
# kernel; part of make test.

. "$(dirname "$0")/lib.sh"
set +e

README=$TOP/README.md
HARNESS=$TOP/tools/testing/selftests/ftrace/qemu
# The commands of the README must not inherit the variables of the make that runs this.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL ARCH CROSS_COMPILE FLAVOR BASE SCRIPT CONFIG SMP APPEND MODULES
export BUILD

result() { # STATUS NAME
	if [ "$1" -eq 0 ]; then
		echo "ok x86_64 readme $2"
	else
		echo "not ok x86_64 readme $2"
		tail -n 30 "$tmp/output" | sed 's/^/# /'
	fi
}

# Writes block N, 1 being the first, to $tmp/block-N: "```sh" and "```" are around it.
# "```console" is before block "why", and "```" alone before block "trace".
split_readme() {
	awk -v dir="$tmp" '
		/^```$/ && inside { close(file); inside = 0; next }
		/^```sh$/ { name = ++n }
		/^```console$/ { name = "why" }
		/^```$/ { name = "trace" }
		/^```/ { file = dir "/block-" name; inside = 1; printf "" >file; next }
		inside { print >file }' "$README"
}

# The first block: make run is what the demo test runs, make test what CI does.
check_first() { # BLOCK
	[ "$(sed 's/ *#.*//' "$1")" = "$(printf 'make run\nmake test')" ] || return
	make -C "$TOP" -n run | grep "boot SCRIPT=$TOP/.*/tests/demo.sh" || return
	grep -A 1 '^demo-demo:' "$TOP/ci/test.mk" | grep 'SCRIPT=$(HARNESS)/tests/demo.sh' || return
	grep -x 'make test </dev/null' "$TOP/.ci/run"
}

# The base's files that patches change are enough for git apply. A later patch may undo a change.
base_files() { # DIR
	mkdir "$1" &&
	sed -n 's,^--- a/,,p' "$SERIES"/*/*.patch | sort -u >"$tmp/changed" &&
	tree ls-tree -r --name-only base | grep -Fxf "$tmp/changed" >"$tmp/files" &&
	tree archive base $(cat "$tmp/files") | /bin/tar -x -C "$1"
}

# The paths are those of a user: both trees are in his home. Instead of the archive, tar
# gives him the files above.
make_home() {
	mkdir -p "$tmp/home/fgraph" "$tmp/bin" &&
	ln -s "$SERIES" "$tmp/home/fgraph/series" &&
	base_files "$tmp/home/linux-source-6.1" &&
	cat >"$tmp/bin/tar" <<-END &&
	#!/bin/sh
	[ "\$*" = "-xf /usr/src/linux-source-6.1.tar.xz -C $tmp/home" ]
	END
	chmod +x "$tmp/bin/tar"
}

in_home() { # BLOCK
	(cd "$TOP" && HOME=$tmp/home PATH=$tmp/bin:$PATH sh -e "$1")
}

# Whether the files of the user are those of a tag, base or applied, and no others
home_is() { # TAG
	rm -f "$tmp/index"
	(
		cd "$tmp/home/linux-source-6.1" &&
		export GIT_DIR="$TREE/.git" GIT_WORK_TREE=. GIT_INDEX_FILE="$tmp/index" &&
		git read-tree "$1" &&
		git diff --stat --exit-code -- $(git diff --name-only base applied) &&
		[ -z "$(git ls-files --others)" ]
	)
}

check_apply() { # BLOCK
	make_home && in_home "$1" && home_is applied
}

check_remove() { # BLOCK
	in_home "$1" && home_is base
}

# In links to the patched tree, which must stay clean
check_enable() { # BLOCK
	cp -rs "$TREE" "$tmp/links" &&
	(cd "$tmp/links" && sh -e "$1") &&
	for option in FUNCTION_GRAPH_TRACER FUNCTION_GRAPH_RETVAL FUNCTION_GRAPH_ARGS \
			FGRAPH_SIGNATURES FGRAPH_LINES FGRAPH_MEMBERS FTRACE_SYSCALLS FUNCTION_PROFILER; do
		grep -x "CONFIG_$option=y" "$tmp/links/.config" || return
	done
}

# The machine of the user is his own: that the targets exist is all that runs here.
check_build() { # BLOCK
	[ "$(cat "$1")" = "$(printf '%s\n' 'make -j$(nproc)' \
		'sudo make INSTALL_MOD_STRIP=1 modules_install install' 'sudo reboot')" ] &&
	make -C "$tmp/links" -n INSTALL_MOD_STRIP=1 modules_install install >/dev/null
}

# The packages have the options of the block that enables the series.
check_packages() { # BLOCK
	make -C "$TOP" -n "$(sed -n 's/^make deb \([^ ]*\).*/\1/p' "$1")" deb |
		grep -x 'packaging/deb.sh' || return
	sed -n "/^OPTIONS='/,/'\$/p" "$TOP/packaging/deb.sh" | grep -o '[A-Z_]*[A-Z]' |
		grep -vx OPTIONS >"$tmp/packed"
	sed -n '/^## On your own/,$p' "$README" | grep -o -- '-e [A-Z_]*' | sed 's/-e //' |
		diff - "$tmp/packed"
}

# In place of root, a program installs to another directory.
check_program() { # BLOCK
	printf '#!/bin/sh\nexec "$@" DESTDIR=%s/root\n' "$tmp" >"$tmp/bin/sudo" &&
	chmod +x "$tmp/bin/sudo" &&
	(cd "$tmp/links" && PATH=$tmp/bin:$PATH sh -e "$1") &&
	"$tmp/root/usr/bin/fgraph" --version &&
	[ -s "$tmp/root/usr/share/man/man1/fgraph-why.1" ]
}

# A copy of the sparse tree, as the block writes its script there.  The path of the
# harness is in the commands that built the kernel: with another, all is built anew.
in_copy() { # BLOCK
	mkdir "$tmp/copy" && git init -q "$tmp/copy" &&
	(cd "$TOP" && git ls-files -co --exclude-standard -z |
		cpio --quiet -0 -pdm "$tmp/copy" 2>/dev/null)
	(cd "$tmp/copy" && MAKEFLAGS="HARNESS=$HARNESS" sh -e "$1")
}

# Remove the parts that vary: the CPU, times and addresses.
masked() {
	sed -n 's/0x[0-9a-f]\{6,\}/ADDRESS/g; s/^[^|]*|//p'
}

# The script prints the trace of the README, after the lines that describe its columns.
check_trace() { # BLOCK
	in_copy "$1" >"$tmp/trace" || return
	cat "$tmp/trace"
	grep '^ [0-9]*)' "$tmp/trace" | masked >"$tmp/printed"
	masked <"$tmp/block-trace" | diff - "$tmp/printed"
}

# The answer is what the manual page shows, which test-doc.py compares with a guest.
check_why() {
	command='mount -t tmpfs -o bad=1 none /mnt'
	[ "$(head -n 1 "$tmp/block-why")" = "# fgraph why $command" ] || return
	sed -n "\,^  # fgraph why $command\$,,/^The /{/^  [^#]/s/^  //p}" \
		"$TREE/Documentation/tools/fgraph/fgraph-why.rst" >"$tmp/page"
	sed '1d; /^$/d' "$tmp/block-why" | diff "$tmp/page" -
}

run_blocks() {
	for block in "$tmp"/block-[0-9]*; do
		case $(cat "$block") in
		*'make run'*)
			name='make run and make test are what the tests run'
			check=check_first ;;
		*'git apply -R'*)
			name='the series can be removed'
			check=check_remove ;;
		*'git apply'*)
			name='the series can be applied'
			check=check_apply ;;
		*'make olddefconfig'*)
			name='the series can be enabled'
			check=check_enable ;;
		*'make -j'*)
			name='the kernel is built and installed as any other'
			check=check_build ;;
		*'make deb'*)
			name='packages have the options that the page names'
			check=check_packages ;;
		*'make -C tools/tracing/fgraph'*)
			name='the program is built and installed'
			check=check_program ;;
		*'make boot SCRIPT='*)
			name='a trace of your own is what the page shows'
			check=check_trace ;;
		*)
			name="no test is known of: $(head -n 1 "$block")"
			check=false ;;
		esac
		$check "$block" >"$tmp/output" 2>&1 </dev/null
		result $? "$name"
	done
}

split_readme
run_blocks
check_why >"$tmp/output" 2>&1
result $? 'the answer at the top is that of the manual page'
