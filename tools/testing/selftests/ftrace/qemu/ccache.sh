#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ccache.sh COMPILER ARG...: the compiler by way of ccache, but for assembly.  What
# .incbin takes in is not among what the compiler says that it has read, so ccache
# would hand out an object with what was in there the last time: an old kernel, in
# that which unpacks it.

for source; do :; done
case $source in
*.S) exec "$@" ;;
*) exec ccache "$@" ;;
esac
