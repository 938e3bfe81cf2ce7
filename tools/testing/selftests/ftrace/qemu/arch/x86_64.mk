# SPDX-License-Identifier: GPL-2.0
# 64-bit x86 on QEMU's pc machine. With the PM timer, the kernel can calibrate its clocks on
# a busy host. Its address is on the command line, because there is no ACPI. All CPUs share
# one thread: with a thread each, those of QEMU 7.2 sometimes execute code as it was before a
# tracer was turned on or off, or hang, also with the unpatched base.
KERNEL_ARCH   := x86_64
CROSS_COMPILE := x86_64-linux-gnu-
IMAGE         := arch/x86/boot/bzImage
QEMU          := qemu-system-x86_64 -machine pc -cpu max -accel tcg,thread=single
VIRTIO_SERIAL := virtio-serial-pci
CONSOLE       := ttyS0
CMDLINE       := tsc=reliable pmtmr=608
DEBIAN_ARCH   := amd64
PACKAGES      += gcc libc6-dev qemu-system-x86 libelf-dev
