# SPDX-License-Identifier: GPL-2.0
# 32-bit x86 on QEMU's pc machine, for the reasons that x86_64.mk gives.  Linux warns
# of two CPUs if AMD made them.
KERNEL_ARCH   := i386
CROSS_COMPILE := i686-linux-gnu-
IMAGE         := arch/x86/boot/bzImage
QEMU          := qemu-system-i386 -machine pc -cpu max,vendor=GenuineIntel -accel tcg,thread=single
VIRTIO_SERIAL := virtio-serial-pci
CONSOLE       := ttyS0
CMDLINE       := tsc=reliable
DEBIAN_ARCH   := i386
PACKAGES      += gcc-i686-linux-gnu libc6-dev-i386-cross qemu-system-x86
