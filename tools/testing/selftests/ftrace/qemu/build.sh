#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# build.sh FRAGMENT...: configures and builds the kernel $TREE and its modules
# in $OUT.  Called by the Makefile, which passes variables in the environment.

set -eu

HERE=$(cd "$(dirname "$0")" && pwd)

# For FLAVOR=truth: scripts/Makefile.build drops it by this variable.
keep_debug_info=
[ "${FLAVOR:-}" != truth ] || keep_debug_info=drop-debug-info=

say() { echo "$*" >&2; }
die() { say "error: $*"; exit 1; }

# The kernel's makefiles see these variables and none of ours.  Whatever would
# differ from build to build is fixed or relative, or ccache would find nothing:
# base and series are each beside their output directories, whose names, which
# debug information has, do not matter.  The compiler tells ccache what it has
# read: preprocessing first, as ccache does otherwise, takes a fifth of the time.
kbuild() { # LOG ARG...
	log=$OUT/$1
	shift
	"$HERE/quiet.sh" "$log" env -i PATH="$PATH" HOME="${HOME:-/}" \
		${CCACHE_DIR:+"CCACHE_DIR=$CCACHE_DIR"} CCACHE_BASEDIR="$BUILD" \
		CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ${CCACHE_DISABLE:+CCACHE_DISABLE=1} \
		make -C "$TREE" O="$OUT" ARCH="$KERNEL_ARCH" \
		CROSS_COMPILE="$CROSS_COMPILE" CC="$ccache$compiler" \
		${LLVM:+"LLVM=$LLVM"} \
		KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
		KBUILD_BUILD_VERSION=1 KBUILD_BUILD_USER=ftrace \
		KBUILD_BUILD_HOST=qemu LOCALVERSION= \
		KCFLAGS="-fmacro-prefix-map=../${TREE##*/}/= ${MORE_CFLAGS:-}" $keep_debug_info "$@"
}

# Prints each option that $1 asks for and $2 does not have.  A later line of $1
# wins; "is not set", "=n" and not being there at all are the same.  A number is the
# least that is needed.
lost_options() { # WANTED CONFIG
	awk -F '[= ]' '
		/^# CONFIG_.* is not set$/ { value[FILENAME, $2] = "n" }
		/^CONFIG_/ { value[FILENAME, $1] = substr($0, length($1) + 2) }
		FILENAME == ARGV[1] && /^(# )?CONFIG_/ { wanted[/^#/ ? $2 : $1] }
		END {
			for (option in wanted) {
				want = value[ARGV[1], option]
				have = value[ARGV[2], option]
				if (want ~ /^[0-9]+$/ && have ~ /^[0-9]+$/ && have + 0 > want + 0)
					continue
				if (want != (have == "" ? "n" : have))
					print option
			}
		}' "$1" "$2"
}

known() { # OPTION
	grep -rqxE --include='Kconfig*' \
		"[[:space:]]*(menu)?config[[:space:]]+${1#CONFIG_}" "$TREE"
}

# The first fragment may be a configuration of the user's.  Ours override it, and only
# what they ask for is checked: an option of it may depend on what this tree, this
# compiler or our fragments have otherwise.
configure() { # FRAGMENT...
	[ -z "$CONFIG" ] || grep -q '^CONFIG_[A-Za-z0-9_]*=' "$CONFIG" ||
		die "CONFIG=$CONFIG sets no option: it must be a .config, not compressed"
	cat "$@" >"$OUT/wanted.config"
	kbuild config.log KCONFIG_ALLCONFIG="$OUT/wanted.config" allnoconfig
	[ -z "$CONFIG" ] || shift
	cat "$@" >"$OUT/needed.config"
	for option in $(lost_options "$OUT/needed.config" "$OUT/.config"); do
		if ! known "$option"; then
			[ "$UNKNOWN$BASE" ] || die "$option is unknown to $TREE"
		elif [ "$UNKNOWN" != skip ]; then
			die "$option cannot be had as $(grep "${option}[= ]" \
				"$OUT/needed.config" | tail -n 1) asks"
		fi
	done
}

# Kbuild looks for pahole when all the rest is built.
check_tools() {
	! grep -qx CONFIG_DEBUG_INFO_BTF=y "$OUT/.config" || command -v pahole >/dev/null ||
		die "pahole not found, which CONFIG_DEBUG_INFO_BTF=y needs:" \
			"install the package dwarves, or turn that option off"
}

# A flavor differs in a few options: Kbuild goes on from what was built without, and
# compiles what has them.  objtool is not to be newer than what it has checked: the
# commands that make it have absolute names.
copy_plain_build() {
	plain=${OUT%-"$FLAVOR"}
	[ -f "$plain/.config" ] && [ -z "$keep_debug_info" ] || return 0
	# Whole or not at all
	rm -rf "$OUT.copy"
	flock -s "$plain/.lock" cp -a "$plain" "$OUT.copy"
	[ ! -d "$OUT.copy/tools" ] || find "$OUT.copy/tools" -name '.*.cmd' \
		-exec sed -i "s,$plain/,$OUT/,g" {} +
	mv "$OUT.copy" "$OUT"
}

# Installs single modules, as modules_install does with all of them.
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

# The modules as an archive that can follow the guest's own.
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
		cpio --quiet -o -H newc -R 0:0) >"$OUT/modules.cpio"
}

ccache=
! command -v ccache >/dev/null || ccache="$HERE/ccache.sh "

compiler=${CROSS_COMPILE-}gcc
[ -z "${LLVM:-}" ] || compiler=clang$LLVM

[ -d "$TREE" ] || die "no kernel tree ${TREE:-in KERNEL_BASE, which BASE=1 needs}"
[ -z "$FLAVOR" ] || [ -d "$OUT" ] || copy_plain_build
mkdir -p "$OUT"
exec 9>"$OUT/.lock"
flock -n 9 || {
	say "waiting for another run that works in $OUT"
	flock 9
}
configure "$@"
# configs.sh compiles some objects only.
[ -z "${TARGETS:-}" ] || {
	# shellcheck disable=SC2086 # a list of targets
	kbuild build.log W=1 -k -j"${JOBS:-$(nproc)}" $TARGETS
	exit
}
check_tools
say "building $OUT/$IMAGE"
# A distribution's configuration has thousands of modules: all only on demand.
targets="${IMAGE##*/}"
case $CONFIG,$MODULES in
, | *,1) targets="$targets modules" ;;
esac
# shellcheck disable=SC2086 # a list of targets
kbuild build.log -j"${JOBS:-$(nproc)}" $targets
[ -z "$MODULES" ] || pack_modules
