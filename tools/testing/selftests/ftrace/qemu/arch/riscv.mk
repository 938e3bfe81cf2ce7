# SPDX-License-Identifier: GPL-2.0
# 64-bit RISC-V on QEMU's virt machine, which starts OpenSBI by itself. Its CPUs have a
# thread each: while one of them waits for another in a loop, QEMU does not see that it
# could run that one. All of them are stopped to change code, so the reason in x86_64.mk
# does not hold.
KERNEL_ARCH   := riscv
CROSS_COMPILE := riscv64-linux-gnu-
IMAGE         := arch/riscv/boot/Image
QEMU          := qemu-system-riscv64 -machine virt -accel tcg
VIRTIO_SERIAL := virtio-serial-device
CONSOLE       := ttyS0
CMDLINE       :=
DEBIAN_ARCH   := riscv64
PACKAGES      += gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-system-misc dpkg-dev
