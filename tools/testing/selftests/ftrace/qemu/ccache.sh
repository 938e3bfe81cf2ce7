#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ccache.sh COMPILER ARG...: the compiler by way of ccache, if there is one, but for
# assembly. What .incbin takes in is not among what the compiler says that it has read, so
# ccache would hand out an object with an old kernel, in that which unpacks it.

for source; do :; done
case $source in
*.S) ;;
*) ! command -v ccache >/dev/null || set -- ccache "$@" ;;
esac
exec "$@"
