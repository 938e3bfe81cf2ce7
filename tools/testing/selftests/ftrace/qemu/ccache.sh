#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ccache.sh COMPILER ARG...: runs the compiler through ccache, if it is installed, except
# for assembly. The compiler does not list files of .incbin among those that it has read,
# so ccache would return an object that contains an old kernel.

for source; do :; done
case $source in
*.S) ;;
*) ! command -v ccache >/dev/null || set -- ccache "$@" ;;
esac
exec "$@"
