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

usage_names_options() {
	tree=$(kbuild_tree)
	# shellcheck disable=SC2046 # names
	"$CC" -w -O1 -DFGRAPH_SIGNATURES -o "$tmp/recordmcount" \
		"$tree/scripts/recordmcount.c" $(KERNEL=$tree; reader_sources) -lelf
	"$tmp/recordmcount" 2>"$tmp/usage" || :
	cat "$tmp/usage"
	for option in w s f p L l m d t c; do
		grep -q -- "recordmcount \[*-$option" "$tmp/usage"
	done
}

try 'kbuild, the option on and off' kbuild_on_off
try 'kbuild, source lines' kbuild_lines
try 'kbuild, members of structs' kbuild_members
try 'kbuild, debug information that was asked for' kbuild_asked_for
try 'kbuild, names of source files' kbuild_file_symbols
try 'kbuild, clean' kbuild_clean
try 'usage names the options' usage_names_options
