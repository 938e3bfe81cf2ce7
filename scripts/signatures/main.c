// SPDX-License-Identifier: GPL-2.0
/*
 * The options of recordmcount that are about signatures:
 *
 *	-s OBJECT	add the signatures of the functions that have a call site
 *	-a OBJECT	if it lists no call sites, of all functions
 *	-l FILE		list the signatures of all functions
 *	-d VMLINUX	list the table of a linked kernel
 *	-t VMLINUX	sort the table of a linked kernel
 *	-c COPY VMLINUX	write a copy of that table
 */
#include <stdio.h>
#include <unistd.h>

#include "signatures.h"

/* recordmcount calls this for the first option that is not its own. */
int do_signatures(int option, int argc, char *argv[])
{
	switch (option) {
	case 's':
	case 'a':
		return record_signatures(optarg, option == 'a');
	case 'l':
		return list_signatures(optarg);
	case 'd':
		return dump_signatures(optarg);
	case 't':
		return sort_signatures(optarg);
	case 'c':
		if (optind < argc)
			return copy_signatures(argv[optind], optarg);
	}
	fputs("usage: recordmcount -s|-a file.o, -l file, -d vmlinux, -t vmlinux,\n"
	      "       -c copy vmlinux\n", stderr);
	return 1;
}
