# SPDX-License-Identifier: GPL-2.0
# 64-bit ARM on QEMU's virt machine, on one thread, see x86_64.mk.  The CPU has
# pointer authentication, which signs return addresses, in its cheap form.
KERNEL_ARCH   := arm64
CROSS_COMPILE := aarch64-linux-gnu-
IMAGE         := arch/arm64/boot/Image
QEMU          := qemu-system-aarch64 -machine virt -cpu max,pauth-impdef=on -accel tcg,thread=single
VIRTIO_SERIAL := virtio-serial-device
CONSOLE       := ttyAMA0
CMDLINE       :=
DEBIAN_ARCH   := arm64
PACKAGES      += gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-system-arm
