# SPDX-License-Identifier: GPL-2.0
#
# Tests of the commands of scripts/Makefile.build. test.sh sources this file after it
# built $tmp/reader. The tests compile two files without a kernel. The tracer can hook
# functions of only one file.

# Print the tree with the Makefiles: this tree, or the tree that a sparse tree was
# applied to.
kbuild_tree() {
	if [ -e "$KERNEL/scripts/Makefile.build" ]; then
		(cd "$KERNEL" && pwd)
	else
		(cd "$KERNEL/build/linux" && pwd)
	fi
}

# Run make without the options of the make that started this script.
clean_make() {
	env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL make -s -r -R "$@"
}

kbuild_prepare() {
	flags=
	rm -rf "$tmp/kbuild"
	mkdir -p "$tmp/kbuild/scripts/basic" "$tmp/kbuild/src"
	tree=$(kbuild_tree)
	"$CC" -w -O1 -o "$tmp/kbuild/scripts/basic/fixdep" "$tree/scripts/basic/fixdep.c"
	cp "$tmp/reader" "$tmp/kbuild/scripts/recordmcount"
	echo 'int sink; int f(int a) { return sink += a; }' >"$tmp/kbuild/src/traced.c"
	cp "$tmp/kbuild/src/traced.c" "$tmp/kbuild/src/other.c"
	echo 'CFLAGS_REMOVE_other.o := -pg -mfentry' >"$tmp/kbuild/src/Makefile"
}

# VARIABLE=VALUE...: build, and list the rebuilt objects in the file "made".
kbuild() {
	(cd "$tmp/kbuild" && rm -f made &&
	 clean_make -f "$tree/scripts/Makefile.build" obj="$tmp/kbuild/src" \
		srctree="$tree" objtree=. KBUILD_BUILTIN=1 need-builtin=1 CONFIG_SHELL=sh \
		CC=x86_64-linux-gnu-gcc LD=x86_64-linux-gnu-ld NM=x86_64-linux-gnu-nm \
		AR=x86_64-linux-gnu-ar AWK=awk OBJCOPY=x86_64-linux-gnu-objcopy quiet=silent_ \
		Q=@ LINUXINCLUDE= CC_FLAGS_FTRACE='-pg -mfentry' \
		KBUILD_CFLAGS="-O2 -pg -mfentry $flags" \
		CONFIG_CC_IS_GCC=y CONFIG_FTRACE_MCOUNT_USE_OBJTOOL=y "$@" \
		"$tmp/kbuild/src/traced.o" "$tmp/kbuild/src/other.o") || return
	for object in traced other; do
		now=$(stat -c %y "$tmp/kbuild/src/$object.o")
		eval "before=\${made_$object:-}"
		[ "$now" = "$before" ] || echo "$object"
	done >"$tmp/kbuild/made"
	made_traced=$(stat -c %y "$tmp/kbuild/src/traced.o")
	made_other=$(stat -c %y "$tmp/kbuild/src/other.o")
}

makes() { # OBJECTS [VARIABLE=VALUE]...: check that exactly these objects are rebuilt
	want=$1
	shift
	kbuild "$@"
	echo "made: $(tr '\n' ' ' <"$tmp/kbuild/made")"
	[ "$(tr '\n' ' ' <"$tmp/kbuild/made")" = "$want" ]
}

has() { # OBJECT PATTERN: check that a section or symbol matches
	x86_64-linux-gnu-readelf -W -S -s "$tmp/kbuild/src/$1.o" | grep -q -- "$2"
}

READER=CONFIG_FGRAPH_SIGNATURE_READER=y

# With debug information in any case, the commands differ only by the option.
kbuild_on_off() {
	kbuild_prepare
	flags=-g
	makes 'traced other ' CONFIG_DEBUG_INFO=y
	! has traced fgraph_sites || return
	makes 'traced ' CONFIG_DEBUG_INFO=y $READER
	has traced fgraph_sites
	makes '' CONFIG_DEBUG_INFO=y $READER
	makes 'traced ' CONFIG_DEBUG_INFO=y
	! has traced fgraph_sites || return
	has other debug_info
	! has other fgraph_sites
}

# Debug information remains if any flag enables it. Otherwise none is left.
kbuild_asked_for() {
	kbuild_prepare
	kbuild $READER
	has traced fgraph_sites
	! has traced debug_info || return
	for flags in -ggdb3 -g -gdwarf-5 '-g1 -gno-column-info' '-gz -g2'; do
		kbuild $READER
		echo "with $flags"
		has traced fgraph_sites
		has traced debug_info
		has other debug_info
	done
	flags=-ggdb3
	kbuild $READER
	has traced debug_macro
	flags=
	kbuild $READER ccflags-y=-g
	has traced debug_info
	for flags in -g0 '-g -g0' -gno-column-info; do
		kbuild $READER
		echo "with $flags"
		has traced fgraph_sites
		! has traced debug_info || return
	done
}

# An object compiled without debug information also contains this symbol.
kbuild_file_symbols() {
	kbuild_prepare
	kbuild $READER
	has traced 'FILE .* traced.c'
}

# "make clean" removes the files that are left if the tool or the build is killed.
kbuild_clean() {
	kbuild_prepare
	flags=-g
	kbuild CONFIG_DEBUG_INFO=y
	mkdir "$tmp/kbuild/src/.traced.o.tmp"
	! "$tmp/reader" -f "$tmp/kbuild/src/traced.o" || return
	sed -n '/^clean: /,/^$/p' "$tree/Makefile" | grep -q "name '\.\*\.tmp'"

	mkdir -p "$tmp/kbuild/kernel/trace"
	touch "$tmp/kbuild/kernel/trace/fgraph_signatures.table"
	(cd "$tmp/kbuild" && clean_make -f "$tree/scripts/Makefile.clean" \
		obj=kernel/trace srctree="$tree" objtree=. quiet=silent_ Q=@)
	! [ -e "$tmp/kbuild/kernel/trace/fgraph_signatures.table" ]
}

# The lines stay, and the debug information goes.
kbuild_lines() {
	kbuild_prepare
	kbuild $READER CONFIG_FGRAPH_LINES=y
	has traced ' [.]debug_fgraph_lines '
	has traced ' [.]rela[.]debug_fgraph_lines '
	! has traced debug_info || return
	! has other fgraph_lines || return
	(cd "$tmp/kbuild" && scripts/recordmcount -L lines src/traced.o)
	grep -aq traced.c "$tmp/kbuild/lines"
	makes 'traced ' $READER
	! has traced fgraph_lines
}

# A module is installed with its table, also if it is outside of the tree.
kbuild_install_lines() {
	kbuild_prepare
	mkdir -p "$tmp/kbuild/include/config"
	echo CONFIG_FGRAPH_LINES=y >"$tmp/kbuild/include/config/auto.conf"
	echo src/a-module.ko >"$tmp/kbuild/modules.order"
	echo module >"$tmp/kbuild/src/a-module.ko"
	echo table >"$tmp/kbuild/src/a-module.lines"
	for outside in '' src; do
		(cd "$tmp/kbuild" &&
		 clean_make -f "$tree/scripts/Makefile.modinst" srctree="$tree" objtree=. \
			MODORDER=modules.order MODLIB="root$outside" quiet=silent_ Q=@ \
			KBUILD_EXTMOD="$outside" extmod_prefix="${outside:+src/}")
		grep -x table "$tmp/kbuild/root$outside/lines/a_module"
	done
	[ -e "$tmp/kbuild/root/kernel/src/a-module.ko" ]
	[ -e "$tmp/kbuild/rootsrc/extra/a-module.ko" ]
}

# The members stay, and the debug information goes.
kbuild_members() {
	kbuild_prepare
	echo 'struct s { int member; }; int f(struct s *p) { return p->member++; }' \
		>"$tmp/kbuild/src/traced.c"
	cp "$tmp/kbuild/src/traced.c" "$tmp/kbuild/src/other.c"
	kbuild $READER
	! has traced fgraph_members || return
	makes 'traced ' $READER CONFIG_FGRAPH_MEMBERS=y
	has traced ' [.]fgraph_members .* AMS '
	! has traced fgraph_lines || return
	! has traced debug_info || return
	! has other fgraph_members || return
	grep -aq 6member "$tmp/kbuild/src/traced.o"
	makes 'traced ' $READER CONFIG_FGRAPH_MEMBERS=y CONFIG_FGRAPH_LINES=y
	has traced ' [.]fgraph_members '
	has traced ' [.]debug_fgraph_lines '
	! "$tmp/reader" -p nothing -f "$tmp/kbuild/src/other.o" || return
	! "$tmp/reader" -p members || return
}

# VARIABLE=VALUE...: link the module src/traced.ko.
kbuild_link() {
	kbuild $READER "$@"
	(cd "$tmp/kbuild" &&
	 clean_make -f "$tree/scripts/Makefile.modfinal" srctree="$tree" objtree=. \
		MODORDER=modules.order CONFIG_SHELL=sh CC=x86_64-linux-gnu-gcc \
		LD=x86_64-linux-gnu-ld OBJCOPY=x86_64-linux-gnu-objcopy quiet=silent_ Q=@ \
		LINUXINCLUDE= KBUILD_BUILTIN=1 "$@")
}

# MEMBER...: check the members of src/traced.ko.
module_has_members() {
	: >"$tmp/section"
	x86_64-linux-gnu-objcopy -O binary --only-section .fgraph_members \
		"$tmp/kbuild/src/traced.ko" "$tmp/section" || :
	echo "members: $(tr '\0\1' '\n ' <"$tmp/section")"
	for member; do
		grep -aq "$member" "$tmp/section" || return
	done
	[ "$(tr -dc '\1' <"$tmp/section" | wc -c)" -eq $# ]
	[ -z "$(find "$tmp/kbuild/src" -name '*.tmp')" ]
}

# A module contains what vmlinux does not have, also if only vmlinux changes.
kbuild_module_members() {
	kbuild_prepare
	mkdir -p "$tmp/kbuild/include/config" "$tmp/kbuild/asm"
	touch "$tmp/kbuild/include/config/auto.conf" "$tmp/kbuild/asm/module.lds.h"
	"$CC" -E -P -x c -I "$tmp/kbuild" "$tree/scripts/module.lds.S" \
		>"$tmp/kbuild/scripts/module.lds"
	echo src/traced.ko >"$tmp/kbuild/modules.order"
	echo 'int mod;' >"$tmp/kbuild/src/traced.mod.c"
	common='struct common { int common_member; };'
	echo "$common struct own { int own_member; };
	int f(struct common *p, struct own *q) { return p->common_member + q->own_member; }" \
		>"$tmp/kbuild/src/traced.c"
	kernel_of() { # CODE
		echo "$1" >"$tmp/kernel.c"
		compile x86_64 "$tmp/kernel.c" "$tmp/kernel.o"
		"$tmp/reader" -a "$tmp/kernel.o"
		x86_64-linux-gnu-ld --build-id=sha1 -e nothing -T linked.lds \
			-o "$tmp/kbuild/vmlinux" "$tmp/kernel.o"
	}
	kernel_of "$common int k(struct common *p) { return p->common_member; }"
	kbuild_link CONFIG_FGRAPH_MEMBERS=y
	module_has_members own_member
	x86_64-linux-gnu-readelf -SW "$tmp/kbuild/src/traced.ko" |
		grep -q ' [.]fgraph_members .* AMS '
	made_ko=$(stat -c %y "$tmp/kbuild/src/traced.ko")
	kbuild_link CONFIG_FGRAPH_MEMBERS=y
	[ "$made_ko" = "$(stat -c %y "$tmp/kbuild/src/traced.ko")" ]

	: "Another vmlinux, with none of the structs, and with all of them"
	kernel_of 'int k(int a) { return a; }'
	kbuild_link CONFIG_FGRAPH_MEMBERS=y
	module_has_members common_member own_member
	kernel_of "$(cat "$tmp/kbuild/src/traced.c")"
	kbuild_link CONFIG_FGRAPH_MEMBERS=y
	module_has_members

	: "No vmlinux, as for a module outside of the tree"
	rm "$tmp/kbuild/vmlinux" "$tmp/kbuild/src/traced.ko"
	kbuild_link CONFIG_FGRAPH_MEMBERS=y KBUILD_BUILTIN=
	module_has_members common_member own_member
	: "The option is off"
	kbuild_link
	module_has_members
}

usage_names_options() {
	tree=$(kbuild_tree)
	# shellcheck disable=SC2046 # names
	"$CC" -w -O1 -DFGRAPH_SIGNATURES -o "$tmp/recordmcount" \
		"$tree/scripts/recordmcount.c" $(KERNEL=$tree; reader_sources) -lelf
	"$tmp/recordmcount" 2>"$tmp/usage" || :
	cat "$tmp/usage"
	for option in w s f p L l m M d t c; do
		grep -q -- "recordmcount \[*-$option" "$tmp/usage"
	done
}

try 'kbuild, the option on and off' kbuild_on_off
try 'kbuild, source lines' kbuild_lines
try 'kbuild, source lines of installed modules' kbuild_install_lines
try 'kbuild, members of structs' kbuild_members
try 'kbuild, members of a module' kbuild_module_members
try 'kbuild, debug information that was asked for' kbuild_asked_for
try 'kbuild, names of source files' kbuild_file_symbols
try 'kbuild, clean' kbuild_clean
try 'usage names the options' usage_names_options
