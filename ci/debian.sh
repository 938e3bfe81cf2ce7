#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# debian.sh IMAGE PACKAGE...: makes a root file system of Debian 12 with systemd and these
# packages, as an ext4 image for QEMU. An image of the same packages stays. Needs root, to
# give files to their owners.
#
# A guest that boots the image extracts its second disk, a tar file, to /, and runs
# /files/run.sh in tracefs. Output and status go to virtio-serial ports, as in init.sh of the
# harness. Then the guest reboots.

set -eu

SUITE=bookworm

say() { echo "$*" >&2; }
die() { say "error: $*"; exit 1; }

# Units that no test needs, and that make the boot longer
MASKED='getty.target ldconfig.service sys-kernel-config.mount systemd-binfmt.service
	systemd-firstboot.service systemd-hwdb-update.service
	systemd-journal-catalog-update.service systemd-journal-flush.service
	systemd-logind.service systemd-machine-id-commit.service
	systemd-modules-load.service systemd-pcrphase.service
	systemd-pcrphase-sysinit.service systemd-random-seed.service
	systemd-sysusers.service systemd-tmpfiles-clean.timer
	systemd-tmpfiles-setup.service systemd-tmpfiles-setup-dev.service
	systemd-update-done.service systemd-update-utmp.service
	systemd-user-sessions.service systemd-vconsole-setup.service
	apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer
	e2scrub_all.timer e2scrub_reap.service fstrim.timer'

# Where this machine gets Debian 12 from. On another distribution, mmdebstrap knows.
sources() {
	# shellcheck disable=SC2016 # apt-get expands these
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
		awk -v suite=$SUITE 'index($3, suite) == 1' | sort -u
}

# Runs as root in the guest.
write_runner() { # ROOT
	cat >"$1/usr/local/sbin/run" <<-'END'
		#!/bin/sh
		tar -x -f /dev/vdb -C / --keep-directory-symlink
		until [ -e /dev/vport0p1 ] && [ -e /dev/vport0p2 ]; do
			sleep 0.1
		done
		echo 1 >/proc/sys/kernel/panic_on_rcu_stall
		cd /sys/kernel/tracing || exit
		export HOME=/root
		{
			sh /files/run.sh
			echo "exit $?" >/tmp/status
		} 2>&1 </dev/null | cat >/dev/vport0p1
		cat /tmp/status >/dev/vport0p2
		reboot -f
	END
	chmod +x "$1/usr/local/sbin/run"
}

write_units() { # ROOT
	cat >"$1/etc/systemd/system/run.service" <<-'END'
		[Unit]
		Description=Run /files/run.sh
		Requires=basic.target
		After=basic.target

		[Service]
		Type=oneshot
		TimeoutStartSec=infinity
		ExecStart=/usr/local/sbin/run
	END
	cat >"$1/etc/systemd/system/default.target" <<-'END'
		[Unit]
		Description=Run /files/run.sh
		Requires=basic.target run.service
		After=run.service
	END
	# With an ID, this is not the first boot, which would set up all units.
	echo 00000000000000000000000000000001 >"$1/etc/machine-id"
	for unit in $MASKED; do
		ln -sf /dev/null "$1/etc/systemd/system/$unit"
	done
}

[ $# -ge 1 ] || die "usage: debian.sh IMAGE PACKAGE..."
image=$1
shift
mkdir -p "${image%/*}"
exec 9>"$image.lock"
flock 9
wanted=$(echo "$*" && cksum <"$0")
[ ! -e "$image" ] || [ "$wanted" != "$(cat "$image.wanted" 2>/dev/null)" ] || exit 0
[ "$(id -u)" -eq 0 ] || die "$image: only root can make it, so run this as root"
for tool in mmdebstrap mke2fs; do
	PATH=$PATH:/sbin:/usr/sbin command -v $tool >/dev/null ||
		die "$tool not found: install the packages mmdebstrap and e2fsprogs"
done

say "making $image of Debian 12"
root=$(mktemp -d "$image.XXXXXX")
# A file system that mmdebstrap has mounted there, and has left, stays.
trap 'rm -rf --one-file-system "$root" "$image.new"' EXIT
trap 'exit 1' HUP INT TERM
sources >"$image.sources"
from=-
[ -s "$image.sources" ] || from=
# shellcheck disable=SC2086 # no word, if from is empty
mmdebstrap --quiet --variant=essential --include="systemd systemd-sysv $*" \
	--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
	--dpkgopt='path-exclude=/usr/share/locale/*' \
	$SUITE "$root" $from <"$image.sources" >"$image.log" 2>&1 || {
	tail -n 20 "$image.log" >&2
	die "mmdebstrap failed, see $image.log"
}
write_runner "$root"
write_units "$root"
size=$(du -sm "$root" | cut -f 1)
PATH=$PATH:/sbin mke2fs -q -t ext4 -d "$root" "$image.new" $((size * 5 / 4 + 256))M
mv "$image.new" "$image"
echo "$wanted" >"$image.wanted"
