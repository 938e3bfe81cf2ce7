#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Host test: the spelling of all files and of what patches add, the kernel-doc of new
# files, and a Sphinx build of Documentation/trace and of the manual pages without a warning
# about a page of the series.
# Prints "ok NAME" or "not ok NAME".  Part of make check, and of make test.

. "$(dirname "$0")/lib.sh"
set +e
# The kernel's Makefile must not inherit the variables of the make that runs this.
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL ARCH CROSS_COMPILE FLAVOR BASE LLVM

result() { # NAME, with the complaints in $tmp/output
	if [ -s "$tmp/output" ]; then
		echo "not ok host pages $1"
		sed 's/^/# /' "$tmp/output"
	else
		echo "ok host pages $1"
	fi
}

check_spelling() {
	mkdir "$tmp/added"
	git ls-files '*.patch' ':!series' | while read -r patch; do
		grep '^+' "$patch" >"$tmp/added/$(echo "$patch" | tr / _)"
	done
	for file in "$SERIES"/[0-9]*/*; do
		sed '/^diff --git/,$d' "$file" >"$tmp/added/$(echo "${file#"$SERIES"/}" | tr / _)"
	done
	# These are names of variables in the base.
	git ls-files ':!*.patch' | xargs codespell -L filp,nd
	codespell "$tmp/added"
}

check_sphinx() {
	make -s -C "$TREE" htmldocs SPHINXDIRS='trace tools' BUILDDIR="$tmp/html" \
		>"$tmp/sphinx" 2>&1
	grep fgraph "$tmp/sphinx"
	for page in trace/fgraph tools/fgraph/fgraph tools/fgraph/fgraph-why; do
		[ -s "$tmp/html/$page.html" ] || cat "$tmp/sphinx"
	done
	for page in "$TREE"/Documentation/tools/fgraph/fgraph*.rst; do
		rst2man "$page" >/dev/null
	done
}

# The options of each page are those that its command prints.
check_options() {
	make -s -C "$TREE/tools/tracing/fgraph" OUTPUT="$tmp/" || return
	for command in why slow top record report line where; do
		"$tmp/fgraph" $command --help | sed -n 's/^  [ -].* \(--[a-z-]*\).*/\1/p' |
			sort >"$tmp/program"
		(
			cd "$TREE/Documentation/tools/fgraph" &&
			sed -n 's/^.. include:: //p' fgraph-$command.rst | xargs cat fgraph-$command.rst
		) | sed -n 's/^\*\*-.*\*\*\(--[a-z-]*\)\*\*.*/\1/p; s/^\*\*\(--[a-z-]*\)\*\*.*/\1/p' |
			sort -u >"$tmp/page"
		diff "$tmp/program" "$tmp/page"
	done
}

# Files of the base have mistakes of their own.
check_kernel_doc() {
	git ls-files '*.c' '*.h' ':!series' | xargs grep -l '^/\*\*$' | while read -r file; do
		"$TREE/scripts/kernel-doc" -none -Werror "$TREE/$file" 2>&1
	done
}

# The types whose pointers have names: the table of the kernel, and that of the page
check_names() {
	sed -n -e 's/.*{ NAME_[A-Z]*(\([a-z_]*\),.*/\1/p' -e 's/.*\.type = "\([a-z_]*\)".*/\1/p' \
		"$TREE/kernel/trace/trace_graph_name.c" | sort >"$tmp/kernel"
	sed -n '/^Names of pointers/,/^A call has/s/^  \([a-z_, ]*[a-z]\)  .*/\1/p' \
		"$TREE/Documentation/trace/fgraph.rst" | grep -v 'pointer to' |
		tr -d ' ' | tr , '\n' | sort >"$tmp/page"
	[ -s "$tmp/page" ] || echo "the page has no table"
	diff "$tmp/kernel" "$tmp/page"
}

need codespell sphinx-build
cd "$TOP" || exit
check_spelling >"$tmp/output" 2>&1
result 'have no wrong spelling'
check_kernel_doc >"$tmp/output"
result 'have kernel-doc without a mistake'
check_sphinx >"$tmp/output" 2>&1
result 'build without a warning of Sphinx'
check_options >"$tmp/output" 2>&1
result 'list the options of each command'
check_names >"$tmp/output" 2>&1
result 'list the types whose pointers have names'
