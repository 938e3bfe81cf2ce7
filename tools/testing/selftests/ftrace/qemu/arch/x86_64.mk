# SPDX-License-Identifier: GPL-2.0
# 64-bit x86 on QEMU's pc machine, or on q35 for the flavor debug, where Linux would break
# off a loop in the ACPI tables of pc. With the HPET, the kernel can calibrate the TSC on a
# busy host. All CPUs share one thread: with a thread each, those of QEMU 7.2 sometimes
# execute code as it was before a tracer was turned on or off, or hang, also with the
# unpatched base.
KERNEL_ARCH   := x86_64
CROSS_COMPILE := x86_64-linux-gnu-
IMAGE         := arch/x86/boot/bzImage
QEMU          := qemu-system-x86_64 -cpu max -accel tcg,thread=single \
		 $(if $(filter debug,$(FLAVOR)),-machine q35,-machine pc)
VIRTIO_SERIAL := virtio-serial-pci
CONSOLE       := ttyS0
CMDLINE       := tsc=reliable
DEBIAN_ARCH   := amd64
PACKAGES      += gcc libc6-dev qemu-system-x86 libelf-dev
