# SPDX-License-Identifier: GPL-2.0
# 32-bit ARM (v7) on QEMU's virt machine, on one thread, see x86_64.mk.
KERNEL_ARCH   := arm
CROSS_COMPILE := arm-linux-gnueabihf-
IMAGE         := arch/arm/boot/zImage
QEMU          := qemu-system-arm -machine virt -cpu cortex-a15 -accel tcg,thread=single
VIRTIO_SERIAL := virtio-serial-device
CONSOLE       := ttyAMA0
CMDLINE       :=
DEBIAN_ARCH   := armhf
PACKAGES      += gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-system-arm
