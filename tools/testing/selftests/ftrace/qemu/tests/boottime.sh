# SPDX-License-Identifier: GPL-2.0
#
# Guest script: when the kernel has booted, in seconds.  With ICOUNT=1 a ns of that
# is an instruction.

dmesg | sed -n 's/^\[ *\([0-9.]*\)\] Run \/init as init process$/\1/p'
