#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# configs.sh FRAGMENT...: compiles what the series touches in the configurations of the list
# "configurations": without each option of the series, and without each that it builds on.
# Warnings are errors; W=1 adds more of them for the files that the series adds. Prints "ok"
# or "not ok" for each. ONLY names one of them, beside the first, or is a pattern. The
# Makefile passes its variables in the environment.
#
# Nothing is linked, because that takes minutes. A function that is called in a
# configuration and not compiled there is found by its symbol instead.

set -eu

# No configuration but the first needs these, if it does not name them.
LESS='-HIST_TRIGGERS -SYNTH_EVENTS -UPROBE_EVENTS -FGRAPH_KUNIT_TEST -FGRAPH_VALUES_KUNIT_TEST'

# The files that it adds
NEW='kernel/trace/fgraph*.c kernel/trace/trace_graph_*.c kernel/trace/function_tracers*.c'

make_fragment() { # OPTION...
	printf '%s\n' "$@" | sed -n -e 's/^+\(.*\)/CONFIG_\1=y/p' -e 's/^?\(.*\)/CONFIG_\1=m/p' \
		-e 's/^-\(.*\)/# CONFIG_\1 is not set/p'
}

# Print the objects that the series touches in this configuration, as far as the tree has
# their sources.
wanted_objects() {
	arch=arch/${KERNEL_ARCH%_64}/kernel
	echo kernel/trace/
	while read -r option object; do
		grep -q "^CONFIG_$option=" "$OUT/.config" || continue
		! ls "$TREE/${object%.o}"* >/dev/null 2>&1 || echo "$object"
	done <<-END
	FUNCTION_TRACER $arch/ftrace.o
	KPROBES kernel/kprobes.o
	KPROBES $arch/kprobes/
	KUNIT lib/kunit/
	MODULES kernel/module/
	RETHOOK $arch/rethook.o
	END
}

# An object of another configuration may still exist: the archive and modules.order name
# those of this one.
built_objects() { # TARGET...
	for target; do
		case $target in
		*/) "${CROSS_COMPILE}ar" t "$target/built-in.a"
			sed 's/ko$/mod/' "$target/modules.order" | xargs -r cat ;;
		*) echo "$target" ;;
		esac
	done
}

# Print each function that is called and not compiled.
missing_symbols() { # OBJECT...
	"${CROSS_COMPILE}nm" "$@" | awk -v "dir=$dir" '
		NF > 1 && $(NF - 1) ~ /^[A-Z]$/ {
			print $NF >(dir "/" ($(NF - 1) == "U" ? "used" : "defined"))
		}'
	for list in "$dir/used" "$dir/defined"; do
		LC_ALL=C sort -u -o "$list" "$list"
	done
	[ -e "$dir/known" ] || cp "$dir/defined" "$dir/known"
	LC_ALL=C comm -23 "$dir/used" "$dir/defined" | LC_ALL=C comm -12 - "$dir/known"
}

# Print the warnings in files of the series. In the base's, W=1 finds some, too.
our_warnings() {
	# shellcheck disable=SC2086 # patterns
	(cd "$TREE" && echo $NEW) | tr ' ' '\n' | grep -F -f - "$OUT/build.log" | grep 'warning:'
}

# shellcheck disable=SC2086 # a list of files
run_build() { # TARGET...
	TARGETS=$* NEEDED=$dir/fragment "$HARNESS/build.sh" $fragments "$dir/less" "$dir/fragment"
}

# shellcheck disable=SC2046,SC2086 # lists of options, targets and symbols
compile() { # OPTION...
	make_fragment "$@" >"$dir/fragment"
	# Only configures: the target does next to nothing.
	run_build outputmakefile || return
	targets=$(wanted_objects)
	CONFIGURED=1 run_build $targets || return
	! our_warnings >&2 || return
	missing=$(cd "$OUT" && missing_symbols $(built_objects $targets))
	[ -z "$missing" ] || { echo "error: called, not compiled:" $missing >&2; return 1; }
}

fragments=$*
dir=$OUT/configs
mkdir -p "$dir"
# A warning shows when its file is compiled: compile all of them, by ccache.
rm -rf "$OUT/kernel/trace" "$dir"/*
: >"$dir/less"
# In files of the base, these are only warnings. Without -g it takes a sixth less.
export MORE_CFLAGS='-g0 -Wno-error=missing-prototypes -Wno-error=suggest-attribute=format'
grep -v '^#' "${0%/*}/configurations" | while read -r name options; do
	machine=$(echo "$options" | sed -n 's/.*@//p')
	# shellcheck disable=SC2254 # a pattern
	case $name,${machine:-x86_64} in
	everything,* | ${ONLY:-*},"$ARCH") ;;
	*) continue ;;
	esac
	# shellcheck disable=SC2086 # a list of options
	compile $options </dev/null || printf 'not '
	echo "ok configuration $name"
	# shellcheck disable=SC2086
	make_fragment $LESS >"$dir/less"
done
