# SPDX-License-Identifier: GPL-2.0
#
# Functions that build the programs of test.sh and fuzz.sh, which source this file.
# $KERNEL is the tree, $CC the compiler, and $SANITIZE contains its flags.

# Print the sources of recordmcount, but for its main().
reader_sources() {
	ls "$KERNEL"/scripts/signatures/*.c "$KERNEL"/scripts/lines/*.c | grep -v /lines/main.c
}

# OUTPUT: build a program with the options of recordmcount for signatures. The option
# "-a file.o" adds the signatures of all functions, even if the tracer cannot hook them.
build_reader() {
	echo '#include "main.h"
	#include "object.h"
	#include <unistd.h>
	int main(int c, char **v)
	{
		int option = getopt(c, v, SIGNATURE_OPTIONS "a:");

		return option == 97 ? record_signatures(optarg, ALL_FUNCTIONS, PART_MEMBERS) :
			do_signatures(option, c, v);
	}' >"$1.c"
	# shellcheck disable=SC2046,SC2086 # flags and names are meant to be split
	"$CC" -g -O1 $SANITIZE -Wall -Werror -iquote "$KERNEL/scripts/signatures" -o "$1" "$1.c" \
		$(reader_sources) -lelf
}

# OUTPUT: build a program that sorts, prints and copies a table.
build_table() {
	# shellcheck disable=SC2046,SC2086 # flags are meant to be split
	"$CC" -g -O1 $SANITIZE -Wall -Werror -iquote "$KERNEL/scripts/signatures" -o "$1" \
		fuzz_table.c $(reader_sources) -lelf
}

# OUTPUT: build the kernel's code that reads signatures and prints values. fuzz_kernel.h
# replaces each header that it includes.
build_kernel() {
	sources="fgraph_sig_text.c trace_graph_value.c"
	mkdir -p "$1.dir"
	for source in $sources fgraph_sig.h; do
		cp "$KERNEL/kernel/trace/$source" "$1.dir"
	done
	cp fuzz_kernel.c fuzz_kernel.h "$1.dir"
	include='^#include [<"]\(linux\/.*\|trace_graph.*\.h\)[>"]$'
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

# OUTPUT: build the kernel's lookup of structs. members_kernel.h replaces each header that it
# includes, but for those of the members.
build_members_kernel() {
	sources="fgraph_sig_text.c fgraph_members.c trace_graph_path.c"
	headers="fgraph_sig.h fgraph_members.h trace_graph_member.h"
	mkdir -p "$1.dir/include/linux"
	for source in $sources $headers; do
		cp "$KERNEL/kernel/trace/$source" "$1.dir"
	done
	cp members_kernel.c members_kernel.h fuzz_kernel.h "$1.dir"
	include='^#include [<"]\(linux\/.*\.h\)[>"]$'
	for header in $(cd "$1.dir" && sed -n "s/$include/\1/p" $sources $headers); do
		echo '#include "members_kernel.h"' >"$1.dir/include/$header"
	done
	echo '#include <errno.h>' >"$1.dir/trace_graph_value.h"
	# The one of user space includes the other.
	rm -f "$1.dir/include/linux/errno.h"
	cp "$KERNEL/include/linux/fgraph_sig_format.h" \
		"$KERNEL/include/linux/fgraph_members_format.h" "$1.dir/include/linux/"
	# shellcheck disable=SC2086 # flags are meant to be split
	(cd "$1.dir" && "$CC" -g -O1 $SANITIZE -D_GNU_SOURCE -Wall -Wno-pointer-sign \
		-Iinclude -I. -o "$1" members_kernel.c $sources)
}
