#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# configs.sh FRAGMENT...: compiles what the series touches without each of its options, and
# without each option that it builds on. Warnings are errors; W=1 adds more of them for the
# files that the series adds. Prints "ok" or "not ok" for each configuration. ONLY names one
# of them, beside the first, which shows what functions there are. The Makefile passes its
# variables in the environment.
#
# Nothing is linked, because that takes minutes. A function that is called in a
# configuration and not compiled there is found by its symbol instead.

set -eu

# A name; then +OPTION is y, -OPTION is n, ?OPTION is m. All else is as the tests have it,
# as far as that is possible. @arm is compiled for arm, the rest for x86_64, where the graph
# tracer needs DYNAMIC_FTRACE.
CONFIGS='everything +FGRAPH_SIGNATURES ?FGRAPH_KUNIT_TEST ?FGRAPH_BENCHMARK
no-tracer -FTRACE
function-alone +FUNCTION_TRACER +DYNAMIC_FTRACE -FUNCTION_GRAPH_TRACER -FPROBE -FPROBE_SANITY_TEST -FUNCTION_PROFILER -STACK_TRACER -IRQSOFF_TRACER -PREEMPT_TRACER -SCHED_TRACER -FTRACE_SYSCALLS -HIST_TRIGGERS
function-alone-static +FUNCTION_TRACER -DYNAMIC_FTRACE -FUNCTION_GRAPH_TRACER
no-graph -FUNCTION_GRAPH_TRACER +IRQSOFF_TRACER +PREEMPT_TRACER +SCHED_TRACER +HWLAT_TRACER +OSNOISE_TRACER +TIMERLAT_TRACER +FPROBE +FUNCTION_PROFILER
no-retval -FUNCTION_GRAPH_RETVAL +FUNCTION_GRAPH_ARGS +FGRAPH_SIGNATURES
no-args -FUNCTION_GRAPH_ARGS +FUNCTION_GRAPH_RETVAL +FGRAPH_SIGNATURES
no-values -FUNCTION_GRAPH_ARGS -FUNCTION_GRAPH_RETVAL
no-signatures -FGRAPH_SIGNATURES +FUNCTION_GRAPH_ARGS +FUNCTION_GRAPH_RETVAL
module-signatures ?FGRAPH_SIGNATURES
no-modules -MODULES +FGRAPH_SIGNATURES +FGRAPH_KUNIT_TEST +KUNIT +FGRAPH_BENCHMARK
no-kprobes -KPROBES -FPROBE
no-smp -SMP
graph-static @arm -DYNAMIC_FTRACE +FUNCTION_GRAPH_TRACER +FUNCTION_PROFILER +IRQSOFF_TRACER +SCHED_TRACER'

# No configuration but the first needs these, if it does not name them.
LESS='-HIST_TRIGGERS -SYNTH_EVENTS -UPROBE_EVENTS -FGRAPH_KUNIT_TEST -FGRAPH_VALUES_KUNIT_TEST'

# The files that it adds
NEW='kernel/trace/fgraph*.c kernel/trace/trace_graph_*.c kernel/trace/function_tracers.c'

make_fragment() { # OPTION...
	for option; do
		case $option in
		+*) echo "CONFIG_${option#+}=y" ;;
		\?*) echo "CONFIG_${option#\?}=m" ;;
		-*) echo "# CONFIG_${option#-} is not set" ;;
		esac
	done
}

# The kernel's makefiles drop what depends on an option that is off. What a configuration is
# about must not be dropped.
check_fragment() {
	while read -r line; do
		case $line in
		"#"*) option=${line#"# "} && ! grep -q "^${option%% *}=" "$OUT/.config" ;;
		*) grep -qx "$line" "$OUT/.config" ;;
		esac || { echo "error: $line is not what $OUT/.config says" >&2; return 1; }
	done <"$dir/fragment"
}

# Print FILE of arch/$srcarch/kernel if the architecture has it there.
arch_object() { # FILE
	path=arch/$srcarch/kernel/$1
	! ls "$TREE/${path%.o}"* >/dev/null 2>&1 || echo "$path"
}

# Print the objects that the series touches in this configuration.
wanted_objects() {
	echo kernel/trace/
	while read -r option objects; do
		! grep -q "^CONFIG_$option=" "$OUT/.config" || echo "$objects"
	done <<-END
	FUNCTION_TRACER $(arch_object ftrace.o)
	KPROBES kernel/kprobes.o $(arch_object kprobes/)
	KUNIT lib/kunit/
	MODULES kernel/module/
	RETHOOK $(arch_object rethook.o)
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

symbols() { # LETTERS OBJECT...: of nm
	letters=$1
	shift
	"${CROSS_COMPILE}nm" "$@" | sed -n "s/.* \([$letters]\) \([^ ]*\)$/\2/p" | sort -u
}

# Print each function that is called and not compiled.
missing_symbols() { # OBJECT...
	symbols U "$@" >"$dir/used"
	symbols A-TV-Z "$@" >"$dir/defined"
	[ -e "$dir/known" ] || cp "$dir/defined" "$dir/known"
	comm -23 "$dir/used" "$dir/defined" | comm -12 - "$dir/known"
}

# Print the warnings in files of the series. In the base's, W=1 finds some, too.
our_warnings() {
	# shellcheck disable=SC2086 # patterns
	(cd "$TREE" && echo $NEW) | tr ' ' '\n' | grep -F -f - "$OUT/build.log" | grep 'warning:'
}

run_build() { # TARGET...
	TARGETS=$* UNKNOWN=skip "$HARNESS/build.sh" $fragments "$dir/less" "$dir/fragment"
}

# shellcheck disable=SC2086 # lists of options, targets and symbols
compile() { # OPTION...
	make_fragment "$@" >"$dir/fragment"
	run_build prepare && check_fragment || return
	targets=$(wanted_objects)
	CONFIGURED=1 run_build $targets || return
	! our_warnings >&2 || return
	missing=$(cd "$OUT" && missing_symbols $(built_objects $targets))
	[ -z "$missing" ] || { echo "error: called, not compiled:" $missing >&2; return 1; }
}

fragments=$*
dir=$OUT/configs
srcarch=$KERNEL_ARCH
[ "$ARCH" != x86_64 ] || srcarch=x86
mkdir -p "$dir"
# A warning shows when its file is compiled: compile all of them, by ccache.
rm -rf "$OUT/kernel/trace" "$dir"/*
# In files of the base, these are only warnings.
export MORE_CFLAGS='-Wno-error=missing-prototypes -Wno-error=suggest-attribute=format'
echo "$CONFIGS" | while read -r name options; do
	# shellcheck disable=SC2254 # a pattern
	case $name,$options in
	everything,*) : >"$dir/less" ;;
	${ONLY:-*},@*) [ "${options%% *}" = "@$ARCH" ] || continue ;;
	${ONLY:-*},*) [ "$ARCH" = x86_64 ] || continue ;;
	*) continue ;;
	esac
	# shellcheck disable=SC2086 # a list of options
	compile $options </dev/null || printf 'not '
	echo "ok configuration $name"
	# shellcheck disable=SC2086
	make_fragment $LESS >"$dir/less"
done
