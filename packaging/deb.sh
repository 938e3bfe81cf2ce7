#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make deb: Debian packages of the kernel in build/linux and of the program fgraph, in
# build/deb. CONFIG is cloud-amd64 or amd64, one of Debian's own configurations, or a file.
# DBG=1 adds the package with debug information. An interrupted build goes on where it was.

. "$(dirname "$0")/lib.sh"

CONFIG=${CONFIG:-amd64}
DBG=${DBG:-}
DEBIAN_CONFIGS=/usr/src/linux-config-6.1
DEBS=$BUILD/deb

# The series needs these; the README has the same list.
OPTIONS='FUNCTION_TRACER FUNCTION_GRAPH_TRACER FUNCTION_GRAPH_RETVAL FUNCTION_GRAPH_ARGS
	FGRAPH_SIGNATURES FGRAPH_LINES FGRAPH_MEMBERS FTRACE_SYSCALLS FUNCTION_PROFILER'

# The kernel's makefiles get none of our variables.
kbuild() { # LOG ARG...
	log=$OUT/$1
	shift
	"$HARNESS/quiet.sh" "$log" env -i PATH="$PATH" HOME="${HOME:-/}" \
		${CCACHE_DIR:+"CCACHE_DIR=$CCACHE_DIR"} CCACHE_DEPEND=1 \
		make -C "$TREE" O="$OUT" CC="$HARNESS/ccache.sh gcc" \
		LOCALVERSION="$suffix" "$@"
}

# A name of Debian's becomes a part of the release, so that both can be installed.
find_config() {
	suffix=-fgraph$version
	name=config
	file=$CONFIG
	case $CONFIG in
	cloud-amd64 | amd64)
		suffix=$suffix-$CONFIG
		name=$CONFIG
		file=$DEBIAN_CONFIGS/config.amd64_none_$CONFIG.xz
		[ -f "$file" ] || die "$file not found: install linux-config-6.1"
		;;
	esac
	[ -f "$file" ] ||
		die "CONFIG=$CONFIG: no such file; CONFIG is amd64, cloud-amd64 or a file"
	xz -dcf "$file" >"$tmp/config"
	grep -q '^CONFIG_[A-Za-z0-9_]*=' "$tmp/config" ||
		die "CONFIG=$CONFIG sets no option: it must be a .config"
}

check_machine() {
	[ "${ARCH:-x86_64}" = x86_64 ] || die "ARCH=$ARCH: make deb builds for x86_64 alone"
	[ "$(dpkg --print-architecture)" = amd64 ] ||
		die "this is $(dpkg --print-architecture): make deb builds on amd64 alone"
}

# An estimate. What an earlier run has built needs no room again.
check_room() {
	kb_per_option=500
	! grep -qx CONFIG_DEBUG_INFO=y "$tmp/config" || kb_per_option=3500
	options=$(grep -c '^CONFIG_.*=[ym]$' "$tmp/config")
	more_mb=$((options * kb_per_option / 1000 - $(du -sm "$OUT" | cut -f 1)))
	free_mb=$(df -Pm "$OUT" | awk 'NR == 2 { print $4 }')
	[ "$free_mb" -ge "$more_mb" ] ||
		die "$DEBS has $free_mb MB left, the build takes $more_mb MB more: free some, or set BUILD"
}

config() { "$TREE/scripts/config" --file "$OUT/.config" "$@"; }

# A key that is no path from / is in a tree that is not ours, as Debian's are. Without a key,
# the build makes one, and signs modules with it.
drop_foreign_keys() {
	for key in SYSTEM_TRUSTED_KEYS SYSTEM_REVOCATION_KEYS MODULE_SIG_KEY; do
		case $key,$(config --state $key) in
		*,/* | *,pkcs11:*) ;;
		MODULE_SIG_KEY,*)
			config --enable MODULE_SIG_ALL --set-str $key certs/signing_key.pem ;;
		*) config --set-str $key '' ;;
		esac
	done
}

configure() {
	cp "$tmp/config" "$OUT/.config"
	drop_foreign_keys
	for option in FTRACE DYNAMIC_FTRACE $OPTIONS; do
		config --enable "$option"
	done
	kbuild config.log olddefconfig
	refused=
	for option in $OPTIONS; do
		grep -qx "CONFIG_$option=y" "$OUT/.config" || refused="$refused CONFIG_$option"
	done
	[ -z "$refused" ] ||
		die "CONFIG=$CONFIG does not allow$refused: kernel/trace/Kconfig says what it depends on"
	[ -z "$DBG" ] || grep -qx CONFIG_DEBUG_INFO=y "$OUT/.config" ||
		die "DBG=1: CONFIG=$CONFIG has no debug information: enable DEBUG_INFO in it"
}

# The kernel's builddeb, without linux-libc-dev, which would replace Debian's, and with debug
# information only if it is wanted.
kernel_packages() (
	cd "$OUT"
	sed -e '/linux-libc-dev/d' -e "s/^BUILD_DEBUG=.*/BUILD_DEBUG=$DBG/" \
		"$TREE/scripts/package/builddeb" >builddeb
	[ "$DBG" ] || export INSTALL_MOD_STRIP=1
	unset MAKEFLAGS MFLAGS
	export KERNELRELEASE="$release" ARCH=x86_64 SRCARCH=x86 UTS_MACHINE=x86_64 MAKE=make \
		OBJCOPY=objcopy KCONFIG_CONFIG=.config srctree="$TREE" \
		KDEB_SOURCENAME=linux-fgraph KDEB_PKGVERSION="$base-$version" \
		KDEB_CHANGELOG_DIST=bookworm DEB_RULES_REQUIRES_ROOT=no
	"$HARNESS/quiet.sh" packages.log sh -ec "sh $TREE/scripts/package/mkdebian; sh -e builddeb"
)

program_package() {
	dir=$OUT/fgraph
	root=$dir/root
	rm -rf "$dir"
	mkdir -p "$dir/build" "$root/DEBIAN" "$root/usr/share/doc/fgraph"
	"$HARNESS/quiet.sh" "$OUT/fgraph.log" make -C "$TREE/tools/tracing/fgraph" \
		OUTPUT="$dir/build/" DESTDIR="$root" LDFLAGS=-s install install-plugin
	gzip -9n "$root"/usr/share/man/man1/*
	gzip -9nc "$TOP/CHANGES" >"$root/usr/share/doc/fgraph/changelog.gz"
	cp "$OUT/debian/copyright" "$root/usr/share/doc/fgraph"
	cat >"$root/DEBIAN/control" <<-END
	Package: fgraph
	Version: $version
	Architecture: amd64
	Section: kernel
	Priority: optional
	Depends: libc6 (>= 2.36)
	Suggests: trace-cmd
	$(grep '^Maintainer: ' "$OUT/debian/control")
	Description: says which kernel function returned the error
	 The program asks the function graph tracer of a kernel with the fgraph series why a
	 command failed, or why it was slow.
	END
	dpkg-deb --root-owner-group --build "$root" "$DEBS" >"$OUT/fgraph.log"
}

check_machine
find_config
OUT=$DEBS/$name
mkdir -p "$OUT"
exec 9>"$OUT/.lock"
flock -n 9 || die "another run works in $OUT"
check_room
configure
say "building $OUT"
kbuild build.log -j"$(nproc)" all
release=$(cat "$OUT/include/config/kernel.release")
say "packing $release"
kernel_packages
program_package
cd "$DEBS"
du -h ./*"$release"*.deb "fgraph_${version}_amd64.deb"
