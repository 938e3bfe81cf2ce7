# SPDX-License-Identifier: GPL-2.0
#
# To be sourced: builds what test.sh and fuzz.sh run. KERNEL is the tree, $CC the
# compiler, with $SANITIZE.

# OUTPUT: the options of recordmcount for signatures, and "-a file.o", which adds those
# of all functions, whether the tracer can hook them or not
build_reader() {
	echo '#include "main.h"
	#include "object.h"
	#include <unistd.h>
	int main(int c, char **v)
	{
		int option = getopt(c, v, "s:f:a:l:d:t:c:");

		return option == 97 ? record_signatures(optarg, ALL_FUNCTIONS) :
			do_signatures(option, c, v);
	}' >"$1.c"
	# shellcheck disable=SC2086 # flags are meant to be split
	"$CC" -g -O1 $SANITIZE -Wall -Werror -iquote "$KERNEL/scripts/signatures" -o "$1" "$1.c" \
		"$KERNEL"/scripts/signatures/*.c -lelf
}

# OUTPUT: sorts and copies a table
build_table() {
	# shellcheck disable=SC2046,SC2086 # flags are meant to be split
	"$CC" -g -O1 $SANITIZE -Wall -Werror -iquote "$KERNEL/scripts/signatures" -o "$1" \
		fuzz_table.c "$KERNEL"/scripts/signatures/*.c -lelf
}

# OUTPUT: what the kernel reads signatures with, and prints values. Each header that
# it includes is fuzz_kernel.h here.
build_kernel() {
	sources="fgraph_sig_text.c trace_graph_value.c"
	mkdir -p "$1.dir"
	for source in $sources fgraph_sig.h; do
		cp "$KERNEL/kernel/trace/$source" "$1.dir"
	done
	cp fuzz_kernel.c fuzz_kernel.h "$1.dir"
	include='^#include [<"]\(linux\/.*\|trace_graph\.h\)[>"]$'
	for header in $(cd "$1.dir" && sed -n "s/$include/\1/p" $sources fgraph_sig.h) \
			linux/types.h; do
		mkdir -p "$(dirname "$1.dir/include/$header")"
		echo '#include "fuzz_kernel.h"' >"$1.dir/include/$header"
	done
	cp "$KERNEL/include/linux/fgraph_sig_format.h" "$1.dir/include/linux/"
	# shellcheck disable=SC2086 # flags are meant to be split
	(cd "$1.dir" && "$CC" -g -O1 $SANITIZE -D_GNU_SOURCE -Wall -Wno-pointer-sign \
		-Iinclude -I. -o "$1" fuzz_kernel.c $sources)
}
