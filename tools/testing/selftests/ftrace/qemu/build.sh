#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# build.sh FRAGMENT...: configures and builds the kernel $TREE and its modules in $OUT. The
# Makefile passes its variables in the environment. With $TARGETS, only these are built,
# as far as that is possible, with more warnings, but none of kernel-doc. With $CONFIGURED,
# the configuration stays.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
jobs=-j${JOBS:-$(nproc)}

say() { echo "$*" >&2; }
die() { say "error: $*"; exit 1; }

# The kernel's makefiles get none of our variables. Values that would differ from build to
# build are fixed or relative, because ccache would otherwise find nothing. ccache asks
# the compiler which files it has read, because preprocessing first takes a fifth of the
# time. FLAVOR=truth keeps the debug information, which scripts/Makefile.build drops by a
# variable.
kbuild() { # LOG ARG...
	log=$OUT/$1
	shift
	"$HERE/quiet.sh" "$log" env -i PATH="$PATH" HOME="${HOME:-/}" \
		${CCACHE_DIR:+"CCACHE_DIR=$CCACHE_DIR"} CCACHE_BASEDIR="$BUILD" \
		CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_INODECACHE=1 \
		${CCACHE_DISABLE:+CCACHE_DISABLE=1} \
		make -C "$TREE" O="$OUT" ARCH="$KERNEL_ARCH" CROSS_COMPILE="$CROSS_COMPILE" \
		CC="$HERE/ccache.sh $compiler" ${LLVM:+"LLVM=$LLVM"} \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_USER=ftrace KBUILD_BUILD_HOST=qemu LOCALVERSION= \
		KCFLAGS="-fmacro-prefix-map=../${TREE##*/}/= ${MORE_CFLAGS:-}" \
		${keep_debug_info:+drop-debug-info=} "$@"
}

# Print each option that differs from the needed value, according to diffconfig. A number is
# the needed minimum.
lost_options() { # FILE
	awk '
		/^\+/ || /^-.* n$/ || ($3 == "->" && $4 + 0 > $2 + 0) { next }
		{ sub(/^-/, ""); print "CONFIG_" $1 "=" $2 }' "$1"
}

# With CONFIG, what only tests need is left out.
texts() { # FRAGMENT...
	if [ -n "$CONFIG" ] && [ -z "${WHOLE:-}" ]; then
		for fragment; do
			sed '/^# Not with CONFIG=/,$d' "$fragment"
		done
	else
		cat "$@"
	fi
}

# The first fragment may be a configuration of the user's. Our fragments override it, and
# only their options are checked, because an option of the user may depend on something
# that this tree, this compiler or our fragments have set differently.
configure() { # FRAGMENT...
	[ -z "$CONFIG" ] || grep -q '^CONFIG_[A-Za-z0-9_]*=' "$CONFIG" ||
		die "CONFIG=$CONFIG sets no option: it must be a .config, not compressed"
	texts "$@" >"$OUT/wanted.config"
	kbuild config.log KCONFIG_ALLCONFIG="$OUT/wanted.config" allnoconfig
	[ -z "$CONFIG" ] || shift
	[ -z "$NEEDED" ] || set -- "$NEEDED"
	texts "$@" >"$OUT/needed.config"
	"$TREE/scripts/diffconfig" "$OUT/needed.config" "$OUT/.config" >"$OUT/config.diff" ||
		die "$TREE/scripts/diffconfig failed"
	lost=$(lost_options "$OUT/config.diff" | paste -sd ' ')
	[ -z "$lost" ] || die "$lost cannot be had in $TREE"
}

# Kbuild looks for pahole after everything else is built.
check_tools() {
	! grep -qx CONFIG_DEBUG_INFO_BTF=y "$OUT/.config" || command -v pahole >/dev/null ||
		die "pahole not found, which CONFIG_DEBUG_INFO_BTF=y needs:" \
			"install the package dwarves, or turn that option off"
}

# A flavor differs in a few options: Kbuild starts from the build without the flavor,
# and compiles only the files that depend on these options. The commands that make
# objtool have absolute names.
copy_plain_build() {
	plain=${OUT%-"$FLAVOR"}
	[ -f "$plain/.config" ] && [ -z "$keep_debug_info" ] || return 0
	rm -rf "$OUT.copy"
	flock -s "$plain/.lock" cp -a "$plain" "$OUT.copy"
	[ ! -d "$OUT.copy/tools" ] || find "$OUT.copy/tools" -name '.*.cmd' \
		-exec sed -i "s,$plain/,$OUT/,g" {} +
	mv "$OUT.copy" "$OUT"
}

# Install single modules, as modules_install does with all of them.
install_modules() { # MODULE...
	kbuild modules.log "$@"
	release=$(cat "$OUT/include/config/kernel.release")
	dir=$OUT/modules/lib/modules/$release
	mkdir -p "$dir/kernel"
	touch "$dir/modules.order" "$dir/modules.builtin" "$dir/modules.builtin.modinfo"
	for module; do
		"${CROSS_COMPILE}strip" --strip-debug -o "$dir/kernel/${module##*/}" \
			"$OUT/$module"
	done
	PATH=$PATH:/sbin depmod -b "$OUT/modules" "$release"
}

# The modules as an archive that is put before that of the guest
pack_modules() {
	rm -rf "$OUT/modules"
	if [ "$MODULES" = 1 ]; then
		kbuild modules.log INSTALL_MOD_PATH="$OUT/modules" INSTALL_MOD_STRIP=1 \
			modules_install
	else
		# shellcheck disable=SC2086 # a list of modules
		install_modules $MODULES
	fi
	rm -f "$OUT"/modules/lib/modules/*/build "$OUT"/modules/lib/modules/*/source
	(cd "$OUT/modules" && find . | LC_ALL=C sort |
		cpio --quiet -o -H newc -R 0:0) >"$OUT/modules.cpio.new"
	# A guest that starts meanwhile needs a whole archive.
	mv "$OUT/modules.cpio.new" "$OUT/modules.cpio"
}

compiler=${CROSS_COMPILE-}gcc
[ -z "${LLVM:-}" ] || compiler=clang$LLVM
keep_debug_info=
[ "$FLAVOR" != truth ] || keep_debug_info=1

[ -d "$TREE" ] || die "no kernel tree ${TREE:-in KERNEL_BASE, which BASE=1 needs}"
[ -z "$FLAVOR" ] || [ -d "$OUT" ] || copy_plain_build
mkdir -p "$OUT"
exec 9>"$OUT/.lock"
flock -n 9 || {
	say "waiting for another run that works in $OUT"
	flock 9
}
[ "${CONFIGURED:-}" ] || configure "$@"
check_tools
say "building $OUT/$IMAGE"
targets=${IMAGE##*/}
[ "$MODULES" != 1 ] || targets="$targets modules"
# shellcheck disable=SC2086 # a list of targets
kbuild build.log "$jobs" ${TARGETS:+-k W=1 cmd_checkdoc=} ${TARGETS:-$targets}
[ -z "$MODULES" ] || [ "${TARGETS:-}" ] || pack_modules
